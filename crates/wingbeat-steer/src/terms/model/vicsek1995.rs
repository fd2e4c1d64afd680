//! Vicsek et al. 1995: go where your neighbors go, plus noise.

use core::f32::consts::PI;

use crate::terms::model::definition::{Definition, FocalBoid, Neighbor, SceneDefaults};
use crate::{
    Advance, Vector,
    math::{self, noise},
};

parameters! {
    /// Self-propelled particles in the plane: the heading becomes the mean one of all within
    /// `radius`, turned by noise.
    ///
    /// h ← direction of Σ hⱼ over d ≤ r, own included, turned by U(−η/2, η/2); x ← x + v·dt with
    /// the velocity from before the turn; v ← speed·h. A sum of zero keeps the heading; a boid at
    /// rest sets off where its hash says.
    ///
    /// Source: T. Vicsek et al., *Novel Type of Phase Transition in a System of Self-Driven
    /// Particles*, Physical Review Letters 75, 1995.
    pub struct Vicsek1995 {
        speed: f32 = 0.03, "length/time", 0.0 => 1e9, "Speed, the same for all.", "faster boids, \
            which mix more";
        radius: f32 = 1.0, "length", 1e-9 => 1e12, "Whose headings count: all within this \
            distance.", "more neighbors, more order, costlier steps";
        noise: f32 = 1.0, "radians", 0.0 => 6.2831855, "Width η of the turn's interval, centred on \
            0.", "less order: at 2π every heading is random";
    }
}

impl Definition for Vicsek1995 {
    const NAME: &'static str = "vicsek1995";
    const ABOUT: &'static str = "Headings are averaged and turned by noise (Vicsek et al. 1995); \
        in the plane.";
    const PLANAR: bool = true;
    const INCLUDES_SELF: bool = true;
    const LOOKS_AT_HEADINGS: bool = true;

    fn radius(&self) -> Option<f32> {
        Some(self.radius)
    }

    fn advance(&self) -> Advance {
        Advance::Replace { speed: self.speed, move_with_old: true }
    }

    fn usual(&self) -> SceneDefaults {
        SceneDefaults { dt: 1.0, dimensions: 2, periodic: true, speed: self.speed }
    }

    fn steering<V: Vector>(&self, own: &FocalBoid<V>, neighbors: &[Neighbor<V>]) -> V {
        let mut sum = V::origin();
        for other in neighbors {
            sum = sum.plus(other.heading);
        }
        let mean = own.heading_along(sum);
        let draw = noise::uniform(own.seed, own.id, own.step, noise::stream::MODEL);
        let (sin, cos) = math::sin_cos_turns((draw - 0.5) * (self.noise * (0.5 / PI)));
        let (x, y) = (mean.axis(0), mean.axis(1));
        let turned = [x * cos - y * sin, x * sin + y * cos];
        V::from_fn(|a| turned[a]).times(self.speed)
    }
}
