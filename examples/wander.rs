//! Wander: one behavior, three characters. Run it: `cargo run --release --example wander`.
//!
//! A point strolls on a circle carried ahead of the agent; how far ahead, how big and how restless
//! makes the character.

use wingbeat_examples::{PALETTE, Picture};
use wingbeat_steer::glam::Vec2;
use wingbeat_steer::{Body, Jitter, ParamError, Steering, Wander, WanderFrame, WanderParameters};

const STEPS: usize = 400;

/// The track of one agent: 400 steps of dt = 1.
fn track(style: WanderParameters, seed: u64, agent: u64) -> Result<Vec<Vec2>, ParamError> {
    let mut body = Body::new(Vec2::ZERO, Vec2::ZERO, 3.0, 1.0)?;
    let mut steering = Steering::new(&body, 0.6)?;
    // Every agent owns its randomness: its track is the same however many others there are.
    let mut wander = Wander::new(style, Jitter::owned(seed, agent))?;
    let mut track = vec![body.position];
    for _ in 0..STEPS {
        steering.observe(&body);
        steering.wander(&mut wander, 1.0);
        body.follow(steering.update(1.0));
        track.push(body.position);
    }
    Ok(track)
}

/// Mean turn from one step to the next, in degrees.
fn mean_turn(track: &[Vec2]) -> f32 {
    let turns = track.windows(3).map(|p| (p[1] - p[0]).angle_to(p[2] - p[1]).abs());
    turns.sum::<f32>().to_degrees() / STEPS as f32
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let source = WanderParameters::default();
    let styles = [
        ("a stroller: range 0.3 rad", WanderParameters { range: 0.3, ..source }),
        ("the source's: radius 5, range 1 rad", source),
        (
            "a fly: own frame, radius 8, range 3 rad",
            WanderParameters { radius: 8.0, range: 3.0, frame: WanderFrame::Heading, ..source },
        ),
    ];
    let mut picture =
        Picture::new("Wander", "Three styles, four agents each, 400 steps from the dot", 3);
    picture.same_scale();
    println!("style: mean turn a step, distance from the start after {STEPS} steps");
    for (name, style) in styles {
        let tracks: Vec<_> =
            (0..4).map(|agent| track(style, 1, agent)).collect::<Result<_, _>>()?;
        let turn = tracks.iter().map(|t| mean_turn(t)).sum::<f32>() / 4.0;
        let reach: Vec<String> =
            tracks.iter().map(|t| format!("{:.0}", t[STEPS].length())).collect();
        println!("{name}: {turn:.1}°, {}", reach.join(" "));
        let panel = picture.panel(name);
        for (track, color) in tracks.iter().zip(PALETTE) {
            panel.track(track, color, 1.6, 0.9);
        }
        for (track, color) in tracks.iter().zip(PALETTE) {
            panel.agent(track[STEPS], track[STEPS] - track[STEPS - 1], color);
        }
        panel.dot(Vec2::ZERO, "#22262b", 4.0);
    }
    for (agent, color) in PALETTE.into_iter().enumerate().take(4) {
        picture.legend(&format!("agent {agent}"), color);
    }
    picture.save("wander")?;
    Ok(())
}
