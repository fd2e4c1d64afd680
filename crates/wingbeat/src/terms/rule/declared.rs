//! Rules of a host's own, declared one after the other and run in one loop over candidates.

use wingbeat_steer::Perception;

use crate::neighbors::limit::MAX_DECLARED;
use crate::neighbors::{BlockLanes, Candidate, NearestTest, Pair};
use crate::simd::{Float, Simd, Sum, Vectors};
use crate::terms::rule::Rule;
use crate::terms::rule::perception::PreparedPerception;

/// A rule with its perception prepared.
#[derive(Clone, Copy, Debug)]
pub struct Declared<A> {
    pub(crate) rule: A,
    pub(crate) prepared: PreparedPerception,
    pub(crate) perception: Perception,
}

/// A list of declared rules: `()`, then `(rest, rule)`. Implemented by Wingbeat; built by
/// `FlockBuilder::rule`.
pub trait DeclaredRules<const D: usize>: Send + Sync + 'static {
    /// How many rules.
    #[doc(hidden)]
    const COUNT: usize;
    /// Running sums of all rules.
    #[doc(hidden)]
    type Sums<S: Simd>: Copy;
    /// Every rule's perception, in order of declaration.
    #[doc(hidden)]
    fn perceptions(&self, found: &mut Vec<Perception>);
    #[doc(hidden)]
    fn begin<S: Simd>(&self, s: S) -> Self::Sums<S>;
    /// Of `boids` the first have the axes of sight for headings, the second the headings of their
    /// velocities, which are what a rule is shown.
    #[doc(hidden)]
    fn visit<S: Simd>(
        &self,
        s: S,
        sums: &mut Self::Sums<S>,
        boids: (&BlockLanes<S, D>, &BlockLanes<S, D>),
        other: &Candidate<S, D>,
        nearest: &NearestTest<'_, S>,
    );
    #[doc(hidden)]
    fn finish<S: Simd>(
        &self,
        s: S,
        sums: Self::Sums<S>,
        own: &BlockLanes<S, D>,
        forces: &mut [Vectors<S, D>; MAX_DECLARED],
    );
}

impl<const D: usize> DeclaredRules<D> for () {
    const COUNT: usize = 0;
    type Sums<S: Simd> = ();
    fn perceptions(&self, _found: &mut Vec<Perception>) {}
    #[inline(always)]
    fn begin<S: Simd>(&self, _s: S) {}
    #[inline(always)]
    fn visit<S: Simd>(
        &self,
        _s: S,
        _sums: &mut (),
        _boids: (&BlockLanes<S, D>, &BlockLanes<S, D>),
        _other: &Candidate<S, D>,
        _nearest: &NearestTest<'_, S>,
    ) {
    }
    #[inline(always)]
    fn finish<S: Simd>(
        &self,
        _s: S,
        _sums: (),
        _own: &BlockLanes<S, D>,
        _forces: &mut [Vectors<S, D>; MAX_DECLARED],
    ) {
    }
}

/// A rule's sum, and how many neighbors it saw.
#[derive(Clone, Copy)]
pub struct RuleSum<T, F> {
    sum: T,
    seen: F,
}

impl<R: DeclaredRules<D>, A: Rule<D>, const D: usize> DeclaredRules<D> for (R, Declared<A>) {
    const COUNT: usize = R::COUNT + 1;
    type Sums<S: Simd> = (R::Sums<S>, RuleSum<A::Sum<S>, S::F>);

    fn perceptions(&self, found: &mut Vec<Perception>) {
        self.0.perceptions(found);
        found.push(self.1.perception);
    }

    #[inline(always)]
    fn begin<S: Simd>(&self, s: S) -> Self::Sums<S> {
        (self.0.begin(s), RuleSum { sum: A::Sum::zero(s), seen: s.splat(0.0) })
    }

    #[inline(always)]
    fn visit<S: Simd>(
        &self,
        s: S,
        sums: &mut Self::Sums<S>,
        (gazing, own): (&BlockLanes<S, D>, &BlockLanes<S, D>),
        other: &Candidate<S, D>,
        nearest: &NearestTest<'_, S>,
    ) {
        self.0.visit(s, &mut sums.0, (gazing, own), other, nearest);
        let (seen, coincident) = self.1.prepared.test(s, gazing, other);
        let seen = nearest.among(R::COUNT, other, seen);
        let pair = Pair {
            offset: other.offset,
            distance_sq: other.distance_sq,
            distance: other.distance,
            coincident,
            velocity: other.velocity,
        };
        let term = self.1.rule.term(s, own, &pair);
        sums.1.sum = sums.1.sum.add_where(seen, term);
        sums.1.seen = Float::add_where(sums.1.seen, seen, s.splat(1.0));
    }

    #[inline(always)]
    fn finish<S: Simd>(
        &self,
        s: S,
        sums: Self::Sums<S>,
        own: &BlockLanes<S, D>,
        forces: &mut [Vectors<S, D>; MAX_DECLARED],
    ) {
        self.0.finish(s, sums.0, own, forces);
        let force = self.1.rule.force(s, own, sums.1.sum);
        let anyone = sums.1.seen.gt(s.splat(0.0));
        forces[R::COUNT] = force.or_zero(s, anyone);
    }
}
