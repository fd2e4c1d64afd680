//! The `wingbeat` command; see the library.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    wingbeat_cli::main()
}
