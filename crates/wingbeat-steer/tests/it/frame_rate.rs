//! The same seed at 30, 60 and 144 steps per second: within the tolerances the documentation
//! states.

use wingbeat_steer::anticipation::{CollisionFreeSpeed, GettingThrough};
use wingbeat_steer::behavior::Facing;
use wingbeat_steer::drive::{Noise, Wind};
use wingbeat_steer::glam::{Quat, Vec2, Vec3};
use wingbeat_steer::{
    AgentLimits, Body, Drive, Jitter, Params, SolidBody, Steering, TextbookBoid, TextbookFlock,
    Vector, Wander, WanderParameters, blend,
};
use wingbeat_test_support::tier;

const RATES: [usize; 3] = [30, 60, 144];
const SECONDS: usize = 60;

/// A wanderer's position at every whole second, and how far it went.
fn track<V: Vector>(seed: u64, rate: usize, parameters: WanderParameters) -> (Vec<V>, f32) {
    let dt = 1.0 / rate as f32;
    let mut body = Body::new(V::origin(), V::origin(), 4.0, 1.0).unwrap();
    let mut steering = Steering::new(&body, 8.0).unwrap();
    let mut wander = Wander::new(parameters, Jitter::owned(seed, 0)).unwrap();
    let (mut track, mut length) = (Vec::new(), 0.0);
    for step in 0..SECONDS * rate {
        steering.observe(&body);
        steering.wander(&mut wander, dt);
        let motion = steering.update(dt);
        length += motion.velocity.norm() * dt;
        body.follow(motion);
        if (step + 1) % rate == 0 {
            track.push(body.position);
        }
    }
    (track, length)
}

fn largest_gap<V: Vector>(seed: u64, parameters: WanderParameters) -> f32 {
    let (reference, length) = track::<V>(seed, 144, parameters);
    let mut largest = 0.0;
    for rate in RATES {
        let (other, _) = track::<V>(seed, rate, parameters);
        for (a, b) in reference.iter().zip(&other) {
            largest = wingbeat_steer::math::max(largest, a.minus(*b).norm() / length);
        }
    }
    largest
}

#[test]
fn wander_keeps_its_track_at_every_frame_rate() {
    let style = WanderParameters::default();
    let gaps: Vec<f32> = (0..20)
        .flat_map(|seed| [largest_gap::<Vec2>(seed, style), largest_gap::<Vec3>(seed, style)])
        .collect();
    let largest = gaps.iter().copied().fold(0.0, wingbeat_steer::math::max);
    println!(
        "largest gap over {} tracks: {:.3} % of the distance travelled",
        gaps.len(),
        100.0 * largest
    );
    assert!(largest < 0.01, "{gaps:?}");
}

#[test]
fn another_seed_is_another_track() {
    // The tolerance above means something only if tracks differ by much more than it.
    let style = WanderParameters::default();
    let (a, length) = track::<Vec2>(1, 60, style);
    let (b, _) = track::<Vec2>(2, 60, style);
    assert!(a[SECONDS - 1].distance(b[SECONDS - 1]) > 0.05 * length);
}

#[test]
fn the_wander_point_is_the_same_function_of_time() {
    for interval in [0.25, 1.0, 3.0] {
        let style = WanderParameters { interval, ..Default::default() };
        let points: Vec<Vec2> = RATES
            .map(|rate| {
                let mut wander = Wander::<Vec2>::new(style, Jitter::keyed(3, 1)).unwrap();
                for _ in 0..10 * rate {
                    wander.steer(Vec2::X, 1.0 / rate as f32);
                }
                wander.point()
            })
            .to_vec();
        for point in &points {
            assert!(point.distance(points[0]) < 1e-3, "interval {interval}: {points:?}");
        }
    }
}

#[test]
fn facing_takes_the_same_time_at_every_frame_rate() {
    let facing = Facing::new(3.0).unwrap();
    let (mut angles, mut orientations) = (Vec::new(), Vec::new());
    for rate in RATES {
        let dt = 1.0 / rate as f32;
        let (mut angle, mut orientation) = (2.5_f32, Quat::from_rotation_y(0.3));
        for _ in 0..rate {
            angle = facing.turn(angle, Vec2::new(0.2, -1.0), dt);
            orientation = facing.turn_3d(orientation, Vec3::new(-1.0, 0.5, 0.2), Vec3::Z, dt);
        }
        angles.push(angle);
        orientations.push(orientation);
    }
    for i in 1..RATES.len() {
        assert!((angles[i] - angles[0]).abs() < 1e-4, "{angles:?}");
        assert!(
            (orientations[i] * Vec3::X).distance(orientations[0] * Vec3::X) < 1e-4,
            "{orientations:?}"
        );
    }
}

