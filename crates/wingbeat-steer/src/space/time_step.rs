//! The time step.

use crate::{ParamError, schema::limit};

/// A length of time one step covers: 0 < dt ≤ 1000, checked once so that a step cannot fail.
///
/// ```
/// use wingbeat_steer::TimeStep;
/// assert_eq!(TimeStep::new(0.02).unwrap().get(), 0.02);
/// assert!(TimeStep::new(0.0).is_err());
/// assert!(TimeStep::new(f32::NAN).is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "f32", into = "f32"))]
pub struct TimeStep(f32);

impl TimeStep {
    /// Checks a time step.
    ///
    /// # Errors
    /// When `dt` is not above 0 and at most 1000.
    pub fn new(dt: f32) -> Result<Self, ParamError> {
        if dt > 0.0 && dt <= limit::TIME_STEP {
            Ok(Self(dt))
        } else {
            Err(ParamError::new(
                "flock.dt",
                crate::schema::error::Decimal(dt),
                "above 0, at most 1000",
            ))
        }
    }

    /// The time step.
    pub fn get(self) -> f32 {
        self.0
    }

    /// The time step as it is written: 0.1, where the same number in single precision is
    /// 0.10000000149011612. Reports and files speak of it; steps are made with [`get`](Self::get).
    pub fn as_written(self) -> f64 {
        alloc::format!("{}", self.0).parse().unwrap_or(f64::from(self.0))
    }

    /// The time after so many steps of this length, to 15 digits.
    ///
    /// ```
    /// use wingbeat_steer::TimeStep;
    /// let dt = TimeStep::new(0.1)?;
    /// assert_eq!((dt.time_of(376), dt.time_of(3)), (37.6, 0.3));
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    pub fn time_of(self, steps: u64) -> f64 {
        let time = steps as f64 * self.as_written();
        alloc::format!("{time:.14e}").parse().unwrap_or(time)
    }
}

/// What a step takes: a [`TimeStep`], checked once, before the first. (A trait, so that the
/// compiler tells those who give a number.)
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no time step",
    label = "a `TimeStep` is wanted here",
    note = "make it once, before the first step: `let dt = TimeStep::new(0.016)?;`"
)]
pub trait IntoTimeStep {
    /// The time step.
    fn time_step(self) -> TimeStep;
}

impl IntoTimeStep for TimeStep {
    fn time_step(self) -> TimeStep {
        self
    }
}

impl TryFrom<f32> for TimeStep {
    type Error = ParamError;

    fn try_from(dt: f32) -> Result<Self, ParamError> {
        Self::new(dt)
    }
}

impl From<TimeStep> for f32 {
    fn from(dt: TimeStep) -> Self {
        dt.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_the_step_as_it_is_written() {
        let of = |steps, dt| TimeStep::new(dt).expect("a step").time_of(steps);
        assert_eq!((of(376, 0.1), of(3, 0.1), of(0, 0.1)), (37.6, 0.3, 0.0));
        assert_eq!((of(60, 1.0 / 60.0), of(1_000_000_007, 0.001)), (1.000_000_08, 1_000_000.007));
    }
}
