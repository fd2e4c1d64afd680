//! Parameters of a model, declared once: the struct, its defaults, its table of knobs, and access by name.

use crate::knobs::Knob;

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
pub trait Parameters {
    /// All of them, in the order of a scene file, keys without a section.
    const KNOBS: &'static [Knob];
    /// The parameter `key`; `None` where it is left out or there is none of this name.
    fn get(&self, key: &str) -> Option<f32>;
    /// Sets the parameter `key`; false where there is none of this name.
    fn set(&mut self, key: &str, value: f32) -> bool;
}

/// Declares a model's struct: `name: type = default, unit, smallest => largest, what it is, what a larger value does;`
macro_rules! parameters {
    (
        $(#[$doc:meta])*
        pub struct $model:ident {
            $($name:ident: $type:ty = $default:expr, $unit:literal, $min:literal => $max:literal, $about:literal, $larger:literal;)*
        }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
        pub struct $model {
            $(
                #[doc = $about]
                #[doc = concat!(
                    "Unit: ", $unit, "; default ", stringify!($default), ", range ", $min, " to ", $max, ". Larger: ", $larger, "."
                )]
                pub $name: $type,
            )*
        }

        impl Default for $model {
            fn default() -> Self {
                Self { $($name: $crate::model::Parameter::from_number($default)),* }
            }
        }

        impl $crate::model::Parameters for $model {
            const KNOBS: &'static [$crate::knobs::Knob] = &[$($crate::knobs::Knob {
                key: stringify!($name),
                about: $about,
                unit: $unit,
                default: $default,
                min: $min,
                max: $max,
                larger: $larger,
            }),*];

            fn get(&self, key: &str) -> Option<f32> {
                match key {
                    $(stringify!($name) => $crate::model::Parameter::number(self.$name),)*
                    _ => None,
                }
            }

            fn set(&mut self, key: &str, value: f32) -> bool {
                match key {
                    $(stringify!($name) => self.$name = $crate::model::Parameter::from_number(f64::from(value)),)*
                    _ => return false,
                }
                true
            }
        }
    };
}
