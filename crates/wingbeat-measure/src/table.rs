//! The observables of one moment, as a row of a table.

/// What [`State::measure`](crate::State::measure) found. `None` stands where it was not asked, or
/// where there is no answer.
///
/// ```
/// use wingbeat::Domain;
/// use wingbeat_measure::{State, Wanted};
/// let state = State::new(&[[0.0, 0.0], [3.0, 4.0]], &[[1.0, 0.0], [1.0, 0.0]], Domain::open());
/// let found = state.measure(Wanted::POLARIZATION | Wanted::NEAREST_NEIGHBOR_DISTANCE, None);
/// assert_eq!(
///     (found.individuals, found.polarization, found.nearest_neighbor_distance),
///     (2, Some(1.0), Some(5.0))
/// );
/// assert_eq!(found.mean_speed, None, "was not wanted");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub struct Observables {
    /// How many are there; always counted.
    pub individuals: usize,
    /// 0 to 1; see [`State::polarization`](crate::State::polarization).
    pub polarization: Option<f64>,
    /// 0 to 1; see [`State::milling`](crate::State::milling).
    pub milling: Option<f64>,
    /// Length²/time; see [`State::angular_momentum`](crate::State::angular_momentum).
    pub angular_momentum: Option<f64>,
    /// Length/time; see [`State::mean_speed`](crate::State::mean_speed).
    pub mean_speed: Option<f64>,
    /// Length; see [`State::nearest_neighbor_distance`](crate::State::nearest_neighbor_distance).
    pub nearest_neighbor_distance: Option<f64>,
    /// Length; see [`State::correlation_length`](crate::State::correlation_length).
    pub correlation_length: Option<f64>,
    /// Per length^D; see [`State::density`](crate::State::density).
    pub density: Option<f64>,
    /// Number of groups, at least 1; see [`State::groups`](crate::State::groups).
    pub groups: Option<usize>,
    /// Individuals in the largest group, at least 1.
    pub largest_group: Option<usize>,
    /// 0 to 1; see [`State::local_order`](crate::State::local_order).
    pub local_order: Option<f64>,
}

impl Observables {
    /// Names of the columns, in the order of [`values`](Self::values) and of the bits of
    /// [`Wanted`](crate::Wanted).
    pub const NAMES: [&str; 10] = [
        "polarization",
        "milling",
        "angular_momentum",
        "mean_speed",
        "nearest_neighbor_distance",
        "correlation_length",
        "density",
        "groups",
        "largest_group",
        "local_order",
    ];

    /// The values, in the order of [`NAMES`](Self::NAMES). Counts become f64, which holds them
    /// exactly up to 2⁵³.
    pub fn values(&self) -> [Option<f64>; 10] {
        [
            self.polarization,
            self.milling,
            self.angular_momentum,
            self.mean_speed,
            self.nearest_neighbor_distance,
            self.correlation_length,
            self.density,
            self.groups.map(|count| count as f64),
            self.largest_group.map(|count| count as f64),
            self.local_order,
        ]
    }
}
