//! The benchmark rules (docs/PERFORMANCE.md) and states: the same for every engine measured.

use wingbeat::{
    Alignment, Cohesion, Domain, Flock, FlockBuilder, Params, Perception, Rules, Separation, Shape,
    Spawn, TimeStep, steer::FieldOfView,
};

use crate::scalar_rules::Boid;

/// Perception radius of alignment and cohesion; separation has half of it.
pub const RADIUS: f32 = 1.0;
/// A little more: what a search must cover so that rounding inside it cannot lose a neighbor.
/// Which boids are in range is then decided by one pair test, the same for all.
pub const REACH: f32 = RADIUS * (1.0 + 1.0 / 65536.0);
/// Time step of the whole-step benchmarks.
pub const DT: f32 = 0.02;

/// Boids in one clump of the `clumped` and `sparse` states.
const CLUMP: usize = 500;

/// Separation `linear` at r/2, alignment and cohesion at r, one shared 240° sight, raw responses.
pub fn rules() -> Params {
    rules_with(FieldOfView::degrees(240.0))
}

/// The same with another sight.
pub fn rules_with(view: FieldOfView) -> Params {
    let seen = |radius| Perception { radius, view, near_radius: 0.0, nearest: None };
    Params {
        rules: Rules {
            separation: Some(Separation {
                weight: 2.5,
                perception: seen(RADIUS * 0.5),
                ..Default::default()
            }),
            alignment: Some(Alignment { perception: seen(RADIUS), ..Default::default() }),
            cohesion: Some(Cohesion { perception: seen(RADIUS), ..Default::default() }),
            ..Default::default()
        },
        ..Default::default()
    }
}

/// Who is where, and in which world.
#[derive(Clone, Debug)]
pub struct State<const D: usize> {
    /// By id.
    pub boids: Vec<Boid<D>>,
    /// The world's edges.
    pub domain: Domain<[f32; D]>,
    /// What the boids go by.
    pub params: Params,
}

impl<const D: usize> State<D> {
    /// A flock in this state.
    pub fn flock(&self) -> FlockBuilder<D> {
        let (positions, velocities): (Vec<_>, Vec<_>) =
            self.boids.iter().map(|b| (b.position, b.velocity)).unzip();
        FlockBuilder::default()
            .params(self.params.clone())
            .domain(self.domain)
            .seed(1)
            .boids(&positions, &velocities)
    }

    /// Mean number of others within a radius, counted.
    pub fn counted(&self) -> f64 {
        self.flock().build().expect("a valid flock").mean_neighbors()
    }

    /// The state of a flock, its ids numbered anew in slot order: neighbors in space are
    /// neighbors in memory, which is kind to engines that keep the order they are given.
    pub fn of(mut flock: Flock<D>) -> Self {
        flock.sort();
        let boids = flock
            .frame()
            .by_slot()
            .map(|b| Boid { position: b.position, velocity: b.velocity })
            .collect();
        Self { boids, domain: *flock.domain(), params: flock.params().clone() }
    }

    /// The same after it has flocked for a while: clustered, aligned.
    pub fn evolved(&self, steps: usize) -> Self {
        let mut flock = self.flock().build().expect("a valid flock");
        let dt = TimeStep::new(DT).expect("a valid time step");
        for _ in 0..steps {
            flock.step(dt);
        }
        Self::of(flock)
    }
}

/// Volume of the sphere (area of the circle) of one radius.
fn reach_volume<const D: usize>() -> f64 {
    if D == 2 { std::f64::consts::PI } else { 4.0 / 3.0 * std::f64::consts::PI }
}

/// The side of a cube (square) of this volume.
fn side_of<const D: usize>(volume: f64) -> f64 {
    if D == 2 { volume.sqrt() } else { root3(volume) }
}

/// Side of the periodic box in which `n` boids have on average `k` neighbors in range.
pub fn side<const D: usize>(n: usize, k: f64) -> f32 {
    side_of::<D>(n as f64 * reach_volume::<D>() / k) as f32
}

/// Side of the box without images in which `n` boids have on average `k` neighbors in range:
/// smaller, because boids at a face have none behind it. The share of pairs closer than s sides
/// is the product of (1 − |offset|) over the axes, which is how much of a unit box overlaps itself
/// after that offset, integrated over the ball of radius s: a polynomial, bisected.
pub fn walled_side<const D: usize>(n: usize, k: f64) -> f32 {
    let pi = std::f64::consts::PI;
    let share = |s: f64| {
        let (s2, s3) = (s * s, s * s * s);
        if D == 2 {
            pi * s2 - 8.0 / 3.0 * s3 + s2 * s2 / 2.0
        } else {
            4.0 / 3.0 * pi * s3 - 1.5 * pi * s2 * s2 + 1.6 * s2 * s3 - s3 * s3 / 6.0
        }
    };
    let (mut low, mut high) = (1.0, f64::from(side::<D>(n, k)));
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if (n - 1) as f64 * share(1.0 / middle) > k { low = middle } else { high = middle }
    }
    low as f32
}

