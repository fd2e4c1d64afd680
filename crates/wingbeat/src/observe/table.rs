//! All observables of one moment, as a row of a table.
#![forbid(unsafe_code)]

/// What [`State::observables`](super::State::observables) measures; `None` where there is no answer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Observables {
    /// How many were there.
    pub individuals: usize,
    /// See [`State::polarization`](super::State::polarization).
    pub polarization: Option<f64>,
    /// See [`State::milling`](super::State::milling).
    pub milling: Option<f64>,
    /// Length²/time; see [`State::angular_momentum`](super::State::angular_momentum).
    pub angular_momentum: Option<f64>,
    /// Length/time; see [`State::mean_speed`](super::State::mean_speed).
    pub mean_speed: Option<f64>,
    /// Length; see [`State::nearest_neighbor_distance`](super::State::nearest_neighbor_distance).
    pub nearest_neighbor_distance: Option<f64>,
    /// Length; see [`State::correlation_length`](super::State::correlation_length).
    pub correlation_length: Option<f64>,
    /// Per length^D; see [`State::density`](super::State::density).
    pub density: Option<f64>,
    /// Number of groups; see [`State::groups`](super::State::groups).
    pub groups: Option<usize>,
    /// Size of the largest group.
    pub largest_group: Option<usize>,
}

impl Observables {
    /// Names of the columns, in the order of [`values`](Self::values).
    pub const NAMES: [&str; 9] = [
        "polarization",
        "milling",
        "angular_momentum",
        "mean_speed",
        "nearest_neighbor_distance",
        "correlation_length",
        "density",
        "groups",
        "largest_group",
    ];

    /// The values, in the order of [`NAMES`](Self::NAMES).
    pub fn values(&self) -> [Option<f64>; 9] {
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
        ]
    }
}
