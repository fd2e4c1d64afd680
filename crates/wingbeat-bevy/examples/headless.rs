//! A scene in Bevy without a window: prints the hash of its state, which is the one that the
//! command prints for the same scene and steps, and the boids nearest to the origin, each with the
//! bits of its distance.
//!
//! ```text
//! cargo run --release -p wingbeat-bevy --example headless -- shoal 200 flock.boids=2000
//! wingbeat run shoal --steps 200 --set flock.boids=2000 --json
//! ```
use std::process::ExitCode;

use bevy_app::App;
use bevy_ecs::prelude::{Res, With};
use bevy_ecs::system::SystemState;
use bevy_math::Vec3;
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use bevy_transform::TransformPlugin;
use wingbeat_bevy::{Boid, Flock, Machine, SpatialQuery, WingbeatPlugin};

fn main() -> ExitCode {
    match run(&std::env::args().skip(1).collect::<Vec<_>>()) {
        Ok(line) => {
            println!("{line}");
            ExitCode::SUCCESS
        }
        Err(line) => {
            eprintln!("headless: {line}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &[String]) -> Result<String, String> {
    let [scene, steps, overrides @ ..] = arguments else {
        return Err(
            "allowed is SCENE STEPS [KEY=VALUE ...], for example shoal 200 flock.boids=2000".into(),
        );
    };
    let steps: u32 =
        steps.parse().map_err(|_| format!("{steps}: allowed is a whole number of steps"))?;
    let overrides: Vec<&str> = overrides.iter().map(String::as_str).collect();
    let flock = Flock::load(scene, &overrides, Machine::default())
        .map_err(|refusal| refusal.to_string())?;

    let mut app = App::new();
    app.add_plugins((TimePlugin, TransformPlugin, WingbeatPlugin::default()))
        .insert_resource(flock);
    // As many steps in every frame as there were: a clock would decide how many otherwise.
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    // Time stands still in the first frame, and what remains for the steps is counted by the app.
    while app.world().resource::<Flock>().steps() < u64::from(steps) {
        app.update();
    }
    let entities = app.world_mut().query_filtered::<(), With<Boid>>().iter(app.world()).count();
    let mut asking = SystemState::<(SpatialQuery, Res<Flock>)>::new(app.world_mut());
    let asked = asking.get(app.world());
    let (near, flock) = asked.map_err(|missing| missing.to_string())?;
    let hash = flock.state_hash();
    let near: Vec<String> = near
        .nearest_n(Vec3::ZERO, 5)
        .iter()
        .map(|boid| format!("{}:{:08x}", boid.id, boid.distance.to_bits()))
        .collect();
    Ok(format!(
        "{{\"scene\":{scene:?},\"steps\":{},\"boids\":{},\"entities\":{entities},\
         \"state_hash\":\"{hash:016x}\",\
         \"near\":\"{}\"}}",
        flock.steps(),
        flock.len(),
        near.join(","),
    ))
}
