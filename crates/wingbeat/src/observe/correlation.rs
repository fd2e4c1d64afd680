//! How far fluctuations of velocity agree (Cavagna et al. 2010).

use wingbeat_steer::Domain;

use super::individuals::Individuals;
use super::vectors::{add, dot, minus, norm, offset};

/// Bins of distance: the zero crossing is found to a small part of a bin, and 100 individuals still give some 150 pairs to each.
const BINS: usize = 32;
/// Pairs looked at, both ways counted: all of them up to 2,000 individuals.
const MOST_PAIRS: usize = 4_000_000;
/// Fluctuations smaller than this part of the velocities are rounding.
const SMALLEST_FLUCTUATION: f64 = 1e-12;

/// Rows of (mean distance, C), nearest first; empty where there is nothing to correlate.
pub(super) fn by_distance<const D: usize>(individuals: &Individuals<'_, D>, domain: &Domain<[f32; D]>) -> Vec<(f64, f64)> {
    let known: Vec<u32> = individuals.with_velocity().map(|place| place as u32).collect();
    let known = || known.iter().map(|&place| place as usize);
    let Some((mean, variance)) = fluctuations(known().map(|i| individuals.velocity(i))) else { return Vec::new() };
    let reach = reach(known().map(|i| individuals.position(i)), domain);
    let (mut products, mut distances, mut pairs) = ([0.0; BINS], [0.0; BINS], [0u64; BINS]);
    let count = known().len();
    let stride = (count * count).div_ceil(MOST_PAIRS);
    for i in known().step_by(stride) {
        let (position, fluctuation) = (individuals.position(i), minus(individuals.velocity(i), mean));
        for j in known().filter(|&j| j != i) {
            let distance = norm(offset(&position, &individuals.position(j), domain));
            if distance <= reach {
                let bin = ((distance / reach * BINS as f64) as usize).min(BINS - 1);
                products[bin] += dot(&fluctuation, &minus(individuals.velocity(j), mean));
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

/// The mean velocity, and the mean square of what each differs from it; `None` where all velocities are one but for rounding.
fn fluctuations<const D: usize>(velocities: impl ExactSizeIterator<Item = [f64; D]> + Clone) -> Option<([f64; D], f64)> {
    let count = velocities.len() as f64;
    let mut mean = [0.0; D];
    let mut square = 0.0;
    for velocity in velocities.clone() {
        add(&mut mean, velocity.map(|c| c / count));
        square += dot(&velocity, &velocity) / count;
    }
    let mut variance = 0.0;
    for velocity in velocities {
        let u = minus(velocity, mean);
        variance += dot(&u, &u) / count;
    }
    (variance > square * SMALLEST_FLUCTUATION * SMALLEST_FLUCTUATION).then_some((mean, variance))
}

/// Beyond this distance nothing is binned: images come in beyond half a periodic side, and nobody beyond the diagonal.
fn reach<const D: usize>(positions: impl Iterator<Item = [f64; D]>, domain: &Domain<[f32; D]>) -> f64 {
    if domain.is_periodic() {
        return (0..D).map(|a| f64::from(domain.side(a)) / 2.0).fold(f64::INFINITY, |m, half| if half < m { half } else { m });
    }
    let (mut low, mut high) = ([f64::INFINITY; D], [f64::NEG_INFINITY; D]);
    for position in positions {
        for a in 0..D {
            low[a] = if position[a] < low[a] { position[a] } else { low[a] };
            high[a] = if position[a] > high[a] { position[a] } else { high[a] };
        }
    }
    // A hair more, so that the furthest pair is in the last bin whatever the rounding; and never 0.
    norm(minus(high, low)) * (1.0 + 1e-12) + f64::MIN_POSITIVE
}
