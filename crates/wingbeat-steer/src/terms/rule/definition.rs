//! The trait that defines a rule, what a rule is told, and its response to what it wants.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Debug;

use crate::schema::parameter_info::Parameters;
use crate::terms::rule::Seen;
use crate::{ParamError, Perception, Vector};

choices! {
    /// What a rule makes of its sum X.
    pub enum Response {
        /// X itself.
        #[default]
        Raw = "raw",
        /// X's direction.
        Unit = "unit",
        /// unit(X)·max_speed − v (Reynolds 1999). On alignment it requires `relative = false`.
        Steer = "steer",
        /// Separation only, falloff ignored: Σ over neighbors with d > 0 of v − (max_speed/d)·o.
        Flee = "flee",
    }
}

/// The boid that a rule moves.
#[derive(Clone, Copy, Debug)]
pub struct RuleBoid<V> {
    /// Its id, which its randomness is keyed by, with `seed` and `step`.
    pub id: u64,
    /// Key of the flock's randomness.
    pub seed: u64,
    /// Steps made before this one.
    pub step: u64,
    /// Velocity.
    pub velocity: V,
    /// Heading, 0 at rest.
    pub heading: V,
    /// The maximum speed of its species: what is common decides, not a maximum of the boid's own.
    pub max_speed: f32,
}

/// What a rule has added up over the neighbors seen, in slot order, from +0.
#[derive(Clone, Copy, Debug)]
pub struct Tally<V> {
    /// Σ of the vectors of [`RuleDefinition::term`].
    pub sum: V,
    /// Σ of the weights.
    pub weight: f32,
    /// Whether a neighbor seen is coincident with the boid.
    pub coincident: bool,
}

/// X, of which the response is made, and the numbers on the way to it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Wanted<V> {
    /// X: 0 − sum (flee: the sum) plus `parting`; the mean less `subtracted`; the mean.
    #[cfg_attr(feature = "serde", serde(rename = "wanted"))]
    pub x: V,
    /// Whether X is made of 0 − sum.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub away: bool,
    /// Alignment with `include_self`: the own value that is part of the mean.
    pub included: Option<V>,
    /// Alignment and cohesion, where there are neighbors: the mean.
    pub mean: Option<V>,
    /// Alignment with `relative`: the own value taken from the mean.
    pub subtracted: Option<V>,
    /// Separation, where a boid is coincident: the push by hash that parts them.
    pub parting: Option<V>,
}

impl<V> Wanted<V> {
    /// X, without any of the others.
    pub fn of(x: V) -> Self {
        Self { x, away: false, included: None, mean: None, subtracted: None, parting: None }
    }
}

/// The responses of a rule that does not flee.
pub(crate) const RESPONSES: &[&str] =
    &[Response::Raw.word(), Response::Unit.word(), Response::Steer.word()];

/// The fields that every rule has, and its own by their keys; written by `rule!`.
pub trait RuleFields:
    Parameters + Copy + Debug + Default + PartialEq + Send + Sync + 'static
{
    /// The neighbors it sees.
    fn perception(&self) -> &Perception;
    /// The same, to change.
    fn perception_mut(&mut self) -> &mut Perception;
    /// Factor on its response.
    fn weight(&self) -> f32;
    /// Response to what it wants.
    fn response(&self) -> Response;
}

/// A rule's definition: what each neighbor adds, and what is wanted of the sum. The textbook runs
/// it as it stands; the engine's lanes do the same, bit for bit.
pub trait RuleDefinition: RuleFields {
    /// Its name: its section in a scene file, and its term's.
    const NAME: &'static str;
    /// One sentence.
    const ABOUT: &'static str;
    /// How a sentence about it leads on to the neighbors: "cohesion with".
    const PHRASE: &'static str;
    /// Its color in pictures: an angle of the OKLCH color circle, radians.
    const HUE: f64;
    /// Whether neighbors that coincide with the boid add nothing, having no direction.
    const SKIPS_COINCIDENT: bool = false;

    /// Refuses combinations of parameters that have no meaning; ranges are checked besides.
    ///
    /// # Errors
    /// Names the parameter, its value and what is allowed.
    fn check(&self) -> Result<(), ParamError> {
        refuse_flee(Self::NAME, self.response())
    }

    /// What is accepted but looks like a mistake, a sentence each. `other` tells the weight of
    /// another rule of the flock, by its name, and the neighbors that it sees.
    fn advice(&self, _other: &dyn Fn(&str) -> Option<(f32, Perception)>) -> Vec<String> {
        Vec::new()
    }

    /// What one neighbor adds: a vector, and a weight by which the mean is divided.
    fn term<V: Vector>(&self, own: &RuleBoid<V>, seen: &Seen<V>) -> (V, f32);

    /// X; `None` where there is nothing to respond to. Unless a rule says otherwise the weighted
    /// mean, sum·(1/weight), and nothing without weight.
    fn wanted<V: Vector>(&self, _own: &RuleBoid<V>, tally: &Tally<V>) -> Option<Wanted<V>> {
        (tally.weight > 0.0).then(|| {
            let mean = tally.sum.times(1.0 / tally.weight);
            Wanted { mean: Some(mean), ..Wanted::of(mean) }
        })
    }
}

/// Refuses fleeing as the response of another rule than separation.
pub(super) fn refuse_flee(rule: &str, response: Response) -> Result<(), ParamError> {
    if response == Response::Flee {
        return Err(ParamError::new(
            alloc::format!("{rule}.response"),
            "flee",
            "raw, unit or steer (flee is separation's)",
        ));
    }
    Ok(())
}

/// Declares a rule: its weight, perception, own settings (`name: type = default, "what it is";`),
/// own numbers as in `parameters!`, and the responses it may have.
macro_rules! rule {
    (
        $(#[$doc:meta])*
        pub struct $rule:ident {
            $($own:ident: $type:ty = $usual:expr, $about:literal;)*
        }
        $(numbers { $($number:tt)* })?
        responses $responses:expr
    ) => {
        parameters! {
            $(#[$doc])*
            pub struct $rule in "rule." {
                weight: f32 = 1.0, "1", -1e9 => 1e9, "Factor on the rule's response.", "the rule \
                    wins over the others more often; negative inverts it";
                $($($number)*)?
            }
            settings {
                $($own: $type = $usual, $about;)*
                response: Response = Response::Raw,
                    takes $crate::parameters::SettingKind::Choice($responses), "Response to the \
                    sum: itself; its direction; direction·max_speed − v (on alignment with \
                    relative = false); separation only: flee, v − direction·max_speed per \
                    neighbor.";
            }
            with {
                /// The neighbors it sees.
                pub perception: Perception = Perception::default();
            }
        }

        impl $crate::terms::rule::definition::RuleFields for $rule {
            fn perception(&self) -> &Perception {
                &self.perception
            }

            fn perception_mut(&mut self) -> &mut Perception {
                &mut self.perception
            }

            fn weight(&self) -> f32 {
                self.weight
            }

            fn response(&self) -> Response {
                self.response
            }
        }
    };
}
