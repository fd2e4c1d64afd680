//! What is said, and how: results on standard output, notes on standard error.

use std::io::{ErrorKind, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::failure::Failure;

/// Prints a text as it is. A reader that has gone away (`| head`) is not an error.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::Other(format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// Set once, before any work.
static QUIET: AtomicBool = AtomicBool::new(false);

/// `--quiet`: from here on nothing is said but results and errors.
pub fn be_quiet() {
    QUIET.store(true, Ordering::Relaxed);
}

/// Whether nothing is to be said but results and errors.
pub fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

/// Something to know, on standard error.
pub fn note(note: &str) {
    if !is_quiet() {
        eprintln!("note: {note}");
    }
}

/// Something that went wrong, though the command goes on.
pub fn warn(warning: &str) {
    if !is_quiet() {
        eprintln!("warning: {warning}");
    }
}

/// Prints what was done: no result, so not where nothing else is wanted.
pub fn say(text: &str) -> Result<(), Failure> {
    if is_quiet() { Ok(()) } else { print(text) }
}

/// Whether colours are welcome (<https://no-color.org>).
pub fn has_colors() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()) && !is_dumb()
}

/// Whether the terminal can do no more than a typewriter: no colours, no line drawn twice.
pub fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|term| term == "dumb")
}
