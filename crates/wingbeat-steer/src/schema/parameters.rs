//! Numbers a user may set, declared once: the field with its documentation, its default, its range
//! and check, its place in the tables of parameters (from which scene files take their keys), and
//! access by name.

use core::fmt::Display;

use crate::ParamError;
use crate::schema::parameter_info::ParameterInfo;

/// Default of a parameter that may be left out.
pub const NONE: f64 = f64::NAN;

/// A number of a model: an `f32`, or an optional one.
pub trait Parameter: Copy {
    /// From a number, or [`NONE`].
    fn from_number(number: f64) -> Self;
    /// The number, if there is one.
    fn number(self) -> Option<f32>;
}

impl Parameter for f32 {
    fn from_number(number: f64) -> Self {
        number as f32
    }
    fn number(self) -> Option<f32> {
        Some(self)
    }
}

impl Parameter for Option<f32> {
    fn from_number(number: f64) -> Self {
        (!number.is_nan()).then_some(number as f32)
    }
    fn number(self) -> Option<f32> {
        self
    }
}

/// Parameters by name.
///
/// ```
/// use wingbeat_steer::{AgentLimits, parameters::Parameters};
/// let mut limits = AgentLimits::default();
/// assert!(limits.set("max_speed", -1.0) && !limits.set("wings", 2.0));
/// assert_eq!(limits.get("max_speed"), Some(-1.0));
/// assert_eq!(
///     limits.check_ranges("agent").unwrap_err().to_string(),
///     "agent.max_speed = -1: allowed is 0 to 1e9"
/// );
/// ```
pub trait Parameters {
    /// All of them, in the order of a scene file.
    const PARAMETERS: &'static [ParameterInfo];
    /// The parameter `key`; `None` where it is left out or there is none of this name.
    fn get(&self, key: &str) -> Option<f32>;
    /// Sets the parameter `key`; false where there is none of this name.
    fn set(&mut self, key: &str, value: f32) -> bool;

    /// Refuses a number outside its range.
    ///
    /// # Errors
    /// Names it as `at.key`, with its value and what is allowed.
    fn check_ranges(&self, at: impl Display) -> Result<(), ParamError> {
        Self::PARAMETERS.iter().try_for_each(|parameter| match self.get(parameter.name()) {
            Some(value) => parameter.check(format_args!("{at}.{}", parameter.name()), value),
            None => Ok(()),
        })
    }
}

/// Declares a struct of numbers, and perhaps of other things:
/// `name: type = default, unit, smallest => largest, what it is, what a larger value does;`
///
/// `in "agent."` goes before the keys in the table of parameters. In `with`, fields that are no
/// numbers stand with their defaults.
macro_rules! parameters {
    (
        $(#[$doc:meta])*
        pub struct $parameters:ident $(<$v:ident $(: $bound:ident)?>)? in $section:literal {
            $(
                $name:ident: $type:ty = $default:expr, $unit:literal, $min:expr => $max:expr,
                    $about:literal, $larger:literal;
            )*
        }
        $(with {
            $($(#[$other_doc:meta])* pub $other:ident: $other_type:ty = $usual:expr;)*
        })?
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
        pub struct $parameters $(<$v>)? {
            $(
                #[doc = $about]
                #[doc = concat!(
                    "Unit: ", $unit, "; default ", stringify!($default),
                    ", range ", stringify!($min), " to ", stringify!($max),
                    ". Larger: ", $larger, "."
                )]
                pub $name: $type,
            )*
            $($($(#[$other_doc])* pub $other: $other_type,)*)?
        }

        impl $(<$v $(: $bound)?>)? Default for $parameters $(<$v>)? {
            fn default() -> Self {
                Self {
                    $($name: $crate::schema::parameter_info::Parameter::from_number($default),)*
                    $($($other: $usual,)*)?
                }
            }
        }

        impl $(<$v $(: $bound)?>)? $crate::schema::parameter_info::Parameters
            for $parameters $(<$v>)?
        {
            const PARAMETERS: &'static [$crate::schema::parameter_info::ParameterInfo] =
                &[$($crate::schema::parameter_info::ParameterInfo {
                    key: concat!($section, stringify!($name)),
                    about: $about,
                    unit: $unit,
                    default: $default,
                    min: $min,
                    max: $max,
                    larger: $larger,
                }),*];

            fn get(&self, key: &str) -> Option<f32> {
                match key {
                    $(stringify!($name) =>
                        $crate::schema::parameter_info::Parameter::number(self.$name),)*
                    _ => None,
                }
            }

            fn set(&mut self, key: &str, value: f32) -> bool {
                match key {
                    $(stringify!($name) =>
                        self.$name = $crate::schema::parameter_info::Parameter::from_number(
                            f64::from(value)
                        ),)*
                    _ => return false,
                }
                true
            }
        }
    };
    (
        $(#[$doc:meta])*
        pub struct $parameters:ident $(<$v:ident $(: $bound:ident)?>)? { $($numbers:tt)* }
        $($rest:tt)*
    ) => {
        parameters! {
            $(#[$doc])*
            pub struct $parameters $(<$v $(: $bound)?>)? in "" { $($numbers)* } $($rest)*
        }
    };
}
