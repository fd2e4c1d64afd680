//! The stroll of wander: a point on a circle or sphere, turned by one draw per interval.

use crate::terms::behavior::geometry::tangent;
use crate::terms::behavior::jitter::stream;
use crate::{Vector, math};

/// Which interval of a wander is under way, and how much of it has passed: a function of time
/// alone, so that all boids share it.
///
/// ```
/// use wingbeat_steer::drive::WanderClock;
/// assert_eq!(WanderClock::at(3.5, 2.0), WanderClock { draw: 1, part: 0.75 });
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WanderClock {
    /// Number of the interval, from 0: the key of its turn.
    pub draw: u64,
    /// Part of it that has passed, 0 to 1.
    pub part: f32,
}

impl WanderClock {
    /// The clock at a time (not negative), with this interval.
    pub fn at(time: f64, interval: f32) -> Self {
        let interval = f64::from(interval);
        let draw = (time / interval) as u64;
        let part = ((time - draw as f64 * interval) / interval) as f32;
        Self { draw, part: math::clamp(part, 0.0, 1.0) }
    }
}

/// Where the point of a wander is at the beginning of an interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroll<V> {
    /// In the plane: the angle, in turns.
    pub angle: f32,
    /// In space: the point, a unit vector.
    pub start: V,
}

/// At angle 0, which is +x.
impl<V: Vector> Default for Stroll<V> {
    fn default() -> Self {
        Self { angle: 0.0, start: V::from_fn(|a| if a == 0 { 1.0 } else { 0.0 }) }
    }
}

/// The turn of one interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct DrawnTurn<V> {
    /// How far, in turns.
    pub turn: f32,
    /// In space: along the sphere in this direction, a unit vector across the point.
    pub along: V,
}

impl<V: Vector> Stroll<V> {
    /// The turn (U₀ − ½)·range/2π; in space its direction is U₁ of half a circle, which is enough,
    /// since turns have a sign.
    pub(crate) fn draw(&self, range: f32, mut uniform: impl FnMut(u32) -> f32) -> DrawnTurn<V> {
        let turn = (uniform(stream::WANDER) - 0.5) * (range * math::RADIANS_TO_TURNS);
        if V::DIMENSIONS == 2 {
            return DrawnTurn { turn, along: V::origin() };
        }
        let (sin, cos) = math::sin_cos_turns(uniform(stream::WANDER + 1) * 0.5);
        DrawnTurn { turn, along: tangent(self.start, cos, sin) }
    }

    /// Where the point is when that part of the interval has passed.
    pub(crate) fn point(&self, drawn: &DrawnTurn<V>, part: f32) -> V {
        let turned = drawn.turn * part;
        if V::DIMENSIONS == 2 {
            let (sin, cos) = math::sin_cos_turns(self.angle + turned);
            return V::from_fn(|a| if a == 0 { cos } else { sin });
        }
        let (sin, cos) = math::sin_cos_turns(turned);
        self.start.times(cos).plus(drawn.along.times(sin))
    }

    /// Where it is when the interval is over.
    #[must_use]
    pub(crate) fn after(&self, drawn: &DrawnTurn<V>) -> Self {
        if V::DIMENSIONS == 3 {
            return Self { start: self.point(drawn, 1.0).unit(), ..*self };
        }
        // Kept small, or a long run would lose the turn's digits.
        let mut angle = self.angle + drawn.turn;
        if angle > 0.5 {
            angle -= 1.0;
        } else if angle < -0.5 {
            angle += 1.0;
        }
        Self { angle, ..*self }
    }
}
