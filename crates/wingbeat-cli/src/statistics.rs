//! A few numbers about many.

use serde::Serialize;

/// Mean, extremes and quartiles (linear between order statistics, as numpy's default).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Statistics {
    pub mean: f64,
    pub min: f64,
    pub lower_quartile: f64,
    pub median: f64,
    pub upper_quartile: f64,
    pub max: f64,
    /// How many values.
    pub count: usize,
}

impl Statistics {
    /// `None` of nothing.
    pub fn of(mut values: Vec<f64>) -> Option<Self> {
        let count = values.len();
        if count == 0 {
            return None;
        }
        // Summed in order of time, before sorting.
        let mean = values.iter().fold(0.0, |sum, value| sum + value) / count as f64;
        values.sort_unstable_by(f64::total_cmp);
        let quantile = |part: f64| quantile(&values, part);
        Some(Self {
            mean,
            min: values[0],
            lower_quartile: quantile(0.25),
            median: quantile(0.5),
            upper_quartile: quantile(0.75),
            max: values[count - 1],
            count,
        })
    }
}

/// The value that a part of sorted values lies below, linear between order statistics.
pub fn quantile(sorted: &[f64], part: f64) -> f64 {
    let place = part * (sorted.len() - 1) as f64;
    let (below, above) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    below + (above - below) * place.fract()
}

/// Mean and standard error of independent values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Estimate {
    /// `None` of no runs.
    pub mean: Option<f64>,
    /// s/√n with s² = Σ(x − mean)²/(n − 1); `None` of fewer than two runs.
    pub standard_error: Option<f64>,
}

impl Estimate {
    /// Sums run in the order given.
    pub fn of(values: &[f64]) -> Self {
        let count = values.len() as f64;
        if values.is_empty() {
            return Self::default();
        }
        let mean = values.iter().fold(0.0, |sum, value| sum + value) / count;
        let squares = values.iter().fold(0.0, |sum, value| sum + (value - mean) * (value - mean));
        let standard_error = (values.len() > 1).then(|| (squares / (count - 1.0) / count).sqrt());
        Self { mean: Some(mean), standard_error }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_lie_between_order_statistics() {
        let got = Statistics::of(vec![4.0, 1.0, 2.0, 10.0]).expect("four values");
        let wanted = Statistics {
            mean: 4.25,
            min: 1.0,
            lower_quartile: 1.75,
            median: 3.0,
            upper_quartile: 5.5,
            max: 10.0,
            count: 4,
        };
        assert_eq!(got, wanted);
        assert_eq!(
            Statistics::of(vec![7.0]).map(|one| (one.min, one.median, one.max)),
            Some((7.0, 7.0, 7.0))
        );
        assert_eq!(Statistics::of(Vec::new()), None);
    }

    #[test]
    fn the_standard_error_is_the_samples_deviation_over_the_root_of_its_size() {
        // Mean 5, squares 9 + 1 + 1 + 1 + 0 + 0 + 4 + 16 = 32, s² = 32/7.
        let estimate = Estimate::of(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]);
        assert_eq!(estimate.mean, Some(5.0));
        let error = estimate.standard_error.expect("eight values");
        assert!((error - (32.0_f64 / 7.0 / 8.0).sqrt()).abs() < 1e-15, "{error}");
        assert_eq!(Estimate::of(&[3.0]), Estimate { mean: Some(3.0), standard_error: None });
        assert_eq!(Estimate::of(&[]), Estimate::default());
    }
}
