//! How cost grows: with boids, threads and neighbors. Run it: `cargo run --release --example
//! scaling`, or with `-- --quick`.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    wingbeat_scaling::main()
}
