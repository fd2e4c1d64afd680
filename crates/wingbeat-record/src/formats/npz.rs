//! NPZ: a ZIP of NPY arrays, for NumPy: `position` [frames, n, 2 or 3], `velocity` likewise, `id`
//! [n], `time` [frames], where there are species `species` [n] with their `species_names`, where
//! positions are relative to one `origin` [2 or 3], and where it is known the `unit` of lengths
//! [1].
//!
//! <https://numpy.org/doc/stable/reference/generated/numpy.savez.html>

use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use wingbeat_codec::{
    KnownIds, NpyTrack, Rows, Source, Watched, bytes_on_disk, frame_numbers, room_for,
    shortened_to, sides, track_bytes, unsigned,
};
use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use super::in_python::{PICKLED_NPZ, of_pickled};
use super::wbr::WbrWriter;
use super::wbr::file::FileReader;
use crate::disk::beyond_disk;
use crate::npy::{self, NpyReader};
use crate::sink::Sink;
use crate::whole_file::{WholeFile, folder};
use crate::{About, LengthUnit, RecordError, Snapshot, SpeciesById, shortened};

/// Deflate makes at most this many bytes of one.
const LARGEST_RATIO: u64 = 1032;

/// Arrays that are read; others are named and left alone.
const KNOWN: [&str; 8] =
    ["position", "velocity", "id", "time", "origin", "species", "species_names", "unit"];

pub(super) fn read(source: Source<'_>) -> Result<Rows, RecordError> {
    let shown = source.shown;
    let refuse = |message: String| RecordError::data(&shown, message);
    let not_npz = |error: ZipError| {
        refuse(format!("not a whole NPZ file ({error}): allowed is what numpy.savez writes"))
    };
    let mut archive = ZipArchive::new(BufReader::new(source.file.clone())).map_err(not_npz)?;
    // Names and sizes stand in the archive twice, and checksums are of the arrays alone: without a
    // look at both, a damaged name would be an array that is not there.
    archive.validate_header_consistency().map_err(not_npz)?;
    let track = |archive: &mut _, name| track(archive, name, &shown, &source.file);
    let mut position =
        track(&mut archive, "position")?.ok_or_else(|| refuse(no_position(&archive)))?;
    let mut velocity = track(&mut archive, "velocity")?;
    let shape = |track: &NpyTrack<'_>| [track.frames, track.individuals, track.dimensions];
    if let Some(velocity) = velocity.as_ref().filter(|velocity| shape(velocity) != shape(&position))
    {
        let message = format!(
            "velocity has the shape {:?}: allowed is that of position, {:?}",
            shape(velocity),
            shape(&position)
        );
        return Err(refuse(message));
    }
    let ids = ids(&mut archive, position.individuals, &shown)?;
    let species = species(&mut archive, ids.as_deref(), position.individuals, &shown)?;
    let times =
        list(&mut archive, "time", position.frames, &shown, |array| Ok(array.floats()?.values))?;
    let origin = list(&mut archive, "origin", position.dimensions, &shown, |array| {
        Ok(array.floats()?.values)
    })?;
    let mut rows = Rows::new(&shown);
    for (of_rows, x) in rows.origin.iter_mut().zip(origin.into_iter().flatten()) {
        *of_rows = if x.is_finite() {
            x
        } else {
            return Err(refuse("origin is not finite: allowed is finite".into()));
        };
    }
    (rows.dimensions, rows.has_velocities, rows.span) =
        (position.dimensions, velocity.is_some(), position.span());
    rows.species = species;
    rows.unit = unit(&mut archive, &shown)?;
    rows.keeps_unit = rows.unit.is_some();
    let numbers = frame_numbers(position.frames, times.as_deref(), &mut rows)?;
    rows.notes.extend(ignored(&archive));
    rows.notes.extend(position.swapped_axes());
    velocity.iter_mut().for_each(|velocity| velocity.follow(&position));
    position.fill(velocity.as_mut(), (Some(&numbers), ids.as_deref()), &mut rows)?;
    Ok(rows)
}

/// The refusal of an archive without positions.
fn no_position<R: Read + Seek>(archive: &ZipArchive<R>) -> String {
    let there = ignored(archive)
        .map_or_else(String::new, |there| format!("; {}", there.replace("ignored", "there")));
    // What TRex writes for each individual.
    let is_trex = archive
        .file_names_raw()
        .any(|name| String::from_utf8_lossy(name).starts_with("X#wcentroid"));
    let hint =
        if is_trex { "; TRex writes tables that are read with -output_format csv" } else { "" };
    format!(
        "no array position: allowed is position [frames, individuals, 2 or 3]{hint}{}",
        shortened_to(&there, 120)
    )
}

