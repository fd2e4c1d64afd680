//! Entities that are spawned and despawned are boids that come and go.

use bevy_math::Vec3;
use bevy_transform::components::Transform;
use wingbeat_bevy::{Departed, FlockSettings, Refused};

use super::*;
use wingbeat_test_support::{Random, tier};

/// Random spawns, despawns, removals and insertions of the component: the same as calls to a plain
/// flock.
#[test]
fn it_is_the_flock_of_the_same_adds_and_removals() {
    let seed = tier::seed().unwrap_or(20_261_124);
    println!("WINGBEAT_SEED={seed}");
    let mut dice = Random::new(seed);
    let mut alone = engine(SEA, &[], 1);
    let mut app = app(SEA, &[]);
    let mut former: Vec<Entity> = Vec::new();
    for round in 0..60 {
        let mut leaving: Vec<u64> = Vec::new();
        let (mut positions, mut velocities) = (Vec::new(), Vec::new());
        for _ in 0..dice.below(6) {
            let living = flock(&app).live().flock().living();
            match dice.below(4) {
                0 | 1 => {
                    let place = Vec3::new(8.0 * dice.unit(), 6.0 * dice.unit(), 5.0);
                    let velocity = Vec3::new(dice.unit() - 0.5, dice.unit() - 0.5, 0.0);
                    positions.extend([place.x, place.y]);
                    velocities.extend([velocity.x, velocity.y]);
                    let bundle = (Boid::moving(velocity), Transform::from_translation(place));
                    match former.pop() {
                        // An entity that was a boid is one again.
                        Some(entity) if dice.below(2) == 0 => {
                            app.world_mut().entity_mut(entity).insert(bundle);
                        }
                        _ => {
                            app.world_mut().spawn(bundle);
                        }
                    }
                }
                kind if !living.is_empty() => {
                    let id = living[dice.below(living.len())];
                    let entity = flock(&app).entity(id).expect("an entity");
                    if app.world().get::<Boid>(entity).is_none() {
                        continue;
                    }
                    leaving.push(id.get());
                    if kind == 2 {
                        app.world_mut().despawn(entity);
                    } else {
                        app.world_mut().entity_mut(entity).remove::<Boid>();
                        former.push(entity);
                    }
                }
                _ => {}
            }
        }
        // A boid that is gone before the step never was in the flock.
        let brief = app.world_mut().spawn(Boid::default()).id();
        app.world_mut().despawn(brief);
        alone.flock_mut().remove(&leaving).expect("they live");
        alone.flock_mut().add_all(&positions, &velocities).expect("they are accepted");
        alone.step();
        steps(&mut app, 1);
        assert_eq!(
            flock(&app).state_hash(),
            alone.flock().state_hash(),
            "WINGBEAT_SEED={seed}, round {round}"
        );
        assert_eq!(flock(&app).live().flock().living(), alone.flock().living());
        assert_one_entity_each(&mut app);
    }
    assert!(messages::<Refused>(&app).is_empty());
}

/// Every boid's transform shows that boid, after seats have changed hands.
#[test]
fn all_keep_their_places() {
    let mut app = app_of(
        engine(SEA, &[], 1),
        FlockSettings { interpolate: false, ..FlockSettings::default() },
    );
    for round in 0..8 {
        let living = flock(&app).live().flock().living().to_vec();
        for id in living.into_iter().skip(round % 3).step_by(5) {
            let entity = flock(&app).entity(id).expect("an entity");
            app.world_mut().despawn(entity);
        }
        for n in 0..6u16 {
            app.world_mut().spawn((
                Boid::moving(Vec3::X),
                Transform::from_xyz(f32::from(n), 1.0 + 0.1 * round as f32, 0.0),
            ));
        }
        steps(&mut app, 2);
        let rows = flock(&app).live().flock().rows();
        for row in rows {
            let entity = flock(&app).entity(BoidId::new(row.id)).expect("an entity");
            let transform = app.world().get::<Transform>(entity).expect("a transform");
            assert_eq!(transform.translation, Vec3::from(row.position));
        }
    }
}

