//! The circles of FLAME GPU: neighbors push apart when near and draw together when further, until
//! no boid moves.

use crate::terms::model::definition::{Definition, FocalBoid, Neighbor, SceneDefaults};
use crate::{
    Advance, COINCIDENT, Vector,
    math::{self, noise},
};

parameters! {
    /// Points push and pull each other into clusters: x ← x + mean over d < r of
    /// sin(−2π·d/r)·repulse·o/d.
    ///
    /// Within half the radius the push is away, beyond it towards. A step is a step, whatever dt; v
    /// is its displacement, so that the mean speed is the mean drift. Coincident points count as
    /// one neighbor at a quarter of the radius, in a direction of the boid's own hash.
    ///
    /// Source: the circles example and benchmark of FLAME GPU 2.
    pub struct Circles {
        radius: f32 = 2.0, "length", 1e-9 => 1e12, "How far a point feels others; it rests half as \
            far from its neighbors.", "larger circles, more neighbors, costlier steps";
        repulse: f32 = 0.05, "length", 0.0 => 1e9, "Largest displacement in a step.", "quicker \
            settling; above about a tenth of the radius points overshoot";
    }
}

impl Definition for Circles {
    const NAME: &'static str = "circles";
    const ABOUT: &'static str = "Points push those nearer than half the radius and pull those \
        farther off, which gathers them in clusters (the circles of FLAME GPU).";

    fn radius(&self) -> Option<f32> {
        Some(self.radius)
    }

    fn advance(&self) -> Advance {
        Advance::Displace
    }

    fn usual(&self) -> SceneDefaults {
        SceneDefaults { dt: 1.0, dimensions: 3, periodic: false, speed: 0.0 }
    }

    fn steering<V: Vector>(&self, own: &FocalBoid<V>, neighbors: &[Neighbor<V>]) -> V {
        let (radius_sq, per_radius) = (self.radius * self.radius, 1.0 / self.radius);
        let (mut sum, mut n, mut on_another) = (V::origin(), 0.0, false);
        for other in neighbors {
            let d = math::sqrt(other.distance_sq);
            if other.distance_sq <= radius_sq * COINCIDENT {
                on_another = true;
            } else if other.distance_sq < radius_sq {
                // sin(−2π·q) = sin(2π·(q − ½)), which keeps the angle within half a turn.
                let (sin, _) = math::sin_cos_turns(d * per_radius - 0.5);
                sum = sum.plus(other.offset.times(sin * self.repulse / d));
                n += 1.0;
            }
        }
        if on_another {
            let away: V = noise::direction(own.seed, own.id, own.step);
            sum = sum.plus(away.times(self.repulse));
            n += 1.0;
        }
        if n == 0.0 { V::origin() } else { sum.times(1.0 / n) }
    }
}