/// What there is to say of arrays that are not read.
fn ignored<R: Read + Seek>(archive: &ZipArchive<R>) -> Option<String> {
    let names = archive.file_names_raw().map(String::from_utf8_lossy);
    let names =
        names.filter(|name| !KNOWN.iter().any(|known| name.strip_suffix(".npy") == Some(known)));
    let names: Vec<String> = names.map(|name| shortened(&name)).collect();
    (!names.is_empty()).then(|| format!("arrays ignored: {}", names.join(", ")))
}

/// Reads an array of the archive to its end; `None` if it is not there.
fn entry<R: Read + Seek, T>(
    archive: &mut ZipArchive<R>,
    name: &str,
    shown: &str,
    read: impl FnOnce(&mut dyn Read, u64) -> Result<T, RecordError>,
) -> Result<Option<T>, RecordError> {
    let file_name = format!("{name}.npy");
    if archive.index_for_name(&file_name).is_none() {
        return Ok(None);
    }
    let refuse = |message: String| RecordError::data(format!("{shown} {name}"), message);
    let cannot_read = |error: &dyn Display| {
        refuse(format!("the array cannot be read ({error}): allowed is a whole one"))
    };
    let mut entry = archive.by_name(&file_name).map_err(|error| cannot_read(&error))?;
    // A size is a claim, like a shape.
    let (size, most) = (entry.size(), entry.compressed_size().saturating_mul(LARGEST_RATIO));
    if size > most {
        return Err(refuse(format!("{size} bytes: allowed is what the file can hold, {most}")));
    }
    let found = read(&mut entry, size)?;
    // The checksum is compared where the entry ends, and nowhere before; one with more than its
    // stated size fails there.
    io::copy(&mut entry, &mut io::sink()).map_err(|error| cannot_read(&error))?;
    Ok(Some(found))
}

/// An array whose header is read, in an archive `shown`; one of Python's objects is refused.
fn numbers<'a>(
    from: &'a mut dyn Read,
    bytes: u64,
    shown: &str,
) -> Result<NpyReader<&'a mut dyn Read>, String> {
    let array = NpyReader::open(from, bytes)?;
    if array.is_of_objects() { Err(of_pickled(PICKLED_NPZ, shown)) } else { Ok(array) }
}

/// An array that is unpacked into a temporary file, and read there under the same watch as the
/// archive.
fn track<'a, R: Read + Seek>(
    archive: &mut ZipArchive<R>,
    name: &str,
    shown: &str,
    watched: &Watched<'a>,
) -> Result<Option<NpyTrack<'a>>, RecordError> {
    let shown_array = format!("{shown} {name}");
    let unpacked = entry(archive, name, shown, |from, bytes| {
        let refuse = |message| RecordError::data(&shown_array, message);
        let array = numbers(from, bytes, shown).map_err(refuse)?;
        // What is no recording is not unpacked, nor what there is no room for.
        let [frames, individuals, _] = sides(&array, &shown_array)?.map(|side| side as u128);
        let needed = u128::from(array.bytes().map_err(refuse)?)
            + bytes_on_disk(frames.saturating_mul(individuals));
        room_for(frames.max(individuals), &shown_array)?;
        if let Some(allowed) = beyond_disk(&std::env::temp_dir(), needed) {
            return Err(refuse(format!(
                "{} takes {needed} bytes once unpacked and sorted: allowed is {allowed}",
                array.shown_shape()
            )));
        }
        array.unpacked().map_err(refuse)
    })?;
    let track = |array: NpyReader<File>| {
        NpyTrack::of(array.boxed(|file| watched.beside(file)), &shown_array)
    };
    unpacked.map(track).transpose()
}

/// An array of one number for each of `count`.
fn list<R: Read + Seek, T>(
    archive: &mut ZipArchive<R>,
    name: &str,
    count: usize,
    shown: &str,
    values: impl FnOnce(NpyReader<&mut dyn Read>) -> Result<Vec<T>, String>,
) -> Result<Option<Vec<T>>, RecordError> {
    entry(archive, name, shown, |from, bytes| {
        let refuse = |message: String| RecordError::data(format!("{shown} {name}"), message);
        let array = numbers(from, bytes, shown).map_err(refuse)?;
        if array.shape() != [count as u64] {
            return Err(refuse(format!(
                "{}: allowed is [{count}], as in position",
                array.shown_shape()
            )));
        }
        values(array).map_err(refuse)
    })
}

