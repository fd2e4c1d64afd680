//! Obstacles cut into convex pieces, which boids steer ahead of.

use crate::Vector;
use crate::obstacle::avoid::{Core, Piece};
use crate::obstacle::set::ObstacleSet;
use crate::obstacle::shape::length;
use crate::obstacle::solid::{Point, scale, sub};
use crate::obstacle::{ObstacleMotion, ObstacleShape};

impl<V: Vector> ObstacleSet<V> {
    /// Pieces of all obstacles, as they are now.
    pub(super) fn cut_up(&mut self) {
        self.pieces.clear();
        let Some(avoidance) = self.obstacles.avoidance else { return };
        for (i, obstacle) in self.obstacles.list.iter().enumerate() {
            let (solid, place) = (&self.solids[i], &self.now[i]);
            let velocity = self.velocity[i];
            let mut push = |core: Core<V>, corners: [Point; 2]| {
                let reach = (solid.radius() + f64::from(avoidance.clearance)) * (1.0 + 1e-4);
                let bound = |a: usize, sign: f64| {
                    let run = sign * velocity[a] * f64::from(avoidance.horizon);
                    let end = [corners[0][a] * sign, corners[1][a] * sign];
                    let most = if end[0] > end[1] { end[0] } else { end[1] };
                    (sign * (most + reach + if run > 0.0 { run } else { 0.0 })) as f32
                };
                self.pieces.push(Piece {
                    core,
                    radius: solid.radius() as f32,
                    velocity: V::from_fn(|a| velocity[a] as f32),
                    moves: velocity != [0.0; 3],
                    low: V::from_fn(|a| bound(a, -1.0)),
                    high: V::from_fn(|a| bound(a, 1.0)),
                    obstacle: i,
                });
            };
            let corners = &solid.corners;
            let n = corners.len();
            let round = |p: Point| V::from_fn(|a| p[a] as f32);
            let straight =
                matches!(&obstacle.shape, ObstacleShape::Box { angle, .. } if *angle == 0.0);
            if straight && (V::DIMENSIONS == 3 || obstacle.motion != ObstacleMotion::Host) {
                let (low, high) = (
                    place.out(corners[0]),
                    place.out(if n == 2 { corners[1] } else { corners[2] }),
                );
                push(Core::Block { low: round(low), high: round(high) }, [low, high]);
                continue;
            }
            let edges = if n > 2 { n } else { 1 };
            for k in 0..edges {
                let (a, b) = (place.out(corners[k]), place.out(corners[(k + 1) % n]));
                let way = sub(b, a);
                let long = length(way);
                let axis = if long > 0.0 { scale(way, 1.0 / long) } else { [0.0; 3] };
                push(
                    Core::Segment { from: round(a), axis: round(axis), length: long as f32 },
                    [a, b],
                );
            }
        }
    }
}
