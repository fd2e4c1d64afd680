//! What is true of every picture, and of every chart.

#[cfg(feature = "plot")]
mod charts;
mod pictures;
mod plans;
