//! Questions about places beside spatial indices: `cargo bench --features peers --bench queries`.
//!
//! Ids: `queries/{2d,3d}/k20/n100000/QUESTION/ENGINE`. QUESTION is `within` (all in a radius that
//! holds 20, with ids and distances), `nearest` (one), `nearest_n` (20, in order) or `build` (what
//! the first question after a step takes: order and index, or a tree); ENGINE is `wingbeat`,
//! `kiddo` or `rstar`. One thread; times of single questions about random points. Before anything
//! is measured all engines have to give the same answers.
#![allow(missing_docs)]

use std::hint::black_box;
use std::num::NonZero;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use kiddo::{ImmutableKdTree, SquaredEuclidean};
use rstar::RTree;
use rstar::primitives::GeomWithData;
use wingbeat::steer::Vector;
use wingbeat::{Flock, Shape, Spawn, TimeStep};
use wingbeat_benches::machine;
use wingbeat_benches::points::{DT, RADIUS, State, mirrored};

const BOIDS: usize = 100_000;
const K: usize = 20;
/// Questions that are asked in turn.
const ASKED: usize = 4096;

type Rstar<const D: usize> = RTree<GeomWithData<[f32; D], u32>>;

/// The same boids in every engine.
struct Engines<const D: usize> {
    flock: Flock<D>,
    kiddo: ImmutableKdTree<f32, D>,
    rstar: Rstar<D>,
    points: Vec<[f32; D]>,
}

fn kiddo_of<const D: usize>(positions: &[[f32; D]]) -> ImmutableKdTree<f32, D> {
    let builder = ImmutableKdTree::<f32, D>::builder().with_serial_construction();
    builder.build_from_slice(positions).expect("finite positions")
}

fn rstar_of<const D: usize>(positions: &[[f32; D]]) -> Rstar<D> {
    let numbered = positions.iter().zip(0..).map(|(&at, i)| GeomWithData::new(at, i));
    RTree::bulk_load(numbered.collect())
}

/// What all engines have to agree on: how many answers, and a sum of their ids and distances.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Sum {
    count: u64,
    ids: u64,
    distance: f32,
}

impl Sum {
    fn add(&mut self, id: u64, distance: f32) {
        self.count += 1;
        self.ids += id;
        self.distance += distance;
    }
}

impl<const D: usize> Engines<D> {
    fn new(state: &State<D>) -> Self {
        let flock = state.flock().threads(1).build().expect("a flock");
        let positions: Vec<[f32; D]> = flock.frame().by_id().map(|boid| boid.position).collect();
        let (min, max) = (state.domain.min, state.domain.max);
        let places = Spawn { shape: Shape::Box { min, max }, ..Spawn::default() };
        Self {
            kiddo: kiddo_of(&positions),
            rstar: rstar_of(&positions),
            points: places.place(ASKED, 9).0,
            flock,
        }
    }

    fn within(&self, engine: &str, point: [f32; D]) -> Sum {
        let (mut sum, radius_sq) = (Sum::default(), RADIUS * RADIUS);
        match engine {
            "wingbeat" => self
                .flock
                .within(point, RADIUS)
                .for_each(|boid| sum.add(boid.id.get(), boid.distance)),
            "kiddo" => self
                .kiddo
                .query(&point)
                .within::<SquaredEuclidean<f32>>(radius_sq)
                .unsorted()
                .visit(|found| sum.add(u64::from(found.item), found.distance.sqrt())),
            _ => self.rstar.locate_within_distance(point, radius_sq).for_each(|found| {
                sum.add(u64::from(found.data), found.geom().minus(point).norm());
            }),
        }
        sum
    }

    fn nearest(&self, engine: &str, point: [f32; D]) -> Sum {
        let mut sum = Sum::default();
        match engine {
            "wingbeat" => self
                .flock
                .nearest(point)
                .into_iter()
                .for_each(|boid| sum.add(boid.id.get(), boid.distance)),
            "kiddo" => {
                let query = self.kiddo.query(&point).nearest_one::<SquaredEuclidean<f32>>();
                let found = query.execute();
                sum.add(u64::from(found.item), found.distance.sqrt());
            }
            _ => {
                let found = self.rstar.nearest_neighbor_with_distance_2(point);
                let (found, distance_sq) = found.expect("a boid");
                sum.add(u64::from(found.data), distance_sq.sqrt());
            }
        }
        sum
    }

