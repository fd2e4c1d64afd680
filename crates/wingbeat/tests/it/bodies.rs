//! Solid bodies: no two ever overlap, whatever their number, density, speed, time step, rules and
//! world.
//!
//! The short version takes a few seconds; `WINGBEAT_FULL=1` steps a million times with 200 bodies
//! and 10,000 times with 20,000. The worst gaps are printed (`--nocapture`). They are found in
//! `f64`, where differences of `f32` positions of one world are exact, by a search of cells that
//! shares nothing with the engine's.

mod cases;
mod ruler;
mod start;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use crate::common::Random;
use cases::{Case, aim, begin, cases};
use ruler::{Gaps, Ruler};
use wingbeat::steer::*;
use wingbeat::steer::{Vector, math};
use wingbeat::*;
use wingbeat_test_support::tier;

/// A unit in the last place of the largest coordinate there is.
fn grain<const D: usize>(flock: &Flock<D>) -> f64 {
    let largest =
        flock.frame().by_slot().fold(0.0f32, |most, boid| math::max(most, boid.position.largest()));
    f64::from(largest) / f64::from(1 << 23)
}

/// Bodies that overlap a moving obstacle are reported, and counted.
fn count_squeezed<const D: usize>(
    flock: &Flock<D>,
    radii: &[f32],
    at: &dyn Fn() -> String,
) -> usize {
    let told = |id: BoidId| flock.events().contains(&Event::Squeezed { boid: id });
    let Some(course) = flock.obstacles().filter(|course| course.moves()) else { return 0 };
    let rounding = 64.0 * grain(flock);
    for boid in flock.frame().by_slot() {
        let deep = f64::from(radii[boid.id.get() as usize]) - course.distance(0, boid.position);
        assert!(
            deep < rounding || told(boid.id),
            "{} is squeezed by {deep} and not reported {}",
            boid.id,
            at()
        );
    }
    flock.events().iter().filter(|event| matches!(event, Event::Squeezed { .. })).count()
}

/// Steps a case and returns its least gaps, and how often a body was squeezed. When half have left
/// an absorbing domain, another flock goes on.
fn run<const D: usize>(case: &Case, count: usize, steps: usize, every: usize) -> (Gaps, usize) {
    let mut seed = 1;
    let (mut flock, mut radii) = begin::<D>(case, count, seed);
    let mut random = Random::new(7);
    let dt = TimeStep::new(case.dt).unwrap();
    let (mut ruler, mut squeezed) = (Ruler::default(), 0);
    let mut worst = ruler.measure(&flock, &radii);
    for step in 1..=steps {
        if 2 * flock.len() < radii.len() {
            seed += 1;
            (flock, radii) = begin::<D>(case, count, seed);
        } else if step % 500 == 0 && flock.domain().boundary != Boundary::Open {
            let corners = (flock.domain().min, flock.domain().max);
            aim(case, &mut flock, &mut random, corners);
        }
        flock.step(dt);
        let at = || format!("after step {step} of {count} bodies: {case:?}");
        if step % every == 0 || step == steps {
            squeezed += count_squeezed(&flock, &radii, &at);
            let gaps = ruler.measure(&flock, &radii);
            assert!(gaps.bodies >= 0.0, "bodies overlap by {:e} {}", -gaps.bodies, at());
            assert!(
                gaps.obstacles >= 0.0,
                "an obstacle overlaps a body by {:e} {}",
                -gaps.obstacles,
                at()
            );
            assert!(
                gaps.faces >= -grain(&flock),
                "a face overlaps a body by {:e} {}",
                -gaps.faces,
                at()
            );
            worst = worst.and(gaps);
        }
    }
    (worst, squeezed)
}

/// Runs cases on as many threads as there are, and prints what they came to.
fn run_all(what: &str, cases: &[Case], count: usize, steps: usize, every: usize) {
    let (next, told) = (AtomicUsize::new(0), Mutex::new(Gaps::NONE));
    let begun = Instant::now();
    let work = || {
        while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            let begun = Instant::now();
            let run = if case.dimensions == 2 { run::<2> } else { run::<3> };
            let (gaps, squeezed) = run(case, count, steps, every);
            println!(
                "{gaps:?}, squeezed {squeezed}, {:.2} s: {case:?}",
                begun.elapsed().as_secs_f64()
            );
            let mut told = told.lock().unwrap();
            *told = told.and(gaps);
        }
    };
    std::thread::scope(|scope| {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().for_each(|worker| {
            worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        });
    });
    let Gaps { bodies, faces, obstacles } = told.into_inner().unwrap();
    println!(
        "{what}: {} cases of {steps} steps of {count} bodies in {:.1} s: worst gap {bodies:e}, to \
            faces {faces:e}, to obstacles {obstacles:e}",
        cases.len(),
        begun.elapsed().as_secs_f64()
    );
}

#[test]
fn two_hundred_bodies_never_overlap() {
    let cases = cases();
    let steps = if tier::full() { 1_000_000 / cases.len() + 1 } else { 150 };
    run_all("200 bodies", &cases, 200, steps, 1);
}

#[test]
fn twenty_thousand_bodies_never_overlap() {
    // One of five, every world and urge among them.
    let cases: Vec<Case> = cases().into_iter().skip(1).step_by(4).collect();
    let steps = if tier::full() { 10_000 / cases.len() + 1 } else { 3 };
    run_all(
        "20,000 bodies",
        &cases,
        if tier::full() { 20_000 } else { 4_000 },
        steps,
        if tier::full() { 10 } else { 1 },
    );
}
