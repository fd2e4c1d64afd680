//! What can be compared: a recording, or a scene that is flown; and how it is measured so that one
//! side says the same as the other.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use indicatif::ProgressBar;
use wingbeat::Domain;
use wingbeat_measure::{Measurable, Observables, State, Wanted, measure};
use wingbeat_record::{Edges, Frame, Recording, left_out, readable};
use wingbeat_scene::{AnyFlock, Built, Machine, Scene};

use crate::failure::Failure;
use crate::interrupt;
use crate::measure::each_frame;
use crate::observations::Observations;

/// How both sides are measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SideMeasure {
    pub wanted: Wanted,
    /// Who is this close is of one group.
    pub radius: Option<f64>,
    /// Density is that of the convex hull even where there is a box, as the other side has none.
    pub in_hull: bool,
}

/// Which steps of a scene are measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SideSampling {
    /// Steps after this one.
    pub average_from: u64,
    /// Of those, multiples of this.
    pub every: u64,
}

/// Whether a file is a recording, by its ending; anything else is a scene.
pub fn is_recording(input: &str) -> Result<bool, Failure> {
    let extension =
        Path::new(input).extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase();
    match left_out(&extension) {
        Some(message) => Err(Failure::BadInput(format!("{input}: {message}"))),
        None => Ok(readable().contains(&extension.as_str())),
    }
}

impl SideMeasure {
    /// Settles what densities of two sides are of: both of their boxes, or both of hulls. Without
    /// `density` where neither would do.
    pub fn settle_density(&mut self, edges: [Edges; 2]) -> Option<&'static str> {
        let has_box = edges.map(|edges| edges.bounds().is_some());
        if !self.wanted.contains(Wanted::DENSITY) || has_box[0] == has_box[1] {
            return None;
        }
        if edges.iter().any(Edges::is_periodic) {
            self.wanted = without_density(self.wanted);
            return Some(
                "density is left out: one side has a periodic box, the other none, and a \
                box is no hull",
            );
        }
        self.in_hull = true;
        Some("density is that in the convex hull on both sides, as one of them has no box")
    }

    /// Every n-th frame of a recording, of those after a number.
    pub fn recording(
        &self,
        recording: &Recording,
        after: Option<i64>,
        every: u64,
    ) -> Result<Observations, Failure> {
        let mut observations = Observations::new("frame", self.wanted);
        each_frame(recording, every, |frame| {
            if after.is_some_and(|after| frame.number <= after) {
                return Ok(());
            }
            observations.push((frame.number, frame.time), &self.frame(frame, recording), &[]);
            Ok(())
        })?;
        Ok(observations)
    }

    fn frame(&self, frame: &Frame<'_>, recording: &Recording) -> Observables {
        match recording.dimensions() {
            _ if !self.in_hull || recording.edges().bounds().is_none() => {
                frame.measure(self.wanted, self.radius)
            }
            2 => self.in_open_space::<2>(frame),
            _ => self.in_open_space::<3>(frame),
        }
    }

    fn in_open_space<const D: usize>(&self, frame: &Frame<'_>) -> Observables {
        let first = |v: &[f64; 3]| -> [f64; D] { std::array::from_fn(|a| v[a]) };
        let positions: Vec<[f64; D]> = frame.rows.iter().map(|row| first(&row.position)).collect();
        let velocities: Vec<[f64; D]> = frame.rows.iter().map(|row| first(&row.velocity)).collect();
        State::new(&positions, &velocities, Domain::open()).measure(self.wanted, self.radius)
    }

    fn flock(&self, flock: &AnyFlock) -> Observables {
        match flock {
            _ if !self.in_hull => flock.measure(self.wanted, self.radius),
            AnyFlock::Two(flock) => {
                measure(&flock.frame(), &Domain::open(), self.wanted, self.radius)
            }
            AnyFlock::Three(flock) => {
                measure(&flock.frame(), &Domain::open(), self.wanted, self.radius)
            }
        }
    }

    /// Flies a scene; `None` if it was told to stop.
    pub fn scene(
        &self,
        scene: &Scene,
        machine: &Machine,
        sampling: SideSampling,
        run: &Run<'_>,
    ) -> Result<Option<SimulatedSide>, Failure> {
        let mut built = scene.build(machine)?;
        let mut observations = Observations::new("step", self.wanted);
        for made in 1..=scene.steps() {
            if run.stop.load(Ordering::Relaxed) || interrupt::requested() {
                return Ok(None);
            }
            built.step(scene.dt())?;
            if made > sampling.average_from && made % sampling.every == 0 {
                observations.push(
                    (made as i64, scene.dt().time_of(made)),
                    &self.flock(&built.flock),
                    &[],
                );
            }
            run.bar.inc(u64::from(run.by_steps));
        }
        run.bar.inc(u64::from(!run.by_steps));
        Ok(Some(SimulatedSide { observations, built }))
    }
}

/// Where a run reports to, and what stops it.
pub struct Run<'a> {
    pub bar: &'a ProgressBar,
    /// Whether the bar counts steps rather than runs.
    pub by_steps: bool,
    /// Set where another run has failed.
    pub stop: &'a AtomicBool,
}

/// A run that is finished.
pub struct SimulatedSide {
    pub observations: Observations,
    pub built: Built,
}

fn without_density(wanted: Wanted) -> Wanted {
    let one = |name: &str| name.parse().unwrap_or(Wanted::NONE);
    wanted.names().filter(|name| *name != "density").fold(Wanted::NONE, |all, name| all | one(name))
}
