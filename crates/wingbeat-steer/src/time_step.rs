//! How long a step is.

use crate::{ParamError, knobs};

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
        if dt > 0.0 && dt <= knobs::limit::TIME_STEP {
            Ok(Self(dt))
        } else {
            Err(ParamError::new("flock.dt", crate::error::Decimal(dt), "above 0, at most 1000"))
        }
    }

    /// The time step.
    pub fn get(self) -> f32 {
        self.0
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
