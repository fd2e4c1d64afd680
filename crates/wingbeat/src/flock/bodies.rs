//! Bodies of a flock: anticipation before they move, contacts after.

use super::Flock;
use crate::columns::boids::{Boids, named, own};
use crate::columns::extra::{Column, Outcome};
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

    /// Anticipation of all boids: preferred velocities, and then answers in their place.
    pub(super) fn anticipate(&mut self, dt: f32) {
        let (Some(anticipation_state), Some(bodies)) = (&mut self.anticipation_state, &self.bodies)
        else {
            return;
        };
        let Boids { front, extra, outcome: Outcome { force, blocked, .. }, ids, part, .. } =
            &mut self.boids;
        let (front, extra, part) = (&*front, &*extra, part.as_ref());
        let answers = &mut self.answers;
        answers.iter_mut().for_each(|column| column.resize(front.rank.len(), 0.0));
        let identity =
            Identity { rank: &front.rank, ids: named(ids, part), seed: self.seed, step: self.step };
        let (level, limits) = (self.level, Limits::new(&self.prepared.kinds, extra));
        let forces = force.each_ref().map(Column::values);
        let motion =
            Motion::new(forces, identity, &self.params, limits, &self.domain, dt, (None, None));
        let response = anticipation_state.through.response;
        for slots in own(ids, part) {
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
            flock: SortedFlock::new(front, extra, identity, (&self.grid, &self.domain)),
            anticipation_state,
            bodies,
            course: self.course.as_deref(),
            extra,
            dt,
            part: anticipation_state.through.part(dt),
            draw: with_default_rounding(|| anticipation_state.through.draw_at(self.time)),
        };
        let batch = self.workers.batch();
        for slots in own(ids, part) {
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
    }

    /// After they have moved as if there were no others: their ways are cut to what the others
    /// leave.
    pub(super) fn keep_bodies_apart(&mut self, dt: f32) {
        let Some(columns) = &self.bodies else { return };
        let Boids { front, back, extra, outcome, ids, part, .. } = &mut self.boids;
        let (front, part) = (&*front, part.as_ref());
        let identity =
            Identity { rank: &front.rank, ids: named(ids, part), seed: self.seed, step: self.step };
        let bodies = Bodies {
            flock: SortedFlock::new(front, extra, identity, (&self.grid, &self.domain)),
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
                outcome.squeezed.values_mut(),
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
        let (slots, ids, rank) = (self.len(), self.boids.ids(), &self.boids.front.rank);
        if let Some(squeezed) = self.boids.outcome.squeezed.get() {
            let found = self.happened.find(slots, |slot| squeezed[slot] > 0, &self.workers);
            self.happened.squeezed(found.iter().map(|&slot| ids.of(rank[slot as usize])));
            self.happened.put_back(found);
        }
        self.boids.outcome.squeezed.travels(false);
    }
}

/// A column onto another.
fn copy<T: Default + Send>(from: &[f32], to: &mut [f32], workers: &Workers<T>) {
    let rows = from.len();
    workers.sweep(rows, [[to]], &|first, [[to]], _| {
        to.copy_from_slice(&from[first..first + to.len()])
    });
}
