//! What looks at candidates, whatever the rules.

use super::{NearestLimit, Other, Own};
use crate::simd::Simd;

/// Looks at candidates, one after the other. A trait, not a closure: closures cannot be told to inline, and one that is called
/// from several loops loses the level's instructions.
pub(crate) trait Eyes<S: Simd, const D: usize>: Copy {
    /// Whether the order of candidates does not matter, and bounds shrink as they come.
    const SEARCHES: bool = false;
    /// Whether a boid is among its own neighbours, at distance 0.
    const MEETS_ITSELF: bool = false;
    /// Whether they look in any box, through the image nearest to each lane where a shift is needed: for looks too rare for a loop of their
    /// own with fixed shifts. Other eyes look through fixed shifts only.
    const ANY_BOX: bool = false;
    /// Whether they are worth a search for candidates compiled for them alone: a call and what waits in memory across it are 2 % of a step.
    const HOT: bool = false;

    fn visit(&mut self, s: S, own: &Own<S, D>, other: &Other<S, D>);

    /// What is worth looking at from here on, lane by lane; asked before a look at a crowd, and of eyes that search after every list.
    #[inline(always)]
    fn limit(&mut self, s: S) -> NearestLimit<S> {
        NearestLimit::up_to(s, s.splat(f32::INFINITY))
    }
}
