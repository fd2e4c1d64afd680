//! The values of an observable over moments, as a distribution.

use serde::Serialize;

use crate::distances::{cliffs_delta, kolmogorov_smirnov, wasserstein};
use crate::statistics::Statistics;

/// Part of the mean that a deviation counts as at least: distances are not measured in units of
/// what hardly varies.
const LEAST_PART: f64 = 0.05;

/// Values over moments.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    pub statistics: Statistics,
    /// s with s² = Σ(x − mean)²/(n − 1), 0 of a single value.
    pub standard_deviation: f64,
    /// How many independent values would tell as much about the mean; see [`independent`]. `None`
    /// where nothing varies.
    pub independent: Option<f64>,
    /// In ascending order.
    pub values: Vec<f64>,
}

/// How far one sample lies from another, the first.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Distance {
    /// −1 to 1, positive where the second is higher.
    pub cliffs_delta: f64,
    /// 0 to 1.
    pub kolmogorov_smirnov: f64,
    /// In units of the first's [`Sample::unit`].
    pub standardized: f64,
}

impl Sample {
    /// Of some runs, each in order of time. `None` of nothing.
    pub fn of(runs: &[Vec<f64>]) -> Option<Self> {
        let mut values = runs.concat();
        let statistics = Statistics::of(values.clone())?;
        let squares =
            values.iter().fold(0.0, |sum, x| sum + (x - statistics.mean) * (x - statistics.mean));
        let freedom = if values.len() > 1 { values.len() as f64 - 1.0 } else { 1.0 };
        let independent =
            runs.iter().filter(|run| !run.is_empty()).map(|run| independent(run)).sum();
        values.sort_by(f64::total_cmp);
        Some(Self {
            statistics,
            standard_deviation: (squares / freedom).sqrt(),
            independent,
            values,
        })
    }

    /// What distances from this sample are measured in: its standard deviation, but at least a
    /// twentieth of its mean. 0 if all is 0.
    pub fn unit(&self) -> f64 {
        self.standard_deviation.max(LEAST_PART * self.statistics.mean.abs())
    }

    /// How far values lie from these, in their [unit](Self::unit); `None` where that is 0 and the
    /// values differ.
    pub fn standardized(&self, sorted: &[f64]) -> Option<f64> {
        let moved = wasserstein(&self.values, sorted);
        if moved == 0.0 {
            Some(0.0)
        } else {
            Some(moved / self.unit()).filter(|distance| distance.is_finite())
        }
    }

    /// How far another sample lies from this one.
    pub fn distance(&self, other: &Self) -> Option<Distance> {
        Some(Distance {
            cliffs_delta: cliffs_delta(&self.values, &other.values),
            kolmogorov_smirnov: kolmogorov_smirnov(&self.values, &other.values),
            standardized: self.standardized(&other.values)?,
        })
    }
}

/// n/(1 + 2Σρ(k)), with the correlations ρ between values k moments apart, up to where they first
/// are not above 0.
fn independent(run: &[f64]) -> Option<f64> {
    let count = run.len() as f64;
    let mean = run.iter().sum::<f64>() / count;
    let covariance = |lag: usize| {
        run.iter().zip(&run[lag..]).map(|(x, y)| (x - mean) * (y - mean)).sum::<f64>() / count
    };
    let variance = covariance(0);
    // What rounding leaves of equal values is no variance.
    if variance <= 1e-24 * mean * mean {
        return None;
    }
    let correlations = (1..run.len())
        .map(|lag| covariance(lag) / variance)
        .take_while(|&correlation| correlation > 0.0);
    Some(count / (1.0 + 2.0 * correlations.sum::<f64>()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers from 0 to 1 without a visible pattern.
    fn noise(count: usize) -> Vec<f64> {
        let mut state = 1_u64;
        let mut draw = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        (0..count).map(|_| draw()).collect()
    }

    #[test]
    fn correlated_values_count_as_fewer() {
        let white = noise(4000);
        let count = independent(&white).expect("it varies");
        assert!((3400.0..=4000.0).contains(&count), "{count}");
        // x ← a·x + noise has a correlation of aᵏ, and Σ of it a/(1 − a): of 0.8, ninefold fewer.
        let mut x = 0.0;
        let mut next = |noise: f64| {
            x = 0.8 * x + noise - 0.5;
            x
        };
        let red: Vec<f64> = noise(20_000).into_iter().map(&mut next).collect();
        let count = independent(&red).expect("it varies");
        assert!((1700.0..2800.0).contains(&count), "{count} of 20,000, expected about 2,222");
        assert_eq!(independent(&[3.0; 9]), None);
    }

    #[test]
    fn what_hardly_varies_is_measured_by_its_mean() {
        let still = Sample::of(&[vec![10.0; 4]]).expect("values");
        assert_eq!(
            (still.unit(), still.standardized(&[10.0]), still.standardized(&[11.0])),
            (0.5, Some(0.0), Some(2.0))
        );
        let lively = Sample::of(&[vec![8.0, 12.0], vec![9.0, 11.0]]).expect("values");
        assert!((lively.standard_deviation - (10.0_f64 / 3.0).sqrt()).abs() < 1e-12);
        assert_eq!(lively.unit(), lively.standard_deviation);
        let nothing = Sample::of(&[vec![0.0; 4]]).expect("values");
        assert_eq!((nothing.standardized(&[0.0]), nothing.standardized(&[1.0])), (Some(0.0), None));
        assert_eq!(Sample::of(&[Vec::new()]), None);
    }
}
