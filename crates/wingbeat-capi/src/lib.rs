//! Wingbeat's flocks and scenes for C and C++, and whatever else calls C.
//!
//! The functions are described where C programmers read them, in `include/wingbeat.h`, which
//! cbindgen writes from this crate; README.md says how to build and link. How it is made:
//!
//! ```text
//! exports/      the functions, by theme: arguments taken in, one call of a Host, the answer out
//! raw.rs        the only place that follows a host's pointer: Caller
//! status.rs     what a call answers, the text of the last error, panics caught
//! table.rs      from numbers to flocks: numbers that are of none are answered, never followed
//! host.rs       a flock with what its host still reads; safe code
//! types.rs      the structs of the header
//! ```
//!
//! Safety rests on three things. A flock is a number with a generation, looked up in a table, so
//! that no number can name freed memory. Every pointer goes through `Caller` (raw.rs), which
//! refuses null, misaligned and overlong arrays, and borrows for the length of the call. What the
//! library hands out as a pointer is owned by the flock's entry in the table and replaced only by
//! the call that hands out the next.

#![deny(unsafe_op_in_unsafe_fn)]
#![deny(unsafe_code)]

mod status;
#[allow(unsafe_code)]
mod raw;
mod types;
mod host;
mod table;
#[allow(unsafe_code)]
mod exports;

pub use exports::*;
pub use status::WingbeatStatus;
pub use types::*;
