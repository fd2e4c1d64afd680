//! Why there is no picture.

use std::fmt;

/// A refusal. Its text is one line: what, its value, and what is allowed.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum RenderError {
    /// Something that was given is not accepted.
    Value {
        /// Its name.
        name: &'static str,
        /// What was given.
        value: String,
        /// What is accepted, in words.
        allowed: &'static str,
    },
    /// A program that is needed is not there.
    Missing(String),
    /// The machine, or a program that was called, is at fault.
    Failed(String),
}

impl RenderError {
    pub(crate) fn value(
        name: &'static str,
        value: impl fmt::Display,
        allowed: &'static str,
    ) -> Self {
        Self::Value { name, value: value.to_string(), allowed }
    }
}

impl fmt::Display for RenderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value { name, value, allowed } => {
                write!(f, "{name} = {value}: allowed is {allowed}")
            }
            Self::Missing(message) | Self::Failed(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for RenderError {}

impl From<RenderError> for std::io::Error {
    fn from(error: RenderError) -> Self {
        Self::other(error)
    }
}
