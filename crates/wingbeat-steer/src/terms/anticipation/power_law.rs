//! Karamouzas, Skinner and Guy 2014: the power law of the time to a collision.

use crate::terms::anticipation::definition::{AnticipationDefinition, Mover, Nearby, Wall};
use crate::terms::anticipation::program::Program;
use crate::terms::anticipation::shared::{Contact, exponential, finite_or};
use crate::{REST_SPEED, Vector, math};

parameters! {
    /// The force is the gradient of an energy that depends on the time τ until the two would
    /// collide: E = k·τ⁻²·exp(−τ/τ₀).
    ///
    /// τ is what is left until the bodies touch if both go on as they do; without a collision to
    /// come there is no force. With o the way to the other, v = vᵢ − vⱼ, r the sum of the two
    /// radii:
    ///
    /// ```text
    /// a = v·v,  b = v·o,  m = o − v·(b/a)
    ///                m: how far they would miss each other, at their nearest
    /// a collision comes where b > 0 and m·m < r² and d² > r²
    /// q = √((r² − m·m)·a),  τ = (d² − r²)/(b + q),  c = v·τ − o
    ///                c: from the other's centre to the own as they touch, ‖c‖ = r
    /// F = weight·Σ (c/r)·min(k·exp(−τ/τ₀)·(2/τ + 1/τ₀)/τ²·(r/q), max_force),
    ///                at most weight·max_force long
    /// ```
    ///
    /// That is −∇E over the own position: ∇τ = c/q. Bodies that overlap (d < r) are taken to have
    /// radii of r − d together, as in the authors' program; so there is no force where d ≤ r/2.
    /// Relative speeds below 10⁻¹⁵ are rest.
    ///
    /// Walls: the paper's program takes the time until the wall's whole line is touched. Here a
    /// wall is a body of radius 0 at its nearest point: for a corner the same, for a long wall met
    /// aslant it begins to push later.
    ///
    /// This is the interaction alone: without a drive people who have swerved go on as they were
    /// pushed, and nothing brakes them. For those that stand, the papers' driving force towards a
    /// preferred velocity of 0 is the drive `speed` with `speed = 0` and `rate` = 1/(time to stop).
    ///
    /// The force grows without bound as τ falls to 0 and as the collision becomes a graze; the
    /// source leaves that to the agent's largest acceleration, here it is `max_force`, whose
    /// default is chosen (twice gravity), not measured.
    ///
    /// Source: I. Karamouzas, B. Skinner, S. Guy, *Universal Power Law Governing Pedestrian
    /// Interactions*, Physical Review Letters 113, 238701, 2014, with its supplement (k = 1.5, τ₀ =
    /// 3 s); the treatment of overlap and the distance looked at are those of the authors' program,
    /// as ported in Menge's agent of this name.
    pub struct PowerLaw in "anticipation." {
        strength: f32 = 1.5, "length²", 0.0 => 1e9, "k, the energy at τ = 1 without the \
            exponential.", "people who give way earlier and more";
        horizon: f32 = 3.0, "time", 1e-6 => 1e6, "τ₀, collisions later than this hardly count.",
            "giving way earlier";
        max_force: f32 = 20.0, "length/time²", 0.0 => 1e9, "Largest force, of one other and of \
            all.", "harder braking just before a touch";
        distance: f32 = 10.0, "length", 1e-9 => 1e12, "How far others are looked at, centre to \
            centre.", "costlier steps, earlier reactions to fast people";
        weight: f32 = 1.0, "1", 0.0 => 1e9, "Factor on the force.", "it wins over other terms more \
            often";
    }
}

impl PowerLaw {
    /// The acceleration that one other or wall causes.
    fn term<V: Vector>(&self, mover: &Mover<V>, met: &Contact<V>) -> V {
        let relative = mover.velocity.minus(met.velocity);
        let (speed_sq, closing) = (relative.norm_sq(), relative.inner(met.offset));
        let overlaps = met.distance < met.contact;
        let contact = if overlaps { met.contact - met.distance } else { met.contact };
        if closing <= 0.0 || speed_sq < REST_SPEED * REST_SPEED || met.distance <= contact {
            return V::origin();
        }
        let miss = met.offset.minus(relative.times(closing / speed_sq));
        let root = math::sqrt((contact * contact - miss.norm_sq()) * speed_sq);
        // A number below 0 has no root: they miss each other. At 0 they graze.
        if root.is_nan() || root <= 0.0 {
            return V::origin();
        }
        let apart = (met.distance - contact) * (met.distance + contact);
        let time = apart / (closing + root);
        let energy = self.strength * exponential(-time * (1.0 / self.horizon));
        let slope = energy * (2.0 / time + 1.0 / self.horizon) / (time * time);
        let size = math::min(slope * (contact / root), self.max_force);
        let touch = relative.times(time).minus(met.offset);
        touch.times(1.0 / contact).times(size)
    }
}

impl AnticipationDefinition for PowerLaw {
    const NAME: &'static str = "power_law";
    const ABOUT: &'static str = "The gradient of an energy of the time to collision (Karamouzas, \
        Skinner and Guy 2014).";
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
        let mut sum = V::origin();
        for other in others {
            sum = sum.plus(self.term(mover, &Contact::other(mover, other)));
        }
        for met in walls.iter().filter_map(|wall| Contact::wall(mover, wall)) {
            sum = sum.plus(self.term(mover, &met));
        }
        finite_or(sum.truncate_to(self.max_force).times(self.weight), V::origin())
    }
}
