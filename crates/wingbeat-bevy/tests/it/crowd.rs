//! Many.

use bevy_transform::components::Transform;

use super::*;

#[test]
fn a_hundred_thousand_entities_fly() {
    let overrides = ["flock.boids=100000"];
    let mut alone = engine("shoal", &overrides, 2);
    let mut app = app_of(engine("shoal", &overrides, 2), Default::default());
    steps(&mut app, 5);
    (0..5).for_each(|_| alone.step());
    assert_eq!(flock(&app).state_hash(), alone.flock().state_hash());
    assert_one_entity_each(&mut app);
    assert_eq!(app.world_mut().query::<(&Boid, &Transform)>().iter(app.world()).count(), 100_000);
}
