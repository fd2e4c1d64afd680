//! Observables: what a flock looks like in numbers. All sums are f64 in id order, so they do not
//! depend on the storage.
//!
//! The definitions stand in [`State`], so that flocks and recordings are measured by the same code.
//! Ask once for several with [`measure`]: the flock is read once for all of its means, where it
//! lies. The other functions that take a [`Frame`] are short for one question each:
//!
//! ```
//! use wingbeat::observe::{self, Wanted};
//! use wingbeat::{Flock2, Params};
//! let velocities = [[1.0, 0.0], [0.0, 1.0]];
//! let flock = Flock2::builder()
//!     .params(Params::default())
//!     .boids(&[[0.0, 0.0], [0.0, 3.0]], &velocities)
//!     .build()?;
//! let found = observe::measure(
//!     &flock.frame(),
//!     flock.domain(),
//!     Wanted::POLARIZATION | Wanted::MEAN_SPEED,
//!     None,
//! );
//! assert_eq!((found.polarization, found.mean_speed), (Some(0.5f64.sqrt()), Some(1.0)));
//! assert_eq!(observe::nearest_neighbor_distance(&flock.frame(), flock.domain()), 3.0);
//! # Ok::<(), wingbeat::FlockError>(())
//! ```

// How to add an observable. A method of `State` with formula, unit and source, and its place in
// `State::measure`; a constant of `Wanted`; a field, a name and a value in observe/table.rs, from
// which `--json`, `--observe` and `measure` take it; a row in MEASURES.md; a state computed by hand
// in tests/it/measures.rs, and its NumPy in .ci/check_measures.py. Of many moments: a file in
// observe/curves/ that is `Accumulate`, a line in its `curves!`, a row in MEASURES.md, states
// computed by hand in tests/it/curves.rs.

use std::ops::Range;

use wingbeat_steer::Domain;

use crate::{Boid, Frame};

/// Boids that a task hashes.
const HASHED: usize = 4096;

mod correlation;
mod curves;
mod density;
mod each;
mod groups;
mod individuals;
mod local_order;
mod means;
mod nearest;
mod pairs;
mod state;
mod table;
mod tree;
mod vectors;
mod wanted;

pub use curves::{Curve, CurveColumn, CurveSettings, CurveTable, Curves};
pub use each::{Each, turn};
pub use state::State;
pub use table::Observables;
pub use wanted::Wanted;

/// Several observables of a flock at once: only what is wanted is computed, and nothing twice.
/// Groups are counted where a `radius` (length) is given. See [`State::measure`].
#[inline(never)]
pub fn measure<const D: usize>(
    frame: &Frame<'_, D>,
    domain: &Domain<[f32; D]>,
    wanted: Wanted,
    radius: Option<f64>,
) -> Observables {
    if wanted == Wanted::NONE {
        // Without the order that sums need, a host may ask at every step and want something at
        // some.
        return Observables { individuals: frame.len(), ..Observables::default() };
    }
    // Once to the threads and back, not once for each part of it.
    frame.pool().enter(|| State::of(frame, domain).measure(wanted, radius))
}

/// All observables of a flock; groups where a `radius` (length) is given. See
/// [`State::observables`].
#[inline(never)]
pub fn observables<const D: usize>(
    frame: &Frame<'_, D>,
    domain: &Domain<[f32; D]>,
    radius: Option<f64>,
) -> Observables {
    measure(frame, domain, Wanted::ALL, radius)
}

/// Polarization ‖Σ h‖ / N, 0 to 1: 1 when all fly alike, near 0 when headings are random. Resting
/// boids count as zero; 0 for no individual. See [`State::polarization`].
///
/// Source: Vicsek et al. 1995, eq. 5.
#[inline(never)]
pub fn polarization<const D: usize>(frame: &Frame<'_, D>) -> f64 {
    measure(frame, &Domain::open(), Wanted::POLARIZATION, None).polarization.unwrap_or(0.0)
}

/// Milling ‖Σ r̂ × h‖ / N about the mean position (periodic: the circular mean), 0 to 1: 1 when all
/// circle one way round the middle; 0 for no individual. See [`State::milling`].
///
/// Source: Couzin et al. 2002, group angular momentum, with unit position vectors.
#[inline(never)]
pub fn milling<const D: usize>(frame: &Frame<'_, D>, domain: &Domain<[f32; D]>) -> f64 {
    measure(frame, domain, Wanted::MILLING, None).milling.unwrap_or(0.0)
}

/// Mean speed Σ‖v‖ / N, length/time; 0 for no individual. See [`State::mean_speed`].
#[inline(never)]
pub fn mean_speed<const D: usize>(frame: &Frame<'_, D>) -> f64 {
    measure(frame, &Domain::open(), Wanted::MEAN_SPEED, None).mean_speed.unwrap_or(0.0)
}

/// Mean position, length; on a periodic axis the circular mean (the direction of Σ exp(2πi·x/L)).
/// The origin for no individual. See [`State::mean_position`].
#[inline(never)]
pub fn mean_position<const D: usize>(frame: &Frame<'_, D>, domain: &Domain<[f32; D]>) -> [f64; D] {
    State::of(frame, domain).mean_position()
}

/// Mean over all boids of the distance to the nearest other, length; 0 for fewer than two boids.
/// See [`State::nearest_neighbor_distance`].
#[inline(never)]
pub fn nearest_neighbor_distance<const D: usize>(
    frame: &Frame<'_, D>,
    domain: &Domain<[f32; D]>,
) -> f64 {
    State::of(frame, domain).nearest_neighbor_distance().unwrap_or(0.0)
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
const fn mix(mut h: u64) -> u64 {
    h = (h ^ (h >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    h = (h ^ (h >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    h ^ (h >> 31)
}
