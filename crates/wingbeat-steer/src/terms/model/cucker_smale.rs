//! Cucker and Smale 2007: velocities approach each other, the faster the nearer.

use crate::terms::model::definition::{Definition, FocalBoid, Neighbor, SceneDefaults};
use crate::{Advance, Vector, math};

parameters! {
    /// Every boid takes on the velocities of all others, weighted by distance: a = (K/N)·Σⱼ (vⱼ −
    /// vᵢ)/(1 + d²)^β.
    ///
    /// N is the number of boids of the flock. Speeds have no limits; the mean velocity is conserved
    /// but for rounding: a step changes it by at most half a unit in the last place of the largest
    /// velocity, in the long run to one side (docs/MODEL.md). (1 + d²)^−β is 2^(−β·log₂(1 + d²))
    /// with the written-out series of [`math`](crate::math), and at least 2⁻¹²⁶.
    ///
    /// Source: F. Cucker, S. Smale, *Emergent Behavior in Flocks*, IEEE Transactions on Automatic
    /// Control 52, 2007.
    pub struct CuckerSmale {
        strength: f32 = 1.0, "1/time", 0.0 => 1e9, "K, the rate at which velocities approach each \
            other.", "quicker agreement; above 2/dt it overshoots";
        exponent: f32 = 0.5, "1", 0.0 => 1e3, "β, how fast influence fades with distance. Up to ½ \
            agreement is certain.", "influence that fades sooner, groups that part";
        radius: Option<f32> = crate::terms::model::NONE, "length", 1e-9 => 1e12, "Boids further \
            away than this do not count; left out, all pairs do.", "more pairs and costlier steps";
    }
}

impl Definition for CuckerSmale {
    const NAME: &'static str = "cucker_smale";
    const ABOUT: &'static str = "Velocities approach each other, weighted by distance (Cucker and \
        Smale 2007).";

    fn radius(&self) -> Option<f32> {
        self.radius
    }

    fn advance(&self) -> Advance {
        Advance::Unlimited
    }

    fn usual(&self) -> SceneDefaults {
        SceneDefaults { dt: 0.02, dimensions: 3, periodic: false, speed: 1.0 }
    }

    fn steering<V: Vector>(&self, own: &FocalBoid<V>, neighbors: &[Neighbor<V>]) -> V {
        let mut sum = V::origin();
        for other in neighbors {
            let weight = math::exp2(-self.exponent * math::log2(1.0 + other.distance_sq));
            sum = sum.plus(other.velocity.minus(own.velocity).times(weight));
        }
        sum.times(self.strength / own.boids)
    }
}
