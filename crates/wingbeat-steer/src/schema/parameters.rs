//! What a user may set, declared once: the field with its documentation, its default, its range
//! and check, its place in the tables of keys, and access by name.

use core::fmt::Display;

use crate::ParamError;
use crate::schema::parameter_info::ParameterInfo;
use crate::schema::setting::{SettingInfo, SettingValue};

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

/// Parameters and settings by name.
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
    /// Numbers, in the order of a scene file.
    const PARAMETERS: &'static [ParameterInfo];
    /// What is no such number, in the order of a scene file.
    const SETTINGS: &'static [SettingInfo];
    /// The parameter `key`; `None` where it is left out or there is none of this name.
    fn get(&self, key: &str) -> Option<f32>;
    /// Sets the parameter `key`; false where there is none of this name.
    fn set(&mut self, key: &str, value: f32) -> bool;
    /// The setting `key`; `None` where it is left out or there is none of this name.
    fn setting(&self, key: &str) -> Option<SettingValue>;
    /// Makes the setting `key`; false where there is none of this name, or it takes no such value.
    /// Ranges are not checked.
    fn choose(&mut self, key: &str, value: &SettingValue) -> bool;

    /// Refuses a number or a coordinate outside its range.
    ///
    /// # Errors
    /// Names it as `at.key`, with its value and what is allowed.
    fn check_ranges(&self, at: impl Display) -> Result<(), ParamError> {
        Self::PARAMETERS.iter().try_for_each(|parameter| match self.get(parameter.name()) {
            Some(value) => parameter.check(format_args!("{at}.{}", parameter.name()), value),
            None => Ok(()),
        })?;
        // The pairs of a procession may be a million, and have no range.
        let mut ranged = Self::SETTINGS.iter().filter(|setting| setting.kind.has_range());
        ranged.try_for_each(|setting| match self.setting(setting.key) {
            Some(value) => setting.check(format_args!("{at}.{}", setting.key), &value),
            None => Ok(()),
        })
    }
}

/// The first of two expressions, or the other where there is only that.
#[doc(hidden)]
#[macro_export]
macro_rules! first {
    ([$first:expr] [$other:expr]) => {
        $first
    };
    ([] [$other:expr]) => {
        $other
    };
}

/// The row of a setting in a table.
#[doc(hidden)]
#[macro_export]
macro_rules! row {
    (
        $key:ident: $type:ty = $usual:expr, [$($shown:literal)?]
        [$($unit:literal $(; $low:expr, $high:expr)?)?] [$($kind:expr)?] $about:literal
    ) => {
        $crate::parameters::SettingInfo::new(
            stringify!($key),
            [$about, $crate::first!([$($unit)?] [""]), $crate::first!([$($shown)?] [""])],
            $crate::first!([$($kind)?] [
                <$type as $crate::parameters::Setting>::KIND $($(.within($low, $high))?)?
            ]),
            || {
                let usual: $type = $usual;
                $crate::parameters::Setting::value(&usual)
            },
        )
    };
}

/// What a field's documentation says of its row, below what it is.
#[doc(hidden)]
#[macro_export]
macro_rules! row_doc {
    (
        $usual:expr, [$($shown:literal)?] [$($unit:literal $(; $low:expr, $high:expr)?)?]
    ) => {
        concat!(
            "Default: ", stringify!($usual), "." $(, " In a scene: ", $shown, ".")?
            $(, " Unit: ", $unit $(
                , "; range ", stringify!($low), " to ", stringify!($high)
            )?, ".")?
        )
    };
}

