//! Why a scene or an initial state is refused.

use std::fmt;

use wingbeat::FlockError;
use wingbeat_record::one_line;

/// A refusal. Its text is one line: where, what, the value, and what is allowed.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SceneError {
    /// A key whose value is not accepted.
    Value {
        /// Where it was given: `tank.toml:12`, `--set`, `--boids`…
        place: String,
        /// Dotted name of the key.
        key: String,
        /// What was given.
        value: String,
        /// What is accepted, in words.
        allowed: String,
    },
    /// An unknown key or section.
    UnknownKey {
        /// Where it was given.
        place: String,
        /// Dotted name as given.
        key: String,
        /// What may have been meant.
        advice: String,
    },
    /// A text that is not TOML, or an override that is not `KEY=VALUE`.
    Syntax {
        /// Where.
        place: String,
        /// What is wrong with it.
        message: String,
    },
    /// A file that cannot be read.
    File {
        /// Its path, as given.
        path: String,
        /// Why not.
        message: String,
    },
    /// An initial state with something in it that is not accepted.
    Data {
        /// The file, with row and column where there is one.
        place: String,
        /// What is wrong.
        message: String,
    },
    /// The machine failed at something (threads that would not start): not the user's mistake.
    Machine(String),
}

impl SceneError {
    /// Whether what was given is at fault (exit code 2), rather than the machine (exit code 1).
    pub fn is_bad_input(&self) -> bool {
        !matches!(self, Self::Machine(_))
    }

    pub(crate) fn file(path: &str, message: impl fmt::Display) -> Self {
        Self::File { path: path.to_string(), message: message.to_string() }
    }

    pub(crate) fn data(place: impl fmt::Display, message: impl fmt::Display) -> Self {
        Self::Data { place: place.to_string(), message: message.to_string() }
    }
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Self::Value { place, key, value, allowed } => {
                format!("{place}: {key} = {value}: allowed is {allowed}")
            }
            Self::UnknownKey { place, key, advice } => {
                format!("{place}: unknown key {key}: {advice}")
            }
            Self::Syntax { place, message } | Self::Data { place, message } => {
                format!("{place}: {message}")
            }
            Self::File { path, message } => format!("{path}: {message}"),
            Self::Machine(message) => message.clone(),
        };
        f.write_str(&one_line(&text))
    }
}

impl std::error::Error for SceneError {}

impl From<FlockError> for SceneError {
    fn from(refusal: FlockError) -> Self {
        match refusal {
            FlockError::Threads { .. } => Self::Machine(refusal.to_string()),
            FlockError::Param(refusal) => Self::Value {
                place: "scene".into(),
                key: refusal.field,
                value: refusal.value,
                allowed: refusal.allowed,
            },
            other => Self::Data { place: "scene".into(), message: other.to_string() },
        }
    }
}
