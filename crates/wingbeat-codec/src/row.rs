//! A row of a recording.

/// One individual in one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// Number of the frame.
    pub frame: i64,
    /// Id of the individual.
    pub id: u64,
    /// Position; in the plane the third coordinate is 0.
    pub position: [f64; 3],
    /// Velocity, length per time; NaN where it is unknown.
    pub velocity: [f64; 3],
}
