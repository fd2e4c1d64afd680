//! All parts of a recording together, frame by frame.

use std::fs::File;
use std::io::ErrorKind;
use std::ops::Range;
use std::path::Path;

use super::text::Group;
use crate::formats::wbr::file::FileReader;
use crate::regular_file::open_regular;
use crate::watch::Watch;
use crate::whole_file::followed;
use crate::{About, RecordError, Snapshot, io_reason};

/// EMFILE of Linux, macOS and the BSDs, which `ErrorKind` has no name for.
const TOO_MANY_OPEN: i32 = 24;

/// A recording in parts.
///
/// A frame of the whole is one that every part of its group has, by its step; its rows are those of
/// the parts by ascending id. A crash may leave some parts with more frames than others: what not
/// all have is not read.
pub(in super::super) struct PartsReader {
    shown: String,
    groups: Vec<Vec<FileReader>>,
    frames: Vec<GroupFrame>,
    note: Option<String>,
    /// The parts' rows one after the other, and their order by id.
    rows: Snapshot,
    order: Vec<(u64, usize)>,
}

/// A frame that all parts of a group have.
#[derive(Clone, Copy)]
struct GroupFrame {
    step: i64,
    time: f64,
    group: usize,
}

impl PartsReader {
    /// Opens the parts that the index at a path names.
    pub fn open(
        path: &Path,
        shown: &str,
        groups: Vec<Group>,
        watch: Watch<'_>,
    ) -> Result<Self, RecordError> {
        let starts: Vec<i64> =
            groups.iter().map(|group| i64::try_from(group.from).unwrap_or(i64::MAX)).collect();
        let groups = open_all(path, shown, groups, watch)?;
        check_same_run(&groups)?;
        let (mut frames, mut notes) = (Vec::new(), Vec::new());
        for (g, group) in groups.iter().enumerate() {
            // Whatever the first group begins with is its beginning.
            let from = if g == 0 { i64::MIN } else { starts[g] };
            let until = starts.get(g + 1).copied().unwrap_or(i64::MAX);
            let before = frames.len();
            common(group, from..until, g, &mut frames)?;
            notes.extend(left_out(group, from..until, &frames[before..]));
        }
        let rows = Snapshot::new(groups[0][0].about().dimensions);
        let mut reader =
            Self { shown: shown.to_string(), groups, frames, note: None, rows, order: Vec::new() };
        notes.extend(reader.missing_ends());
        reader.note = (!notes.is_empty()).then(|| notes.join("; "));
        Ok(reader)
    }

