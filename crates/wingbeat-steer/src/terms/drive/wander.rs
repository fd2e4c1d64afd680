//! Wander: a point strolling on a circle or sphere ahead, in the flock's time.

use crate::terms::behavior::stroll::{Stroll, WanderClock};
use crate::terms::behavior::wander::{WanderParameters, wander};
use crate::terms::drive::driven::{Driven, Field, Memory};
use crate::{ParamError, Vector, math::noise};

pub(super) fn check(parameters: &WanderParameters, at: &Field<'_>) -> Result<(), ParamError> {
    at.ranges(parameters)
}

/// distance·h + radius·point: [`wander`].
pub(super) fn force<V: Vector>(parameters: &WanderParameters, boid: &Driven<'_, V>) -> V {
    let stroll = if let Memory::Stroll(stroll) = boid.memory { stroll } else { Stroll::default() };
    let clock = WanderClock::at(boid.time, parameters.interval);
    let drawn = stroll
        .draw(parameters.range, |which| noise::uniform(boid.seed, boid.id, clock.draw, which));
    wander(boid.velocity, stroll.point(&drawn, clock.part), parameters)
}

/// The point when the intervals that end until `time` are over.
pub(super) fn go_on<V: Vector>(
    parameters: &WanderParameters,
    stroll: Stroll<V>,
    boid: &Driven<'_, V>,
    time: f64,
) -> Stroll<V> {
    let interval = parameters.interval;
    let (from, to) =
        (WanderClock::at(boid.time, interval).draw, WanderClock::at(time, interval).draw);
    (from..to).fold(stroll, |stroll, draw| {
        stroll.after(
            &stroll.draw(parameters.range, |which| noise::uniform(boid.seed, boid.id, draw, which)),
        )
    })
}
