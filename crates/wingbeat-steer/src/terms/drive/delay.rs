//! Delays: how long a boid waits before a drive moves it, drawn by seed and id.

use alloc::format;

use crate::math::noise::{bits, stream};
use crate::schema::error::Decimal;
use crate::terms::drive::definition::Field;
use crate::{ParamError, math};

/// How long a boid waits, from the beginning of a drive's window, before the drive sets it going.
///
/// The delay is the boid's: it depends on the flock's seed and the boid's id alone, so that of two
/// drives with the same delay both set the same boid going at the same time. Unit: time, default
/// none.
///
/// Formula: n the upper 24 of the 32 [bits](crate::math::noise::bits()) of (seed, id, 0, 112), p =
/// (n + ½)·2⁻²⁴, which is never 0 or 1:
/// * `Uniform`: min + (max − min)·p;
/// * `LogNormal`: median·exp(sigma·z), z being the [normal quantile](crate::math::normal_quantile)
///   of p. |z| ≤ 5.42, so a delay lies between median·exp(±5.42·sigma);
/// * `Gamma`: scale·x, x being the [gamma quantile](crate::math::gamma_quantile) of p; its mean is
///   shape·scale;
/// * `Weibull`: scale·(−ln(1 − p))^(1/shape).
///
/// ```
/// use wingbeat_steer::drive::Delay;
/// let delay = Delay::Uniform { min: 10.0, max: 100.0 };
/// let of = |id| delay.of(7, id);
/// assert!((0..1000).all(|id| (10.0..100.0).contains(&of(id))));
/// assert_ne!(of(1), of(2));
/// ```
/// Source: RiMEA 4.1.1, test 5 (uniform); Lovreglio et al. 2019 for distributions of times measured
/// before people set off; NIST TN 1822, test 1.1, for these four.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Delay {
    /// Every boid sets off at once.
    #[default]
    None,
    /// Any time between two is as likely as any other.
    Uniform {
        /// The shortest, time, 0 to 1e12.
        min: f64,
        /// The longest, time, from `min` to 1e12.
        max: f64,
    },
    /// The logarithm of the time is normally distributed.
    LogNormal {
        /// Half of the boids wait less long, time, 0 to 1e9. Larger: all boids wait longer.
        median: f64,
        /// Standard deviation of the natural logarithm, 0.001 to 5. Larger: a few wait much longer
        /// than most.
        sigma: f64,
    },
    /// Times as of `shape` events that follow each other, each as likely at any moment.
    Gamma {
        /// 0.1 to 100; 1 is the exponential distribution. Larger: later, and more alike.
        shape: f64,
        /// Time, 0 to 1e9. Larger: all boids wait longer.
        scale: f64,
    },
    /// The power 1/`shape` of a time that is exponentially distributed.
    Weibull {
        /// 0.1 to 100; 1 is the exponential distribution. Larger: more alike.
        shape: f64,
        /// 63 % of the boids wait less long, time, 0 to 1e9. Larger: all boids wait longer.
        scale: f64,
    },
}

impl Delay {
    /// The delay of a boid.
    pub fn of(&self, seed: u64, id: u64) -> f64 {
        self.of_draw(draw(seed, id))
    }

    /// The longest that any boid may have.
    pub fn longest(&self) -> f64 {
        self.of_draw(DRAWS - 1)
    }

    /// It never falls as the draw grows: [`Drive::draws_set_off`] relies on that.
    pub(crate) fn of_draw(&self, draw: u32) -> f64 {
        let p = (f64::from(draw) + 0.5) * (1.0 / f64::from(DRAWS));
        match *self {
            Self::None => 0.0,
            Self::Uniform { min, max } => min + (max - min) * p,
            Self::LogNormal { median, sigma } => {
                median * libm::exp(sigma * math::normal_quantile(p))
            }
            Self::Gamma { shape, scale } => scale * math::gamma_quantile(shape, p),
            Self::Weibull { shape, scale } => scale * libm::pow(-libm::log1p(-p), 1.0 / shape),
        }
    }

    pub(crate) fn check(&self, at: &Field<'_>) -> Result<(), ParamError> {
        match *self {
            Self::None => Ok(()),
            Self::Uniform { min, max } => {
                within(at, "delay_min", min, 0.0, LONGEST)?;
                within(at, "delay_max", max, min, LONGEST)
            }
            Self::LogNormal { median, sigma } => {
                within(at, "delay_median", median, 0.0, 1e9)?;
                within(at, "delay_sigma", sigma, LEAST_SIGMA, 5.0)
            }
            Self::Gamma { shape, scale } => {
                within(at, "delay_gamma_scale", scale, 0.0, 1e9)?;
                within(at, "delay_gamma_shape", shape, SHAPES[0], SHAPES[1])
            }
            Self::Weibull { shape, scale } => {
                within(at, "delay_weibull_scale", scale, 0.0, 1e9)?;
                within(at, "delay_weibull_shape", shape, SHAPES[0], SHAPES[1])
            }
        }
    }
}

/// Refuses a time outside of a range, and NaN.
pub(super) fn within(
    at: &Field<'_>,
    key: &str,
    value: f64,
    low: f64,
    high: f64,
) -> Result<(), ParamError> {
    if value >= low && value <= high {
        return Ok(());
    }
    Err(ParamError::new(at.key(key), value, format!("{low} to {}", Decimal(high as f32))))
}

pub(crate) fn draw(seed: u64, id: u64) -> u32 {
    bits(seed, id, 0, stream::DELAY) >> 8
}

/// Draws that a delay is made of: whole numbers below this.
pub(crate) const DRAWS: u32 = 1 << 24;

/// Largest time of a window or a delay.
pub(crate) const LONGEST: f64 = 1e12;

/// Spread of the logarithm, at least: neighboring draws still lead to different delays then,
/// longer for the larger draw.
const LEAST_SIGMA: f64 = 1e-3;

/// Shapes of a distribution, at least and at most, for the same reason: delays of neighboring
/// draws differ by 10⁻⁹ of themselves, a thousand times what is lost to rounding.
const SHAPES: [f64; 2] = [0.1, 100.0];
