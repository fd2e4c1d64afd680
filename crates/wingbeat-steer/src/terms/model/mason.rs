//! MASON's flockers: five vectors, one step length.

use crate::terms::model::definition::{Definition, FocalBoid, Neighbor, SceneDefaults};
use crate::{Advance, Vector, math::noise};

parameters! {
    /// A step of fixed length along the weighted sum of five vectors.
    ///
    /// Over the n neighbors within `neighborhood`, each with its last step vⱼ: **cohesion**
    /// 0.1·Σo/(n + 1); **avoidance** −400·Σ o/(d⁴ + 1)/n; **consistency** (vᵢ + Σvⱼ)/(n +
    /// 1); **randomness** 0.05·(a random direction); **momentum** vᵢ. The sum, in this order,
    /// scaled to the length `jump`, is the new velocity; a sum of zero is rest. x ← x + v·dt.
    ///
    /// Source: MASON 20 and later, sim.app.flockers. Its dead flockers, a tenth that never move and
    /// count for avoidance alone, are left out.
    pub struct Mason {
        cohesion: f32 = 1.0, "1", 0.0 => 1e9, "Weight of the way to the middle.", "tighter flocks";
        avoidance: f32 = 1.0, "1", 0.0 => 1e9, "Weight of the way from others, which is strongest \
            0.76 away.", "looser flocks";
        randomness: f32 = 1.0, "1", 0.0 => 1e9, "Weight of chance.", "more restless boids";
        consistency: f32 = 1.0, "1", 0.0 => 1e9, "Weight of the others' last steps.", "headings \
            agree sooner";
        momentum: f32 = 1.0, "1", 0.0 => 1e9, "Weight of the own last step.", "smoother tracks";
        neighborhood: f32 = 10.0, "length", 1e-9 => 1e12, "How far a boid sees.", "more neighbors, \
            larger flocks, costlier steps";
        jump: f32 = 0.7, "length/time", 0.0 => 1e9, "Speed, the same for all.", "faster boids";
    }
}

impl Mason {
    /// What Σo/(n + 1) is multiplied with.
    pub fn cohesion_gain(&self) -> f32 {
        self.cohesion * 0.1
    }

    /// What Σ o/(d⁴ + 1)/n is multiplied with.
    pub fn avoidance_gain(&self) -> f32 {
        self.avoidance * -400.0
    }

    /// What the random direction is multiplied with.
    pub fn randomness_gain(&self) -> f32 {
        self.randomness * 0.05
    }
}

impl Definition for Mason {
    const NAME: &'static str = "mason";
    const ABOUT: &'static str = "The flockers of MASON: cohesion, avoidance, randomness, \
        consistency, momentum.";
    const RADIUS_KEY: &'static str = "neighborhood";

    fn radius(&self) -> Option<f32> {
        Some(self.neighborhood)
    }

    fn advance(&self) -> Advance {
        Advance::Replace { speed: self.jump, move_with_old: false }
    }

    fn usual(&self) -> SceneDefaults {
        // In the source no boid has a velocity before the first step.
        SceneDefaults { dt: 1.0, dimensions: 2, periodic: true, speed: 0.0 }
    }

    fn steering<V: Vector>(&self, own: &FocalBoid<V>, neighbors: &[Neighbor<V>]) -> V {
        let (mut offsets, mut away, mut steps, mut n) =
            (V::origin(), V::origin(), V::origin(), 0.0);
        for other in neighbors {
            let d_sq = other.distance_sq;
            offsets = offsets.plus(other.offset);
            away = away.plus(other.offset.times(1.0 / (d_sq * d_sq + 1.0)));
            steps = steps.plus(other.velocity);
            n += 1.0;
        }
        let per_boid = 1.0 / (n + 1.0);
        let cohesion = offsets.times(per_boid).times(self.cohesion_gain());
        let others = if n > 0.0 { away.times(1.0 / n) } else { V::origin() };
        let avoidance = others.times(self.avoidance_gain());
        let consistency = own.velocity.plus(steps).times(per_boid).times(self.consistency);
        let chance: V = noise::direction(own.seed, own.id, own.step);
        let randomness = chance.times(self.randomness_gain());
        let sum = cohesion
            .plus(avoidance)
            .plus(consistency)
            .plus(randomness)
            .plus(own.velocity.times(self.momentum));
        sum.unit().times(self.jump)
    }
}
