//! A recording of several processes: a folder of `.wbr` files, one of each process for every time
//! that the run was begun or resumed.
//!
//! ```text
//! night.wbr/0-0of4.wbr     frames from step 0 on, of the boids that rank 0 of 4 has
//! night.wbr/0-1of4.wbr     …
//! night.wbr/501-0of2.wbr   the run resumed on two ranks, whose first frame may be of step 501
//! ```
//!
//! The files of one beginning are a segment. Its frames take the place of whatever the segment
//! before has from there on, once there is one that all its files have. No process writes into
//! another's file.
//!
//! ```text
//! mod.rs      names of files, and the folder of a run that begins
//! reader.rs   all files together, frame by frame
//! ```

mod reader;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use wingbeat_codec::LAST_FRAME;

use crate::{About, RecordError};

pub(super) use reader::FolderReader;

/// The file of one rank in the folder of a recording that ranks began, or went on with, before the
/// frame of a step. [`Recorder::start`](crate::Recorder::start) begins it, in a folder that
/// [`prepare_folder`] has prepared.
///
/// ```
/// use wingbeat::Flock2;
/// use wingbeat_record::{About, Recorder, Snapshot, WbrReader, prepare_folder, rank_file};
/// # let scratch = tempfile::tempdir()?;
/// # let folder = scratch.path().join("night.wbr");
/// // Ids count from 0 in each flock: the left one has boid 0 alone, the right one keeps its
/// // boid 1.
/// let left = Flock2::builder().boids(&[[1.0, 2.0]], &[[0.5; 2]]).build()?;
/// let mut right =
///     Flock2::builder().boids(&[[0.0; 2], [3.0, 4.0]], &[[0.5; 2]; 2]).build()?;
/// right.remove(&[right.frame().living()[0]])?;
/// prepare_folder(&folder, None, &About::flock(&left, 0.1, 1))?;
/// for (rank, flock) in [left, right].iter().enumerate() {
///     let mut recorder =
///         Recorder::start(&rank_file(&folder, 0, rank, 2), About::flock(flock, 0.1, 1))?;
///     recorder.capture(&flock.frame())?;
///     recorder.finish()?;
/// }
///
/// let mut reader = WbrReader::open(&folder)?;
/// let mut frame = Snapshot::new(2);
/// reader.read(0, &mut frame)?;
/// assert_eq!((frame.ids, frame.positions[0].as_slice()), (vec![0, 1], [1.0, 3.0].as_slice()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn rank_file(folder: &Path, step: u64, rank: usize, size: usize) -> PathBuf {
    folder.join(format!("{step}-{rank}of{size}.wbr"))
}

/// Prepares the folder of a recording, before ranks begin their files in it: makes it, or looks
/// whether a recording can be resumed there, at a step before which it has so many frames.
///
/// # Errors
/// When it cannot be made, or what is there is no recording of this run up to that step.
pub fn prepare_folder(
    folder: &Path,
    resumed: Option<(u64, u64)>,
    about: &About,
) -> Result<(), RecordError> {
    let Some((step, frames)) = resumed else {
        return match std::fs::create_dir(folder) {
            // A strange file in it is refused by its name.
            Err(_) if folder.is_dir() => ranks_by_segment(folder).map(drop),
            Err(error) => Err(RecordError::cannot_write(folder, &error)),
            Ok(()) => Ok(()),
        };
    };
    let shown = folder.display().to_string();
    let reader = FolderReader::open(folder, &shown, &|_, _| true)?;
    let refuse = |message: String| Err(RecordError::data(&shown, message));
    if let Some((there, allowed)) = reader::difference(reader.about(), about) {
        return refuse(format!("a recording of another run, with {there}: allowed is {allowed}"));
    }
    let before = (0..reader.len()).filter(|&k| reader.step(k) < step as i64).count() as u64;
    if before != frames {
        return refuse(format!(
            "{before} frames before step {step}: allowed are {frames}, as the checkpoint has it"
        ));
    }
    Ok(())
}

/// Bytes of the files of a recording in a folder.
///
/// # Errors
/// When the folder cannot be read.
pub fn bytes_in(folder: &Path) -> Result<u64, RecordError> {
    let segments = ranks_by_segment(folder)?.into_iter();
    let files = segments.flat_map(|(segment, ranks)| files_of(folder, segment, ranks));
    // One that is gone has none.
    Ok(files.map(|file| std::fs::metadata(file).map_or(0, |file| file.len())).sum())
}

