//! What is true of every picture, and of every chart.

mod charts;
mod pictures;
