//! From steering to new positions, in lanes: anticipation, integration, contacts, obstacles, exits.

pub(crate) mod anticipate;
pub(crate) mod body;
pub(crate) mod exits_and_sources;
pub(crate) mod integrate;
pub(crate) mod limits;
pub(crate) mod obstacle;
