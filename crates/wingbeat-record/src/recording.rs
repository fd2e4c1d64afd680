//! A recording put in order: rows by frame and id, duplicates dropped, gaps counted, velocities computed where a frame is read.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::RangeInclusive;

use wingbeat::observe::{Curves, Each, Observables, State, Wanted};

use crate::RecordError;
use crate::rates::{FPS, frame_rate, of_times};
use crate::rows::{Row, Rows};
use crate::snapshot::Edges;
use crate::species::SpeciesById;
use crate::store::{Moment, Store};
use crate::table::ColumnNames;
use crate::units::{self, LengthUnit, TimeUnit};
use crate::watch::Watch;

const SCALE: RangeInclusive<f64> = 1e-9..=1e9;
/// Fewer are measured by the calling thread: to wake others takes as long.
const WORTH_THREADS: usize = 500;

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
    /// What speeds are per: as times where velocities are differences; of velocities of the file's own, seconds where a frame rate or the
    /// file says so, and `None` where nobody does.
    pub speed_time: Option<TimeUnit>,
    /// Anything else worth knowing, one sentence each.
    pub notes: Vec<String>,
}

/// The trajectories of all individuals. Up to half a million positions are held in memory; more are sorted into a temporary file, and a
/// `.wbr` is read where it is, so that a recording may be of any length.
#[derive(Debug)]
pub struct Recording {
    dimensions: usize,
    fps: f64,
    store: Store,
    moments: Vec<Moment>,
    /// What coordinates are multiplied by.
    factors: [f64; 3],
    found: Found,
    edges: Edges,
    species: SpeciesById,
}

/// One moment of a recording.
#[derive(Clone, Debug)]
pub struct Frame<'a> {
    /// Its number.
    pub number: i64,
    /// number / fps, seconds.
    pub time: f64,
    /// One row for each individual seen, by ascending id.
    pub rows: Cow<'a, [Row]>,
    dimensions: usize,
    edges: Edges,
}