/// Declares a struct of what users set.
///
/// Its numbers come first: `name: type = default, unit, smallest => largest, what it is, what a
/// larger value does;`. In `settings`, of whatever type: `name: type = default, shown "in words",
/// in "unit" from smallest => largest, takes KIND, "what it is";`, of which all but the default
/// and what it is may be left out; `shown "required"` may not be left out of a scene. In `with`,
/// fields that no user sets stand with their defaults; in `fields` they have none, and nor has the
/// struct. `in "agent."` goes before keys in the table of parameters.
#[doc(hidden)]
#[macro_export]
macro_rules! settings {
    (
        $(#[$meta:meta])*
        $visible:vis struct $name:ident $(<$v:ident $(: $bound:ident)?>)? in $section:literal {
            $($numbers:tt)*
        }
        $(settings { $($settings:tt)* })?
        fields { $($(#[$field_meta:meta])* pub $field:ident: $field_type:ty;)* }
    ) => {
        $crate::settings! {
            @struct [$(#[$meta])*] [$visible] $name [$(<$v>)?] [$($numbers)*] [$($($settings)*)?]
            [$($(#[$field_meta])* pub $field: $field_type,)*]
        }
        $crate::settings! {
            @keys $name [$(<$v $(: $bound)?>)?] $section [$($numbers)*] [$($($settings)*)?]
        }
    };
    (
        $(#[$meta:meta])*
        $visible:vis struct $name:ident $(<$v:ident $(: $bound:ident)?>)? in $section:literal {
            $($numbers:tt)*
        }
        $(settings { $($settings:tt)* })?
        $(with { $($(#[$field_meta:meta])* pub $field:ident: $field_type:ty = $usual:expr;)* })?
    ) => {
        $crate::settings! {
            @struct [$(#[$meta])*] [$visible] $name [$(<$v>)?] [$($numbers)*] [$($($settings)*)?]
            [$($($(#[$field_meta])* pub $field: $field_type,)*)?]
        }
        $crate::settings! {
            @default $name [$(<$v $(: $bound)?>)?] [$($numbers)*] [$($($settings)*)?]
            [$($($field: $usual,)*)?]
        }
        $crate::settings! {
            @keys $name [$(<$v $(: $bound)?>)?] $section [$($numbers)*] [$($($settings)*)?]
        }
    };
    (
        @struct [$($attributes:tt)*] [$visible:vis] $name:ident [$($generic:tt)*]
        [$(
            $number:ident: $type:ty = $default:expr, $unit:literal, $min:expr => $max:expr,
                $about:literal, $larger:literal;
        )*]
        [$(
            $(#[$key_meta:meta])*
            $key:ident: $key_type:ty = $usual:expr $(, shown $shown:literal)?
                $(, in $key_unit:literal $(from $low:expr => $high:expr)?)? $(, takes $kind:expr)?,
                $key_about:literal;
        )*]
        [$($fields:tt)*]
    ) => {
        $($attributes)*
        $visible struct $name $($generic)* {
            $(
                #[doc = $about]
                #[doc = concat!(
                    "Unit: ", $unit, "; default ", stringify!($default),
                    ", range ", stringify!($min), " to ", stringify!($max),
                    ". Larger: ", $larger, "."
                )]
                pub $number: $type,
            )*
            $(
                #[doc = $key_about]
                #[doc = $crate::row_doc!(
                    $usual, [$($shown)?] [$($key_unit $(; $low, $high)?)?]
                )]
                $(#[$key_meta])*
                pub $key: $key_type,
            )*
            $($fields)*
        }
    };
    (
        @default $name:ident [$(<$v:ident $(: $bound:ident)?>)?]
        [$(
            $number:ident: $type:ty = $default:expr, $unit:literal, $min:expr => $max:expr,
                $about:literal, $larger:literal;
        )*]
        [$(
            $(#[$key_meta:meta])*
            $key:ident: $key_type:ty = $usual:expr $(, shown $shown:literal)?
                $(, in $key_unit:literal $(from $low:expr => $high:expr)?)? $(, takes $kind:expr)?,
                $key_about:literal;
        )*]
        [$($field:ident: $field_usual:expr,)*]
    ) => {
        impl $(<$v $(: $bound)?>)? Default for $name $(<$v>)? {
            fn default() -> Self {
                Self {
                    $($number: $crate::parameters::Parameter::from_number($default),)*
                    $($key: $usual,)*
                    $($field: $field_usual,)*
                }
            }
        }
    };
    (
        @keys $name:ident [$(<$v:ident $(: $bound:ident)?>)?] $section:literal
        [$(
            $number:ident: $type:ty = $default:expr, $unit:literal, $min:expr => $max:expr,
                $about:literal, $larger:literal;
        )*]
        [$(
            $(#[$key_meta:meta])*
            $key:ident: $key_type:ty = $usual:expr $(, shown $shown:literal)?
                $(, in $key_unit:literal $(from $low:expr => $high:expr)?)? $(, takes $kind:expr)?,
                $key_about:literal;
        )*]
    ) => {
        impl $(<$v $(: $bound)?>)? $crate::parameters::Parameters for $name $(<$v>)? {
            const PARAMETERS: &'static [$crate::parameters::ParameterInfo] =
                &[$($crate::parameters::ParameterInfo::new(
                    concat!($section, stringify!($number)),
                    [$about, $unit, $larger],
                    [$default, $min, $max],
                )),*];

            const SETTINGS: &'static [$crate::parameters::SettingInfo] =
                &[$($crate::row! {
                    $key: $key_type = $usual, [$($shown)?]
                    [$($key_unit $(; $low, $high)?)?] [$($kind)?] $key_about
                }),*];

            fn get(&self, key: &str) -> Option<f32> {
                match key {
                    $(stringify!($number) => $crate::parameters::Parameter::number(self.$number),)*
                    _ => None,
                }
            }

            fn set(&mut self, key: &str, value: f32) -> bool {
                let _ = value;
                match key {
                    $(stringify!($number) => {
                        self.$number =
                            $crate::parameters::Parameter::from_number(f64::from(value));
                        true
                    })*
                    _ => false,
                }
            }

            fn setting(&self, key: &str) -> Option<$crate::parameters::SettingValue> {
                match key {
                    $(stringify!($key) => $crate::parameters::Setting::value(&self.$key),)*
                    _ => None,
                }
            }

            fn choose(&mut self, key: &str, value: &$crate::parameters::SettingValue) -> bool {
                let _ = value;
                let chosen: Option<()> = match key {
                    $(stringify!($key) => $crate::parameters::Setting::from_value(value)
                        .map(|value| self.$key = value),)*
                    _ => None,
                };
                chosen.is_some()
            }
        }
    };
}

/// The same as plain data that serde reads and writes, what is left out being as usual.
macro_rules! parameters {
    (
        $(#[$doc:meta])*
        pub struct $name:ident $(<$v:ident $(: $bound:ident)?>)? in $section:literal {
            $($numbers:tt)*
        }
        $($rest:tt)*
    ) => {
        $crate::settings! {
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, PartialEq)]
            #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
            #[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
            pub struct $name $(<$v $(: $bound)?>)? in $section { $($numbers)* }
            $($rest)*
        }
    };
    (
        $(#[$doc:meta])*
        pub struct $name:ident { $($numbers:tt)* }
        $($rest:tt)*
    ) => {
        parameters! { $(#[$doc])* pub struct $name in "" { $($numbers)* } $($rest)* }
    };
}
