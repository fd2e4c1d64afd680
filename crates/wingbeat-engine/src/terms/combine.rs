//! The combination of terms into one force, in lanes.

use wingbeat_steer::drive::MAX_DRIVES;
use wingbeat_steer::{Advance, Combine, Extras, Model, Params, RuleId, Term};

use crate::neighbors::limit::MAX_DECLARED;

use crate::simd::{Float, MAX_LANES, Mask, Simd, Vectors};

/// Three built-in terms, those rules, sixteen drives, obstacles, the walls, and room for more.
pub(crate) const MAX_TERMS: usize = 32;

const _: () = assert!(
    RuleId::ALL.len() + MAX_DECLARED + MAX_DRIVES + 3 <= MAX_TERMS,
    "rules, those of the host, drives, interactions, obstacles and walls"
);

/// Where terms wait for the others.
pub(crate) type WaitingTerms<const D: usize> = [[[f32; MAX_LANES]; D]; MAX_TERMS];

/// The terms of a block, weighted, in the usual order.
pub struct Terms<'a, S: Simd, const D: usize> {
    /// All so far, where they are taken as they come.
    sum: Vectors<S, D>,
    /// The steering of the model, if there is one, which joined terms turn.
    of_model: Vectors<S, D>,
    as_they_come: bool,
    waiting: &'a mut WaitingTerms<D>,
    len: usize,
}

impl<'a, S: Simd, const D: usize> Terms<'a, S, D> {
    #[inline(always)]
    pub(crate) fn new(s: S, combination: &Combination, waiting: &'a mut WaitingTerms<D>) -> Self {
        Self {
            sum: Vectors::zero(s),
            of_model: Vectors::zero(s),
            as_they_come: combination.as_they_come,
            waiting,
            len: 0,
        }
    }

    /// The model's steering, which all terms join.
    #[inline(always)]
    pub(crate) fn follow(&mut self, of_model: Vectors<S, D>) {
        (self.sum, self.of_model) = (of_model, of_model);
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

/// Further terms of a flock: obstacles and walls.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ExtraTerms {
    /// Obstacles to steer ahead of.
    pub steers_ahead: bool,
    /// Walls that push.
    pub walls_push: bool,
}

/// How a flock combines its terms.
#[derive(Clone, Debug)]
pub(crate) struct Combination {
    mode: Mode,
    /// Places in the usual order, in the order they are taken.
    order: [usize; MAX_TERMS],
    len: usize,
    /// Terms are added up in the usual order, so that none has to wait.
    as_they_come: bool,
    feels_walls: bool,
}

#[derive(Clone, Copy, Debug)]
enum Mode {
    /// The sum, no longer than the maximum force.
    Weighted,
    /// The direction of the sum.
    Direction,
    /// Whole terms while the maximum force lasts.
    Prioritized,
    /// The model's steering, joined by the terms.
    Model(Joining),
}

/// How terms join the steering of a model.
#[derive(Clone, Copy, Debug)]
enum Joining {
    /// There are none.
    Nothing,
    /// They are added to an acceleration or a displacement.
    Sum,
    /// They turn a direction of length 1, or a velocity of this length.
    Turn(f32),
}

impl Combination {
    pub fn new(params: &Params, extras: Extras, around: ExtraTerms) -> Self {
        let mut usual = Params { priority: Vec::new(), ..params.clone() }.term_order(extras);
        let mut taken = params.term_order(extras);
        usual.retain(|&term| term != Term::Obstacles || around.steers_ahead);
        taken.retain(|&term| term != Term::Obstacles || around.steers_ahead);
        let mut order = [0; MAX_TERMS];
        for (place, term) in order.iter_mut().zip(&taken) {
            *place = usual.iter().position(|t: &Term| t == term).unwrap_or(0);
        }
        let mode = match (&params.model, params.combine) {
            (Some(model), _) => {
                let chases =
                    params.interactions.iter().any(|interaction| interaction.kind.chases());
                let joined = chases
                    || extras.rules + extras.drives > 0
                    || around.steers_ahead
                    || around.walls_push;
                Mode::Model(if joined { joining(model) } else { Joining::Nothing })
            }
            (None, Combine::Direction(_)) => Mode::Direction,
            (None, Combine::Prioritized) => Mode::Prioritized,
            (None, Combine::Weighted) => Mode::Weighted,
        };
        let as_they_come =
            !matches!(mode, Mode::Prioritized) && (usual == taken || params.model.is_some());
        let feels_walls = params.model.is_none() || around.walls_push;
        Self { mode, order, len: taken.len(), as_they_come, feels_walls }
    }

    /// Whether a model takes the rules' place.
    #[inline(always)]
    pub fn follows_model(&self) -> bool {
        matches!(self.mode, Mode::Model(_))
    }

    /// Whether walls are a term.
    #[inline(always)]
    pub fn feels_walls(&self) -> bool {
        self.feels_walls
    }

    /// The combined force; under `direction` the unit vector to go; what a model says, joined by
    /// the terms.
    #[inline(always)]
    pub fn combine<S: Simd, const D: usize>(
        &self,
        s: S,
        terms: &Terms<'_, S, D>,
        max_force: S::F,
    ) -> Vectors<S, D> {
        if let Mode::Prioritized = self.mode {
            return self.prioritize(s, terms, max_force);
        }
        let mut sum = terms.sum;
        if !self.as_they_come {
            for &place in &self.order[..self.len] {
                sum = sum + terms.get(s, place);
            }
        }
        match self.mode {
            Mode::Direction => sum.unit(s),
            Mode::Model(Joining::Nothing | Joining::Sum) => sum,
            Mode::Model(Joining::Turn(length)) => Vectors::select(
                sum.largest().gt(s.splat(0.0)),
                sum.unit(s) * s.splat(length),
                terms.of_model,
            ),
            Mode::Weighted | Mode::Prioritized => sum.truncate(s, max_force),
        }
    }

    /// Whole terms while a lane's budget lasts, then the part of one that is left.
    #[inline(always)]
    fn prioritize<S: Simd, const D: usize>(
        &self,
        s: S,
        terms: &Terms<'_, S, D>,
        max_force: S::F,
    ) -> Vectors<S, D> {
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

fn joining(model: &Model) -> Joining {
    match model.advance() {
        Advance::Veer { .. } | Advance::Lean { .. } => Joining::Turn(1.0),
        Advance::Replace { speed, .. } => Joining::Turn(speed),
        Advance::Accelerate | Advance::Cruise(_) | Advance::Unlimited | Advance::Displace => {
            Joining::Sum
        }
    }
}
