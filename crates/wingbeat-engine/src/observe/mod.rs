//! Order parameters of a flock, and its fingerprint: what a live flock is asked at any step. All
//! sums are f64 in id order, so they do not depend on the storage.
//!
//! ```
//! use wingbeat::observe;
//! use wingbeat::{Flock2, Params};
//! let velocities = [[1.0, 0.0], [0.0, 1.0]];
//! let flock = Flock2::builder()
//!     .params(Params::default())
//!     .boids(&[[0.0, 0.0], [0.0, 3.0]], &velocities)
//!     .build()?;
//! let found = observe::order(&flock.frame(), flock.domain());
//! assert_eq!((found.polarization, found.mean_speed), (Some(0.5f64.sqrt()), Some(1.0)));
//! assert_eq!(observe::polarization(&flock.frame()), 0.5f64.sqrt());
//! # Ok::<(), wingbeat::FlockError>(())
//! ```
//!
//! Neighbors, groups, correlation, density and curves over time are the crate `wingbeat-measure`'s.

use std::ops::Range;

use wingbeat_steer::Domain;

use crate::simd::Level;
use crate::{Boid, Frame};
use individuals::Individuals;

/// Boids that a task hashes.
const HASHED: usize = 4096;

#[doc(hidden)]
pub mod individuals;
#[doc(hidden)]
pub mod means;
#[doc(hidden)]
pub mod vectors;

pub use means::OrderParameters;

/// Polarization, milling, angular momentum and mean speed of a flock: the flock is read once for
/// all of them, where it lies, and on its own threads.
#[inline(never)]
pub fn order<const D: usize>(frame: &Frame<'_, D>, domain: &Domain<[f32; D]>) -> OrderParameters {
    order_of(frame, domain, [true; 2])
}

/// The same, of which [headings, rotation](means::measure) are wanted.
fn order_of<const D: usize>(
    frame: &Frame<'_, D>,
    domain: &Domain<[f32; D]>,
    wanted: [bool; 2],
) -> OrderParameters {
    let pool = frame.pool();
    // Once to the threads and back, not once for each part of it.
    pool.enter(|| means::measure(&Individuals::of(frame), domain, (pool, Level::detect()), wanted))
}

/// Polarization ‖Σ h‖ / N, 0 to 1: 1 when all fly alike, near 0 when headings are random. Resting
/// boids count as zero; 0 for no individual.
///
/// Source: Vicsek et al. 1995, eq. 5.
#[inline(never)]
pub fn polarization<const D: usize>(frame: &Frame<'_, D>) -> f64 {
    order_of(frame, &Domain::open(), [true, false]).polarization.unwrap_or(0.0)
}

/// Milling ‖Σ r̂ × h‖ / N about the mean position (periodic: the circular mean), 0 to 1: 1 when all
/// circle one way round the middle; 0 for no individual.
///
/// Source: Couzin et al. 2002, group angular momentum, with unit position vectors.
#[inline(never)]
pub fn milling<const D: usize>(frame: &Frame<'_, D>, domain: &Domain<[f32; D]>) -> f64 {
    order_of(frame, domain, [false, true]).milling.unwrap_or(0.0)
}

/// Mean speed Σ‖v‖ / N, length/time; 0 for no individual.
#[inline(never)]
pub fn mean_speed<const D: usize>(frame: &Frame<'_, D>) -> f64 {
    order_of(frame, &Domain::open(), [true, false]).mean_speed.unwrap_or(0.0)
}

/// Mean position, length; on a periodic axis the circular mean (the direction of Σ exp(2πi·x/L)).
/// The origin for no individual.
#[inline(never)]
pub fn mean_position<const D: usize>(frame: &Frame<'_, D>, domain: &Domain<[f32; D]>) -> [f64; D] {
    let pool = frame.pool();
    pool.enter(|| means::mean_position(&Individuals::of(frame), domain, pool, Level::detect()))
}

/// A fingerprint of ids, positions and velocities: the wrapping sum of one 64-bit mix a boid, so
/// that it does not depend on order and parts of a flock can be hashed apart. Equal states have
/// equal hashes; it is how "the same bits" is checked. O(N).
#[inline(never)]
pub fn state_hash<const D: usize>(frame: &Frame<'_, D>) -> u64 {
    let hash =
        |boid: Boid<D>| boid_hash(boid.id.get(), boid.position.into_iter().chain(boid.velocity));
    let of = |slots: Range<usize>| {
        slots.fold(0u64, |sum, slot| sum.wrapping_add(hash(frame.boid(slot))))
    };
    frame.pool().reduce(HASHED, frame.len(), &of, &u64::wrapping_add)
}

/// One boid's part of [`state_hash`], for hosts that hold a state in columns of their own: its id,
/// then its position and velocity, an axis each.
pub fn boid_hash(id: u64, state: impl Iterator<Item = f32>) -> u64 {
    state.fold(mix(id ^ 0x9e37_79b9_7f4a_7c15), |hash, value| hash_on(hash, value.to_bits()))
}

/// A boid's hash with one value more.
pub(crate) const fn hash_on(hash: u64, bits: u32) -> u64 {
    mix(hash ^ bits as u64)
}

/// The finaliser of splitmix64.
#[doc(hidden)]
pub const fn mix(mut h: u64) -> u64 {
    h = (h ^ (h >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    h = (h ^ (h >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    h ^ (h >> 31)
}
