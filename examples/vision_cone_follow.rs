//! Vision cone and a parent to follow. Run it: `cargo run --release --example vision_cone_follow`.
//!
//! Boids look toward their parent, through a cone of 60°. They keep apart, line up and stay together with those they see
//! there, and are drawn to the parent. Only the direction of the sum counts; the velocity is eased toward it.

use wingbeat_examples::{PALETTE, Picture};
use wingbeat_steer::behavior::{cohesion, falloff, heading, in_sight, separation};
use wingbeat_steer::glam::Vec2;
use wingbeat_steer::{Jitter, blend, math};

const BOIDS: u64 = 24;
const DT: f32 = 1.0 / 60.0;
const STEPS: usize = 60 * 60;
const RADIUS: f32 = 5.0;
const SPEED: f32 = 6.0;
const PARENT_WEIGHT: f32 = 1.0;

/// A figure of eight, walked slowly enough to be followed.
fn parent(time: f32) -> Vec2 {
    let phase = Vec2::from_angle(time * 0.1);
    Vec2::new(40.0 * phase.y, 40.0 * phase.y * phase.x)
}

/// The wanted direction of boid `i`: 2.5 separation + 1 alignment + 1 cohesion + the parent, each as a unit vector.
fn wanted(flock: &[(Vec2, Vec2)], i: usize, parent: Vec2) -> Vec2 {
    let at = flock[i].0;
    let to_parent = (parent - at).normalize_or_zero();
    let cone = math::cos_half_view(60.0);
    let seen = || {
        let others = flock
            .iter()
            .enumerate()
            .filter(move |(j, _)| *j != i)
            .map(|(_, boid)| *boid);
        others.filter(move |boid| in_sight(at, to_parent, boid.0, RADIUS, cone))
    };
    let apart = separation(
        at,
        seen().map(|boid| boid.0),
        RADIUS,
        falloff::linear(RADIUS),
    );
    let along: Vec2 = seen().map(|boid| heading(boid.1)).sum();
    let together = cohesion(at, seen().map(|boid| boid.0));
    let units = [apart, along, together].map(Vec2::normalize_or_zero);
    blend::weighted_sum([
        (2.5, units[0]),
        (1.0, units[1]),
        (1.0, units[2]),
        (PARENT_WEIGHT, to_parent),
    ])
}

fn main() -> std::io::Result<()> {
    let mut flock: Vec<(Vec2, Vec2)> = (0..BOIDS)
        .map(|id| {
            let mut place = Jitter::owned(3, id);
            (
                Vec2::new(place.uniform(0, 0) - 0.5, place.uniform(1, 0) - 0.5) * 60.0,
                Vec2::ZERO,
            )
        })
        .collect();
    let mut tracks = vec![Vec::new(); flock.len()];
    let mut parent_track = Vec::new();
    for step in 0..STEPS {
        let leader = parent(step as f32 * DT);
        parent_track.push(leader);
        let wishes: Vec<Vec2> = (0..flock.len())
            .map(|i| wanted(&flock, i, leader))
            .collect();
        for ((boid, wish), track) in flock.iter_mut().zip(wishes).zip(&mut tracks) {
            boid.1 = blend::toward_direction(boid.1, wish, SPEED, 3.0, DT);
            boid.0 += boid.1 * DT;
            track.push(boid.0);
        }
        if step % 600 == 0 {
            let mean = flock
                .iter()
                .map(|boid| boid.0.distance(leader))
                .sum::<f32>()
                / flock.len() as f32;
            println!(
                "{:4.1} s: mean distance to the parent {mean:.1}",
                step as f32 * DT
            );
        }
    }

    let mut picture = Picture::new(
        "Following a parent",
        "24 boids, sight 5, field of view 60° toward the parent",
        2,
    );
    for (title, from) in [("60 seconds", 0), ("the last 6 seconds", STEPS - 360)] {
        let panel = picture.panel(title);
        for track in &tracks {
            let every_fifth: Vec<Vec2> = track[from..].iter().step_by(5).copied().collect();
            panel.track(
                &every_fifth,
                PALETTE[0],
                1.0,
                if from == 0 { 0.3 } else { 0.6 },
            );
        }
        panel.track(&parent_track[from..], PALETTE[1], 3.0, 0.9);
        flock
            .iter()
            .for_each(|boid| panel.agent(boid.0, boid.1, PALETTE[0]));
        panel.dot(parent_track[STEPS - 1], PALETTE[1], 6.0);
    }
    picture.legend("boids", PALETTE[0]);
    picture.legend("parent", PALETTE[1]);
    picture.save("vision_cone_follow")?;
    Ok(())
}