/// Cube root by Newton's method (the platform's is banned by the determinism contract, and a
/// benchmark is no exception).
fn root3(x: f64) -> f64 {
    (0..200).fold(if x > 1.0 { x } else { 1.0 }, |root, _| {
        root - (root * root * root - x) / (3.0 * root * root)
    })
}

fn spawn<const D: usize>(shape: Shape<D>) -> Spawn<D> {
    Spawn { shape, speed: 1.0, speed_spread: 0.5, ..Spawn::default() }
}

fn settled<const D: usize>(
    positions: &[[f32; D]],
    velocities: &[[f32; D]],
    domain: Domain<[f32; D]>,
) -> State<D> {
    let builder = FlockBuilder::default().params(rules()).domain(domain).seed(1);
    State::of(builder.boids(positions, velocities).build().expect("a valid flock"))
}

/// `n` uniform boids with `k` neighbors each, in a periodic box.
pub fn uniform<const D: usize>(n: usize, k: f64) -> State<D> {
    let (min, max) = ([0.0; D], [side::<D>(n, k); D]);
    let (positions, velocities) = spawn(Shape::Box { min, max }).place(n, 1);
    settled(&positions, &velocities, Domain::periodic(min, max))
}

/// `n` uniform boids with `k` neighbors each, in a box with mirrors for faces: no image is seen
/// through them, so that engines without periodic search do the same work.
pub fn mirrored<const D: usize>(n: usize, k: f64) -> State<D> {
    let (min, max) = ([0.0; D], [walled_side::<D>(n, k); D]);
    let (positions, velocities) = spawn(Shape::Box { min, max }).place(n, 1);
    settled(&positions, &velocities, Domain::reflecting(min, max))
}

/// Balls of 500 boids with middles anywhere in a cube; inside a ball the density of `k` neighbors,
/// times `packing` in turn.
fn clumps<const D: usize>(
    n: usize,
    k: f64,
    cube: f32,
    packing: &[f64],
) -> (Vec<[f32; D]>, Vec<[f32; D]>) {
    let (min, max) = ([0.0; D], [cube; D]);
    let (centers, _) = spawn(Shape::Box { min, max }).place(n.div_ceil(CLUMP), 2);
    let (mut positions, mut velocities) = (Vec::with_capacity(n), Vec::with_capacity(n));
    for (clump, &center) in centers.iter().enumerate() {
        let members = CLUMP.min(n - positions.len());
        // A ball of radius R holds R^D times what one of one radius does.
        let radius = side_of::<D>(members as f64 / (k * packing[clump % packing.len()])) as f32;
        let (p, v) = spawn(Shape::Ball { center, radius }).place(members, 3 + clump as u64);
        positions.extend(p);
        velocities.extend(v);
    }
    (positions, velocities)
}

/// The box of [`uniform`], but the boids in balls of 500 whose density is 1, 8 and 64 times the
/// uniform one, in turn.
pub fn clumped<const D: usize>(n: usize, k: f64) -> State<D> {
    let cube = side::<D>(n, k);
    let (positions, velocities) = clumps(n, k, cube, &[1.0, 8.0, 64.0]);
    settled(&positions, &velocities, Domain::periodic([0.0; D], [cube; D]))
}

/// A nearly empty open world of 10,000 radii a side with balls of 500 boids in it, of the uniform
/// density: no dense grid is in proportion, so rows are sparse.
pub fn sparse<const D: usize>(n: usize, k: f64) -> State<D> {
    let (positions, velocities) = clumps(n, k, 10_000.0, &[1.0]);
    settled(&positions, &velocities, Domain::open())
}

/// `n` boids that all have each other in range: a ball of half a radius in a periodic box.
pub fn one_radius<const D: usize>(n: usize) -> State<D> {
    let ball = Shape::Ball { center: [5.0; D], radius: 0.499 * RADIUS };
    let (positions, velocities) = spawn(ball).place(n, 1);
    settled(&positions, &velocities, Domain::periodic([0.0; D], [10.0; D]))
}
