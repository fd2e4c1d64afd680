//! The step: entities for new boids, messages of events, despawning of boids that left.

use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use bevy_transform::components::Transform;
use wingbeat::{BoidId, Event, SpeciesId};

use crate::components::{Boid, Obstacle, Requests, Species};
use crate::settings::{Departed, FlockSettings};
use crate::{Arrived, Captured, Entered, Exited, Flock, Left, Member, Squeezed};

/// Brings entities in line with a flock that is new, or that other code may have changed.
pub(crate) fn refresh(world: &mut World) {
    if world.get_resource::<Flock>().is_none_or(|flock| !flock.stale) {
        return;
    }
    let removed = std::mem::take(&mut world.resource_mut::<Requests>().removed);
    let mut flock = world.resource_mut::<Flock>();
    let is_new = !flock.adopted;
    flock.refresh(removed);
    if is_new {
        let mut others = world.query::<(Entity, &Boid)>();
        let of_another: Vec<_> = others
            .iter(world)
            .filter_map(|(entity, boid)| boid.id().map(|id| (id, entity)))
            .collect();
        world.resource_mut::<Flock>().departed.extend(of_another);
        // They moved those of the flock before.
        world
            .query::<&mut Obstacle>()
            .iter_mut(world)
            .for_each(|mut obstacle| obstacle.set_changed());
    }
    end_departed(world);
    arrivals(world);
}

pub(crate) fn step(mut flock: ResMut<Flock>) {
    flock.step();
}

/// Entities for those that have none yet. Exclusive, but mostly there is no boid.
pub(crate) fn arrivals(world: &mut World) {
    let settings = *world.resource::<FlockSettings>();
    let Some(mut flock) =
        world.get_resource_mut::<Flock>().filter(|flock| !flock.newcomers.is_empty())
    else {
        return;
    };
    let ranks = std::mem::take(&mut flock.newcomers);
    let bundles = bundles(&mut flock, &ranks, settings);
    let entities: Vec<Entity> = match bundles.species {
        Some(species) => world
            .spawn_batch(
                bundles.boids.into_iter().zip(species).map(|((boid, at), s)| (boid, at, s)),
            )
            .collect(),
        None => world.spawn_batch(bundles.boids).collect(),
    };
    let Some(mut flock) = world.get_resource_mut::<Flock>() else { return };
    for (&rank, &entity) in ranks.iter().zip(&entities) {
        flock.roster.fill(rank, entity);
    }
}

struct Bundles {
    boids: Vec<(Boid, Transform)>,
    /// Where the flock has some.
    species: Option<Vec<Species>>,
}

fn bundles(flock: &mut Flock, ranks: &[usize], settings: FlockSettings) -> Bundles {
    let space = flock.is_space();
    let roster = &flock.roster;
    let boid = |&rank: &usize| {
        let (id, seat) = (roster.ids()[rank], roster.seats()[rank]);
        let pose = flock.poses.current(seat);
        let mut transform = Transform::IDENTITY;
        settings.axes.place(&mut transform, pose.position, space);
        if let Some(rotation) =
            settings.axes.rotation(pose.velocity, space).filter(|_| settings.rotate)
        {
            transform.rotation = rotation;
        }
        (Boid::seated(settings.axes.to_bevy(pose.velocity), id, seat), transform)
    };
    let boids = ranks.iter().map(boid).collect();
    let by_slot = flock.flock().species();
    let species = (!by_slot.is_empty()).then(|| {
        let mut by_rank = vec![0; by_slot.len()];
        for (&rank, &species) in flock.flock().ranks().iter().zip(by_slot) {
            by_rank[rank as usize] = species;
        }
        ranks.iter().map(|&rank| Species(SpeciesId::new(by_rank[rank] as usize))).collect()
    });
    Bundles { boids, species }
}

/// Writers of all that can happen to a boid.
#[derive(SystemParam)]
pub(crate) struct Told<'w> {
    captured: MessageWriter<'w, Captured>,
    arrived: MessageWriter<'w, Arrived>,
    exited: MessageWriter<'w, Exited>,
    squeezed: MessageWriter<'w, Squeezed>,
    left: MessageWriter<'w, Left>,
    entered: MessageWriter<'w, Entered>,
}

pub(crate) fn events(mut flock: ResMut<Flock>, mut told: Told) {
    let happened = std::mem::take(&mut flock.untold);
    let (flock, step) = (&*flock, flock.steps());
    let member = |id: BoidId| {
        let departed = || {
            flock
                .departed
                .binary_search_by_key(&id, |&(id, _)| id)
                .ok()
                .map(|place| flock.departed[place].1)
        };
        Member { entity: flock.entity(id).or_else(departed).unwrap_or(Entity::PLACEHOLDER), id }
    };
    for event in happened {
        match event {
            Event::Captured { captor, prey } => {
                told.captured.write(Captured { captor: member(captor), prey: member(prey), step });
            }
            Event::Arrived { boid, drive } => {
                told.arrived.write(Arrived { boid: member(boid), drive, step });
            }
            Event::Exited { boid, exit } => {
                told.exited.write(Exited { boid: member(boid), exit, step });
            }
            Event::Squeezed { boid } => {
                told.squeezed.write(Squeezed { boid: member(boid), step });
            }
            Event::Left { boid } => {
                told.left.write(Left { boid: member(boid), step });
            }
            Event::Entered { boid, source } => {
                told.entered.write(Entered { boid: member(boid), source, step });
            }
            // A kind that is new has no message yet.
            _ => {}
        }
    }
}

/// Exclusive, but mostly no boid has left.
pub(crate) fn departures(world: &mut World) {
    end_departed(world);
}

fn end_departed(world: &mut World) {
    let how = world.resource::<FlockSettings>().departed;
    let Some(mut flock) =
        world.get_resource_mut::<Flock>().filter(|flock| !flock.departed.is_empty())
    else {
        return;
    };
    let departed = std::mem::take(&mut flock.departed);
    for (_, entity) in departed {
        // Other code may have despawned it in the meantime.
        let Ok(mut entity) = world.get_entity_mut(entity) else { continue };
        match how {
            Departed::Despawn => entity.despawn(),
            Departed::Keep => {
                entity.remove::<Boid>();
            }
        }
    }
}
