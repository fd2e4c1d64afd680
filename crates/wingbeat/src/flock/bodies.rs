//! Bodies among the others: the end of room 3 in flocks whose boids are no points.

use super::Flock;
use crate::block::SortedFlock;
use crate::body::{self, Bodies};
use crate::identity::Identity;
use crate::parallel::Workers;

impl<const D: usize> Flock<D> {
    /// Before boids move: how large they are, and where they are from now on written to, beside where they were.
    pub(super) fn prepare_bodies(&mut self) {
        let Some(bodies) = &mut self.bodies else { return };
        bodies.refresh(&self.boids, &self.workers);
        bodies.squeezed.resize(if self.course.as_ref().is_some_and(|course| course.moves()) { self.boids.len() } else { 0 }, 0);
        let (front, back) = (&self.boids.front, &mut self.boids.back);
        for a in 0..D {
            for (from, to) in [(&front.position[a], &mut back.position[a]), (&front.velocity[a], &mut back.velocity[a])] {
                to.resize(from.len(), 0.0);
                copy(from, to, &self.workers);
            }
        }
    }

    /// After they have moved as if there were no others: their ways are cut to what the others leave.
    pub(super) fn keep_bodies_apart(&mut self, dt: f32) {
        let Some(columns) = &mut self.bodies else { return };
        let slots = self.boids.len();
        let mut squeezed = std::mem::take(&mut columns.squeezed);
        let (front, back) = (&self.boids.front, &mut self.boids.back);
        let bodies = Bodies {
            flock: SortedFlock {
                columns: front,
                aligned: front.velocity.each_ref().map(Vec::as_slice),
                species: self.boids.carried.species.values(),
                identity: Identity { rank: &front.rank, ids: &self.boids.ids, seed: self.seed, step: self.step },
                grid: &self.grid,
                domain: &self.domain,
                fine: None,
                turns: None,
            },
            columns,
            course: self.course.as_deref(),
            advance: self.params.advance(),
            dt,
        };
        let (level, batch) = (self.level, self.workers.batch());
        let position = back.position.each_mut().map(Vec::as_mut_slice);
        let velocity = back.velocity.each_mut().map(Vec::as_mut_slice);
        self.workers.for_batches_marked(
            batch,
            slots,
            [position, velocity],
            &mut squeezed,
            &|first, [position, velocity], squeezed, scratch| {
                let lists = (&mut scratch.bodies, &mut scratch.obstacles);
                body::keep_apart(level, &bodies, first, (position, velocity, squeezed), lists);
            },
        );
        let (front, back) = (&mut self.boids.front, &mut self.boids.back);
        std::mem::swap(&mut front.position, &mut back.position);
        std::mem::swap(&mut front.velocity, &mut back.velocity);
        if let Some(columns) = &mut self.bodies {
            columns.squeezed = squeezed;
        }
    }

    /// Tells of those that obstacles squeeze.
    pub(super) fn tell_squeezed(&mut self) {
        let Some(bodies) = self.bodies.as_ref().filter(|bodies| !bodies.squeezed.is_empty()) else { return };
        let (squeezed, rank, ids) = (&bodies.squeezed, &self.boids.front.rank, &self.boids.ids);
        let found = self.happened.find(squeezed.len(), |slot| squeezed[slot] > 0, &self.workers);
        self.happened.squeezed(found.iter().map(|&slot| ids[rank[slot as usize] as usize]));
        self.happened.put_back(found);
    }
}

/// A column onto another.
fn copy<T: Default + Send>(from: &[f32], to: &mut [f32], workers: &Workers<T>) {
    let rows = from.len();
    workers.sweep(rows, [[to]], &|first, [[to]], _| to.copy_from_slice(&from[first..first + to.len()]));
}
