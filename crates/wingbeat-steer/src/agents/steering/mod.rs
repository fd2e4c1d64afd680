//! What a [`Steering`](crate::Steering) can be asked to do: one method per behavior, each adding a
//! named term.

mod agents;
mod crowd;
mod places;
mod surroundings;
