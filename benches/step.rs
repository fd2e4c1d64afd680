//! The step and its three rooms: `cargo bench --bench step`, or a part: `cargo bench --bench step -- steer/3d/k20`.
//!
//! Ids: `{step,sort,steer,integrate}/{2d,3d}/k…/n…/{uniform,evolved}/t{1,max}/{scalar_grid,portable,avx2,avx512}`.
#![allow(missing_docs)]

use std::time::{Duration, Instant};

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use wingbeat::steer::Vector;
use wingbeat::{Flock, Level, TimeStep};
use wingbeat_benches::points::{DT, evolve, rules, uniform};
use wingbeat_benches::scalar_grid::ScalarGrid;

const NEIGHBORS: [usize; 4] = [8, 20, 60, 200];
const COUNTS: [usize; 3] = [10_000, 100_000, 1_000_000];

/// Where a measurement is taken.
#[derive(Clone, Copy)]
struct Point {
    n: usize,
    k: usize,
    evolved: bool,
    /// `None`: all threads there are.
    threads: Option<usize>,
}

impl Point {
    fn id(&self, room: &str, dimensions: usize) -> String {
        let state = if self.evolved { "evolved" } else { "uniform" };
        let threads = if self.threads == Some(1) { "t1" } else { "tmax" };
        format!("{room}/{dimensions}d/k{}/n{}/{state}/{threads}", self.k, self.n)
    }

    fn flock<const D: usize>(&self, level: Level) -> Flock<D>
    where
        [f32; D]: Vector,
    {
        let mut builder = uniform::<D>(self.n, self.k as f64).level(level);
        if let Some(threads) = self.threads {
            builder = builder.threads(threads);
        }
        let flock = builder.build().expect("a valid flock");
        // Three steps bring the order, the buffers and the list capacities to what they stay.
        evolve(flock, if self.evolved { 300 } else { 3 })
    }
}

fn dt() -> TimeStep {
    TimeStep::new(DT).expect("a valid time step")
}

/// Time of `timed` over `iterations`, each after an `untimed` preparation.
fn time<T>(iterations: u64, subject: &mut T, mut untimed: impl FnMut(&mut T), mut timed: impl FnMut(&mut T)) -> Duration {
    (0..iterations)
        .map(|_| {
            untimed(subject);
            let start = Instant::now();
            timed(subject);
            start.elapsed()
        })
        .sum()
}

fn group<'a>(c: &'a mut Criterion, name: String, n: usize) -> BenchmarkGroup<'a, WallTime> {
    let mut group = c.benchmark_group(name);
    group.sampling_mode(SamplingMode::Flat).sample_size(10).throughput(Throughput::Elements(n as u64));
    group.warm_up_time(Duration::from_millis(200)).measurement_time(Duration::from_millis(1000));
    group
}

fn engine<const D: usize>(c: &mut Criterion, point: Point)
where
    [f32; D]: Vector,
{
    for (room, best_only) in [("step", false), ("steer", false), ("sort", true), ("integrate", true)] {
        let mut group = group(c, point.id(room, D), point.n);
        for level in Level::available() {
            if best_only && level != Level::detect() {
                continue;
            }
            group.bench_function(level.name(), |b| {
                let mut flock = point.flock::<D>(level);
                flock.sort();
                flock.steer();
                b.iter_custom(|iterations| match room {
                    "step" => time(iterations, &mut flock, |_| (), |flock| flock.step(dt())),
                    "steer" => time(iterations, &mut flock, |_| (), |flock| flock.steer()),
                    // Boids move between two sorts as they do in a step.
                    "sort" => time(iterations, &mut flock, |flock| flock.integrate(dt()), |flock| flock.sort()),
                    _ => time(iterations, &mut flock, |_| (), |flock| flock.integrate(dt())),
                });
            });
        }
        let feasible = room == "step" || (room == "steer" && point.n < 1_000_000);
        if feasible && !point.evolved && point.threads == Some(1) {
            group.bench_function("scalar_grid", |b| {
                let mut grid = ScalarGrid::new(&point.flock::<D>(Level::detect()), &rules());
                grid.sort();
                b.iter_custom(|iterations| match room {
                    "step" => time(iterations, &mut grid, |_| (), |grid| grid.step(DT)),
                    _ => time(iterations, &mut grid, |_| (), |grid| grid.steer()),
                });
            });
        }
        group.finish();
    }
}

fn describe() {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let levels: Vec<_> = Level::available().iter().map(|level| level.name()).collect();
    println!("levels {levels:?}, {threads} threads, plain release build (no RUSTFLAGS)");
    for k in NEIGHBORS {
        let mean2 = uniform::<2>(10_000, k as f64).build().expect("a valid flock").mean_neighbors();
        let mean3 = uniform::<3>(10_000, k as f64).build().expect("a valid flock").mean_neighbors();
        println!("k{k}: counted neighbours in range {mean2:.2} in 2-D, {mean3:.2} in 3-D");
    }
}

fn benches(c: &mut Criterion) {
    describe();
    for n in COUNTS {
        for k in NEIGHBORS {
            let point = Point { n, k, evolved: false, threads: Some(1) };
            engine::<3>(c, point);
            engine::<2>(c, point);
        }
    }
    let point = Point { n: 100_000, k: 20, evolved: false, threads: None };
    engine::<3>(c, point);
    engine::<2>(c, point);
    engine::<3>(c, Point { n: 100_000, k: 20, evolved: true, threads: Some(1) });
}

criterion_group!(step, benches);
criterion_main!(step);
