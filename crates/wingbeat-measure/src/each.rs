//! Observables of each individual, rather than of all.

use wingbeat::measuring::vectors::{cross, dot, norm};

use crate::tree::{BoxGaps, KdTree};
use crate::{State, Wanted, groups, nearest};

/// What [`State::each`] found: by ascending id for a flock, as they lie for slices. Columns that
/// were not asked for are empty.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Each {
    /// Speeds ‖v‖, length/time; NaN where the velocity is not known.
    pub speeds: Vec<f64>,
    /// Distances to the nearest other, length; infinite where there is no other individual.
    pub nearest_neighbor_distances: Vec<f64>,
    /// How many are in one's [group](State::groups), oneself among them.
    pub group_sizes: Vec<usize>,
    /// ‖Σ h‖ / n of an individual that is within the radius, see [`State::local_order`]; NaN where
    /// the velocity is not known.
    pub local_orders: Vec<f64>,
}

impl<const D: usize> State<'_, D> {
    /// What observables are the means of, for every individual: [`Wanted::MEAN_SPEED`] asks for
    /// speeds, [`Wanted::NEAREST_NEIGHBOR_DISTANCE`] for these distances, [`Wanted::GROUPS`] or
    /// [`Wanted::LARGEST_GROUP`] and [`Wanted::LOCAL_ORDER`] for these, where a radius (length,
    /// above 0) is given. One tree answers all.
    ///
    /// ```
    /// use wingbeat::Domain;
    /// use wingbeat_measure::{State, Wanted};
    /// let state = State::new(
    ///     &[[0.0, 0.0], [1.0, 0.0], [9.0, 0.0]],
    ///     &[[1.0, 0.0], [0.0, 2.0], [0.0, 1.0]],
    ///     Domain::open(),
    /// );
    /// let each = state.each(Wanted::ALL, Some(2.0));
    /// assert_eq!(each.speeds, [1.0, 2.0, 1.0]);
    /// assert_eq!(each.nearest_neighbor_distances, [1.0, 1.0, 8.0]);
    /// assert_eq!(each.group_sizes, [2, 2, 1]);
    /// assert_eq!(each.local_orders, [0.5f64.sqrt(), 0.5f64.sqrt(), 1.0]);
    /// ```
    #[inline(never)]
    pub fn each(&self, wanted: Wanted, radius: Option<f64>) -> Each {
        let mut each = Each::default();
        if self.is_empty() {
            return each;
        }
        if wanted.contains(Wanted::MEAN_SPEED) {
            each.speeds =
                (0..self.len()).map(|place| norm(self.individuals.velocity(place))).collect();
        }
        let radius = radius.filter(|&radius| radius > 0.0 && radius.is_finite());
        let group = radius.filter(|_| wanted.intersects(Wanted::GROUPS | Wanted::LARGEST_GROUP));
        let local = radius.filter(|_| wanted.contains(Wanted::LOCAL_ORDER));
        let nearest = wanted.contains(Wanted::NEAREST_NEIGHBOR_DISTANCE);
        if nearest || group.is_some() || local.is_some() {
            self.pool.enter(|| {
                let tree = KdTree::new(&self.individuals, self.pool);
                let gaps = BoxGaps::new(&self.domain);
                if nearest {
                    each.nearest_neighbor_distances =
                        nearest::distances(&tree, gaps, self.pool, self.level);
                }
                each.group_sizes = group
                    .map(|radius| groups::size_of_each(&tree, gaps, radius))
                    .unwrap_or_default();
                each.local_orders =
                    local.map(|radius| self.orders(&tree, radius)).unwrap_or_default();
            });
        }
        each
    }

    /// Velocities, in space with a third component of 0.
    pub fn velocities(&self) -> Vec<[f64; 3]> {
        let in_space = |v: [f64; D]| std::array::from_fn(|a| if a < D { v[a] } else { 0.0 });
        (0..self.len()).map(|place| in_space(self.individuals.velocity(place))).collect()
    }
}

/// The angle from one velocity to another, radians: in the plane (2 dimensions) −π to π, above 0 to
/// the left, in space 0 to π. `None` where one is not known or rests.
///
/// ```
/// use wingbeat_measure::turn;
/// assert_eq!(turn([2.0, 0.0, 0.0], [0.0, 1.0, 0.0], 2), Some(std::f64::consts::FRAC_PI_2));
/// assert_eq!(turn([2.0, 0.0, 0.0], [0.0, -1.0, 0.0], 2), Some(-std::f64::consts::FRAC_PI_2));
/// assert_eq!(turn([2.0, 0.0, 0.0], [0.0, -1.0, 0.0], 3), Some(std::f64::consts::FRAC_PI_2));
/// assert_eq!(turn([0.0; 3], [0.0, 1.0, 0.0], 2), None);
/// ```
pub fn turn(from: [f64; 3], to: [f64; 3], dimensions: usize) -> Option<f64> {
    let rest = f64::from(wingbeat::steer::REST_SPEED);
    let moves = norm(from) >= rest && norm(to) >= rest;
    let (across, along) = (cross(from, to), dot(&from, &to));
    moves.then(|| libm::atan2(if dimensions == 2 { across[2] } else { norm(across) }, along))
}
