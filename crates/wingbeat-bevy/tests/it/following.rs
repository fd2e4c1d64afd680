//! Transforms follow.

use bevy_math::Vec3;
use bevy_transform::components::{GlobalTransform, Transform};
use wingbeat_bevy::{Axes, FlockSettings};

use super::*;

/// Positions and velocities of the engine alone, by id.
fn states(live: &LiveFlock) -> Vec<(Vec3, Vec3)> {
    live.flock()
        .rows()
        .into_iter()
        .map(|row| (Vec3::from(row.position), Vec3::from(row.velocity)))
        .collect()
}

fn transforms(app: &mut App) -> Vec<(Transform, Vec3)> {
    let mut boids = app.world_mut().query::<(&Boid, &Transform, &GlobalTransform)>();
    let mut all: Vec<_> = boids
        .iter(app.world())
        .map(|(boid, transform, global)| {
            // Bevy's own propagation has seen every write.
            assert_eq!(global.compute_transform().translation, transform.translation);
            (boid.id().expect("an id"), *transform, boid.velocity)
        })
        .collect();
    all.sort_by_key(|&(id, _, _)| id);
    all.into_iter().map(|(_, transform, velocity)| (transform, velocity)).collect()
}

#[test]
fn entities_start_where_boids_do() {
    let mut app = app(SEA, &[]);
    let alone = states(&engine(SEA, &[], 1));
    let shown = transforms(&mut app);
    assert_eq!(shown.len(), 40);
    for ((transform, velocity), (place, pace)) in shown.iter().zip(alone) {
        assert_eq!((transform.translation, *velocity), (place, pace));
        assert!((transform.rotation * Vec3::X - pace.normalize()).length() < 1e-5);
    }
}

/// A frame is half a step: every other frame lies between two states.
#[test]
fn between_two_steps_transforms_lie_between_two_states() {
    let mut alone = engine(SEA, &[], 1);
    let mut app = app(SEA, &[]);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(0.25)));
    let size = Vec3::new(8.0, 6.0, 0.0);
    let (mut before, mut after) = (states(&alone), states(&alone));
    let (mut wrapped, mut halves) = (0, 0);
    for frame in 1..=60 {
        app.update();
        if frame % 2 == 0 {
            alone.step();
            before = std::mem::replace(&mut after, states(&alone));
        }
        let share = app.world().resource::<Time<Fixed>>().overstep_fraction();
        assert_eq!(share, if frame % 2 == 0 { 0.0 } else { 0.5 });
        for (((transform, velocity), (from, pace)), (to, next)) in
            transforms(&mut app).into_iter().zip(&before).zip(&after)
        {
            if share == 0.0 {
                assert_eq!((transform.translation, velocity), (*from, *pace));
                continue;
            }
            halves += 1;
            let way = |v: Vec3| {
                Vec3::from_array(std::array::from_fn(|a| {
                    if size[a] > 0.0 { v[a] - size[a] * (v[a] / size[a]).round() } else { v[a] }
                }))
            };
            let near = way(*to - *from);
            wrapped += u32::from(near != *to - *from);
            assert!(
                way(transform.translation - (*from + 0.5 * near)).length() < 1e-5,
                "{from} {to} {transform:?}"
            );
            assert!(
                transform.translation.cmpge(Vec3::ZERO).all()
                    && transform.translation.cmple(size).all()
            );
            assert!((velocity - pace.lerp(*next, 0.5)).length() < 1e-6);
            assert!((transform.rotation * Vec3::X - velocity.normalize()).length() < 1e-5);
        }
    }
    assert!(wrapped > 20 && halves == 1200, "{wrapped} of {halves}");
}

#[test]
fn without_interpolation_they_show_the_last_state() {
    let mut alone = engine(SEA, &[], 1);
    let mut app = app_of(
        engine(SEA, &[], 1),
        FlockSettings { interpolate: false, rotate: false, ..FlockSettings::default() },
    );
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(0.2)));
    for _ in 0..20 {
        app.update();
        while alone.flock().steps() < flock(&app).steps() {
            alone.step();
        }
        let shown = transforms(&mut app);
        let wanted = states(&alone);
        assert!(
            shown
                .iter()
                .zip(&wanted)
                .all(|((transform, _), (place, _))| transform.translation == *place)
        );
        assert!(shown.iter().all(|(transform, _)| transform.rotation == bevy_math::Quat::IDENTITY));
    }
}

#[test]
fn axes_are_turned_and_heights_kept() {
    let settings =
        FlockSettings { interpolate: false, axes: Axes::ZUp, ..FlockSettings::default() };
    let mut flat = app_of(engine(SEA, &[], 1), settings);
    let mut boids = flat.world_mut().query::<(&Boid, &mut Transform)>();
    for (_, mut transform) in boids.iter_mut(flat.world_mut()) {
        transform.translation.y = 2.5;
        transform.scale = Vec3::splat(3.0);
    }
    steps(&mut flat, 3);
    let mut alone = engine(SEA, &[], 1);
    (0..3).for_each(|_| alone.step());
    for ((transform, velocity), (place, pace)) in
        transforms(&mut flat).into_iter().zip(states(&alone))
    {
        assert_eq!(transform.translation, Vec3::new(place.x, 2.5, -place.y));
        assert_eq!(
            (velocity, transform.scale),
            (Vec3::new(pace.x, pace.z, -pace.y), Vec3::splat(3.0))
        );
        assert!((transform.rotation * Vec3::NEG_Z - velocity.normalize()).length() < 1e-5);
    }

    let mut space = app_of(engine("murmuration", &["flock.boids=100"], 1), settings);
    steps(&mut space, 3);
    let mut alone = engine("murmuration", &["flock.boids=100"], 1);
    (0..3).for_each(|_| alone.step());
    for ((transform, _), (place, _)) in transforms(&mut space).into_iter().zip(states(&alone)) {
        assert_eq!(transform.translation, Vec3::new(place.x, place.z, -place.y));
    }
    let boid = flock(&space).live().flock().living()[7];
    let entity = flock(&space).entity(boid).expect("an entity");
    let (place, _) = flock(&space).state(entity, Axes::ZUp).expect("a state");
    assert_eq!(place, space.world().get::<Transform>(entity).expect("a transform").translation);
}