    pub fn about(&self) -> &About {
        self.groups[0][0].about()
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
        let GroupFrame { step, time, group } = self.frames[k];
        let Self { shown, groups, rows, order, .. } = self;
        rows.ids.clear();
        rows.species.clear();
        rows.columns_mut().for_each(Vec::clear);
        let mut ends = Vec::with_capacity(groups[group].len());
        for part in &mut groups[group] {
            let Some(k) = part.find(step) else { continue };
            let now = part.frame(k)?;
            if (now.step, now.time.to_bits()) != (step, time.to_bits()) {
                return Err(part.damaged(k));
            }
            rows.ids.extend_from_slice(&now.ids);
            rows.species.extend_from_slice(&now.species);
            rows.columns_mut()
                .zip(now.columns())
                .for_each(|(all, column)| all.extend_from_slice(column));
            ends.push(rows.ids.len());
        }
        order.clear();
        order.extend(rows.ids.iter().copied().zip(0..));
        // Stable: that is a merge of what ascends already, which the rows of each part do.
        order.sort_by_key(|&(id, _)| id);
        if let Some(twice) = order.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            let part = |row: usize| groups[group][ends.partition_point(|&end| end <= row)].shown();
            let ((id, one), (_, other)) = (twice[0], twice[1]);
            let message = format!(
                "boid {id} is in {} and in {}: allowed is one of the parts",
                part(one),
                part(other)
            );
            return Err(RecordError::data(format!("{shown} frame {k}"), message));
        }
        (out.step, out.time) = (step, time);
        // Whatever it held before may have been of another dimension.
        out.positions.resize_with(rows.dimensions(), Vec::new);
        out.velocities.resize_with(rows.dimensions(), Vec::new);
        refill(&mut out.ids, &rows.ids, order);
        refill(&mut out.species, &rows.species, if rows.species.is_empty() { &[] } else { order });
        out.columns_mut().zip(rows.columns()).for_each(|(to, from)| refill(to, from, order));
        Ok(())
    }

    /// What a user should know about parts that end before others begin or go on, were not
    /// finished, or are damaged; where there is nothing else, in the words that a single file has
    /// for it.
    fn missing_ends(&self) -> Vec<String> {
        let mut notes = Vec::new();
        for pair in self.frames.windows(2).filter(|pair| pair[0].group != pair[1].group) {
            let (last, next) = (pair[0].step, pair[1].step);
            if next - last > i64::try_from(self.about().every).unwrap_or(i64::MAX) {
                notes.push(format!(
                    "the parts up to step {last} end before those from step {next} on begin"
                ));
            }
        }
        // Earlier parts may have been broken off: others go on from there.
        let Some(parts) = self.groups.last() else { return notes };
        for part in parts {
            notes.extend(part.damage().map(|damage| format!("{}: {damage}", part.shown())));
        }
        let last = self.frames.last().map(|moment| moment.step);
        let goes_on =
            |part: &FileReader| part.len().checked_sub(1).map(|end| part.step(end)) > last;
        if parts
            .iter()
            .any(|part| goes_on(part) || (part.note().is_some() && part.damage().is_none()))
        {
            notes.push(format!(
                "the recording was not finished: it has {} whole frames",
                self.len()
            ));
        }
        notes
    }
}

fn refill<T: Copy>(to: &mut Vec<T>, from: &[T], order: &[(u64, usize)]) {
    to.clear();
    to.extend(order.iter().map(|&(_, row)| from[row]));
}

/// What is allowed in the place of a part that cannot be opened, where the reason does not say it.
fn cure(error: &std::io::Error) -> &'static str {
    match error.kind() {
        ErrorKind::NotFound | ErrorKind::IsADirectory => ": allowed is a file beside the index",
        _ if error.raw_os_error() == Some(TOO_MANY_OPEN) => {
            ": all parts are open at once: ulimit -n allows more"
        }
        _ => "",
    }
}

/// Opens the parts of all groups.
fn open_all(
    path: &Path,
    shown: &str,
    groups: Vec<Group>,
    watch: Watch<'_>,
) -> Result<Vec<Vec<FileReader>>, RecordError> {
    let target = followed(path).map_err(|error| RecordError::cannot_read(shown, &error))?;
    let open = |name: String| -> Result<(String, File, u64), RecordError> {
        let part = target.with_file_name(&name);
        let (file, bytes) = open_regular(&part).map_err(|error| {
            RecordError::data(
                shown,
                format!("its part {name} cannot be read: {}{}", io_reason(&error), cure(&error)),
            )
        })?;
        Ok((part.display().to_string(), file, bytes))
    };
    // All before any of them is read: a part that is missing is told at once, and how much there is
    // to do is known.
    let opened = groups
        .into_iter()
        .map(|group| group.parts.into_iter().map(open).collect::<Result<Vec<_>, _>>());
    let opened = opened.collect::<Result<Vec<_>, _>>()?;
    let of = opened.iter().flatten().fold(0, |sum: u64, (_, _, bytes)| sum.saturating_add(*bytes));
    let mut done = 0u64;
    let mut read = |(shown, file, bytes): (String, File, u64)| {
        let reader =
            FileReader::of(file, &shown, &|here, _| watch(done.saturating_add(here).min(of), of))?;
        done = done.saturating_add(bytes);
        Ok(reader)
    };
    opened.into_iter().map(|group| group.into_iter().map(&mut read).collect()).collect()
}

