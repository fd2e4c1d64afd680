//! From terms to one force, in lanes.

use wingbeat_steer::{Combine, Extras, Params, Term};

use crate::simd::{Float, MAX_LANES, Mask, Simd, Vectors};

/// Rules of the host's own a flock may have.
pub(crate) const MAX_DECLARED: usize = 4;
/// Three built-in terms, those rules, sixteen drives, obstacles, the walls, and room for more.
pub(crate) const MAX_TERMS: usize = 32;

/// Where terms wait for the others.
pub(crate) type WaitingTerms<const D: usize> = [[[f32; MAX_LANES]; D]; MAX_TERMS];

/// The terms of a block, weighted, in the usual order.
pub struct Terms<'a, S: Simd, const D: usize> {
    /// All so far, where they are taken as they come.
    sum: Vectors<S, D>,
    as_they_come: bool,
    waiting: &'a mut WaitingTerms<D>,
    len: usize,
}

impl<'a, S: Simd, const D: usize> Terms<'a, S, D> {
    #[inline(always)]
    pub(crate) fn new(s: S, combination: &Combination, waiting: &'a mut WaitingTerms<D>) -> Self {
        Self { sum: Vectors::zero(s), as_they_come: combination.as_they_come, waiting, len: 0 }
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, term: Vectors<S, D>) {
        if self.as_they_come {
            self.sum = self.sum + term;
            return;
        }
        for a in 0..D {
            term[a].store(&mut self.waiting[self.len][a]);
        }
        self.len += 1;
    }

    #[inline(always)]
    fn get(&self, s: S, place: usize) -> Vectors<S, D> {
        Vectors::load(s, &self.waiting[place], 0)
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
    /// Terms are added up in the usual order, so that none has to wait.
    as_they_come: bool,
}

impl Combination {
    /// `steers_ahead`: whether there are obstacles to steer ahead of.
    pub fn new(params: &Params, extras: Extras, steers_ahead: bool) -> Self {
        let mut usual = Params { priority: Vec::new(), ..params.clone() }.term_order(extras);
        let mut taken = params.term_order(extras);
        usual.retain(|&term| term != Term::Obstacles || steers_ahead);
        taken.retain(|&term| term != Term::Obstacles || steers_ahead);
        let mut order = [0; MAX_TERMS];
        for (place, term) in order.iter_mut().zip(&taken) {
            *place = usual.iter().position(|t: &Term| t == term).unwrap_or(0);
        }
        let as_they_come = params.combine != Combine::Prioritized && usual == taken;
        Self { mode: params.combine, max_force: params.agent.max_force, order, len: taken.len(), as_they_come }
    }

    /// One that lets a single rule of the host's own through, uncut: for explanations.
    pub fn only_rule(rule: usize, params: &Params) -> Self {
        let extras = Extras { rules: rule + 1, ..Extras::default() };
        let usual = Params { priority: Vec::new(), ..params.clone() }.term_order(extras);
        let place = usual.iter().position(|&term| term == Term::Rule(rule)).unwrap_or(0);
        let mut order = [0; MAX_TERMS];
        order[0] = place;
        Self { mode: Combine::Weighted, max_force: f32::INFINITY, order, len: 1, as_they_come: false }
    }

    /// The combined force; under `direction` the unit vector to go.
    #[inline(always)]
    pub fn combine<S: Simd, const D: usize>(&self, s: S, terms: &Terms<'_, S, D>) -> Vectors<S, D> {
        self.combine_within(s, terms, s.splat(self.max_force))
    }

    /// The same, each lane with a maximum force of its own.
    #[inline(always)]
    pub fn combine_within<S: Simd, const D: usize>(&self, s: S, terms: &Terms<'_, S, D>, max_force: S::F) -> Vectors<S, D> {
        if self.mode == Combine::Prioritized {
            return self.prioritize(s, terms, max_force);
        }
        let mut sum = terms.sum;
        if !self.as_they_come {
            for &place in &self.order[..self.len] {
                sum = sum + terms.get(s, place);
            }
        }
        match self.mode {
            Combine::Direction(_) => sum.unit(s),
            _ => sum.truncate(s, max_force),
        }
    }

    /// Whole terms while a lane's budget lasts, then the part of one that is left.
    #[inline(always)]
    fn prioritize<S: Simd, const D: usize>(&self, s: S, terms: &Terms<'_, S, D>, max_force: S::F) -> Vectors<S, D> {
        let mut force = Vectors::zero(s);
        let mut budget = max_force;
        let mut open = s.first(S::LANES);
        for &place in &self.order[..self.len] {
            let term = terms.get(s, place);
            let size = term.norm(s);
            let whole = open & size.le(budget);
            let part = open & !whole;
            let added = force + term;
            let cut = force + term * (budget / size);
            force = Vectors::select(whole, added, Vectors::select(part, cut, force));
            budget = whole.select(budget - size, budget);
            open = whole;
        }
        force
    }
}
