//! What `wingbeat-mpi` calls: a run of this command on several ranks.

use std::process::ExitCode;

use wingbeat::subdomain::Transport;

use crate::ranks::Ranks;
use crate::terminal;

pub use crate::failure::Failure;
pub use crate::terminal::complain;

/// Runs what was typed after the name of a program, on all ranks. Collective.
pub fn main(
    (name, about): (&'static str, &'static str),
    typed: Result<impl Iterator<Item = String>, Failure>,
    transport: &mut dyn Transport,
) -> ExitCode {
    let mut ranks = Ranks::new(transport);
    if !ranks.is_first() {
        terminal::be_quiet();
    }
    let done = typed
        .and_then(|typed| crate::run::arguments(name, about, typed))
        .and_then(|args| crate::run::run_on(&args.on_rank(ranks.is_first()), Some(&mut ranks)));
    ranks.end(done).map_or_else(leave, |()| ExitCode::SUCCESS)
}

/// Says what went wrong, in the words and with the exit code of the command.
pub fn leave(failure: Failure) -> ExitCode {
    crate::leave(failure)
}
