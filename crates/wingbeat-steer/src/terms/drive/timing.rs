//! Drives in time: from when until when one drives, and how long each boid waits until it sets off.

use alloc::format;

use crate::terms::drive::Drive;
use crate::terms::drive::definition::{Driven, Field};
use crate::terms::drive::delay::{DRAWS, Delay};
use crate::{ParamError, Vector};

impl<V> Drive<V> {
    /// The same in a window: from one time until before another.
    #[must_use]
    pub fn between(self, from: f64, until: f64) -> Self {
        Self { from, until, ..self }
    }

    /// The same with a delay.
    #[must_use]
    pub fn delayed(self, delay: Delay) -> Self {
        Self { delay, ..self }
    }

    /// Whether it acts at a step that begins at this time: `from` ≤ time < `until`.
    pub fn is_on(&self, time: f64) -> bool {
        self.from <= time && time < self.until
    }

    /// Whether a boid still waits at a step that begins at this time: `from` + its delay > time.
    pub fn waits(&self, seed: u64, id: u64, time: f64) -> bool {
        self.delay != Delay::None && self.from + self.delay.of(seed, id) > time
    }

    /// The part of all draws, 0 to 1, whose boids do not [wait](Self::waits) any more at a step
    /// that begins at this time: those whose [`uniform`](crate::math::noise::uniform) of (seed, id,
    /// 0, 112) is below it, exactly.
    pub fn draws_set_off(&self, time: f64) -> f32 {
        let set_off = |draw: u32| self.from + self.delay.of_draw(draw) <= time;
        if set_off(DRAWS - 1) {
            return 1.0;
        }
        // All draws below `first` are known to have set off, and `end` is known not to have.
        let (mut first, mut end) = (0, DRAWS - 1);
        while first < end {
            let middle = (first + end) / 2;
            if set_off(middle) {
                first = middle + 1;
            } else {
                end = middle;
            }
        }
        first as f32 * (1.0 / DRAWS as f32)
    }

    pub(super) fn check_times(&self, at: &Field<'_>) -> Result<(), ParamError> {
        if self.until < self.from {
            let allowed = format!("at least drive.{}.from = {}", self.name, self.from);
            return Err(ParamError::new(at.key("until"), self.until, allowed));
        }
        self.delay.check(at)
    }
}

impl<V: Vector> Drive<V> {
    /// Whether it is on, and the boid does not wait.
    pub(crate) fn drives(&self, boid: &Driven<'_, V>) -> bool {
        self.is_on(boid.time) && !self.waits(boid.seed, boid.id, boid.time)
    }
}
