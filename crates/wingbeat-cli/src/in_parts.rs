//! What `wingbeat-mpi` calls: a run of this command whose flock is in parts.

use std::process::ExitCode;

use crate::run::RunArgs;
use crate::values::{Given, Whole};

pub use crate::failure::Failure;
pub use crate::parts::{Parts, PartsReport, Recorded, Stepped};
pub use crate::terminal::complain;

/// Says what went wrong, in the words and with the exit code of the command.
pub fn leave(failure: Failure) -> ExitCode {
    crate::leave(failure)
}

/// What was typed after the name of a program that runs scenes as `wingbeat run` does.
pub struct Arguments(RunArgs);

impl Arguments {
    /// Reads it.
    ///
    /// # Errors
    /// When it is not understood.
    pub fn read(
        name: &'static str,
        about: &'static str,
        typed: impl Iterator<Item = String>,
    ) -> Result<Self, Failure> {
        crate::run::arguments(name, about, typed).map(Self)
    }

    /// The SIMD level, where one was asked for.
    pub fn level(&self) -> Option<&str> {
        self.0.machine.level.as_ref().map(|level| level.text.as_str())
    }

    /// Threads of each part, unless it was said how many; and no page unless one was asked for.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        let usual = || Given::of(threads.to_string(), Whole(threads as u64));
        self.0.machine.threads.threads.get_or_insert_with(usual);
        self.0.page.no_html |= self.0.page.html.is_none() && !self.0.page.open;
        self
    }
}

/// Runs a scene in parts, and tells of it as `wingbeat run` does.
///
/// # Errors
/// When something is refused, or fails, or the user stops it.
pub fn run(arguments: &Arguments, parts: Box<dyn Parts>) -> Result<(), Failure> {
    crate::run::run_in_parts(&arguments.0, Some(parts))
}
