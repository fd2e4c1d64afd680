//! Other libraries under the benchmark rules, beside Wingbeat and the scalar baseline: one file
//! each.
//!
//! All do the same work on the same points in one thread: build or rebuild the search structure,
//! find who is in range, apply the rules of `scalar_rules` and move. The world is a box with
//! mirrors for faces, because zelll and rstar know no periodic one. Each library is used as its own
//! documentation says is fastest, and allocates nothing that its interface does not force.

mod baseline;
mod kiddo;
mod rstar;
mod wingbeat;
mod zelll;

use ::wingbeat::Level;

use crate::points::{DT, State};
use crate::steps::{About, Stepper};

/// Makes an engine's flock from a state.
pub type Make<const D: usize> = Box<dyn Fn(&State<D>) -> Box<dyn Stepper<D>>>;

/// What tables say of an engine, and how it begins.
pub type Engine<const D: usize> = (About, Make<D>);

/// Name of Wingbeat's rows.
pub fn ours(level: Level) -> String {
    format!("Wingbeat {}", level.name())
}

/// Wingbeat at one level on so many threads.
pub fn wingbeat<const D: usize>(level: Level, threads: usize) -> Engine<D> {
    let about = About::of_ours(ours(level), "columns sorted by the cells of a grid, every step");
    (about, Box::new(move |state| Box::new(wingbeat::Wingbeat::new(state, level, threads))))
}

/// The engines, each in one thread: Wingbeat's levels, the best first, the baseline, the others.
pub fn engines<const D: usize>() -> Vec<Engine<D>> {
    let mut all: Vec<Engine<D>> =
        Level::available().into_iter().rev().map(|level| wingbeat(level, 1)).collect();
    all.push((
        About::of_ours("scalar grid", "benches/support/scalar_grid.rs: the baseline without SIMD"),
        Box::new(|state| Box::new(baseline::Baseline::new(state))),
    ));
    let uses = "one `CellGrid` of (index, position), `rebuild_mut` every step; each pair once \
        through `neighbors::<Half>`, looked up once a cell";
    all.push((
        About::of_crate("zelll", uses),
        Box::new(|state| Box::new(zelll::Zelll::new(state))),
    ));
    let uses = "`ImmutableKdTree`, serial construction every step; \
        `within(…).unsorted().visit(…)` without distances";
    all.push((
        About::of_crate("kiddo", uses),
        Box::new(|state| Box::new(kiddo::Kiddo::new(state))),
    ));
    let uses = "`RTree::bulk_load` every step, boids with their velocities in the tree; \
        `locate_in_envelope_intersecting_int` around the sphere";
    all.push((
        About::of_crate("rstar", uses),
        Box::new(|state| Box::new(rstar::Rstar::new(state))),
    ));
    all
}

/// The time step, checked.
fn dt() -> ::wingbeat::TimeStep {
    ::wingbeat::TimeStep::new(DT).expect("a valid time step")
}