/// Refuses parts of different recordings.
fn check_same_run(groups: &[Vec<FileReader>]) -> Result<(), RecordError> {
    let first = &groups[0][0];
    for group in groups {
        for part in group {
            // How many steps were to be made may have changed where a run was resumed.
            let scene = &group[0].about().scene;
            let wanted = About { scene: scene.clone(), ..first.about().clone() };
            if let Some((there, allowed)) = difference(part.about(), &wanted) {
                let message = format!(
                    "a part of another recording, with {there}: allowed is {allowed}, as in {}",
                    first.shown()
                );
                return Err(RecordError::data(part.shown(), message));
            }
        }
    }
    Ok(())
}

/// The first thing in which a description is another, and what it should be.
fn difference(one: &About, other: &About) -> Option<(String, String)> {
    // Everything by name: what is added to the description has to be thought of here.
    let About { dimensions, dt, every, seed, name, scene, edges, origin, species } = one;
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
        ("scene", *scene == other.scene),
        ("domain", *edges == other.edges),
        ("origin", *origin == other.origin),
        ("list of species", *species == other.species),
    ];
    rest.into_iter()
        .find(|(_, same)| !same)
        .map(|(what, _)| (format!("another {what}"), "the same".into()))
}

/// Adds the frames that all parts of a group have within some steps.
fn common(
    group: &[FileReader],
    steps: Range<i64>,
    g: usize,
    frames: &mut Vec<GroupFrame>,
) -> Result<(), RecordError> {
    for part in group {
        if let Some(k) = (1..part.len()).find(|&k| part.step(k) <= part.step(k - 1)) {
            let message = format!(
                "step {} follows step {}: allowed are steps that ascend",
                part.step(k),
                part.step(k - 1)
            );
            return Err(RecordError::data(format!("{} frame {k}", part.shown()), message));
        }
    }
    let (first, others) = (&group[0], &group[1..]);
    for k in (0..first.len()).filter(|&k| steps.contains(&first.step(k))) {
        let (step, time) = (first.step(k), first.time(k));
        let places: Option<Vec<usize>> = others.iter().map(|part| part.find(step)).collect();
        let Some(places) = places else { continue };
        for (part, k) in others.iter().zip(places) {
            if part.time(k).to_bits() != time.to_bits() {
                let message = format!(
                    "step {step} is at time {}: allowed is {time}, as in {}",
                    part.time(k),
                    first.shown()
                );
                return Err(RecordError::data(format!("{} frame {k}", part.shown()), message));
            }
        }
        frames.push(GroupFrame { step, time, group: g });
    }
    Ok(())
}

/// A note on frames that only some parts have, before the last that all have.
fn left_out(group: &[FileReader], steps: Range<i64>, common: &[GroupFrame]) -> Option<String> {
    let last = common.last()?.step;
    let has = |part: &FileReader| {
        (0..part.len()).filter(|&k| steps.contains(&part.step(k)) && part.step(k) <= last).count()
    };
    let most = group.iter().map(has).max().unwrap_or(0);
    (most > common.len())
        .then(|| format!("{} frames that not all parts have are left out", most - common.len()))
}

impl std::fmt::Debug for PartsReader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PartsReader")
            .field("index", &self.shown)
            .field("groups", &self.groups)
            .finish_non_exhaustive()
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::{TOO_MANY_OPEN, cure, io_reason};

    #[test]
    fn too_many_open_files_are_no_fault_of_the_part() {
        let error = std::io::Error::from_raw_os_error(TOO_MANY_OPEN);
        assert!(
            io_reason(&error).contains("open files") && cure(&error).contains("ulimit -n"),
            "{error}"
        );
        assert_eq!(cure(&std::io::Error::from_raw_os_error(5)), "");
    }
}
