//! What looks at candidates, whatever the rules.

use super::{NearestLimit, Other, Own};
use crate::simd::Simd;

/// Looks at candidates, one after the other. A trait, not a closure: closures cannot be told to inline, and one that is called
/// from several loops loses the level's instructions.
pub(crate) trait Eyes<S: Simd, const D: usize>: Copy {
    /// Whether the order of candidates does not matter, and bounds shrink as they come.
    const SEARCHES: bool = false;

    fn visit(&mut self, s: S, own: &Own<S, D>, other: &Other<S, D>);

    /// Square of how far it is worth looking from here on; asked after every list.
    #[inline(always)]
    fn narrow(&mut self, _s: S, _own: &Own<S, D>, reach_sq: f32) -> f32 {
        reach_sq
    }

    /// What is worth looking at from here on, lane by lane, where only the nearest count.
    #[inline(always)]
    fn limit(&mut self, s: S) -> NearestLimit<S> {
        NearestLimit::up_to(s, s.splat(f32::INFINITY))
    }
}
