//! What a flock looks like in numbers. All sums are f64 in id order, so they do not depend on the storage.
//!
//! The definitions stand in [`State`], on plain slices of positions and velocities, so that flocks and recordings are measured
//! by the same code. The functions that take a [`Frame`] are short for the same on a flock's own state:
//!
//! ```
//! use wingbeat::{Domain, observe::State};
//! let (positions, velocities) = ([[0.0, 0.0], [0.0, 3.0]], [[1.0, 0.0], [0.0, 1.0]]);
//! let state = State::new(&positions, &velocities, Domain::open());
//! assert_eq!(state.polarization(), Some(0.5f64.sqrt()));
//! assert_eq!(state.nearest_neighbor_distance(), Some(3.0));
//! assert_eq!(state.groups(1.0), [1, 1]);
//! ```

use wingbeat_steer::Domain;

use crate::Frame;

mod correlation;
mod density;
mod groups;
mod nearest;
mod state;
mod table;

pub use state::State;
pub use table::Observables;

/// Polarization ‖Σ h‖ / N: 1 when all fly alike, near 0 when headings are random. Resting boids count as zero; 0 for nobody.
///
/// Source: Vicsek et al. 1995, eq. 5.
#[inline(never)]
pub fn polarization<const D: usize>(frame: &Frame<'_, D>) -> f64 {
    Columns::of(frame).state(&Domain::open()).polarization().unwrap_or(0.0)
}

/// Milling ‖Σ r̂ × h‖ / N about the mean position (periodic: the circular mean): 1 when all circle one way round the middle; 0
/// for nobody.
///
/// Source: Couzin et al. 2002, group angular momentum, with unit position vectors.
#[inline(never)]
pub fn milling<const D: usize>(frame: &Frame<'_, D>, domain: &Domain<[f32; D]>) -> f64 {
    Columns::of(frame).state(domain).milling().unwrap_or(0.0)
}

/// Mean speed Σ‖v‖ / N, length/time; 0 for nobody.
#[inline(never)]
pub fn mean_speed<const D: usize>(frame: &Frame<'_, D>) -> f64 {
    Columns::of(frame).state(&Domain::open()).mean_speed().unwrap_or(0.0)
}

/// Mean position; on a periodic axis the circular mean (the direction of Σ exp(2πi·x/L)).
#[inline(never)]
pub fn mean_position<const D: usize>(frame: &Frame<'_, D>, domain: &Domain<[f32; D]>) -> [f64; D] {
    Columns::of(frame).state(domain).mean_position()
}

/// Mean over all boids of the distance to the nearest other, length; 0 for fewer than two boids. See
/// [`State::nearest_neighbor_distance`].
#[inline(never)]
pub fn nearest_neighbor_distance<const D: usize>(frame: &Frame<'_, D>, domain: &Domain<[f32; D]>) -> f64 {
    Columns::of(frame).state(domain).nearest_neighbor_distance().unwrap_or(0.0)
}

/// All observables of a flock. See [`State::observables`].
#[inline(never)]
pub fn observables<const D: usize>(frame: &Frame<'_, D>, domain: &Domain<[f32; D]>, radius: Option<f64>) -> Observables {
    Columns::of(frame).state(domain).observables(radius)
}

/// A fingerprint of ids, positions and velocities: the wrapping sum of one 64-bit mix a boid, so that it does not depend on
/// order and parts of a flock can be hashed apart. Equal states have equal hashes; it is how "the same bits" is checked.
#[inline(never)]
pub fn state_hash<const D: usize>(frame: &Frame<'_, D>) -> u64 {
    frame
        .by_slot()
        .fold(0, |sum, boid| sum.wrapping_add(boid_hash(boid.id.get(), boid.position.into_iter().chain(boid.velocity))))
}

/// One boid's part of [`state_hash`], for whoever holds a state in columns of their own: its id, then its position and velocity,
/// an axis each.
pub fn boid_hash(id: u64, state: impl Iterator<Item = f32>) -> u64 {
    state.fold(mix(id ^ 0x9e37_79b9_7f4a_7c15), |h, value| mix(h ^ u64::from(value.to_bits())))
}

/// The finaliser of splitmix64.
const fn mix(mut h: u64) -> u64 {
    h = (h ^ (h >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    h = (h ^ (h >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    h ^ (h >> 31)
}

/// A frame's columns in id order and f64, as the definitions take them.
struct Columns<const D: usize> {
    positions: Vec<[f64; D]>,
    velocities: Vec<[f64; D]>,
}

impl<const D: usize> Columns<D> {
    fn of(frame: &Frame<'_, D>) -> Self {
        let mut columns = Self { positions: Vec::with_capacity(frame.len()), velocities: Vec::with_capacity(frame.len()) };
        for boid in frame.by_id() {
            columns.positions.push(boid.position.map(f64::from));
            columns.velocities.push(boid.velocity.map(f64::from));
        }
        columns
    }

    fn state(&self, domain: &Domain<[f32; D]>) -> State<'_, D> {
        State::new(&self.positions, &self.velocities, *domain)
    }
}

fn norm<const N: usize>(v: [f64; N]) -> f64 {
    v.iter().fold(0.0, |sum, c| sum + c * c).sqrt()
}

fn unit<const N: usize>(v: [f64; N]) -> [f64; N] {
    let norm = norm(v);
    if norm < f64::from(wingbeat_steer::REST_SPEED) { [0.0; N] } else { v.map(|c| c / norm) }
}
