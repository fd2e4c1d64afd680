//! What a user may set and how it is refused: parameters with ranges, errors, reading with serde.

#[macro_use]
pub(crate) mod parameters;
#[macro_use]
mod catalogue;
#[macro_use]
pub(crate) mod setting;
#[macro_use]
pub(crate) mod kinds;

pub(crate) mod error;
pub mod limit;
pub(crate) mod parameter_info;
#[cfg(feature = "serde")]
#[macro_use]
pub(crate) mod serial;
