//! Bounds by obstacles on a body's displacement, and the walls near a place.

use alloc::vec::Vec;

use crate::Vector;
use crate::contact::{Bound, SLACK};
use crate::obstacle::set::{Near, ObstacleSet};
use crate::obstacle::shape::wide;
use crate::obstacle::solid::{Point, scale, sub};
use crate::terms::anticipation::definition::Wall;

/// How far a boid inside of an obstacle is taken to be from its surface, so that it has a
/// direction.
const SURFACE: f64 = 1e-9;

/// A body whose way is to be bounded: where it is, its radius, its
/// [`scale`](crate::contact::scale), and how far it goes at most.
#[derive(Clone, Copy, Debug)]
pub struct BodyReach<V> {
    /// Where it is, length.
    pub position: V,
    /// Its radius, length.
    pub radius: f32,
    /// The largest coordinate that has a part in where it is, length.
    pub scale: f32,
    /// How long its way is at most, length.
    pub reach: f32,
}

impl<V: Vector> ObstacleSet<V> {
    /// One bound for each convex part of an obstacle that the body may come to, each where it is at
    /// the end of the step under way: the half-space at the point nearest to the body holds the
    /// whole part.
    pub fn bounds_of_way(
        &self,
        body: &BodyReach<V>,
        near: &mut impl Near,
        list: &mut Vec<u32>,
        bounds: &mut Vec<Bound<V>>,
    ) {
        let &BodyReach { position, radius, scale: magnitude, reach } = body;
        let at = wide(position);
        let (body, magnitude) = (f64::from(radius), f64::from(magnitude));
        // No bound at this distance or further is below the reach.
        let slack = (magnitude + body + f64::from(reach)) * (8.0 * f64::from(SLACK));
        let furthest = body + f64::from(reach) * 1.001 + slack;
        near.list(at.map(|x| x - furthest), at.map(|x| x + furthest), list);
        for &i in list.iter() {
            let i = i as usize;
            let (low, high) = self.bounds[i];
            self.for_images(at, at, low, high, furthest, &mut |shift| {
                let there = &self.to[i];
                self.solids[i].distances(
                    self.inward(there, there, sub(at, shift)),
                    &mut |distance, outward| {
                        let gap = (distance - body) as f32;
                        let normal: Point = scale(there.turned(outward), -1.0);
                        let bound = Bound {
                            normal: V::from_fn(|a| normal[a] as f32),
                            room: if gap > 0.0 { gap } else { 0.0 },
                            slack: (body_scale(magnitude, distance) + reach) * SLACK,
                        };
                        if bound.while_sliding() < reach {
                            bounds.push(bound);
                        }
                    },
                );
            });
        }
    }

    /// The nearest points of all convex parts of obstacles within `reach` of a place, where each
    /// comes from in the step under way.
    pub fn walls_near(
        &self,
        position: V,
        reach: f32,
        near: &mut impl Near,
        list: &mut Vec<u32>,
        walls: &mut Vec<Wall<V>>,
    ) {
        let (at, reach) = (wide(position), f64::from(reach));
        near.list(at.map(|x| x - reach), at.map(|x| x + reach), list);
        for &i in list.iter() {
            let i = i as usize;
            let (low, high) = self.bounds[i];
            let velocity = V::from_fn(|a| self.velocity[i][a] as f32);
            self.for_images(at, at, low, high, reach, &mut |shift| {
                let here = &self.from[i];
                self.solids[i].distances(
                    self.inward(here, here, sub(at, shift)),
                    &mut |distance, outward| {
                        if distance <= reach {
                            // Who is inside is kept out all the same.
                            let away = if distance > SURFACE { distance } else { SURFACE };
                            let way = scale(here.turned(outward), -away);
                            walls.push(Wall {
                                offset: V::from_fn(|a| way[a] as f32),
                                distance: away as f32,
                                velocity,
                            });
                        }
                    },
                );
            });
        }
    }

    /// Of the obstacles that stand still and whose surface is within `reach` of a place the
    /// nearest, or the one that it is deepest in: which, how far its surface is, negative inside,
    /// and the unit vector out of it; of equals the first.
    pub fn standing_within(
        &self,
        at: [f64; 3],
        reach: f64,
        near: &mut impl Near,
        list: &mut Vec<u32>,
    ) -> Option<(usize, f64, [f64; 3])> {
        near.list(at.map(|x| x - reach), at.map(|x| x + reach), list);
        let mut nearest: Option<(usize, f64, Point)> = None;
        for &i in list.iter() {
            let i = i as usize;
            if self.obstacles.list[i].motion.moves() {
                continue;
            }
            let ((low, high), now) = (self.bounds[i], &self.now[i]);
            self.for_images(at, at, low, high, reach, &mut |shift| {
                let (distance, outward) =
                    self.solids[i].distance(self.inward(now, now, sub(at, shift)));
                if distance < nearest.map_or(reach, |(_, least, _)| least) {
                    nearest = Some((i, distance, now.turned(outward)));
                }
            });
        }
        nearest
    }

    /// Whether an obstacle that moves overlaps a body at the end of the step under way, by more
    /// than rounding can.
    pub fn squeezes(&self, body: &BodyReach<V>, near: &mut impl Near, list: &mut Vec<u32>) -> bool {
        if !self.moves {
            return false;
        }
        let at = wide(body.position);
        let slack = 4.0 * (f64::from(body.scale) + f64::from(body.radius)) * f64::from(SLACK);
        let radius = f64::from(body.radius);
        near.list(at.map(|x| x - radius), at.map(|x| x + radius), list);
        let mut overlaps = false;
        for &i in list.iter() {
            let i = i as usize;
            let (low, high) = self.bounds[i];
            self.for_images(at, at, low, high, radius, &mut |shift| {
                let distance = self.solids[i]
                    .distance(self.inward(&self.to[i], &self.to[i], sub(at, shift)))
                    .0;
                overlaps =
                    overlaps || self.obstacles.list[i].motion.moves() && distance < radius - slack;
            });
        }
        overlaps
    }
}

/// The larger of the two together, as slack is taken of other bodies.
fn body_scale(magnitude: f64, distance: f64) -> f32 {
    (magnitude + if distance > 0.0 { distance } else { 0.0 }) as f32
}
