//! Distributions that times are compared with.

use super::reader::ProofTable;
use crate::failure::Failure;

/// A distribution with its two numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distribution {
    kind: DistributionKind,
    numbers: [f64; 2],
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum DistributionKind {
    /// From the first number to the second.
    Uniform,
    /// Its mean and its standard deviation.
    Normal,
    /// The logarithm is normal: its mean and its standard deviation.
    LogNormal,
    /// Scale and shape: 1 − exp(−(x/scale)^shape).
    Weibull,
    /// Shape and scale: the regularized incomplete gamma function of x/scale.
    Gamma,
}

const KINDS: [(&str, DistributionKind); 5] = [
    ("uniform", DistributionKind::Uniform),
    ("normal", DistributionKind::Normal),
    ("log_normal", DistributionKind::LogNormal),
    ("weibull", DistributionKind::Weibull),
    ("gamma", DistributionKind::Gamma),
];

impl Distribution {
    /// Stands for one that is still to be read.
    pub const NONE: Self = Self { kind: DistributionKind::Uniform, numbers: [0.0, 1.0] };

    pub fn read(table: &ProofTable<'_>) -> Result<Self, Failure> {
        let kind = table.word("distribution", &KINDS)?;
        let kind = kind
            .ok_or_else(|| table.refuse("distribution", &KINDS.map(|(name, _)| name).join(", ")))?;
        let allowed = "two numbers: [min, max], [mean, deviation], of log_normal those of the \
            logarithm, [scale, shape] or, of gamma, [shape, scale]";
        let numbers: [f64; 2] =
            table.numbers("numbers")?.ok_or_else(|| table.refuse("numbers", allowed))?;
        let [a, b] = numbers;
        let is_right = match kind {
            DistributionKind::Uniform => a < b,
            DistributionKind::Normal | DistributionKind::LogNormal => b > 0.0,
            DistributionKind::Weibull | DistributionKind::Gamma => a > 0.0 && b > 0.0,
        };
        if is_right { Ok(Self { kind, numbers }) } else { Err(table.refuse("numbers", allowed)) }
    }

    /// The part of all values that lies below x.
    fn below(&self, x: f64) -> f64 {
        let [a, b] = self.numbers;
        match self.kind {
            DistributionKind::Uniform => ((x - a) / (b - a)).clamp(0.0, 1.0),
            DistributionKind::Normal => normal((x - a) / b),
            _ if x <= 0.0 => 0.0,
            DistributionKind::LogNormal => normal((libm::log(x) - a) / b),
            DistributionKind::Weibull => -libm::expm1(-libm::pow(x / a, b)),
            DistributionKind::Gamma => incomplete_gamma(a, x / b),
        }
    }

    /// The probability that as many values drawn from it are as far from it as these, which are
    /// sorted: Kolmogorov's series at (√n + 0.12 + 0.11/√n)·D, Stephens 1970.
    pub fn likelihood(&self, sorted: &[f64]) -> f64 {
        let n = sorted.len() as f64;
        let gap = |(i, x): (usize, &f64)| {
            let below = self.below(*x);
            let (before, after) = (below - i as f64 / n, (i + 1) as f64 / n - below);
            if before > after { before } else { after }
        };
        let largest = sorted
            .iter()
            .enumerate()
            .map(gap)
            .fold(0.0, |most: f64, gap| if gap > most { gap } else { most });
        let at = (n.sqrt() + 0.12 + 0.11 / n.sqrt()) * largest;
        // Below this the series converges slowly, and its sum is 1.
        if at < 0.2 {
            return 1.0;
        }
        let term = |k: i32| {
            let k = f64::from(k);
            let size = libm::exp(-2.0 * k * k * at * at);
            if k % 2.0 == 0.0 { -size } else { size }
        };
        (2.0 * (1..=100).map(term).sum::<f64>()).clamp(0.0, 1.0)
    }
}

/// The part of a standard normal distribution that lies below z.
fn normal(z: f64) -> f64 {
    0.5 * libm::erfc(-z * std::f64::consts::FRAC_1_SQRT_2)
}

/// The regularized lower incomplete gamma function P(shape, x): its power series, which converges
/// for any x.
fn incomplete_gamma(shape: f64, x: f64) -> f64 {
    let mut term = 1.0 / shape;
    let mut sum = term;
    for k in 1..10_000 {
        term *= x / (shape + f64::from(k));
        sum += term;
        if term < sum * 1e-15 {
            break;
        }
    }
    (sum * libm::exp(shape * libm::log(x) - x - libm::lgamma(shape))).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn near(found: f64, wanted: f64) {
        assert!((found - wanted).abs() < 1e-6, "{found}, wanted {wanted}");
    }

    #[test]
    fn parts_below_a_value_are_those_of_the_tables() {
        let of = |kind, numbers| Distribution { kind, numbers };
        near(of(DistributionKind::Uniform, [10.0, 100.0]).below(55.0), 0.5);
        near(of(DistributionKind::Normal, [1.2, 0.2]).below(1.0), 0.158_655_3);
        near(of(DistributionKind::LogNormal, [2.0, 0.5]).below(libm::exp(2.5)), 0.841_344_7);
        near(of(DistributionKind::Weibull, [3.0, 1.0]).below(3.0), 1.0 - libm::exp(-1.0));
        // Of shape 1 it is the exponential distribution; of shape 2, 1 − (1 + x)·exp(−x).
        near(of(DistributionKind::Gamma, [1.0, 2.0]).below(4.0), 1.0 - libm::exp(-2.0));
        near(of(DistributionKind::Gamma, [2.0, 1.0]).below(3.0), 1.0 - 4.0 * libm::exp(-3.0));
        near(of(DistributionKind::Gamma, [2.0, 1.0]).below(0.0), 0.0);
    }

    #[test]
    fn even_values_are_likely_and_shifted_ones_are_not() {
        let uniform = Distribution { kind: DistributionKind::Uniform, numbers: [0.0, 1.0] };
        let even: Vec<f64> = (0..100).map(|i| (f64::from(i) + 0.5) / 100.0).collect();
        assert!(uniform.likelihood(&even) > 0.999);
        // D = 0.136 of a hundred: the table's 5 %.
        let shifted: Vec<f64> = even.iter().map(|x| x * (1.0 - 0.131)).collect();
        let p = uniform.likelihood(&shifted);
        assert!((0.03..0.07).contains(&p), "{p}");
        assert!(uniform.likelihood(&[0.9; 20]) < 1e-6);
    }
}
