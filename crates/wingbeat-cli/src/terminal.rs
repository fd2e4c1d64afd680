//! Standard output.

use std::io::{ErrorKind, Write};

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
