//! Every number a user may set: what it does, its unit, default, range, and what a larger value
//! does.
//!
//! A parameter is declared once, where its field is (`parameters!` in parameters.rs). The field's
//! documentation, its default, its check, the key in a scene file, docs/KEYS.md and the sliders
//! of the live view all follow from that line, so they cannot disagree.

// How to add a parameter. A line in the `parameters!` of its struct: documentation, default, check,
// scene key and reader follow. Then `WINGBEAT_WRITE_DOCS=1 cargo test -p wingbeat-scene`, and the
// code that uses the number.

use crate::schema::limit;
use core::fmt::Display;

use crate::{ParamError, check_range};

pub use crate::schema::parameters::{NONE, Parameter, Parameters};

/// One number a user may set.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParameterInfo {
    /// Dotted name, as in a scene file. Keys shared by the three rules are listed under `rule.`; a
    /// model's have no section.
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

const MAGNITUDE: f64 = limit::MAGNITUDE as f64;
// Decimal, as people write it: `limit::RADIUS as f64` would read 999999995904.
const RADIUS: f64 = 1e12;

macro_rules! parameters {
    ($(
        $name:ident = $key:literal, $unit:literal, $default:expr, $min:expr, $max:expr,
        $about:literal, $larger:literal;
    )*) => {$(
        #[doc = $about]
        pub const $name: ParameterInfo = ParameterInfo {
            key: $key, about: $about, unit: $unit, default: $default, min: $min, max: $max,
            larger: $larger,
        };
    )*};
}

// Numbers that are no field of their own: of a step, of a cone and of an edge.
parameters! {
    DT = "flock.dt", "time", 0.02, 0.0, 1e3, "Time one step covers (above 0).", "fewer steps for \
        the same time, coarser motion, stiffer forces overshoot";
    FIELD_OF_VIEW = "rule.field_of_view", "degrees", 360.0, 0.0, 360.0, "Whole angle of the sight \
        cone about the heading; 360 sees all round.", "a smaller blind area behind";
    COS_HALF_VIEW = "rule.cos_half_view", "1", -1.0, -1.0, 1.0, "The same as a cosine of half the \
        angle; exclusive with field_of_view.", "a narrower cone";
    MARGIN = "domain.margin", "length", 0.0, 0.0, RADIUS, "Walled: how far from a face its push \
        begins.", "an earlier, softer turn";
    STRENGTH = "domain.strength", "mass·length/time²", 0.0, 0.0, MAGNITUDE, "Walled: push at the \
        face, falling linearly to 0 at the margin.", "a harder turn at walls";
    EXPECTED_NEIGHBORS = "grid.expected_neighbors", "boids", 20.0, 1.0, 1e6, "Neighbor count the \
        cell shape is tuned for; changes the order of sums, so it is part of the scene.",
        "narrower rows";
}

impl ParameterInfo {
    #[doc(hidden)]
    pub const fn new(
        key: &'static str,
        [about, unit, larger]: [&'static str; 3],
        [default, min, max]: [f64; 3],
    ) -> Self {
        Self { key, about, unit, default, min, max, larger }
    }

    /// Its key without the section.
    pub fn name(&self) -> &'static str {
        self.key.rsplit('.').next().unwrap_or(self.key)
    }

    /// Refuses a value outside the range; `field` is the name to report.
    ///
    /// # Errors
    /// Names the field, the value and the range.
    pub fn check(&self, field: impl Display, value: f32) -> Result<(), ParamError> {
        // The table's bounds are decimal; compared at f32 precision so that 1e-9 itself is
        // accepted.
        check_range(field, value, self.min as f32, self.max as f32)
    }
}
