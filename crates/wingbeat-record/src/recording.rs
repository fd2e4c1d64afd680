//! A recording put in order: rows sorted by frame and id, duplicates dropped, gaps counted, velocities computed.

use std::collections::HashMap;
use std::ops::{Range, RangeInclusive};

use wingbeat::observe::{Observables, State};

use crate::RecordError;
use crate::digits::significant;
use crate::rows::{Row, Rows};
use crate::snapshot::Edges;
use crate::species::SpeciesById;
use crate::table::ColumnNames;
use crate::units::{self, LengthUnit, TimeUnit};

/// Frames per second that are taken.
pub(crate) const FPS: RangeInclusive<f64> = 1e-6..=1e6;
const SCALE: RangeInclusive<f64> = 1e-9..=1e9;

/// How a recording is read: its columns, and how its numbers become lengths and times.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// Frames per second, 1e-6 to 1e6. Default: what the file says (`# framerate: 25`), else 1, so that times count frames.
    pub fps: Option<f64>,
    /// Every coordinate (and every velocity in the file) is multiplied by it, 1e-9 to 1e9. Default: what makes meters of a unit that the
    /// file states (0.01 of cm), else 1.
    pub scale: Option<f64>,
    /// Whether y points downwards, as pixels do: its sign is changed, of velocities too. Default: no.
    pub y_down: bool,
    /// Which columns of a table hold what. Default: those with the usual names.
    pub columns: ColumnNames,
}

impl Options {
    pub(crate) fn check(&self) -> Result<(), RecordError> {
        let check = |name, value: f64, range: RangeInclusive<f64>| {
            let allowed = format!("{:e} to {:e}", range.start(), range.end());
            let refusal = RecordError::Option { name, value: value.to_string(), allowed };
            if range.contains(&value) { Ok(()) } else { Err(refusal) }
        };
        self.fps.map_or(Ok(()), |fps| check("fps", fps, FPS))?;
        self.scale.map_or(Ok(()), |scale| check("scale", scale, SCALE))
    }
}

/// What was found in a file, and what was done about it.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Found {
    /// Positions that are kept.
    pub positions: usize,
    /// Individuals.
    pub ids: usize,
    /// Frames with at least one position.
    pub frames: usize,
    /// First frame: of the file where the format states it (NPY), else the first with a position.
    pub first_frame: i64,
    /// Last frame, likewise.
    pub last_frame: i64,
    /// The smallest distance between two frames. Tracks are unbroken where one follows the other at this distance.
    pub frame_step: i64,
    /// Frames from first to last without any position.
    pub empty_frames: u64,
    /// Rows without a position, left out: NaN, or empty cells.
    pub missing_positions: u64,
    /// Breaks inside tracks. Nothing is filled in; velocities are not taken across.
    pub gaps: u64,
    /// Positions missing in these gaps, in units of `frame_step`.
    pub gap_frames: u64,
    /// Positions missing in the longest gap.
    pub longest_gap: u64,
    /// Individuals seen for the first time after the first frame.
    pub late_ids: usize,
    /// Individuals seen for the last time before the last frame.
    pub early_leavers: usize,
    /// Rows whose id and frame occurred before: the first in the file is kept.
    pub duplicates: u64,
    /// Duplicates whose position differs from the first.
    pub contradictions: u64,
    /// Rows with an earlier frame than the previous row of the same id; they are sorted in.
    pub out_of_order: u64,
    /// Positions alone between gaps, which have no velocity.
    pub without_velocity: u64,
    /// Whether velocities are the file's own, rather than differences of positions.
    pub has_velocities: bool,
    /// The unit of lengths as they are here: meters where the file states a unit of length, pixels where it says so, `None` where nobody
    /// says.
    pub length_unit: Option<LengthUnit>,
    /// What coordinates of the file were multiplied by.
    pub scale: f64,
    /// What times count.
    pub time_unit: TimeUnit,
    /// Anything else worth knowing, one sentence each.
    pub notes: Vec<String>,
}

/// The trajectories of all individuals, held in memory: about 70 bytes a position.
#[derive(Clone, Debug)]
pub struct Recording {
    dimensions: usize,
    fps: f64,
    /// By frame, then id.
    rows: Vec<Row>,
    frames: Vec<Range<usize>>,
    /// Indices of rows by id, then frame.
    by_id: Vec<usize>,
    found: Found,
    edges: Edges,
    species: SpeciesById,
}

