//! Measures of flocks and crowds, simulated or recorded: what they look like in numbers. All sums
//! are f64 in id order, so they do not depend on the storage.
//!
//! The definitions stand in [`State`], so that flocks and recordings are measured by the same code.
//! Ask once for several with [`measure`], or with [`Measurable::measure`] of a flock of either
//! dimension or of a frame of a recording: only what is wanted is computed.
//!
//! ```
//! use wingbeat::{Flock2, Params};
//! use wingbeat_measure::{Wanted, measure, nearest_neighbor_distance};
//! let velocities = [[1.0, 0.0], [0.0, 1.0]];
//! let flock = Flock2::builder()
//!     .params(Params::default())
//!     .boids(&[[0.0, 0.0], [0.0, 3.0]], &velocities)
//!     .build()?;
//! let wanted = Wanted::POLARIZATION | Wanted::MEAN_SPEED;
//! let found = measure(&flock.frame(), flock.domain(), wanted, None);
//! assert_eq!((found.polarization, found.mean_speed), (Some(0.5f64.sqrt()), Some(1.0)));
//! assert_eq!(nearest_neighbor_distance(&flock.frame(), flock.domain()), 3.0);
//! # Ok::<(), wingbeat::FlockError>(())
//! ```
//!
//! # Floor plan
//!
//! ```text
//! table.rs, wanted.rs   the observables of one moment, by name
//! tree.rs, pairs.rs     searches by a k-d tree
//! nearest.rs, groups.rs, local_order.rs, correlation.rs, density.rs   one measure each
//! state.rs              positions and velocities of one moment: all measures
//! each.rs               the same of every individual
//! curves/               functions of a distance, of a lag in time, of a place, over many moments
//! measurable.rs         flocks of either dimension and frames of recordings
//! area.rs, passage.rs, voronoi.rs, map.rs   crowds in the plane: density, flow, cells, maps
//! ```
#![forbid(unsafe_code)]

// How to add an observable. A method of `State` with formula, unit and source, and its place in
// `State::measure`; a constant of `Wanted`; a field, a name and a value in table.rs, from
// which `--json`, `--observe` and `measure` take it; a row in MEASURES.md; a state computed by hand
// in tests/it/measures.rs, and its NumPy in .ci/check_measures.py. Of many moments: a file in
// curves/ that is `Accumulate`, a line in its `curves!`, a row in MEASURES.md, states
// computed by hand in tests/it/curves.rs.

use wingbeat::measuring::mix;
use wingbeat::{Domain, Frame};

mod table;
mod wanted;
mod tree;
mod pairs;
mod nearest;
mod groups;
mod local_order;
mod correlation;
mod density;
mod state;
mod each;
mod curves;
mod measurable;
mod area;
mod passage;
mod voronoi;
mod map;
mod instantiations;

pub use area::Area;
pub use curves::{Curve, CurveColumn, CurveSettings, CurveTable, Curves};
pub use each::{Each, turn};
#[doc(hidden)]
pub use instantiations::instantiations;
pub use map::DensityMap;
pub use measurable::Measurable;
pub use passage::{Crossing, FlowWindow, Line, Passages};
pub use state::State;
pub use table::Observables;
pub use voronoi::{Cell, Voronoi, VoronoiMeasure};
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
    wingbeat::measuring::pool(frame).enter(|| State::of(frame, domain).measure(wanted, radius))
}

/// All observables of a flock; groups where a `radius` (length) is given. See
/// [`State::observables`].
pub fn observables<const D: usize>(
    frame: &Frame<'_, D>,
    domain: &Domain<[f32; D]>,
    radius: Option<f64>,
) -> Observables {
    measure(frame, domain, Wanted::ALL, radius)
}

/// Mean over all boids of the distance to the nearest other, length; 0 for fewer than two boids.
/// See [`State::nearest_neighbor_distance`].
pub fn nearest_neighbor_distance<const D: usize>(
    frame: &Frame<'_, D>,
    domain: &Domain<[f32; D]>,
) -> f64 {
    let wanted = Wanted::NEAREST_NEIGHBOR_DISTANCE;
    measure(frame, domain, wanted, None).nearest_neighbor_distance.unwrap_or(0.0)
}
