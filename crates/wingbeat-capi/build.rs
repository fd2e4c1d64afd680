//! The name by which programs look for the shared library, with the version up to which functions
//! stay as they are.

use std::env::var;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let part = |name: &str| var(format!("CARGO_PKG_VERSION_{name}")).unwrap_or_default();
    // Before 1.0 a minor version may change them.
    let version = if part("MAJOR") == "0" { format!("0.{}", part("MINOR")) } else { part("MAJOR") };
    match var("CARGO_CFG_TARGET_OS").unwrap_or_default().as_str() {
        "macos" => println!(
            "cargo::rustc-cdylib-link-arg=-Wl,-install_name,@rpath/libwingbeat.{version}.dylib"
        ),
        "linux" | "freebsd" | "netbsd" | "openbsd" => {
            println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libwingbeat.so.{version}");
        }
        _ => {}
    }
}
