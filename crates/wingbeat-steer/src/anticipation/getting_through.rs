//! What dissolves jams, whatever the model of anticipation: a step aside where the way is blocked, and noise.

use core::f32::consts::FRAC_1_PI;

use super::Mover;
use crate::drive::WanderClock;
use crate::{Vector, math, noise};

/// 1/(2π).
const RADIANS_TO_TURNS: f32 = FRAC_1_PI * 0.5;

parameters! {
    /// A step aside where the way is blocked, and noise: both change the preferred velocity before a model is asked.
    ///
    /// Everyone remembers how blocked they are, β in radians, 0 at the start. In every step, with p the preferred velocity, v the
    /// velocity:
    ///
    /// ```text
    /// progress = v·unit(p)
    /// wanted   = side_step·clamp(1 − progress/‖p‖, 0, 1)      0 where p = 0
    /// β        = β + (wanted − β)·(1 − exp(−dt/side_step_time))
    /// p        = p turned right by β
    /// p        = p + direction·(noise·U)                       a direction and U, uniform in [0, 1), drawn for every noise_time
    /// ```
    ///
    /// A draw is held for `noise_time`, so that what noise does over a time does not depend on dt as long as dt is at most that: a free walker
    /// whose velocity is what it prefers scatters by noise²·noise_time·t/3 in the square. A longer step takes the place of it: one draw a step.
    ///
    /// Right is clockwise seen from +z; in space the turn is about z, and where p is along z about x. Since everyone turns to the
    /// same side, two who meet head on pass each other, and two streams sort themselves.
    ///
    /// Source: measured with a program in f64 before it was built. 250 agents on a circle of radius 200 go to the other side with ORCA and
    /// bodies that cannot overlap: without the step aside they are stuck, with it the last arrives after 511 (526 with a margin
    /// of a tenth). Who goes backwards counts as standing still there too.
    pub struct GettingThrough in "anticipation." {
        side_step: f32 = 1.0, "radians", 0.0 => 3.0, "Largest turn to the right of one who makes no progress; 0 turns this off.", "jams dissolve sooner, wider detours";
        side_step_time: f32 = 3.0, "time", 1e-6 => 1e6, "Time constant with which the turn follows the progress.", "patience: the turn comes later and stays longer";
        response: f32 = 1.0, "time", 1e-6 => 1e6, "How far ahead steering is thought: the preferred velocity is v + F/mass·response, within the speed limits.", "the goal counts more and the present velocity less; 1 is where a goal of weight 1 says the preferred velocity outright";
        haste: f32 = 1.25, "1", 1.0 => 10.0, "Largest speed in avoiding others, in maximum speeds: what a model that chooses velocities may choose.", "quicker evasion, at speeds above what the boid likes";
        noise: f32 = 0.0, "length/time", 0.0 => 1e9, "Largest length of what is added to the preferred velocity, drawn anew for every boid and noise_time.", "jams that break up by chance, unsteady ways";
        noise_time: f32 = 0.05, "time", 1e-3 => 1e6, "How long a draw of noise is held. From dt on what comes of noise does not depend on dt.", "longer swerves: boids scatter as the root of it";
    }
}

impl GettingThrough {
    /// The part of the way from β to what is wanted that a step covers: 1 − exp(−dt/side_step_time), the same for everyone.
    pub fn part(&self, dt: f32) -> f32 {
        math::approach(1.0 / self.side_step_time, dt)
    }

    /// β after a step, given the [`part`](Self::part) that the step covers.
    ///
    /// ```
    /// use wingbeat_steer::anticipation::GettingThrough;
    /// let through = GettingThrough { side_step: 1.5, ..Default::default() };
    /// let (way, part) = ([2.0, 0.0], 0.5);
    /// assert_eq!(through.blocked(0.0, way, [2.0, 0.0], part), 0.0); // as fast as it likes
    /// assert_eq!(through.blocked(0.0, way, [0.0, 0.0], part), 0.75); // it stands: half of the way to 1.5
    /// ```
    pub fn blocked<V: Vector>(&self, beta: f32, preferred: V, velocity: V, part: f32) -> f32 {
        let speed = preferred.norm();
        let wanted = if speed > 0.0 {
            let progress = velocity.inner(preferred.unit());
            self.side_step * math::clamp(1.0 - progress / speed, 0.0, 1.0)
        } else {
            0.0
        };
        beta + (wanted - beta) * part
    }

