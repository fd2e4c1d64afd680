//! HDF5 as two programs use it: the pedestrian archives' dataset `trajectory` of records (id,
//! frame, x, y, z) with an attribute `fps`, and idtracker.ai's dataset `trajectories` [frames,
//! individuals, 2] in pixels.
//!
//! <https://pedpy.readthedocs.io>, <https://idtracker.ai>

use std::fmt::Display;
use std::io::Cursor;

use rust_hdf5::{ByteOrder, DatatypeMessage, H5Dataset, H5File};

use super::npy::Track;
use crate::limits::{FARTHEST, FPS, LAST_FRAME};
use crate::npy::{NpyReader, write_header};
use crate::row::Row;
use crate::rows::Rows;
use crate::source::Source;
use crate::units::LengthUnit;
use crate::{RecordError, memory};

const ALLOWED: &str = "allowed is a dataset trajectory with id, frame, x and y, or idtracker.ai's \
    trajectories";

pub(super) fn read(source: Source<'_>) -> Result<Rows, RecordError> {
    let shown = source.shown.as_str();
    let refuse = |error: &dyn Display| {
        RecordError::data(shown, format!("not a trajectory in HDF5 ({error}): {ALLOWED}"))
    };
    // A file that another program has open is read all the same.
    let file = H5File::options().no_locking().open(source.path).map_err(|error| refuse(&error))?;
    let names = file.dataset_names();
    let named = |name: &str| names.iter().any(|known| known.trim_start_matches('/') == name);
    let name = ["trajectory", "trajectories"].into_iter().find(|name| named(name));
    let name = name.ok_or_else(|| {
        refuse(&format!("its datasets are {}", crate::text::shortened(&names.join(", "))))
    })?;
    let dataset = file.dataset(name).map_err(|error| refuse(&error))?;
    // Data that lies in other files is none of this one.
    if dataset.external_files().is_ok_and(|files| !files.is_empty())
        || dataset.virtual_mappings().is_ok_and(|maps| !maps.is_empty())
    {
        return Err(refuse(&"its data lies in other files"));
    }
    let bytes = (dataset.total_elements() as u128).saturating_mul(dataset.element_size() as u128);
    memory::room_for(bytes / 16, shown)?;
    let raw = dataset.read_raw_bytes().map_err(|error| refuse(&error))?;
    let kind = dataset.datatype().map_err(|error| refuse(&error))?;
    let mut rows = Rows::new(shown);
    if name == "trajectory" {
        records(&kind, &raw, &mut rows)?;
        rows.fps = rate(&dataset);
        let about_x =
            dataset.attr("x").and_then(|attribute| attribute.read_string()).unwrap_or_default();
        rows.unit = about_x.split(|c: char| !c.is_alphanumeric()).rev().find_map(LengthUnit::parse);
    } else {
        let number = Hdf5Number::of(&kind)
            .filter(|number| number.is_float)
            .ok_or_else(|| refuse(&"trajectories are no floats"))?;
        let order = if number.is_big_endian { '>' } else { '<' };
        let shape: Vec<u64> = dataset.shape().iter().map(|&side| side as u64).collect();
        let mut array = Vec::new();
        write_header(&mut array, &format!("{order}f{}", number.bytes), &shape)
            .map_err(|error| refuse(&error))?;
        array.extend(raw);
        let length = array.len() as u64;
        let array = NpyReader::open(Cursor::new(array), length)
            .map_err(|message| RecordError::data(shown, message))?;
        rows.unit = Some(LengthUnit::Pixel);
        rows.notes.push(
            "written by idtracker.ai, whose rate is no number here: --fps says it; \
                individuals are counted from 1"
                .into(),
        );
        Track::of(array, &format!("{shown} trajectories"))?
            .fill(&mut rows, |individual| individual as u64 + 1)?;
    }
    Ok(rows)
}

/// The attribute `fps`, a float or a whole number.
fn rate(dataset: &H5Dataset) -> Option<f64> {
    let attribute = dataset.attr("fps").ok()?;
    let float = attribute.read_numeric_as::<f64>().ok().and_then(|all| all.first().copied());
    let whole = || {
        attribute.read_numeric_as::<i64>().ok().and_then(|all| all.first().map(|&rate| rate as f64))
    };
    float.or_else(whole).filter(|fps| FPS.contains(fps))
}

