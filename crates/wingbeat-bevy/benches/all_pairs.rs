//! The flock beside boids as they are mostly written in Bevy: a query in a query, every boid
//! looking at every other.
//!
//! ```text
//! cargo bench -p wingbeat-bevy --bench all_pairs
//! ```
//!
//! Both fly the same scene: the same boids in the same periodic box, the same three rules with the
//! same radii and weights, the same step, in `FixedUpdate`, transforms written. The loop over pairs
//! compares squared distances first and so costs as little as it can. Rounds take turns; medians
//! are printed.

use std::time::{Duration, Instant};

use bevy_app::{App, FixedUpdate};
use bevy_ecs::prelude::*;
use bevy_math::Vec2;
use bevy_time::{Fixed, Time, TimePlugin, TimeUpdateStrategy};
use bevy_transform::components::Transform;
use wingbeat_bevy::{
    EditableScene, Flock, FlockSettings, LiveFlock, Machine, Override, WingbeatPlugin,
};
use wingbeat_scene::AnyDomain;

const ROUNDS: usize = 9;

fn main() {
    for boids in [1_000, 10_000] {
        race(boids);
    }
}

fn live(boids: usize, threads: Option<usize>) -> LiveFlock {
    let count = Override::flag("bench", "flock.boids", &boids.to_string());
    let tuned = EditableScene::load("shoal", &[count]).expect("a preset");
    LiveFlock::new(tuned, Machine { level: None, threads }, None, true).expect("a flock")
}

fn race(boids: usize) {
    let frames = if boids > 5_000 { 3 } else { 30 };
    let mut pairs = all_pairs(&live(boids, Some(1)));
    let mut one = wingbeat(live(boids, Some(1)));
    let mut all = wingbeat(live(boids, None));
    let threads = all.world().resource::<Flock>().live().flock().threads();
    let level = all.world().resource::<Flock>().live().flock().level();
    let mut times = [const { Vec::new() }; 3];
    for _ in 0..ROUNDS {
        for (app, times) in [&mut pairs, &mut one, &mut all].into_iter().zip(&mut times) {
            let begun = Instant::now();
            (0..frames).for_each(|_| app.update());
            times.push(begun.elapsed().as_secs_f64() * 1e3 / f64::from(frames));
        }
    }
    let [pairs, one, all] = times.map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    });
    println!(
        "{boids} boids, 2-D, {level}; milliseconds a frame with a step, medians of {ROUNDS} \
        rounds of {frames}"
    );
    println!("  all pairs in Bevy's ECS, one thread   {pairs:9.3}");
    println!(
        "  wingbeat-bevy, one thread             {one:9.3}   {:.0} times as fast",
        pairs / one
    );
    println!(
        "  wingbeat-bevy, {threads} threads              {all:9.3}   {:.0} times as fast",
        pairs / all
    );
}

fn clock(app: &mut App) {
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO));
    app.update();
    let timestep = app.world().resource::<Time<Fixed>>().timestep();
    app.insert_resource(TimeUpdateStrategy::ManualDuration(timestep));
}

fn wingbeat(live: LiveFlock) -> App {
    let settings = FlockSettings { interpolate: false, ..FlockSettings::default() };
    let mut app = App::new();
    app.add_plugins((TimePlugin, WingbeatPlugin { settings })).insert_resource(Flock::new(live));
    clock(&mut app);
    app
}

#[derive(Component, Clone, Copy)]
struct Velocity(Vec2);

#[derive(Component, Clone, Copy)]
struct Force(Vec2);

/// Sides of the periodic box, which is about 0.
#[derive(Resource, Clone, Copy)]
struct Sides(Vec2);

/// The scene's numbers.
const SEPARATION: (f32, f32) = (0.9, 8.0);
const ALIGNMENT: (f32, f32) = (2.0, 1.2);
const COHESION: (f32, f32) = (2.5, 0.5);
const MOST_FORCE: f32 = 6.0;
const SPEEDS: (f32, f32) = (0.8, 2.5);

fn all_pairs(live: &LiveFlock) -> App {
    let AnyDomain::Two(domain) = live.flock().domain() else {
        unreachable!("a scene in the plane")
    };
    let dt = live.scene().scene().dt().get();
    let mut app = App::new();
    app.add_plugins(TimePlugin);
    app.insert_resource(Time::<Fixed>::from_seconds(f64::from(dt)));
    app.insert_resource(Sides(Vec2::from_array(domain.max) - Vec2::from_array(domain.min)));
    for row in live.flock().rows() {
        let velocity = Velocity(Vec2::new(row.velocity[0], row.velocity[1]));
        app.world_mut().spawn((
            Transform::from_xyz(row.position[0], row.position[1], 0.0),
            velocity,
            Force(Vec2::ZERO),
        ));
    }
    app.add_systems(FixedUpdate, (steer, advance).chain());
    clock(&mut app);
    app
}

fn steer(
    mut boids: Query<(Entity, &Transform, &Velocity, &mut Force)>,
    others: Query<(Entity, &Transform, &Velocity)>,
    sides: Res<Sides>,
) {
    for (me, transform, velocity, mut force) in &mut boids {
        let place = transform.translation.truncate();
        let (mut apart, mut heading, mut middle) = (Vec2::ZERO, Vec2::ZERO, Vec2::ZERO);
        let (mut aligned, mut near) = (0.0, 0.0);
        for (other, transform, velocity) in &others {
            let offset = transform.translation.truncate() - place;
            let offset = offset - sides.0 * (offset / sides.0).round();
            let distance_sq = offset.length_squared();
            if distance_sq > COHESION.0 * COHESION.0 || other == me {
                continue;
            }
            middle += offset;
            near += 1.0;
            if distance_sq <= ALIGNMENT.0 * ALIGNMENT.0 {
                heading += velocity.0;
                aligned += 1.0;
            }
            if distance_sq <= SEPARATION.0 * SEPARATION.0 && distance_sq > 0.0 {
                let distance = distance_sq.sqrt();
                apart -= offset / distance * (1.0 - distance / SEPARATION.0);
            }
        }
        let mut sum = apart * SEPARATION.1;
        if aligned > 0.0 {
            sum += (heading / aligned - velocity.0) * ALIGNMENT.1;
        }
        if near > 0.0 {
            sum += middle / near * COHESION.1;
        }
        force.0 = sum.clamp_length_max(MOST_FORCE);
    }
}

fn advance(
    mut boids: Query<(&mut Transform, &mut Velocity, &Force)>,
    time: Res<Time>,
    sides: Res<Sides>,
) {
    let dt = time.delta_secs();
    for (mut transform, mut velocity, force) in &mut boids {
        velocity.0 = (velocity.0 + force.0 * dt).clamp_length(SPEEDS.0, SPEEDS.1);
        let place = transform.translation.truncate() + velocity.0 * dt;
        let place = place - sides.0 * (place / sides.0).round();
        transform.translation = place.extend(0.0);
        transform.rotation = bevy_math::Quat::from_rotation_arc_2d(Vec2::X, velocity.0.normalize());
    }
}
