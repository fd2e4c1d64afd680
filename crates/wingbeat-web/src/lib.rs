//! Wingbeat's engine, scenes and explanations as one WebAssembly module: what a web page needs to
//! run and explain a flock by itself.
//!
//! [`Session`] is a flock behind bytes and columns of numbers; `exports.rs` gives it to JavaScript
//! as plain functions of numbers, which README.md lists. Everything runs on the calling thread: no
//! pool of threads is started, no file is read, no clock is asked.

#![deny(unsafe_code)]

mod bytes;
mod session;
#[allow(unsafe_code)]
mod exports;

pub use session::Session;
