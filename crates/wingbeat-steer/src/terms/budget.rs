//! Prioritized combination: terms are taken in order while the force budget lasts.

use crate::Vector;

/// Reynolds 1987: whole terms while the budget lasts, then the part of one that is left.
pub fn prioritize<V: Vector>(terms: impl Iterator<Item = V>, max_force: f32) -> V {
    serve(terms, max_force, |_| {})
}

/// [`prioritize`], which reports the share of each term that was served; the others got nothing.
pub(crate) fn serve<V: Vector>(
    terms: impl Iterator<Item = V>,
    max_force: f32,
    mut tell: impl FnMut(Share<V>),
) -> V {
    let (mut force, mut budget) = (V::origin(), max_force);
    for term in terms {
        let size = term.norm();
        if size <= budget {
            tell(Share { budget, part: 1.0, taken: term });
            force = force.plus(term);
            budget -= size;
        } else {
            let part = budget / size;
            let taken = term.times(part);
            tell(Share { budget, part, taken });
            return force.plus(taken);
        }
    }
    force
}

/// What a term got of the budget.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Share<V> {
    pub budget: f32,
    pub part: f32,
    pub taken: V,
}
