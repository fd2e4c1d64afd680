//! NPZ: a ZIP of NPY arrays, for NumPy: `position` [frames, n, 2 or 3], `velocity` likewise, `id` [n], `time` [frames].
//!
//! <https://numpy.org/doc/stable/reference/generated/numpy.savez.html>

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use npyz::{AutoSerialize, NpyFile, TypeWrite, WriterBuilder};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use super::npy::{self, Track};
use super::wbr::{WbrReader, WbrWriter};
use super::{Sink, Source};
use crate::rows::{Row, Rows};
use crate::text::Clock;
use crate::whole::{Whole, folder};
use crate::{About, RecordError, Snapshot};

/// Deflate makes at most this many bytes of one.
const LARGEST_RATIO: u64 = 1032;

pub(super) fn read(source: Source<'_>) -> Result<Rows, RecordError> {
    let shown = source.shown;
    let refuse = |message: String| RecordError::data(&shown, message);
    let mut archive = ZipArchive::new(BufReader::new(source.file))
        .map_err(|error| refuse(format!("not an NPZ file ({error}): allowed is what numpy.savez writes")))?;
    let position = track(&mut archive, "position", &shown)?
        .ok_or_else(|| refuse("no array position: allowed is position [frames, individuals, 2 or 3]".into()))?;
    let velocity = track(&mut archive, "velocity", &shown)?;
    let shape = |track: &Track| [track.frames, track.individuals, track.dimensions];
    if let Some(velocity) = velocity.as_ref().filter(|velocity| shape(velocity) != shape(&position)) {
        let message =
            format!("velocity has the shape {:?}: allowed is that of position, {:?}", shape(velocity), shape(&position));
        return Err(refuse(message));
    }
    let ids = ids(&mut archive, position.individuals, &shown)?;
    let times = times(&mut archive, position.frames, &shown)?;
    let mut rows = Rows::new(&shown);
    (rows.dimensions, rows.has_velocities) = (position.dimensions, velocity.is_some());
    rows.span = (position.frames > 0).then(|| (0, position.frames as i64 - 1));
    let mut clock = Clock::default();
    times.iter().flatten().enumerate().for_each(|(frame, &time)| clock.tick(frame as i64, time));
    rows.fps = clock.fps();
    for frame in 0..position.frames {
        for i in 0..position.individuals {
            let velocity = velocity.as_ref().map_or(Ok([f64::NAN; 3]), |velocity| velocity.at(frame, i, &shown))?;
            let id = ids.as_ref().map_or(i as u64, |ids| ids[i]);
            rows.push(Row { frame: frame as i64, id, position: position.at(frame, i, &shown)?, velocity })?;
        }
    }
    Ok(rows)
}

/// An array of the archive and how many bytes it may have; `None` if it is not there.
fn entry<'a, R: Read + Seek>(
    archive: &'a mut ZipArchive<R>,
    name: &str,
    shown: &str,
) -> Result<Option<(impl Read + 'a, u64)>, RecordError> {
    let file_name = format!("{name}.npy");
    if archive.index_for_name(&file_name).is_none() {
        return Ok(None);
    }
    let refuse = |message: String| RecordError::data(format!("{shown} {name}"), message);
    let entry = archive.by_name(&file_name).map_err(|error| refuse(format!("the array cannot be read: {error}")))?;
    // A size is a claim, like a shape.
    let most = entry.compressed_size().saturating_mul(LARGEST_RATIO);
    let size = entry.size();
    if size > most {
        return Err(refuse(format!("{size} bytes: allowed is what the file can hold, {most}")));
    }
    Ok(Some((entry, size)))
}

fn track<R: Read + Seek>(archive: &mut ZipArchive<R>, name: &str, shown: &str) -> Result<Option<Track>, RecordError> {
    let Some((from, bytes)) = entry(archive, name, shown)? else { return Ok(None) };
    Track::read(from, bytes, &format!("{shown} {name}")).map(Some)
}

/// The ids, where the archive has them: whole numbers of 32 or 64 bits.
fn ids<R: Read + Seek>(archive: &mut ZipArchive<R>, count: usize, shown: &str) -> Result<Option<Vec<u64>>, RecordError> {
    let Some((from, bytes)) = entry(archive, "id", shown)? else { return Ok(None) };
    let refuse = |message: String| RecordError::data(format!("{shown} id"), message);
    let array = npy::open(from, bytes).map_err(refuse)?;
    check_list(&array, count, bytes).map_err(refuse)?;
    let dtype = array.dtype().descr();
    let failed = |error: io::Error| refuse(format!("the data cannot be read: {error}"));
    let ids: Vec<i128> = match dtype.trim_matches(['\'', '<', '>', '|']) {
        "u8" => array.into_vec::<u64>().map_err(failed)?.into_iter().map(i128::from).collect(),
        "i8" => array.into_vec::<i64>().map_err(failed)?.into_iter().map(i128::from).collect(),
        "u4" => array.into_vec::<u32>().map_err(failed)?.into_iter().map(i128::from).collect(),
        "i4" => array.into_vec::<i32>().map_err(failed)?.into_iter().map(i128::from).collect(),
        _ => return Err(refuse(format!("dtype {dtype}: allowed is i4, i8, u4 or u8"))),
    };
    let id = |&id: &i128| u64::try_from(id).map_err(|_| refuse(format!("id {id}: allowed is 0 to {}", u64::MAX)));
    ids.iter().map(id).collect::<Result<_, _>>().map(Some)
}

