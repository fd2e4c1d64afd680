//! The step and its three rooms: `cargo bench --bench step`, or a part: `cargo bench --bench
//! step -- steer/3d/k20`.
//!
//! Ids: `{step,sort,steer,integrate}/{2d,3d}/k…/n…/STATE/t{1,max}/LEVEL`, where STATE is `uniform`,
//! `clumped`, `evolved`, `sparse`, `sparse_rows` or `one_radius` and LEVEL `scalar_grid`,
//! `portable`, `avx2` or `avx512`; `step/2d/vicsek/n100000/uniform/t1/…` for the Vicsek model at 20
//! neighbors, and `…/nearest7/…`, `…/nearest16/…` after the threads where boids look at their
//! nearest alone; docs/PERFORMANCE.md says what the states are and which combinations exist. What
//! one thread does alone is `serial/…` (serial.rs).
#![allow(missing_docs)]

use std::cell::OnceCell;
use std::time::{Duration, Instant};

use criterion::measurement::WallTime;
use criterion::{
    BenchmarkGroup, Criterion, SamplingMode, Throughput, criterion_group, criterion_main,
};
use wingbeat::steer::model::Vicsek1995;
use wingbeat::{Flock, Level, Params, Storage, TimeStep};
use wingbeat_benches::machine;
use wingbeat_benches::points::{DT, RADIUS, State, clumped, one_radius, rules, sparse, uniform};
use wingbeat_benches::scalar_grid::ScalarGrid;
use wingbeat_benches::scalar_vicsek::ScalarVicsek;

mod serial;

const NEIGHBORS: [usize; 4] = [8, 20, 60, 200];
const COUNTS: [usize; 3] = [10_000, 100_000, 1_000_000];

/// Boids move between two restarts for at most as many steps: more, and fast levels would measure a
/// flock that has evolved further than slow ones'.
const ROUND: u64 = 16;

/// The Vicsek flock: fast enough to mix, and ordered.
const MODEL: Vicsek1995 = Vicsek1995 { speed: 1.0, radius: RADIUS, noise: 2.0 };

const ROOMS: [&str; 4] = ["step", "steer", "sort", "integrate"];

/// Where boids are.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Uniform,
    Clumped,
    Evolved,
    Sparse,
    /// The uniform state in sparse storage, which a world of its size does not need.
    SparseRows,
    OneRadius,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Uniform => "uniform",
            Self::Clumped => "clumped",
            Self::Evolved => "evolved",
            Self::Sparse => "sparse",
            Self::SparseRows => "sparse_rows",
            Self::OneRadius => "one_radius",
        }
    }

    fn state<const D: usize>(self, n: usize, k: usize) -> State<D> {
        let k = k as f64;
        match self {
            Self::Uniform | Self::SparseRows => uniform(n, k),
            Self::Clumped => clumped(n, k),
            Self::Evolved => uniform(n, k).evolved(300),
            Self::Sparse => sparse(n, k),
            Self::OneRadius => one_radius(n),
        }
    }
}

/// Where a measurement is taken.
#[derive(Clone, Copy)]
struct Point {
    n: usize,
    k: usize,
    kind: Kind,
    /// `None`: all threads there are.
    threads: Option<usize>,
    /// Beside the levels.
    baseline: bool,
    /// The best level alone.
    best_only: bool,
    /// A neighbor cap.
    nearest: Option<u32>,
    /// The Vicsek model instead of the rules.
    vicsek: bool,
}

impl Point {
    fn new(n: usize, k: usize, kind: Kind) -> Self {
        Self {
            n,
            k,
            kind,
            threads: Some(1),
            baseline: false,
            best_only: false,
            nearest: None,
            vicsek: false,
        }
    }

    fn id(&self, room: &str, dimensions: usize) -> String {
        let threads = if self.threads == Some(1) { "t1" } else { "tmax" };
        let nearest = self.nearest.map_or(String::new(), |k| format!("/nearest{k}"));
        let rules = if self.vicsek { "vicsek".to_string() } else { format!("k{}", self.k) };
        format!("{room}/{dimensions}d/{rules}/n{}/{}/{threads}{nearest}", self.n, self.kind.name())
    }

