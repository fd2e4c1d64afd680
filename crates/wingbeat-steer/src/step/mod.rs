//! A step of one boid: its anticipation, its velocity and position, contacts; and sequential steps.

pub(crate) mod anticipate;
pub(crate) mod contacts;
pub(crate) mod integrate;
pub(crate) mod sequential;
