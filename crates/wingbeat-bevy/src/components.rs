//! What a user puts on entities, and the queue of what came and went.

use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::prelude::*;
use bevy_ecs::world::DeferredWorld;
use bevy_math::Vec3;
use bevy_transform::components::Transform;
use wingbeat::{BoidId, SpeciesId};

/// In [`Boid::id`]: it has none.
const NO_ID: u64 = u64::MAX;

/// An entity that is a boid of the [`Flock`](crate::Flock). Its [`Transform`] follows the flock.
///
/// Put it on an entity and a boid is added before the next step, where the transform is; despawn
/// the entity or take the component off and the boid is removed. Put on again, it is another boid
/// with another id. A clone of the entity is no boid.
///
/// The flock's own boids get entities with this component when the resource appears. To give them
/// meshes or sprites, observe `On<Add<Boid>>`.
#[derive(Component, Debug)]
#[component(on_insert, on_discard, clone_behavior = Ignore)]
#[require(Transform)]
pub struct Boid {
    /// In Bevy's axes, length/time. Until the boid is added, the velocity it shall start with
    /// (default 0); then the velocity it moves with where its transform shows it, kept up without
    /// marking the component as changed. Writing it later changes nothing: send a
    /// [`Teleport`](crate::Teleport).
    pub velocity: Vec3,
    pub(crate) seat: u32,
    id: u64,
}

impl Default for Boid {
    fn default() -> Self {
        Self::moving(Vec3::ZERO)
    }
}

impl Boid {
    /// A boid that starts with this velocity, in Bevy's axes, length/time.
    pub fn moving(velocity: Vec3) -> Self {
        Self { velocity, seat: 0, id: NO_ID }
    }

    /// Its id in the flock, once it is there.
    pub fn id(&self) -> Option<BoidId> {
        (self.id != NO_ID).then_some(BoidId::new(self.id))
    }

    pub(crate) fn seated(velocity: Vec3, id: BoidId, seat: u32) -> Self {
        Self { velocity, seat, id: id.get() }
    }

    fn on_insert(mut world: DeferredWorld, context: HookContext) {
        if world.get::<Self>(context.entity).is_some_and(|boid| boid.id().is_none()) {
            note(&mut world, |requests| requests.added.push(context.entity));
        }
    }

    fn on_discard(mut world: DeferredWorld, context: HookContext) {
        if let Some(id) = world.get::<Self>(context.entity).and_then(Self::id) {
            note(&mut world, |requests| requests.removed.push((id, context.entity)));
        }
    }
}

/// Which species a boid is of. The flock's own boids have it where the
/// scene has species; changing it changes the boid, and a newcomer without it is of the first.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Species(pub SpeciesId);

/// Where a boid shall go, in Bevy's axes, length, inside the scene's box: every drive of the kind
/// `goal` in the scene draws it there instead of to their common target. Without such a drive it
/// does nothing. Inserted or changed it holds from the next step on, and arrivals count anew; taken
/// off, the boid has no goal of its own.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[component(on_remove)]
pub struct Goal(pub Vec3);

impl Goal {
    fn on_remove(mut world: DeferredWorld, context: HookContext) {
        note(&mut world, |requests| requests.goals_removed.push(context.entity));
    }
}

/// An obstacle of the scene whose motion is `host`: its shape is shifted by the entity's
/// [`Transform`], and in the plane turned by it about the origin of the scene. Whenever the
/// transform changes, the obstacle goes there in a straight line in the next step and pushes along
/// the prey it meets; then it rests.
#[derive(Component, Clone, Debug, PartialEq, Eq)]
#[require(Transform)]
pub struct Obstacle {
    /// Its name in the scene: `ball` for `[obstacle.ball]`.
    pub name: String,
}

/// What came and went since the last step, in the order in which it happened.
#[derive(Resource, Default)]
pub(crate) struct Requests {
    pub added: Vec<Entity>,
    pub removed: Vec<(BoidId, Entity)>,
    pub goals_removed: Vec<Entity>,
}

/// Without the plugin there is no system to note it for.
fn note(world: &mut DeferredWorld, write: impl FnOnce(&mut Requests)) {
    if let Some(mut requests) = world.get_resource_mut::<Requests>() {
        write(&mut requests);
    }
}