/// Records of id, frame, x and y; z is a person's height.
fn records(kind: &DatatypeMessage, raw: &[u8], rows: &mut Rows) -> Result<(), RecordError> {
    let shown = rows.shown.clone();
    let DatatypeMessage::Compound { size, members } = kind else {
        return Err(RecordError::data(
            shown,
            format!("trajectory has no named columns: {ALLOWED}"),
        ));
    };
    let find = |name: &str| {
        let member = members.iter().find(|member| member.name == name);
        let found = member
            .and_then(|member| Some((member.offset as usize, Hdf5Number::of(&member.datatype)?)));
        found.ok_or_else(|| {
            RecordError::data(&shown, format!("trajectory has no numbers {name}: {ALLOWED}"))
        })
    };
    let (id, frame, x, y) = (find("id")?, find("frame")?, find("x")?, find("y")?);
    for (i, record) in raw.chunks_exact((*size as usize).max(1)).enumerate() {
        let value = |(offset, number): &(usize, Hdf5Number)| {
            record.get(*offset..).and_then(|rest| number.read(rest)).unwrap_or(f64::NAN)
        };
        let refuse = |name: &str, allowed: String| {
            RecordError::data(
                format!("{shown} trajectory row {i}"),
                format!("column {name}: allowed is {allowed}"),
            )
        };
        let whole = |of: &(usize, Hdf5Number), name: &str, least: f64| {
            let number = value(of);
            let is_whole = number.fract() == 0.0 && (least..=LAST_FRAME as f64).contains(&number);
            if is_whole {
                Ok(number)
            } else {
                Err(refuse(name, format!("a whole number, {least} to {LAST_FRAME}")))
            }
        };
        let coordinate = |of: &(usize, Hdf5Number), name: &str| {
            let number = value(of);
            let is_fine = number.is_nan() || number.abs() <= FARTHEST;
            if is_fine {
                Ok(number)
            } else {
                Err(refuse(name, format!("a number, -{FARTHEST:e} to {FARTHEST:e}, or NaN")))
            }
        };
        let (who, number) = (whole(&id, "id", 0.0)?, whole(&frame, "frame", -(LAST_FRAME as f64))?);
        let position = [coordinate(&x, "x")?, coordinate(&y, "y")?, 0.0];
        rows.push(Row { frame: number as i64, id: who as u64, position, velocity: [f64::NAN; 3] })?;
    }
    if members.iter().any(|member| member.name == "z") {
        rows.notes.push("z is a person's height: left aside, all is measured in the plane".into());
    }
    Ok(())
}

/// How a number lies in a file.
struct Hdf5Number {
    is_float: bool,
    is_signed: bool,
    bytes: usize,
    is_big_endian: bool,
}

impl Hdf5Number {
    fn of(kind: &DatatypeMessage) -> Option<Self> {
        let (size, order, is_float, is_signed) = match kind {
            DatatypeMessage::FixedPoint { size, byte_order, signed, .. } => {
                (size, byte_order, false, *signed)
            }
            DatatypeMessage::FloatingPoint { size, byte_order, .. } => {
                (size, byte_order, true, true)
            }
            _ => return None,
        };
        let fits = if is_float { [4, 8].contains(size) } else { [1, 2, 4, 8].contains(size) };
        let is_big_endian = !matches!(order, ByteOrder::LittleEndian);
        fits.then_some(Self { is_float, is_signed, bytes: *size as usize, is_big_endian })
    }

    /// The number that `bytes` begin with.
    fn read(&self, bytes: &[u8]) -> Option<f64> {
        let mut eight = [0; 8];
        let part = &mut eight[..self.bytes];
        part.copy_from_slice(bytes.get(..self.bytes)?);
        if self.is_big_endian {
            part.reverse();
        }
        let bits = u64::from_le_bytes(eight);
        let unused = 64 - 8 * self.bytes as u32;
        Some(match (self.is_float, self.bytes) {
            (true, 4) => f64::from(f32::from_bits(bits as u32)),
            (true, _) => f64::from_bits(bits),
            (false, _) if self.is_signed => (((bits << unused) as i64) >> unused) as f64,
            (false, _) => bits as f64,
        })
    }
}
