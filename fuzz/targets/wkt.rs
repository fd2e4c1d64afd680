//! Floor plans in the OGC's well-known form.
#![no_main]
use libfuzzer_sys::fuzz_target;
use wingbeat_fuzz::scenes::build_and_step;
use wingbeat_scene::{Override, Scene};

const SCENE: &str = "[flock]\nboids = 10\ndimensions = 2\n[separation]\nradius = 1.0\n[drive.way]\n\
        kind = \"goal\"\ntarget = [1.0, 1.0]\n";

fuzz_target!(|plan: &str| {
    let plan = Override::text("--set", "floor.wkt", plan);
    build_and_step(|more| {
        Scene::parse("floor", SCENE, &[std::slice::from_ref(&plan), more].concat())
    });
});
