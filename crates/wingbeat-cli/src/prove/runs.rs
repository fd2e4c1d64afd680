//! The runs of proofs: a scene's steps or a recording's frames, and what is measured of them.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use indicatif::ProgressBar;
use wingbeat_measure::{Measurable, Wanted};
use wingbeat_record::Options;
use wingbeat_scene::{AnyFlock, Built, Machine, Override, Scene};

use super::measure::{Measure, Quantity};
use super::proof::{DATA, Proof, Subject};
use super::samples::{Body, Moment, Samples};
use crate::columns::{RunColumns, Sampling};
use crate::failure::Failure;
use crate::interrupt;
use crate::options::full_name;
use crate::until::{Until, UntilWord};
use crate::values::OneOf;

/// Steps between two measurements of the observables that take longer than a step.
const EVERY: u64 = 10;

/// One run: a variant of a proof with a seed.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    /// Its place in the table.
    pub place: usize,
    pub proof: &'a Proof,
    pub variant: usize,
    pub seed: u64,
}

/// What came of a run: its columns, then its measures.
pub struct ProofRun {
    pub values: Vec<Option<f64>>,
    pub seconds: f64,
}

/// The same for all runs.
pub struct ProofRuns<'a> {
    pub quick: bool,
    /// Where recordings are.
    pub data: Option<&'a Path>,
    pub bar: &'a ProgressBar,
    /// Set where another run has failed.
    pub stop: &'a AtomicBool,
}

impl Job<'_> {
    /// The scene of the run; `None` of a recording.
    pub fn scene(&self, quick: bool, data: Option<&Path>) -> Result<Option<Scene>, Failure> {
        let Subject::Scene { name, text, set, quick_set } =
            &self.proof.variants[self.variant].subject
        else {
            return Ok(None);
        };
        let quick_set = if quick { quick_set.as_slice() } else { &[] };
        let folder = data.map(|data| data.display().to_string()).unwrap_or_default();
        let mut overrides = Vec::new();
        for assignment in set.iter().chain(quick_set) {
            let (key, value) = assignment.split_once('=').unwrap_or((assignment, ""));
            let assignment = format!("{}={}", full_name(key.trim()), value.replace(DATA, &folder));
            overrides.push(
                Override::set(&assignment).map_err(|error| self.refusal(&error.to_string()))?,
            );
        }
        overrides.push(Override::flag("seeds", "flock.seed", &self.seed.to_string()));
        let scene = Scene::parse(name, text, &overrides)
            .map_err(|error| self.refusal(&error.to_string()))?;
        Ok(Some(scene.in_folder(Path::new(name).parent().unwrap_or(Path::new("")))))
    }

    /// The file of a recording; `None` of a scene.
    pub fn recording(&self, data: Option<&Path>) -> Option<PathBuf> {
        match &self.proof.variants[self.variant].subject {
            Subject::Recording { file, .. } => Some(data.unwrap_or(Path::new("")).join(file)),
            Subject::Scene { .. } => None,
        }
    }

    /// What is refused, with the proof's name and the variant's.
    pub fn refusal(&self, message: &str) -> Failure {
        let variant = &self.proof.variants[self.variant].name;
        let variant =
            if variant.is_empty() { String::new() } else { format!(", variant {variant}") };
        Failure::BadInput(format!("proof {}{variant}: {message}", self.proof.name))
    }

    /// Makes the run; `None` if it was told to stop.
    pub fn run(
        &self,
        machine: &Machine,
        running: &ProofRuns<'_>,
    ) -> Result<Option<ProofRun>, Failure> {
        let started = Instant::now();
        let values = match self.scene(running.quick, running.data)? {
            Some(scene) => self.of_scene(&scene, machine, running)?,
            None => Some(self.of_recording(running)?),
        };
        Ok(values.map(|values| ProofRun { values, seconds: started.elapsed().as_secs_f64() }))
    }

    fn of_scene(
        &self,
        scene: &Scene,
        machine: &Machine,
        running: &ProofRuns<'_>,
    ) -> Result<Option<Vec<Option<f64>>>, Failure> {
        let mut built = scene.build(machine).map_err(|error| self.refusal(&error.to_string()))?;
        let dt = f64::from(scene.dt().get());
        let average_from = (self.proof.from / dt).round() as u64;
        let every = if scene.steps().saturating_sub(average_from) < EVERY { 1 } else { EVERY };
        let mut numbers =
            RunColumns::new(&self.proof.columns, Sampling { average_from, every }, &built.flock);
        let mut samples: Vec<Samples<'_>> =
            self.proof.measures.iter().map(|measure| Samples::new(measure, dt)).collect();
        let mut until = Until::new(self.proof.until_empty.then_some(OneOf(UntilWord::Empty)));
        take(&mut samples, &self.proof.measures, &built, scene, 0);
        for made in 1..=scene.steps() {
            if running.stop.load(Ordering::Relaxed) || interrupt::requested() {
                return Ok(None);
            }
            built.step(scene.dt())?;
            numbers.add(&built, made, made as f64 * dt);
            take(&mut samples, &self.proof.measures, &built, scene, made);
            running.bar.inc(1);
            if until.end(&built.flock).is_some() {
                running.bar.inc(scene.steps() - made);
                break;
            }
        }
        let measured = samples.into_iter().map(Samples::finish);
        Ok(Some(numbers.values(&built.flock).into_iter().chain(measured).collect()))
    }

    fn of_recording(&self, running: &ProofRuns<'_>) -> Result<Vec<Option<f64>>, Failure> {
        let Subject::Recording { fps, scale, .. } = &self.proof.variants[self.variant].subject
        else {
            return Ok(Vec::new());
        };
        let path = self.recording(running.data).unwrap_or_default();
        let options = Options { fps: *fps, scale: *scale, ..Options::default() };
        let recording = wingbeat_record::read(&path, &options).map_err(Failure::of_reading)?;
        let dt = 1.0 / recording.fps();
        let mut samples: Vec<Samples<'_>> =
            self.proof.measures.iter().map(|measure| Samples::new(measure, dt)).collect();
        for (k, frame) in recording.frames().enumerate() {
            let frame = frame?;
            let body = |row: &wingbeat_record::Row| Body {
                id: row.id,
                position: [row.position[0], row.position[1]],
                velocity: row.velocity,
            };
            let bodies: Vec<Body> = frame.rows.iter().map(body).collect();
            let distances =
                frame.each(wanted(&self.proof.measures), None).nearest_neighbor_distances;
            let moment = Moment {
                time: frame.time,
                bodies: &bodies,
                walls: &[],
                neighbor_distances: &distances,
            };
            samples
                .iter_mut()
                .filter(|samples| samples.is_due(k as u64))
                .for_each(|samples| samples.add(&moment, &|_| 0.0));
        }
        let none = self.proof.columns.names().iter().map(|_| None);
        Ok(none.chain(samples.into_iter().map(Samples::finish)).collect())
    }
}

