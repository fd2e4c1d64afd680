//! The models' definitions on states that can be computed by hand.

use wingbeat_steer::model::{Circles, Couzin2002, CuckerSmale, Vicsek1995, models};
use wingbeat_steer::{
    Domain, LargestTurn, Model, Params, TextbookBoid, TextbookFlock, Vector, perpendicular, veer,
};

fn flock<V: Vector>(
    model: impl Into<Model>,
    domain: Domain<V>,
    boids: &[(V, V)],
) -> TextbookFlock<V> {
    let boid = |(i, &(position, velocity)): (usize, &(V, V))| TextbookBoid {
        id: i as u64,
        position,
        velocity,
    };
    let params = Params { model: Some(model.into()), ..Default::default() };
    TextbookFlock {
        params,
        domain,
        seed: 1,
        step: 0,
        boids: boids.iter().enumerate().map(boid).collect(),
        ..Default::default()
    }
}

#[track_caller]
fn near<V: Vector>(found: V, wanted: V) {
    assert!(found.minus(wanted).norm() < 2e-6, "{found:?}, not {wanted:?}");
}

#[test]
fn vicsek_takes_the_mean_heading_and_moves_with_the_old_velocity() {
    let model = Vicsek1995 { speed: 0.5, radius: 1.0, noise: 0.0 };
    // East at speed 3, north at speed 1, out of range south; distances across the wrap.
    let boids = [([0.1, 5.0], [3.0, 0.0]), ([9.9, 5.0], [0.0, 1.0]), ([5.0, 5.0], [0.0, -2.0])];
    let mut flock = flock(model, Domain::periodic([0.0; 2], [10.0; 2]), &boids);
    flock.step_by(1.0);
    let diagonal = 0.5 * 0.5f32.sqrt();
    near(flock.boids[0].velocity, [diagonal, diagonal]);
    near(flock.boids[1].velocity, [diagonal, diagonal]);
    near(flock.boids[2].velocity, [0.0, -0.5]);
    near(flock.boids[0].position, [3.1, 5.0]);
    near(flock.boids[1].position, [9.9, 6.0]);
    near(flock.boids[2].position, [5.0, 3.0]);
}

#[test]
fn vicseks_noise_fills_its_interval_and_no_more() {
    let model = Vicsek1995 { noise: 2.0, ..Default::default() };
    let (mut least, mut most) = (0.0f32, 0.0f32);
    for seed in 0..2000 {
        let mut flock = flock(model, Domain::open(), &[([0.0, 0.0], [1.0, 0.0])]);
        flock.seed = seed;
        flock.step_by(1.0);
        // The sine of at most one radian.
        let sine = flock.boids[0].velocity[1] / 0.03;
        (least, most) =
            (if sine < least { sine } else { least }, if sine > most { sine } else { most });
    }
    assert!(least > -0.84148 && least < -0.838 && most < 0.84148 && most > 0.838, "{least} {most}");
}

#[test]
fn opposite_headings_leave_a_heading_as_it_was() {
    let model = Vicsek1995 { noise: 0.0, speed: 1.0, ..Default::default() };
    let mut flock =
        flock(model, Domain::open(), &[([0.0, 0.0], [1.0, 0.0]), ([0.5, 0.0], [-1.0, 0.0])]);
    flock.step_by(0.1);
    near(flock.boids[0].velocity, [1.0, 0.0]);
    near(flock.boids[1].velocity, [-1.0, 0.0]);
}

fn couzin() -> Couzin2002 {
    Couzin2002 {
        orientation_width: 2.0,
        attraction_width: 3.0,
        turning_rate: 1e6,
        noise: 0.0,
        ..Default::default()
    }
}

#[test]
fn couzins_repulsion_outweighs_everything() {
    let others = [([0.5, 0.0], [0.0, 3.0]), ([0.0, 2.0], [0.0, 3.0]), ([4.0, 4.0], [0.0, 3.0])];
    let mut boids = vec![([0.0, 0.0], [3.0, 0.0])];
    boids.extend(others);
    let all = flock(couzin(), Domain::open(), &boids);
    near(all.steering(&all.slot_order())[0], [-1.0, 0.0]);
    boids.remove(1);
    let outer = flock(couzin(), Domain::open(), &boids);
    // North, as the one in the orientation zone goes, and north-east, where the one to approach is.
    let half = 0.5f32.sqrt();
    near(outer.steering(&outer.slot_order())[0], [half, 1.0 + half].unit());
    // The field of perception is 270°: with the one to approach behind, then with both.
    boids[0].1 = [-3.0, -1.0];
    let half_blind = flock(couzin(), Domain::open(), &boids);
    near(half_blind.steering(&half_blind.slot_order())[0], [0.0, 1.0]);
    boids[0].1 = [-1.0, -3.0];
    let blind = flock(couzin(), Domain::open(), &boids);
    near(blind.steering(&blind.slot_order())[0], [-1.0, -3.0].unit());
}

