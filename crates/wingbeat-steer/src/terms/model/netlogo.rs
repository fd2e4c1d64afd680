//! NetLogo's flocking: three limited turns.

use crate::terms::model::definition::{Definition, FocalBoid, Neighbor, SceneDefaults};
use crate::{Advance, COINCIDENT, LargestTurn, Vector, math};

parameters! {
    /// A boid that is too near is turned away from, otherwise headings align and then turn to the
    /// flock, each by a limited angle.
    ///
    /// Flockmates are all within `vision`. If the nearest of them (of equals the first in slot
    /// order) is nearer than `minimum_separation`: turn away from its **heading**, that is by the
    /// angle from its heading to the own one, at most `max_separate_turn`. Otherwise turn towards
    /// the direction of Σ hⱼ by at most `max_align_turn`, and from there towards the direction of Σ
    /// o/d by at most `max_cohere_turn`; a sum of zero is no turn. An exactly opposite direction is
    /// turned to clockwise. v = speed·h, x ← x + v·dt. Turns are per step, whatever dt. A boid at
    /// rest sets off where its hash says, and no boid turns away from it.
    ///
    /// Source: the Flocking model of NetLogo's library (Wilensky 1998).
    pub struct NetLogo {
        speed: f32 = 1.0, "length/time", 0.0 => 1e9, "Speed, the same for all.", "faster birds";
        vision: f32 = 5.0, "length", 1e-9 => 1e12, "How far a bird sees.",
            "more flockmates, larger flocks, costlier steps";
        minimum_separation: f32 = 1.0, "length", 0.0 => 1e12, "Nearer than this the nearest \
            flockmate is turned away from, and nothing else is done.", "looser flocks, which align \
                less";
        max_align_turn: f32 = 5.0, "degrees", 0.0 => 180.0, "Largest turn of a step towards the \
            flockmates' mean heading.", "headings agree sooner";
        max_cohere_turn: f32 = 3.0, "degrees", 0.0 => 180.0, "Largest turn of a step towards the \
            flockmates themselves.", "tighter flocks";
        max_separate_turn: f32 = 1.5, "degrees", 0.0 => 180.0, "Largest turn of a step away from \
            the nearest.", "quicker parting";
    }
}

impl NetLogo {
    /// The largest turns: to align, to cohere, to separate.
    pub fn largest_turns(&self) -> [LargestTurn; 3] {
        [self.max_align_turn, self.max_cohere_turn, self.max_separate_turn]
            .map(|degrees| LargestTurn::new(degrees, 1.0))
    }
}

impl Definition for NetLogo {
    const NAME: &'static str = "netlogo";
    const ABOUT: &'static str = "The Flocking model of NetLogo's library: three limited turns; in \
        the plane.";
    const RADIUS_KEY: &'static str = "vision";
    const PLANAR: bool = true;
    const LOOKS_AT_HEADINGS: bool = true;

    fn radius(&self) -> Option<f32> {
        Some(self.vision)
    }

    fn advance(&self) -> Advance {
        Advance::Replace { speed: self.speed, move_with_old: false }
    }

    fn usual(&self) -> SceneDefaults {
        SceneDefaults { dt: 1.0, dimensions: 2, periodic: true, speed: self.speed }
    }

    fn steering<V: Vector>(&self, own: &FocalBoid<V>, neighbors: &[Neighbor<V>]) -> V {
        let heading = own.heading_or_hash();
        let coincident = self.vision * self.vision * COINCIDENT;
        let (mut along, mut towards) = (V::origin(), V::origin());
        let (mut nearest_sq, mut nearest) = (f32::INFINITY, V::origin());
        for other in neighbors {
            if other.distance_sq < nearest_sq {
                (nearest_sq, nearest) = (other.distance_sq, other.heading);
            }
            along = along.plus(other.heading);
            if other.distance_sq > coincident {
                towards = towards.plus(other.offset.times(1.0 / math::sqrt(other.distance_sq)));
            }
        }
        let [align, cohere, separate] = self.largest_turns();
        let heading = if nearest_sq < self.minimum_separation * self.minimum_separation {
            // The turn that led from the other's heading to the own one, once more.
            turn(heading, nearest, heading, &separate)
        } else {
            let aligned = turn(heading, heading, along.unit(), &align);
            turn(aligned, aligned, towards.unit(), &cohere)
        };
        heading.times(self.speed)
    }
}

/// A heading in the plane, turned by the angle that leads from one direction to another, at most by
/// so much; straight back is clockwise. Not turned where one of the two is no direction.
fn turn<V: Vector>(heading: V, from: V, to: V, most: &LargestTurn) -> V {
    if from.largest() == 0.0 || to.largest() == 0.0 {
        return heading;
    }
    let ahead = from.inner(to);
    let left = from.axis(0) * to.axis(1) - from.axis(1) * to.axis(0);
    let size = left.abs();
    let within =
        if most.wide { ahead > 0.0 || size >= most.sin } else { ahead > 0.0 && size <= most.sin };
    let (cos, sin) = if within {
        (ahead, left)
    } else {
        (most.cos, if left > 0.0 { most.sin } else { -most.sin })
    };
    let (x, y) = (heading.axis(0), heading.axis(1));
    let turned = [x * cos - y * sin, x * sin + y * cos];
    V::from_fn(|a| turned[a])
}
