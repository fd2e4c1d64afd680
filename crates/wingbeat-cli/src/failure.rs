//! How things go wrong: exit code 2 for bad input, 1 for anything else, one line on standard error
//! either way.

use clap::error::{ContextKind, ContextValue};
use strsim::osa_distance;
use wingbeat_record::RecordError;
use wingbeat_render::RenderError;
use wingbeat_scene::SceneError;

/// Commands that the Python package has in place of this program, and its calls.
const IN_PYTHON: [(&str, &str); 2] =
    [("compare", "wingbeat.compare(a, b)"), ("fit", "wingbeat.fit(...)")];

/// Why the command did not do what was asked.
#[derive(Debug)]
pub enum Failure {
    /// The user's input is refused.
    BadInput(String),
    /// The machine, the disk or the program failed.
    Other(String),
    /// The user stopped it; what was made is written.
    Stopped(String),
    /// Nothing is wrong: help or the version was asked for.
    Help(String),
    /// Another rank has failed and says why: all leave with its exit code.
    Said(u8),
}

impl Failure {
    /// The exit code.
    pub fn code(&self) -> u8 {
        match self {
            Self::Help(_) => 0,
            Self::BadInput(_) => 2,
            Self::Other(_) => 1,
            // As a shell has it: 128 and SIGINT, so that `a && b` does not go on with b.
            Self::Stopped(_) => 130,
            Self::Said(code) => *code,
        }
    }

    /// A value of a flag that is not accepted.
    pub fn value(flag: &str, value: &str, allowed: &str) -> Self {
        Self::BadInput(refusal(flag, value, allowed))
    }

    /// Why a recording could not be read, before anything was written.
    pub fn of_reading(error: RecordError) -> Self {
        match error {
            RecordError::Stopped => Self::Stopped("stopped; nothing is written".into()),
            error => error.into(),
        }
    }

    /// What clap says, on one line; `commands` are those there are.
    pub fn of_arguments(error: clap::Error, commands: &[String]) -> Self {
        use clap::error::ErrorKind::{DisplayHelp, DisplayVersion, ValueValidation};
        let text = error.to_string();
        if matches!(error.kind(), DisplayHelp | DisplayVersion) {
            return Self::Help(text);
        }
        if let Some(ContextValue::String(command)) = error.get(ContextKind::InvalidSubcommand) {
            return Self::unknown_command(command, commands);
        }
        let lines = text
            .lines()
            .map(str::trim)
            .take_while(|line| !line.starts_with("Usage:"))
            .filter(|line| !line.is_empty());
        // What is listed below a line stands behind its colon.
        let line = lines.collect::<Vec<_>>().join("; ").replace(":; ", ": ");
        let line = line.strip_prefix("error: ").unwrap_or(&line);
        let line = line.strip_suffix("; For more information, try '--help'.").unwrap_or(line);
        // Values are refused by their own types, with what is allowed.
        let hint = if error.kind() == ValueValidation { "" } else { " (try --help)" };
        Self::BadInput(format!("{line}{hint}"))
    }

    fn unknown_command(command: &str, commands: &[String]) -> Self {
        let shown = command.escape_debug();
        if let Some((_, call)) = IN_PYTHON.iter().find(|(name, _)| *name == command) {
            return Self::BadInput(format!(
                "unknown command {shown}: {call} of the Python package does this"
            ));
        }
        let nearest = commands.iter().min_by_key(|known| osa_distance(command, known));
        let nearest = nearest.map_or("run", String::as_str);
        Self::BadInput(format!("unknown command {shown}: the nearest is {nearest}"))
    }
}

/// Why a value of a flag is not accepted.
pub fn refusal(flag: &str, value: &str, allowed: &str) -> String {
    format!("{flag} = {}: allowed is {allowed}", value.escape_debug())
}

impl From<SceneError> for Failure {
    fn from(error: SceneError) -> Self {
        if error.is_bad_input() {
            Self::BadInput(error.to_string())
        } else {
            Self::Other(error.to_string())
        }
    }
}

impl From<RecordError> for Failure {
    fn from(error: RecordError) -> Self {
        match error {
            RecordError::Option { name, value, allowed } => {
                Self::value(&format!("--{name}"), &value, &allowed)
            }
            error @ RecordError::Write { .. } => Self::Other(error.to_string()),
            RecordError::Stopped => Self::Stopped("stopped; what is written is whole".into()),
            error => Self::BadInput(error.to_string()),
        }
    }
}

impl From<RenderError> for Failure {
    fn from(error: RenderError) -> Self {
        match error {
            RenderError::Value { name: "azimuth" | "elevation", value, allowed } => {
                Self::value("--camera", &value, allowed)
            }
            RenderError::Value { name, value, allowed } => {
                Self::value(&format!("--{name}"), &value, allowed)
            }
            error @ RenderError::Missing(_) => Self::BadInput(error.to_string()),
            error => Self::Other(error.to_string()),
        }
    }
}
