//! The three rules as the textbook computes them: sums over the boids seen, means, and responses to
//! them.

use crate::explanation::RuleParts;
use crate::reference::TextbookFlock;
use crate::space::boid::heading;
use crate::{
    Alignment, AlignmentOf, Cohesion, Falloff, Response, Separation, Vector,
    math::{self, noise},
};

impl<V: Vector> TextbookFlock<V> {
    /// Separation's response, not yet weighted.
    pub fn separation(&self, i: usize, order: &[usize], rule: &Separation) -> V {
        self.separation_parts(i, order, rule).response
    }

    pub(super) fn separation_parts(
        &self,
        i: usize,
        order: &[usize],
        rule: &Separation,
    ) -> RuleParts<V> {
        let boid = self.boids[i];
        let radius = rule.perception.radius;
        // The rules go by what is common: a boid's own maximum speed does not change which boids it
        // avoids.
        let max_speed = self.common_limits(i).max_speed;
        let per_radius = 1.0 / radius;
        let flee = rule.response == Response::Flee;
        let mut sights = self.neighbors(i, order, &rule.perception);
        let mut sum = V::origin();
        let mut coincident = false;
        for (_, seen) in &mut sights.seen {
            if seen.coincident {
                coincident = true;
                continue;
            }
            let term = if flee {
                boid.velocity.minus(seen.offset.times(max_speed / seen.distance))
            } else {
                let f = match rule.falloff {
                    Falloff::Linear => 1.0 / seen.distance - per_radius,
                    Falloff::Soft => math::max(1.0 - seen.distance * per_radius, 0.0),
                    Falloff::Inverse => 1.0 / seen.distance,
                    Falloff::InverseSquare => 1.0 / seen.distance_sq,
                };
                seen.offset.times(f)
            };
            seen.adds = Some(term);
            sum = sum.plus(term);
        }
        let mut separation = if flee { sum } else { V::origin().minus(sum) };
        let parting = coincident.then(|| {
            let gain = match rule.falloff {
                _ if flee => max_speed,
                Falloff::Linear | Falloff::Inverse => 1.0,
                Falloff::Soft => radius * 0.25,
                Falloff::InverseSquare => per_radius,
            };
            noise::direction::<V>(self.seed, boid.id, self.step).times(gain)
        });
        if let Some(parting) = parting {
            separation = separation.plus(parting);
        }
        let response =
            self.respond(i, separation, if flee { Response::Raw } else { rule.response });
        let parts = RuleParts::new(sights.told(), sum, separation, response, rule.weight);
        RuleParts { parting, ..parts }
    }

    /// Alignment's response, not yet weighted.
    pub fn alignment(&self, i: usize, order: &[usize], rule: &Alignment) -> V {
        self.alignment_parts(i, order, rule).response
    }

    pub(super) fn alignment_parts(
        &self,
        i: usize,
        order: &[usize],
        rule: &Alignment,
    ) -> RuleParts<V> {
        let quantity = |velocity: V| match rule.of {
            AlignmentOf::Velocity => velocity,
            AlignmentOf::Heading => heading(velocity),
        };
        let own = quantity(self.boids[i].velocity);
        let mut sights = self.neighbors(i, order, &rule.perception);
        let mut sum = V::origin();
        let mut n = 0.0;
        for (_, seen) in &mut sights.seen {
            let term = quantity(seen.velocity);
            seen.adds = Some(term);
            sum = sum.plus(term);
            n += 1.0;
        }
        if n == 0.0 {
            return RuleParts::nothing(sights.told(), rule.weight);
        }
        let mean = if rule.include_self {
            own.plus(sum).times(1.0 / (n + 1.0))
        } else {
            sum.times(1.0 / n)
        };
        let alignment = if rule.relative { mean.minus(own) } else { mean };
        let response = self.respond(i, alignment, rule.response);
        let parts = RuleParts::new(sights.told(), sum, alignment, response, rule.weight);
        let (included, subtracted) =
            (rule.include_self.then_some(own), rule.relative.then_some(own));
        RuleParts { included, mean: Some(mean), subtracted, ..parts }
    }

    /// Cohesion's response, not yet weighted.
    pub fn cohesion(&self, i: usize, order: &[usize], rule: &Cohesion) -> V {
        self.cohesion_parts(i, order, rule).response
    }

    pub(super) fn cohesion_parts(
        &self,
        i: usize,
        order: &[usize],
        rule: &Cohesion,
    ) -> RuleParts<V> {
        let mut sights = self.neighbors(i, order, &rule.perception);
        let mut sum = V::origin();
        let mut n = 0.0;
        for (_, seen) in &mut sights.seen {
            seen.adds = Some(seen.offset);
            sum = sum.plus(seen.offset);
            n += 1.0;
        }
        if n == 0.0 {
            return RuleParts::nothing(sights.told(), rule.weight);
        }
        let mean = sum.times(1.0 / n);
        let response = self.respond(i, mean, rule.response);
        RuleParts {
            mean: Some(mean),
            ..RuleParts::new(sights.told(), sum, mean, response, rule.weight)
        }
    }

    /// Response to a rule's sum. A zero sum gives none, so a boid without neighbors does not brake.
    fn respond(&self, i: usize, sum: V, response: Response) -> V {
        if sum.largest() == 0.0 {
            return V::origin();
        }
        match response {
            Response::Raw | Response::Flee => sum,
            Response::Unit => sum.unit(),
            Response::Steer => {
                sum.unit().times(self.common_limits(i).max_speed).minus(self.boids[i].velocity)
            }
        }
    }
}
