//! Correlation of velocity fluctuations over distance (Cavagna and others, 2010).

use std::ops::Range;

use wingbeat::Domain;
use wingbeat::measuring::vectors::{add, dot, minus, nearest_images, norm, sides, whole};
use wingbeat::measuring::{Individuals, Level, Pool, Simd, Work, dispatch};

use crate::mix;

/// Bins of distance: the zero crossing is found to a small part of a bin, and 100 individuals still
/// give some 150 pairs to each.
const BINS: usize = 32;
/// Pairs looked at: all there are among 707 individuals.
const MOST_PAIRS: usize = 250_000;
/// Pairs of a task.
const TASK: usize = 1 << 14;
/// Pairs whose distances are found together, before any is put into its bin.
const BLOCK: usize = 64;
/// Fluctuations smaller than this part of the velocities are rounding.
const SMALLEST_FLUCTUATION: f64 = 1e-12;

/// Rows of (middle of a bin, C), nearest first; empty where there is nothing to correlate.
///
/// Individuals stand in a circle; a round pairs each with the one that stands so many further on.
/// As many rounds are made, evenly spread, as there is time for: every individual is in as many
/// pairs as all others, and memory is read from end to end.
pub(crate) fn by_distance<const D: usize>(
    individuals: &Individuals<D>,
    domain: &Domain<[f32; D]>,
    pool: &Pool,
    level: Level,
) -> Vec<(f64, f64)> {
    let Some((known, variance)) = fluctuations(individuals) else { return Vec::new() };
    let count = known.len();
    let (rounds, stride) = (count / 2, stride(count));
    let reach = reach(&known, domain);
    let made = rounds.div_ceil(stride);
    let of = |pairs: Range<usize>| {
        let mut bins = Bins { products: [0.0; 2 * BINS], pairs: [0; 2 * BINS] };
        for round in pairs.start / count..pairs.end.div_ceil(count) {
            let apart = 1 + round * stride;
            // Opposite each other in an even circle: from half of it every individual is reached.
            let end = if 2 * apart == count { count / 2 } else { count };
            let from = pairs.start.saturating_sub(round * count);
            let to = (pairs.end - round * count).min(end);
            // Up to where the circle closes, and on from there.
            let closes = count - apart;
            for part in [from..to.min(closes), from.max(closes)..to] {
                if !part.is_empty() {
                    let partner = (part.start + apart) % count;
                    dispatch(
                        level,
                        Round {
                            known: &known,
                            sides: sides(domain),
                            reach,
                            part,
                            partner,
                            bins: &mut bins,
                        },
                    );
                }
            }
        }
        bins
    };
    let bins = pool.reduce(TASK, made * count, &of, &Bins::and);
    let width = reach / BINS as f64;
    let filled = (0..BINS).filter(|&bin| bins.pairs[bin] > 0);
    filled
        .map(|bin| {
            ((bin as f64 + 0.5) * width, bins.products[bin] / bins.pairs[bin] as f64 / variance)
        })
        .collect()
}

/// From one round among so many to the next that is made.
fn stride(count: usize) -> usize {
    (count * (count / 2)).div_ceil(MOST_PAIRS).max(1)
}

/// Individuals that stand in rows by id would be so far from others in every pair of a round, in
/// one direction: in the circle they stand at random, the same for every state of so many.
fn shuffle(places: &mut [u32]) {
    for i in (1..places.len()).rev() {
        places.swap(i, ((u128::from(mix(i as u64)) * (i as u128 + 1)) >> 64) as usize);
    }
}

/// Sums over the pairs of a bin; those beyond [`BINS`] are out of reach.
struct Bins {
    products: [f64; 2 * BINS],
    pairs: [u64; 2 * BINS],
}

impl Bins {
    fn and(mut self, other: Self) -> Self {
        for bin in 0..BINS {
            self.products[bin] += other.products[bin];
            self.pairs[bin] += other.pairs[bin];
        }
        self
    }
}

/// Part of a round: the individuals in it, and the partner of the first. No partner is beyond
/// the circle's end.
struct Round<'a, const D: usize> {
    known: &'a Individuals<D>,
    sides: Option<[f64; D]>,
    reach: f64,
    part: Range<usize>,
    partner: usize,
    bins: &'a mut Bins,
}

