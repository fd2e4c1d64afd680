//! What Bevy costs beside the engine, in nanoseconds a boid.
//!
//! ```text
//! cargo bench -p wingbeat-bevy --bench cost [BOIDS]
//! ```
//!
//! Rounds of the parts take turns, so that whatever else the machine does meets all of them;
//! medians are printed.

use std::hint::black_box;
use std::time::{Duration, Instant};

use bevy_app::App;
use bevy_time::{Fixed, Time, TimePlugin, TimeUpdateStrategy, Virtual};
use bevy_transform::TransformPlugin;
use wingbeat_bevy::{
    EditableScene, Flock, FlockSettings, LiveFlock, Machine, Override, WingbeatPlugin,
};

const ROUNDS: usize = 15;
/// Frames or steps in a round.
const FRAMES: u32 = 10;

fn main() {
    let boids =
        std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(100_000);
    for (scene, dimensions) in [("shoal", "2-D"), ("opensteer", "3-D")] {
        measure(scene, dimensions, boids);
    }
}

fn live(scene: &str, boids: usize) -> LiveFlock {
    let count = Override::flag("bench", "flock.boids", &boids.to_string());
    let tuned = EditableScene::load(scene, &[count]).expect("a preset");
    LiveFlock::new(tuned, Machine::default(), None, true).expect("a flock")
}

/// An app without Bevy's own propagation, or with it.
fn app(live: LiveFlock, propagated: bool, settings: FlockSettings) -> App {
    let mut app = App::new();
    app.add_plugins((TimePlugin, WingbeatPlugin { settings })).insert_resource(Flock::new(live));
    if propagated {
        app.add_plugins(TransformPlugin);
    }
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO));
    app.update();
    app.world_mut().resource_mut::<Time<Virtual>>().set_max_delta(Duration::from_secs(1000));
    app
}

/// Frames of this part of a step.
fn clock(app: &mut App, share: f64) {
    let timestep = app.world().resource::<Time<Fixed>>().timestep();
    app.insert_resource(TimeUpdateStrategy::ManualDuration(timestep.mul_f64(share)));
}

fn measure(scene: &str, dimensions: &str, boids: usize) {
    let mut alone = live(scene, boids);
    let (level, threads) = (alone.flock().level(), alone.flock().threads());
    let usual = FlockSettings::default();
    // No frame of these makes a step: what is left is writing transforms, which lie elsewhere in
    // every frame.
    let unturned = FlockSettings { rotate: false, ..usual };
    let parts = [
        ("transforms alone", false, usual),
        ("without rotation", false, unturned),
        ("and Bevy's propagation", true, usual),
    ];
    let mut shown = parts.map(|(name, propagated, settings)| {
        let mut app = app(live(scene, boids), propagated, settings);
        clock(&mut app, 1.0);
        app.update();
        app.update();
        clock(&mut app, 1e-5);
        (name, app, Vec::new())
    });
    // One step a frame.
    let mut whole = [("a frame with a step", false), ("and Bevy's propagation", true)].map(
        |(name, propagated)| {
            let mut app = app(live(scene, boids), propagated, usual);
            clock(&mut app, 1.0);
            (name, app, Vec::new())
        },
    );
    let mut steps = Vec::new();
    for round in 0..=ROUNDS {
        let step = time(|| alone.step(), boids);
        let frames: Vec<f64> =
            whole.iter_mut().map(|(_, app, _)| time(|| app.update(), boids)).collect();
        let written: Vec<f64> =
            shown.iter_mut().map(|(_, app, _)| time(|| app.update(), boids)).collect();
        // The first warms up.
        if round > 0 {
            steps.push(step);
            whole.iter_mut().zip(frames).for_each(|((_, _, times), time)| times.push(time));
            shown.iter_mut().zip(written).for_each(|((_, _, times), time)| times.push(time));
        }
    }
    for (_, app, _) in &whole {
        let hash = app.world().resource::<Flock>().state_hash();
        assert_eq!(black_box(hash), alone.flock().state_hash(), "as many steps, another state");
    }
    println!(
        "{scene}, {dimensions}, {boids} boids, {threads} threads, {level}; ns a boid, medians of \
            {ROUNDS} rounds of {FRAMES} frames"
    );
    let step = median(&mut steps);
    println!("  {:<42} {step:7.1}", "engine alone, a step");
    for (name, _, times) in &mut whole {
        let frame = median(times);
        println!(
            "  {name:<42} {frame:7.1}   {:+.1} beside the engine, {:.3} of it",
            frame - step,
            frame / step
        );
    }
    for (name, _, times) in &mut shown {
        println!("  {:<42} {:7.1}", format!("a frame without a step: {name}"), median(times));
    }
}

/// Nanoseconds a boid and frame.
fn time(mut frame: impl FnMut(), boids: usize) -> f64 {
    let begun = Instant::now();
    for _ in 0..FRAMES {
        frame();
    }
    begun.elapsed().as_secs_f64() * 1e9 / (f64::from(FRAMES) * boids as f64)
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
