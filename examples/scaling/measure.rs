//! One point: builds the flock, steps it, times every step.

use std::alloc::System;
use std::time::Instant;

use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
use wingbeat::{Domain, Flock, FlockError, Level, Shape, Spawn, TimeStep};
use wingbeat_benches::points::{DT, rules, side};

use crate::plan::{Pace, Point};

/// Counts what is allocated, for the whole program and all threads.
#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Steps that bring the order, the buffers and the list capacities to what they stay.
pub const WARM_UP_STEPS: usize = 3;
/// Timed even when they take longer than the budget, if a flock is timed that many.
const FEWEST_STEPS: usize = 5;

/// What came out at a point.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    pub point: Point,
    pub level: Level,
    /// Median of all timed steps.
    pub ns_per_boid: f64,
    /// Quartiles of all timed steps.
    pub ns_quartiles: [f64; 2],
    /// How many steps were timed.
    pub steps: usize,
    /// What the flock has allocated, buffers included, after the warm-up: nothing of it is more
    /// than that in memory.
    pub bytes_per_boid: f64,
    /// Others in range, counted after the last step.
    pub neighbors: f64,
}

impl Measured {
    /// Boids times steps, per second.
    pub fn boid_steps_per_second(&self) -> f64 {
        1e9 / self.ns_per_boid
    }

    /// Steps per second of the whole flock.
    pub fn steps_per_second(&self) -> f64 {
        self.boid_steps_per_second() / self.point.boids as f64
    }
}

/// Most memory a point takes. What setting up needs beside the flock is gone again before its last
/// buffers grow: at three million boids in 3-D the most in use was 93 bytes a boid, where this
/// allows 124.
pub fn bytes_needed(point: &Point) -> u128 {
    if point.dimensions == 2 {
        wingbeat::memory::bytes_for::<2>(point.boids)
    } else {
        wingbeat::memory::bytes_for::<3>(point.boids)
    }
}

/// Measures a point; `between` is called between steps, off the clock.
pub fn measure(
    point: Point,
    pace: Pace,
    between: &mut dyn FnMut(),
) -> Result<Measured, FlockError> {
    if point.dimensions == 2 {
        time::<2>(point, pace, between)
    } else {
        time::<3>(point, pace, between)
    }
}

fn time<const D: usize>(
    point: Point,
    pace: Pace,
    between: &mut dyn FnMut(),
) -> Result<Measured, FlockError> {
    let started = Instant::now();
    let dt = TimeStep::new(DT)?;
    let mut times = Vec::new();
    loop {
        let before = live_bytes();
        let mut flock = uniform::<D>(point)?;
        (0..WARM_UP_STEPS).for_each(|_| flock.step(dt));
        let bytes = live_bytes() - before;
        // Every flock goes through the same few steps, so that small ones are no older than large
        // ones.
        for _ in 0..pace.steps {
            if started.elapsed() > pace.budget && times.len() >= FEWEST_STEPS {
                break;
            }
            let start = Instant::now();
            flock.step(dt);
            times.push(start.elapsed().as_secs_f64() * 1e9 / point.boids as f64);
            between();
        }
        if started.elapsed() > pace.budget {
            times.sort_by(f64::total_cmp);
            return Ok(Measured {
                point,
                level: flock.level(),
                ns_per_boid: quantile(&times, 0.5),
                ns_quartiles: [quantile(&times, 0.25), quantile(&times, 0.75)],
                steps: times.len(),
                bytes_per_boid: bytes as f64 / point.boids as f64,
                neighbors: flock.mean_neighbors(),
            });
        }
    }
}

/// The flock at its start: anywhere in a periodic box, with any heading.
fn uniform<const D: usize>(point: Point) -> Result<Flock<D>, FlockError> {
    let (min, max) = ([0.0; D], [side::<D>(point.boids, point.neighbors as f64); D]);
    let spawn =
        Spawn { shape: Shape::Box { min, max }, speed: 1.0, speed_spread: 0.5, ..Spawn::default() };
    let builder = Flock::builder().params(rules()).domain(Domain::periodic(min, max)).seed(1);
    builder.spawn(point.boids, spawn).threads(point.threads).build()
}

fn live_bytes() -> usize {
    let stats = ALLOCATOR.stats();
    stats.bytes_allocated - stats.bytes_deallocated
}

/// The value a share of `sorted` lies below, between two values in proportion; `sorted` is not
/// empty.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * (sorted.len() - 1) as f64;
    let (low, part) = (place as usize, place.fract());
    let high = (low + 1).min(sorted.len() - 1);
    sorted[low] + (sorted[high] - sorted[low]) * part
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_median_is_in_the_middle() {
        assert_eq!(quantile(&[7.0], 0.5), 7.0);
        assert_eq!(quantile(&[1.0, 2.0, 30.0], 0.5), 2.0);
        assert_eq!(quantile(&[1.0, 2.0, 4.0, 50.0], 0.5), 3.0);
        assert_eq!(quantile(&[0.0, 1.0, 2.0, 3.0, 4.0], 0.25), 1.0);
    }
}
