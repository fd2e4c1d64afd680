//! How far fluctuations of velocity agree (Cavagna et al. 2010).
#![forbid(unsafe_code)]

use wingbeat_steer::Domain;

use super::norm;
use super::state::offset;

/// Bins of distance: the zero crossing is found to a small part of a bin, and 100 individuals still give some 150 pairs to each.
const BINS: usize = 32;
/// Pairs looked at, both ways counted: all of them up to 2,000 individuals.
const MOST_PAIRS: usize = 4_000_000;
/// Fluctuations smaller than this part of the velocities are rounding.
const SMALLEST_FLUCTUATION: f64 = 1e-12;

/// Rows of (mean distance, C), nearest first; empty where there is nothing to correlate.
pub(super) fn by_distance<const D: usize>(
    positions: &[[f64; D]],
    velocities: &[[f64; D]],
    domain: &Domain<[f32; D]>,
) -> Vec<(f64, f64)> {
    let count = positions.len();
    let Some((fluctuations, variance)) = fluctuations(velocities) else { return Vec::new() };
    let reach = reach(positions, domain);
    let (mut products, mut distances, mut pairs) = ([0.0; BINS], [0.0; BINS], [0u64; BINS]);
    let stride = (count * count).div_ceil(MOST_PAIRS);
    for i in (0..count).step_by(stride) {
        for j in (0..count).filter(|&j| j != i) {
            let distance = norm(offset(&positions[i], &positions[j], domain));
            if distance <= reach {
                let bin = ((distance / reach * BINS as f64) as usize).min(BINS - 1);
                products[bin] += dot(&fluctuations[i], &fluctuations[j]);
                distances[bin] += distance;
                pairs[bin] += 1;
            }
        }
    }
    let filled = (0..BINS).filter(|&bin| pairs[bin] > 0);
    filled.map(|bin| (distances[bin] / pairs[bin] as f64, products[bin] / pairs[bin] as f64 / variance)).collect()
}

/// The first distance where C passes zero.
pub(super) fn zero_crossing(correlation: &[(f64, f64)]) -> Option<f64> {
    let mut last = (0.0, 1.0);
    for &(distance, c) in correlation {
        if c <= 0.0 {
            return Some(last.0 + (distance - last.0) * last.1 / (last.1 - c));
        }
        last = (distance, c);
    }
    None
}

/// v − mean(v) of each, and the mean of its square; `None` where all velocities are one but for rounding.
fn fluctuations<const D: usize>(velocities: &[[f64; D]]) -> Option<(Vec<[f64; D]>, f64)> {
    let count = velocities.len() as f64;
    let mut mean = [0.0; D];
    let mut square = 0.0;
    for velocity in velocities {
        for a in 0..D {
            mean[a] += velocity[a] / count;
        }
        square += dot(velocity, velocity) / count;
    }
    let mut fluctuations = velocities.to_vec();
    let mut variance = 0.0;
    for u in &mut fluctuations {
        for a in 0..D {
            u[a] -= mean[a];
        }
        variance += dot(u, u) / count;
    }
    (variance > square * SMALLEST_FLUCTUATION * SMALLEST_FLUCTUATION).then_some((fluctuations, variance))
}

/// Beyond this distance nothing is binned: images come in beyond half a periodic side, and nobody beyond the diagonal.
fn reach<const D: usize>(positions: &[[f64; D]], domain: &Domain<[f32; D]>) -> f64 {
    let mut sides = [0.0; D];
    for (a, side) in sides.iter_mut().enumerate() {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for position in positions {
            low = if position[a] < low { position[a] } else { low };
            high = if position[a] > high { position[a] } else { high };
        }
        *side = high - low;
    }
    if domain.is_periodic() {
        return (0..D).map(|a| f64::from(domain.side(a)) / 2.0).fold(f64::INFINITY, |m, half| if half < m { half } else { m });
    }
    // A hair more, so that the furthest pair is in the last bin whatever the rounding; and never 0.
    norm(sides) * (1.0 + 1e-12) + f64::MIN_POSITIVE
}

fn dot<const D: usize>(a: &[f64; D], b: &[f64; D]) -> f64 {
    (0..D).fold(0.0, |sum, axis| sum + a[axis] * b[axis])
}
