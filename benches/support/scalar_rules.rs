//! The benchmark rules for one boid after the other, the same code for every scalar engine: the
//! baseline and the peers.
//!
//! So what the benchmarks compare is the search for neighbors and what it allows, never who wrote
//! the better rules.

use wingbeat::Params;
use wingbeat::steer::Vector;

use crate::points::RADIUS;

/// Position and velocity together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Boid<const D: usize> {
    /// Where it is.
    pub position: [f32; D],
    /// How it moves.
    pub velocity: [f32; D],
}

impl<const D: usize> Default for Boid<D> {
    fn default() -> Self {
        Self { position: [0.0; D], velocity: [0.0; D] }
    }
}

/// What the scalar engines need of the parameters.
#[derive(Clone, Copy, Debug)]
pub struct ScalarRules {
    /// Cosine of half the field of view, but all round.
    pub cos_half: Option<f32>,
    /// Of separation, alignment and cohesion.
    pub weights: [f32; 3],
    /// Longest force.
    pub max_force: f32,
    /// Highest speed.
    pub max_speed: f32,
}

impl ScalarRules {
    /// From parameters of the benchmark rules' kind: one sight, raw responses.
    pub fn new(params: &Params) -> Self {
        Self {
            cos_half: params.rules.cohesion.and_then(|c| c.perception.view.cos_half()),
            weights: [
                params.rules.separation.map_or(0.0, |r| r.weight),
                params.rules.alignment.map_or(0.0, |r| r.weight),
                params.rules.cohesion.map_or(0.0, |r| r.weight),
            ],
            max_force: params.agent.max_force,
            max_speed: params.agent.max_speed,
        }
    }
}

/// What one boid has seen so far.
#[derive(Clone, Copy, Debug)]
pub struct Sums<const D: usize> {
    n: f32,
    separation: [f32; D],
    alignment: [f32; D],
    cohesion: [f32; D],
}

impl<const D: usize> Default for Sums<D> {
    fn default() -> Self {
        Self { n: 0.0, separation: [0.0; D], alignment: [0.0; D], cohesion: [0.0; D] }
    }
}

impl<const D: usize> Sums<D> {
    /// Adds a neighbor in range, at `offset` and distance `d`, if it is in sight.
    #[inline(always)]
    pub fn add(
        &mut self,
        offset: [f32; D],
        d: f32,
        heading: [f32; D],
        velocity: [f32; D],
        rules: &ScalarRules,
    ) {
        if let Some(cos_half) = rules.cos_half
            && offset.inner(heading) < cos_half * d
        {
            return;
        }
        self.n += 1.0;
        self.alignment = self.alignment.plus(velocity);
        self.cohesion = self.cohesion.plus(offset);
        if d < RADIUS * 0.5 {
            self.separation = self.separation.minus(offset.times(1.0 / d - 2.0 / RADIUS));
        }
    }

    /// Adds `other` if it is in range and in sight, in a world without images.
    #[inline(always)]
    pub fn look(&mut self, own: [f32; D], heading: [f32; D], other: &Boid<D>, rules: &ScalarRules) {
        let offset = other.position.minus(own);
        let d_sq = offset.norm_sq();
        if d_sq <= RADIUS * RADIUS {
            self.add(offset, d_sq.sqrt(), heading, other.velocity, rules);
        }
    }

    /// The combined force on a boid with velocity `own`.
    #[inline(always)]
    pub fn force(&self, own: [f32; D], rules: &ScalarRules) -> [f32; D] {
        if self.n == 0.0 {
            return [0.0; D];
        }
        let [separation, alignment, cohesion] = rules.weights;
        let alignment = self.alignment.times(1.0 / self.n).minus(own).times(alignment);
        let cohesion = self.cohesion.times(1.0 / self.n).times(cohesion);
        self.separation
            .times(separation)
            .plus(alignment)
            .plus(cohesion)
            .truncate_to(rules.max_force)
    }
}

/// Moves a boid in the box from the origin to `side`: through its faces if `PERIODIC`, back from
/// them otherwise.
#[inline(always)]
pub fn integrate<const D: usize, const PERIODIC: bool>(
    boid: &mut Boid<D>,
    force: [f32; D],
    rules: &ScalarRules,
    dt: f32,
    side: f32,
) {
    boid.velocity = boid.velocity.plus(force.times(dt)).truncate_to(rules.max_speed);
    for a in 0..D {
        let x = boid.position[a] + boid.velocity[a] * dt;
        boid.position[a] = if x < 0.0 {
            if PERIODIC { x + side } else { -x }
        } else if if PERIODIC { x >= side } else { x > side } {
            if PERIODIC { x - side } else { 2.0 * side - x }
        } else {
            x
        };
        if !PERIODIC && (x < 0.0 || x > side) {
            boid.velocity[a] = -boid.velocity[a];
        }
    }
}
