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
        let quantile = |part: f64| {
            let place = part * (count - 1) as f64;
            let (below, above) = (values[place.floor() as usize], values[place.ceil() as usize]);
            below + (above - below) * place.fract()
        };
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_lie_between_order_statistics() {
        let got = Statistics::of(vec![4.0, 1.0, 2.0, 10.0]).expect("four values");
        let wanted =
            Statistics { mean: 4.25, min: 1.0, lower_quartile: 1.75, median: 3.0, upper_quartile: 5.5, max: 10.0, count: 4 };
        assert_eq!(got, wanted);
        assert_eq!(Statistics::of(vec![7.0]).map(|one| (one.min, one.median, one.max)), Some((7.0, 7.0, 7.0)));
        assert_eq!(Statistics::of(Vec::new()), None);
    }
}
