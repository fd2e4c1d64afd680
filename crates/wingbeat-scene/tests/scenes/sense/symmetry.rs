//! The world has no preferred hand, no preferred direction and no preferred time step: neither have
//! flocks.

use super::observer::Snapshot;
use super::{scene, start};
use wingbeat_scene::{AnyFlock, Row, Scene};
use wingbeat_test_support::tier;

/// A flock after some steps.
fn after(scene: &Scene, steps: usize) -> AnyFlock {
    let mut flock = start(scene);
    (0..steps).for_each(|_| flock.step(scene.dt()));
    flock
}

/// The mirror image along the first axis, about the middle of the box.
fn mirrored(flock: &AnyFlock) -> Vec<Row> {
    let (min, max) = flock.bounds().expect("a box");
    let mirror = |row: Row| {
        let (mut position, mut velocity) = (row.position, row.velocity);
        position[0] = min[0] + max[0] - position[0];
        velocity[0] = -velocity[0];
        Row { position, velocity, ..row }
    };
    flock.rows().into_iter().map(mirror).collect()
}

/// Until chaos has made much of little, a mirrored flock flies the mirrored way. In a periodic box
/// a place at its end is one at its beginning.
#[test]
fn a_mirrored_flock_flies_the_mirrored_way() {
    for (name, changes) in [("shoal", &["drive.stir.weight=0"][..]), ("murmuration", &[])] {
        let scene = scene(name, Some(300), 1, changes);
        let (mut flock, mut image) = (start(&scene), start(&scene));
        let rows = mirrored(&flock);
        image.set_rows(&rows).expect("places in the box");
        for _ in 0..20 {
            flock.step(scene.dt());
            image.step(scene.dt());
        }
        let (min, max) = flock.bounds().expect("a box");
        for (wanted, found) in mirrored(&flock).iter().zip(image.rows()) {
            for a in 0..scene.dimensions() {
                let apart = (wanted.position[a] - found.position[a]).abs();
                let around = (max[a] - min[a] - apart).abs();
                let apart = if flock.is_periodic() && around < apart { around } else { apart };
                assert!(apart < 1e-2, "{name}, boid {}: {found:?} for {wanted:?}", found.id);
            }
        }
    }
}

/// Means over seeds of signed figures are 0 within four standard errors: flocks turn no way more
/// than the other.
#[test]
fn no_direction_and_no_turn_is_preferred() {
    let (mut headings, mut turns) = (Vec::new(), Vec::new());
    for seed in 1..=tier::either(20, 40) {
        let flock = after(&scene("shoal", Some(200), seed, &[]), 300);
        let heading = Snapshot::of(&flock).mean_heading();
        headings.push([heading[0], heading[1]]);
        turns.push(turn(&flock));
    }
    for a in 0..2 {
        centered(
            &format!("mean heading along axis {a}"),
            headings.iter().map(|heading| heading[a]),
        );
    }
    centered("mean turn", turns.into_iter());
}

/// Sum of the sines of the angles by which velocities turn in the next step.
fn turn(flock: &AnyFlock) -> f64 {
    let mut next = match flock {
        AnyFlock::Two(flock) => flock.clone(),
        AnyFlock::Three(_) => panic!("in the plane"),
    };
    next.step(wingbeat::TimeStep::new(0.05).expect("a time step"));
    let after = AnyFlock::Two(next);
    let sine = |(a, b): (&Row, &Row)| {
        let (v, w) = (a.velocity.map(f64::from), b.velocity.map(f64::from));
        (v[0] * w[1] - v[1] * w[0])
            / ((v[0] * v[0] + v[1] * v[1]) * (w[0] * w[0] + w[1] * w[1])).sqrt()
    };
    flock.rows().iter().zip(&after.rows()).map(sine).sum()
}

#[track_caller]
fn centered(what: &str, values: impl Iterator<Item = f64>) {
    let values: Vec<f64> = values.collect();
    let (sum, scatter) =
        (values.iter().sum::<f64>(), values.iter().map(|x| x * x).sum::<f64>().sqrt());
    assert!(sum.abs() < 4.0 * scatter, "{what}: {sum} of {scatter} over {} seeds", values.len());
    assert!(scatter > 0.0, "{what}: nothing was measured");
}

/// Seeds from this one on.
fn few(first: u64) -> std::ops::Range<u64> {
    first..first + tier::either(6, 12)
}

/// What is seen of a flock that has flown for a while, seed by seed.
fn statistics(
    seeds: std::ops::Range<u64>,
    mut flown: impl FnMut(u64) -> AnyFlock,
) -> [Vec<f64>; 4] {
    let mut columns: [Vec<f64>; 4] = Default::default();
    for seed in seeds {
        let figures = Snapshot::of(&flown(seed)).figures(|_| 0.0, 0.9);
        for (column, value) in columns.iter_mut().zip([
            figures.nearest,
            figures.low,
            figures.polarization,
            figures.speed,
        ]) {
            column.push(value);
        }
    }
    columns
}

/// Two sets of seeds have the same means within four standard errors, and 3 % for what a time step
/// rightly changes.
fn alike(what: &str, one: &[Vec<f64>; 4], other: &[Vec<f64>; 4]) {
    let names = ["nearest", "low", "polarization", "speed"];
    for (name, (a, b)) in names.into_iter().zip(one.iter().zip(other)) {
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        let error = |values: &[f64]| {
            let middle = mean(values);
            values.iter().map(|x| (x - middle) * (x - middle)).sum::<f64>()
                / (values.len() * (values.len() - 1)) as f64
        };
        let allowed = 4.0 * (error(a) + error(b)).sqrt() + 0.03 * mean(a).abs();
        assert!(
            (mean(a) - mean(b)).abs() < allowed,
            "{what}: {name} {} and {}, allowed {allowed}",
            mean(a),
            mean(b)
        );
    }
}

#[test]
fn the_mirror_image_has_the_same_statistics() {
    let one = statistics(few(1), |seed| after(&scene("shoal", Some(300), seed, &[]), 400));
    let other = statistics(few(1), |seed| {
        let scene = scene("shoal", Some(300), seed, &[]);
        let mut flock = start(&scene);
        let rows = mirrored(&flock);
        flock.set_rows(&rows).expect("places in the box");
        (0..400).for_each(|_| flock.step(scene.dt()));
        flock
    });
    alike("mirrored", &one, &other);
}

#[test]
fn half_the_time_step_has_the_same_statistics() {
    for (name, seconds) in [("shoal", 20.0), ("murmuration", 8.0)] {
        let flown = |dt: f64| {
            move |seed| {
                after(
                    &scene(name, Some(300), seed, &[&format!("flock.dt={dt}")]),
                    (seconds / dt).round() as usize,
                )
            }
        };
        let (one, other) = (statistics(few(1), flown(0.05)), statistics(few(13), flown(0.025)));
        alike(&format!("{name} at half the dt"), &one, &other);
    }
}
