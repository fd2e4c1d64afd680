//! The most urgent obstacle ahead of a boid, over all pieces and periodic images.

use crate::obstacle::avoid::{Threat, images};
use crate::obstacle::set::ObstacleSet;
use crate::{Vector, math};

impl<V: Vector> ObstacleSet<V> {
    /// The most urgent of all pieces and their images for a boid, if any is; of equals the first.
    pub fn threat(&self, position: V, velocity: V) -> Option<Threat<V>> {
        let avoidance = self.obstacles().avoidance?;
        let end = position.plus(velocity.times(avoidance.horizon));
        let low = V::from_fn(|a| math::min(position.axis(a), end.axis(a)));
        let high = V::from_fn(|a| math::max(position.axis(a), end.axis(a)));
        let mut worst: Option<Threat<V>> = None;
        for piece in self.pieces() {
            for shift in images(self.domain()) {
                let near = |a: usize| {
                    low.axis(a) <= piece.high.axis(a) + shift.axis(a)
                        && piece.low.axis(a) + shift.axis(a) <= high.axis(a)
                };
                if !(0..V::DIMENSIONS).all(near) {
                    continue;
                }
                let threat = piece.threat(position, velocity, shift, &avoidance);
                let most = worst.map_or(0.0, |worst| worst.urgency + worst.depth);
                if threat.urgency + threat.depth > most {
                    worst = Some(threat);
                }
            }
        }
        worst
    }
}
