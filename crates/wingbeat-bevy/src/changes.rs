//! From entities to the flock, before a step.

use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use bevy_transform::components::Transform;
use wingbeat::{BoidId, FlockError, SpeciesId};
use wingbeat_scene::AnyFlock;

use crate::components::{Boid, Goal, Obstacle, Requests, Species};
use crate::messages::{Refused, Teleport};
use crate::poses::Pose;
use crate::settings::FlockSettings;
use crate::{Axes, Flock};

/// First the boids that left, then those that entered, in the order in which they were spawned.
pub(crate) fn come_and_go(
    mut flock: ResMut<Flock>,
    mut requests: ResMut<Requests>,
    settings: Res<FlockSettings>,
    mut boids: Query<(&mut Boid, &Transform)>,
    mut refused: MessageWriter<Refused>,
    mut commands: Commands,
) {
    if !requests.removed.is_empty() {
        flock.remove(requests.removed.drain(..));
    }
    if requests.added.is_empty() {
        return;
    }
    let (mut entities, mut poses) = (Vec::new(), Vec::new());
    // A boid that was inserted twice is here twice.
    let mut seen = bevy_ecs::entity::EntityHashSet::default();
    for entity in requests.added.drain(..) {
        let Ok((boid, transform)) = boids.get(entity) else { continue };
        if boid.id().is_none() && seen.insert(entity) {
            let position = settings.axes.to_scene(transform.translation);
            entities.push(entity);
            poses.push(Pose { position, velocity: settings.axes.to_scene(boid.velocity) });
        }
    }
    let added = flock.add(&poses);
    for ((entity, pose), added) in entities.into_iter().zip(poses).zip(added) {
        match added {
            Ok(id) => {
                let seat = flock.roster.push(id, entity);
                flock.poses.put(seat, pose);
                if let Ok((mut boid, _)) = boids.get_mut(entity) {
                    let velocity = boid.velocity;
                    // Insertions alone count as changes.
                    *boid.bypass_change_detection() = Boid::seated(velocity, id, seat);
                }
            }
            Err(reason) => {
                refused.write(Refused { entity, reason });
                commands.entity(entity).try_remove::<Boid>();
            }
        }
    }
}

type NewSpecies = Or<(Changed<Species>, Changed<Boid>)>;

pub(crate) fn species(
    mut flock: ResMut<Flock>,
    changed: Query<(Entity, &Boid, &Species), NewSpecies>,
    mut refused: MessageWriter<Refused>,
) {
    let who: Vec<(Entity, BoidId, SpeciesId)> = changed
        .iter()
        .filter_map(|(entity, boid, species)| Some((entity, boid.id()?, species.0)))
        // The flock's own entities have what the flock has.
        .filter(|&(_, id, species)| {
            flock.flock().traits(id.get()).is_ok_and(|traits| traits.species != species)
        })
        .collect();
    all_or_each(&mut flock, &who, &mut refused, |flock, who| {
        let ids: Vec<u64> = who.iter().map(|(_, id, _)| id.get()).collect();
        flock.change_traits(&ids, |place, traits| traits.species = who[place].2)
    });
}

type NewGoal = Or<(Changed<Goal>, Changed<Boid>)>;

pub(crate) fn goals(
    mut flock: ResMut<Flock>,
    mut requests: ResMut<Requests>,
    settings: Res<FlockSettings>,
    changed: Query<(Entity, &Boid, &Goal), NewGoal>,
    without: Query<&Boid, Without<Goal>>,
    mut refused: MessageWriter<Refused>,
) {
    if !requests.goals_removed.is_empty() {
        let mut ids: Vec<u64> = requests
            .goals_removed
            .drain(..)
            .filter_map(|entity| without.get(entity).ok()?.id())
            .map(BoidId::get)
            .collect();
        ids.sort_unstable();
        ids.dedup();
        // All of them live, and no goal is refused.
        let _ = flock.flock_mut().set_goals(&ids, None);
    }
    let who: Vec<(Entity, BoidId, Vec3)> = changed
        .iter()
        .filter_map(|(entity, boid, goal)| Some((entity, boid.id()?, goal.0)))
        .collect();
    let axes = settings.axes;
    all_or_each(&mut flock, &who, &mut refused, |flock, who| {
        let ids: Vec<u64> = who.iter().map(|(_, id, _)| id.get()).collect();
        let rows = rows(who.iter().map(|(_, _, goal)| *goal), axes, flock.dimensions());
        flock.set_goals(&ids, Some(&rows))
    });
}

type MovedObstacle = Or<(Changed<Obstacle>, Changed<Transform>)>;

