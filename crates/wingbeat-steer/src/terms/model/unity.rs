//! The boids sample of Unity's entities, as it ships: a flaw makes one boid speak for its whole
//! cell.

use crate::space::domain::floor;
use crate::terms::model::definition::{Definition, FocalBoid, Neighbor, SceneDefaults};
use crate::{Advance, Vector};

/// Both samples have the same parameters.
macro_rules! unity_parameters {
    ($(#[$doc:meta])* $model:ident) => {
        parameters! {
            $(#[$doc])*
            pub struct $model {
                cell_radius: f32 = 8.0, "length", 1e-9 => 1e11, "Side of the cells: a boid that is \
                    in the same one is a neighbor.", "more neighbors, costlier steps";
                separation_weight: f32 = 1.0, "1", -1e9 => 1e9, "Weight of the way from the middle \
                    of the cell's boids.", "looser schools";
                alignment_weight: f32 = 1.0, "1", -1e9 => 1e9, "Weight of the turn to the cell's \
                    mean heading.", "headings agree sooner";
                target_weight: f32 = 2.0, "1", -1e9 => 1e9, "Weight of the way to the target.",
                    "schools that go straight for the target";
                target_x: f32 = 0.0, "length", -1e9 => 1e9, "Where the target is.", "a target \
                    further along x";
                target_y: f32 = 0.0, "length", -1e9 => 1e9, "Where the target is.", "a target \
                    further along y";
                target_z: f32 = 0.0, "length", -1e9 => 1e9, "Where the target is, in space.", "a \
                    target further along z";
                obstacle_aversion_distance: f32 = 0.0, "length", 0.0 => 1e9, "Cells whose first \
                    boid is nearer to the obstacle than this do nothing but avoid it; 0: there is \
                    no obstacle (the sample has 30, about a shark).", "a wider berth";
                obstacle_x: f32 = 0.0, "length", -1e9 => 1e9, "Where the obstacle is.", "an \
                    obstacle further along x";
                obstacle_y: f32 = 0.0, "length", -1e9 => 1e9, "Where the obstacle is.", "an \
                    obstacle further along y";
                obstacle_z: f32 = 0.0, "length", -1e9 => 1e9, "Where the obstacle is, in space.",
                    "an obstacle further along z";
                move_speed: f32 = 25.0, "length/time", 0.0 => 1e9, "Speed, the same for all.",
                    "faster boids with wider turns";
            }
        }

        impl $model {
            /// Where the target is.
            pub fn target(&self) -> [f32; 3] {
                [self.target_x, self.target_y, self.target_z]
            }

            /// Where the obstacle is.
            pub fn obstacle(&self) -> [f32; 3] {
                [self.obstacle_x, self.obstacle_y, self.obstacle_z]
            }

            /// The heading wanted, given the two terms that the cell's boids make.
            fn heading_wanted<V: Vector>(
                &self,
                own: &FocalBoid<V>,
                cell: &$crate::terms::model::unity::UnityCell<V>,
                terms: Option<[V; 2]>
            ) -> V {
                let [target, obstacle] =
                    [self.target(), self.obstacle()].map(|point| V::from_fn(|a| point[a]));
                let berth = self.obstacle_aversion_distance;
                if cell.first.minus(obstacle).norm() < berth {
                    let way = own.position.minus(obstacle);
                    return way.unit().times(berth).minus(way);
                }
                let Some([alignment, separation]) = terms else { return V::origin() };
                let towards = target.minus(own.position).unit().times(self.target_weight);
                let sum = alignment
                    .times(self.alignment_weight)
                    .plus(separation.times(self.separation_weight))
                    .plus(towards);
                sum.unit()
            }
        }
    };
}
pub(super) use unity_parameters;

unity_parameters! {
    /// Cells of an absolute grid steer as one, by their first boid: the sample as it has shipped
    /// since September 2022.
    ///
    /// Over the n boids of the boid's own cell ⌊x/cell_radius⌋, itself among them, meant is
    /// [`UnityFixed`](crate::terms::model::UnityFixed). In fact the sums double what the cell's
    /// first boid (f, in slot order) put in, once for every other: with p = 2ⁿ⁻¹, alignment is
    /// unit(h_f·p/n − h) and separation unit(x·n − x_f·p). From three boids in a cell on, the
    /// latter leads to the world's origin. As in the source a term whose vector is 2⁶⁴ long or
    /// longer is zero (its square is infinite), and where h_f·p or x_f·p itself is infinite (about
    /// 128 boids in a cell) the boid flies straight on.
    ///
    /// Source: Unity's EntityComponentSystemSamples, 6786a74.
    Unity
}

/// The boids of a boid's own cell.
pub(super) struct UnityCell<V> {
    /// How many.
    pub n: f32,
    /// Σ hⱼ.
    pub headings: V,
    /// Σ o.
    pub offsets: V,
    /// Where the first in slot order is.
    pub first: V,
    /// Where it goes.
    pub first_heading: V,
    /// 2ⁿ⁻¹·2⁻⁶⁴, until it is of no more use.
    pub doubled: f32,
}

impl<V: Vector> UnityCell<V> {
    /// Those of `neighbors`, the boid itself among them, that are in its cell.
    pub fn of(own: &FocalBoid<V>, neighbors: &[Neighbor<V>], cell_radius: f32) -> Self {
        let per_cell = 1.0 / cell_radius;
        let place = |position: V| V::from_fn(|a| floor(position.axis(a) * per_cell));
        let zero = V::origin();
        let mut cell = Self {
            n: 0.0,
            headings: zero,
            offsets: zero,
            first: zero,
            first_heading: zero,
            doubled: Unity::SMALL,
        };
        for other in neighbors {
            if place(other.position) != place(own.position) {
                continue;
            }
            if cell.n == 0.0 {
                (cell.first, cell.first_heading) = (other.position, other.heading);
            } else {
                cell.doubled = crate::math::min(cell.doubled + cell.doubled, Unity::ENDLESS);
            }
            cell.headings = cell.headings.plus(other.heading);
            cell.offsets = cell.offsets.plus(other.offset);
            cell.n += 1.0;
        }
        cell
    }
}

impl Unity {
    /// A boid sees at most this many cell sizes far: √3 of them lie between opposite corners, and
    /// rounding may add a little.
    pub const DIAGONAL: f32 = 1.732_052_5;
    /// Sums that double are kept times this, 2⁻⁶⁴, since the source's own outgrow `f32`.
    pub const SMALL: f32 = 1.0 / Self::INFINITE;
    /// From here on, 2⁶⁴, such a sum is infinite in the source.
    pub const INFINITE: f32 = 18_446_744_073_709_551_616.0;
    /// Up to here it is doubled: nothing more is to be told by it.
    pub const ENDLESS: f32 = 4.0 * Self::INFINITE;
}

impl Definition for Unity {
    const NAME: &'static str = "unity";
    const ABOUT: &'static str = "The boids sample of Unity's entities, as it ships: one boid \
        speaks for its cell.";
    const RADIUS_KEY: &'static str = "cell_radius";
    const INCLUDES_SELF: bool = true;
    const LOOKS_AT_HEADINGS: bool = true;

    fn radius(&self) -> Option<f32> {
        Some(self.cell_radius * Self::DIAGONAL)
    }

    fn advance(&self) -> Advance {
        Advance::Lean { speed: self.move_speed }
    }

    fn usual(&self) -> SceneDefaults {
        SceneDefaults { dt: 0.02, dimensions: 3, periodic: false, speed: self.move_speed }
    }

    fn steering<V: Vector>(&self, own: &FocalBoid<V>, neighbors: &[Neighbor<V>]) -> V {
        let cell = UnityCell::of(own, neighbors, self.cell_radius);
        let infinite = |of: V| of.largest() * cell.doubled >= Self::INFINITE;
        if infinite(cell.first) || infinite(cell.first_heading) {
            return self.heading_wanted(own, &cell, None);
        }
        let alignment = cell
            .first_heading
            .times(cell.doubled * (1.0 / cell.n))
            .minus(own.heading.times(Self::SMALL));
        let separation =
            own.position.times(cell.n * Self::SMALL).minus(cell.first.times(cell.doubled));
        let term = |vector: V| if vector.norm() >= 1.0 { V::origin() } else { vector.unit() };
        self.heading_wanted(own, &cell, Some([term(alignment), term(separation)]))
    }
}
