//! All files of a folder together, frame by frame.

use std::fs::File;
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::formats::wbr::file::FileReader;
use crate::regular_file::open_regular;
use crate::{About, RecordError, Snapshot, Watch, io_reason};

/// EMFILE of Linux, macOS and the BSDs, which `ErrorKind` has no name for.
const TOO_MANY_OPEN: i32 = 24;

/// A recording of several ranks.
///
/// A frame of the whole is one that every file of its segment has, by its step; its rows are those
/// of the files by ascending id. A crash may leave some files with more frames than others: what
/// not all have is not read.
pub(in super::super) struct FolderReader {
    shown: String,
    segments: Vec<Vec<FileReader>>,
    frames: Vec<SegmentFrame>,
    note: Option<String>,
    /// The files' rows one after the other, and their order by id.
    rows: Snapshot,
    order: Vec<(u64, usize)>,
}

/// A frame that all files of a segment have.
#[derive(Clone, Copy)]
struct SegmentFrame {
    step: i64,
    time: f64,
    segment: usize,
}

impl FolderReader {
    /// Opens the files in a folder.
    pub fn open(path: &Path, shown: &str, watch: Watch<'_>) -> Result<Self, RecordError> {
        let (found, missing) = super::segments(path)?;
        let (starts, files): (Vec<_>, Vec<_>) =
            found.into_iter().map(|segment| (segment.from, segment.files)).unzip();
        let segments = open_all(files, watch)?;
        check_same_run(&segments)?;
        let (mut frames, mut notes) = (Vec::new(), Vec::from_iter(missing));
        for (s, segment) in segments.iter().enumerate() {
            // Whatever the first segment begins with is its beginning.
            let from = if s == 0 { i64::MIN } else { starts[s] };
            let own = common(segment, from..i64::MAX, s)?;
            notes.extend(left_out(segment, from..i64::MAX, &own));
            // Where it has none yet, those of the segment before stay.
            if !own.is_empty() {
                frames.retain(|frame: &SegmentFrame| frame.step < from);
            }
            frames.extend(own);
        }
        let rows = Snapshot::new(segments[0][0].about().dimensions);
        let mut reader = Self {
            shown: shown.to_string(),
            segments,
            frames,
            note: None,
            rows,
            order: Vec::new(),
        };
        notes.extend(reader.missing_ends());
        reader.note = (!notes.is_empty()).then(|| notes.join("; "));
        Ok(reader)
    }

    pub fn about(&self) -> &About {
        self.segments[0][0].about()
    }

    pub fn len(&self) -> usize {
        self.frames.len()
    }

    pub fn step(&self, k: usize) -> i64 {
        self.frames[k].step
    }

    pub fn time(&self, k: usize) -> f64 {
        self.frames[k].time
    }

    pub fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }

    /// Reads frame `k` of the whole.
    pub fn read(&mut self, k: usize, out: &mut Snapshot) -> Result<(), RecordError> {
        let SegmentFrame { step, time, segment } = self.frames[k];
        let Self { shown, segments, rows, order, .. } = self;
        rows.clear();
        let mut ends = Vec::with_capacity(segments[segment].len());
        for file in &mut segments[segment] {
            let Some(k) = file.find(step) else { continue };
            let now = file.frame(k)?;
            if (now.step, now.time.to_bits()) != (step, time.to_bits()) {
                return Err(file.damaged(k));
            }
            rows.append(now);
            ends.push(rows.ids.len());
        }
        if let Err((id, [one, other])) = rows.by_id(order, out) {
            let file =
                |row: usize| segments[segment][ends.partition_point(|&end| end <= row)].shown();
            let message = format!(
                "boid {id} is in {} and in {}: allowed is one of the files",
                file(one),
                file(other)
            );
            return Err(RecordError::data(format!("{shown} frame {k}"), message));
        }
        (out.step, out.time) = (step, time);
        Ok(())
    }

    /// What a user should know about segments that end before others begin, and of the last one's
    /// files about those that were not finished or are damaged; where there is nothing else, in the
    /// words that a single file has for it.
    fn missing_ends(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let every = i64::try_from(self.about().every).unwrap_or(i64::MAX);
        for pair in self.frames.windows(2).filter(|pair| pair[0].segment != pair[1].segment) {
            let (last, next) = (pair[0].step, pair[1].step);
            if next - last > every {
                notes.push(format!("there is no frame between steps {last} and {next}"));
            }
        }
        // Earlier files may have been broken off: others go on from there.
        let Some(files) = self.segments.last() else { return notes };
        for file in files {
            notes.extend(file.damage().map(|damage| format!("{}: {damage}", file.shown())));
        }
        let last = self.frames.last().map(|frame| frame.step);
        let goes_on =
            |file: &FileReader| file.len().checked_sub(1).map(|end| file.step(end)) > last;
        if files
            .iter()
            .any(|file| goes_on(file) || (file.note().is_some() && file.damage().is_none()))
        {
            notes.push(format!(
                "the recording was not finished: it has {} whole frames",
                self.len()
            ));
        }
        notes
    }
}

/// What is allowed in the place of a file that cannot be opened, where the reason does not say it.
fn cure(error: &std::io::Error) -> &'static str {
    match error.raw_os_error() {
        Some(TOO_MANY_OPEN) => ": all files are open at once: ulimit -n allows more",
        _ if error.kind() == std::io::ErrorKind::IsADirectory => ": allowed is a rank's file",
        _ => "",
    }
}

