//! NPY: one array of [frames, individuals, 2 or 3], f32 or f64. NaN is "not seen".
//!
//! <https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html>

use std::io::{BufReader, Cursor, Read};

use npyz::{DType, NpyFile, Order, TypeChar};

use super::Source;
use crate::rows::{FARTHEST, Row, Rows};
use crate::{RecordError, memory};

pub(super) fn read(source: Source<'_>) -> Result<Rows, RecordError> {
    let track = Track::read(BufReader::new(source.file), source.bytes, &source.shown)?;
    let mut rows = Rows::new(&source.shown);
    rows.dimensions = track.dimensions;
    rows.span = (track.frames > 0).then(|| (0, track.frames as i64 - 1));
    for frame in 0..track.frames {
        for id in 0..track.individuals {
            let position = track.at(frame, id, &source.shown)?;
            rows.push(Row { frame: frame as i64, id: id as u64, position, velocity: [f64::NAN; 3] })?;
        }
    }
    Ok(rows)
}

/// An array of [frames, individuals, dimensions].
pub(super) struct Track {
    pub frames: usize,
    pub individuals: usize,
    pub dimensions: usize,
    order: Order,
    values: Vec<f64>,
}

impl Track {
    /// Reads an array from a source of so many bytes.
    pub fn read(from: impl Read, bytes: u64, shown: &str) -> Result<Self, RecordError> {
        let refuse = |message: String| RecordError::data(shown, message);
        let array = open(from, bytes).map_err(refuse)?;
        let [frames, individuals, dimensions] = shape(array.shape()).map_err(refuse)?;
        let item_bytes = item_bytes(&array.dtype()).map_err(refuse)?;
        // The header is only a claim: compare it with what is there before allocating by it.
        let claimed = frames as u128 * individuals as u128 * dimensions as u128 * u128::from(item_bytes);
        if claimed > u128::from(bytes) {
            let shape = format!("shape [{frames}, {individuals}, {dimensions}]");
            return Err(refuse(format!("{shape} needs {claimed} bytes: allowed is what the file holds, {bytes}")));
        }
        memory::room_for(frames as u128 * individuals as u128, shown)?;
        let order = array.order();
        let values = values(array, item_bytes).map_err(|error| refuse(format!("the data cannot be read: {error}")))?;
        Ok(Self { frames, individuals, dimensions, order, values })
    }

    /// One individual in one frame; beyond the dimensions 0.
    pub fn at(&self, frame: usize, id: usize, shown: &str) -> Result<[f64; 3], RecordError> {
        let mut found = [0.0; 3];
        for a in 0..self.dimensions {
            let value = self.values[match self.order {
                Order::C => (frame * self.individuals + id) * self.dimensions + a,
                Order::Fortran => (a * self.individuals + id) * self.frames + frame,
            }];
            found[a] = value;
            if value.abs() > FARTHEST {
                let place = format!("{shown} frame {frame} individual {id}");
                let allowed = format!("-{FARTHEST:e} to {FARTHEST:e}, or NaN");
                return Err(RecordError::data(place, format!("coordinate {a} = {value}: allowed is {allowed}")));
            }
        }
        Ok(found)
    }
}

fn shape(shape: &[u64]) -> Result<[usize; 3], String> {
    match *shape {
        [frames, individuals, dimensions @ (2 | 3)] => Ok([frames, individuals, dimensions].map(|n| n as usize)),
        _ => {
            let text: Vec<String> = shape.iter().map(u64::to_string).collect();
            Err(format!("shape [{}]: allowed is [frames, individuals, 2 or 3]", text.join(", ")))
        }
    }
}

pub(super) fn item_bytes(dtype: &DType) -> Result<u64, String> {
    if let DType::Plain(plain) = dtype
        && plain.type_char() == TypeChar::Float
        && matches!(plain.size_field(), 4 | 8)
    {
        return Ok(plain.size_field());
    }
    Err(format!("dtype {}: allowed is f4 or f8, either byte order", dtype.descr()))
}

pub(super) fn values<R: Read>(array: NpyFile<R>, item_bytes: u64) -> std::io::Result<Vec<f64>> {
    if item_bytes == 8 { array.into_vec::<f64>() } else { Ok(array.into_vec::<f32>()?.into_iter().map(f64::from).collect()) }
}

/// Opens an array after a look at its header, before the library trusts it: its length must lie within the bytes there are, and
/// the product of its numbers (the shape among them) within 64 bits, since the library multiplies them unchecked.
pub(super) fn open<R: Read>(mut from: R, bytes: u64) -> Result<NpyFile<impl Read>, String> {
    let mut header = vec![0u8; 12];
    let not_npy = || "not an NPY file: allowed is what numpy.save writes".to_string();
    from.read_exact(&mut header).map_err(|_| not_npy())?;
    if &header[..6] != b"\x93NUMPY" {
        return Err(not_npy());
    }
    let (length, begin) = match header[6] {
        1 => (u64::from(u16::from_le_bytes([header[8], header[9]])), 10),
        _ => (u64::from(u32::from_le_bytes([header[8], header[9], header[10], header[11]])), 12),
    };
    // numpy's own headers take a few hundred bytes.
    if begin + length > bytes || !(2..=1 << 16).contains(&length) {
        return Err(format!("an NPY header of {length} bytes: allowed is at most 65536, within the file"));
    }
    header.resize((begin + length) as usize, 0);
    from.read_exact(&mut header[12..]).map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&header[begin as usize..]);
    let numbers = text.split(|c: char| !c.is_ascii_digit()).filter(|digits| !digits.is_empty());
    let product = numbers.map(str::parse::<u64>).try_fold(1u64, |product, number| product.checked_mul(number.ok()?.max(1)));
    if product.is_none() {
        return Err("a shape with more elements than 64 bits count: allowed is what the file holds".to_string());
    }
    NpyFile::new(Cursor::new(header).chain(from)).map_err(|error| format!("not a readable NPY file: {error}"))
}
