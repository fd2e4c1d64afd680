//! Eyes of any rules, in any box.

use crate::block::{Eyes, NearestLimit, NearestLimits, NearestTest, Other, Own};
use crate::rule::Rules;
use crate::rule::three::{Three, ThreeSums};
use crate::simd::Simd;

/// Any rules.
pub(super) struct GeneralEyes<'a, S: Simd, R: Rules<D>, const D: usize> {
    pub three: &'a Three,
    pub rules: &'a R,
    pub sums: ThreeSums<S, D>,
    pub declared: R::Sums<S>,
    /// Where only the nearest count: how far each rule looks.
    pub limits: Option<&'a NearestLimits<S>>,
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
        let nearest = NearestTest::new(s, self.limits, self.rank, other.slot);
        self.three.visit(s, &mut self.sums, own, other, &nearest);
        self.rules.visit(s, &mut self.declared, own, other, &nearest);
    }

    #[inline(always)]
    fn limit(&mut self, s: S) -> NearestLimit<S> {
        self.limits.map_or(NearestLimit::up_to(s, s.splat(f32::INFINITY)), |limits| limits.furthest)
    }
}
