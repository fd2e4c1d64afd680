//! Parameters of the three rules: perception, weight and response of each.
//!
//! The formulas are in reference/rules.rs; those of agents/behavior/flocking.rs are for single
//! agents, and apart.

// How to add a rule (beside the three). Its formula in MODEL.md and in reference/rules.rs; a struct
// here; a `Term`. In the engine its sight in `ThreeSights` and `ThreeLanes`, its sums in
// `ThreeSums` and `visit` (terms/rule/three.rs), its response in terms/rule/responses.rs, its
// columns in `Layout` (kernel/prepared.rs), its weight in terms/species_table.rs, its `push` in
// kernel/decide.rs, in the order of `Params::term_order`. A flock that has it must not get the form
// `SHARED` (`share_one_sight`). Add it to the product in tests/it/agrees_with_textbook.rs and to
// `RULES` in tests/it/combinations.rs. A rule for one host needs none of this: `pair_rule!`.

use crate::schema::parameter_info;
use alloc::{format, string::ToString};

use crate::schema::parameter_info::Parameters;
use crate::{ParamError, math, schema::limit};

parameters! {
    /// The neighbors a rule sees: range and sight.
    pub struct Perception in "rule." {
        radius: f32 = 1.0, "length", 1e-9 => 1e12, "Perception radius: neighbors further away are \
            not seen.", "more neighbors, smoother and costlier flocks";
        near_radius: f32 = 0.0, "length", 0.0 => 1e12, "Neighbors nearer than this are seen at \
            any angle.", "less blindness at close range";
    }
    with {
        /// Sight cone about the heading. Default all round.
        pub view: FieldOfView = FieldOfView::All;
        /// Topological neighborhood: of those in range and sight only this many, the nearest by
        /// (d², id). Unit: boids; default none (all of them), range 1 to 32. Larger: smoother
        /// motion and a costlier step, nearer to a metric neighborhood.
        ///
        /// Source: Ballerini et al. 2008, who found starlings to interact with the nearest six or
        /// seven.
        pub nearest: Option<u32> = None;
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
}

/// How separation's push f·o on a neighbor at offset o fades with its distance d within the radius
/// r.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Falloff {
    /// f = 1/d − 1/r: a push of 1 − d/r, strongest at contact, nothing at r.
    #[default]
    Linear,
    /// f = max(1 − d·(1/r), 0): a push of d·(1 − d/r), nothing at contact, strongest at r/2. Flocks
    /// under cohesion pile up on points with it; it is here for sources that have it (the
    /// vision-cone flock).
    Soft,
    /// f = 1/d: a push of 1 at every distance.
    Inverse,
    /// f = 1/d² (OpenSteer): a push of 1/d.
    InverseSquare,
}

/// What a rule makes of its sum X.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Response {
    /// X itself.
    #[default]
    Raw,
    /// X's direction.
    Unit,
    /// unit(X)·max_speed − v (Reynolds 1999). On alignment it requires `relative = false`.
    Steer,
    /// Separation only, falloff ignored: Σ over neighbors with d > 0 of v − (max_speed/d)·o.
    Flee,
}

/// Declares a rule: its weight, perception, own parameters, and response to the sum.
macro_rules! rule {
    ($(#[$doc:meta])* pub struct $rule:ident { $($own:tt)* }) => {
        parameters! {
            $(#[$doc])*
            pub struct $rule in "rule." {
                weight: f32 = 1.0, "1", -1e9 => 1e9, "Factor on the rule's response.", "the rule \
                    wins over the others more often; negative inverts it";
            }
            with {
                /// The neighbors it sees.
                pub perception: Perception = Perception::default();
                $($own)*
                /// Response to the sum. Default: itself.
                pub response: Response = Response::Raw;
            }
        }
    };
}

rule! {
    /// Separation: S = −Σ f(d)·o over the neighbors seen.
    pub struct Separation {
        /// How it fades with distance. Default: linearly from contact to the radius.
        pub falloff: Falloff = Falloff::Linear;
    }
}

/// Which quantity alignment averages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum AlignmentOf {
    /// Velocities.
    #[default]
    Velocity,
    /// Headings (unit velocities; a boid at rest counts as zero).
    Heading,
}

rule! {
    /// Alignment: A = mean(v) − own v, or of headings.
    pub struct Alignment {
        /// What is averaged. Default: velocities.
        pub of: AlignmentOf = AlignmentOf::Velocity;
        /// Whether the own value is subtracted. Default true.
        pub relative: bool = true;
        /// Whether the own value is part of the mean. Default false.
        pub include_self: bool = false;
    }
}

rule! {
    /// Cohesion: C = mean(o), the way to the middle of the neighbors seen.
    pub struct Cohesion {}
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

pub(crate) fn check_alignment(rule: &Alignment) -> Result<(), ParamError> {
    check_rule("alignment", rule, &rule.perception)?;
    refuse_flee("alignment", rule.response)?;
    if rule.response == Response::Steer && rule.relative {
        return Err(ParamError::new(
            "alignment.response",
            "steer",
            "raw or unit unless alignment.relative = false",
        ));
    }
    Ok(())
}

pub(crate) fn check_cohesion(rule: &Cohesion) -> Result<(), ParamError> {
    check_rule("cohesion", rule, &rule.perception)?;
    refuse_flee("cohesion", rule.response)
}

/// Checks the numbers of any rule; `name` is its section.
pub(crate) fn check_rule(
    name: &str,
    rule: &impl Parameters,
    perception: &Perception,
) -> Result<(), ParamError> {
    rule.check_ranges(name)?;
    perception.check(name)
}

fn refuse_flee(rule: &str, response: Response) -> Result<(), ParamError> {
    if response == Response::Flee {
        return Err(ParamError::new(
            format!("{rule}.response"),
            "flee".to_string(),
            "raw, unit or steer (flee is separation's)",
        ));
    }
    Ok(())
}
