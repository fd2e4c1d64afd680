//! The program `wingbeat-mpi`; see the library.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    wingbeat_mpi::program::main()
}
