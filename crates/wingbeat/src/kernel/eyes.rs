//! Who looks at candidates: the three rules in two fast forms, and any rules at all.
#![forbid(unsafe_code)]

use crate::rule::nearest::{Choice, Limit, Limits};
use crate::rule::own_sights::{OwnSightsLanes, OwnSightsSums};
use crate::rule::shared::{SharedLanes, SharedSums};
use crate::rule::three::{Three, ThreeSums};
use crate::rule::{Other, Own, Rules};
use crate::simd::Simd;

/// Whoever looks at candidates. A trait, not a closure: closures cannot be told to inline, and one that is called from
/// several loops loses the level's instructions.
pub(crate) trait Eyes<S: Simd, const D: usize>: Copy {
    /// Whether the order of candidates does not matter, and bounds shrink as they come.
    const SEARCHES: bool = false;

    fn visit(&mut self, s: S, own: &Own<S, D>, other: &Other<S, D>);

    /// Square of how far it is worth looking from here on; asked after every list.
    #[inline(always)]
    fn narrow(&mut self, _s: S, _own: &Own<S, D>, reach_sq: f32) -> f32 {
        reach_sq
    }

    /// Whom it is worth looking at from here on, lane by lane, where only the nearest count.
    #[inline(always)]
    fn limit(&mut self, s: S) -> Limit<S> {
        Limit::up_to(s, s.splat(f32::INFINITY))
    }
}

/// The three rules with one sight.
#[derive(Clone, Copy)]
pub(super) struct SharedEyes<S: Simd, const D: usize> {
    pub shared: SharedLanes<S>,
    pub sums: SharedSums<S, D>,
}

impl<S: Simd, const D: usize> Eyes<S, D> for SharedEyes<S, D> {
    #[inline(always)]
    fn visit(&mut self, _s: S, own: &Own<S, D>, other: &Other<S, D>) {
        self.shared.visit(&mut self.sums, own, other);
    }

    #[inline(always)]
    fn limit(&mut self, s: S) -> Limit<S> {
        Limit::up_to(s, self.shared.furthest_sq())
    }
}

/// The three rules, each with a sight of its own.
#[derive(Clone, Copy)]
pub(super) struct OwnEyes<S: Simd, const D: usize> {
    pub sights: OwnSightsLanes<S>,
    pub sums: OwnSightsSums<S, D>,
}

impl<S: Simd, const D: usize> Eyes<S, D> for OwnEyes<S, D> {
    #[inline(always)]
    fn visit(&mut self, _s: S, own: &Own<S, D>, other: &Other<S, D>) {
        self.sights.visit(&mut self.sums, own, other);
    }

    #[inline(always)]
    fn limit(&mut self, s: S) -> Limit<S> {
        Limit::up_to(s, self.sights.furthest_sq())
    }
}

/// Any rules.
pub(super) struct GeneralEyes<'a, S: Simd, R: Rules<D>, const D: usize> {
    pub three: &'a Three,
    pub rules: &'a R,
    pub sums: ThreeSums<S, D>,
    pub declared: R::Sums<S>,
    /// Where only the nearest count: up to whom.
    pub limits: Option<&'a Limits<S>>,
    pub rank: &'a [u32],
}

// By hand: deriving would ask the rules themselves to be `Copy`, which are only borrowed.
impl<S: Simd, R: Rules<D>, const D: usize> Clone for GeneralEyes<'_, S, R, D> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<S: Simd, R: Rules<D>, const D: usize> Copy for GeneralEyes<'_, S, R, D> {}

impl<S: Simd, R: Rules<D>, const D: usize> Eyes<S, D> for GeneralEyes<'_, S, R, D> {
    #[inline(always)]
    fn visit(&mut self, s: S, own: &Own<S, D>, other: &Other<S, D>) {
        let choice = Choice::new(s, self.limits, self.rank, other.slot);
        self.three.visit(s, &mut self.sums, own, other, &choice);
        self.rules.visit(s, &mut self.declared, own, other, &choice);
    }

    #[inline(always)]
    fn limit(&mut self, s: S) -> Limit<S> {
        self.limits.map_or(Limit::up_to(s, s.splat(f32::INFINITY)), |limits| limits.furthest)
    }
}
