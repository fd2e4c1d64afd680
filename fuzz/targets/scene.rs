//! A scene's text: read, checked, built, stepped.
#![no_main]
use libfuzzer_sys::fuzz_target;
use wingbeat_fuzz::scenes::build_and_step;
use wingbeat_scene::Scene;

fuzz_target!(|text: &str| build_and_step(|overrides| Scene::parse("scene", text, overrides)));
