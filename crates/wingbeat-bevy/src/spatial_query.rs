//! Questions about places, for systems: which boids' entities are near a point, and where there is
//! room.

use bevy_ecs::entity::Entities;
use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use bevy_math::Vec3;
use wingbeat::query::Neighbors;
use wingbeat::{BoidId, Neighbor, SpeciesId};
use wingbeat_scene::AnyFlock;

use crate::{Axes, Flock, FlockSettings};

/// A system parameter that answers questions about places, in Bevy's axes. It reads the flock, so
/// that several systems can ask at once; without a flock it finds nothing.
///
/// It is about the state after the last step. Transforms that are interpolated show a moment
/// before. A boid whose entity was despawned since is not found, so that nothing is eaten twice; it
/// takes up room until the next step.
///
/// ```
/// # use bevy_ecs::prelude::*;
/// # use bevy_transform::components::Transform;
/// use wingbeat_bevy::SpatialQuery;
/// #[derive(Component)]
/// struct Player;
/// fn bite(player: Single<&Transform, With<Player>>, near: SpatialQuery, mut commands: Commands) {
///     for boid in near.within(player.translation, 1.5) {
///         commands.entity(boid.entity).despawn();
///     }
/// }
/// # bevy_ecs::system::assert_is_system(bite);
/// ```
#[derive(SystemParam)]
pub struct SpatialQuery<'w> {
    flock: Option<Res<'w, Flock>>,
    settings: Option<Res<'w, FlockSettings>>,
    entities: &'w Entities,
}

/// A boid near a point.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearBoid {
    /// Its entity.
    pub entity: Entity,
    /// Its id.
    pub id: BoidId,
    /// Its species, by its place in the scene.
    pub species: SpeciesId,
    /// Where it is; in a scene in the plane what is not in the plane is 0.
    pub position: Vec3,
    /// How it moves.
    pub velocity: Vec3,
    /// How far it is from the point, through the nearest image in a periodic scene; in a scene in
    /// the plane, in that plane.
    pub distance: f32,
}

impl SpatialQuery<'_> {
    /// All boids within a radius of a point; see
    /// [`Flock::within`](wingbeat::Flock::within).
    pub fn within(&self, point: Vec3, radius: f32) -> Vec<NearBoid> {
        let Some(flock) = &self.flock else { return Vec::new() };
        let [x, y, z] = self.axes().to_scene(point);
        match flock.flock() {
            AnyFlock::Two(two) => self.near(flock, two.within([x, y], radius)),
            AnyFlock::Three(three) => self.near(flock, three.within([x, y, z], radius)),
        }
    }

    /// The nearest boid; see [`Flock::nearest`](wingbeat::Flock::nearest).
    pub fn nearest(&self, point: Vec3) -> Option<NearBoid> {
        self.nearest_n(point, 1).pop()
    }

    /// The `count` nearest boids, the nearest first.
    pub fn nearest_n(&self, point: Vec3, count: usize) -> Vec<NearBoid> {
        let Some(flock) = &self.flock else { return Vec::new() };
        let [x, y, z] = self.axes().to_scene(point);
        let lives = |id| self.entity(flock, id).is_some();
        match flock.flock() {
            AnyFlock::Two(two) => {
                self.near(flock, two.nearest_n_where([x, y], count, |boid| lives(boid.id)))
            }
            AnyFlock::Three(three) => {
                self.near(flock, three.nearest_n_where([x, y, z], count, |boid| lives(boid.id)))
            }
        }
    }

    /// Whether a body of a radius has room at a point; see
    /// [`Flock::is_free`](wingbeat::Flock::is_free). True without a flock.
    pub fn is_free(&self, point: Vec3, radius: f32) -> bool {
        let [x, y, z] = self.axes().to_scene(point);
        self.flock.as_ref().is_none_or(|flock| match flock.flock() {
            AnyFlock::Two(flock) => flock.is_free([x, y], radius),
            AnyFlock::Three(flock) => flock.is_free([x, y, z], radius),
        })
    }

    /// The entity of a boid, if it has one: one that has come since the last step has none yet, and
    /// one that was despawned has none any more.
    fn entity(&self, flock: &Flock, id: BoidId) -> Option<Entity> {
        flock.entity(id).filter(|&entity| self.entities.contains(entity))
    }

    fn axes(&self) -> Axes {
        self.settings.as_ref().map_or(Axes::default(), |settings| settings.axes)
    }

    /// What a flock of either dimension found, with entities and in Bevy's axes.
    fn near<const D: usize>(&self, flock: &Flock, found: Neighbors<'_, D>) -> Vec<NearBoid> {
        let axes = self.axes();
        let place =
            |v: [f32; D]| axes.to_bevy(std::array::from_fn(|a| v.get(a).copied().unwrap_or(0.0)));
        let near = |boid: Neighbor<D>| {
            let entity = self.entity(flock, boid.id)?;
            Some(NearBoid {
                entity,
                id: boid.id,
                species: boid.species,
                position: place(boid.position),
                velocity: place(boid.velocity),
                distance: boid.distance,
            })
        };
        found.filter_map(near).collect()
    }
}
