//! What the models of the literature are known for, seen in the engine. `WINGBEAT_FULL=1` looks
//! longer and closer.

use wingbeat::steer::Model;
use wingbeat::steer::model::{Circles, Couzin2002, CuckerSmale, Vicsek1995};
use wingbeat::steer::*;
use wingbeat::*;
use wingbeat_test_support::tier;

fn params(model: impl Into<Model>) -> Params {
    Params { model: Some(model.into()), ..Default::default() }
}

/// Boids all over a box from the origin, periodic or open.
fn flock<const D: usize>(
    model: impl Into<Model>,
    count: usize,
    side: f32,
    speed: f32,
    periodic: bool,
    seed: u64,
) -> Flock<D> {
    let (min, max) = ([0.0; D], [side; D]);
    let domain = if periodic { Domain::periodic(min, max) } else { Domain::open() };
    let spawn = Spawn { shape: Shape::Box { min, max }, speed, ..Spawn::default() };
    let built = Flock::builder()
        .params(params(model))
        .domain(domain)
        .seed(seed)
        .threads(1)
        .spawn(count, spawn)
        .build();
    built.expect("a flock")
}

/// Mean of what `measure` tells after each of `steps` steps.
fn mean_over<const D: usize>(
    flock: &mut Flock<D>,
    dt: f32,
    steps: usize,
    measure: fn(&Frame<'_, D>) -> f64,
) -> f64 {
    let dt = TimeStep::new(dt).expect("a time step");
    let mut sum = 0.0;
    for _ in 0..steps {
        flock.step(dt);
        sum += measure(&flock.frame());
    }
    sum / steps as f64
}

#[test]
fn vicseks_order_falls_with_noise() {
    let noises: &[f32] = if tier::full() {
        &[0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0]
    } else {
        &[0.1, 1.5, 3.0, 4.0, 5.0]
    };
    let seeds = if tier::full() { 5 } else { 1 };
    let order = |noise: f32| -> f64 {
        let of_seed = |seed| {
            // N = 100 at the paper's density of 4.
            let mut flock =
                flock::<2>(Vicsek1995 { noise, ..Default::default() }, 100, 5.0, 0.03, true, seed);
            mean_over(&mut flock, 1.0, 500, observe::polarization);
            mean_over(
                &mut flock,
                1.0,
                if tier::full() { 5000 } else { 1000 },
                observe::polarization,
            )
        };
        let mut sum = 0.0;
        (1..=seeds).for_each(|seed| sum += of_seed(seed));
        sum / seeds as f64
    };
    let orders: Vec<f64> = noises.iter().map(|&noise| order(noise)).collect();
    assert!(orders.windows(2).all(|pair| pair[1] < pair[0]), "{noises:?}: {orders:?}");
    assert!(orders[0] > 0.99 && orders[orders.len() - 1] < 0.3, "{orders:?}");
    // At 2π every heading is random: of N random ones √(π/4N) remains.
    let random = order(6.283_185_5);
    assert!((random - 0.0886).abs() < 0.01, "{random}");
}

/// Mean velocity, and root mean square of the rest.
fn velocities<const D: usize>(frame: &Frame<'_, D>) -> ([f64; D], f64) {
    let n = frame.len() as f64;
    let mut mean = [0.0; D];
    for boid in frame.by_id() {
        (0..D).for_each(|a| mean[a] += f64::from(boid.velocity[a]) / n);
    }
    let mut spread = 0.0;
    for boid in frame.by_id() {
        (0..D).for_each(|a| {
            spread += (f64::from(boid.velocity[a]) - mean[a])
                * (f64::from(boid.velocity[a]) - mean[a])
                / n
        });
    }
    (mean, spread.sqrt())
}

fn cucker_smale_agrees<const D: usize>() {
    let dt = TimeStep::new(0.02).expect("a time step");
    let mut flock = flock::<D>(CuckerSmale::default(), 100, 4.0, 1.0, false, 3);
    let (mean, mut spread) = velocities(&flock.frame());
    let first = spread;
    for step in 0..750 {
        flock.step(dt);
        let (now, left) = velocities(&flock.frame());
        assert!(
            (0..D).all(|a| (now[a] - mean[a]).abs() < 2e-6),
            "{D}-D step {step}: {mean:?} became {now:?}"
        );
        assert!(left <= spread * (1.0 + 1e-6), "{D}-D step {step}: {spread} became {left}");
        spread = left;
    }
    assert!(spread < 0.05 * first, "{D}-D: {first} became {spread}");
}

#[test]
fn cucker_smale_keeps_the_mean_velocity_and_comes_to_agree() {
    cucker_smale_agrees::<2>();
    cucker_smale_agrees::<3>();
    // With influence that fades soon enough, it does not.
    let mut parted =
        flock::<3>(CuckerSmale { exponent: 3.0, ..Default::default() }, 100, 20.0, 1.0, false, 3);
    let before = velocities(&parted.frame()).1;
    mean_over(&mut parted, 0.02, 750, observe::polarization);
    assert!(velocities(&parted.frame()).1 > 0.8 * before);
}

fn drift_falls<const D: usize>(side: f32, by: f64) {
    let mut flock =
        flock::<D>(Circles { repulse: 0.1, ..Default::default() }, 1000, side, 0.0, true, 1);
    let drift = observe::mean_speed;
    let first = mean_over(&mut flock, 1.0, 1, drift);
    mean_over(&mut flock, 1.0, if tier::full() { 5000 } else { 500 }, drift);
    let last = mean_over(&mut flock, 1.0, 10, drift);
    assert!(last * by < first, "{D}-D: {first} became {last}");
}

#[test]
fn the_drift_of_circles_falls() {
    // Three neighbors in range in the plane, eight in space.
    drift_falls::<2>(64.0, 100.0);
    drift_falls::<3>(16.0, 20.0);
}

/// Polarization and milling of a couzin group, averaged after it had time to settle under a width.
fn group_at(flock: &mut Flock<3>, width: f32) -> (f64, f64) {
    flock
        .set_params(params(Couzin2002 { orientation_width: width, ..Default::default() }))
        .expect("good parameters");
    let settle = if tier::full() { 10_000 } else { 2_000 };
    mean_over(flock, 0.1, settle, observe::polarization);
    let (dt, steps) = (TimeStep::new(0.1).expect("a time step"), 1_000);
    let (mut polarization, mut milling) = (0.0, 0.0);
    for _ in 0..steps {
        flock.step(dt);
        polarization += observe::polarization(&flock.frame()) / f64::from(steps);
        milling += observe::milling(&flock.frame(), flock.domain()) / f64::from(steps);
    }
    (polarization, milling)
}

#[test]
fn couzins_group_goes_from_swarm_to_torus_to_parallel_and_remembers() {
    let mut flock = flock::<3>(Couzin2002::default(), 100, 6.0, 3.0, false, 1);
    let widths = [0.0, 2.5, 8.0, 2.5, 0.0];
    let found = widths.map(|width| group_at(&mut flock, width));
    let [swarm, torus, parallel, back, _] = found;
    assert!(swarm.0 < 0.35 && swarm.1 < 0.35, "swarm: {swarm:?}");
    assert!(torus.0 < 0.5 && torus.1 > 0.55, "torus: {torus:?}");
    assert!(parallel.0 > 0.98 && parallel.1 < 0.3, "parallel: {parallel:?}");
    // The same width as the torus, come from the other side.
    assert!(back.0 > 0.75 && back.1 < 0.3, "on the way back: {back:?}");
}