    /// The step aside: the preferred velocity turned right by the new β, and that β to be remembered.
    pub fn sidestep<V: Vector>(&self, preferred: V, velocity: V, beta: f32, part: f32) -> (V, f32) {
        let beta = self.blocked(beta, preferred, velocity, part);
        (turned_right(preferred, beta), beta)
    }

    /// What one who would go with the preferred velocity of `mover` asks a model with, and what it remembers of how blocked it is: the
    /// step aside, and then noise. `beta` is what it remembered, `draw` the [number](Self::draw_at) of the noise.
    pub fn asks_with<V: Vector>(&self, mover: &Mover<V>, beta: f32, part: f32, draw: u64) -> (V, f32) {
        let (turned, beta) = self.sidestep(mover.preferred, mover.velocity, beta, part);
        let asked = if self.noise > 0.0 { turned.plus(self.drawn(mover, draw)) } else { turned };
        (asked, beta)
    }

    /// The number of the draw that is held at a time: trunc(time/noise_time).
    pub fn draw_at(&self, time: f64) -> u64 {
        WanderClock::at(time, self.noise_time).draw
    }

    /// What noise adds to a preferred velocity: a uniform direction, uniform lengths up to `noise`.
    ///
    /// With U₀, U₁, U₂ keyed noise of (seed, id, draw, 96 + index): in the plane (cos, sin) of U₀ turns times U₂·noise; in space, with
    /// z = 2·U₁ − 1, (√(1 − z²)·(cos, sin), z) times that.
    pub fn drawn<V: Vector>(&self, mover: &Mover<V>, draw: u64) -> V {
        let draw = |which| noise::uniform(mover.seed, mover.id, draw, noise::stream::ANTICIPATION + which);
        let (sin, cos) = math::sin_cos_turns(draw(0));
        let flat = [cos, sin];
        let direction = if V::DIMENSIONS == 2 {
            V::from_fn(|a| flat[a])
        } else {
            let z = 2.0 * draw(1) - 1.0;
            let r = math::sqrt(1.0 - z * z);
            V::from_fn(|a| if a == 2 { z } else { flat[a] * r })
        };
        direction.times(self.noise * draw(2))
    }
}

/// A vector turned right by an angle in radians (at most 10⁶): clockwise seen from +z, in space about z, and where it is along z
/// about x.
///
/// ```
/// use wingbeat_steer::{Vector, anticipation::turned_right};
/// let quarter = std::f32::consts::FRAC_PI_2;
/// assert!(turned_right([1.0, 0.0], quarter).minus([0.0, -1.0]).norm() < 1e-6);
/// assert!(turned_right([0.0, 0.0, 1.0], quarter).minus([0.0, 1.0, 0.0]).norm() < 1e-6);
/// ```
pub fn turned_right<V: Vector>(v: V, angle: f32) -> V {
    let (sin, cos) = math::sin_cos_turns(angle * RADIANS_TO_TURNS);
    let [x, y] = [v.axis(0), v.axis(1)];
    if V::DIMENSIONS == 3 && x == 0.0 && y == 0.0 {
        let z = v.axis(2);
        return V::from_fn(|a| [0.0, z * sin, z * cos][a]);
    }
    let turned = [x * cos + y * sin, y * cos - x * sin];
    V::from_fn(|a| if a == 2 { v.axis(2) } else { turned[a] })
}

/// A vector to the right of another and at right angles to it, as by [`turned_right`]; in the plane of the same length, in space as long
/// as what it has across the axis of the turn.
pub fn to_the_right<V: Vector>(v: V) -> V {
    let [x, y] = [v.axis(0), v.axis(1)];
    if V::DIMENSIONS == 3 && x == 0.0 && y == 0.0 {
        return V::from_fn(|a| if a == 1 { v.axis(2) } else { 0.0 });
    }
    V::from_fn(|a| [y, -x, 0.0][a])
}