/// What has to be known of each boid beside its place and velocity.
fn wanted(measures: &[Measure]) -> Wanted {
    let is_asked_for =
        measures.iter().any(|measure| measure.quantity == Quantity::NeighborDistance);
    if is_asked_for { Wanted::NEAREST_NEIGHBOR_DISTANCE } else { Wanted::NONE }
}

/// Gives the flock as it is now to those measures whose moment it is.
fn take(
    samples: &mut [Samples<'_>],
    measures: &[Measure],
    built: &Built,
    scene: &Scene,
    step: u64,
) {
    if !samples.iter().any(|samples| samples.is_due(step)) {
        return;
    }
    let flock = &built.flock;
    let bodies: Vec<Body> = flock.rows().iter().map(body).collect();
    let asks = |quantity| measures.iter().any(|measure| measure.quantity == quantity);
    let walls = if asks(Quantity::WallDistance) { walls(flock) } else { Vec::new() };
    let each = || flock.each(Wanted::NEAREST_NEIGHBOR_DISTANCE, None).nearest_neighbor_distances;
    let neighbor_distances = if asks(Quantity::NeighborDistance) { each() } else { Vec::new() };
    let time = step as f64 * f64::from(scene.dt().get());
    let moment =
        Moment { time, bodies: &bodies, walls: &walls, neighbor_distances: &neighbor_distances };
    let delay_over = |id| delay_over(flock, scene.seed(), id);
    samples
        .iter_mut()
        .filter(|samples| samples.is_due(step))
        .for_each(|samples| samples.add(&moment, &delay_over));
}

fn body(row: &wingbeat_scene::Row) -> Body {
    let [x, y, z] = row.velocity.map(f64::from);
    Body {
        id: row.id,
        position: [row.position[0], row.position[1]].map(f64::from),
        velocity: [x, y, z],
    }
}

/// Obstacles, and the edges of a box that no boid leaves.
fn walls(flock: &AnyFlock) -> Vec<[[f64; 2]; 2]> {
    let flat = |point: [f32; 3]| [f64::from(point[0]), f64::from(point[1])];
    let mut walls: Vec<[[f64; 2]; 2]> =
        flock.outlines().into_iter().map(|segment| segment.map(flat)).collect();
    if let Some((low, high)) = flock.bounds().filter(|_| !flock.is_periodic()) {
        let ([x0, y0], [x1, y1]) = (flat(low), flat(high));
        let corners = [[x0, y0], [x1, y0], [x1, y1], [x0, y1], [x0, y0]];
        walls.extend(corners.windows(2).map(|pair| [pair[0], pair[1]]));
    }
    walls
}

/// When the first drive with a delay begins to move a boid.
fn delay_over(flock: &AnyFlock, seed: u64, id: u64) -> f64 {
    use wingbeat::steer::drive::Delay;
    let of = |from: f64, delay: Delay| (delay != Delay::None).then(|| from + delay.of(seed, id));
    let found = match flock {
        AnyFlock::Two(flock) => flock.drives().iter().find_map(|drive| of(drive.from, drive.delay)),
        AnyFlock::Three(flock) => {
            flock.drives().iter().find_map(|drive| of(drive.from, drive.delay))
        }
    };
    found.unwrap_or(0.0)
}
