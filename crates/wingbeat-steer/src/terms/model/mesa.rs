//! Mesa's boid flockers, whose formula Agents.jl shares.

use crate::terms::model::definition::{Definition, FocalBoid, Neighbor, SceneDefaults};
use crate::{Advance, Vector};

parameters! {
    /// Headings are pulled together, apart and along by sums over the neighbors, divided by how
    /// many there are.
    ///
    /// Over the n neighbors within `vision`: h ← unit(h + (cohere_factor·Σo −
    /// separate_factor·Σ′o + match_factor·Σhⱼ)/n), where Σ′ is over those nearer than `separation`.
    /// No neighbor, or a sum of zero: the heading is kept (at rest: where the boid's hash says).
    /// v = speed·h, x ← x + v·dt. Coincident neighbors count with their heading alone.
    ///
    /// Source: Mesa 3.3.1, the boid flockers example.
    pub struct Mesa {
        speed: f32 = 1.0, "length/time", 0.0 => 1e9, "Speed, the same for all.", "faster boids";
        vision: f32 = 10.0, "length", 1e-9 => 1e12, "How far a boid sees.",
            "more neighbors, larger flocks, costlier steps";
        separation: f32 = 2.0, "length", 0.0 => 1e12, "Nearer than this neighbors push.", "looser \
            flocks";
        cohere_factor: f32 = 0.03, "1/length", -1e9 => 1e9, "Weight of the way to the \
            neighbors.", "tighter flocks, and with wide vision boids that circle";
        separate_factor: f32 = 0.015, "1/length", -1e9 => 1e9, "Weight of the way from those too \
            near.", "looser flocks; only above cohere_factor does it push at all";
        match_factor: f32 = 0.05, "1", -1e9 => 1e9, "Weight of the neighbors' headings.",
            "headings agree sooner";
    }
}

impl Definition for Mesa {
    const NAME: &'static str = "mesa";
    const ABOUT: &'static str = "The boid flockers of Mesa: sums over neighbors bend the heading.";
    const RADIUS_KEY: &'static str = "vision";
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
        bent(
            own,
            neighbors,
            self.separation,
            [self.cohere_factor, self.separate_factor, self.match_factor],
        )
        .times(self.speed)
    }
}

/// The heading, bent by sums over neighbors.
pub(super) fn bent<V: Vector>(
    own: &FocalBoid<V>,
    neighbors: &[Neighbor<V>],
    separation: f32,
    weights: [f32; 3],
) -> V {
    let [cohere, separate, along] = weights;
    let heading = own.heading_or_hash();
    let (mut offsets, mut close, mut headings, mut n) =
        (V::origin(), V::origin(), V::origin(), 0.0);
    for other in neighbors {
        offsets = offsets.plus(other.offset);
        if other.distance_sq < separation * separation {
            close = close.plus(other.offset);
        }
        headings = headings.plus(other.heading);
        n += 1.0;
    }
    if n == 0.0 {
        return heading;
    }
    let sum = offsets.times(cohere).minus(close.times(separate)).plus(headings.times(along));
    let wanted = heading.plus(sum.times(1.0 / n));
    if wanted.largest() > 0.0 { wanted.unit() } else { heading }
}
