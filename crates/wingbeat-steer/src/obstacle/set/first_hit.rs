//! The first obstacle on a segment, between steps: what a host asks for a line of sight.

use alloc::vec::Vec;

use crate::obstacle::set::keep_outside::Only;
use crate::obstacle::set::{Near, ObstacleSet};
use crate::obstacle::shape::wide;
use crate::obstacle::solid::{Point, sub};
use crate::{ObstacleId, Vector};

/// Where a segment meets an obstacle.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ObstacleHit<V> {
    /// Which.
    pub obstacle: ObstacleId,
    /// The part of the segment before it, 0 to 1.
    pub part: f64,
    /// Unit vector out of its surface.
    pub normal: V,
}

impl<V: Vector> ObstacleSet<V> {
    /// The first obstacle on the segment between two points, as obstacles are between two steps,
    /// images in a periodic box included; of those for which `is_wanted` holds. A segment that
    /// begins inside one meets it at once, and leaves by the nearest surface: `normal` is the way
    /// there. Of obstacles met at once it is the first of the list.
    ///
    /// ```
    /// # use wingbeat_steer::{Domain, Obstacle, ObstacleMotion, ObstacleSet, ObstacleShape};
    /// let shape = ObstacleShape::Sphere { center: [5.0, 0.0], radius: 1.0 };
    /// let tree = Obstacle { name: "tree".into(), shape, motion: ObstacleMotion::Static };
    /// let obstacles = ObstacleSet::new(vec![tree].into(), &Domain::open())?;
    /// let (all, list) = (&mut obstacles.all(), &mut Vec::new());
    /// let hit = obstacles.first_hit([0.0, 0.0], [8.0, 0.0], &mut |_| true, all, list).unwrap();
    /// assert!((hit.part - 0.5).abs() < 1e-6 && hit.normal == [-1.0, 0.0]);
    /// assert!(obstacles.first_hit([0.0, 0.0], [3.0, 0.0], &mut |_| true, all, list).is_none());
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    pub fn first_hit(
        &self,
        from: V,
        to: V,
        is_wanted: &mut dyn FnMut(ObstacleId) -> bool,
        near: &mut impl Near,
        list: &mut Vec<u32>,
    ) -> Option<ObstacleHit<V>> {
        let (start, end) = (wide(from), wide(to));
        let mut near = Only { near, keep: |i| is_wanted(ObstacleId::new(i)) };
        let told = |obstacle: usize, part: f64, normal: Point| ObstacleHit {
            obstacle: ObstacleId::new(obstacle),
            part,
            normal: V::from_fn(|a| normal[a] as f32),
        };
        near.list(start, start, list);
        if let Some(&inside) = list.iter().find(|&&i| self.holds(i as usize, from)) {
            let inside = inside as usize;
            return Some(told(inside, 0.0, self.way_out_of(inside, start)));
        }
        // Between steps all obstacles are at the end of the last one, at rest.
        let hit = self.first_contact((start, end), 0.0, 1.0, &mut near, list)?;
        Some(told(hit.obstacle, hit.after, hit.normal))
    }

    /// From a point inside obstacle `i` the unit vector to its nearest surface.
    fn way_out_of(&self, i: usize, at: Point) -> Point {
        let (now, (low, high)) = (&self.now[i], self.box_of(i, &self.now[i]));
        let mut deepest = (f64::INFINITY, [0.0; 3]);
        self.for_images(at, at, low, high, f64::INFINITY, &mut |shift| {
            let (distance, outward) =
                self.solids[i].distance(self.inward(now, now, sub(at, shift)));
            if distance < deepest.0 {
                deepest = (distance, now.turned(outward));
            }
        });
        deepest.1
    }
}