    fn state<const D: usize>(&self) -> State<D> {
        let state = self.kind.state::<D>(self.n, self.k);
        let name = self.kind.name();
        if self.kind == Kind::OneRadius {
            println!("{D}-D, {} boids, {name}: every boid in range of every boid", self.n);
            return state;
        }
        println!(
            "{D}-D, {} boids, {name}: {:.2} neighbors in range on average",
            self.n,
            state.counted()
        );
        state
    }

    fn flock<const D: usize>(&self, state: &State<D>, level: Level) -> Flock<D> {
        let rules = Params { max_neighbors: self.nearest, ..rules() };
        let params = if self.vicsek {
            Params { model: Some(MODEL.into()), ..Params::default() }
        } else {
            rules
        };
        let mut builder = state.flock().params(params).level(level);
        if let Some(threads) = self.threads {
            builder = builder.threads(threads);
        }
        if self.kind == Kind::SparseRows {
            builder = builder.storage(Storage::Sparse);
        }
        builder.build().expect("a valid flock")
    }

    fn levels(&self, room: &str) -> Vec<Level> {
        let all = Level::available();
        // Sorting and integrating are much the same at every level.
        if self.best_only || room == "sort" || room == "integrate" {
            vec![Level::detect()]
        } else {
            all
        }
    }

    /// At a million boids the baseline takes seconds a step where neighbors are many: left out, so
    /// that everything together stays under a quarter of an hour.
    fn has_baseline(&self, room: &str) -> bool {
        let large = self.n >= 1_000_000;
        self.baseline && (room == "step" && (!large || self.k <= 20) || room == "steer" && !large)
    }
}

/// A flock somewhere in a round.
struct Rounds<const D: usize> {
    flock: Flock<D>,
    steps: u64,
}

impl<const D: usize> Rounds<D> {
    fn new(point: &Point, state: &State<D>, level: Level) -> Self {
        Self { flock: point.flock(state, level), steps: 0 }
    }

    /// Time of a room over some iterations. Restarts are not counted, nor the first step after one,
    /// which allocates.
    fn time(&mut self, point: &Point, room: &str, iterations: u64, state: &State<D>) -> Duration {
        let mut total = Duration::ZERO;
        for _ in 0..iterations {
            if self.steps.is_multiple_of(ROUND) {
                self.flock = point.flock(state, self.flock.level());
                self.flock.step(dt());
                self.flock.sort();
                self.flock.steer();
            }
            self.steps += 1;
            if room == "sort" {
                // Boids move between two sorts as they do in a step.
                self.flock.integrate(dt());
            }
            let start = Instant::now();
            match room {
                "step" => self.flock.step(dt()),
                "sort" => self.flock.sort(),
                "steer" => self.flock.steer(),
                _ => self.flock.integrate(dt()),
            }
            total += start.elapsed();
        }
        total
    }
}

fn dt() -> TimeStep {
    TimeStep::new(DT).expect("a valid time step")
}

fn group<'a>(c: &'a mut Criterion, name: String, n: usize) -> BenchmarkGroup<'a, WallTime> {
    let mut group = c.benchmark_group(name);
    group
        .sampling_mode(SamplingMode::Flat)
        .sample_size(10)
        .throughput(Throughput::Elements(n as u64));
    group.warm_up_time(Duration::from_millis(200)).measurement_time(Duration::from_millis(1000));
    group
}

fn measure<const D: usize>(c: &mut Criterion, point: Point, rooms: &[&str]) {
    // Nothing is built for points that a filter leaves out, and what is built serves all levels and
    // rooms.
    let state = OnceCell::new();
    let state = || state.get_or_init(|| point.state::<D>());
    for &room in rooms {
        let mut group = group(c, point.id(room, D), point.n);
        for level in point.levels(room) {
            let mut rounds = None;
            group.bench_function(level.name(), |b| {
                let rounds = rounds.get_or_insert_with(|| Rounds::new(&point, state(), level));
                b.iter_custom(|iterations| rounds.time(&point, room, iterations, state()));
            });
        }
        if point.has_baseline(room) {
            let mut grid = None;
            group.bench_function("scalar_grid", |b| {
                let (grid, steps) =
                    grid.get_or_insert_with(|| (ScalarGrid::<D, true>::new(state(), &rules()), 0));
                b.iter_custom(|iterations| baseline(room, iterations, grid, steps, state()));
            });
        }
        group.finish();
    }
}

