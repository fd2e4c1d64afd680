//! What a rule sees: range, sight, and how many of the nearest count.

use alloc::format;

use crate::schema::parameter_info::{self, Parameters};
use crate::{ParamError, math, schema::limit};

parameters! {
    /// The neighbors a rule sees: range and sight.
    pub struct Perception in "rule." {
        radius: f32 = 1.0, "length", 1e-9 => 1e12, "Perception radius: neighbors further away are \
            not seen.", "more neighbors, smoother and costlier flocks";
        near_radius: f32 = 0.0, "length", 0.0 => 1e12, "Neighbors nearer than this are seen at \
            any angle.", "less blindness at close range";
    }
    settings {
        /// Source: Ballerini et al. 2008, who found starlings to interact with the nearest six or
        /// seven.
        nearest: Option<u32> = None, shown "all of them",
            in "boids" from 1.0 => limit::NEAREST as f64, "Of those in range and sight only this \
            many count, the nearest by (d², id). Larger: smoother motion and a costlier step, \
            nearer to a metric neighborhood.";
    }
    with {
        /// Sight cone about the heading. Default all round.
        pub view: FieldOfView = FieldOfView::All;
    }
}

/// Sight: all round, or a cone about the heading.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum FieldOfView {
    /// Everyone in range is seen; no test is made.
    All,
    /// In sight when o·h ≥ cos_half·d.
    Cone {
        /// Cosine of half the field of view, −1…1.
        cos_half: f32,
    },
}

impl FieldOfView {
    /// A cone of `field_of_view` degrees (the whole angle); 360 is [`FieldOfView::All`]. An angle
    /// outside 0…360 has no cosine here (NaN), which [`Perception::check`] refuses.
    pub fn degrees(field_of_view: f64) -> Self {
        if field_of_view == 360.0 {
            Self::All
        } else if (0.0..360.0).contains(&field_of_view) {
            Self::Cone { cos_half: math::cos_half_view(field_of_view) }
        } else {
            Self::Cone { cos_half: f32::NAN }
        }
    }

    /// Cosine of half a cone; `None` all round.
    pub fn cos_half(self) -> Option<f32> {
        match self {
            Self::All => None,
            Self::Cone { cos_half } => Some(cos_half),
        }
    }
}

/// A radius, all round.
impl From<f32> for Perception {
    fn from(radius: f32) -> Self {
        Self { radius, ..Self::default() }
    }
}

impl Perception {
    /// Refuses a radius, cone, near radius or number of nearest outside its range; `rule` is the
    /// name to report.
    ///
    /// # Errors
    /// Names the parameter, its value and what is allowed.
    pub fn check(&self, rule: &str) -> Result<(), ParamError> {
        self.check_ranges(rule)?;
        if let FieldOfView::Cone { cos_half } = self.view {
            parameter_info::COS_HALF_VIEW.check(format_args!("{rule}.cos_half_view"), cos_half)?;
        }
        check_nearest(&format!("{rule}.nearest"), self.nearest)
    }
}

pub(crate) fn check_nearest(field: &str, nearest: Option<u32>) -> Result<(), ParamError> {
    match nearest {
        Some(k) if k == 0 || k > limit::NEAREST => {
            Err(ParamError::new(field, k, format!("1 to {}, or none", limit::NEAREST)))
        }
        _ => Ok(()),
    }
}
