//! From terms to one force, in lanes.
#![forbid(unsafe_code)]

use wingbeat_steer::{Boundary, Combine, Domain, Params, Term};

use crate::lanes::{self, Vectors};
use crate::simd::{Float, Mask, Simd};

/// Rules of the host's own a flock may have: three built-in terms and the walls make eight.
pub(crate) const MAX_DECLARED: usize = MAX_TERMS - 4;
const MAX_TERMS: usize = 8;

/// The terms of a block, weighted, in the usual order.
pub struct Terms<S: Simd, const D: usize> {
    terms: [Vectors<S, D>; MAX_TERMS],
    len: usize,
}

impl<S: Simd, const D: usize> Terms<S, D> {
    #[inline(always)]
    pub(crate) fn new(s: S) -> Self {
        Self { terms: [lanes::zero(s); MAX_TERMS], len: 0 }
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, term: Vectors<S, D>) {
        self.terms[self.len] = term;
        self.len += 1;
    }
}

/// How a flock combines its terms.
#[derive(Clone, Debug)]
pub(crate) struct Combination {
    mode: Combine,
    max_force: f32,
    /// Places in the usual order, in the order they are taken.
    order: [usize; MAX_TERMS],
    len: usize,
}

impl Combination {
    pub fn new(params: &Params, declared: usize) -> Self {
        let usual = Params { priority: Vec::new(), ..params.clone() }.term_order(declared);
        let taken = params.term_order(declared);
        let mut order = [0; MAX_TERMS];
        for (place, term) in order.iter_mut().zip(&taken) {
            *place = usual.iter().position(|t: &Term| t == term).unwrap_or(0);
        }
        Self { mode: params.combine, max_force: params.agent.max_force, order, len: taken.len() }
    }

    /// The combined force; under `direction` the unit vector to go.
    #[inline(always)]
    pub fn combine<S: Simd, const D: usize>(&self, s: S, terms: &Terms<S, D>) -> Vectors<S, D> {
        let order = &self.order[..self.len];
        if self.mode == Combine::Prioritized {
            return self.prioritize(s, terms);
        }
        let mut sum = lanes::zero(s);
        for &place in order {
            sum = lanes::add::<S, D>(sum, terms.terms[place]);
        }
        match self.mode {
            Combine::Direction(_) => lanes::unit(s, sum),
            _ => lanes::truncate(s, sum, s.splat(self.max_force)),
        }
    }

    /// Whole terms while a lane's budget lasts, then the part of one that is left.
    #[inline(always)]
    fn prioritize<S: Simd, const D: usize>(&self, s: S, terms: &Terms<S, D>) -> Vectors<S, D> {
        let mut force = lanes::zero(s);
        let mut budget = s.splat(self.max_force);
        let mut open = s.first(S::LANES);
        for &place in &self.order[..self.len] {
            let term = terms.terms[place];
            let size = lanes::norm(s, term);
            let whole = open & size.le(budget);
            let part = open & !whole;
            let added = lanes::add::<S, D>(force, term);
            let cut = lanes::add::<S, D>(force, lanes::scale::<S, D>(term, budget / size));
            force = lanes::select::<S, D>(whole, added, lanes::select::<S, D>(part, cut, force));
            budget = whole.select(budget - size, budget);
            open = whole;
        }
        force
    }
}

/// Push of a walled domain's faces; zero elsewhere.
#[inline(always)]
pub(crate) fn wall_force<S: Simd, const D: usize>(s: S, domain: &Domain<[f32; D]>, position: Vectors<S, D>) -> Vectors<S, D> {
    let Boundary::Walled { margin, strength } = domain.boundary else { return lanes::zero(s) };
    let (margin, strength) = (s.splat(margin), s.splat(strength));
    std::array::from_fn(|a| {
        let from_min = position[a] - s.splat(domain.min[a]);
        let from_max = s.splat(domain.max[a]) - position[a];
        let push = |distance: S::F| {
            let push = strength * (s.splat(1.0) - distance / margin);
            distance.lt(margin).select(push, s.splat(0.0))
        };
        (s.splat(0.0) + push(from_min)) - push(from_max)
    })
}
