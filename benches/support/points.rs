//! The benchmark rules (docs/PERFORMANCE.md) and states: the same for every engine measured.

use wingbeat::steer::Vector;
use wingbeat::{Alignment, Cohesion, Domain, Flock, FlockBuilder, Params, Perception, Separation, Shape, Spawn, TimeStep, View};

/// Perception radius of alignment and cohesion; separation has half of it.
pub const RADIUS: f32 = 1.0;
/// Time step of the whole-step benchmarks.
pub const DT: f32 = 0.02;

/// Separation `linear` at r/2, alignment and cohesion at r, one shared 240° sight, raw responses.
pub fn rules() -> Params {
    let view = View::degrees(240.0);
    let seen = |radius| Perception { radius, view, near_radius: 0.0 };
    Params {
        separation: Some(Separation { weight: 2.5, perception: seen(RADIUS * 0.5), ..Default::default() }),
        alignment: Some(Alignment { perception: seen(RADIUS), ..Default::default() }),
        cohesion: Some(Cohesion { perception: seen(RADIUS), ..Default::default() }),
        ..Default::default()
    }
}

/// Side of the periodic box in which `n` boids have on average `k` neighbours in range.
pub fn side<const D: usize>(n: usize, k: f64) -> f32 {
    let reach = if D == 2 { std::f64::consts::PI } else { 4.0 / 3.0 * std::f64::consts::PI };
    let volume = n as f64 * reach / k;
    (if D == 2 { volume.sqrt() } else { root3(volume) }) as f32
}

/// Cube root by Newton's method (the platform's is banned by the determinism contract, and a benchmark is no exception).
fn root3(x: f64) -> f64 {
    (0..60).fold(x.sqrt(), |root, _| root - (root * root * root - x) / (3.0 * root * root))
}

/// A builder for `n` uniform boids with `k` neighbours each.
pub fn uniform<const D: usize>(n: usize, k: f64) -> FlockBuilder<D>
where
    [f32; D]: Vector,
{
    let (min, max) = ([0.0; D], [side::<D>(n, k); D]);
    let spawn = Spawn { shape: Shape::Box { min, max }, speed: 1.0, speed_spread: 0.5, ..Spawn::default() };
    FlockBuilder::default().params(rules()).domain(Domain::periodic(min, max)).seed(1).spawn(n, &spawn)
}

/// The same flock after it has flocked for a while: clustered, aligned.
pub fn evolve<const D: usize>(mut flock: Flock<D>, steps: usize) -> Flock<D>
where
    [f32; D]: Vector,
{
    let dt = TimeStep::new(DT).expect("a valid time step");
    for _ in 0..steps {
        flock.step(dt);
    }
    flock
}
