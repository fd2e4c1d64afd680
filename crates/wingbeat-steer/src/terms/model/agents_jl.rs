//! The flocking model of Agents.jl: Mesa's formula with other numbers.

use crate::terms::model::definition::{Definition, FocalBoid, Neighbor, SceneDefaults};
use crate::terms::model::mesa::bent;
use crate::{Advance, Vector};

parameters! {
    /// The formula of [`Mesa`](crate::terms::model::Mesa), its quantities named and chosen as in
    /// Agents.jl.
    ///
    /// h ← unit(h + (cohere_factor·Σo − separate_factor·Σ′o + match_factor·Σhⱼ)/n) over the n
    /// neighbors within `visual_distance`, Σ′ over those nearer than `separation`; v = speed·h.
    /// The tool's usual search also returns birds up to a cell beyond the visual distance; this is
    /// its exact one.
    ///
    /// Source: Agents.jl 6.2, examples/flock.jl.
    pub struct AgentsJl {
        speed: f32 = 1.0, "length/time", 0.0 => 1e9, "Speed, the same for all.", "faster birds";
        visual_distance: f32 = 5.0, "length", 1e-9 => 1e12, "How far a bird sees.",
            "more neighbors, larger flocks, costlier steps";
        separation: f32 = 2.0, "length", 0.0 => 1e12, "Nearer than this neighbors push.", "looser \
            flocks";
        cohere_factor: f32 = 0.1, "1/length", -1e9 => 1e9, "Weight of the way to the neighbors.",
            "tighter flocks";
        separate_factor: f32 = 0.25, "1/length", -1e9 => 1e9, "Weight of the way from those too \
            near.", "looser flocks";
        match_factor: f32 = 0.04, "1", -1e9 => 1e9, "Weight of the neighbors' headings.",
            "headings agree sooner";
    }
}

impl Definition for AgentsJl {
    const NAME: &'static str = "agents_jl";
    const ABOUT: &'static str = "The flocking model of Agents.jl: sums over neighbors bend the \
        heading.";
    const RADIUS_KEY: &'static str = "visual_distance";
    const LOOKS_AT_HEADINGS: bool = true;

    fn radius(&self) -> Option<f32> {
        Some(self.visual_distance)
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
