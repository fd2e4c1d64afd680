//! A flock without an engine: 30 vehicles that seek and flee. Run it: `cargo
//! run --release --example flock_scalar`.
//!
//! Each vehicle seeks the middle of those it sees in front of it, flees those too close and takes
//! up their velocity: one double loop over the others. Enough for dozens; for thousands there is
//! the engine.

use wingbeat_examples::{PALETTE, Picture};
use wingbeat_steer::behavior::{AxisBox, SeekFlee};
use wingbeat_steer::glam::Vec2;
use wingbeat_steer::{Body, Jitter, ParamError, Steering};

const VEHICLES: u64 = 30;
const MAX_SPEED: f32 = 4.0;
const STEPS: usize = 600;

fn vehicle(id: u64) -> Result<Body<Vec2>, ParamError> {
    let mut draw = Jitter::owned(5, id);
    let at = Vec2::new(draw.uniform(0, 0), draw.uniform(1, 0)) * 600.0;
    let along = Vec2::from_angle(draw.uniform(2, 0) * std::f32::consts::TAU);
    Body::new(at, along * MAX_SPEED, MAX_SPEED, 1.0)
}

/// Mean distance to the nearest other, and how well the headings agree (1: all alike).
fn order(flock: &[Body<Vec2>]) -> (f32, f32) {
    let nearest = |i: usize| {
        let others = flock.iter().enumerate().filter(|(j, _)| *j != i);
        others
            .map(|(_, other)| other.position.distance(flock[i].position))
            .min_by(f32::total_cmp)
            .unwrap_or(0.0)
    };
    let count = flock.len() as f32;
    let spacing = (0..flock.len()).map(nearest).sum::<f32>() / count;
    let headings: Vec2 = flock.iter().map(|body| body.velocity.normalize_or_zero()).sum();
    (spacing, headings.length() / count)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rule = SeekFlee::default(); // sight 200, front half plane, too close at 60
    let yard = AxisBox::new(Vec2::splat(-300.0), Vec2::splat(900.0))?;
    let mut flock: Vec<_> = (0..VEHICLES).map(vehicle).collect::<Result<_, _>>()?;
    let mut managers: Vec<_> =
        flock.iter().map(|body| Steering::new(body, 0.3)).collect::<Result<_, _>>()?;
    let mut tracks: Vec<Vec<Vec2>> = flock.iter().map(|body| vec![body.position]).collect();

    println!("step: mean distance to the nearest, polarisation");
    for step in 0..=STEPS {
        if step % 100 == 0 {
            let (spacing, polarization) = order(&flock);
            println!("{step:4}: {spacing:5.1}, {polarization:.2}");
        }
        // Everyone looks at the same moment before anyone moves.
        let before: Vec<_> = flock.iter().map(|body| (body.position, body.velocity)).collect();
        for (i, (body, steering)) in flock.iter_mut().zip(&mut managers).enumerate() {
            let others =
                before.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, other)| *other);
            steering.observe(body);
            steering.add("seek_flee", rule.steer(before[i], others, MAX_SPEED));
            steering.weighted(4.0).contain(&yard, 20.0);
            body.follow(steering.update(1.0));
            tracks[i].push(body.position);
        }
    }

    let mut picture = Picture::new(
        "A seek-flee flock",
        "30 vehicles, 600 steps; sight 200 ahead, too close at 60",
        2,
    );
    let whole = picture.panel("the first 200 steps, from random headings");
    for track in &tracks {
        whole.track(&track[..200], PALETTE[2], 1.3, 0.6);
        whole.dot(track[0], PALETTE[5], 2.5);
        whole.agent(track[200], track[200] - track[199], PALETTE[0]);
    }
    let late = picture.panel("the last 200 steps");
    for (track, body) in tracks.iter().zip(&flock) {
        late.track(&track[STEPS - 200..], PALETTE[2], 1.3, 0.6);
        late.agent(body.position, body.velocity, PALETTE[0]);
    }
    picture.legend("start", PALETTE[5]);
    picture.legend("track", PALETTE[2]);
    picture.legend("vehicle", PALETTE[0]);
    picture.save("flock_scalar")?;
    Ok(())
}
