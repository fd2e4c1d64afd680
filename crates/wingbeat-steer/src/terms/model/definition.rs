//! The inputs of a model from the literature, and the trait that defines one.

use core::fmt::Debug;

use crate::schema::parameter_info::Parameters;
use crate::{Advance, ParamError, Vector, math::noise};

/// What a scene of a model has unless told otherwise.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SceneDefaults {
    /// Time one step covers.
    pub dt: f32,
    /// 2 or 3.
    pub dimensions: usize,
    /// Whether the box is periodic; otherwise the world is open.
    pub periodic: bool,
    /// Speed at the start.
    pub speed: f32,
}

/// The boid that looks.
#[derive(Clone, Copy, Debug)]
pub struct FocalBoid<V> {
    /// Its id, which its randomness is keyed by, with `seed` and `step`.
    pub id: u64,
    /// Key of the flock's randomness.
    pub seed: u64,
    /// Steps made before this one.
    pub step: u64,
    /// Boids of the flock, exact to 2²⁴.
    pub boids: f32,
    /// Where it is.
    pub position: V,
    /// Velocity.
    pub velocity: V,
    /// Heading, 0 at rest.
    pub heading: V,
}

impl<V: Vector> FocalBoid<V> {
    /// The heading along a sum; where there is none (shorter than 10⁻¹⁵, as a velocity at rest),
    /// its own.
    pub(crate) fn heading_along(&self, sum: V) -> V {
        let along = crate::heading(sum);
        if along.largest() > 0.0 { along } else { self.heading_or_hash() }
    }

    /// The heading; of a boid at rest, the direction in which its hash sends it off, the same at
    /// every step.
    pub(crate) fn heading_or_hash(&self) -> V {
        if self.heading.largest() > 0.0 {
            self.heading
        } else {
            noise::direction(self.seed, self.id, 0)
        }
    }
}

/// A boid in range, as the looker sees it.
#[derive(Clone, Copy, Debug)]
pub struct Neighbor<V> {
    /// The way to it, through the nearest image.
    pub offset: V,
    /// d².
    pub distance_sq: f32,
    /// Where it is.
    pub position: V,
    /// Its velocity.
    pub velocity: V,
    /// Its heading, 0 at rest.
    pub heading: V,
}

/// A model's definition.
pub trait Definition:
    Parameters + Copy + Debug + Default + PartialEq + Send + Sync + 'static
{
    /// Its name, as a scene file has it.
    const NAME: &'static str;
    /// One sentence.
    const ABOUT: &'static str;
    /// The parameter that says how far a boid looks.
    const RADIUS_KEY: &'static str = "radius";
    /// Whether it exists in the plane only.
    const PLANAR: bool = false;
    /// Whether a boid is among its own neighbors (at distance 0).
    const INCLUDES_SELF: bool = false;
    /// Whether it looks at its neighbors' headings.
    const LOOKS_AT_HEADINGS: bool = false;

    /// Refuses combinations of parameters that have no meaning; ranges are checked besides.
    ///
    /// # Errors
    /// Names the parameter, its value and what is allowed.
    fn check(&self) -> Result<(), ParamError> {
        Ok(())
    }
    /// How far a boid looks; `None`: at everyone.
    fn radius(&self) -> Option<f32>;
    /// How its steering moves a boid.
    fn advance(&self) -> Advance;
    /// What its scenes have unless told otherwise.
    fn usual(&self) -> SceneDefaults;
    /// What a boid makes of all that it sees, in slot order: those within its radius (d² ≤ r²) that
    /// its species counts as neighbors, under the flock's cap the nearest of them; and itself,
    /// where it is among its own neighbors.
    fn steering<V: Vector>(&self, own: &FocalBoid<V>, neighbors: &[Neighbor<V>]) -> V;
}