pub(crate) fn obstacles(
    mut flock: ResMut<Flock>,
    settings: Res<FlockSettings>,
    moved: Query<(Entity, &Obstacle, &Transform), MovedObstacle>,
    mut refused: MessageWriter<Refused>,
) {
    for (entity, obstacle, transform) in &moved {
        let axes = settings.axes;
        let dimensions = flock.dimensions();
        let angle = if dimensions == 2 { axes.degrees(transform.rotation) } else { 0.0 };
        let position = axes.to_scene(transform.translation);
        let set =
            flock.flock_mut().set_obstacle_pose(&obstacle.name, &position[..dimensions], angle);
        if let Err(refusal) = set {
            refused.write(Refused { entity, reason: refusal.to_string() });
        }
    }
}

pub(crate) fn teleports(
    mut flock: ResMut<Flock>,
    settings: Res<FlockSettings>,
    mut teleports: MessageReader<Teleport>,
    boids: Query<&Boid>,
    mut refused: MessageWriter<Refused>,
) {
    if teleports.is_empty() {
        return;
    }
    let mut who = Vec::new();
    for teleport in teleports.read() {
        match boids.get(teleport.entity).ok().and_then(|boid| Some((boid.id()?, boid.seat))) {
            Some((id, seat)) => who.push((
                teleport.entity,
                id,
                (*teleport, seat, flock.poses.current(seat).velocity),
            )),
            None => {
                refused.write(Refused {
                    entity: teleport.entity,
                    reason: "teleport: the entity is no boid of the flock".into(),
                });
            }
        }
    }
    let axes = settings.axes;
    let accepted =
        all_or_each(&mut flock, &who, &mut refused, |flock, who| teleport(flock, who, axes));
    for (_, _, (teleport, seat, _)) in accepted {
        let mut pose = flock.poses.current(seat);
        let set = |of: &mut [f32; 3], to: Option<Vec3>| {
            if let Some(to) = to {
                *of = axes.to_scene(to);
            }
        };
        set(&mut pose.position, teleport.position);
        set(&mut pose.velocity, teleport.velocity);
        flock.poses.put(seat, pose);
    }
}

/// What a teleport asks for, the boid's seat, and its velocity before, in the scene's axes.
type Asked = (Teleport, u32, [f32; 3]);

/// Velocities and positions, all or none.
fn teleport(
    flock: &mut AnyFlock,
    who: &[(Entity, BoidId, Asked)],
    axes: Axes,
) -> Result<(), FlockError> {
    let dimensions = flock.dimensions();
    let faster = who
        .iter()
        .filter_map(|(_, id, (teleport, _, before))| Some((id.get(), teleport.velocity?, before)));
    let ids: Vec<u64> = faster.clone().map(|(id, _, _)| id).collect();
    flock.set_velocities(
        &ids,
        &rows(faster.clone().map(|(_, velocity, _)| velocity), axes, dimensions),
    )?;
    let moved =
        who.iter().filter_map(|(_, id, (teleport, _, _))| Some((id.get(), teleport.position?)));
    let (places, positions): (Vec<u64>, Vec<Vec3>) = moved.unzip();
    let set = flock.set_positions(&places, &rows(positions.into_iter(), axes, dimensions));
    if set.is_err() {
        // What they had before was accepted once.
        let before: Vec<f32> =
            faster.flat_map(|(_, _, before)| before[..dimensions].to_vec()).collect();
        flock.set_velocities(&ids, &before)?;
    }
    set
}

/// As many numbers for each as the scene has dimensions.
fn rows(vectors: impl Iterator<Item = Vec3>, axes: Axes, dimensions: usize) -> Vec<f32> {
    vectors.flat_map(|v| axes.to_scene(v).into_iter().take(dimensions)).collect()
}

/// Changes many in one call; only where the flock does not accept that, one by one, to find out
/// the refused ones. Returns the accepted ones.
fn all_or_each<T: Copy>(
    flock: &mut Flock,
    who: &[(Entity, BoidId, T)],
    refused: &mut MessageWriter<Refused>,
    mut change: impl FnMut(&mut AnyFlock, &[(Entity, BoidId, T)]) -> Result<(), FlockError>,
) -> Vec<(Entity, BoidId, T)> {
    if who.is_empty() || change(flock.flock_mut(), who).is_ok() {
        return who.to_vec();
    }
    let mut accepted = Vec::new();
    for one in who {
        match change(flock.flock_mut(), std::slice::from_ref(one)) {
            Ok(()) => accepted.push(*one),
            Err(refusal) => {
                refused.write(Refused { entity: one.0, reason: refusal.to_string() });
            }
        }
    }
    accepted
}