/// Opens the files of all segments.
fn open_all(
    segments: Vec<Vec<PathBuf>>,
    watch: Watch<'_>,
) -> Result<Vec<Vec<FileReader>>, RecordError> {
    let open = |path: PathBuf| -> Result<(String, File, u64), RecordError> {
        let (file, bytes) = open_regular(&path).map_err(|error| {
            let message = format!("cannot be read: {}{}", io_reason(&error), cure(&error));
            RecordError::data(path.display(), message)
        })?;
        Ok((path.display().to_string(), file, bytes))
    };
    // All before any of them is read: how much there is to do is known.
    let opened = segments
        .into_iter()
        .map(|files| files.into_iter().map(open).collect::<Result<Vec<_>, _>>());
    let opened = opened.collect::<Result<Vec<_>, _>>()?;
    let of = opened.iter().flatten().fold(0, |sum: u64, (_, _, bytes)| sum.saturating_add(*bytes));
    let mut done = 0u64;
    let mut read = |(shown, file, bytes): (String, File, u64)| {
        let reader =
            FileReader::of(file, &shown, &|here, _| watch(done.saturating_add(here).min(of), of))?;
        done = done.saturating_add(bytes);
        Ok(reader)
    };
    opened.into_iter().map(|files| files.into_iter().map(&mut read).collect()).collect()
}

/// Refuses files of different recordings.
fn check_same_run(segments: &[Vec<FileReader>]) -> Result<(), RecordError> {
    let first = &segments[0][0];
    for file in segments.iter().flat_map(|files| files.iter().map(move |file| (file, &files[0]))) {
        let (file, beside) = file;
        let is_other_scene = file.about().scene != beside.about().scene;
        let scene = is_other_scene.then(|| ("another scene".into(), "the same".into()));
        if let Some((there, allowed)) = difference(file.about(), first.about()).or(scene) {
            let message = format!(
                "a file of another recording, with {there}: allowed is {allowed}, as in {}",
                first.shown()
            );
            return Err(RecordError::data(file.shown(), message));
        }
    }
    Ok(())
}

/// The first thing in which a description is another, and what it should be; the scene aside: how
/// many steps were to be made may have changed where a run was resumed.
pub(super) fn difference(one: &About, other: &About) -> Option<(String, String)> {
    // Everything by name: what is added to the description has to be thought of here.
    let About { dimensions, dt, every, seed, name, scene: _, edges, origin, species, unit } = one;
    let numbers = [
        ("dimensions", dimensions.to_string(), other.dimensions.to_string()),
        ("dt", dt.to_string(), other.dt.to_string()),
        ("every", every.to_string(), other.every.to_string()),
        ("seed", seed.to_string(), other.seed.to_string()),
    ];
    if let Some((what, there, allowed)) =
        numbers.into_iter().find(|(_, there, allowed)| there != allowed)
    {
        return Some((format!("{what} = {there}"), allowed));
    }
    let rest = [
        ("name of the scene", *name == other.name),
        ("domain", *edges == other.edges),
        ("origin", *origin == other.origin),
        ("list of species", *species == other.species),
        ("unit", *unit == other.unit),
    ];
    rest.into_iter()
        .find(|(_, same)| !same)
        .map(|(what, _)| (format!("another {what}"), "the same".into()))
}

/// The frames that all files of a segment have within some steps.
fn common(
    files: &[FileReader],
    steps: Range<i64>,
    segment: usize,
) -> Result<Vec<SegmentFrame>, RecordError> {
    for file in files {
        if let Some(k) = (1..file.len()).find(|&k| file.step(k) <= file.step(k - 1)) {
            let message = format!(
                "step {} follows step {}: allowed are steps that ascend",
                file.step(k),
                file.step(k - 1)
            );
            return Err(RecordError::data(format!("{} frame {k}", file.shown()), message));
        }
    }
    let (first, others) = (&files[0], &files[1..]);
    let mut frames = Vec::new();
    for k in (0..first.len()).filter(|&k| steps.contains(&first.step(k))) {
        let (step, time) = (first.step(k), first.time(k));
        let places: Option<Vec<usize>> = others.iter().map(|file| file.find(step)).collect();
        let Some(places) = places else { continue };
        for (file, k) in others.iter().zip(places) {
            if file.time(k).to_bits() != time.to_bits() {
                let message = format!(
                    "step {step} is at time {}: allowed is {time}, as in {}",
                    file.time(k),
                    first.shown()
                );
                return Err(RecordError::data(format!("{} frame {k}", file.shown()), message));
            }
        }
        frames.push(SegmentFrame { step, time, segment });
    }
    Ok(frames)
}

/// A note on frames that only some files have, before the last that all have.
fn left_out(files: &[FileReader], steps: Range<i64>, common: &[SegmentFrame]) -> Option<String> {
    let last = common.last()?.step;
    let has = |file: &FileReader| {
        (0..file.len()).filter(|&k| steps.contains(&file.step(k)) && file.step(k) <= last).count()
    };
    let most = files.iter().map(has).max().unwrap_or(0);
    (most > common.len())
        .then(|| format!("{} frames that not all files have are left out", most - common.len()))
}

impl std::fmt::Debug for FolderReader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FolderReader")
            .field("folder", &self.shown)
            .field("segments", &self.segments)
            .finish_non_exhaustive()
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::{TOO_MANY_OPEN, cure, io_reason};

    #[test]
    fn too_many_open_files_are_no_fault_of_a_file() {
        let error = std::io::Error::from_raw_os_error(TOO_MANY_OPEN);
        assert!(
            io_reason(&error).contains("open files") && cure(&error).contains("ulimit -n"),
            "{error}"
        );
        assert_eq!(cure(&std::io::Error::from_raw_os_error(5)), "");
    }
}
