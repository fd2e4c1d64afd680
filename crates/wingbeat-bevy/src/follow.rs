//! From the flock to transforms, between two steps.

use bevy_ecs::prelude::*;
use bevy_time::{Fixed, Time};
use bevy_transform::components::Transform;

use crate::components::Boid;
use crate::plugin::FlockSettings;
use crate::poses::{Period, between};
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
        (Axes::YUp, true) => write::<false, true>(&flock, *settings, share, period.as_ref(), &mut boids),
        (Axes::YUp, false) => write::<false, false>(&flock, *settings, share, period.as_ref(), &mut boids),
        (Axes::ZUp, true) => write::<true, true>(&flock, *settings, share, period.as_ref(), &mut boids),
        (Axes::ZUp, false) => write::<true, false>(&flock, *settings, share, period.as_ref(), &mut boids),
    }
}

/// In the order in which entities lie in memory; seats are in that order too, as long as nobody has come or gone.
fn write<const Z_UP: bool, const SPACE: bool>(
    flock: &Flock,
    settings: FlockSettings,
    share: f32,
    period: Option<&Period>,
    boids: &mut Query<(&mut Boid, &mut Transform)>,
) {
    let axes = if Z_UP { Axes::ZUp } else { Axes::YUp };
    let (previous, current) = flock.poses.both();
    for (mut boid, mut transform) in boids {
        let seat = boid.seat as usize;
        if boid.id().is_none() || seat >= current.len() {
            continue;
        }
        let pose = between(&previous[seat], &current[seat], share, period);
        boid.bypass_change_detection().velocity = axes.to_bevy(pose.velocity);
        // A write that is seen as a change: global transforms have to follow.
        axes.place(&mut transform, pose.position, SPACE);
        if settings.rotate
            && let Some(rotation) = axes.rotation(pose.velocity, SPACE)
        {
            transform.rotation = rotation;
        }
    }
}
