//! Runs of the scene at points of the search: made once, kept in the journal, and compared with a
//! target.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use indicatif::ProgressBar;
use wingbeat_scene::Machine;

use super::plan::FitPlan;
use super::target::{FitTarget, objective};
use crate::failure::Failure;
use crate::journal::{Finished, Journal};
use crate::side::{Run, SimulatedSide};
use crate::{interrupt, jobs};

/// Finished runs by target, values and seed.
pub type Known = HashMap<Vec<String>, Finished>;

/// Makes runs that are not known yet.
pub struct Flights<'a> {
    plan: &'a FitPlan<'a>,
    written: Mutex<(Journal, Known)>,
    pub bar: ProgressBar,
    /// Runs made now, rather than found in the journal.
    made: AtomicUsize,
}

impl<'a> Flights<'a> {
    pub fn new(plan: &'a FitPlan<'a>, journal: Journal, known: Known, bar: ProgressBar) -> Self {
        Self { plan, written: Mutex::new((journal, known)), bar, made: AtomicUsize::new(0) }
    }

    pub fn made(&self) -> usize {
        self.made.load(Ordering::Relaxed)
    }

    /// For each point the distances of its runs, one for each seed.
    pub fn distances(
        &self,
        target: &FitTarget,
        points: &[Vec<String>],
        seeds: &[u64],
        threads: usize,
    ) -> Result<Vec<Vec<Vec<f64>>>, Failure> {
        let names = |point: &[String], seed: u64| {
            let fields = std::iter::once(target.name.clone()).chain(point.iter().cloned());
            fields.chain([seed.to_string()]).collect::<Vec<_>>()
        };
        let all: Vec<(&Vec<String>, u64)> =
            points.iter().flat_map(|point| seeds.iter().map(move |&seed| (point, seed))).collect();
        let is_new = |(point, seed): &&(&Vec<String>, u64)| {
            !jobs::locked(&self.written).1.contains_key(&names(point, *seed))
        };
        let new: Vec<_> = all.iter().filter(is_new).copied().collect();
        self.bar.inc((all.len() - new.len()) as u64);
        jobs::all(new.len(), threads, |job, threads, stop| {
            let (point, seed) = new[job];
            let Some(flown) = self.fly(point, seed, threads, stop)? else { return Ok(()) };
            let distances = self.plan.columns.distances(target, &flown.observations);
            let values = distances.into_iter().map(Some).collect();
            let run = Finished { state_hash: flown.built.flock.state_hash(), values };
            let mut written = jobs::locked(&self.written);
            let names = names(point, seed);
            // Points of two searches may be the same.
            if !written.1.contains_key(&names) {
                written.0.append(&names, &run)?;
                written.1.insert(names, run);
            }
            self.made.fetch_add(1, Ordering::Relaxed);
            Ok(())
        })?;
        if interrupt::requested() {
            return Err(Failure::Stopped("stopped; the same command goes on from there".into()));
        }
        let written = jobs::locked(&self.written);
        let distances = |point: &Vec<String>, seed: u64| {
            let run = written.1.get(&names(point, seed));
            let values: Option<Vec<f64>> = run.and_then(|run| run.values.iter().copied().collect());
            values.ok_or_else(|| {
                Failure::Other(format!(
                    "run {} is missing from the journal",
                    names(point, seed).join(", ")
                ))
            })
        };
        let of_point =
            |point| seeds.iter().map(|&seed| distances(point, seed)).collect::<Result<Vec<_>, _>>();
        points.iter().map(of_point).collect()
    }

    /// For each point the mean of the objective over its runs.
    pub fn means(
        &self,
        target: &FitTarget,
        points: &[Vec<String>],
        seeds: &[u64],
        threads: usize,
    ) -> Result<Vec<f64>, Failure> {
        let runs = self.distances(target, points, seeds, threads)?;
        Ok(runs
            .iter()
            .map(|runs| runs.iter().map(|run| objective(run)).sum::<f64>() / runs.len() as f64)
            .collect())
    }

    /// One run, which is not kept.
    pub fn fly(
        &self,
        point: &[String],
        seed: u64,
        threads: usize,
        stop: &AtomicBool,
    ) -> Result<Option<SimulatedSide>, Failure> {
        let plan = self.plan;
        let machine = Machine { threads: Some(threads), ..plan.machine };
        let run = Run { bar: &self.bar, by_steps: false, stop };
        plan.measure.scene(&plan.scene(point, Some(seed))?, &machine, plan.sampling, &run)
    }
}
