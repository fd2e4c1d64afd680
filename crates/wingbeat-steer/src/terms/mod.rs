//! Terms of steering: rules, models, anticipation and drives, the behaviors
//! that drives are made of, their budget and limits, and what a sum of them means.

pub mod anticipation;
pub(crate) mod behavior;
pub(crate) mod budget;
pub mod drive;
pub(crate) mod limits;
pub mod model;
pub(crate) mod population;
pub mod rule;
pub(crate) mod steering_kind;
pub(crate) mod term;
