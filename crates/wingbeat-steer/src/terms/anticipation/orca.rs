//! Van den Berg, Guy, Lin and Manocha 2011: optimal reciprocal collision avoidance.

use crate::space::right::{cross, to_the_right};
use crate::terms::anticipation::definition::{AnticipationDefinition, Mover, Nearby, Wall};
use crate::terms::anticipation::shared::{Contact, finite_or};
use crate::{
    ParamError, REST_SPEED, Vector, heading,
    math::{self, noise},
    schema::limit,
};

pub use crate::terms::anticipation::program::{HalfSpace, PARALLEL, Program};

parameters! {
    /// The velocity nearest to the preferred one that avoids everyone for some time, if others do
    /// their part.
    ///
    /// Each of the nearest others forbids half of all velocities. With p the way to it, v = vᵢ −
    /// vⱼ, r the sum of the two radii, T the time horizon (dt where the two overlap, d ≤ max(r,
    /// 10⁻¹⁵)) the velocities v that lead to a touch within T fill a cone with a round tip: the
    /// ball of radius r/T about p/T and all that it hides from the origin. u is the shortest way
    /// from v to its edge, m the normal of the edge there, outward; the new velocity w keeps to
    ///
    /// ```text
    /// m·w ≥ m·(vᵢ + u·share)
    ///
    /// q = v − p/T                       from the tip's centre
    /// tip   (d ≤ r, or q·p < 0 and (q·p)² > r²·(q·q)):
    ///           m = q/‖q‖,                      u = m·(r/T − ‖q‖)
    /// side  (otherwise):
    ///           m = (s·√(d² − r²) − p·r)/d²,    u = m·(−(v·m))
    /// ```
    ///
    /// s is the vector of length d across p on the side of q. In the plane it is the left of p
    /// where p × q > 0, else its right; in space (p × q) × p at length d, and where sin(p, q) ≤
    /// 10⁻⁶ the right ([`to_the_right`]): two that meet head on pass to their right. Where q = 0 at
    /// the tip (two at rest on the same point), m is the noise direction of (seed, id, step).
    ///
    /// A wall at the distance D in the direction n keeps `(w − its velocity)·n ≤ max(D − radius,
    /// 0)/time_horizon_obstacles`.
    ///
    /// Then w is the velocity nearest to the preferred one within max_speed that keeps to all of
    /// these; where there is none, the one that keeps to the walls and breaks the worst of the
    /// others least ([`Program`]). The order is that of walls, then of others by (d², id); it
    /// matters to rounding alone.
    ///
    /// Sources: J. van den Berg, S. Guy, M. Lin, D. Manocha, *Reciprocal n-Body Collision
    /// Avoidance*, Robotics Research, 2011; RVO2 2.0.2 and RVO2-3D 1.0.1 for the programs, the
    /// share (½), the horizon of those that overlap, and the defaults (the example Circle). Chosen
    /// otherwise: RVO2 makes of a wall's segment a velocity obstacle like the one above, with a
    /// round tip and two sides, so that a boid may walk towards a wall's end and past it; the
    /// half-space here is the tip at the nearest point, goes on beyond the wall's end, and holds
    /// for every velocity, so a horizon of 10 slows people down before a door: take 1 or less
    /// there. Where walls contradict each other (moving ones can) RVO2 keeps the last velocity
    /// found, here they give way like others. RVO2-3D divides 0 by 0 where two meet head on. The
    /// crate dodgy_2d takes the whole of u where the two are not on the way to a touch; RVO2 and
    /// this model take the share.
    pub struct Orca in "anticipation." {
        neighbors: f32 = 10.0, "boids", 1.0 => 32.0, "How many are avoided, the nearest; a whole \
            number.", "foresight in dense crowds, costlier steps";
        distance: f32 = 15.0, "length", 1e-9 => 1e12, "How far others are looked at, centre to \
            centre.", "giving way earlier, costlier steps";
        time_horizon: f32 = 10.0, "time", 1e-6 => 1e6, "No touch with others for this long.",
            "giving way earlier; less freedom, slower crowds";
        time_horizon_obstacles: f32 = 10.0, "time", 1e-6 => 1e6, "No touch with walls for this \
            long.", "slower approach to walls and through doors";
    }
}

