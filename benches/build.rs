//! What the benchmarks were compiled with, so that they can print it beside their results.

use std::process::Command;

fn main() {
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let version = Command::new(variable("RUSTC")).arg("--version").output();
    let rustc = version.map_or_else(
        |_| "unknown".into(),
        |out| String::from_utf8_lossy(&out.stdout).trim().to_owned(),
    );
    // Cargo separates flags by the unit separator, wherever they came from.
    let flags = variable("CARGO_ENCODED_RUSTFLAGS").replace('\u{1f}', " ");
    println!("cargo::rustc-env=BUILT_RUSTC={rustc}");
    println!("cargo::rustc-env=BUILT_RUSTFLAGS={flags}");
    println!("cargo::rustc-env=BUILT_TARGET={}", variable("TARGET"));
    println!(
        "cargo::rustc-env=BUILT_PROFILE={}, opt-level {}",
        variable("PROFILE"),
        variable("OPT_LEVEL")
    );
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=CARGO_ENCODED_RUSTFLAGS");
}