impl<const D: usize> Work for Round<'_, D> {
    const WIDE: bool = false;

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let Self { known, sides, reach, part, partner, bins } = self;
        let to_bin = BINS as f64 / reach;
        let mut done = 0;
        while done < part.len() {
            let left = part.len() - done;
            let count = if left < BLOCK { left } else { BLOCK };
            let (i, j) = (part.start + done, partner + done);
            let (mut places, mut products) = ([0.0; BLOCK], [0.0; BLOCK]);
            for a in 0..D {
                let mut ways = [0.0; BLOCK];
                let (one, other) =
                    (&known.positions[a][i..i + count], &known.positions[a][j..j + count]);
                let (turned, other_turned) =
                    (&known.velocities[a][i..i + count], &known.velocities[a][j..j + count]);
                for k in 0..count {
                    ways[k] = other[k] - one[k];
                    products[k] += turned[k] * other_turned[k];
                }
                if let Some(sides) = sides {
                    nearest_images(&mut ways, sides[a]);
                }
                for k in 0..BLOCK {
                    places[k] += ways[k] * ways[k];
                }
            }
            let mut bin = [0u64; BLOCK];
            for k in 0..BLOCK {
                let distance = places[k].sqrt();
                let place = distance * to_bin;
                let place = if place < LAST { place } else { LAST };
                // Pairs that are too far have a bin of their own, which costs less than to ask.
                bin[k] = whole(if distance <= reach { place } else { LAST + 1.0 }, true);
            }
            for k in 0..count {
                let bin = bin[k] as usize % (2 * BINS);
                bins.products[bin] += products[k];
                bins.pairs[bin] += 1;
            }
            done += count;
        }
    }
}

/// The last bin's number.
const LAST: f64 = (BINS - 1) as f64;

/// The first distance where C passes zero.
pub(crate) fn zero_crossing(correlation: &[(f64, f64)]) -> Option<f64> {
    let mut last = (0.0, 1.0);
    for &(distance, c) in correlation {
        if c <= 0.0 {
            return Some(last.0 + (distance - last.0) * last.1 / (last.1 - c));
        }
        last = (distance, c);
    }
    None
}

/// Those whose velocity is known as they stand in the circle, with what each differs from the mean
/// in place of it, and the mean square of that; `None` where all velocities are one but for
/// rounding.
fn fluctuations<const D: usize>(individuals: &Individuals<D>) -> Option<(Individuals<D>, f64)> {
    let known = |place: &u32| individuals.velocity(*place as usize).iter().all(|c| !c.is_nan());
    let mut places: Vec<u32> = (0..individuals.len() as u32).filter(known).collect();
    let count = places.len();
    let (mut mean, mut square, mut variance) = ([0.0; D], 0.0, 0.0);
    for &place in &places {
        let velocity = individuals.velocity(place as usize);
        add(&mut mean, velocity);
        square += dot(&velocity, &velocity);
    }
    let mean = mean.map(|sum| sum / count as f64);
    for &place in &places {
        let u = minus(individuals.velocity(place as usize), mean);
        variance += dot(&u, &u);
    }
    // Those of unknown velocities are no numbers, and nothing is above that.
    let is_any = variance > square * SMALLEST_FLUCTUATION * SMALLEST_FLUCTUATION;
    if !is_any {
        return None;
    }
    if stride(count) > 1 {
        shuffle(&mut places);
    }
    let column =
        |of: &[f64], less: f64| places.iter().map(|&place| of[place as usize] - less).collect();
    let circle = Individuals {
        positions: std::array::from_fn(|a| column(&individuals.positions[a], 0.0)),
        velocities: std::array::from_fn(|a| column(&individuals.velocities[a], mean[a])),
    };
    Some((circle, variance / count as f64))
}

/// Beyond this distance nothing is binned: images come in beyond half a periodic side, and no
/// individual beyond the diagonal.
fn reach<const D: usize>(individuals: &Individuals<D>, domain: &Domain<[f32; D]>) -> f64 {
    if let Some(sides) = sides(domain) {
        return sides
            .iter()
            .map(|side| side / 2.0)
            .fold(f64::INFINITY, |m, half| if half < m { half } else { m });
    }
    let bounds = individuals.bounds();
    // A hair more, so that the furthest pair is in the last bin whatever the rounding; and never 0.
    norm(minus(bounds.high, bounds.low)) * (1.0 + 1e-12) + f64::MIN_POSITIVE
}
