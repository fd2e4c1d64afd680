//! Rules as the textbook computes them: the sum over the boids seen, what is wanted of it, and the
//! response to that.

use crate::explanation::{RuleParts, TermParts};
use crate::reference::TextbookFlock;
use crate::space::boid::heading;
use crate::terms::rule::{RuleBoid, RuleDefinition, Tally, Wanted};
use crate::{Neighborhood, Response, Term, Vector};

impl<V: Vector> TextbookFlock<V> {
    /// A rule's response, not yet weighted.
    pub fn response<R: RuleDefinition>(&self, i: usize, order: &[usize], rule: &R) -> V {
        self.rule_parts(i, order, rule).1.response
    }

    /// A rule as a term.
    pub(super) fn rule_term<R: RuleDefinition>(
        &self,
        i: usize,
        order: &[usize],
        (term, rule): (Term, &R),
    ) -> TermParts<V> {
        let (sees, parts) = self.rule_parts(i, order, rule);
        let weighted = parts.response.times(parts.weight);
        TermParts { sees: Some(sees), rule: Some(parts), ..TermParts::new(term, weighted) }
    }

    fn rule_parts<R: RuleDefinition>(
        &self,
        i: usize,
        order: &[usize],
        rule: &R,
    ) -> (Neighborhood<V>, RuleParts<V>) {
        let own = self.rule_boid(i);
        let mut sights = self.neighbors(i, order, rule.perception());
        let mut tally = Tally { sum: V::origin(), weight: 0.0, coincident: false };
        for (_, seen) in &mut sights.seen {
            tally.coincident |= seen.coincident;
            if R::SKIPS_COINCIDENT && seen.coincident {
                continue;
            }
            let (term, weight) = rule.term(&own, seen);
            seen.adds = Some(term);
            tally.sum = tally.sum.plus(term);
            tally.weight += weight;
        }
        let (kind, weight, wanted) = (rule.response(), rule.weight(), rule.wanted(&own, &tally));
        let response = wanted.map_or(V::origin(), |wanted| respond(&own, wanted.x, kind));
        let wanted = wanted.unwrap_or(Wanted::of(V::origin()));
        (sights.told(), RuleParts { sum: tally.sum, wanted, kind, response, weight })
    }

    fn rule_boid(&self, i: usize) -> RuleBoid<V> {
        let boid = self.boids[i];
        RuleBoid {
            id: boid.id,
            seed: self.seed,
            step: self.step,
            velocity: boid.velocity,
            heading: heading(boid.velocity),
            max_speed: self.common_limits(i).max_speed,
        }
    }
}

/// Response to what a rule wants. Zero gives none, so a boid without neighbors does not brake.
fn respond<V: Vector>(own: &RuleBoid<V>, wanted: V, response: Response) -> V {
    if wanted.largest() == 0.0 {
        return V::origin();
    }
    match response {
        Response::Raw | Response::Flee => wanted,
        Response::Unit => wanted.unit(),
        Response::Steer => wanted.unit().times(own.max_speed).minus(own.velocity),
    }
}