impl Frame<'_> {
    /// 2 or 3.
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// All observables of this moment: [`measure`](Self::measure) with all wanted.
    pub fn observables(&self, radius: Option<f64>) -> Observables {
        self.measure(Wanted::ALL, radius)
    }

    /// Observables of this moment, as [`State::measure`] defines them: in the domain the file states, or in open space where it states
    /// none. Groups are computed where a radius is given. All threads of rayon's global pool work on it.
    pub fn measure(&self, wanted: Wanted, radius: Option<f64>) -> Observables {
        self.look(|state| state.measure(wanted, radius), |state| state.measure(wanted, radius))
    }

    /// What is said of everybody at this moment, as [`State::each`] defines it, in the order of the rows.
    pub fn each(&self, wanted: Wanted, radius: Option<f64>) -> Each {
        self.look(|state| state.each(wanted, radius), |state| state.each(wanted, radius))
    }

    /// Adds this moment to curves, in the same domain and by its number.
    pub fn add_to(&self, curves: &mut Curves) {
        let ids: Vec<u64> = self.rows.iter().map(|row| row.id).collect();
        if self.dimensions == 2 {
            curves.add::<2>(self.number, &ids, &self.state());
        } else {
            curves.add::<3>(self.number, &ids, &self.state());
        }
    }

    /// Looks at the state of this moment, in as many dimensions as it has.
    fn look<T>(&self, two: impl FnOnce(&State<'_, 2>) -> T, three: impl FnOnce(&State<'_, 3>) -> T) -> T {
        if self.dimensions == 2 { two(&self.state()) } else { three(&self.state()) }
    }

    fn state<const D: usize>(&self) -> State<'static, D> {
        let first = |v: &[f64; 3]| -> [f64; D] { std::array::from_fn(|a| v[a]) };
        let positions: Vec<[f64; D]> = self.rows.iter().map(|row| first(&row.position)).collect();
        let velocities: Vec<[f64; D]> = self.rows.iter().map(|row| first(&row.velocity)).collect();
        let state = State::new(&positions, &velocities, self.edges.domain::<D>());
        if self.rows.len() < WORTH_THREADS { state } else { state.on_all_threads() }
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

    /// How many frames have at least one position.
    pub fn len(&self) -> usize {
        self.moments.len()
    }

    /// Whether there is no such frame; a recording that was read has one.
    pub fn is_empty(&self) -> bool {
        self.moments.is_empty()
    }

    /// The number of the `k`-th frame with a position, from 0.
    ///
    /// # Panics
    /// If there are not that many.
    pub fn number(&self, k: usize) -> i64 {
        self.moments[k].number
    }

    /// Which of the frames with a position has this number.
    pub fn find(&self, number: i64) -> Option<usize> {
        self.moments.binary_search_by_key(&number, |moment| moment.number).ok()
    }

    /// Frames with at least one position, in order.
    pub fn frames(&self) -> impl ExactSizeIterator<Item = Result<Frame<'_>, RecordError>> {
        (0..self.len()).map(|k| self.frame(k))
    }

    /// The `k`-th of [`frames`](Self::frames), from 0.
    ///
    /// # Errors
    /// When the file cannot be read any more, or is damaged there.
    ///
    /// # Panics
    /// If there are not that many.
    pub fn frame(&self, k: usize) -> Result<Frame<'_>, RecordError> {
        let number = self.number(k);
        let mut rows = self.store.rows(&self.moments[k])?;
        if self.factors != [1.0; 3] {
            for row in rows.to_mut() {
                row.position = scaled(row.position, self.factors);
                row.velocity = scaled(row.velocity, self.factors);
            }
        }
        if !self.found.has_velocities {
            self.differences(k, rows.to_mut())?;
        }
        Ok(Frame { number, time: number as f64 / self.fps, rows, dimensions: self.dimensions, edges: self.edges })
    }

    /// Velocities of the rows of a frame: central differences inside unbroken stretches, one-sided ones at their ends, NaN for positions
    /// between two gaps.
    fn differences(&self, k: usize, rows: &mut [Row]) -> Result<(), RecordError> {
        let beside = |other: Option<usize>| {
            let moment = other.and_then(|other| self.moments.get(other));
            let follows = |moment: &&Moment| (moment.number - self.number(k)).abs() == self.found.frame_step;
            moment.filter(follows).map_or(Ok(Cow::default()), |moment| self.store.rows(moment))
        };
        let (before, after) = (beside(k.checked_sub(1))?, beside(Some(k + 1))?);
        let (mut before, mut after) = (before.iter().peekable(), after.iter().peekable());
        for row in rows {
            let here = *row;
            // All are by ascending id.
            let at = |side: &mut std::iter::Peekable<std::slice::Iter<'_, Row>>| {
                while side.next_if(|other| other.id < here.id).is_some() {}
                let other = side.peek().filter(|other| other.id == here.id)?;
                Some((other.frame, scaled(other.position, self.factors)))
            };
            let (from, to) = (at(&mut before), at(&mut after));
            let (from, to) = (from.unwrap_or((here.frame, here.position)), to.unwrap_or((here.frame, here.position)));
            let seconds = (to.0 - from.0) as f64 / self.fps;
            row.velocity = std::array::from_fn(|a| if seconds > 0.0 { (to.1[a] - from.1[a]) / seconds } else { f64::NAN });
        }
        Ok(())
    }

    /// Calls `each` with consecutive positions of one individual, and whether there is no gap between them: frame by frame.
    pub(crate) fn each_move(&self, mut each: impl FnMut(&Row, &Row, bool)) -> Result<(), RecordError> {
        let mut last: HashMap<u64, Row> = HashMap::new();
        for k in 0..self.len() {
            for row in self.frame(k)?.rows.iter() {
                if let Some(before) = last.insert(row.id, *row) {
                    each(&before, row, row.frame - before.frame == self.found.frame_step);
                }
            }
        }
        Ok(())
    }
}

