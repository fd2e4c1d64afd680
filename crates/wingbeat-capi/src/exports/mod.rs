//! The functions, by theme. What they do is said in the header's words, as cbindgen copies them.

#![expect(
    clippy::missing_safety_doc,
    reason = "the header says once, at its beginning, what pointers have to be"
)]

// In the order of the header; formatting sorts what stands together.
mod library;

mod open;

mod read;

mod change;

mod state;

pub use change::*;
pub use library::*;
pub use open::*;
pub use read::*;
pub use state::*;

use crate::host::Host;
use crate::raw::Caller;
use crate::status::{Failure, WingbeatStatus, answer};
use crate::table::Table;
use crate::types::WingbeatFlock;

/// All flocks of the program.
static FLOCKS: Table<Host> = Table::new();

/// Does something with a flock and writes what comes of it.
fn tell<T: Copy>(
    caller: &Caller,
    flock: WingbeatFlock,
    out: (&str, *mut T),
    ask: impl FnOnce(&mut Host) -> Result<T, Failure>,
) -> WingbeatStatus {
    answer(|| {
        // Before anything is changed that the caller would not learn of.
        caller.can_write(out.0, out.1)?;
        let value = FLOCKS.with(flock, ask)?;
        caller.write(out.0, out.1, value)
    })
}