    fn nearest_n(&self, engine: &str, point: [f32; D]) -> Sum {
        let mut sum = Sum::default();
        match engine {
            "wingbeat" => self
                .flock
                .nearest_n(point, K)
                .for_each(|boid| sum.add(boid.id.get(), boid.distance)),
            "kiddo" => {
                let count = NonZero::new(K).expect("some");
                let query = self.kiddo.query(&point).nearest_n::<SquaredEuclidean<f32>>(count);
                for found in query.execute() {
                    sum.add(u64::from(found.item), found.distance.sqrt());
                }
            }
            _ => {
                let all = self.rstar.nearest_neighbor_iter_with_distance_2(point);
                for (found, distance_sq) in all.take(K) {
                    sum.add(u64::from(found.data), distance_sq.sqrt());
                }
            }
        }
        sum
    }
}

const ENGINES: [&str; 3] = ["wingbeat", "kiddo", "rstar"];

/// Ends the program unless all engines answer alike; distances are sums in different orders.
fn agree<const D: usize>(
    engines: &Engines<D>,
    question: &str,
    ask: fn(&Engines<D>, &str, [f32; D]) -> Sum,
) {
    for &point in &engines.points {
        let [one, others @ ..] = ENGINES.map(|engine| ask(engines, engine, point));
        for other in others {
            let gap = (one.distance - other.distance).abs();
            let same = (one.count, one.ids) == (other.count, other.ids);
            assert!(same && gap <= 1e-4 * one.distance, "{question} {point:?}: {one:?} {other:?}");
        }
    }
}

fn questions<const D: usize>(c: &mut Criterion) {
    let (state, mut engines) = (mirrored::<D>(BOIDS, K as f64), None);
    let name = |question: &str| format!("queries/{D}d/k{K}/n{BOIDS}/{question}");
    for (question, ask) in [
        ("within", Engines::<D>::within as fn(&Engines<D>, &str, [f32; D]) -> Sum),
        ("nearest", Engines::<D>::nearest),
        ("nearest_n", Engines::<D>::nearest_n),
    ] {
        let mut group = c.benchmark_group(name(question));
        group.throughput(Throughput::Elements(1));
        for engine in ENGINES {
            group.bench_function(engine, |b| {
                let engines = engines.get_or_insert_with(|| Engines::new(&state));
                agree(engines, question, ask);
                let mut next = 0;
                b.iter(|| {
                    next = (next + 1) % ASKED;
                    black_box(ask(engines, engine, engines.points[next]))
                });
            });
        }
        group.finish();
    }
    let mut group = c.benchmark_group(name("build"));
    group.sample_size(20);
    let (mut flock, dt) = (state.flock().threads(1).build().expect("a flock"), TimeStep::new(DT));
    let dt = dt.expect("a time step");
    let positions: Vec<[f32; D]> = flock.frame().by_id().map(|boid| boid.position).collect();
    group.bench_function("wingbeat", |b| {
        b.iter_custom(|iterations| {
            let mut total = std::time::Duration::ZERO;
            for _ in 0..iterations {
                // A step after a question ends with the index, one after that does not.
                (0..2).for_each(|_| flock.step(dt));
                let start = std::time::Instant::now();
                black_box(flock.nearest([0.0; D]));
                total += start.elapsed();
            }
            total
        });
    });
    group.bench_function("kiddo", |b| b.iter(|| kiddo_of(&positions)));
    group.bench_function("rstar", |b| b.iter(|| rstar_of(&positions)));
    group.finish();
}

fn queries(c: &mut Criterion) {
    machine::announce();
    questions::<3>(c);
    questions::<2>(c);
}

criterion_group!(benches, queries);
criterion_main!(benches);