#[test]
fn who_is_not_accepted_is_told_and_is_no_boid() {
    let text = SEA.replace("periodic", "reflecting");
    let mut app = app(&text, &[]);
    let mut spawn = |x: f32, velocity: Vec3| {
        app.world_mut().spawn((Boid::moving(velocity), Transform::from_xyz(x, 1.0, 0.0))).id()
    };
    let inside = spawn(1.0, Vec3::X);
    let outside = spawn(1e4, Vec3::X);
    let nowhere = spawn(f32::NAN, Vec3::X);
    let also = spawn(2.0, Vec3::Y);
    let too_fast = spawn(3.0, Vec3::splat(f32::INFINITY));
    steps(&mut app, 1);
    let refused = messages::<Refused>(&app);
    assert_eq!(
        refused.iter().map(|refusal| refusal.entity).collect::<Vec<_>>(),
        [outside, nowhere, too_fast],
        "{refused:?}"
    );
    assert!(
        refused
            .iter()
            .all(|refusal| !refusal.reason.is_empty() && refusal.reason.lines().count() == 1)
    );
    for entity in [outside, nowhere, too_fast] {
        assert!(app.world().get::<Boid>(entity).is_none());
    }
    // Ids follow each other in the order of spawning, one that was refused in between.
    assert_eq!(
        (flock(&app).id(inside), flock(&app).id(also)),
        (Some(BoidId::new(40)), Some(BoidId::new(41)))
    );
    assert_one_entity_each(&mut app);
    steps(&mut app, 3);
    assert_eq!(flock(&app).len(), 42);
}

#[test]
fn inserted_anew_it_is_another_boid() {
    let mut app = app(SEA, &[]);
    let entity = flock(&app).entity(BoidId::new(5)).expect("an entity");
    app.world_mut().entity_mut(entity).insert(Boid::moving(Vec3::X));
    app.world_mut().entity_mut(entity).insert(Boid::moving(Vec3::Y));
    steps(&mut app, 1);
    assert_eq!((flock(&app).id(entity), flock(&app).len()), (Some(BoidId::new(40)), 40));
    assert_one_entity_each(&mut app);
    // A clone is no boid: there is one entity for an id.
    let clone = app.world_mut().entity_mut(entity).clone_and_spawn();
    assert!(app.world().get::<Boid>(clone).is_none());
}

#[test]
fn another_flock_takes_over() {
    for departed in [Departed::Despawn, Departed::Keep] {
        let mut app =
            app_of(engine(SEA, &[], 1), FlockSettings { departed, ..FlockSettings::default() });
        let before = flock(&app).entity(BoidId::new(3)).expect("an entity");
        steps(&mut app, 2);
        app.insert_resource(Flock::new(engine("murmuration", &["flock.boids=70"], 1)));
        app.update();
        assert_one_entity_each(&mut app);
        assert_eq!(flock(&app).len(), 70);
        assert!(app.world().get::<Boid>(before).is_none());
        assert_eq!(app.world().get_entity(before).is_ok(), departed == Departed::Keep);
        app.world_mut().remove_resource::<Flock>();
        app.update();
        app.world_mut().spawn(Boid::default());
        app.update();
    }
}

/// Boids may be spawned before there is a flock.
#[test]
fn a_flock_may_come_later() {
    let mut app = App::new();
    app.add_plugins((TimePlugin, TransformPlugin, WingbeatPlugin::default()));
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(500)));
    let early =
        app.world_mut().spawn((Boid::moving(Vec3::Y), Transform::from_xyz(1.0, 1.0, 0.0))).id();
    app.update();
    app.insert_resource(Flock::new(engine(SEA, &[], 1)));
    steps(&mut app, 1);
    assert_eq!(flock(&app).id(early), Some(BoidId::new(40)));
    assert_one_entity_each(&mut app);
}
