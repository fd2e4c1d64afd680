//! Handles: numbers that name what a flock has several of, each kind a type of its own, so that one
//! is never taken for another.

use alloc::string::String;

use crate::ParamError;

/// Refuses a name that none of a list has.
fn unknown<'a>(what: &str, name: &str, names: impl Iterator<Item = &'a str>) -> ParamError {
    let mut allowed = String::new();
    for other in names {
        if !allowed.is_empty() {
            allowed.push_str(", ");
        }
        allowed.push_str(other);
    }
    if allowed.is_empty() {
        allowed.push_str("none: there is no ");
        allowed.push_str(what);
    }
    ParamError::new(what, name, allowed)
}

/// Declares handles: what each numbers, where that list is, and the word for one of it.
macro_rules! handles {
    ($($(#[$about:meta])* $name:ident = $word:literal;)*) => {
        $(
            $(#[$about])*
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
            #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
            #[cfg_attr(feature = "serde", serde(transparent))]
            pub struct $name(u32);

            impl $name {
                /// The handle of a place in the list, counted from 0. A place that no list has, of
                /// 2³² − 1 or above, becomes that number.
                pub const fn new(place: usize) -> Self {
                    Self(if place < u32::MAX as usize { place as u32 } else { u32::MAX })
                }

                /// The place in the list.
                pub const fn get(self) -> usize {
                    self.0 as usize
                }

                /// The handle of the one of this name, of the names of the list.
                ///
                /// # Errors
                /// Names all that there are.
                pub fn named<'a>(
                    name: &str,
                    names: impl Iterator<Item = &'a str> + Clone,
                ) -> Result<Self, ParamError> {
                    let place = names.clone().position(|other| other == name);
                    place.map(Self::new).ok_or_else(|| unknown($word, name, names))
                }
            }

            impl core::fmt::Display for $name {
                fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                    self.0.fmt(f)
                }
            }
        )*
    };
}

handles! {
    /// A species: its place in [`Params::species`](crate::Params::species). In a flock without
    /// species every boid is of the first.
    SpeciesId = "species";
    /// An obstacle: its place in [`Obstacles::list`](crate::Obstacles::list).
    ObstacleId = "obstacle";
    /// A drive: its place among the flock's, the host's own after the others.
    DriveId = "drive";
    /// An exit: its place among the flock's.
    ExitId = "exit";
    /// A source: its place among the flock's.
    SourceId = "source";
}
