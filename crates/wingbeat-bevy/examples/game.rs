//! The game of docs/GAMES.md in Bevy, without a window: fish, a shark that follows the player's
//! hand, deaths and births. `cargo run --release -p wingbeat-bevy --example game`.

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::{Vec2, Vec3};
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use bevy_transform::prelude::*;
use wingbeat_bevy::{Boid, Flock, Goal, SpatialQuery, Species, SpeciesId};
use wingbeat_bevy::{WingbeatPlugin, WingbeatSystems};

/// Two kinds, walls and an island; the shark goes where its goal is, which is the hand.
const SEA: &str = r#"
about = "fish, and a shark under a player's hand"
[flock]
boids = 2000
dimensions = 2
dt = 0.03333
[spawn]
shape = "box"
min = [5.0, 5.0]
max = [60.0, 75.0]
[domain]
kind = "reflecting"
min = [0.0, 0.0]
max = [120.0, 80.0]
[species.fish]
count = 2000
agent = { min_speed = 1.0, max_speed = 4.0, max_force = 8.0 }
separation = { radius = 1.5 }
alignment = { radius = 1.5 }
cohesion = { radius = 1.5 }
[species.shark]
count = 0
agent = { max_speed = 9.0, max_force = 60.0 }
[interaction.fish.shark]
kind = "flee"
radius = 7.0
weight = 3.0
[drive.hand]
kind = "goal"
species = "shark"
[obstacle.island]
kind = "sphere"
center = [75.0, 45.0]
radius = 9.0
"#;

const FISH: SpeciesId = SpeciesId::new(0);
const SHARK: SpeciesId = SpeciesId::new(1);

#[derive(Component)]
struct Shark;

#[derive(Resource, Default)]
struct Score {
    eaten: usize,
    born: usize,
}

fn enter(mut commands: Commands) {
    let at = Transform::from_xyz(110.0, 10.0, 0.0);
    commands.spawn((Shark, Boid::moving(Vec3::ZERO), at, Species(SHARK), Goal(Vec3::ZERO)));
}

/// Where the player points; in a window it is the mouse.
fn point(flock: Res<Flock>, mut goal: Single<&mut Goal, With<Shark>>) {
    let angle = flock.steps() as f32 * 0.004;
    let [x, y] = [Vec2::from_angle(angle).x, Vec2::from_angle(angle * 1.7).y];
    goal.0 = Vec3::new(60.0 + x * 50.0, 40.0 + y * 33.0, 0.0);
}

fn bite(
    shark: Single<&Transform, With<Shark>>,
    near: SpatialQuery,
    mut commands: Commands,
    mut score: ResMut<Score>,
) {
    for boid in near.within(shark.translation, 0.8) {
        if boid.species == FISH {
            commands.entity(boid.entity).despawn();
            score.eaten += 1;
        }
    }
}

fn hatch(flock: Res<Flock>, near: SpatialQuery, mut commands: Commands, mut score: ResMut<Score>) {
    let reef = Vec3::new(20.0 + (flock.steps() % 17) as f32, 40.0, 0.0);
    if flock.steps().is_multiple_of(10) && near.is_free(reef, 0.2) {
        commands.spawn((Boid::moving(Vec3::X), Transform::from_translation(reef), Species(FISH)));
        score.born += 1;
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut app = App::new();
    app.add_plugins((TimePlugin, TransformPlugin, WingbeatPlugin::default()))
        .insert_resource(Flock::from_toml("sea", SEA, &[])?)
        // As many steps in every frame as there are: a clock decides in a window.
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .init_resource::<Score>()
        .add_systems(Startup, enter)
        // What they ask for counts in the step that follows.
        .add_systems(FixedUpdate, (point, bite, hatch).chain().before(WingbeatSystems::Changes));
    for _ in 0..900 {
        app.update();
    }
    let (flock, score) = (app.world().resource::<Flock>(), app.world().resource::<Score>());
    println!(
        "{} eaten, {} born, {} swim; state {:016x}",
        score.eaten,
        score.born,
        flock.len() - 1,
        flock.state_hash()
    );
    assert!(score.eaten > 0 && score.born > 0);
    assert_eq!(flock.len(), 2_000 + 1 + score.born - score.eaten);
    Ok(())
}
