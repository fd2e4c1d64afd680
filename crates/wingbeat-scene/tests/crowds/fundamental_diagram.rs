//! How fast people walk at a density (RiMEA 4), within 0.12 m/s of the speeds that Weidmann
//! published.

use wingbeat_scene::{Row, Scene};

use super::{build, scene};
use wingbeat_test_support::tier;

/// Weidmann 1993: speed, m/s, at a density per m².
fn weidmann(density: f64) -> f64 {
    1.34 * (1.0 - libm::exp(-1.913 * (1.0 / density - 1.0 / 5.4)))
}

const DENSITIES: [f64; 6] = [0.5, 1.0, 2.0, 3.0, 4.0, 5.0];

/// Each of the people once they have settled: in every fifth of the steps of the second half.
fn settled(scene: &Scene, mut see: impl FnMut(&Row)) {
    let mut flock = build(scene);
    for step in 0..scene.steps() {
        flock.step(scene.dt());
        if 2 * step >= scene.steps() && step % 5 == 0 {
            flock.rows().iter().for_each(&mut see);
        }
    }
}

/// Their mean velocity along the corridor.
fn speed(scene: &Scene) -> f64 {
    let (mut sum, mut count) = (0.0, 0);
    settled(scene, |row| (sum, count) = (sum + f64::from(row.velocity[0]), count + 1));
    sum / f64::from(count)
}

#[test]
fn people_walk_as_fast_as_weidmanns() {
    println!("per m²  Weidmann  here, m/s");
    let mut worst: f64 = 0.0;
    for density in tier::sample(DENSITIES, 2) {
        // 30 m × 10 m.
        let boids = format!("flock.boids={}", 300.0 * density);
        let speed = speed(&scene("fundamental_diagram", &[&boids, "flock.steps=600"]));
        println!("{density:6.1} {:9.2} {speed:9.2}", weidmann(density));
        worst = if (speed - weidmann(density)).abs() > worst {
            (speed - weidmann(density)).abs()
        } else {
            worst
        };
    }
    assert!(worst <= 0.12, "{worst:.3} m/s from Weidmann's at some density");
}

/// It is the gap ahead that slows people down: with a longer time gap they are slower, and one that
/// is alone walks freely.
#[test]
fn a_longer_time_gap_is_a_slower_crowd() {
    let at = |boids: &str, gap: &str| {
        let gap = format!("anticipation.time_gap={gap}");
        speed(&scene(
            "fundamental_diagram",
            &[boids, &gap, "flock.steps=400", "agent.max_speed_spread=0"],
        ))
    };
    let [short, usual, long] = ["0.4", "0.75", "1.5"].map(|gap| at("flock.boids=600", gap));
    assert!(short > usual + 0.1 && usual > long + 0.1, "{short:.2} {usual:.2} {long:.2}");
    let alone = at("flock.boids=1", "1.5");
    assert!((1.2..=1.34).contains(&alone), "{alone:.3}");
}

/// A mean over a corridor hides a crowd that has gone to one wall: strip by strip it is evenly
/// filled, and walks as fast.
#[test]
fn the_corridor_is_evenly_filled() {
    for density in tier::sample([1.0, 2.0, 3.0], 2) {
        let boids = format!("flock.boids={}", 300.0 * density);
        let scene = scene("fundamental_diagram", &[&boids, "flock.steps=600"]);
        // From the right wall to the left one, 2 m each: people, and their speeds along the
        // corridor.
        let mut strips = [(0.0, 0.0); 5];
        settled(&scene, |row| {
            let strip = &mut strips[(((row.position[1] + 5.0) / 2.0) as usize).min(4)];
            *strip = (strip.0 + 1.0, strip.1 + f64::from(row.velocity[0]));
        });
        let all: f64 = strips.iter().map(|strip| strip.0).sum();
        let densities = strips.map(|strip| 5.0 * density * strip.0 / all);
        let speeds = strips.map(|strip| strip.1 / strip.0);
        println!("{density} per m²: {densities:.2?} per m² from right to left, {speeds:.2?} m/s");
        assert!(
            densities.iter().all(|here| (here / density - 1.0).abs() < 0.15),
            "{densities:.2?}"
        );
        let (right, left) = (densities[0] + densities[1], densities[3] + densities[4]);
        assert!((right / left - 1.0).abs() < 0.1, "right to left {:.3}", right / left);
        let mean: f64 = speeds.iter().sum::<f64>() / 5.0;
        assert!(speeds.iter().all(|here| (here - mean).abs() < 0.15), "{speeds:.2?}");
    }
}