/// Removes the files whose frames are from a step on: ranks that have begun theirs record them
/// again. It removes those of a step at which not all ranks had begun theirs, too: no reader reads
/// them, and what follows them could not be read either.
///
/// # Errors
/// When one cannot be removed.
pub fn remove_segments(folder: &Path, from: u64) -> Result<(), RecordError> {
    // The last first: a kill leaves no gap.
    for ((step, size), ranks) in ranks_by_segment(folder)?.into_iter().rev() {
        if step < from && ranks.len() == size {
            continue;
        }
        for file in files_of(folder, (step, size), ranks) {
            std::fs::remove_file(&file)
                .map_err(|error| RecordError::cannot_write(&file, &error))?;
        }
    }
    Ok(())
}

/// The files of some ranks that were begun at one step by so many.
fn files_of(
    folder: &Path,
    (step, size): (u64, usize),
    ranks: impl IntoIterator<Item = usize>,
) -> impl Iterator<Item = PathBuf> {
    ranks.into_iter().map(move |rank| rank_file(folder, step, rank, size))
}

/// Step, rank and number of ranks of a file's name.
fn parse(name: &str) -> Option<(u64, usize, usize)> {
    let (step, ranks) = name.strip_suffix(".wbr")?.split_once('-')?;
    let (rank, size) = ranks.split_once("of")?;
    let (step, rank, size) = (step.parse().ok()?, rank.parse().ok()?, size.parse().ok()?);
    // One spelling of each: no zeros or signs before a number.
    let is_own = rank_file(Path::new(""), step, rank, size) == Path::new(name);
    (is_own && rank < size && step <= LAST_FRAME as u64).then_some((step, rank, size))
}

/// The ranks that have a file, by first step and number of ranks.
fn ranks_by_segment(folder: &Path) -> Result<BTreeMap<(u64, usize), BTreeSet<usize>>, RecordError> {
    let cannot_read = |error| RecordError::cannot_read(&folder.display().to_string(), &error);
    let mut found = BTreeMap::<_, BTreeSet<_>>::new();
    for entry in std::fs::read_dir(folder).map_err(cannot_read)? {
        let name = entry.map_err(cannot_read)?.file_name();
        let name = name.to_string_lossy();
        // Files without a frame have another name yet, which begins with a dot.
        if name.starts_with('.') || crate::formats::extension(Path::new(&*name)) != "wbr" {
            continue;
        }
        let Some((step, rank, size)) = parse(&name) else {
            return Err(RecordError::data(
                folder.join(&*name).display(),
                "no name of a rank's file: allowed is STEP-RANKofSIZE.wbr",
            ));
        };
        found.entry((step, size)).or_default().insert(rank);
    }
    Ok(found)
}

/// The files that were begun at one step, by rank.
struct Segment {
    from: i64,
    files: Vec<PathBuf>,
}

/// The segments of a folder, and a note on the last where not all its files were begun.
fn segments(folder: &Path) -> Result<(Vec<Segment>, Option<String>), RecordError> {
    let found = ranks_by_segment(folder)?;
    let refuse = |message: String| Err(RecordError::data(folder.display(), message));
    match found.keys().next() {
        None => {
            let allowed = "allowed is one with files that are called STEP-RANKofSIZE.wbr";
            return refuse(format!("a folder without a recording: {allowed}"));
        }
        Some((0, _)) => {}
        Some((step, _)) => {
            return refuse(format!("its first files are from step {step}: allowed is step 0"));
        }
    }
    let keys: Vec<_> = found.keys().collect();
    if let Some(twice) = keys.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        let ((step, one), (_, other)) = (twice[0], twice[1]);
        return refuse(format!(
            "files of {one} and of {other} ranks from step {step}: allowed is one number of ranks"
        ));
    }
    let (mut segments, last) = (Vec::new(), keys.len() - 1);
    for (i, (&(step, size), ranks)) in found.iter().enumerate() {
        let missing = ranks.iter().zip(0..).find(|&(&rank, place)| rank != place);
        let missing = missing.map_or(ranks.len(), |(_, place)| place);
        if missing < size {
            let name = rank_file(Path::new(""), step, missing, size);
            let missing = format!("{} is missing", name.display());
            // A run that was killed as it was resumed: what was recorded before is all there.
            if i == last && i > 0 {
                return Ok((
                    segments,
                    Some(format!("{missing}: files of step {step} are not read")),
                ));
            }
            return refuse(format!("{missing}: allowed is a file of each of the {size} ranks"));
        }
        let files = files_of(folder, (step, size), 0..size).collect();
        segments.push(Segment { from: step as i64, files });
    }
    Ok((segments, None))
}

/// A file of the recording in a folder, for readers that open one before they read.
pub(in super::super) fn any_file(folder: &Path) -> Result<PathBuf, RecordError> {
    Ok(segments(folder)?.0.swap_remove(0).files.swap_remove(0))
}
