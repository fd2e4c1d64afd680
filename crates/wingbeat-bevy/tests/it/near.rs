//! Systems that ask what is near.

use bevy_ecs::system::SystemState;
use bevy_math::Vec3;
use wingbeat_bevy::{Axes, FlockSettings, SpatialQuery};
use wingbeat_scene::NearColumns;

use super::*;

fn ids(near: &[wingbeat_bevy::NearBoid]) -> Vec<(u64, u32)> {
    near.iter().map(|boid| (boid.id.get(), boid.distance.to_bits())).collect()
}

fn pairs(found: &NearColumns) -> Vec<(u64, u32)> {
    found.id.iter().copied().zip(found.distance.iter().map(|distance| distance.to_bits())).collect()
}

#[test]
fn systems_find_the_entities_that_the_engine_finds_near() {
    for axes in [Axes::YUp, Axes::ZUp] {
        let settings = FlockSettings { axes, ..FlockSettings::default() };
        let mut app = app_of(engine(SEA, &[], 1), settings);
        let mut alone = engine(SEA, &[], 1);
        let mut found = NearColumns::default();
        for _ in 0..4 {
            steps(&mut app, 3);
            (0..3).for_each(|_| alone.step());
            let mut asking = SystemState::<SpatialQuery>::new(app.world_mut());
            for place in [[1.0, 1.0], [7.9, 0.1], [4.0, 3.0]] {
                let point = axes.to_bevy([place[0], place[1], 0.0]);
                let near = asking.get(app.world()).expect("a query").within(point, 2.0);
                alone.flock().within(&place, 2.0, &mut found).expect("a place");
                assert!(!near.is_empty());
                assert_eq!(ids(&near), pairs(&found), "{axes:?} {place:?}");
                alone.flock().nearest_n(&place, 7, &mut found).expect("a place");
                let nearest = asking.get(app.world()).expect("a query").nearest_n(point, 7);
                assert_eq!(ids(&nearest), pairs(&found), "{axes:?} {place:?}");
                let first = asking.get(app.world()).expect("a query").nearest(point);
                assert_eq!(first, nearest.first().copied());
                for boid in near.iter().chain(&nearest) {
                    assert_eq!(flock(&app).entity(boid.id), Some(boid.entity));
                    let state = flock(&app).state(boid.entity, axes);
                    assert_eq!(state, Some((boid.position, boid.velocity)));
                }
                let free = alone.flock().are_free(&place, 0.4).expect("a place");
                assert_eq!(asking.get(app.world()).expect("a query").is_free(point, 0.4), free[0]);
            }
        }
        assert_eq!(flock(&app).state_hash(), alone.flock().state_hash());
    }
}

/// A predator under the player's hand, in a system: it despawns what it reaches.
#[test]
fn boids_that_are_reached_can_be_despawned() {
    let mut app = app(SEA, &[]);
    let before = flock(&app).len();
    app.add_systems(bevy_app::Update, |near: SpatialQuery, mut commands: Commands| {
        for boid in near.within(Vec3::new(4.0, 3.0, 0.0), 1.5) {
            commands.entity(boid.entity).despawn();
        }
    });
    steps(&mut app, 30);
    assert!(flock(&app).len() < before);
    let mut asking = SystemState::<SpatialQuery>::new(app.world_mut());
    assert!(asking.get(app.world()).expect("a query").is_free(Vec3::new(4.0, 3.0, 0.0), 1.0));
}

/// Despawned between two steps, a boid is in the flock still; no query finds it again, and the next
/// one is the nearest.
#[test]
fn who_was_despawned_is_not_found_again() {
    let mut app = app(SEA, &[]);
    steps(&mut app, 3);
    let mut asking = SystemState::<SpatialQuery>::new(app.world_mut());
    let point = Vec3::new(4.0, 3.0, 0.0);
    let before = asking.get(app.world()).expect("a query").nearest_n(point, 3);
    let boids = flock(&app).len();
    app.world_mut().despawn(before[0].entity);
    let near = asking.get(app.world()).expect("a query");
    assert_eq!(near.nearest_n(point, 2), before[1..]);
    assert_eq!(near.nearest(point), Some(before[1]));
    let within = near.within(point, before[2].distance);
    assert_eq!(within.iter().filter(|boid| before.contains(boid)).count(), 2);
    assert_eq!(flock(&app).len(), boids);
}

#[test]
fn without_a_flock_nothing_is_near() {
    let mut world = World::new();
    let mut asking = SystemState::<SpatialQuery>::new(&mut world);
    assert!(asking.get(&world).expect("a query").within(Vec3::ZERO, 1.0).is_empty());
    assert!(asking.get(&world).expect("a query").nearest(Vec3::ZERO).is_none());
    assert!(asking.get(&world).expect("a query").is_free(Vec3::ZERO, 1.0));
}
