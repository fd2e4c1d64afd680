//! Handles: numbers that name what a flock has several of, each kind a type of its own, so that one
//! is never taken for another.

/// Declares handles: what each numbers, and where that list is.
macro_rules! handles {
    ($($(#[$about:meta])* $name:ident;)*) => {
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
    SpeciesId;
    /// An obstacle: its place in [`Obstacles::list`](crate::Obstacles::list).
    ObstacleId;
}
