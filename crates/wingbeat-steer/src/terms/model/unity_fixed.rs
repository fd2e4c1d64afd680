//! The boids sample of Unity's entities, as it was meant.

use crate::schema::parameter_info::Parameters;
use crate::terms::model::definition::{Definition, FocalBoid, Neighbor, SceneDefaults};
use crate::terms::model::unity::{Unity, UnityCell, unity_parameters};
use crate::{Advance, Vector};

unity_parameters! {
    /// A boid that shares a cell of an absolute grid is a neighbor; headings lean to the cell's
    /// mean, away from its middle and to a target.
    ///
    /// Over the n boids of the boid's own cell ⌊x/cell_radius⌋, itself among them: wanted =
    /// unit(w_a·unit(Σh/n − h) − w_s·unit(Σo)
    /// + w_t·unit(target − x)). If the cell's first boid (in slot order) is nearer to the obstacle
    /// than a = the aversion distance, wanted = (obstacle + unit(x − obstacle)·a) − x instead. Then
    /// h ← unit(h + (wanted − h)·dt), v = move_speed·h, x ← x + v·dt. Boids with equal headings, or
    /// in the very middle, take what rounding leaves of the difference for a direction, as in the
    /// source.
    ///
    /// Source: Unity's EntityComponentSystemSamples, 6786a74, with sums over all boids of a cell,
    /// as until September 2022.
    UnityFixed
}

impl Definition for UnityFixed {
    const NAME: &'static str = "unity_fixed";
    const ABOUT: &'static str = "The boids sample of Unity's entities, as it was meant: boids of a \
        cell, and a target.";
    const RADIUS_KEY: &'static str = "cell_radius";
    const INCLUDES_SELF: bool = true;
    const LOOKS_AT_HEADINGS: bool = true;

    fn radius(&self) -> Option<f32> {
        Some(self.cell_radius * Unity::DIAGONAL)
    }

    fn advance(&self) -> Advance {
        Advance::Lean { speed: self.move_speed }
    }

    fn usual(&self) -> SceneDefaults {
        SceneDefaults { dt: 0.02, dimensions: 3, periodic: false, speed: self.move_speed }
    }

    fn steering<V: Vector>(&self, own: &FocalBoid<V>, neighbors: &[Neighbor<V>]) -> V {
        let cell = UnityCell::of(own, neighbors, self.cell_radius);
        let alignment = cell.headings.times(1.0 / cell.n).minus(own.heading).unit();
        let separation = V::origin().minus(cell.offsets).unit();
        self.heading_wanted(own, &cell, Some([alignment, separation]))
    }
}

impl From<Unity> for UnityFixed {
    fn from(model: Unity) -> Self {
        let mut fixed = Self::default();
        for parameter in Unity::PARAMETERS {
            if let Some(value) = model.get(parameter.key) {
                fixed.set(parameter.key, value);
            }
        }
        fixed
    }
}
