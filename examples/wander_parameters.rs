//! What each of wander's parameters does: the pictures of crates/wingbeat-steer/README.md.
//!
//! `cargo run --release --example wander_parameters -- docs/pictures` writes them anew; without a
//! folder, target/pictures.

use std::path::Path;

use wingbeat_examples::{PALETTE, Picture};
use wingbeat_steer::glam::Vec2;
use wingbeat_steer::{Body, Jitter, ParamError, Steering, Wander, WanderFrame, WanderParameters};

const STEPS: usize = 240;

/// Where an agent goes in 240 steps of dt = 1; always the same seed, so that only the parameter
/// differs.
fn track(style: WanderParameters, agent: u64) -> Result<Vec<Vec2>, ParamError> {
    let mut body = Body::new(Vec2::ZERO, Vec2::ZERO, 3.0, 1.0)?;
    let mut steering = Steering::new(&body, 0.6)?;
    let mut wander = Wander::new(style, Jitter::owned(4, agent))?;
    let mut track = vec![body.position];
    for _ in 0..STEPS {
        steering.observe(&body);
        steering.wander(&mut wander, 1.0);
        body.follow(steering.update(1.0));
        track.push(body.position);
    }
    Ok(track)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "target/pictures".into());
    let with = |change: fn(&mut WanderParameters, f32), value: f32| {
        let mut style = WanderParameters::default();
        change(&mut style, value);
        style
    };
    // Name, effect, how to set it, and three values, the default in the middle.
    type Story = (&'static str, &'static str, fn(&mut WanderParameters, f32), [f32; 3]);
    let stories: [Story; 5] = [
        ("distance", "larger: straighter", |p, x| p.distance = x, [2.0, 10.0, 40.0]),
        ("radius", "larger: wider swings, sharper turns", |p, x| p.radius = x, [2.0, 5.0, 20.0]),
        (
            "range",
            "larger: changes its mind sooner; far above 1 the body cannot follow and the way \
                straightens",
            |p, x| p.range = x,
            [0.3, 1.0, 4.0],
        ),
        (
            "interval",
            "larger: the same turns, more slowly",
            |p, x| p.interval = x,
            [0.25, 1.0, 4.0],
        ),
        (
            "radius in the heading's frame",
            "the circle's angles count from the heading: the agent curls",
            |p, x| (p.frame, p.radius) = (WanderFrame::Heading, x),
            [2.0, 5.0, 20.0],
        ),
    ];
    for (parameter, effect, change, values) in stories {
        let mut picture = Picture::new(&format!("wander: {parameter}"), effect, 3);
        picture.same_scale();
        for value in values {
            let style = with(change, value);
            let panel = picture.panel(&value.to_string());
            for (agent, color) in PALETTE.into_iter().enumerate().take(4) {
                let track = track(style, agent as u64)?;
                let thinned: Vec<Vec2> = track.iter().step_by(3).copied().collect();
                panel.track(&thinned, color, 1.6, 0.9);
                panel.agent(track[STEPS], track[STEPS] - track[STEPS - 1], color);
            }
            panel.dot(Vec2::ZERO, "#22262b", 4.0);
        }
        picture.save_in(
            Path::new(&folder),
            &format!("wander_{}", parameter.replace(' ', "_").replace("'s", "")),
        )?;
    }
    Ok(())
}
