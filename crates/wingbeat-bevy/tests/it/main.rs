//! What is true of a flock in an app, without a window and with a clock set by hand.

mod changes;
mod coming_and_going;
mod crowd;
mod events;
mod following;
mod near;
mod same_bits;

use std::time::Duration;

use bevy_app::App;
use bevy_ecs::prelude::*;
use bevy_time::{Fixed, Time, TimePlugin, TimeUpdateStrategy};
use bevy_transform::TransformPlugin;
use wingbeat_bevy::{
    Boid, BoidId, EditableScene, Flock, FlockSettings, LiveFlock, Machine, Override, WingbeatPlugin,
};

/// Fish in a small periodic sea; steps are half a second, which a clock set by hand divides evenly.
const SEA: &str = "[flock]\nboids = 40\ndimensions = 2\ndt = 0.5\nseed = 3\n[spawn]\nspeed = 1.5\n\
    speed_spread = 0.5\n\
    [domain]\nkind = \"periodic\"\nmin = [0.0, 0.0]\nmax = [8.0, 6.0]\n[agent]\nmin_speed = 1.0\n\
    max_speed = 2.0\n\
    [separation]\nradius = 0.8\n[alignment]\n[cohesion]\n";

fn machine(threads: usize) -> Machine {
    Machine { level: None, threads: Some(threads) }
}

fn scene(text: &str, overrides: &[&str]) -> EditableScene {
    let overrides: Vec<Override> =
        overrides.iter().map(|set| Override::set(set).expect("an override")).collect();
    match wingbeat_scene::preset(text) {
        Some(_) => EditableScene::load(text, &overrides),
        None => EditableScene::with_overrides("test", text, &overrides),
    }
    .expect("a scene")
}

/// The engine alone, of a preset or of a text.
fn engine(text: &str, overrides: &[&str], threads: usize) -> LiveFlock {
    LiveFlock::new(scene(text, overrides), machine(threads), None, true).expect("a flock")
}

fn app_of(live: LiveFlock, settings: FlockSettings) -> App {
    let mut app = App::new();
    app.add_plugins((TimePlugin, TransformPlugin, WingbeatPlugin { settings }))
        .insert_resource(Flock::new(live));
    // Frames without steps, until a test asks for one.
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO));
    app.update();
    let timestep = app.world().resource::<Time<Fixed>>().timestep();
    assert_eq!(
        (app.world().resource::<Flock>().steps(), app.world().resource::<Time<Fixed>>().overstep()),
        (0, Duration::ZERO)
    );
    app.insert_resource(TimeUpdateStrategy::ManualDuration(timestep));
    app
}

fn app(text: &str, overrides: &[&str]) -> App {
    app_of(engine(text, overrides, 1), FlockSettings::default())
}

fn flock(app: &App) -> &Flock {
    app.world().resource::<Flock>()
}

/// Frames of one step each.
fn steps(app: &mut App, steps: u64) {
    let wanted = flock(app).steps() + steps;
    while flock(app).steps() < wanted {
        app.update();
    }
    assert_eq!(flock(app).steps(), wanted);
}

/// Entities and ids name each other, both ways, and no boid is left out.
fn assert_one_entity_each(app: &mut App) {
    let mut boids = app.world_mut().query::<(Entity, &Boid)>();
    let found: Vec<(Entity, Option<BoidId>)> =
        boids.iter(app.world()).map(|(entity, boid)| (entity, boid.id())).collect();
    let flock = flock(app);
    assert_eq!(found.len(), flock.len());
    for (entity, id) in found {
        let id = id.expect("an id");
        assert_eq!((flock.entity(id), flock.id(entity)), (Some(entity), Some(id)));
    }
    for &id in flock.live().flock().living() {
        assert!(flock.entity(id).is_some(), "{id} has no entity");
    }
}

/// All messages of a kind that are there.
fn messages<M: Message + Clone>(app: &App) -> Vec<M> {
    let messages = app.world().resource::<Messages<M>>();
    messages.iter_current_update_messages().cloned().collect()
}
