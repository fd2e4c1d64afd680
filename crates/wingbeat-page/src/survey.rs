//! What is learned from all frames before any is encoded: bounds, speeds, and the observables over
//! time.

use std::collections::BTreeMap;

use serde::Serialize;
use wingbeat::Domain;
use wingbeat::steer::math;
use wingbeat_measure::{State, Wanted};
use wingbeat_record::{About, Frames, RecordError, Snapshot, Watch};

use crate::scene::scene_of;

/// Boids in all frames together, up to which the distance to the nearest neighbor is measured too:
/// some 2 µs each.
const MOST_FOR_NEAREST: u64 = 1_000_000;

/// Bounds, speeds and observables of a recording.
#[derive(Debug)]
pub struct Survey {
    pub min: [f32; 3],
    pub max: [f32; 3],
    /// The largest component of any velocity.
    pub fastest_axis: f32,
    /// Mean speed of all and its standard deviation, and the least and greatest speed.
    speeds: Speeds,
    /// The most boids in one frame.
    pub boids: usize,
    /// Boids in all frames together.
    pub boid_frames: u64,
    pub observables: Observables,
    /// Species by id; empty where there are none.
    species: BTreeMap<u64, u8>,
    /// Ids of the last frame: where the next has the same, no boid's species is new.
    ids: Vec<u64>,
}

#[derive(Debug, Default)]
struct Speeds {
    count: f64,
    sum: f64,
    sum_sq: f64,
    least: f64,
    greatest: f64,
}

/// Measures over time, a column each; `null` where there is no answer. Where boids leave by exits,
/// they are counted in place of their order.
#[derive(Debug, Default, Serialize)]
pub struct Observables {
    pub time: Vec<f64>,
    pub names: Vec<&'static str>,
    pub values: Vec<Vec<Option<f64>>>,
    /// How many of the first columns are numbers of boids.
    pub counts: usize,
    /// How many there have been so far, and the highest id of them.
    #[serde(skip)]
    seen: (usize, Option<u64>),
}

impl Survey {
    /// Reads every `every`-th frame; `watch` is told how many of how many are read.
    pub fn of(footage: &mut Frames, every: usize, watch: Watch<'_>) -> Result<Self, RecordError> {
        let about = footage.about().clone();
        let has_exits = scene_of(&about).is_some_and(|scene| scene.has_exits());
        let mut survey = Self {
            min: [f32::INFINITY; 3],
            max: [f32::NEG_INFINITY; 3],
            fastest_axis: 0.0,
            speeds: Speeds { least: f64::INFINITY, ..Speeds::default() },
            boids: 0,
            boid_frames: 0,
            observables: Observables::default(),
            species: BTreeMap::new(),
            ids: Vec::new(),
        };
        let mut now = Snapshot::new(about.dimensions);
        for k in (0..footage.len()).step_by(every) {
            if !watch(k as u64, footage.len() as u64) {
                return Err(RecordError::Stopped);
            }
            footage.read(k, &mut now)?;
            if survey.observables.time.is_empty() {
                let frames = (footage.len() - 1) / every + 1;
                let with_nearest = (now.len() * frames) as u64 <= MOST_FOR_NEAREST;
                survey.observables.begin(has_exits, with_nearest);
            }
            survey.add(&now, &about);
        }
        for a in 0..3 {
            if survey.min[a] > survey.max[a] {
                (survey.min[a], survey.max[a]) = (0.0, 0.0);
            }
        }
        Ok(survey)
    }

    fn add(&mut self, now: &Snapshot, about: &About) {
        self.boids = self.boids.max(now.len());
        self.boid_frames += now.len() as u64;
        for (a, column) in now.positions.iter().enumerate() {
            for &x in column {
                self.min[a] = math::min(x, self.min[a]);
                self.max[a] = math::max(x, self.max[a]);
            }
        }
        for column in &now.velocities {
            // NaN stands for a velocity that is not known, and is above nothing.
            self.fastest_axis = column
                .iter()
                .fold(self.fastest_axis, |most, v| if v.abs() > most { v.abs() } else { most });
        }
        if !now.species.is_empty() && self.ids != now.ids {
            self.species.extend(now.ids.iter().copied().zip(now.species.iter().copied()));
            self.ids.clone_from(&now.ids);
        }
        if about.dimensions == 2 {
            self.measure::<2>(now, about)
        } else {
            self.measure::<3>(now, about)
        }
    }

