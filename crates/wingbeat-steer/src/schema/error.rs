//! The error of this crate: a value that is refused, by name, with what is allowed.

use alloc::format;
use alloc::string::{String, ToString};
use core::fmt;

use crate::Vector;
use crate::schema::limit;

/// A value that is not accepted: which one, what was given, what is allowed.
///
/// ```
/// use wingbeat_steer::{Cohesion, Jitter, Params, Wander, WanderParameters};
/// let params = Params {
///     rules: Cohesion { weight: f32::NAN, ..Default::default() }.into(),
///     ..Default::default()
/// };
/// assert_eq!(
///     params.check().unwrap_err().to_string(),
///     "cohesion.weight = NaN: allowed is -1e9 to 1e9"
/// );
/// let wander = Wander::<[f32; 2]>::new(
///     WanderParameters { radius: -1.0, ..Default::default() },
///     Jitter::owned(1, 0),
/// );
/// assert_eq!(wander.unwrap_err().to_string(), "wander.radius = -1: allowed is 0 to 1e9");
/// ```
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq)]
pub struct ParamError {
    /// Dotted name of the value, as in a scene file: `separation.radius`.
    pub field: String,
    /// What was given.
    pub value: String,
    /// What is accepted, in words.
    pub allowed: String,
}

impl ParamError {
    /// Names a refused value.
    pub fn new(field: impl ToString, value: impl ToString, allowed: impl ToString) -> Self {
        Self { field: field.to_string(), value: value.to_string(), allowed: allowed.to_string() }
    }

    /// The same refusal by another name of the value.
    #[must_use]
    pub fn named(self, field: impl ToString) -> Self {
        Self { field: field.to_string(), ..self }
    }
}

impl fmt::Display for ParamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}: allowed is {}", self.field, self.value, self.allowed)
    }
}

/// As [`Display`](fmt::Display): it is what a program ends with whose `main` returns it.
impl fmt::Debug for ParamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl core::error::Error for ParamError {}

/// Refuses a number outside `low..=high`, and NaN.
///
/// # Errors
/// Names the field, the value and the range.
///
/// ```
/// use wingbeat_steer::check_range;
/// assert!(check_range("tree.height", 1e9, 0.0, 1e9).is_ok());
/// let refusal = check_range(format_args!("tree.{}", "height"), -2.0, 0.0, 1e9).unwrap_err();
/// assert_eq!(refusal.to_string(), "tree.height = -2: allowed is 0 to 1e9");
/// ```
pub fn check_range(
    field: impl fmt::Display,
    value: f32,
    low: f32,
    high: f32,
) -> Result<(), ParamError> {
    if value >= low && value <= high {
        return Ok(());
    }
    Err(ParamError::new(field, Decimal(value), format!("{} to {}", Decimal(low), Decimal(high))))
}

/// Refuses a vector with a component beyond ±`limit`.
///
/// # Errors
/// Names the component as `field[axis]`, its value and the range.
pub fn check_components<V: Vector>(
    field: impl fmt::Display,
    vector: V,
    limit: f32,
) -> Result<(), ParamError> {
    (0..V::DIMENSIONS)
        .try_for_each(|a| check_range(format_args!("{field}[{a}]"), vector.axis(a), -limit, limit))
}

/// Refuses a line of no points, or of one beyond the accepted range.
pub(crate) fn check_places<V: Vector>(field: &str, points: &[V]) -> Result<(), ParamError> {
    check_range(field, points.len() as f32, 1.0, 16_777_216.0)?;
    let check =
        |(i, &point)| check_components(format_args!("{field}[{i}]"), point, limit::POSITION);
    points.iter().enumerate().try_for_each(check)
}

/// A number as people write it: plain in the middle of the scale, as a power of ten at its ends.
/// `1e12`, where an `f32` itself reads 999999995904 or 1000000000000.
pub struct Decimal<T>(pub T);

impl<T: Copy + Into<f64> + fmt::Display + fmt::LowerExp> fmt::Display for Decimal<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.0.into().abs();
        if size == 0.0 || !size.is_finite() || (1e-4..1e7).contains(&size) {
            write!(f, "{}", self.0)
        } else {
            write!(f, "{:e}", self.0)
        }
    }
}
