//! What one thread does alone in a step: `cargo bench --bench step -- serial`.
//!
//! A step takes serial + parallel / T on T threads, memory bandwidth aside (docs/PERFORMANCE.md).
//! Both parts are measured on **one** thread, so that no other core is needed and none disturbs:
//! the engine divides its work as for several threads, and counts the time inside of what they
//! would share. The serial part is the rest of the step.
//!
//! Ids: `serial/{2d,3d}/k20/n…/{plain,driven}/t1/{best level}`. `driven` has four species that
//! evade each other and tire, a goal, a wander and leaders, and boids that arrive.

use std::time::{Duration, Instant};

use criterion::{Criterion, SamplingMode, Throughput};
use wingbeat::drive::{Goal, Leader, WanderParameters};
use wingbeat::{
    Flock, Level, Params, Species, SpeciesId, TimeStep,
    steer::{Drive, Interaction, InteractionKind, Stamina},
};
use wingbeat_benches::points::{DT, RADIUS, State, rules, uniform};

/// Mean neighbors.
const NEIGHBORS: usize = 20;

/// Steps after which the flock begins anew, as in the other benchmarks.
const ROUND: usize = 16;

pub fn benches(c: &mut Criterion) {
    for n in [100_000, 1_000_000] {
        for driven in [false, true] {
            measure::<3>(c, n, driven);
            measure::<2>(c, n, driven);
        }
    }
}

fn measure<const D: usize>(c: &mut Criterion, n: usize, driven: bool) {
    let name =
        format!("serial/{D}d/k{NEIGHBORS}/n{n}/{}/t1", if driven { "driven" } else { "plain" });
    let mut group = c.benchmark_group(&name);
    group
        .sampling_mode(SamplingMode::Flat)
        .sample_size(10)
        .throughput(Throughput::Elements(n as u64));
    group.warm_up_time(Duration::from_millis(200)).measurement_time(Duration::from_millis(1000));
    let mut steps: Vec<[f64; 2]> = Vec::new();
    let mut rounds = None;
    group.bench_function(Level::detect().name(), |b| {
        let (state, flock, count) = rounds.get_or_insert_with(|| {
            let state = uniform::<D>(n, NEIGHBORS as f64);
            let flock = flock(&state, driven);
            (state, flock, 0_usize)
        });
        b.iter_custom(|iterations| {
            let mut total = Duration::ZERO;
            for _ in 0..iterations {
                *count += 1;
                if (*count).is_multiple_of(ROUND) {
                    *flock = self::flock(state, driven);
                }
                let _ = flock.clocked_time();
                let begun = Instant::now();
                flock.step(dt());
                let (step, shared) = (begun.elapsed(), flock.clocked_time());
                // Never nothing: a duration of zero has no logarithm.
                let serial = step.saturating_sub(shared).max(Duration::from_nanos(1));
                steps.push([serial, step].map(|time| time.as_secs_f64() * 1e9 / n as f64));
                total += serial;
            }
            total
        });
    });
    group.finish();
    if !steps.is_empty() {
        let [serial, step] = [0, 1].map(|which| {
            let mut times: Vec<f64> = steps.iter().map(|step| step[which]).collect();
            times.sort_unstable_by(f64::total_cmp);
            times[times.len() / 2]
        });
        let on = [8, 16, 64].map(|threads| serial + (step - serial) / f64::from(threads));
        println!(
            "{name}: one thread alone {serial:.3} of {step:.1} ns a boid (medians of {} steps); \
                modelled on 8, 16, 64 threads {:.2}, {:.2}, {:.2} ns\n",
            steps.len(),
            on[0],
            on[1],
            on[2],
        );
    }
}

fn dt() -> TimeStep {
    TimeStep::new(DT).expect("a valid time step")
}

/// The flock after a few steps, which allocate, measured from there on.
fn flock<const D: usize>(state: &State<D>, driven: bool) -> Flock<D> {
    let n = state.boids.len();
    let builder = state.flock().threads(1);
    let builder = if driven {
        builder
            .params(species())
            .species((0..n).map(|i| SpeciesId::new(i % 4)))
            .drives(drives(state))
    } else {
        builder
    };
    let mut flock = builder.build().expect("a valid flock");
    flock.start_clock();
    (0..3).for_each(|_| flock.step(dt()));
    flock
}

fn species() -> Params {
    let one = rules();
    let kind = |i: usize| Species {
        name: format!("kind {i}"),
        agent: one.agent,
        rules: one.rules,
        stamina: Some(Stamina::default()),
        ..Default::default()
    };
    let evade = |i: usize| {
        let [species, other] = [i, (i + 1) % 4].map(SpeciesId::new);
        Interaction::new(species, other, InteractionKind::Evade, RADIUS)
    };
    Params {
        species: (0..4).map(kind).collect(),
        interactions: (0..4).map(evade).collect(),
        combine: one.combine,
        expected_neighbors: one.expected_neighbors,
        ..Params::default()
    }
}

fn drives<const D: usize>(state: &State<D>) -> Vec<Drive<[f32; D]>> {
    let goal = Goal {
        target: Some(state.boids[0].position),
        arrival_radius: 5.0 * RADIUS,
        ..Default::default()
    };
    // One in a hundred follows the one before.
    let pairs = (1..state.boids.len() as u64).step_by(100).map(|id| (id, id - 1));
    vec![
        Drive::new("goal", goal),
        Drive::new("wander", WanderParameters::default()),
        Drive::new("after", Leader::each(pairs)),
        Drive::new("all", Leader::common(0)),
    ]
}
