//! Values beside a preset, as `--set` takes them: the first byte says which preset, each line is a
//! KEY=VALUE.
#![no_main]
use libfuzzer_sys::fuzz_target;
use wingbeat_fuzz::{first, scenes::build_and_step};
use wingbeat_scene::{Override, PRESETS, Scene};

fuzz_target!(|bytes: &[u8]| {
    let (number, rest) = first(bytes);
    // The stadium's flow field takes seconds under a sanitizer.
    let presets: Vec<&str> =
        PRESETS.iter().map(|preset| preset.name).filter(|&name| name != "stadium").collect();
    let preset = presets[usize::from(number) % presets.len()];
    let Ok(text) = std::str::from_utf8(rest) else { return };
    let Ok(overrides) = text.lines().map(Override::set).collect::<Result<Vec<_>, _>>() else {
        return;
    };
    build_and_step(|more| Scene::load(preset, &[&overrides, more].concat()));
});
