//! Wander: a point strolling on a circle or sphere ahead, in the flock's time.

use crate::terms::behavior::stroll::{Stroll, WanderClock};
use crate::terms::behavior::wander::{WanderParameters, wander};
use crate::terms::drive::definition::{
    DriveDefinition, DriveParts, Driven, Field, Memory, Progress,
};
use crate::{Domain, ParamError, Vector, math::noise};

impl<V: Vector> DriveDefinition<V> for WanderParameters {
    const NAME: &'static str = "wander";
    /// Its clock does.
    const RUNS_ON: bool = true;

    fn check(&self, at: &Field<'_>, _domain: &Domain<V>) -> Result<(), ParamError> {
        at.ranges(self)
    }

    fn begin(&self) -> Memory<V> {
        Memory::Stroll(Stroll::default())
    }

    fn continues(&self, _before: &Self) -> bool {
        true
    }

    /// distance·h + radius·point: [`wander`].
    fn force(&self, _place: usize, boid: &Driven<'_, V>) -> V {
        let stroll =
            if let Memory::Stroll(stroll) = boid.memory { stroll } else { Stroll::default() };
        let clock = WanderClock::at(boid.time, self.interval);
        let drawn =
            stroll.draw(self.range, |which| noise::uniform(boid.seed, boid.id, clock.draw, which));
        wander(boid.velocity, stroll.point(&drawn, clock.part), self)
    }

    /// The point when the intervals that end until `time` are over.
    fn progress(&self, boid: &Driven<'_, V>, _is_driven: bool, time: f64) -> Progress<V> {
        let Memory::Stroll(stroll) = boid.memory else { return Progress::none(boid.memory) };
        let draw_at = |time| WanderClock::at(time, self.interval).draw;
        let stroll = (draw_at(boid.time)..draw_at(time)).fold(stroll, |stroll, draw| {
            let drawn =
                stroll.draw(self.range, |which| noise::uniform(boid.seed, boid.id, draw, which));
            stroll.after(&drawn)
        });
        Progress::none(Memory::Stroll(stroll))
    }

    fn parts(&self, boid: &Driven<'_, V>, force: Option<V>) -> DriveParts<V> {
        force.map_or(DriveParts::default(), |force| DriveParts::along(boid, force))
    }
}