/// The ids, where the archive has them.
fn ids<R: Read + Seek>(
    archive: &mut ZipArchive<R>,
    count: usize,
    shown: &str,
) -> Result<Option<Vec<u64>>, RecordError> {
    let Some(ids) = list(archive, "id", count, shown, |array| array.wholes())? else {
        return Ok(None);
    };
    let refuse = |id| {
        RecordError::data(format!("{shown} id"), format!("id {id}: allowed is 0 to {}", u64::MAX))
    };
    unsigned(&ids).map(Some).map_err(refuse)
}

/// An array of texts.
fn texts<R: Read + Seek>(
    archive: &mut ZipArchive<R>,
    name: &str,
    shown: &str,
) -> Result<Option<Vec<String>>, RecordError> {
    entry(archive, name, shown, |from, bytes| {
        let texts = numbers(from, bytes, shown).and_then(|array| array.labels());
        texts.map_err(|message| RecordError::data(format!("{shown} {name}"), message))
    })
}

/// The unit of lengths, where the archive has it.
fn unit<R: Read + Seek>(
    archive: &mut ZipArchive<R>,
    shown: &str,
) -> Result<Option<LengthUnit>, RecordError> {
    let Some(texts) = texts(archive, "unit", shown)? else { return Ok(None) };
    let known = texts.first().filter(|_| texts.len() == 1).and_then(|text| LengthUnit::parse(text));
    known.map(Some).ok_or_else(|| {
        let value = shortened(&texts.join(", "));
        let allowed = LengthUnit::SYMBOLS.join(", ");
        RecordError::data(format!("{shown} unit"), format!("{value}: allowed is one of {allowed}"))
    })
}

/// Every individual's species, where the archive has them: places among `species_names`, or without
/// that array names themselves.
fn species<R: Read + Seek>(
    archive: &mut ZipArchive<R>,
    ids: Option<&[u64]>,
    count: usize,
    shown: &str,
) -> Result<SpeciesById, RecordError> {
    let labels =
        list(archive, "species", count, shown, |array| array.labels())?.unwrap_or_default();
    let names = texts(archive, "species_names", shown)?;
    let mut species = SpeciesById::with_names(names.clone().unwrap_or_default());
    for (i, label) in labels.iter().enumerate() {
        let name = match &names {
            Some(names) => {
                label.parse().ok().and_then(|place: usize| names.get(place)).ok_or_else(|| {
                    let message = format!(
                        "{}: allowed is a place among species_names, which are {}",
                        shortened(label),
                        names.len()
                    );
                    RecordError::data(format!("{shown} species"), message)
                })?
            }
            None => label,
        };
        species.tell(ids.map_or(i as u64, |ids| ids[i]), name);
    }
    Ok(species)
}

/// Frames wait in a temporary `.wbr` until the number of individuals and frames is known: an array
/// states its shape first, and memory stays flat.
pub(super) struct NpzWriter {
    path: PathBuf,
    spool: File,
    waiting: Box<WbrWriter>,
    known: KnownIds,
}

impl NpzWriter {
    pub fn create(path: &Path, about: &About) -> io::Result<Self> {
        let spool = tempfile::tempfile_in(folder(path))?;
        let waiting = Box::new(WbrWriter::of(spool.try_clone()?, about)?);
        Ok(Self { path: path.to_path_buf(), spool, waiting, known: KnownIds::default() })
    }
}

impl Sink for NpzWriter {
    fn frame(&mut self, now: &Snapshot) -> io::Result<()> {
        self.known.add(now);
        self.waiting.frame(now)
    }

    fn finish(self: Box<Self>) -> io::Result<u64> {
        self.waiting.finish()?;
        let mut spool = self.spool;
        spool.seek(SeekFrom::Start(0))?;
        let mut frames =
            FileReader::of(spool, "the frames", &|_, _| true).map_err(io::Error::other)?;
        let ids = self.known.ids();
        let names = frames.about().species.clone();
        let (count, n, dimensions) =
            (frames.len() as u64, ids.len() as u64, frames.about().dimensions as u64);
        let mut archive = ZipWriter::new(WholeFile::create(&self.path)?);
        track_entry(
            &mut archive,
            "position",
            [count, n, dimensions],
            &mut frames,
            &ids,
            |frame| &frame.positions,
        )?;
        track_entry(
            &mut archive,
            "velocity",
            [count, n, dimensions],
            &mut frames,
            &ids,
            |frame| &frame.velocities,
        )?;
        list_entry(&mut archive, "id", "<u8", ids.iter().map(|id| id.to_le_bytes()))?;
        if !names.is_empty() {
            let species = self.known.species();
            list_entry(&mut archive, "species", "|u1", species.into_iter().map(|of| [of]))?;
            text_entry(&mut archive, "species_names", &names)?;
        }
        let origin = &frames.about().origin[..dimensions as usize];
        if origin.iter().any(|&x| x != 0.0) {
            list_entry(&mut archive, "origin", "<f8", origin.iter().map(|x| x.to_le_bytes()))?;
        }
        if let Some(unit) = frames.about().unit {
            text_entry(&mut archive, "unit", &[unit.to_string()])?;
        }
        list_entry(
            &mut archive,
            "time",
            "<f8",
            (0..frames.len()).map(|k| frames.time(k).to_le_bytes()),
        )?;
        archive.finish().map_err(io::Error::other)?.finish()
    }
}

