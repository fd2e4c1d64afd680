//! Why a parameter was refused.

use core::fmt;

/// A parameter outside its allowed range, refused where the behaviour is constructed.
///
/// It names the field, the value and the allowed range, both ends included. NaN is outside every range.
///
/// ```
/// use wingbeat_steer::{Jitter, Wander, WanderParameters};
/// let bad = WanderParameters { radius: -1.0, ..Default::default() };
/// let error = Wander::<[f32; 2]>::new(bad, Jitter::owned(1, 0)).unwrap_err();
/// assert_eq!(error.to_string(), "wander.radius = -1 is outside 0..=1e9");
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BehaviorError {
    /// What was refused, as `behavior.parameter`.
    pub field: &'static str,
    /// The value that was given.
    pub value: f32,
    /// Lowest and highest allowed value.
    pub allowed: (f32, f32),
}

/// A number as people write it: `1e9` rather than ten digits.
struct Short(f32);

impl fmt::Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.0.abs();
        if size.is_finite() && size != 0.0 && !(1e-3..1e6).contains(&size) {
            write!(f, "{:e}", self.0)
        } else {
            write!(f, "{}", self.0)
        }
    }
}

impl fmt::Display for BehaviorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (low, high) = self.allowed;
        write!(f, "{} = {} is outside {}..={}", self.field, Short(self.value), Short(low), Short(high))
    }
}

impl core::error::Error for BehaviorError {}

/// `Ok` if `value` lies within the allowed range, both ends included.
pub(crate) fn check(field: &'static str, value: f32, low: f32, high: f32) -> Result<(), BehaviorError> {
    if value >= low && value <= high { Ok(()) } else { Err(BehaviorError { field, value, allowed: (low, high) }) }
}

/// [`check`] for every component of a position.
pub(crate) fn check_position<V: crate::Vector>(field: &'static str, position: V) -> Result<(), BehaviorError> {
    (0..V::DIMENSIONS).try_for_each(|a| check(field, position.axis(a), -1e30, 1e30))
}