/// One moment of a recording.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// Its number.
    pub number: i64,
    /// number / fps, seconds.
    pub time: f64,
    /// One row for each individual seen, by ascending id.
    pub rows: &'a [Row],
    dimensions: usize,
    edges: Edges,
}

impl Frame<'_> {
    /// All observables of this moment, as [`State::observables`] defines them: in the domain the file states, or in open space
    /// where it states none. Groups are computed where a radius is given.
    pub fn observables(&self, radius: Option<f64>) -> Observables {
        if self.dimensions == 2 { self.measured::<2>(radius) } else { self.measured::<3>(radius) }
    }

    fn measured<const D: usize>(&self, radius: Option<f64>) -> Observables {
        let first = |v: &[f64; 3]| -> [f64; D] { std::array::from_fn(|a| v[a]) };
        let positions: Vec<[f64; D]> = self.rows.iter().map(|row| first(&row.position)).collect();
        let velocities: Vec<[f64; D]> = self.rows.iter().map(|row| first(&row.velocity)).collect();
        State::new(&positions, &velocities, self.edges.domain::<D>()).observables(radius)
    }
}

impl Recording {
    /// 2 or 3.
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// Frames per second.
    pub fn fps(&self) -> f64 {
        self.fps
    }

    /// What was in the file, and what was done about it.
    pub fn found(&self) -> &Found {
        &self.found
    }

    /// The domain; open where the file states none.
    pub fn edges(&self) -> Edges {
        self.edges
    }

    /// The species of all individuals; without names where the file names none.
    pub fn species(&self) -> &SpeciesById {
        &self.species
    }

    /// Frames with at least one position, in order.
    pub fn frames(&self) -> impl ExactSizeIterator<Item = Frame<'_>> {
        (0..self.frames.len()).map(|k| self.frame(k))
    }

    /// The `k`-th of [`frames`](Self::frames), from 0.
    ///
    /// # Panics
    /// If there are not that many.
    pub fn frame(&self, k: usize) -> Frame<'_> {
        let rows = &self.rows[self.frames[k].clone()];
        let number = rows[0].frame;
        Frame { number, time: number as f64 / self.fps, rows, dimensions: self.dimensions, edges: self.edges }
    }

    /// Consecutive positions of one individual, by id and frame, and whether there is no gap between them.
    pub(crate) fn moves(&self) -> impl Iterator<Item = (&Row, &Row, bool)> {
        let pairs = self.by_id.windows(2).map(|pair| (&self.rows[pair[0]], &self.rows[pair[1]]));
        pairs.filter(|(a, b)| a.id == b.id).map(|(a, b)| (a, b, b.frame - a.frame == self.found.frame_step))
    }
}

/// Puts rows in order and says what was found.
pub(crate) fn assemble(mut read: Rows, options: &Options) -> Result<Recording, RecordError> {
    let (factors, length_unit) = units::settle(&mut read, options);
    let Rows { shown, dimensions, mut rows, has_velocities, missing, span, fps: own_fps, edges, species, notes, .. } = read;
    let edges = edges.unwrap_or_default().scaled(factors);
    edges.check(dimensions).map_err(|refusal| RecordError::data(&shown, refusal))?;
    if rows.is_empty() {
        let seen = if missing > 0 { "rows, but nobody's position" } else { "nobody in it" };
        let why: String = notes.iter().map(|note| format!("; {note}")).collect();
        return Err(RecordError::data(shown, format!("the recording has {seen}{why}: allowed is at least one position")));
    }
    let mut found = Found { missing_positions: missing, notes, has_velocities, ..Found::default() };
    let fps = frame_rate(options, own_fps, &mut found.notes);
    found.scale = factors[0];
    let has_rate = options.fps.or(own_fps).is_some();
    (found.length_unit, found.time_unit) = (length_unit, if has_rate { TimeUnit::Second } else { TimeUnit::Frame });
    let species = species.settled(rows.iter().map(|row| row.id), &mut found.notes);
    for row in &mut rows {
        row.position = scaled(row.position, factors);
        row.velocity = scaled(row.velocity, factors);
    }
    found.out_of_order = out_of_order(&rows);
    // A stable sort, so that of two rows with the same id and frame the first in the file is kept.
    rows.sort_by_key(|row| (row.id, row.frame));
    drop_duplicates(&mut rows, &mut found);
    found.frame_step = frame_step(&rows);
    if has_velocities {
        found.notes.push("velocities are the file's own".into());
    } else {
        velocities(&mut rows, found.frame_step, fps);
    }
    found.without_velocity = rows.iter().filter(|row| row.velocity.iter().any(|v| v.is_nan())).count() as u64;
    rows.sort_by_key(|row| (row.frame, row.id));
    let mut by_id: Vec<usize> = (0..rows.len()).collect();
    by_id.sort_by_key(|&i| (rows[i].id, rows[i].frame));
    let frames = frames(&rows);
    count(&rows, &by_id, &frames, span, &mut found);
    Ok(Recording { dimensions, fps, rows, frames, by_id, found, edges, species })
}

