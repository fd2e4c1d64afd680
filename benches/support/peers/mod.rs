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
use ::wingbeat::steer::Vector;

use crate::points::{DT, State};
use crate::scalar_rules::Boid;

/// A flock that some engine moves.
pub trait Stepper<const D: usize> {
    /// Puts every boid back where it was given.
    fn restart(&mut self, state: &State<D>);

    /// One whole step of length [`DT`].
    fn step(&mut self);

    /// Ordered pairs of boids within a radius of each other as the engine's own search finds them,
    /// sight ignored.
    fn pairs(&mut self) -> u64;

    /// The boids, in any order.
    fn boids(&self) -> Vec<Boid<D>>;
}

/// Makes an engine's flock from a state.
pub type Make<const D: usize> = Box<dyn Fn(&State<D>) -> Box<dyn Stepper<D>>>;

/// The engines by their names in benchmark ids; the baseline comes first.
pub fn engines<const D: usize>() -> Vec<(&'static str, Make<D>)> {
    let mut all: Vec<(&'static str, Make<D>)> =
        vec![("scalar_grid", Box::new(|state| Box::new(baseline::Baseline::new(state))))];
    for level in Level::available().into_iter().rev() {
        let name: &'static str = format!("wingbeat_{}", level.name()).leak();
        all.push((name, Box::new(move |state| Box::new(wingbeat::Wingbeat::new(state, level)))));
    }
    all.push(("zelll", Box::new(|state| Box::new(zelll::Zelll::new(state)))));
    all.push(("kiddo", Box::new(|state| Box::new(kiddo::Kiddo::new(state)))));
    all.push(("rstar", Box::new(|state| Box::new(rstar::Rstar::new(state)))));
    all
}

/// Holds every engine against the baseline: as many pairs in range, exactly, and the same flock
/// after a step, but for rounding. Gives the mean number of neighbors.
///
/// # Errors
/// Says who found what.
pub fn agree<const D: usize>(state: &State<D>) -> Result<f64, String> {
    let mut expected: Option<(u64, Vec<Vec<f32>>)> = None;
    let mut failures = String::new();
    for (name, make) in engines::<D>() {
        let mut engine = make(state);
        let pairs = engine.pairs();
        engine.restart(state);
        engine.step();
        let spread = spread(&engine.boids());
        println!(
            "  {name}: {:.6} neighbors in range on average ({pairs} pairs)",
            pairs as f64 / state.boids.len() as f64
        );
        let (expected_pairs, expected_spread) =
            expected.get_or_insert_with(|| (pairs, spread.clone()));
        if pairs != *expected_pairs {
            failures += &format!("{name} finds {pairs} pairs, scalar_grid {expected_pairs}. ");
        }
        let gap = mean_gap(&spread, expected_spread);
        if gap > TOLERANCE {
            failures += &format!(
                "after a step of {name} the flock differs from scalar_grid's by \
                {gap:e} on average. "
            );
        }
    }
    let pairs = expected.map_or(0, |(pairs, _)| pairs);
    if failures.is_empty() { Ok(pairs as f64 / state.boids.len() as f64) } else { Err(failures) }
}

/// Sums in another order differ in their last bits, 1e-8 on average; a weight or field of view
/// changed by a tenth, a rule left out, or a wrong radius gave 2e-4 and more.
const TOLERANCE: f64 = 1e-5;

/// What a flock looks like whatever the order of its boids: each coordinate of position and
/// velocity, and their inner product, in ascending order.
fn spread<const D: usize>(boids: &[Boid<D>]) -> Vec<Vec<f32>> {
    let column = |of: &dyn Fn(&Boid<D>) -> f32| {
        let mut column: Vec<f32> = boids.iter().map(of).collect();
        column.sort_unstable_by(f32::total_cmp);
        column
    };
    let mut columns = vec![column(&|b| b.position.inner(b.velocity))];
    for a in 0..D {
        columns.push(column(&|b| b.position[a]));
        columns.push(column(&|b| b.velocity[a]));
    }
    columns
}

/// Mean difference of the column that differs most.
fn mean_gap(a: &[Vec<f32>], b: &[Vec<f32>]) -> f64 {
    let gap = |a: &[f32], b: &[f32]| {
        let total = a.iter().zip(b).fold(0.0, |sum, (a, b)| sum + f64::from((a - b).abs()));
        if a.len() == b.len() { total / a.len() as f64 } else { f64::INFINITY }
    };
    a.iter()
        .zip(b)
        .map(|(a, b)| gap(a, b))
        .fold(0.0, |most, gap| if gap > most { gap } else { most })
}

/// The time step, checked.
fn dt() -> ::wingbeat::TimeStep {
    ::wingbeat::TimeStep::new(DT).expect("a valid time step")
}