/// Puts rows in order and says what was found. `watch` is told how many frames of how many were looked at.
pub(crate) fn assemble(mut read: Rows, options: &Options, watch: Watch<'_>) -> Result<Recording, RecordError> {
    let (factors, length_unit) = units::settle(&mut read, options);
    let edges = read.edges.unwrap_or_default().scaled(factors);
    edges.check(read.dimensions).map_err(|refusal| RecordError::data(&read.shown, refusal))?;
    let (store, mut moments, doubles) = read.sorted()?;
    let Rows { shown, dimensions, has_velocities, missing, span, fps: own_fps, species, mut notes, out_of_order, .. } = read;
    notes.extend(of_times(&shown, options.fps, &read.uneven, read.time_offset)?);
    notes.extend(read.left_out.iter().cloned());
    let mut found = Found { missing_positions: missing, notes, has_velocities, out_of_order, ..Found::default() };
    (found.duplicates, found.contradictions) = (doubles.rows, doubles.elsewhere);
    let fps = frame_rate(options.fps, own_fps, has_velocities, &mut found.notes);
    found.scale = factors[0];
    let has_rate = options.fps.or(own_fps).is_some();
    (found.length_unit, found.time_unit) = (length_unit, if has_rate { TimeUnit::Second } else { TimeUnit::Frame });
    let is_per_second = has_rate || read.has_velocities_per_second;
    found.speed_time = if has_velocities { is_per_second.then_some(TimeUnit::Second) } else { Some(found.time_unit) };
    let mut tracks = Tracks::default();
    let mut kept = Vec::with_capacity(moments.len());
    found.frame_step = moments.windows(2).map(|pair| pair[1].number - pair[0].number).min().unwrap_or(1);
    for (k, moment) in moments.iter().enumerate() {
        if !watch(k as u64, moments.len() as u64) {
            return Err(RecordError::Stopped);
        }
        let rows = store.rows(moment)?;
        tracks.see(&rows, &mut found);
        kept.push(!rows.is_empty());
    }
    let mut is_kept = kept.into_iter();
    moments.retain(|_| is_kept.next().unwrap_or(true));
    if moments.is_empty() {
        let seen = if missing > 0 { "rows, but nobody's position" } else { "nobody in it" };
        let why: String = read.left_out.iter().map(|note| format!("; {note}")).collect();
        return Err(RecordError::data(shown, format!("the recording has {seen}{why}: allowed is at least one position")));
    }
    if has_velocities {
        found.notes.push("velocities are the file's own".into());
    }
    (found.first_frame, found.last_frame) = span.unwrap_or((moments[0].number, moments[moments.len() - 1].number));
    found.frames = moments.len();
    let span_frames = (found.last_frame - found.first_frame) / found.frame_step + 1;
    found.empty_frames = (span_frames as u64).saturating_sub(moments.len() as u64);
    let species = store.species().unwrap_or(species).settled(tracks.ids(), &mut found.notes);
    tracks.end(&mut found);
    Ok(Recording { dimensions, fps, store, moments, factors, found, edges, species })
}

/// What is known of each individual while frames are looked at, one after the other.
#[derive(Default)]
struct Tracks(HashMap<u64, Track>);

struct Track {
    first: i64,
    last: i64,
    /// Whether its last position has none before it, at the usual distance, to take a velocity from.
    is_alone: bool,
}

impl Tracks {
    fn see(&mut self, rows: &[Row], found: &mut Found) {
        found.positions += rows.len();
        for row in rows {
            let unknown = row.velocity.iter().any(|v| v.is_nan());
            found.without_velocity += u64::from(found.has_velocities && unknown);
            let Some(track) = self.0.get_mut(&row.id) else {
                self.0.insert(row.id, Track { first: row.frame, last: row.frame, is_alone: true });
                continue;
            };
            let lacking = ((row.frame - track.last - 1) / found.frame_step) as u64;
            if row.frame - track.last == found.frame_step {
                track.is_alone = false;
            } else {
                found.without_velocity += u64::from(!found.has_velocities && track.is_alone);
                track.is_alone = true;
            }
            if lacking > 0 {
                found.gaps += 1;
                found.gap_frames = found.gap_frames.saturating_add(lacking);
                found.longest_gap = found.longest_gap.max(lacking);
            }
            track.last = row.frame;
        }
    }

    /// All ids, in ascending order.
    fn ids(&self) -> impl Iterator<Item = u64> + use<> {
        let mut ids: Vec<u64> = self.0.keys().copied().collect();
        ids.sort_unstable();
        ids.into_iter()
    }

    fn end(&self, found: &mut Found) {
        found.ids = self.0.len();
        for track in self.0.values() {
            found.late_ids += usize::from(track.first > found.first_frame);
            found.early_leavers += usize::from(track.last < found.last_frame);
            found.without_velocity += u64::from(!found.has_velocities && track.is_alone);
        }
    }
}

/// A vector in other units; of 0 that changes its sign, 0 is left.
fn scaled(vector: [f64; 3], factors: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|axis| vector[axis] * factors[axis] + 0.0)
}
