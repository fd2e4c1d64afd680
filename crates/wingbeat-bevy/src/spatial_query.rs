//! Questions about places, for systems: which boids' entities are near a point, and where there is
//! room.

use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use bevy_math::Vec3;
use wingbeat::{BoidId, SpeciesId};
use wingbeat_scene::AnyFlock;

use crate::{Axes, Flock, FlockSettings};

/// A system parameter that answers questions about places, in Bevy's axes. It reads the flock, so
/// that several systems can ask at once; without a flock it finds nothing.
///
/// It is about the state after the last step. Transforms that are interpolated show a moment
/// before.
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
        self.ask(point, |flock, [x, y, z]| match flock {
            AnyFlock::Two(flock) => flock.within([x, y], radius).map(FoundBoid::from).collect(),
            AnyFlock::Three(flock) => {
                flock.within([x, y, z], radius).map(FoundBoid::from).collect()
            }
        })
    }

    /// The nearest boid; see [`Flock::nearest`](wingbeat::Flock::nearest).
    pub fn nearest(&self, point: Vec3) -> Option<NearBoid> {
        self.nearest_n(point, 1).pop()
    }

    /// The `count` nearest boids, the nearest first.
    pub fn nearest_n(&self, point: Vec3, count: usize) -> Vec<NearBoid> {
        self.ask(point, |flock, [x, y, z]| match flock {
            AnyFlock::Two(flock) => flock.nearest_n([x, y], count).map(FoundBoid::from).collect(),
            AnyFlock::Three(flock) => {
                flock.nearest_n([x, y, z], count).map(FoundBoid::from).collect()
            }
        })
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

    fn axes(&self) -> Axes {
        self.settings.as_ref().map_or(Axes::default(), |settings| settings.axes)
    }

    fn ask(
        &self,
        point: Vec3,
        ask: impl FnOnce(&AnyFlock, [f32; 3]) -> Vec<FoundBoid>,
    ) -> Vec<NearBoid> {
        let (Some(flock), axes) = (&self.flock, self.axes()) else { return Vec::new() };
        let found = ask(flock.flock(), axes.to_scene(point));
        let near = |boid: FoundBoid| {
            // A boid that has come since the last step has no entity yet.
            let entity = flock.entity(boid.id)?;
            Some(NearBoid {
                entity,
                id: boid.id,
                species: boid.species,
                position: axes.to_bevy(boid.position),
                velocity: axes.to_bevy(boid.velocity),
                distance: boid.distance,
            })
        };
        found.into_iter().filter_map(near).collect()
    }
}

/// A boid as a flock of either dimension finds it, in the scene's axes.
struct FoundBoid {
    id: BoidId,
    species: SpeciesId,
    position: [f32; 3],
    velocity: [f32; 3],
    distance: f32,
}

impl<const D: usize> From<wingbeat::Neighbor<D>> for FoundBoid {
    fn from(boid: wingbeat::Neighbor<D>) -> Self {
        let wide = |v: [f32; D]| std::array::from_fn(|a| v.get(a).copied().unwrap_or(0.0));
        Self {
            id: boid.id,
            species: boid.species,
            position: wide(boid.position),
            velocity: wide(boid.velocity),
            distance: boid.distance,
        }
    }
}
