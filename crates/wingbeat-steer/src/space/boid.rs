//! A boid: its state, and what holds for every boid: when it is at rest, when two coincide.

use crate::Vector;

/// Below this speed a boid is at rest and has no heading.
pub const REST_SPEED: f32 = 1e-15;

/// Two boids are coincident, written d = 0, when d² ≤ r²·2⁻⁴⁰.
pub const COINCIDENT: f32 = 1.0 / 1_099_511_627_776.0;

/// One boid's state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TextbookBoid<V> {
    /// Identity: never position, never index.
    pub id: u64,
    /// Position, length.
    pub position: V,
    /// Velocity, length/time.
    pub velocity: V,
}

/// Heading h = v·(1/‖v‖), zero at rest.
pub fn heading<V: Vector>(velocity: V) -> V {
    let speed = velocity.norm_plain();
    if speed < REST_SPEED { V::origin() } else { velocity.times(1.0 / speed) }
}
