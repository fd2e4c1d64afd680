//! Vision cone and a parent to follow. Run it: `cargo run --release --example vision_cone_follow`.
//!
//! Boids look toward their parent, through a cone of 60°. They keep apart, line up and stay
//! together with those they see there, and are drawn to the parent. Only the direction of the sum
//! counts; the velocity is eased toward it.

use wingbeat_examples::{PALETTE, Picture};
use wingbeat_steer::behavior::{cohesion, falloff, heading, in_sight, separation};
use wingbeat_steer::glam::Vec2;
use wingbeat_steer::{Jitter, blend, math};

const BOIDS: u64 = 24;
const DT: f32 = 1.0 / 60.0;
const STEPS: usize = 60 * 60;
const RADIUS: f32 = 5.0;
const SPEED: f32 = 6.0;

/// A figure of eight, walked slowly enough to be followed.
fn parent(time: f32) -> Vec2 {
    let phase = Vec2::from_angle(time * 0.1);
    Vec2::new(40.0 * phase.y, 40.0 * phase.y * phase.x)
}

/// The wanted direction of boid `i`: 2.5 separation + 1 alignment + 1 cohesion + 1 parent, each as
/// a unit vector.
fn wanted(flock: &[(Vec2, Vec2)], i: usize, parent: Vec2) -> Vec2 {
    let at = flock[i].0;
    let to_parent = (parent - at).normalize_or_zero();
    let sees = |other: Vec2| in_sight(at, to_parent, other, RADIUS, math::cos_half_view(60.0));
    let seen_by_me = |j: &usize| *j != i && sees(flock[*j].0);
    let seen = || (0..flock.len()).filter(seen_by_me).map(|j| flock[j]);
    let apart = separation(at, seen().map(|boid| boid.0), RADIUS, falloff::soft(RADIUS));
    let along: Vec2 = seen().map(|boid| heading(boid.1)).sum();
    let together = cohesion(at, seen().map(|boid| boid.0));
    let [apart, along, together] = [apart, along, together].map(Vec2::normalize_or_zero);
    blend::weighted_sum([(2.5, apart), (1.0, along), (1.0, together), (1.0, to_parent)])
}

/// Boid `id` at rest somewhere around the origin.
fn boid(id: u64) -> (Vec2, Vec2) {
    let mut place = Jitter::owned(3, id);
    let at = Vec2::new(place.uniform(0, 0), place.uniform(1, 0)) - 0.5;
    (at * 60.0, Vec2::ZERO)
}

fn main() -> std::io::Result<()> {
    let mut flock: Vec<_> = (0..BOIDS).map(boid).collect();
    let mut tracks = vec![Vec::new(); flock.len()];
    let mut parent_track = Vec::new();
    for step in 0..STEPS {
        let leader = parent(step as f32 * DT);
        let wish = |i| wanted(&flock, i, leader);
        let wishes: Vec<Vec2> = (0..flock.len()).map(wish).collect();
        for (boid, wish) in flock.iter_mut().zip(wishes) {
            boid.1 = blend::toward_direction(boid.1, wish, SPEED, 3.0, DT);
            boid.0 += boid.1 * DT;
        }
        if step % 600 == 0 {
            let far: f32 = flock.iter().map(|boid| boid.0.distance(leader)).sum();
            let (second, mean) = (step / 60, far / BOIDS as f32);
            println!("{second:2} s: mean distance to the parent {mean:.1}");
        }
        if step % 5 == 0 {
            parent_track.push(leader);
            (0..flock.len()).for_each(|i| tracks[i].push(flock[i].0));
        }
    }

    let note = "24 boids, sight 5, field of view 60° toward the parent";
    let mut picture = Picture::new("Following a parent", note, 2);
    let recent = parent_track.len() - 72;
    for (title, from, opacity) in [("60 seconds", 0, 0.3), ("the last 6 seconds", recent, 0.6)] {
        let panel = picture.panel(title);
        for track in &tracks {
            panel.track(&track[from..], PALETTE[0], 1.0, opacity);
        }
        panel.track(&parent_track[from..], PALETTE[1], 3.0, 0.9);
        for (at, velocity) in &flock {
            panel.agent(*at, *velocity, PALETTE[0]);
        }
        panel.dot(parent_track[parent_track.len() - 1], PALETTE[1], 6.0);
    }
    picture.legend("boids", PALETTE[0]);
    picture.legend("parent", PALETTE[1]);
    picture.save("vision_cone_follow")?;
    Ok(())
}
