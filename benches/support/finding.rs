//! What contenders make of a state, held against each other before anything is measured.

use wingbeat::steer::Vector;

use crate::points::State;
use crate::scalar_rules::Boid;
use crate::steps::Stepper;

/// What an engine makes of a state.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Ordered pairs in range.
    pub pairs: u64,
    spread: Vec<Vec<f32>>,
}

/// Has an engine count its pairs and make a step.
///
/// # Errors
/// When it does not answer.
pub fn finding<const D: usize>(
    engine: &mut dyn Stepper<D>,
    state: &State<D>,
) -> Result<Finding, String> {
    let pairs = engine.pairs();
    engine.restart(state);
    engine.step();
    let spread = spread(&engine.boids());
    engine.failure().map_or(Ok(Finding { pairs, spread }), Err)
}

impl Finding {
    /// Holds it against the first engine's: as many pairs, exactly, and the same flock after a
    /// step, but for rounding.
    ///
    /// # Errors
    /// Says what differs.
    pub fn agrees(&self, expected: &Self) -> Result<(), String> {
        if self.pairs != expected.pairs {
            return Err(format!("finds {} pairs, and there are {}", self.pairs, expected.pairs));
        }
        let gap = mean_gap(&self.spread, &expected.spread);
        if gap <= TOLERANCE {
            return Ok(());
        }
        Err(format!(
            "its flock after a step is off by {gap:e} on average: at most {TOLERANCE:e} is allowed"
        ))
    }
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

/// Mean difference of the column that differs most; not a number where one is none.
fn mean_gap(a: &[Vec<f32>], b: &[Vec<f32>]) -> f64 {
    let gap = |a: &[f32], b: &[f32]| {
        let total = a.iter().zip(b).fold(0.0, |sum, (a, b)| sum + f64::from((a - b).abs()));
        if a.len() == b.len() { total / a.len() as f64 } else { f64::INFINITY }
    };
    a.iter()
        .zip(b)
        .map(|(a, b)| gap(a, b))
        .fold(0.0, |most: f64, gap| if gap <= most || most.is_nan() { most } else { gap })
}
