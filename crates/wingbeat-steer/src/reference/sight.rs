//! Perception: range, sight, and the nearest that count.

use alloc::vec::Vec;

use crate::reference::TextbookFlock;
use crate::space::boid::COINCIDENT;
use crate::{FieldOfView, Perception, Vector, math};
use crate::{Neighborhood, Seen};

impl<V: Vector> TextbookFlock<V> {
    /// What `i` would see of `j` under a rule's perception if it is in range, and whether it sees
    /// it.
    fn sees(&self, i: usize, j: usize, perception: &Perception) -> Option<(Seen<V>, bool)> {
        let (own, other) = (&self.boids[i], &self.boids[j]);
        let raw = other.position.minus(own.position);
        let offset = V::from_fn(|a| self.domain.image(a, raw.axis(a)));
        let distance_sq = offset.norm_sq();
        let radius_sq = perception.radius * perception.radius;
        let in_range = distance_sq <= radius_sq;
        if i == j || !in_range || !self.flock_together(i, j) {
            return None;
        }
        let coincident = distance_sq <= radius_sq * COINCIDENT;
        let distance = math::sqrt(distance_sq);
        let near = perception.near_radius > 0.0
            && distance_sq <= perception.near_radius * perception.near_radius;
        let at_any_angle = match perception.view {
            FieldOfView::All => true,
            FieldOfView::Cone { cos_half } => {
                let ahead = |gaze: V| offset.inner(gaze) >= cos_half * distance;
                coincident || self.gaze(i).is_none_or(ahead)
            }
        };
        let only_near = near && !at_any_angle;
        let seen =
            Seen { offset, distance, distance_sq, coincident, only_near, ..Seen::itself(other) };
        Some((seen, at_any_angle || near))
    }

    /// All that `i` sees under a perception, in slot order, each with its index: those in range and
    /// sight that its species counts, and where only the nearest count, the k least of them by (d²,
    /// id).
    pub(super) fn neighbors(
        &self,
        i: usize,
        order: &[usize],
        perception: &Perception,
    ) -> Sights<V> {
        let mut sights = Sights::new(self.params.capped(*perception));
        order.iter().for_each(|&j| sights.look(self, i, j));
        if let Some(k) = sights.perception.nearest {
            let rank = |(_, seen): &(usize, Seen<V>)| (seen.distance_sq, seen.id);
            let mut ranked: Vec<_> = sights.seen.iter().map(rank).collect();
            ranked.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            if let Some(&last) = ranked.get(k as usize - 1) {
                // Distances are no NaN, so pairs compare as they were sorted.
                sights.seen.retain(|other| rank(other) <= last);
                sights.beyond_cap = ranked.len() - sights.seen.len();
            }
        }
        sights
    }
}

/// The boids that a boid sees under a perception, with their indices, and how many it does not.
pub(super) struct Sights<V> {
    pub perception: Perception,
    pub seen: Vec<(usize, Seen<V>)>,
    out_of_sight: usize,
    beyond_cap: usize,
}

impl<V: Vector> Sights<V> {
    fn new(perception: Perception) -> Self {
        Self { perception, seen: Vec::new(), out_of_sight: 0, beyond_cap: 0 }
    }

    fn look(&mut self, flock: &TextbookFlock<V>, i: usize, j: usize) {
        match flock.sees(i, j, &self.perception) {
            Some((seen, true)) => self.seen.push((j, seen)),
            Some((_, false)) => self.out_of_sight += 1,
            None => {}
        }
    }

    /// Puts the looker itself among those seen, where it stands in slot order.
    pub fn include(&mut self, i: usize, order: &[usize], itself: Seen<V>) {
        let mut before = 0;
        for &j in order.iter().take_while(|&&j| j != i) {
            before += usize::from(self.seen.get(before).is_some_and(|&(seen, _)| seen == j));
        }
        self.seen.insert(before, (i, itself));
    }

    /// The same without indices, for explanations.
    pub fn told(self) -> Neighborhood<V> {
        let neighbors = self.seen.into_iter().map(|(_, seen)| seen).collect();
        Neighborhood {
            perception: self.perception,
            neighbors,
            out_of_sight: self.out_of_sight,
            beyond_cap: self.beyond_cap,
        }
    }
}
