//! Keyed noise: a number that depends on its key (seed, id, step, stream), never on time or thread.

use crate::Vector;

/// Stream numbers, so that two uses of noise for one boid in one step are independent.
pub mod stream {
    /// Direction in which coincident boids part (one stream per axis from here).
    pub const PART: u32 = 0;
    /// Wander: the turn; the next one is its direction along the sphere.
    pub const WANDER: u32 = 16;
    /// Turns and errors of models from the literature (from here on, up to four).
    pub const MODEL: u32 = 48;
    /// Noise that drives, two for each drive from here on.
    pub const DRIVE: u32 = 64;
    /// Noise on preferred velocities: two for its direction, one for its length; the fourth is the
    /// turn of the wish.
    pub const ANTICIPATION: u32 = 96;
    /// How long a boid waits before drives with a delay set it going; of step 0.
    pub const DELAY: u32 = 112;
    /// A boid's own maximum speed, where those of a flock differ; of step 0.
    pub const MAX_SPEED: u32 = 113;
    /// A boid's own time gap, where those of a flock differ; of step 0.
    pub const TIME_GAP: u32 = 115;
    /// Whose turn comes first, where boids move one after the other.
    pub const TURN: u32 = 120;
    /// Places where boids enter, four for each source from here on; keyed by their number and how
    /// many places were tried before.
    pub const SOURCE: u32 = 128;
}

/// A fixed 32-bit mixing round (Wellons' `lowbias32`): every input bit reaches every output bit.
#[inline(always)]
pub const fn mix(mut h: u32) -> u32 {
    h ^= h >> 16;
    h = h.wrapping_mul(0x7feb_352d);
    h ^= h >> 15;
    h = h.wrapping_mul(0x846c_a68b);
    h ^ (h >> 16)
}

/// What the first two of the rounds make of the seed: the same for a whole flock.
#[inline]
pub const fn seeded(seed: u64) -> u32 {
    mix(mix((seed as u32).wrapping_add(0x9e37_79b9)) ^ (seed >> 32) as u32)
}

/// 32 hashed bits of (seed, id, step, stream): seven mixing rounds, one per 32-bit word of the key.
#[inline]
pub const fn bits(seed: u64, id: u64, step: u64, stream: u32) -> u32 {
    let mut h = mix(seeded(seed).wrapping_add(id as u32));
    h = mix(h ^ (id >> 32) as u32);
    h = mix(h.wrapping_add(step as u32));
    h = mix(h ^ (step >> 32) as u32);
    mix(h.wrapping_add(stream))
}

/// Uniform in [0, 1): the top 24 bits of [`bits()`].
///
/// ```
/// let a = wingbeat_steer::noise::uniform(1, 7, 0, 0);
/// assert!((0.0..1.0).contains(&a));
/// assert_eq!(a, wingbeat_steer::noise::uniform(1, 7, 0, 0)); // same key, same number
/// assert_ne!(a, wingbeat_steer::noise::uniform(1, 8, 0, 0)); // another boid, another number
/// ```
#[inline]
pub const fn uniform(seed: u64, id: u64, step: u64, stream: u32) -> f32 {
    (bits(seed, id, step, stream) >> 8) as f32 * (1.0 / 16_777_216.0)
}

/// A draw from the standard normal distribution cut off at three standard deviations, keyed by
/// (seed, id) at step 0: so 0.9866 is its standard deviation, and none of the few beyond piles up
/// at the ends.
///
/// With p = (n + ½)·2⁻²⁴, n the upper 24 of the 32 [`bits()`], it is the
/// [quantile](crate::math::normal_quantile) of Φ(−3) + (1 − 2·Φ(−3))·p.
///
/// ```
/// use wingbeat_steer::noise::{normal_of, stream};
/// let all: Vec<f64> = (0..1000).map(|id| normal_of(1, id, stream::MAX_SPEED)).collect();
/// assert!(all.iter().all(|z| z.abs() < 3.0));
/// assert!(all.iter().filter(|z| z.abs() < 1.0).count() > 640);
/// ```
pub fn normal_of(seed: u64, id: u64, stream: u32) -> f64 {
    /// Φ(−3).
    const BELOW: f64 = 0.001_349_898_031_630_094_6;
    let p = (f64::from(bits(seed, id, 0, stream) >> 8) + 0.5) * (1.0 / 16_777_216.0);
    crate::math::normal_quantile(BELOW + (1.0 - 2.0 * BELOW) * p)
}

/// A direction that depends on (seed, id, step) only: the unit vector of components uniform in [−1,
/// 1), +x if all are zero.
///
/// It is how a boid leaves another that stands on exactly the same point.
#[inline]
pub fn direction<V: Vector>(seed: u64, id: u64, step: u64) -> V {
    let raw = V::from_fn(|a| 2.0 * uniform(seed, id, step, stream::PART + a as u32) - 1.0);
    if raw.largest() == 0.0 {
        return V::from_fn(|a| if a == 0 { 1.0 } else { 0.0 });
    }
    raw.unit()
}