    fn measure<const D: usize>(&mut self, now: &Snapshot, about: &About) {
        let [positions, velocities] = [&now.positions, &now.velocities]
            .map(|columns| -> [&[f32]; D] { std::array::from_fn(|a| &columns[a][..]) });
        for i in 0..now.len() {
            self.speeds.add(
                velocities
                    .iter()
                    .map(|column| f64::from(column[i]) * f64::from(column[i]))
                    .sum::<f64>()
                    .sqrt(),
            );
        }
        let edges = &about.edges;
        let corner = |corner: [f32; 3]| std::array::from_fn(|a| corner[a]);
        let domain =
            Domain { boundary: edges.boundary, min: corner(edges.min), max: corner(edges.max) };
        let state = State::of_columns(positions, velocities, domain);
        self.observables.push(now, &state);
    }

    /// Species by id as runs `[first id, how many ids, species]`: ids that follow each other in all
    /// frames and are of one species.
    pub fn species_runs(&self) -> Vec<[u64; 3]> {
        let mut runs: Vec<[u64; 3]> = Vec::new();
        for (&id, &species) in &self.species {
            match runs.last_mut() {
                Some([first, count, of]) if *of == u64::from(species) && *first + *count == id => {
                    *count += 1
                }
                _ => runs.push([id, 1, u64::from(species)]),
            }
        }
        runs
    }

    /// The range of a color scale for speeds: two and a half standard deviations about the mean,
    /// within what there is.
    pub fn speed_range(&self) -> [f64; 2] {
        let Speeds { count, sum, sum_sq, least, greatest } = self.speeds;
        if count == 0.0 {
            return [0.0, 1.0];
        }
        let mean = sum / count;
        let spread = 2.5 * (sum_sq / count - mean * mean).max(0.0).sqrt();
        let (low, high) = ((mean - spread).max(least), (mean + spread).min(greatest));
        // Where all speeds are equal, a scale still needs some width.
        if high > low * (1.0 + 1e-6) {
            [low, high]
        } else {
            [0.0, if high > 0.0 { high } else { 1.0 }]
        }
    }
}

impl Speeds {
    fn add(&mut self, speed: f64) {
        if speed.is_nan() {
            return;
        }
        self.count += 1.0;
        self.sum += speed;
        self.sum_sq += speed * speed;
        self.least = self.least.min(speed);
        self.greatest = self.greatest.max(speed);
    }
}

impl Observables {
    fn begin(&mut self, has_exits: bool, with_nearest: bool) {
        let first = if has_exits { ["remaining", "left"] } else { ["polarization", "milling"] };
        self.counts = if has_exits { 2 } else { 0 };
        self.names = [&first[..], &["mean_speed"]].concat();
        if with_nearest {
            self.names.push("nearest_neighbor_distance");
        }
        self.values = vec![Vec::new(); self.names.len()];
    }

    fn push<const D: usize>(&mut self, now: &Snapshot, state: &State<'_, D>) {
        self.time.push(now.time);
        // A later boid has a higher id.
        let (seen, highest) = self.seen;
        let come = now.ids.iter().filter(|&&id| highest.is_none_or(|highest| id > highest)).count();
        self.seen = (seen + come, highest.max(now.ids.last().copied()));
        let mut wanted = Wanted::POLARIZATION | Wanted::MILLING | Wanted::MEAN_SPEED;
        if self.names.len() > 3 {
            wanted |= Wanted::NEAREST_NEIGHBOR_DISTANCE;
        }
        let found = state.measure(wanted, None);
        let first = if self.counts > 0 {
            [now.len(), self.seen.0 - now.len()].map(|count| Some(count as f64))
        } else {
            [found.polarization, found.milling]
        };
        let measured = [first[0], first[1], found.mean_speed, found.nearest_neighbor_distance];
        // More digits than a chart shows.
        let short = |x: f64| format!("{x:.5e}").parse().unwrap_or(x);
        self.values
            .iter_mut()
            .zip(measured)
            .for_each(|(column, value)| column.push(value.map(short)));
    }
}