type Archive = ZipWriter<WholeFile>;

/// Begins an array, whose numbers of `item_bytes` bytes have to follow.
fn begin(
    archive: &mut Archive,
    name: &str,
    descr: &str,
    item_bytes: u64,
    shape: &[u64],
) -> io::Result<()> {
    // Stored, so that NumPy reads as fast as the disk; the larger form only where it is needed.
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    let bytes = shape.iter().product::<u64>() * item_bytes;
    let options = options.large_file(bytes >= u64::from(u32::MAX) - (1 << 16));
    archive.start_file(format!("{name}.npy"), options).map_err(io::Error::other)?;
    npy::write_header(archive, descr, shape)
}

fn track_entry(
    archive: &mut Archive,
    name: &str,
    shape: [u64; 3],
    frames: &mut FileReader,
    ids: &[u64],
    columns: fn(&Snapshot) -> &Vec<Vec<f32>>,
) -> io::Result<()> {
    begin(archive, name, "<f4", 4, &shape)?;
    let mut frame = Snapshot::new(shape[2] as usize);
    let mut values = Vec::new();
    for k in 0..frames.len() {
        frames.read(k, &mut frame).map_err(io::Error::other)?;
        track_bytes(columns(&frame), &frame.ids, ids, &mut values);
        archive.write_all(&values)?;
    }
    Ok(())
}

/// One number of `BYTES` bytes each.
fn list_entry<const BYTES: usize>(
    archive: &mut Archive,
    name: &str,
    descr: &str,
    values: impl ExactSizeIterator<Item = [u8; BYTES]>,
) -> io::Result<()> {
    begin(archive, name, descr, BYTES as u64, &[values.len() as u64])?;
    archive.write_all(&values.flatten().collect::<Vec<u8>>())
}

/// Texts as NumPy keeps them: as many characters of 4 bytes as the longest has, filled up with 0.
fn text_entry(archive: &mut Archive, name: &str, texts: &[String]) -> io::Result<()> {
    let longest = texts.iter().map(|text| text.chars().count()).max().unwrap_or(0).max(1);
    begin(archive, name, &format!("<U{longest}"), 4 * longest as u64, &[texts.len() as u64])?;
    let padded =
        texts.iter().flat_map(|text| text.chars().chain(std::iter::repeat('\0')).take(longest));
    archive.write_all(&padded.flat_map(|c| u32::from(c).to_le_bytes()).collect::<Vec<u8>>())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::disk::FREE;

    #[test]
    fn an_archive_is_refused_before_it_is_unpacked() {
        let lab = tempfile::tempdir().expect("a folder");
        let path = lab.path().join("a.npz");
        let file = File::create(&path).expect("a file");
        let mut archive = ZipWriter::new(file);
        archive.start_file("position.npy", SimpleFileOptions::default()).expect("an entry");
        npy::write_header(&mut archive, "<f4", &[200_000, 3, 2]).expect("a header");
        archive.write_all(&vec![0; 4_800_000]).expect("zeros");
        archive.finish().expect("an archive");
        let read = || {
            crate::formats::read(&path, &crate::Options::default())
                .map_err(|refusal| refusal.to_string())
        };
        // 600,000 rows of 64 bytes, twice, and the array.
        for (free, is_enough) in [(0, false), (81_000_000, false), (82_000_000, true)] {
            FREE.set(Some(free));
            let refusal = read().err();
            assert_eq!(refusal.is_none(), is_enough, "{free}: {refusal:?}");
            let said = "shape [200000, 3, 2] takes 81600000 bytes once unpacked and sorted: \
                allowed is what the 0.";
            assert!(refusal.is_none_or(|refusal| refusal.contains(said)));
        }
    }
}
