//! How the runs of one combination differ in one column: quantiles, the cumulative share of runs,
//! and a histogram.

use crate::statistics::quantile;

/// The quantiles of a column that a table has, by the endings of their names, each with the part of
/// the runs that lies below.
pub const QUANTILES: [(&str, f64); 7] = [
    ("min", 0.0),
    ("q10", 0.1),
    ("q25", 0.25),
    ("median", 0.5),
    ("q75", 0.75),
    ("q90", 0.9),
    ("max", 1.0),
];

/// Fewer bins would hide what a histogram is for: whether there is one heap or two.
const LEAST_BINS: usize = 5;
/// More bins would be too narrow to be told apart in a picture.
const MOST_BINS: usize = 40;
/// Values all but equal have one bin: their differences are rounding errors.
const SAME: f64 = 1e-9;

/// Each of [`QUANTILES`]: with x₀ ≤ x₁ ≤ … the n values in order, quantile p is x at place
/// (n − 1)·p, linear between two values, as numpy's default. `None` of no values.
pub fn quantiles(values: &[f64]) -> Option<[f64; QUANTILES.len()]> {
    let sorted = sorted(values);
    (!sorted.is_empty()).then(|| QUANTILES.map(|(_, part)| quantile(&sorted, part)))
}

/// Corners of the step curve F(x) = (values at most x)/`runs`, from (least value, 0) to the
/// greatest value. It stays below 1 where some of the runs have no value.
pub fn cumulative(values: &[f64], runs: usize) -> Vec<(f64, f64)> {
    let share = |count: usize| count as f64 / runs as f64;
    let step = |(i, x): (usize, f64)| [(x, share(i)), (x, share(i + 1))];
    sorted(values).into_iter().enumerate().flat_map(step).collect()
}

/// Bins of equal width, the same for all columns of a histogram.
#[derive(Clone, Debug, PartialEq)]
pub struct Bins {
    /// One more than there are bins, rising.
    pub edges: Vec<f64>,
}

impl Bins {
    /// Bins over all values of all samples. Their width is that of Freedman and Diaconis (1981),
    /// 2·(q75 − q25)/∛n, for each sample, and of that the mean over samples (those where it is 0
    /// apart): the narrowest would tear the other samples apart into heaps that are none. There are
    /// 5 to 40 bins, 5 where no sample has a width; one, if all values are equal. `None` of no
    /// values.
    pub fn of(samples: &[&[f64]]) -> Option<Self> {
        let samples: Vec<Vec<f64>> = samples.iter().map(|values| sorted(values)).collect();
        let full = || samples.iter().filter(|sample| !sample.is_empty());
        let low = full().map(|sample| sample[0]).min_by(f64::total_cmp)?;
        let high = full().map(|sample| sample[sample.len() - 1]).max_by(f64::total_cmp)?;
        let largest = [low.abs(), high.abs()].into_iter().fold(0.0, f64::max);
        if high - low <= SAME * largest {
            // A twentieth of the value either way; of zeros, one half.
            let around = if largest > 0.0 { 0.05 * largest } else { 0.5 };
            return Some(Self { edges: vec![low - around, high + around] });
        }
        let widths = full().map(|sample| freedman_diaconis(sample)).filter(|width| *width > 0.0);
        let widths: Vec<f64> = widths.collect();
        let width = widths.iter().sum::<f64>() / widths.len() as f64;
        // Without a width the division gives no number, of which the cast makes 0; of a number too
        // large for it, the largest count.
        let count = ((high - low) / width).ceil() as usize;
        let count = count.clamp(LEAST_BINS, MOST_BINS);
        let edge = |i: usize| low + (high - low) * (i as f64 / count as f64);
        Some(Self { edges: (0..count).map(edge).chain([high]).collect() })
    }

    /// How many values each bin holds: from its lower edge on to below its upper one, which belongs
    /// to the last bin alone.
    pub fn counts(&self, values: &[f64]) -> Vec<usize> {
        let mut counts = vec![0; self.edges.len() - 1];
        let last = counts.len() - 1;
        for value in values {
            // Lower edges but the first at or below the value.
            counts[self.edges[1..=last].partition_point(|edge| edge <= value)] += 1;
        }
        counts
    }

    /// Corners of the outline of these counts: up from the axis where the first bin that holds
    /// anything begins, and down to it where the last such ends. Elsewhere it would hide others.
    pub fn outline(&self, counts: &[usize]) -> Vec<(f64, f64)> {
        let is_full = |count: &usize| *count > 0;
        let (Some(first), Some(last)) =
            (counts.iter().position(is_full), counts.iter().rposition(is_full))
        else {
            return Vec::new();
        };
        let level = |i: usize| [i, i + 1].map(|edge| (self.edges[edge], counts[i] as f64));
        let ends = [first, last + 1].map(|edge| [(self.edges[edge], 0.0)]);
        let levels = (first..=last).flat_map(level);
        ends[0].into_iter().chain(levels).chain(ends[1]).collect()
    }
}

/// Width of a bin: 2·(q75 − q25)/∛n of sorted values.
fn freedman_diaconis(sorted: &[f64]) -> f64 {
    2.0 * (quantile(sorted, 0.75) - quantile(sorted, 0.25)) / libm::cbrt(sorted.len() as f64)
}

fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Newcomb's 66 measurements of the speed of light (Stigler 1977), with two outliers.
    const NEWCOMB: [i8; 66] = [
        28, 26, 33, 24, 34, -44, 27, 16, 40, -2, 29, 22, 24, 21, 25, 30, 23, 29, 31, 19, 24, 20,
        36, 32, 36, 28, 25, 21, 28, 29, 37, 25, 28, 26, 30, 32, 36, 26, 30, 22, 36, 23, 27, 27, 28,
        27, 31, 27, 26, 33, 26, 32, 32, 24, 39, 28, 24, 25, 32, 25, 29, 27, 28, 29, 16, 23,
    ];

    #[track_caller]
    fn close(got: &[f64], wanted: &[f64]) {
        let near = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-12;
        assert!(got.len() == wanted.len() && got.iter().zip(wanted).all(near), "{got:?}");
    }

    #[test]
    fn quantiles_are_those_of_numpy() {
        // numpy.quantile([1, 2, 3, 4], [0, .1, .25, .5, .75, .9, 1]), numpy 2.4.6.
        let got = quantiles(&[3.0, 1.0, 4.0, 2.0]).expect("four values");
        close(&got, &[1.0, 1.3, 1.75, 2.5, 3.25, 3.7, 4.0]);
        let got = quantiles(&NEWCOMB.map(f64::from)).expect("66 values");
        close(&got, &[-44.0, 21.0, 24.0, 27.0, 30.75, 35.0, 40.0]);
        assert_eq!(quantiles(&[7.0]), Some([7.0; 7]));
        assert_eq!(quantiles(&[]), None);
    }

    #[test]
    fn bins_are_those_of_freedman_and_diaconis() {
        // numpy.histogram(NEWCOMB as floats, bins="fd"), numpy 2.4.6.
        let values = NEWCOMB.map(f64::from);
        let bins = Bins::of(&[&values]).expect("66 values");
        close(&bins.edges[..3], &[-44.0, -44.0 + 84.0 / 26.0, -44.0 + 168.0 / 26.0]);
        let wanted =
            [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2, 2, 7, 21, 15, 9, 5, 3];
        assert_eq!(bins.counts(&values), wanted);
        // The same of twelve values: 2, 5, 2, 2, 0, 1.
        let few = [2.1, 3.4, 3.9, 4.4, 4.6, 5.0, 5.3, 5.9, 6.2, 7.7, 8.8, 12.5];
        let bins = Bins::of(&[&few]).expect("twelve values");
        assert_eq!(bins.counts(&few), [2, 5, 2, 2, 0, 1]);
        // A value on an edge lies in the bin above, the greatest in the last.
        let bins = Bins { edges: vec![0.0, 1.0, 2.0] };
        assert_eq!(bins.counts(&[0.0, 1.0, 2.0, 1.5, 0.9]), [2, 3]);
    }

    #[test]
    fn there_are_neither_too_few_nor_too_many_bins() {
        let count = |samples: &[&[f64]]| Bins::of(samples).expect("values").edges.len() - 1;
        assert_eq!(count(&[&[1.0, 2.0]]), LEAST_BINS);
        // No width at all: both quartiles are 3.
        assert_eq!(count(&[&[1.0, 3.0, 3.0, 3.0, 3.0, 9.0]]), LEAST_BINS);
        assert_eq!(count(&[&[0.0, 1.0, 2.0, 3.0, 4.0, 1e6]]), MOST_BINS);
        assert_eq!(count(&[&[0.0, 1.0, 2.0, 3.0, 4.0, 1e300]]), MOST_BINS);
        assert_eq!(Bins::of(&[&[20.0, 20.0]]), Some(Bins { edges: vec![19.0, 21.0] }));
        assert_eq!(Bins::of(&[&[0.0]]), Some(Bins { edges: vec![-0.5, 0.5] }));
        assert_eq!(count(&[&[0.1 + 0.2, 0.3]]), 1);
        assert_eq!(Bins::of(&[&[], &[]]), None);
        // All samples lie in the same bins. Of these two, 2·3.5/∛8 = 3.5 and 2·10.5/∛8 = 10.5, so
        // 7 in the mean; the third has no width.
        let narrow = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0];
        let wide = narrow.map(|x| 49.0 + 3.0 * x);
        let bins = Bins::of(&[&wide, &narrow, &[], &[9.0, 9.0]]).expect("values");
        assert_eq!(bins.edges, (0..=10).map(|i| 7.0 * f64::from(i)).collect::<Vec<_>>());
        for sample in [&narrow[..], &wide[..]] {
            assert_eq!(bins.counts(sample).iter().sum::<usize>(), sample.len());
        }
    }

    #[test]
    fn the_share_of_runs_steps_up_at_each_value() {
        assert_eq!(
            cumulative(&[5.0, 2.0], 4),
            [(2.0, 0.0), (2.0, 0.25), (5.0, 0.25), (5.0, 0.5)],
            "two of four runs have no value"
        );
        assert_eq!(cumulative(&[2.0, 2.0], 2).last(), Some(&(2.0, 1.0)));
    }

    #[test]
    fn an_outline_begins_and_ends_on_the_axis() {
        let bins = Bins { edges: vec![-1.0, 0.0, 1.0, 2.0, 3.0] };
        assert_eq!(
            bins.outline(&[0, 3, 1, 0]),
            [(0.0, 0.0), (0.0, 3.0), (1.0, 3.0), (1.0, 1.0), (2.0, 1.0), (2.0, 0.0)]
        );
        assert_eq!(bins.outline(&[0; 4]), []);
    }
}
