//! Walk to target: a random walk that is sure to arrive. Run it: `cargo run --release --example
//! walk_to_target`.
//!
//! Far out the walker looks around in a wide view and takes long legs; the nearer it comes, the
//! straighter it goes.

use wingbeat_examples::{PALETTE, Picture};
use wingbeat_steer::glam::Vec2;
use wingbeat_steer::{Jitter, Walker, WalkerParameters};

const WALKS: u64 = 20;
const TARGET: Vec2 = Vec2::ZERO;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let style = WalkerParameters::default();
    println!("from (10, 10), as the source: legs by distance left");
    let mut walker = Walker::new(style, Jitter::owned(1, 0))?;
    for pair in walker.waypoints(Vec2::splat(10.0), TARGET).windows(2) {
        let view = style.view(pair[0].length()).to_degrees();
        println!(
            "  {:.2} left, view {view:.0}°: leg {:.2}",
            pair[0].length(),
            pair[0].distance(pair[1])
        );
    }

    let mut picture = Picture::new(
        "Walk to target",
        "20 walks from a ring of radius 60: the view narrows from 90° to nothing",
        2,
    );
    let mut walks = Vec::new();
    for walk in 0..WALKS {
        let start = Vec2::from_angle(walk as f32 * std::f32::consts::TAU / WALKS as f32) * 60.0;
        // The same seed and agent: the curve goes through the same waypoints.
        let spline = Walker::new(style, Jitter::owned(2, walk))?.spline(start, TARGET)?;
        walks.push((spline, PALETTE[walk as usize % 5]));
    }
    let waypoints = picture.panel("waypoints");
    for (spline, color) in &walks {
        waypoints.track(spline.points(), color, 1.2, 0.8);
        for &point in spline.points() {
            waypoints.dot(point, color, 2.2);
        }
    }
    waypoints.dot(TARGET, "#22262b", 5.0);
    let curves = picture.panel("the same walks as Catmull-Rom splines");
    for (spline, color) in &walks {
        curves.track(&spline.samples(12).collect::<Vec<_>>(), color, 1.6, 0.9);
        curves.dot(spline.points()[0], color, 3.0);
    }
    curves.dot(TARGET, "#22262b", 5.0);
    picture.legend("target", "#22262b");
    picture.legend("one walk each", PALETTE[0]);

    let legs = walks.iter().map(|(spline, _)| spline.points().len() - 1);
    let lengths = walks
        .iter()
        .map(|(spline, _)| spline.points().windows(2).map(|p| p[0].distance(p[1])).sum::<f32>());
    println!(
        "{WALKS} walks from 60 away: {} to {} legs",
        legs.clone().min().unwrap_or(0),
        legs.max().unwrap_or(0)
    );
    println!("mean way {:.1}, straight 60", lengths.sum::<f32>() / WALKS as f32);
    picture.save("walk_to_target")?;
    Ok(())
}
