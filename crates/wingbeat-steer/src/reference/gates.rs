//! Exits and sources of the textbook flock.

use alloc::vec::Vec;

use crate::gate::Entrance;
use crate::reference::TextbookFlock;
use crate::space::boid::TextbookBoid;
use crate::{Traits, Vector};

impl<V: Vector> TextbookFlock<V> {
    /// New ids exceed all living ones, whichever boids leave.
    pub(super) fn count_ids(&mut self) {
        let beyond = |next: u64, id: u64| next.max(id.saturating_add(1));
        self.next_id = self.boids.iter().fold(self.next_id, |next, boid| beyond(next, boid.id));
    }

    /// At the end of the step (`step.1`), each boid inside an open exit leaves by the first exit
    /// that holds it; a turnstile takes boids one by one, by ascending id.
    pub(super) fn let_out_by_exits(&mut self, step: (f64, f64)) {
        let exit_of = |i: usize| {
            let boid = self.boids[i];
            Some((boid.id, self.exits.of(boid.position, self.traits_of(i).species, step.1)?))
        };
        let mut inside: Vec<(u64, usize)> = (0..self.boids.len()).filter_map(exit_of).collect();
        inside.sort_unstable();
        self.exited =
            inside.into_iter().filter(|&(_, exit)| self.exits.lets_out(exit, step)).collect();
        let exited = &self.exited;
        self.boids.retain(|boid| !exited.iter().any(|&(id, _)| id == boid.id));
    }

    /// A boid that is due enters if there is room, when the step is over.
    pub(super) fn let_in(&mut self) {
        self.entered.clear();
        if !self.sources.any_due(self.time) {
            return;
        }
        let radius_of = |i: usize| self.traits_of(i).radius(&self.params);
        let mut others: Vec<(V, f32)> =
            (0..self.boids.len()).map(|i| (self.boids[i].position, radius_of(i))).collect();
        let Self { params, domain, obstacles, seed, time, .. } = &*self;
        let entrance =
            Entrance { params, domain, obstacles: Some(obstacles), seed: *seed, time: *time };
        let (mut sources, mut newcomers) = (self.sources.clone(), Vec::new());
        sources.release(&entrance, &mut others, u64::MAX - self.next_id, |source, place| {
            newcomers.push((source, place))
        });
        for (source, position) in newcomers {
            let (id, from) = (self.next_id, &sources.list()[source]);
            self.next_id += 1;
            self.boids.push(TextbookBoid { id, position, velocity: from.velocity });
            self.traits.insert(id, Traits { species: from.species, ..Traits::default() });
            self.entered.push((id, source));
        }
        self.sources = sources;
    }
}
