//! Recordings: every format there and back, what is refused, and what is put in order and measured.
//! One program, so that the engine is linked once.

mod ambiguous;
mod archives;
mod common;
mod in_python;
mod lookalikes;
mod measured;
mod ranks;
mod rejects_bad_files;
mod round_trips;
mod simulators;
mod species;
mod trackers;
mod tracks;
mod wbr;
