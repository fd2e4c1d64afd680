//! The one way this crate refuses a value.

use alloc::string::{String, ToString};
use core::fmt;

/// A value that is not accepted: which knob, what was given, what is allowed.
///
/// ```
/// use wingbeat_steer::{Cohesion, Params};
/// let params = Params { cohesion: Some(Cohesion { weight: f32::NAN, ..Default::default() }), ..Default::default() };
/// assert_eq!(params.check().unwrap_err().to_string(), "cohesion.weight = NaN: allowed is -1000000000 to 1000000000");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParamError {
    /// Dotted name of the knob, as in a scene file: `separation.radius`.
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
}

impl fmt::Display for ParamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}: allowed is {}", self.field, self.value, self.allowed)
    }
}

impl core::error::Error for ParamError {}
