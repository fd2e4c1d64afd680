//! A family of definitions as one enum: each is a line in a list.

/// Declares an enum with a variant for each definition of a family, the modules they stand in,
/// conversions, the list of all with their usual parameters, access to parameters by key, and what
/// a scene file holds of one (its name under `tag`, its parameters by their keys).
///
/// It writes a macro for the family, too, here called `each!`, which the family's own methods are
/// made with: `each!(value, entry => expression)` is the expression of whatever definition `value`
/// holds, `each!(value, entry: Entry => expression)` knows the definition's type as well. Being a
/// macro made by a macro it needs a `$` of its own, which comes as the first argument.
///
/// ```text
/// catalogue! {
///     ($)
///     /// What the enum is.
///     pub enum Model of Definition: each, models, "model", "name" {
///         vicsek1995::Vicsek1995,
///     }
/// }
/// ```
macro_rules! catalogue {
    (
        ($d:tt)
        $(#[$doc:meta])*
        pub enum $family:ident of $definition:ident:
            $each:ident, $all:ident, $section:literal, $tag:literal {
            $($visible:vis $file:ident::$entry:ident,)*
        }
    ) => {
        $($visible mod $file; pub use $file::$entry;)*

        $(#[$doc])*
        #[non_exhaustive]
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(try_from = "serial::Tagged", into = "serial::Tagged"))]
        pub enum $family {
            $(
                #[doc = concat!("See [`", stringify!($entry), "`].")]
                $entry($entry),
            )*
        }

        $(
            impl From<$entry> for $family {
                fn from(entry: $entry) -> Self {
                    Self::$entry(entry)
                }
            }
        )*

        /// Every one with its usual parameters, in the order they are listed.
        pub fn $all() -> impl ExactSizeIterator<Item = $family> {
            [$($family::$entry($entry::default())),*].into_iter()
        }

        macro_rules! $each {
            ($d value:expr, $d entry:ident => $d of:expr) => {
                match $d value { $($family::$entry($d entry) => $d of,)* }
            };
            ($d value:expr, $d entry:ident: $d type:ident => $d of:expr) => {
                match $d value {
                    $($family::$entry($d entry) => {
                        type $d type = $entry;
                        $d of
                    })*
                }
            };
        }

        impl $family {
            /// Names of all, as a scene file has them.
            pub const NAMES: &'static [&'static str] = &[$(<$entry as $definition>::NAME),*];

            /// The one of this name, with its usual parameters.
            pub fn named(name: &str) -> Option<Self> {
                $all().find(|entry| entry.name() == name)
            }

            /// Its name, as a scene file has it.
            pub fn name(&self) -> &'static str {
                $each!(self, _entry: Entry => <Entry as $definition>::NAME)
            }

            /// What it is, in one sentence.
            pub fn about(&self) -> &'static str {
                $each!(self, _entry: Entry => <Entry as $definition>::ABOUT)
            }

            /// Its parameters, in the order of a scene file.
            pub fn parameters(&self) -> &'static [ParameterInfo] {
                $each!(self, _entry: Entry => <Entry as Parameters>::PARAMETERS)
            }

            /// The parameter `key`; `None` where it is left out or there is none of this name.
            pub fn get(&self, key: &str) -> Option<f32> {
                $each!(self, entry => Parameters::get(entry, key))
            }

            /// Sets the parameter `key`; false where there is none of this name. Nothing is checked
            /// yet.
            pub fn set(&mut self, key: &str, value: f32) -> bool {
                $each!(self, entry => Parameters::set(entry, key, value))
            }

            /// Refuses parameters outside their ranges, and combinations that have no meaning.
            ///
            /// # Errors
            #[doc = concat!(
                "Names the first offending parameter as `", $section,
                ".…`, its value and what is allowed."
            )]
            pub fn check(&self) -> Result<(), ParamError> {
                $each!(self, entry => {
                    entry.check_ranges($section)?;
                    $definition::check(entry)
                })
            }
        }

        #[cfg(feature = "serde")]
        mod serial {
            use alloc::collections::BTreeMap;
            use alloc::string::{String, ToString};
            use alloc::vec::Vec;

            use crate::ParamError;
            use crate::schema::serial::set_all;

            use super::{$all, $family};

            /// One as in a scene file. A parameter that is left out has its usual value.
            #[derive(serde::Serialize, serde::Deserialize)]
            pub(crate) struct Tagged {
                #[serde(rename = $tag)]
                name: String,
                #[serde(flatten)]
                parameters: BTreeMap<String, f32>,
            }

            impl From<$family> for Tagged {
                fn from(entry: $family) -> Self {
                    let parameters = entry.parameters().iter().filter_map(|parameter| {
                        let name = parameter.name();
                        Some((name.to_string(), entry.get(name)?))
                    });
                    Self { name: entry.name().to_string(), parameters: parameters.collect() }
                }
            }

            impl TryFrom<Tagged> for $family {
                type Error = ParamError;

                fn try_from(tagged: Tagged) -> Result<Self, ParamError> {
                    let names = || $all().map(|entry| entry.name()).collect::<Vec<_>>().join(", ");
                    let mut entry = Self::named(&tagged.name).ok_or_else(|| {
                        ParamError::new(concat!($section, ".", $tag), &tagged.name, names())
                    })?;
                    let known = entry.parameters();
                    set_all($section, known, &tagged.parameters, |key, value| {
                        entry.set(key, value)
                    })?;
                    Ok(entry)
                }
            }
        }
    };
}