#[test]
fn smoothing_takes_the_same_time_at_every_frame_rate() {
    let ends = RATES.map(|rate| {
        let mut velocity = Vec2::new(1.0, 0.0);
        for _ in 0..rate {
            velocity = blend::toward_direction(velocity, Vec2::Y, 2.0, 1.5, 1.0 / rate as f32);
        }
        velocity
    });
    for end in ends {
        assert!(end.distance(ends[0]) < 1e-5, "{ends:?}");
    }
}

/// The mean squared velocity and way of boids that noise alone has driven from rest for 20 units of
/// time.
fn scattered<V: Vector>(noise: Noise, mass: f32, dt: f32) -> (f64, f64) {
    let boids: Vec<_> = (0..2000)
        .map(|id| TextbookBoid { id, position: V::origin(), velocity: V::origin() })
        .collect();
    let agent = AgentLimits { max_speed: 1e6, max_force: 1e6, mass, ..Default::default() };
    let params = Params { agent, ..Default::default() };
    let drives = vec![Drive::new("noise", noise)];
    let mut flock = TextbookFlock { params, drives, seed: 3, boids, ..Default::default() };
    let order: Vec<usize> = (0..flock.boids.len()).collect();
    for _ in 0..(20.0 / dt).round() as usize {
        flock.step_in_order(dt, &order);
    }
    let mean = |of: fn(&TextbookBoid<V>) -> f32| {
        flock.boids.iter().fold(0.0, |sum, boid| sum + f64::from(of(boid)))
            / flock.boids.len() as f64
    };
    (mean(|boid| boid.velocity.norm_sq()), mean(|boid| boid.position.norm_sq()))
}

#[test]
fn noise_scatters_alike_at_every_time_step() {
    fn check<V: Vector>() {
        let (noise, mass) = (Noise { size: 3.0, interval: 0.4 }, 2.0);
        // (size/mass)²·interval·t, and for the way t³/3 in place of t.
        let wanted = [2.25 * 0.4 * 20.0, 2.25 * 0.4 * 8000.0 / 3.0];
        let coarse = scattered::<V>(noise, mass, 0.4);
        for dt in tier::sample([0.1, 0.2, 0.03, 0.4, 0.025], 2).take(tier::either(2, 5)) {
            let (speed_sq, way_sq) = scattered::<V>(noise, mass, dt);
            println!("dt {dt}: {speed_sq:.2} of {:.2}, {way_sq:.1} of {:.1}", wanted[0], wanted[1]);
            // 2000 walks are 2 % from their mean, and as much again for the way: three times that.
            assert!(
                (speed_sq / wanted[0] - 1.0).abs() < 0.07
                    && (way_sq / wanted[1] - 1.0).abs() < 0.12,
                "{dt}"
            );
            // Half the dt is the same walks: 20 units of time are 50 pushes.
            assert!(
                (speed_sq / coarse.0 - 1.0).abs() < 0.04 && (way_sq / coarse.1 - 1.0).abs() < 0.04,
                "{dt}"
            );
        }
    }
    check::<[f32; 2]>();
    check::<[f32; 3]>();
}

/// The mean squared way to the side of bodies that want to walk along x at 1, and whose wish noise
/// bends, in 20 units of time.
fn unsteady(dt: f32) -> f64 {
    let place = |id: u64| [100.0 * (id % 12) as f32, 100.0 * (id / 12) as f32];
    let mut flock = TextbookFlock {
        params: Params {
            body: Some(SolidBody { radius: 0.2, ..Default::default() }),
            anticipation: Some(CollisionFreeSpeed::default().into()),
            getting_through: GettingThrough {
                side_step: 0.0,
                noise: 0.6,
                noise_time: 0.2,
                ..Default::default()
            },
            ..Default::default()
        },
        drives: vec![Drive::new("on", Wind { vector: [1.0, 0.0], drag: true })],
        boids: (0..144)
            .map(|id| TextbookBoid { id, position: place(id), velocity: [1.0, 0.0] })
            .collect(),
        seed: 3,
        ..Default::default()
    };
    for _ in 0..(20.0 / dt).round() as usize {
        flock.step_by(dt);
    }
    let way_sq = |boid: &TextbookBoid<[f32; 2]>| {
        let aside = f64::from(boid.position[1] - place(boid.id)[1]);
        aside * aside
    };
    flock.boids.iter().fold(0.0, |sum, boid| sum + way_sq(boid)) / 144.0
}

#[test]
fn noise_on_preferred_velocities_scatters_alike_at_every_time_step() {
    let coarse = unsteady(0.2);
    // noise²·noise_time·t/6 for small noise; 144 walks are 12 % from it.
    let wanted = 0.36 * 0.2 * 20.0 / 6.0;
    assert!((coarse / wanted - 1.0).abs() < 0.3, "{coarse} of {wanted}");
    for dt in [0.1, 0.04, 0.03] {
        let found = unsteady(dt);
        println!("dt {dt}: {found:.4}, {coarse:.4} at 0.2, {wanted:.4} on average");
        assert!((found / coarse - 1.0).abs() < 0.05, "{dt}: {found} and {coarse}");
    }
}
