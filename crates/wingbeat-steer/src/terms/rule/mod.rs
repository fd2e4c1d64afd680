//! Rules: what a boid makes of the neighbors it sees, as vectors that are added up and weighted.
//!
//! One file a rule: its parameters, and its formula as the textbook runs it
//! ([`RuleDefinition::term`], [`RuleDefinition::wanted`]). Those of agents/behavior/flocking.rs are
//! for single agents, and apart.

// How to add a rule (`name`). Its formula in MODEL.md. Here name.rs: `rule!` (scene keys and
// docs/KEYS.md follow) and `impl RuleDefinition`; a line in `for_each_rule!` below. In the
// engine terms/rule/name.rs: `impl LaneRule`, operation by operation as the definition. A state
// computed by hand in this crate's tests/it/textbook_by_hand.rs, and `WINGBEAT_WRITE_DOCS=1 cargo
// test -p wingbeat-scene`. A rule for one host needs none of this: `pair_rule!`.

use alloc::string::String;
use alloc::vec::Vec;

use crate::schema::parameter_info::{ParameterInfo, Parameters};
use crate::schema::setting::{SettingInfo, SettingValue};
use crate::{ParamError, math};

#[macro_use]
pub(crate) mod definition;
mod neighborhood;
pub(crate) mod perception;

pub use definition::{Response, RuleBoid, RuleDefinition, RuleFields, Tally, Wanted};
pub use neighborhood::{Neighborhood, Seen};
pub use perception::{FieldOfView, Perception};

/// Calls a macro with the list of all rules, each as `module::Type`, in the usual order of terms.
///
/// `fused` are summed in one loop over the candidates, `passes` in a loop each.
#[doc(hidden)]
#[macro_export]
macro_rules! for_each_rule {
    ($callback:ident) => {
        $callback! {
            ($)
            fused { separation::Separation, alignment::Alignment, cohesion::Cohesion }
            passes { formation::Formation }
        }
    };
}

macro_rules! rules {
    (
        ($d:tt)
        fused { $($fused_file:ident::$fused:ident),* $(,)? }
        passes { $($pass_file:ident::$pass:ident),* $(,)? }
    ) => {
        rules! { ($d) $($fused_file::$fused,)* $($pass_file::$pass,)* }
    };
    (($d:tt) $($file:ident::$rule:ident,)*) => {
        $(mod $file; pub use $file::*;)*

        /// Which rule.
        #[non_exhaustive]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum RuleId {
            $(
                #[doc = concat!("See [`", stringify!($rule), "`].")]
                $rule,
            )*
        }

        impl RuleId {
            /// Every rule, in the usual order of terms.
            pub const ALL: &'static [Self] = &[$(Self::$rule),*];
            /// Their names.
            pub const NAMES: &'static [&'static str] = &[$(Self::$rule.name()),*];

            /// Its section in a scene file.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$rule => <$rule as RuleDefinition>::NAME,)* }
            }

            /// What it is for, in one sentence.
            pub const fn about(self) -> &'static str {
                match self { $(Self::$rule => <$rule as RuleDefinition>::ABOUT,)* }
            }

            /// How a sentence about it leads on to the neighbors: "cohesion with".
            pub const fn phrase(self) -> &'static str {
                match self { $(Self::$rule => <$rule as RuleDefinition>::PHRASE,)* }
            }

            /// Its color in pictures: an angle of the OKLCH color circle, radians.
            pub const fn hue(self) -> f64 {
                match self { $(Self::$rule => <$rule as RuleDefinition>::HUE,)* }
            }

            /// Its own numbers, beside those of its perception.
            pub const fn parameters(self) -> &'static [ParameterInfo] {
                match self { $(Self::$rule => <$rule as Parameters>::PARAMETERS,)* }
            }

            /// Its settings that are no numbers.
            pub const fn settings(self) -> &'static [SettingInfo] {
                match self { $(Self::$rule => <$rule as Parameters>::SETTINGS,)* }
            }
        }

        /// The rules of a flock or of a species. One that is `None` does not exist and costs
        /// nothing.
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
        pub struct Rules {
            $(
                #[doc = concat!("See [`", stringify!($rule), "`].")]
                pub $file: Option<$rule>,
            )*
        }

        $(
            impl From<$rule> for Rules {
                fn from(rule: $rule) -> Self {
                    Self { $file: Some(rule), ..Self::default() }
                }
            }
        )*

        impl Rules {
            /// What all rules have in common, of those present, in the usual order of terms.
            pub fn iter(&self) -> impl Iterator<Item = PresentRule> {
                [$(self.$file.as_ref().map(|rule| PresentRule::new(RuleId::$rule, rule))),*]
                    .into_iter()
                    .flatten()
            }

            /// Refuses any parameter outside its range and any combination that has no meaning.
            ///
            /// # Errors
            /// Names the first offending parameter, its value and what is allowed.
            pub fn check(&self) -> Result<(), ParamError> {
                $(self.$file.as_ref().map_or(Ok(()), check_rule)?;)*
                Ok(())
            }

            /// What is accepted but looks like a mistake, a sentence each.
            ///
            /// ```
            /// use wingbeat_steer::{Cohesion, Rules};
            /// let together: Rules = Cohesion::default().into();
            /// assert_eq!(
            ///     together.advice(),
            ///     ["cohesion without separation: the flock falls together to a point"]
            /// );
            /// ```
            pub fn advice(&self) -> Vec<String> {
                let of = |rule: PresentRule| (rule.weight, rule.perception);
                let other = |name: &str| self.iter().find(|rule| rule.name() == name).map(of);
                let mut advice = Vec::new();
                $(advice.extend(self.$file.iter().flat_map(|rule| rule.advice(&other)));)*
                advice
            }

            /// Adds a rule with its usual parameters, in place of the one that is there.
            pub fn insert(&mut self, id: RuleId) {
                match id { $(RuleId::$rule => self.$file = Some($rule::default()),)* }
            }

            /// How far, where and how many boids a rule sees; `None` where it does not exist.
            pub fn perception_mut(&mut self, id: RuleId) -> Option<&mut Perception> {
                match id { $(RuleId::$rule => Some(self.$file.as_mut()?.perception_mut()),)* }
            }

            /// Sets the number `key` of a rule or of its perception; false where there is no such
            /// rule or number. Nothing is checked yet.
            pub fn set(&mut self, id: RuleId, key: &str, value: f32) -> bool {
                match id {
                    $(RuleId::$rule => self.$file.as_mut().is_some_and(|rule| {
                        rule.set(key, value) || rule.perception_mut().set(key, value)
                    }),)*
                }
            }

            /// Makes the setting `key` of a rule or of its perception; false where there is no such
            /// rule or setting, or it takes no such value. Nothing is checked yet.
            pub fn choose(&mut self, id: RuleId, key: &str, value: &SettingValue) -> bool {
                match id {
                    $(RuleId::$rule =>
                        self.$file.as_mut().is_some_and(|rule| {
                            rule.choose(key, value) || rule.perception_mut().choose(key, value)
                        }),)*
                }
            }
        }

        /// `with_rule!(rules, id, rule => expression)`: the expression of the rule `id`, which
        /// has its own type in it; `None` where the rule does not exist.
        macro_rules! with_rule {
            ($d rules:expr, $d id:expr, $d rule:ident => $d of:expr) => {
                match $d id {
                    $($crate::terms::rule::RuleId::$rule => {
                        $d rules.$file.as_ref().map(|$d rule| $d of)
                    })*
                }
            };
        }
        pub(crate) use with_rule;
    };
}
for_each_rule!(rules);

