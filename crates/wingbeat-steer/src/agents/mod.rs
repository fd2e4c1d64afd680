//! Single agents: behaviors as pure functions, the steering manager, wanderers, hunters and prey.

pub(crate) mod agent;
pub mod behavior;
pub mod blend;
pub(crate) mod hunt;
pub(crate) mod manager;
pub(crate) mod spline;
mod steering;
pub(crate) mod walker;
