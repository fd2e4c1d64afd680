//! Bodies of a flock: anticipation before they move, contacts after.

use super::{Flock, Settings};
use crate::columns::boids::Columns;
use crate::columns::extra::{Column, Outcome};
use crate::flock::parts::{Derived, FlockState, Machine, Workspace};
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
        let Some(bodies) = &mut self.derived.bodies else { return };
        let (boids, workers) = (&self.state.boids, &self.machine.workers);
        bodies.refresh(boids, workers);
        let (front, back) = (&boids.front, &mut self.workspace.back.columns);
        for (from, to) in
            [(&front.position, &mut back.position), (&front.velocity, &mut back.velocity)]
        {
            for (from, to) in from.each_ref().into_iter().zip(to.renewed()) {
                copy(from, to, workers);
            }
        }
    }

    /// Anticipation of all boids: preferred velocities, and then answers in their place.
    pub(super) fn anticipate(&mut self, dt: f32) {
        let Self { settings, state, derived, workspace, machine, .. } = self;
        let Derived { kernel, bodies: Some(bodies), anticipation: Some(ahead), .. } = derived
        else {
            return;
        };
        let FlockState { boids, seed, step, time, course, .. } = state;
        let Workspace { grid, answers, .. } = workspace;
        let Settings { params, domain, .. } = &**settings;
        let Machine { level, workers, .. } = machine;
        let (members, front, extra, Outcome { force, blocked, .. }) = boids.split();
        answers.iter_mut().for_each(|column| column.resize(front.rank.len(), 0.0));
        let identity = Identity { rank: &front.rank, ids: members.ids(), seed: *seed, step: *step };
        let (limits, forces) =
            (Limits::new(&kernel.kinds, extra), force.each_ref().map(Column::values));
        let motion = Motion::new(forces, identity, params, limits, domain, dt, (None, None));
        let response = ahead.through.response;
        for slots in members.own() {
            let columns = [answers.each_mut().map(Vec::as_mut_slice)];
            workers.sweep_within(slots, columns, &|first, [preferred], _| {
                integrate::prefer(*level, &motion, (front, response), first, preferred);
            });
        }
        ahead.bring(front, bodies, workers);
        let asking = AnticipationInput {
            flock: SortedFlock::new(front, extra, identity, (grid, domain)),
            anticipation_state: ahead,
            bodies,
            course: course.as_deref(),
            extra,
            dt,
            part: ahead.through.part(dt),
            draw: with_default_rounding(|| ahead.through.draw_at(*time)),
        };
        for slots in members.own() {
            let columns = [answers.each_mut().map(Vec::as_mut_slice)];
            workers.for_batches_marked(
                workers.batch(),
                slots,
                columns,
                blocked.values_mut(),
                &|first, [answers], blocked, scratch| {
                    let lists = (&mut scratch.near, &mut scratch.obstacles);
                    anticipate::answer(*level, &asking, first, (answers, blocked), lists);
                },
            );
        }
    }

    /// After they have moved as if there were no others: their ways are cut to what the others
    /// leave.
    pub(super) fn keep_bodies_apart(&mut self, dt: f32) {
        let Self { settings, state, derived, workspace, machine, .. } = self;
        let Some(columns) = &derived.bodies else { return };
        let FlockState { boids, seed, step, course, .. } = state;
        let Workspace { grid, back, .. } = workspace;
        let Machine { level, workers, .. } = machine;
        let (members, front, extra, outcome) = boids.split();
        let identity = Identity { rank: &front.rank, ids: members.ids(), seed: *seed, step: *step };
        let bodies = Bodies {
            flock: SortedFlock::new(front, extra, identity, (grid, &settings.domain)),
            columns,
            course: course.as_deref(),
            advance: settings.params.advance(),
            dt,
        };
        let Columns { position, velocity, .. } = &mut back.columns;
        for slots in members.own() {
            workers.for_batches_marked(
                workers.batch(),
                slots,
                [position.each_mut(), velocity.each_mut()],
                outcome.squeezed.values_mut(),
                &|first, [position, velocity], squeezed, scratch| {
                    let lists = (&mut scratch.bodies, &mut scratch.obstacles);
                    body::keep_apart(*level, &bodies, first, (position, velocity, squeezed), lists);
                },
            );
        }
        std::mem::swap(&mut boids.front.position, position);
        std::mem::swap(&mut boids.front.velocity, velocity);
    }

    /// Tells of those that obstacles squeeze.
    pub(super) fn tell_squeezed(&mut self) {
        let (boids, happened) = (&mut self.state.boids, &mut self.workspace.happened);
        if let Some(squeezed) = boids.outcome.squeezed.get() {
            let (ids, rank) = (boids.ids(), &boids.front.rank);
            let is_squeezed = |slot: usize| squeezed[slot] > 0;
            let found = happened.find(boids.len(), is_squeezed, &self.machine.workers);
            happened.squeezed(found.iter().map(|&slot| ids.of(rank[slot as usize])));
            happened.put_back(found);
        }
        boids.outcome.squeezed.travels(false);
    }
}

/// A column onto another.
fn copy<T: Default + Send>(from: &[f32], to: &mut [f32], workers: &Workers<T>) {
    let rows = from.len();
    workers.sweep(rows, [[to]], &|first, [[to]], _| {
        to.copy_from_slice(&from[first..first + to.len()])
    });
}
