//! Bodies of a flock: anticipation before they move, contacts after.

use wingbeat_steer::Domain;

use super::Flock;
use crate::columns::boids::{Boids, Columns, PADDING, named, own};
use crate::columns::extra::{Column, ExtraColumns};
use crate::grid::Grid;
use crate::identity::Identity;
use crate::motion::anticipate::{self, AnticipationInput};
use crate::motion::body::{self, Bodies};
use crate::motion::integrate::{self, Motion};
use crate::motion::limits::Limits;
use crate::neighbors::SortedFlock;
use crate::parallel::Workers;
use crate::simd::with_default_rounding;

impl<const D: usize> Flock<D> {
    /// Before boids move: how large they are, and where they are from now on written to, beside
    /// where they were.
    pub(super) fn prepare_bodies(&mut self) {
        let Some(bodies) = &mut self.bodies else { return };
        bodies.refresh(&self.boids, &self.workers);
        let slots = self.boids.len();
        let (front, back) = (&self.boids.front, &mut self.boids.back);
        for (from, to) in
            [(&front.position, &mut back.position), (&front.velocity, &mut back.velocity)]
        {
            to.resize(slots);
            for (from, to) in from.each_ref().into_iter().zip(to.renewed()) {
                copy(from, to, &self.workers);
            }
        }
    }

    /// Anticipation of all boids: answers, by slot, in the columns of
    /// the foresight.
    pub(super) fn anticipate(&mut self, dt: f32) {
        let (Some(mut anticipation_state), Some(bodies)) =
            (self.anticipation_state.take(), &self.bodies)
        else {
            return;
        };
        let slots = self.boids.len();
        let mut answers =
            std::mem::replace(&mut anticipation_state.columns, std::array::from_fn(|_| Vec::new()));
        answers.iter_mut().for_each(|column| column.resize(slots + PADDING, 0.0));
        let mut blocked = std::mem::take(&mut self.boids.outcome.blocked);
        let Boids { front, extra, outcome, ids, part, .. } = &self.boids;
        let identity = Identity {
            rank: &front.rank,
            ids: named(ids, part.as_ref()),
            seed: self.seed,
            step: self.step,
        };
        let (level, limits) = (self.level, Limits::new(&self.prepared.kinds, extra));
        let forces = outcome.force.each_ref().map(Column::values);
        let motion =
            Motion::new(forces, identity, &self.params, limits, &self.domain, dt, (None, None));
        let response = anticipation_state.through.response;
        for slots in self.boids.own() {
            self.workers.sweep_within(
                slots,
                [answers.each_mut().map(Vec::as_mut_slice)],
                &|first, [preferred], _| {
                    integrate::prefer(level, &motion, (front, response), first, preferred);
                },
            );
        }
        anticipation_state.bring(front, bodies, &self.workers);
        let asking = AnticipationInput {
            flock: sorted(front, extra, identity, (&self.grid, &self.domain)),
            anticipation_state: &anticipation_state,
            bodies,
            course: self.course.as_deref(),
            extra,
            dt,
            part: anticipation_state.through.part(dt),
            draw: with_default_rounding(|| anticipation_state.through.draw_at(self.time)),
        };
        let batch = self.workers.batch();
        for slots in self.boids.own() {
            let columns = [answers.each_mut().map(Vec::as_mut_slice)];
            self.workers.for_batches_marked(
                batch,
                slots,
                columns,
                blocked.values_mut(),
                &|first, [answers], blocked, scratch| {
                    let lists = (&mut scratch.near, &mut scratch.obstacles);
                    anticipate::answer(level, &asking, first, (answers, blocked), lists);
                },
            );
        }
        anticipation_state.columns = answers;
        self.boids.outcome.blocked = blocked;
        self.anticipation_state = Some(anticipation_state);
    }

    /// After they have moved as if there were no others: their ways are cut to what the others
    /// leave.
    pub(super) fn keep_bodies_apart(&mut self, dt: f32) {
        let Some(columns) = &self.bodies else { return };
        let Boids { front, back, extra, ids, part, .. } = &mut self.boids;
        let (front, part) = (&*front, part.as_ref());
        let identity =
            Identity { rank: &front.rank, ids: named(ids, part), seed: self.seed, step: self.step };
        let bodies = Bodies {
            flock: sorted(front, extra, identity, (&self.grid, &self.domain)),
            columns,
            course: self.course.as_deref(),
            advance: self.params.advance(),
            dt,
        };
        let (level, batch) = (self.level, self.workers.batch());
        for slots in own(ids, part) {
            let columns = [back.position.each_mut(), back.velocity.each_mut()];
            self.workers.for_batches_marked(
                batch,
                slots,
                columns,
                &mut self.squeezed,
                &|first, [position, velocity], squeezed, scratch| {
                    let lists = (&mut scratch.bodies, &mut scratch.obstacles);
                    body::keep_apart(level, &bodies, first, (position, velocity, squeezed), lists);
                },
            );
        }
        let (front, back) = (&mut self.boids.front, &mut self.boids.back);
        std::mem::swap(&mut front.position, &mut back.position);
        std::mem::swap(&mut front.velocity, &mut back.velocity);
    }

    /// Tells of those that obstacles squeeze.
    pub(super) fn tell_squeezed(&mut self) {
        if self.squeezed.is_empty() {
            return;
        }
        let (squeezed, rank, ids) = (&self.squeezed, &self.boids.front.rank, self.boids.ids());
        let found = self.happened.find(squeezed.len(), |slot| squeezed[slot] > 0, &self.workers);
        self.happened.squeezed(found.iter().map(|&slot| ids.of(rank[slot as usize])));
        self.happened.put_back(found);
    }
}

/// The flock in slot order, as it was when the step began.
fn sorted<'a, const D: usize>(
    columns: &'a Columns<D>,
    extra: &'a ExtraColumns<D>,
    identity: Identity<'a>,
    (grid, domain): (&'a Grid<D>, &'a Domain<[f32; D]>),
) -> SortedFlock<'a, D> {
    let aligned = columns.velocity.each_ref();
    SortedFlock {
        columns,
        aligned,
        species: extra.species.values(),
        identity,
        grid,
        domain,
        fine: None,
        turns: None,
    }
}

/// A column onto another.
fn copy<T: Default + Send>(from: &[f32], to: &mut [f32], workers: &Workers<T>) {
    let rows = from.len();
    workers.sweep(rows, [[to]], &|first, [[to]], _| {
        to.copy_from_slice(&from[first..first + to.len()])
    });
}
