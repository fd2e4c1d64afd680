//! What each of wander's parameters does: the pictures of docs/STEERING.md.
//!
//! `cargo run --release --example wander_parameters -- docs/pictures` writes them anew; without a folder, target/pictures.

use std::path::Path;

use wingbeat_examples::{PALETTE, Picture};
use wingbeat_steer::glam::Vec2;
use wingbeat_steer::{
    BehaviorError, Body, Jitter, Steering, Wander, WanderFrame, WanderParameters,
};

const STEPS: usize = 240;

/// Where an agent goes in 240 steps of dt = 1; always the same seed, so that only the parameter differs.
fn track(style: WanderParameters, agent: u64) -> Result<Vec<Vec2>, BehaviorError> {
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
    let folder = std::env::args()
        .nth(1)
        .unwrap_or_else(|| "target/pictures".into());
    let source = WanderParameters::default();
    let distance = |distance| WanderParameters { distance, ..source };
    let radius = |radius| WanderParameters { radius, ..source };
    let range = |range| WanderParameters { range, ..source };
    let interval = |interval| WanderParameters { interval, ..source };
    let frame = |frame| WanderParameters { frame, ..source };
    let stories = [
        (
            "distance",
            "larger: straighter",
            vec![
                ("2", distance(2.0)),
                ("10 (default)", distance(10.0)),
                ("40", distance(40.0)),
            ],
        ),
        (
            "radius",
            "larger: wider swings, sharper turns",
            vec![
                ("2", radius(2.0)),
                ("5 (default)", radius(5.0)),
                ("20", radius(20.0)),
            ],
        ),
        (
            "range",
            "larger: changes its mind sooner",
            vec![
                ("0.3", range(0.3)),
                ("1 (default)", range(1.0)),
                ("4", range(4.0)),
            ],
        ),
        (
            "interval",
            "larger: the same turns, more slowly",
            vec![
                ("0.25", interval(0.25)),
                ("1 (default)", interval(1.0)),
                ("4", interval(4.0)),
            ],
        ),
        (
            "frame",
            "the circle's angles: from the world, or from the heading",
            vec![
                ("World (default)", frame(WanderFrame::World)),
                ("Heading", frame(WanderFrame::Heading)),
            ],
        ),
    ];
    for (parameter, effect, values) in stories {
        let mut picture = Picture::new(&format!("wander: {parameter}"), effect, 3);
        picture.same_scale();
        for (value, style) in values {
            let panel = picture.panel(&format!("{parameter} {value}"));
            for (agent, color) in PALETTE.into_iter().enumerate().take(4) {
                let track = track(style, agent as u64)?;
                let thinned: Vec<Vec2> = track.iter().step_by(3).copied().collect();
                panel.track(&thinned, color, 1.6, 0.9);
                panel.agent(track[STEPS], track[STEPS] - track[STEPS - 1], color);
            }
            panel.dot(Vec2::ZERO, "#22262b", 4.0);
        }
        picture.save_in(Path::new(&folder), &format!("wander_{parameter}"))?;
    }
    Ok(())
}
