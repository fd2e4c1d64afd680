//! Helbing, Farkas and Vicsek 2000: the social force model.

use crate::terms::anticipation::definition::{AnticipationDefinition, Mover, Nearby, Wall};
use crate::terms::anticipation::program::Program;
use crate::terms::anticipation::shared::{Contact, exponential, finite_or, look};
use crate::{Vector, math};

parameters! {
    /// Others and walls push the harder the nearer they are; where bodies overlap they also squeeze
    /// and rub.
    ///
    /// With n the unit vector to the other, d its distance, r the sum of the two radii, g = max(r −
    /// d, 0) and Δu the part of the relative velocity vⱼ − vᵢ that is across n:
    ///
    /// ```text
    /// F = weight·Σ [−n·(A·exp((r − d)/B)·sight + k·g) + Δu·κ·g]
    /// sight = λ + (1 − λ)·(1 + cos φ)/2        1 of a wall, and of one that looks nowhere
    /// ```
    ///
    /// φ is the angle between n and where the mover looks: along its preferred velocity, without
    /// one along its own. A wall is met at its nearest point, with r the mover's radius. The
    /// exponential is at most 2⁶⁰. This is the interaction alone: the pull towards the preferred
    /// velocity, (v₀ − v)/τ in the papers, is a drive's, and it is also what brakes. People without
    /// a drive, or beyond its range, are pushed apart and then drift on: nothing takes their speed.
    /// For those that stand, the papers' v₀ = 0 is the drive `speed` with `speed = 0` and `rate` =
    /// 1/τ.
    ///
    /// Sources: D. Helbing, I. Farkas, T. Vicsek, *Simulating dynamical features of escape panic*,
    /// Nature 407, 2000, for everything but λ; its forces are of a person of 80 kg, here they are
    /// accelerations (A = 2000 N/80 kg, k = 1.2·10⁵ kg/s²/80 kg, κ = 2.4·10⁵ kg/(m·s)/80 kg). λ is
    /// of A. Johansson, D. Helbing, P. Shukla, Advances in Complex Systems 10, 2007, and D.
    /// Helbing, A. Johansson, *Pedestrian, Crowd and Evacuation Dynamics*, 2009; it weakens the
    /// push alone, not the touch. λ = 1 is the model of 2000 and the default, since A and B belong
    /// to that. The authors' page of questions says that the numbers were chosen, not measured.
    /// JuPedSim 1.4 has the same numbers, but rubs at walls in the direction of motion (the sign of
    /// v is turned round there); here rubbing brakes, as in the paper.
    pub struct SocialForce in "anticipation." {
        strength: f32 = 25.0, "length/time²", 0.0 => 1e9, "A, the push of two bodies that just \
            touch.", "wider gaps, slower crowds";
        range: f32 = 0.08, "length", 1e-6 => 1e9, "B, how far the push reaches: it falls by the \
            factor e over this.", "a softer push that is felt from further away";
        stiffness: f32 = 1500.0, "1/time²", 0.0 => 1e9, "k, push of overlapping bodies per length \
            of overlap.", "harder bodies; needs a smaller dt (below 1/√k)";
        friction: f32 = 3000.0, "1/(length·time)", 0.0 => 1e9, "κ, rubbing of overlapping bodies \
            per length of overlap and speed across.", "crowds that clog; needs a smaller dt";
        anisotropy: f32 = 1.0, "1", 0.0 => 1.0, "λ, what those straight behind count; 1 sees all \
            round.", "those behind push as much as those ahead";
        distance: f32 = 2.5, "length", 1e-9 => 1e12, "How far others are looked at, centre to \
            centre.", "costlier steps; with a small range nothing else";
        weight: f32 = 1.0, "1", 0.0 => 1e9, "Factor on the force.", "it wins over other terms more \
            often";
    }
}

impl SocialForce {
    /// The acceleration away from one other or wall; `sight` is what its place counts.
    fn term<V: Vector>(&self, mover: &Mover<V>, met: &Contact<V>, sight: f32) -> V {
        let overlap = met.contact - met.distance;
        let pressed = math::max(overlap, 0.0);
        let push = self.strength * exponential(overlap * (1.0 / self.range)) * sight
            + self.stiffness * pressed;
        let relative = met.velocity.minus(mover.velocity);
        let across = relative.minus(met.toward.times(relative.inner(met.toward)));
        across.times(self.friction * pressed).minus(met.toward.times(push))
    }

    /// λ + (1 − λ)·(1 + cos φ)/2.
    fn sight<V: Vector>(&self, look: V, toward: V) -> f32 {
        if look.largest() == 0.0 {
            return 1.0;
        }
        self.anisotropy + (1.0 - self.anisotropy) * ((1.0 + look.inner(toward)) * 0.5)
    }
}

impl AnticipationDefinition for SocialForce {
    const NAME: &'static str = "social_force";
    const ABOUT: &'static str = "Others and walls push, squeeze and rub (Helbing, Farkas and \
        Vicsek 2000).";
    const IS_VELOCITY: bool = false;

    fn distance(&self) -> f32 {
        self.distance
    }

    fn answer<V: Vector>(
        &self,
        _program: &mut Program<V>,
        mover: &Mover<V>,
        others: &[Nearby<V>],
        walls: &[Wall<V>],
    ) -> V {
        let look = look(mover);
        let mut sum = V::origin();
        for other in others {
            let met = Contact::other(mover, other);
            sum = sum.plus(self.term(mover, &met, self.sight(look, met.toward)));
        }
        for met in walls.iter().filter_map(|wall| Contact::wall(mover, wall)) {
            sum = sum.plus(self.term(mover, &met, 1.0));
        }
        finite_or(sum.times(self.weight), V::origin())
    }
}
