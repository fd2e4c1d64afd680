//! Initial states, as `--initial` takes them. The first byte says of which format, for a flock of
//! how many dimensions, with species or not.
#![no_main]
use libfuzzer_sys::fuzz_target;
use wingbeat_fuzz::{file, first, scenes::build_and_step};
use wingbeat_scene::{Override, Scene};

fuzz_target!(|bytes: &[u8]| {
    let (form, rest) = first(bytes);
    let dimensions = 2 + (form & 1);
    let species =
        if form & 2 == 0 { "" } else { "[species.hare.cohesion]\nradius = 2.0\n[species.fox]\n" };
    let domain = if form & 4 == 0 {
        ""
    } else {
        "[domain]\nkind = \"periodic\"\nmin = [0, 0]\nmax = [10, 10]\n"
    };
    let domain = if dimensions == 3 { "" } else { domain };
    let text = format!(
        "[flock]\ndimensions = {dimensions}\n{domain}[separation]\nradius = 1.0\n{species}"
    );
    let path = file(["csv", "npy", "npz", "xyz", "txt"][usize::from(form >> 3) % 5], rest);
    let initial = Override::text("--initial", "initial.file", &path.to_string_lossy());
    build_and_step(|more| {
        Scene::parse("initial", &text, &[std::slice::from_ref(&initial), more].concat())
    });
});
