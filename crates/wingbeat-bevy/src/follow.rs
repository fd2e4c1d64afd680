//! From the flock to transforms, between two steps.

use bevy_ecs::prelude::*;
use bevy_math::Quat;
use bevy_time::{Fixed, Time};
use bevy_transform::components::Transform;

use crate::components::Boid;
use crate::poses::{Period, Pose, blend};
use crate::settings::FlockSettings;
use crate::{Axes, Flock};

/// What transforms show.
#[derive(PartialEq)]
pub(crate) struct Shown {
    version: u64,
    share: f32,
    settings: FlockSettings,
}

/// Writes all transforms, where anything has changed since they were written.
pub(crate) fn follow(
    flock: Res<Flock>,
    settings: Res<FlockSettings>,
    time: Res<Time<Fixed>>,
    mut shown: Local<Option<Shown>>,
    mut boids: Query<(&mut Boid, &mut Transform)>,
) {
    let share = if settings.interpolate { time.overstep_fraction() } else { 1.0 };
    let now = Shown { version: flock.poses.version(), share, settings: *settings };
    if shown.as_ref() == Some(&now) {
        return;
    }
    *shown = Some(now);
    let period = flock.period();
    // Compiled once for each way, so that the loop does not ask.
    match (settings.axes, flock.is_space()) {
        (Axes::YUp, true) => {
            write::<false, true>(&flock, *settings, share, period.as_ref(), &mut boids)
        }
        (Axes::YUp, false) => {
            write::<false, false>(&flock, *settings, share, period.as_ref(), &mut boids)
        }
        (Axes::ZUp, true) => {
            write::<true, true>(&flock, *settings, share, period.as_ref(), &mut boids)
        }
        (Axes::ZUp, false) => {
            write::<true, false>(&flock, *settings, share, period.as_ref(), &mut boids)
        }
    }
}

/// So many boids at a time, whose numbers lie beside each other: the loops over them become loops
/// over registers.
const LANES: usize = 8;

/// Numbers of as many boids.
type Lane = [f32; LANES];

/// In the order in which entities lie in memory; seats are in that order too, as long as no boid
/// has come or gone.
fn write<const Z_UP: bool, const SPACE: bool>(
    flock: &Flock,
    settings: FlockSettings,
    share: f32,
    period: Option<&Period>,
    boids: &mut Query<(&mut Boid, &mut Transform)>,
) {
    let poses = flock.poses.both();
    // Both components lie in tables; no boid has a seat in a flock without rows.
    let Ok(tables) = boids.contiguous_iter_mut() else { return };
    if poses.1.is_empty() {
        return;
    }
    for (mut members, mut transforms) in tables {
        let members = members.bypass_change_detection();
        // A write that is seen as a change: global transforms have to follow.
        let transforms = &mut *transforms;
        for (members, transforms) in members.chunks_mut(LANES).zip(transforms.chunks_mut(LANES)) {
            block::<Z_UP, SPACE>(poses, settings.rotate, share, period, members, transforms);
        }
    }
}

#[inline(always)]
fn block<const Z_UP: bool, const SPACE: bool>(
    (previous, current): (&[Pose], &[Pose]),
    rotate: bool,
    share: f32,
    period: Option<&Period>,
    members: &mut [Boid],
    transforms: &mut [Transform],
) {
    let axes = if Z_UP { Axes::ZUp } else { Axes::YUp };
    let (mut from, mut to) = ([[Lane::default(); 3]; 2], [[Lane::default(); 3]; 2]);
    for (lane, boid) in members.iter().enumerate() {
        // Who has no seat yet is computed from that of others, and not written.
        let seat = (boid.seat as usize).min(current.len() - 1);
        for (lanes, pose) in [(&mut from, &previous[seat]), (&mut to, &current[seat])] {
            for a in 0..3 {
                lanes[0][a][lane] = pose.position[a];
                lanes[1][a][lane] = pose.velocity[a];
            }
        }
    }
    let (mut position, mut velocity) = ([Lane::default(); 3], [Lane::default(); 3]);
    for a in 0..3 {
        for lane in 0..LANES {
            position[a][lane] = match period {
                Some(period) => period.between(a, from[0][a][lane], to[0][a][lane], share),
                None => blend(from[0][a][lane], to[0][a][lane], share),
            };
            velocity[a][lane] = blend(from[1][a][lane], to[1][a][lane], share);
        }
    }
    let mut facing = [[0.0; LANES]; 4];
    let mut moves = [false; LANES];
    if rotate {
        for lane in 0..LANES {
            let (rotation, does) = axes.facing(of(&velocity, lane), SPACE);
            for (of, part) in facing.iter_mut().zip(rotation) {
                of[lane] = part;
            }
            moves[lane] = does;
        }
    }
    for (lane, (boid, transform)) in members.iter_mut().zip(transforms).enumerate() {
        if boid.id().is_none() {
            continue;
        }
        boid.velocity = axes.to_bevy(of(&velocity, lane));
        axes.place(transform, of(&position, lane), SPACE);
        if moves[lane] {
            transform.rotation =
                Quat::from_xyzw(facing[0][lane], facing[1][lane], facing[2][lane], facing[3][lane]);
        }
    }
}

/// One boid's numbers.
#[inline(always)]
fn of(lanes: &[Lane; 3], lane: usize) -> [f32; 3] {
    [lanes[0][lane], lanes[1][lane], lanes[2][lane]]
}
