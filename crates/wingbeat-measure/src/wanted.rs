//! Which observables are asked for.

use std::ops::{BitOr, BitOrAssign};
use std::str::FromStr;

use wingbeat::steer::ParamError;

use crate::Observables;

/// A set of observables: only what is in it is computed.
///
/// Sets are put together with `|`, or read from [names](Observables::NAMES) apart by commas. The
/// default is the empty set.
///
/// ```
/// use wingbeat_measure::Wanted;
/// let wanted = Wanted::POLARIZATION | Wanted::GROUPS;
/// assert_eq!("polarization, groups".parse(), Ok(wanted));
/// assert!(wanted.contains(Wanted::GROUPS) && !wanted.contains(Wanted::MILLING));
/// assert!("polarisation".parse::<Wanted>().is_err());
/// ```
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize,
)]
pub struct Wanted(u32);

impl Wanted {
    /// None of them: only individuals are counted.
    pub const NONE: Self = Self(0);
    /// [`State::polarization`](crate::State::polarization).
    pub const POLARIZATION: Self = Self(1);
    /// [`State::milling`](crate::State::milling).
    pub const MILLING: Self = Self(1 << 1);
    /// [`State::angular_momentum`](crate::State::angular_momentum).
    pub const ANGULAR_MOMENTUM: Self = Self(1 << 2);
    /// [`State::mean_speed`](crate::State::mean_speed).
    pub const MEAN_SPEED: Self = Self(1 << 3);
    /// [`State::nearest_neighbor_distance`](crate::State::nearest_neighbor_distance).
    pub const NEAREST_NEIGHBOR_DISTANCE: Self = Self(1 << 4);
    /// [`State::correlation_length`](crate::State::correlation_length).
    pub const CORRELATION_LENGTH: Self = Self(1 << 5);
    /// [`State::density`](crate::State::density).
    pub const DENSITY: Self = Self(1 << 6);
    /// How many [groups](crate::State::groups) there are.
    pub const GROUPS: Self = Self(1 << 7);
    /// How many are in the largest [group](crate::State::groups).
    pub const LARGEST_GROUP: Self = Self(1 << 8);
    /// [`State::local_order`](crate::State::local_order).
    pub const LOCAL_ORDER: Self = Self(1 << 9);
    /// All but [`LOCAL_ORDER`](Self::LOCAL_ORDER), which takes half as long as all others together:
    /// what is measured where it is not said.
    pub const USUAL: Self = Self(Self::ALL.0 & !Self::LOCAL_ORDER.0);
    /// All of them.
    pub const ALL: Self = Self((1 << Observables::NAMES.len()) - 1);

    /// Whether all that the other set wants is wanted here too.
    #[inline]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether anything that the other set wants is wanted here too.
    #[inline]
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// The names of what is wanted, in the order of [`Observables::NAMES`].
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        Observables::NAMES
            .into_iter()
            .enumerate()
            .filter(move |(i, _)| self.0 >> i & 1 == 1)
            .map(|(_, name)| name)
    }
}

impl BitOr for Wanted {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for Wanted {
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

/// Names apart by commas, white space around them aside.
impl FromStr for Wanted {
    type Err = ParamError;

    fn from_str(names: &str) -> Result<Self, Self::Err> {
        names.split(',').map(str::trim).try_fold(Self::NONE, |wanted, name| {
            let known = Observables::NAMES.iter().position(|known| *known == name);
            known
                .map(|i| wanted | Self(1 << i))
                .ok_or_else(|| ParamError::new("observable", name, Observables::NAMES.join(", ")))
        })
    }
}
