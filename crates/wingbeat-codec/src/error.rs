//! Why a recording is refused.

use std::fmt;

use crate::escape::one_line;

/// A refusal. Its text is one line: where, what, and what is allowed.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum RecordError {
    /// A file that cannot be read.
    File {
        /// Its path, as given.
        path: String,
        /// Why not.
        message: String,
    },
    /// A file with something in it that is not accepted.
    Data {
        /// The file, with line or row where there is one.
        place: String,
        /// What is wrong, and what is allowed.
        message: String,
    },
    /// A file that cannot be written.
    Write {
        /// Its path, as given.
        path: String,
        /// Why not, and what is left of it.
        message: String,
    },
    /// The watch function asked to stop.
    Stopped,
    /// An option that is not accepted.
    Option {
        /// Its name.
        name: &'static str,
        /// What was given.
        value: String,
        /// What is accepted, in words.
        allowed: String,
    },
}

impl RecordError {
    /// A refusal of something in a file.
    pub fn data(place: impl fmt::Display, message: impl fmt::Display) -> Self {
        Self::Data { place: place.to_string(), message: message.to_string() }
    }

    /// A file that cannot be written, for the reason that the system has.
    pub fn cannot_write(path: &std::path::Path, error: &std::io::Error) -> Self {
        Self::Write {
            path: path.display().to_string(),
            message: format!("cannot be written: {error}"),
        }
    }

    /// A recording that cannot be read, for the reason that the system has.
    pub fn cannot_read(path: &str, error: &std::io::Error) -> Self {
        Self::File {
            path: path.to_string(),
            message: format!("cannot read the recording: {}", io_reason(error)),
        }
    }
}

/// The variable that names the folder of temporary files: the cure where that is full.
pub const TEMPORARY: &str = if cfg!(windows) { "TMP" } else { "TMPDIR" };

/// Why a file could not be read or written, in a few words: "no such file".
pub fn io_reason(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "no such file".to_string(),
        std::io::ErrorKind::PermissionDenied => "permission denied".to_string(),
        std::io::ErrorKind::IsADirectory => "it is a folder".to_string(),
        _ => error.to_string(),
    }
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Self::File { path, message } | Self::Write { path, message } => {
                format!("{path}: {message}")
            }
            Self::Data { place, message } => format!("{place}: {message}"),
            Self::Stopped => "stopped".into(),
            Self::Option { name, value, allowed } => {
                format!("{name} = {value}: allowed is {allowed}")
            }
        };
        // A message may quote the file.
        f.write_str(&one_line(&text))
    }
}

impl std::error::Error for RecordError {}
