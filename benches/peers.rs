//! Other libraries beside Wingbeat: `cargo bench --features peers --bench peers`, or a part: `… --
//! peers/3d/k20/n10000`.
//!
//! Ids: `peers/{2d,3d}/k20/n…/ENGINE`, where ENGINE is `scalar_grid`, `wingbeat_avx512`,
//! `wingbeat_avx2`, `wingbeat_portable`, `zelll`, `kiddo` or `rstar`.
//! Whole steps in one thread; docs/PERFORMANCE.md says what is in them. Before a point is measured
//! its neighbors are counted by every engine, and the program ends if they do not all find the
//! same.
#![allow(missing_docs)]

use std::cell::OnceCell;
use std::process::exit;
use std::time::{Duration, Instant};

use criterion::{Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use wingbeat_benches::machine;
use wingbeat_benches::peers::{Stepper, agree, engines};
use wingbeat_benches::points::{State, mirrored};

const K: usize = 20;
/// Steps between two restarts, so that fast engines do not measure a flock that has evolved further
/// than slow ones'.
const ROUND: u64 = 8;

/// The state of a point, once all engines have agreed on it.
fn agreed<const D: usize>(n: usize) -> State<D> {
    let state = mirrored::<D>(n, K as f64);
    println!("{D}-D, {n} boids:");
    match agree(&state) {
        Ok(_) => state,
        Err(failures) => {
            eprintln!("the engines do not do the same work, so nothing is measured: {failures}");
            exit(1);
        }
    }
}

/// An engine's flock somewhere in a round.
struct Rounds<const D: usize> {
    engine: Box<dyn Stepper<D>>,
    steps: u64,
}

impl<const D: usize> Rounds<D> {
    /// Time of some steps; restarts are not counted, nor the first step after one, which finds
    /// other boids in the caches.
    fn time(&mut self, iterations: u64, state: &State<D>) -> Duration {
        let mut total = Duration::ZERO;
        for _ in 0..iterations {
            if self.steps.is_multiple_of(ROUND) {
                self.engine.restart(state);
                self.engine.step();
            }
            self.steps += 1;
            let start = Instant::now();
            self.engine.step();
            total += start.elapsed();
        }
        total
    }
}

fn point<const D: usize>(c: &mut Criterion, n: usize) {
    let mut group = c.benchmark_group(format!("peers/{D}d/k{K}/n{n}"));
    group
        .sampling_mode(SamplingMode::Flat)
        .sample_size(10)
        .throughput(Throughput::Elements(n as u64));
    group.warm_up_time(Duration::from_millis(200)).measurement_time(Duration::from_millis(1000));
    // Nothing is built for points that a filter leaves out.
    let state = OnceCell::new();
    for (name, make) in engines::<D>() {
        let mut rounds: Option<Rounds<D>> = None;
        group.bench_function(name, |b| {
            let state = state.get_or_init(|| agreed::<D>(n));
            let rounds = rounds.get_or_insert_with(|| Rounds { engine: make(state), steps: 0 });
            b.iter_custom(|iterations| rounds.time(iterations, state));
        });
    }
    group.finish();
}

fn peers(c: &mut Criterion) {
    machine::announce();
    for n in [10_000, 100_000, 1_000_000] {
        point::<3>(c, n);
    }
    for n in [10_000, 100_000] {
        point::<2>(c, n);
    }
}

criterion_group!(benches, peers);
criterion_main!(benches);
