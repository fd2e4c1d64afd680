//! Separation: away from neighbors, the more the nearer.

use crate::math::{self, noise};
use crate::terms::rule::definition::{RuleBoid, RuleDefinition, Tally, Wanted};
use crate::terms::rule::{Perception, Response, Seen};
use crate::{ParamError, Vector};

choices! {
    /// How separation's push f·o on a neighbor at offset o fades with its distance d within the
    /// radius r.
    pub enum Falloff {
        /// f = 1/d − 1/r: a push of 1 − d/r, strongest at contact, nothing at r.
        #[default]
        Linear = "linear",
        /// f = max(1 − d·(1/r), 0): a push of d·(1 − d/r), nothing at contact, strongest at r/2.
        /// Flocks under cohesion pile up on points with it; it is here for sources that have it
        /// (the vision-cone flock).
        Soft = "soft",
        /// f = 1/d: a push of 1 at every distance.
        Inverse = "inverse",
        /// f = 1/d² (OpenSteer): a push of 1/d.
        InverseSquare = "inverse_square",
    }
}

rule! {
    /// Separation: S = −Σ f(d)·o over the neighbors seen.
    pub struct Separation {
        falloff: Falloff = Falloff::Linear,
            "How hard a neighbor at distance d is pushed away from. linear: 1 − d/radius, hardest \
                at contact; soft: d·(1 − d/radius), nothing at contact, so that flocks under \
                cohesion pile up (older sources have it); inverse: 1; inverse_square: 1/d.";
    }
    responses Response::WORDS
}

impl RuleDefinition for Separation {
    const NAME: &'static str = "separation";
    const ABOUT: &'static str = "Keep apart from neighbors.";
    const PHRASE: &'static str = "separation from";
    const HUE: f64 = 0.42;
    const SKIPS_COINCIDENT: bool = true;

    fn check(&self) -> Result<(), ParamError> {
        Ok(())
    }

    fn term<V: Vector>(&self, own: &RuleBoid<V>, seen: &Seen<V>) -> (V, f32) {
        let per_radius = 1.0 / self.perception.radius;
        let term = if self.response == Response::Flee {
            own.velocity.minus(seen.offset.times(own.max_speed / seen.distance))
        } else {
            let f = match self.falloff {
                Falloff::Linear => 1.0 / seen.distance - per_radius,
                Falloff::Soft => math::max(1.0 - seen.distance * per_radius, 0.0),
                Falloff::Inverse => 1.0 / seen.distance,
                Falloff::InverseSquare => 1.0 / seen.distance_sq,
            };
            seen.offset.times(f)
        };
        (term, 1.0)
    }

    /// Minus the sum (fleeing: the sum), and where boids coincide a push by hash that parts them.
    fn wanted<V: Vector>(&self, own: &RuleBoid<V>, tally: &Tally<V>) -> Option<Wanted<V>> {
        let flees = self.response == Response::Flee;
        let apart = if flees { tally.sum } else { V::origin().minus(tally.sum) };
        let parting = tally.coincident.then(|| {
            let gain = match self.falloff {
                _ if flees => own.max_speed,
                Falloff::Linear | Falloff::Inverse => 1.0,
                Falloff::Soft => self.perception.radius * 0.25,
                Falloff::InverseSquare => 1.0 / self.perception.radius,
            };
            noise::direction::<V>(own.seed, own.id, own.step).times(gain)
        });
        let x = parting.map_or(apart, |parting| apart.plus(parting));
        Some(Wanted { away: !flees, parting, ..Wanted::of(x) })
    }
}
