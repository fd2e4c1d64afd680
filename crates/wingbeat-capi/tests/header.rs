//! The header is what cbindgen makes of the functions.

use std::path::Path;

/// With `WINGBEAT_WRITE_HEADER` set, writes it anew.
#[test]
fn the_header_is_what_cbindgen_writes() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(here.join("cbindgen.toml")).expect("a configuration");
    let bindings = cbindgen::Builder::new()
        .with_crate(here)
        .with_config(config)
        .generate()
        .expect("functions that C can call");
    let mut written = Vec::new();
    bindings.write(&mut written);
    let header = here.join("include/wingbeat.h");
    if std::env::var_os("WINGBEAT_WRITE_HEADER").is_some() {
        std::fs::write(header, written).expect("a header");
        return;
    }
    let kept = std::fs::read(header).expect("a header");
    assert!(
        kept == written,
        "include/wingbeat.h is not what cbindgen writes: crates/wingbeat-capi/check --header"
    );
}