/// As [`Rounds::time`], for the scalar grid.
fn baseline<const D: usize>(
    room: &str,
    iterations: u64,
    grid: &mut ScalarGrid<D, true>,
    steps: &mut u64,
    state: &State<D>,
) -> Duration {
    let mut total = Duration::ZERO;
    for _ in 0..iterations {
        if steps.is_multiple_of(ROUND) {
            grid.restart(&state.boids);
            grid.sort();
        }
        *steps += 1;
        let start = Instant::now();
        if room == "step" {
            grid.step(DT)
        } else {
            grid.steer()
        }
        total += start.elapsed();
    }
    total
}

fn both(c: &mut Criterion, point: Point, rooms: &[&str]) {
    measure::<3>(c, point, rooms);
    measure::<2>(c, point, rooms);
}

/// The Vicsek model in the plane, 20 neighbors on average, against a scalar cell list of the same
/// rule.
fn vicsek(c: &mut Criterion) {
    let point = Point { vicsek: true, ..Point::new(100_000, 20, Kind::Uniform) };
    measure::<2>(c, point, &["step"]);
    let name = point.id("step", 2);
    let (mut group, mut engine) = (group(c, name, point.n), None);
    group.bench_function("scalar_grid", |b| {
        let (state, grid) = engine.get_or_insert_with(|| {
            let state = point.state::<2>();
            let grid = ScalarVicsek::new(&state, MODEL);
            (state, grid)
        });
        b.iter_custom(|iterations| {
            let mut total = Duration::ZERO;
            for step in 0..iterations {
                if step.is_multiple_of(ROUND) {
                    grid.restart(&state.boids);
                }
                let start = Instant::now();
                grid.step(DT);
                total += start.elapsed();
            }
            total
        });
    });
    group.finish();
}

fn benches(c: &mut Criterion) {
    machine::announce();
    vicsek(c);
    for n in COUNTS {
        for k in NEIGHBORS {
            both(c, Point { baseline: true, ..Point::new(n, k, Kind::Uniform) }, &ROOMS);
        }
    }
    let n = 100_000;
    let all_threads = Point { threads: None, ..Point::new(n, 20, Kind::Uniform) };
    both(c, all_threads, &ROOMS);
    measure::<3>(c, Point::new(n, 20, Kind::Evolved), &ROOMS);

    let (step, sort) = (&ROOMS[..2], &["step", "sort"]);
    both(c, Point { nearest: Some(7), ..Point::new(n, 20, Kind::Uniform) }, step);
    both(c, Point { baseline: true, ..Point::new(n, 20, Kind::Clumped) }, step);
    both(c, Point { threads: None, best_only: true, ..Point::new(n, 20, Kind::Clumped) }, step);
    measure::<3>(
        c,
        Point { threads: None, best_only: true, ..Point::new(n, 20, Kind::Evolved) },
        step,
    );
    for kind in [Kind::Sparse, Kind::SparseRows] {
        both(c, Point { best_only: true, ..Point::new(n, 20, kind) }, sort);
    }
    // Here k is every other boid.
    let packed = Point { best_only: true, ..Point::new(10_000, 9_999, Kind::OneRadius) };
    measure::<3>(c, Point { baseline: true, ..packed }, step);
    measure::<2>(c, packed, step);
    both(c, Point { threads: None, ..packed }, step);
    // What a cap makes of a clump: to be compared with the uniform state of as many.
    both(c, Point { nearest: Some(16), ..Point::new(n, n - 1, Kind::OneRadius) }, &["step"]);
}

criterion_group!(step, benches, serial::benches);
criterion_main!(step);
