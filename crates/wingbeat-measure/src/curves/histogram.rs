//! A histogram of numbers of any size, whose range need not be known.

use std::collections::BTreeMap;

/// Bins that are kept.
const BINS: u64 = 4096;
/// Bins up to the 99th of a hundred numbers: at least so many are shown, and fewer than twice as
/// many, where there are not fewer.
const SHOWN: u64 = 32;
/// 2⁶⁴.
const TO_THE_64TH: f64 = 18_446_744_073_709_551_616.0;

/// How many numbers there were in bins [k w, (k + 1) w), below 0 too. w is the least power of two
/// for which all are in [`BINS`] bins on either side of 0, so that it depends on the numbers alone
/// and not on their order.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(super) struct Histogram {
    /// w, 0 as long as there were only zeros.
    width: f64,
    counts: BTreeMap<i64, u64>,
}

/// A bin of a distribution.
pub(super) struct Bin {
    pub middle: f64,
    /// Probability by unit.
    pub density: f64,
    pub count: u64,
}

impl Histogram {
    /// Adds a finite number.
    pub fn add(&mut self, x: f64) {
        let size = x.abs();
        if size > 0.0 && self.width == 0.0 {
            self.width = f64::MIN_POSITIVE;
            // As large as one number asks for, at once: only zeros are there so far.
            while size / self.width >= BINS as f64 {
                self.width *= if size / self.width >= 1e30 { TO_THE_64TH } else { 2.0 };
            }
        }
        while size > 0.0 && size / self.width >= BINS as f64 {
            self.counts = coarser(&self.counts, 2);
            self.width *= 2.0;
        }
        let bin = if size > 0.0 { (x / self.width).floor() as i64 } else { 0 };
        *self.counts.entry(bin).or_default() += 1;
    }

    /// The distribution, in bins that are coarse enough to be looked at: up to where 99 of a
    /// hundred numbers are they are all there, and further on those with an individual in them.
    pub fn bins(&self) -> Vec<Bin> {
        let total: u64 = self.counts.values().sum();
        let mut merged = 1i64;
        while quantile(&coarser(&self.counts, 2 * merged), total) >= SHOWN && merged < BINS as i64 {
            merged *= 2;
        }
        let mut counts = coarser(&self.counts, merged);
        let reach = quantile(&counts, total) as i64;
        let lowest =
            counts.keys().next().map_or(0, |&least| if least < -reach { -reach } else { least });
        for bin in lowest..=reach {
            counts.entry(bin).or_default();
        }
        if self.width == 0.0 && total > 0 {
            // Nothing but zeros, which have no width: a bin of 1 around them.
            return vec![Bin { middle: 0.0, density: 1.0, count: total }];
        }
        let width = self.width * merged as f64;
        let density = |count: u64| count as f64 / (total as f64 * width);
        counts
            .into_iter()
            .filter(|_| total > 0)
            .map(|(bin, count)| Bin {
                middle: (bin as f64 + 0.5) * width,
                density: density(count),
                count,
            })
            .collect()
    }
}

/// Bins that are so many times as wide.
fn coarser(counts: &BTreeMap<i64, u64>, times: i64) -> BTreeMap<i64, u64> {
    let mut merged = BTreeMap::new();
    for (bin, count) in counts {
        *merged.entry(bin.div_euclid(times)).or_default() += count;
    }
    merged
}

/// How many bins from 0 on, either way, have 99 of a hundred numbers.
fn quantile(counts: &BTreeMap<i64, u64>, total: u64) -> u64 {
    let mut by_size: BTreeMap<u64, u64> = BTreeMap::new();
    for (bin, count) in counts {
        // −1 lies as far from 0 as 0 does.
        *by_size.entry(if *bin < 0 { bin.unsigned_abs() - 1 } else { *bin as u64 }).or_default() +=
            count;
    }
    let mut so_far = 0;
    for (size, count) in by_size {
        so_far += count;
        if u128::from(so_far) * 100 >= u128::from(total) * 99 {
            return size;
        }
    }
    0
}
