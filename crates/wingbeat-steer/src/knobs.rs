//! Every knob in one table: what it does, its unit, default, range, and what a larger value does.
//!
//! Validation, documentation, `wingbeat check` and (later) sliders all read this table, so they cannot disagree.

use crate::{ParamError, check_range};

/// One number a user may set.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Knob {
    /// Dotted name, as in a scene file. Keys shared by the three rules are listed under `rule.`.
    pub key: &'static str,
    /// What it is, in one sentence.
    pub about: &'static str,
    /// Unit, in terms of the scene's own length and time.
    pub unit: &'static str,
    /// Value when left out.
    pub default: f64,
    /// Smallest accepted value.
    pub min: f64,
    /// Largest accepted value.
    pub max: f64,
    /// What a larger value does.
    pub larger: &'static str,
}

/// Largest accepted coordinate, weight… of MODEL.md's "accepted range".
pub mod limit {
    /// |x| of a position.
    pub const POSITION: f32 = 1e30;
    /// |v| of an initial velocity.
    pub const VELOCITY: f32 = 1e12;
    /// Smallest radius or mass.
    pub const SMALLEST: f32 = 1e-9;
    /// Largest radius.
    pub const RADIUS: f32 = 1e12;
    /// Largest weight, force, speed or mass.
    pub const MAGNITUDE: f32 = 1e9;
    /// Largest time step.
    pub const TIME_STEP: f32 = 1e3;
    /// Most steps from one turn of a boid to the next.
    pub const STEER_EVERY: u32 = 1000;
    /// Most neighbours of a topological neighbourhood.
    pub const NEAREST: u32 = 32;
}

const MAGNITUDE: f64 = limit::MAGNITUDE as f64;
const SMALLEST: f64 = 1e-9;
// Decimal, as people write it: `limit::RADIUS as f64` would read 999999995904.
const RADIUS: f64 = 1e12;

macro_rules! knobs {
    ($($key:literal, $unit:literal, $default:expr, $min:expr, $max:expr, $about:literal, $larger:literal;)*) => {
        /// All knobs, in the order of a scene file.
        pub const KNOBS: &[Knob] = &[$(Knob {
            key: $key, about: $about, unit: $unit, default: $default, min: $min, max: $max, larger: $larger,
        }),*];
    };
}

knobs! {
    "flock.dt", "time", 0.02, 0.0, 1e3, "Time one step covers (above 0).", "fewer steps for the same time, coarser motion, stiffer forces overshoot";
    "agent.max_speed", "length/time", 2.0, 0.0, MAGNITUDE, "Speed is scaled down to this after every step.", "faster boids; they outrun their own perception when max_speed·dt nears the radius";
    "agent.min_speed", "length/time", 0.0, 0.0, MAGNITUDE, "Speed is scaled up to this after every step; at most max_speed.", "boids that cannot stop or hover, as birds";
    "agent.max_force", "mass·length/time²", 5.0, 0.0, MAGNITUDE, "The combined force is cut to this length.", "sharper turns, quicker reactions, and jitter when far too large";
    "agent.mass", "mass", 1.0, SMALLEST, MAGNITUDE, "Divides the force.", "more sluggish boids";
    "agent.cruise_speed", "length/time", 1.0, 0.0, MAGNITUDE, "Speed under the `direction` combination.", "faster boids";
    "agent.smoothing_rate", "1/time", 0.0, 0.0, MAGNITUDE, "How fast velocity approaches the chosen direction; 0 turns at once.", "quicker turns (0 aside)";
    "rule.weight", "1", 1.0, -MAGNITUDE, MAGNITUDE, "Factor on the rule's response.", "the rule wins over the others more often; negative inverts it";
    "rule.radius", "length", 1.0, SMALLEST, RADIUS, "Perception radius: neighbours further away are not seen.", "more neighbours, smoother and costlier flocks";
    "rule.field_of_view", "degrees", 360.0, 0.0, 360.0, "Whole angle of the sight cone about the heading; 360 sees all round.", "a smaller blind area behind";
    "rule.cos_half_view", "1", -1.0, -1.0, 1.0, "The same as a cosine of half the angle; exclusive with field_of_view.", "a narrower cone";
    "rule.near_radius", "length", 0.0, 0.0, RADIUS, "Neighbours nearer than this are seen at any angle.", "less blindness at close range";
    "domain.margin", "length", 0.0, 0.0, RADIUS, "Walled: how far from a face its push begins.", "an earlier, softer turn";
    "domain.strength", "mass·length/time²", 0.0, 0.0, MAGNITUDE, "Walled: push at the face, falling linearly to 0 at the margin.", "a harder turn at walls";
    "grid.expected_neighbors", "boids", 20.0, 1.0, 1e6, "Neighbour count the cell shape is tuned for; changes the order of sums, so it is part of the scene.", "narrower rows";
}

/// The knob with this key (rules' keys as `rule.weight`).
pub fn knob(key: &str) -> Option<&'static Knob> {
    KNOBS.iter().find(|k| k.key == key)
}

impl Knob {
    /// Refuses a value outside the range; `field` is the name to report.
    ///
    /// # Errors
    /// Names the field, the value and the range.
    pub fn check(&self, field: &str, value: f32) -> Result<(), ParamError> {
        // The table's bounds are decimal; compared at f32 precision so that 1e-9 itself is accepted.
        check_range(field, value, self.min as f32, self.max as f32)
    }
}

/// Refuses `value` unless it lies within the range of the knob `key`; `field` is the name to report.
pub(crate) fn check(key: &str, field: &str, value: f32) -> Result<(), ParamError> {
    knob(key).expect("only keys of the table are checked").check(field, value)
}
