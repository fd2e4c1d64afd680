//! `wingbeat fit`: the numbers with which a scene comes closest to a recording.
//!
//! [`args`] says what can be typed, [`vary`] what is varied, [`plan`] settles everything before the
//! first run, [`target`] says how far a run is from a recording, [`flights`] makes the runs and
//! keeps them, [`search`] looks for the best, [`report`] says what was found.

mod args;
mod flights;
mod plan;
mod report;
mod search;
mod target;
mod vary;

use std::cell::Cell;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crate::failure::Failure;
use crate::journal::{Journal, Purpose};
use crate::{interrupt, jobs, progress, terminal};

pub use args::FitArgs;
use flights::Flights;
use plan::{FitPlan, Seeds};
use report::{Fitted, JudgedFit};
use search::{Search, least};
use target::FitTarget;
use vary::{numbers, texts};

/// Searches, judges, searches again, reports.
pub fn fit(args: &FitArgs) -> Result<(), Failure> {
    let started = Instant::now();
    interrupt::listen()?;
    let plan = FitPlan::new(args)?;
    let (journal, known) =
        Journal::open(Purpose::Fit, plan.output.path(), &plan.header()?, args.fresh)?;
    let journal_path = journal.path().to_path_buf();
    plan.notes.iter().for_each(|note| terminal::note(note));
    if !known.is_empty() {
        terminal::note(&format!(
            "{} runs were finished before ({})",
            known.len(),
            journal_path.display()
        ));
    }
    let flights = Flights::new(&plan, journal, known, progress::counted(plan.most_runs(), "runs"));
    let fitted = fitted(&plan, &flights)?;
    flights.bar.finish_and_clear();
    let toml = fitted.toml(&plan, &plan.scene(&fitted.values, None)?);
    plan.output.write(|out| out.write_all(toml.as_bytes()))?;
    if args.print.json {
        return terminal::print(&format!("{:#}\n", fitted.json(&plan)));
    }
    let made = (flights.made(), started.elapsed());
    terminal::print(&fitted.text(&plan, made, &journal_path))
}

fn fitted(plan: &FitPlan<'_>, flights: &Flights<'_>) -> Result<Fitted, Failure> {
    let target = plan.columns.recording();
    let threads = jobs::threads(&plan.machine);
    let searches = searches(plan, flights, &vec![&target; plan.effort.searches], Seeds::Search)?;
    // The best of each search, and the middle of all, on seeds that none of them has had.
    let mut candidates: Vec<Vec<String>> =
        searches.iter().map(|point| texts(&plan.varied, point)).collect();
    let middle =
        |key: usize| searches.iter().map(|point| point[key]).sum::<f64>() / searches.len() as f64;
    let middle: Vec<f64> = (0..plan.varied.len()).map(middle).collect();
    candidates.push(texts(&plan.varied, &middle));
    let choice = flights.means(&target, &candidates, &plan.seeds(Seeds::Choice), threads)?;
    let values = candidates[least(&choice)].clone();
    let judged = |target: &FitTarget, values: &Vec<String>| {
        let runs = flights.distances(
            target,
            std::slice::from_ref(values),
            &plan.seeds(Seeds::Fresh),
            threads,
        )?;
        Ok::<_, Failure>(JudgedFit::of(&runs[0]))
    };
    let after = judged(&target, &values)?;
    let before = plan.own.as_ref().map(|own| judged(&target, own)).transpose()?;

    let mut runs = Vec::new();
    for seed in plan.seeds(Seeds::Stand) {
        let flown = flights.fly(&values, seed, threads, &AtomicBool::new(false))?;
        let flown = flown.ok_or_else(|| {
            Failure::Stopped("stopped; the same command goes on from there".into())
        })?;
        runs.push(plan.columns.run(&flown.observations, flown.built.flock.state_hash()));
    }
    let own = runs.iter().map(|run| judged(run, &values)).collect::<Result<Vec<_>, _>>()?;
    let refits = self::searches(plan, flights, &runs.iter().collect::<Vec<_>>(), Seeds::Refit)?;
    let as_numbers = |found: Vec<Vec<f64>>| -> Vec<Vec<f64>> {
        found.iter().map(|point| numbers(&texts(&plan.varied, point))).collect()
    };
    Ok(Fitted {
        values,
        searches: as_numbers(searches),
        refits: as_numbers(refits),
        before,
        after,
        own,
    })
}

/// A search toward each target, as many at a time as there are threads for them.
fn searches(
    plan: &FitPlan<'_>,
    flights: &Flights<'_>,
    targets: &[&FitTarget],
    seeds: impl Fn(usize) -> Seeds + Sync,
) -> Result<Vec<Vec<f64>>, Failure> {
    let found: Vec<Mutex<Option<Vec<f64>>>> = targets.iter().map(|_| Mutex::new(None)).collect();
    jobs::all(targets.len(), jobs::threads(&plan.machine), |job, threads, stop| {
        let (seeds, others) = plan.two_looks(seeds(job));
        let look = |points: &[Vec<f64>], seeds: &[u64]| {
            if stop.load(Ordering::Relaxed) {
                return Err(Failure::Stopped("stopped".into()));
            }
            let points: Vec<_> = points.iter().map(|point| texts(&plan.varied, point)).collect();
            flights.means(targets[job], &points, seeds, threads)
        };
        let looked = Cell::new(0);
        let many = |points: &[Vec<f64>]| {
            looked.set(looked.get() + points.len());
            look(points, &seeds)
        };
        let again = |points: &[Vec<f64>]| look(points, &others);
        let shift = seeds.first().copied().unwrap_or(0) / plan::BLOCK;
        let search = Search {
            keys: plan.varied.len(),
            points: plan.effort.points,
            shift,
            own: plan.own_place(),
            many,
            again,
        };
        let best = search.best()?;
        // Points that were not needed.
        flights.bar.inc((plan.effort.points.saturating_sub(looked.get()) * seeds.len()) as u64);
        *jobs::locked(&found[job]) = Some(best);
        Ok(())
    })?;
    let found: Option<Vec<_>> = found.iter().map(|found| jobs::locked(found).take()).collect();
    found.ok_or_else(|| Failure::Stopped("stopped; the same command goes on from there".into()))
}
