//! The visitor of candidates: what a pass adds up.

use crate::neighbors::{BlockLanes, Candidate, CandidateList, NearestLimit};
use crate::simd::Simd;

/// Visits candidates, one after the other. A trait, not a closure: closures cannot be told to
/// inline, and one that is called from several loops loses the level's instructions.
pub(crate) trait CandidateVisitor<S: Simd, const D: usize>: Copy {
    /// Whether the order of candidates does not matter, and bounds shrink as they come.
    const IN_ANY_ORDER: bool = false;
    /// Whether a boid is among its own neighbors, at distance 0.
    const MEETS_ITSELF: bool = false;
    /// Whether it runs in any box, through the image nearest to each lane where a shift is
    /// needed: for passes too rare for a loop of their own with fixed shifts. Other visitors run
    /// through fixed shifts only.
    const ANY_BOX: bool = false;
    /// Whether it is worth a search for candidates compiled for it alone: a call and what
    /// waits in memory across it are 2 % of a step.
    const HOT: bool = false;
    /// Whether part of the work on some candidates waits until the whole list has been visited.
    const DEFERS: bool = false;

    fn visit(&mut self, s: S, own: &BlockLanes<S, D>, other: &Candidate<S, D>);

    /// The same; whether the candidate is to be visited again, by
    /// [`visit_deferred`](Self::visit_deferred).
    #[inline(always)]
    fn visit_or_defer(&mut self, s: S, own: &BlockLanes<S, D>, other: &Candidate<S, D>) -> bool {
        self.visit(s, own, other);
        false
    }

    /// The second visit, after the whole list, in the list's order.
    #[inline(always)]
    fn visit_deferred(&mut self, _s: S, _own: &BlockLanes<S, D>, _other: &Candidate<S, D>) {}

    /// Visits a whole list: a visitor that knows its form only at run time chooses the loop here,
    /// once a list.
    #[inline(always)]
    fn visit_list(&mut self, s: S, list: CandidateList<'_, S, D>) {
        list.show(s, self);
    }

    /// The limit of each lane from here on; read before a search of a crowd, and of
    /// visitors that search after every list.
    #[inline(always)]
    fn limit(&mut self, s: S) -> NearestLimit<S> {
        NearestLimit::up_to(s, s.splat(f32::INFINITY))
    }
}
