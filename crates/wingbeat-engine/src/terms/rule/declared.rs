//! Rules of a host's own, declared one after the other and run in one loop over candidates.

use std::any::{Any, TypeId};
use std::sync::Arc;

use wingbeat_steer::Perception;

use crate::neighbors::limit::MAX_DECLARED;
use crate::neighbors::{BlockLanes, Candidate, NearestTest, Pair};
use crate::simd::{Float, Simd, Sum, Vectors};
use crate::terms::rule::Rule;
use crate::terms::rule::perception::PreparedPerception;

/// A rule with its perception prepared.
#[derive(Debug)]
pub struct Declared<A> {
    pub(crate) rule: Arc<A>,
    pub(crate) prepared: PreparedPerception,
    pub(crate) perception: Perception,
}

impl<A> Declared<A> {
    pub(crate) fn new<const D: usize>(rule: Arc<A>) -> Self
    where
        A: Rule<D>,
    {
        let perception = rule.perception();
        Self { prepared: PreparedPerception::new(&perception), rule, perception }
    }
}

// By hand: deriving would ask rules to be `Clone`, which are shared.
impl<A> Clone for Declared<A> {
    fn clone(&self) -> Self {
        Self { rule: Arc::clone(&self.rule), ..*self }
    }
}

/// A list of declared rules: `()`, then `(rest, rule)`. Implemented by Wingbeat; built by
/// `FlockBuilder::rule`.
pub trait DeclaredRules<const D: usize>: Clone + Send + Sync + 'static {
    /// How many rules.
    #[doc(hidden)]
    const COUNT: usize;
    /// Running sums of all rules.
    #[doc(hidden)]
    type Sums<S: Simd>: Copy;
    /// Every rule's perception, in order of declaration.
    #[doc(hidden)]
    fn perceptions(&self, found: &mut Vec<Perception>);
    /// The rule of a type, the last declared of several.
    #[doc(hidden)]
    fn rule(&self, of: TypeId) -> Option<&dyn Any>;
    /// These with another in the place of that rule: `rule` is an `Arc` of its type.
    #[doc(hidden)]
    fn with_rule(&self, rule: &dyn Any) -> Option<Self>;
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
    fn rule(&self, _of: TypeId) -> Option<&dyn Any> {
        None
    }
    fn with_rule(&self, _rule: &dyn Any) -> Option<Self> {
        None
    }
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

    fn rule(&self, of: TypeId) -> Option<&dyn Any> {
        if of == TypeId::of::<A>() { Some(&*self.1.rule) } else { self.0.rule(of) }
    }

    fn with_rule(&self, rule: &dyn Any) -> Option<Self> {
        match rule.downcast_ref::<Arc<A>>() {
            Some(rule) => Some((self.0.clone(), Declared::new(Arc::clone(rule)))),
            None => self.0.with_rule(rule).map(|others| (others, self.1.clone())),
        }
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