/// A rule that exists, with what all rules have.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PresentRule {
    /// Which.
    pub id: RuleId,
    /// Factor on its response.
    pub weight: f32,
    /// The neighbors it sees.
    pub perception: Perception,
    /// Response to its sum.
    pub response: Response,
}

impl PresentRule {
    fn new(id: RuleId, rule: &impl RuleDefinition) -> Self {
        let (weight, response) = (rule.weight(), rule.response());
        Self { id, weight, perception: *rule.perception(), response }
    }

    /// Its section in a scene file.
    pub fn name(&self) -> &'static str {
        self.id.name()
    }
}

impl Rules {
    /// Separation, alignment and cohesion over the same neighbors: those of a perception, or within
    /// a radius, all round. Weights and responses are those by default.
    ///
    /// ```
    /// use wingbeat_steer::{Rules, Separation};
    /// let rules = Rules::boids(2.0);
    /// assert_eq!(rules.iter().map(|rule| rule.perception.radius).sum::<f32>(), 6.0);
    /// // A number of one of them:
    /// let wide = Separation { weight: 3.0, ..rules.separation.unwrap() };
    /// let looser = Rules { separation: Some(wide), ..rules };
    /// # assert!(looser.check().is_ok());
    /// ```
    pub fn boids(perception: impl Into<Perception>) -> Self {
        let perception = perception.into();
        Self {
            separation: Some(Separation { perception, ..Separation::default() }),
            alignment: Some(Alignment { perception, ..Alignment::default() }),
            cohesion: Some(Cohesion { perception, ..Cohesion::default() }),
            ..Self::default()
        }
    }

    /// The largest perception radius; 0 without rules.
    pub fn largest_radius(&self) -> f32 {
        self.iter().fold(0.0, |radius, rule| math::max(radius, rule.perception.radius))
    }
}

fn check_rule<R: RuleDefinition>(rule: &R) -> Result<(), ParamError> {
    rule.check_ranges(R::NAME)?;
    rule.perception().check(R::NAME)?;
    rule.check()
}
