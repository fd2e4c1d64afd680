//! The live view from outside, over its sockets: what a page can see, change, and must not be able
//! to.

mod connections;
mod flock;
mod long_steps;
mod viewer;