impl Orca {
    /// What one other forbids.
    pub fn half_space<V: Vector>(&self, mover: &Mover<V>, other: &Nearby<V>) -> HalfSpace<V> {
        let (way, d_sq) = (other.offset, other.distance_sq);
        let relative = mover.velocity.minus(other.velocity);
        let contact = mover.radius + other.radius;
        let contact_sq = contact * contact;
        let overlaps = d_sq <= math::max(contact_sq, REST_SPEED * REST_SPEED);
        let per_horizon = 1.0 / if overlaps { mover.dt } else { self.time_horizon };
        let from_tip = relative.minus(way.times(per_horizon));
        let (length_sq, along) = (from_tip.norm_sq(), from_tip.inner(way));
        if overlaps || (along < 0.0 && along * along > contact_sq * length_sq) {
            let length = math::sqrt(length_sq);
            let outward = if length < REST_SPEED {
                noise::direction(mover.seed, mover.id, mover.step)
            } else {
                heading(from_tip)
            };
            return HalfSpace::through(
                mover.velocity,
                outward,
                (contact * per_horizon - length) * other.share,
            );
        }
        let side = side(way, from_tip, d_sq).times(math::sqrt(d_sq - contact_sq));
        let outward = side.minus(way.times(contact)).times(1.0 / d_sq);
        HalfSpace::through(mover.velocity, outward, -relative.inner(outward) * other.share)
    }

    /// What a wall forbids; `None` on the wall itself.
    pub fn wall<V: Vector>(&self, mover: &Mover<V>, wall: &Wall<V>) -> Option<HalfSpace<V>> {
        let met = Contact::wall(mover, wall)?;
        let room = math::max(met.distance - met.contact, 0.0) * (1.0 / self.time_horizon_obstacles);
        Some(HalfSpace::through(met.velocity, met.toward.times(-1.0), -room))
    }

    /// The answer, worked out in `program`, which may be used again and then allocates nothing.
    pub fn velocity_in<V: Vector>(
        &self,
        program: &mut Program<V>,
        mover: &Mover<V>,
        others: &[Nearby<V>],
        walls: &[Wall<V>],
    ) -> V {
        program.clear();
        for hard in walls.iter().filter_map(|wall| self.wall(mover, wall)) {
            program.require(hard);
        }
        for other in others {
            program.ask(self.half_space(mover, other));
        }
        velocity_of(program, mover)
    }
}

/// The velocity that a program of half-spaces leaves to one that moves: finite, and no longer than
/// its max_speed but for rounding.
pub fn velocity_of<V: Vector>(program: &mut Program<V>, mover: &Mover<V>) -> V {
    finite_or(program.nearest_to(mover.preferred, mover.max_speed), V::origin())
        .truncate_to(mover.max_speed)
}

/// The vector of length d across `way` on the side of `from_tip`.
fn side<V: Vector>(way: V, from_tip: V, d_sq: f32) -> V {
    let right = to_the_right(way);
    if V::DIMENSIONS == 2 {
        return if right.inner(from_tip) < 0.0 { right.times(-1.0) } else { right };
    }
    let across = cross(way, from_tip);
    let head_on = across.norm_sq() <= HEAD_ON_SQ * (d_sq * from_tip.norm_sq());
    let side = if head_on { right } else { cross(across, way) };
    side.unit().times(math::sqrt(d_sq))
}

/// Square of the sine up to which two in space meet head on: what rounding alone may make of it.
const HEAD_ON_SQ: f32 = 1e-12;

impl AnticipationDefinition for Orca {
    const NAME: &'static str = "orca";
    const ABOUT: &'static str = "The nearest velocity that avoids everyone, others doing their \
        part (van den Berg et al. 2011).";
    const IS_VELOCITY: bool = true;

    fn distance(&self) -> f32 {
        self.distance
    }

    fn nearest(&self) -> Option<usize> {
        Some(self.neighbors as usize)
    }

    fn check(&self) -> Result<(), ParamError> {
        let whole = self.neighbors as u32;
        if whole as f32 == self.neighbors {
            return Ok(());
        }
        let allowed = alloc::format!("a whole number, 1 to {}", limit::NEAREST);
        Err(ParamError::new("anticipation.neighbors", self.neighbors, allowed))
    }

    fn answer<V: Vector>(
        &self,
        program: &mut Program<V>,
        mover: &Mover<V>,
        others: &[Nearby<V>],
        walls: &[Wall<V>],
    ) -> V {
        self.velocity_in(program, mover, others, walls)
    }
}
