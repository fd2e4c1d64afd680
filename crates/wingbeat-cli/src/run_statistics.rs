//! What a run has counted and measured so far: all of it goes into checkpoints.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use wingbeat::TimeStep;
use wingbeat_measure::{Curves, Measurable, Observables, Wanted};
use wingbeat_scene::{AnyFlock, Built, SceneError};

use crate::events::EventCounter;
use crate::observations::Observations;
use crate::ranks::Stepped;
use crate::report::Averages;
use crate::until::{Ended, Until};

/// When a run is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunSampling {
    /// The step after which averages begin.
    pub average_from: Option<u64>,
    /// Steps between two that are measured.
    pub every: Option<u64>,
    /// What is measured then.
    pub wanted: Wanted,
}

/// The statistics of a run, from its first step on, whichever process made the steps.
#[derive(Serialize, Deserialize)]
pub struct RunStatistics {
    /// Steps made: fewer than the scene's where something else ended the run.
    pub made: u64,
    pub sampling: RunSampling,
    pub observations: Observations,
    /// What grows over the same steps.
    pub curves: Curves,
    pub counter: EventCounter,
    /// Boids over all steps: there may be fewer and fewer.
    boid_steps: u64,
    /// How long the steps alone took.
    stepping: Duration,
    /// Over the steps that are averaged.
    means: Means,
    pub until: Until,
}

impl RunStatistics {
    /// Before the first step.
    pub fn new(flock: &AnyFlock, sampling: RunSampling, curves: Curves, until: Until) -> Self {
        Self {
            made: 0,
            sampling,
            observations: Observations::new("step", sampling.wanted),
            curves,
            counter: EventCounter::new(flock),
            boid_steps: 0,
            stepping: Duration::ZERO,
            means: Means::default(),
            until,
        }
    }

    /// Whether the flock is measured as it is now.
    pub fn is_sampled(&self) -> bool {
        self.is_sampled_after(self.made)
    }

    /// Whether it is measured after so many steps.
    pub fn is_sampled_after(&self, made: u64) -> bool {
        self.sampling.every.is_some_and(|every| made.is_multiple_of(every))
    }

    /// Measures the flock as it is, if it is its turn.
    pub fn measure(&mut self, flock: &AnyFlock, dt: TimeStep, radius: Option<f64>) {
        let RunSampling { average_from, wanted, .. } = self.sampling;
        let sampled = self.is_sampled();
        let averaged = average_from.is_some_and(|from| self.made > from);
        let means = if averaged { Wanted::POLARIZATION | Wanted::MILLING } else { Wanted::NONE };
        let observables = flock.measure(if sampled { wanted | means } else { means }, radius);
        if averaged {
            self.means.add(&observables);
        }
        if sampled {
            let time = self.time(dt);
            self.observations.push((self.made as i64, time), &observables, &[]);
            flock.add_to(&mut self.curves, self.made as i64);
        }
    }

    /// Takes down a step that ranks have made.
    pub fn stepped(&mut self, stepped: &Stepped, took: Duration, dt: TimeStep) {
        self.boid_steps += stepped.boids as u64;
        self.stepping += took;
        self.made += 1;
        self.counter.count(&stepped.events, self.time(dt));
    }

    /// Makes a step, and counts what it brought.
    pub fn step(&mut self, built: &mut Built, dt: TimeStep) -> Result<(), SceneError> {
        self.boid_steps += built.flock.len() as u64;
        let before = std::time::Instant::now();
        built.step(dt)?;
        self.stepping += before.elapsed();
        self.made += 1;
        self.counter.count(built.flock.events(), self.time(dt));
        Ok(())
    }

    /// Whether anything of the flock is looked at after so many steps.
    pub fn looks_after(&self, made: u64) -> bool {
        self.is_sampled_after(made)
            || self.sampling.average_from.is_some_and(|from| made > from)
            || self.until.watches_speed()
    }

    /// Whether the flock has come to the end that was asked for. To be asked once after every step.
    pub fn end(&mut self, flock: &AnyFlock) -> Option<Ended> {
        self.until.end(flock)
    }

    /// Time passed since the start of the scene.
    pub fn time(&self, dt: TimeStep) -> f64 {
        dt.time_of(self.made)
    }

    /// What a boid and step took.
    pub fn ns_per_boid_step(&self) -> Option<f64> {
        (self.boid_steps > 0).then(|| self.stepping.as_secs_f64() * 1e9 / self.boid_steps as f64)
    }

    /// Steps by second of stepping.
    pub fn steps_per_second(&self) -> Option<f64> {
        (self.made > 0).then(|| self.made as f64 / self.stepping.as_secs_f64())
    }

    /// Averages over what was to be averaged; a run that was stopped before that began has none.
    pub fn averages(&self) -> Option<Averages> {
        let RunSampling { average_from, every, .. } = self.sampling;
        average_from.filter(|&from| from < self.made).map(|from| {
            let observed_means = every.map(|_| self.observations.means_after(from as i64));
            let [mean_polarization, mean_milling] = self.means.means();
            Averages { mean_polarization, mean_milling, observed_means }
        })
    }
}

/// Means of polarization and milling over steps. Steps at which no boid is there have neither, and
/// do not count.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Means {
    sums: [f64; 2],
    steps: u64,
}

impl Means {
    pub fn add(&mut self, observables: &Observables) {
        if let (Some(polarization), Some(milling)) = (observables.polarization, observables.milling)
        {
            self.sums = [self.sums[0] + polarization, self.sums[1] + milling];
            self.steps += 1;
        }
    }

    /// Of polarization and of milling; `None` of no step.
    pub fn means(&self) -> [Option<f64>; 2] {
        self.sums.map(|sum| (self.steps > 0).then(|| sum / self.steps as f64))
    }
}