fn frame_rate(options: &Options, own: Option<f64>, notes: &mut Vec<String>) -> f64 {
    match (options.fps, own) {
        (Some(fps), _) => fps,
        (None, Some(fps)) => {
            // A time step is an f32, whose digits beyond the seventh mean nothing.
            notes.push(format!("{} frames per second, as the file says", significant(fps, 7)));
            fps
        }
        (None, None) => {
            notes.push("no frame rate given: times count frames, speeds are lengths per frame".into());
            1.0
        }
    }
}

/// A vector in other units; of 0 that changes its sign, 0 is left.
fn scaled(vector: [f64; 3], factors: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|axis| vector[axis] * factors[axis] + 0.0)
}

fn out_of_order(rows: &[Row]) -> u64 {
    let mut latest: HashMap<u64, i64> = HashMap::new();
    let earlier = rows.iter().filter(|row| latest.insert(row.id, row.frame).is_some_and(|before| row.frame < before));
    earlier.count() as u64
}

fn drop_duplicates(rows: &mut Vec<Row>, found: &mut Found) {
    rows.dedup_by(|later, kept| {
        let is_double = (later.id, later.frame) == (kept.id, kept.frame);
        found.duplicates += u64::from(is_double);
        found.contradictions += u64::from(is_double && later.position != kept.position);
        is_double
    });
}

/// The smallest distance between two frames of the whole recording; 1 if there is only one.
fn frame_step(rows: &[Row]) -> i64 {
    let mut frames: Vec<i64> = rows.iter().map(|row| row.frame).collect();
    frames.sort_unstable();
    frames.dedup();
    frames.windows(2).map(|pair| pair[1] - pair[0]).min().unwrap_or(1)
}

/// Central differences inside unbroken stretches, one-sided ones at their ends, NaN for positions between two gaps.
fn velocities(rows: &mut [Row], step: i64, fps: f64) {
    let follows = |a: &Row, b: &Row| a.id == b.id && b.frame - a.frame == step;
    for i in 0..rows.len() {
        let before = if i > 0 && follows(&rows[i - 1], &rows[i]) { i - 1 } else { i };
        let after = if i + 1 < rows.len() && follows(&rows[i], &rows[i + 1]) { i + 1 } else { i };
        let seconds = (rows[after].frame - rows[before].frame) as f64 / fps;
        let (from, to) = (rows[before].position, rows[after].position);
        rows[i].velocity = std::array::from_fn(|a| if seconds > 0.0 { (to[a] - from[a]) / seconds } else { f64::NAN });
    }
}

fn frames(rows: &[Row]) -> Vec<Range<usize>> {
    let mut start = 0;
    let frame = |rows: &[Row]| {
        let range = start..start + rows.len();
        start = range.end;
        range
    };
    rows.chunk_by(|a, b| a.frame == b.frame).map(frame).collect()
}

fn count(rows: &[Row], by_id: &[usize], frames: &[Range<usize>], span: Option<(i64, i64)>, found: &mut Found) {
    (found.first_frame, found.last_frame) = span.unwrap_or((rows[0].frame, rows[rows.len() - 1].frame));
    (found.positions, found.frames) = (rows.len(), frames.len());
    let span_frames = (found.last_frame - found.first_frame) / found.frame_step + 1;
    found.empty_frames = (span_frames as u64).saturating_sub(frames.len() as u64);
    for track in by_id.chunk_by(|&a, &b| rows[a].id == rows[b].id) {
        found.ids += 1;
        found.late_ids += usize::from(rows[track[0]].frame > found.first_frame);
        found.early_leavers += usize::from(rows[track[track.len() - 1]].frame < found.last_frame);
        for pair in track.windows(2) {
            let lacking = (rows[pair[1]].frame - rows[pair[0]].frame - 1) / found.frame_step;
            if lacking > 0 {
                found.gaps += 1;
                found.gap_frames = found.gap_frames.saturating_add(lacking as u64);
                found.longest_gap = found.longest_gap.max(lacking as u64);
            }
        }
    }
}