#[test]
fn a_turn_is_limited_and_goes_the_short_way() {
    let model = Couzin2002 { turning_rate: 40.0, ..couzin() };
    for (other, turned) in [([0.0, 2.9, 0.0], 1.0), ([0.0, -2.9, 0.0], -1.0)] {
        let way = [0.0, 3.0 * turned, 0.0];
        let mut flock = flock(model, Domain::open(), &[([0.0; 3], [3.0, 0.0, 0.0]), (other, way)]);
        flock.step_by(0.5);
        // 20° of the 90° or so that are wanted.
        let found = flock.boids[0].velocity;
        near(found, [3.0 * 0.939_692_6, 3.0 * 0.342_020_14 * turned, 0.0]);
        near(flock.boids[0].position, found.times(0.5));
    }
}

#[test]
fn straight_behind_the_turn_is_to_the_left() {
    let most = LargestTurn::new(90.0, 1.0);
    near(veer([1.0, 0.0], [-1.0, 0.0], &most), [0.0, 1.0]);
    for heading in [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.6, 0.0, 0.8]] {
        let turned = veer(heading, heading.times(-1.0), &most);
        assert!(
            turned.inner(heading).abs() < 1e-6 && (turned.norm() - 1.0).abs() < 1e-6,
            "{turned:?}"
        );
        assert!(perpendicular(heading).inner(heading).abs() < 1e-7);
    }
    // Within reach, at any angle: all the way.
    assert_eq!(veer([1.0, 0.0], [-1.0, 0.0], &LargestTurn::new(180.0, 1.0)), [-1.0, 0.0]);
    assert_eq!(veer([1.0, 0.0], [0.0, -1.0], &LargestTurn::new(91.0, 1.0)), [0.0, -1.0]);
}

#[test]
fn cucker_smale_is_its_formula() {
    let boids = [([0.0, 0.0], [1.0, 0.0]), ([2.0, 0.0], [0.0, 1.0]), ([0.0, 1e6], [5.0, 5.0])];
    let model = CuckerSmale { strength: 3.0, exponent: 0.5, radius: None };
    let all = flock(model, Domain::open(), &boids);
    let weight = 1.0 / 5.0f32.sqrt();
    near(all.steering(&all.slot_order())[0], [-weight + 4e-6, weight + 5e-6]);
    // β = 1 is a division; N counts those out of the radius too.
    let near_only = flock(
        CuckerSmale { strength: 3.0, exponent: 1.0, radius: Some(3.0) },
        Domain::open(),
        &boids,
    );
    near(near_only.steering(&near_only.slot_order())[0], [-0.2, 0.2]);
}

#[test]
fn circles_rest_at_half_the_radius() {
    let model = Circles { radius: 2.0, repulse: 0.05 };
    let moved = |d: f32, dt: f32| {
        let mut flock =
            flock(model, Domain::open(), &[([0.0; 3], [9.0; 3]), ([d, 0.0, 0.0], [0.0; 3])]);
        flock.step_by(dt);
        assert_eq!(flock.boids[0].velocity, flock.boids[0].position);
        flock.boids[0].position
    };
    near(moved(0.5, 1.0), [-0.05, 0.0, 0.0]);
    near(moved(0.5, 0.01), [-0.05, 0.0, 0.0]);
    near(moved(1.0, 1.0), [0.0; 3]);
    near(moved(1.5, 1.0), [0.05, 0.0, 0.0]);
    assert_eq!(moved(2.0, 1.0), [0.0; 3]);
    // Two at quarter distance and half distance: the mean.
    let three = flock(
        model,
        Domain::open(),
        &[([0.0, 0.0], [0.0; 2]), ([0.5, 0.0], [0.0; 2]), ([0.0, 1.0], [0.0; 2])],
    );
    near(three.steering(&three.slot_order())[0], [-0.025, 0.0]);
}

#[test]
fn models_are_found_by_name_and_their_parameters_too() {
    for model in models() {
        assert_eq!(Model::named(model.name()), Some(model));
        let mut keys: Vec<&str> =
            model.parameters().iter().map(|parameter| parameter.key).collect();
        for key in &keys {
            let mut changed = model;
            assert!(changed.set(key, 0.125) && changed.get(key) == Some(0.125), "{key}");
        }
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), model.parameters().len());
        assert!(model.check().is_ok() && !model.about().is_empty());
        let mut other = model;
        assert!(
            !other.set("no such key", 1.0) && other == model && model.get("no such key").is_none()
        );
    }
    assert_eq!(Model::named("no such model"), None);
}