fn times<R: Read + Seek>(archive: &mut ZipArchive<R>, count: usize, shown: &str) -> Result<Option<Vec<f64>>, RecordError> {
    let Some((from, bytes)) = entry(archive, "time", shown)? else { return Ok(None) };
    let refuse = |message: String| RecordError::data(format!("{shown} time"), message);
    let array = npy::open(from, bytes).map_err(refuse)?;
    check_list(&array, count, bytes).map_err(refuse)?;
    let item_bytes = npy::item_bytes(&array.dtype()).map_err(refuse)?;
    npy::values(array, item_bytes).map(Some).map_err(|error| refuse(format!("the data cannot be read: {error}")))
}

/// One number each, and no more of them than there are bytes.
fn check_list<R: Read>(array: &NpyFile<R>, count: usize, bytes: u64) -> Result<(), String> {
    if array.shape() != [count as u64] {
        return Err(format!("shape {:?}: allowed is [{count}], as in position", array.shape()));
    }
    if count as u64 > bytes / 4 {
        return Err(format!("{count} values: allowed is what the file holds, {bytes} bytes"));
    }
    Ok(())
}

/// Frames wait in a `.wbr` of their own until it is known how many individuals and frames there are; so memory stays flat.
pub(super) struct NpzWriter {
    path: PathBuf,
    spool: File,
    waiting: Box<WbrWriter>,
    /// Everybody ever seen, and those of the frame before.
    ids: BTreeSet<u64>,
    before: Vec<u64>,
}

impl NpzWriter {
    pub fn create(path: &Path, about: &About) -> io::Result<Self> {
        let spool = tempfile::tempfile_in(folder(path))?;
        let waiting = Box::new(WbrWriter::of(spool.try_clone()?, about)?);
        Ok(Self { path: path.to_path_buf(), spool, waiting, ids: BTreeSet::new(), before: Vec::new() })
    }
}

impl Sink for NpzWriter {
    fn frame(&mut self, now: &Snapshot) -> io::Result<()> {
        if self.before != now.ids {
            self.ids.extend(&now.ids);
            self.before.clone_from(&now.ids);
        }
        self.waiting.frame(now)
    }

    fn finish(self: Box<Self>) -> io::Result<u64> {
        self.waiting.finish()?;
        let mut spool = self.spool;
        spool.seek(SeekFrom::Start(0))?;
        let mut frames = WbrReader::of(spool, "the frames").map_err(io::Error::other)?;
        let ids: Vec<u64> = self.ids.into_iter().collect();
        let (count, n, dimensions) = (frames.len() as u64, ids.len() as u64, frames.about().dimensions as u64);
        let mut archive = ZipWriter::new(Whole::create(&self.path)?);
        track_entry(&mut archive, "position", [count, n, dimensions], &mut frames, &ids, |frame| &frame.positions)?;
        track_entry(&mut archive, "velocity", [count, n, dimensions], &mut frames, &ids, |frame| &frame.velocities)?;
        list_entry(&mut archive, "id", ids)?;
        let times = (0..frames.len()).map(|k| frames.time(k)).collect();
        list_entry(&mut archive, "time", times)?;
        archive.finish().map_err(io::Error::other)?.finish()
    }
}

type Archive = ZipWriter<Whole>;

fn begin(archive: &mut Archive, name: &str, bytes: u64) -> io::Result<()> {
    // Stored, so that NumPy reads as fast as the disk; the larger form only where it is needed.
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    let options = options.large_file(bytes >= u64::from(u32::MAX) - (1 << 16));
    archive.start_file(format!("{name}.npy"), options).map_err(io::Error::other)
}

fn track_entry(
    archive: &mut Archive,
    name: &str,
    shape: [u64; 3],
    frames: &mut WbrReader,
    ids: &[u64],
    columns: fn(&Snapshot) -> &Vec<Vec<f32>>,
) -> io::Result<()> {
    begin(archive, name, shape.iter().product::<u64>() * 4)?;
    let mut array = npyz::WriteOptions::<f32>::new().default_dtype().shape(&shape).writer(&mut *archive).begin_nd()?;
    let mut frame = Snapshot::new(shape[2] as usize);
    for k in 0..frames.len() {
        frames.read(k, &mut frame).map_err(io::Error::other)?;
        let columns = columns(&frame);
        let mut next = 0;
        for id in ids {
            let here = frame.ids.get(next) == Some(id);
            for column in columns {
                array.push(&if here { column[next] } else { f32::NAN })?;
            }
            next += usize::from(here);
        }
    }
    array.finish()
}

fn list_entry<T: AutoSerialize>(archive: &mut Archive, name: &str, values: Vec<T>) -> io::Result<()>
where
    T::TypeWriter: TypeWrite<Value = T>,
{
    begin(archive, name, values.len() as u64 * 8)?;
    let shape = [values.len() as u64];
    let mut array = npyz::WriteOptions::<T>::new().default_dtype().shape(&shape).writer(&mut *archive).begin_nd()?;
    array.extend(values)?;
    array.finish()?;
    archive.flush()
}
