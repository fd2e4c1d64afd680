//! A recording in parts: each process of a run writes a `.wbr` of the boids that it has, and an
//! index names the files.
//!
//! ```text
//! text.rs     the index as text: WBRPARTS, groups of parts, a checksum
//! index.rs    what the parts are called, and the index as a file
//! reader.rs   all parts together, frame by frame
//! ```
//!
//! The parts that are written at one time are a group. A run that goes on in another number of
//! parts begins a new group, whose frames take the place of whatever the group before has from
//! there on. The index is specified in docs/RECORDINGS.md.

mod index;
mod reader;
#[cfg(test)]
mod tests;
mod text;

use std::fs::File;
use std::io::Read;

use crate::RecordError;

pub use index::{PartIndex, parts_of};
pub(super) use reader::PartsReader;
pub(super) use text::{Group, INDEX_MAGIC};

/// Reads the text of an index. What is longer than the most parts with the longest names is none.
pub(super) fn read_index(file: File, shown: &str) -> Result<Vec<Group>, RecordError> {
    let mut bytes = Vec::new();
    file.take(text::MOST_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| RecordError::cannot_read(shown, &error))?;
    if bytes.len() as u64 > text::MOST_BYTES {
        let message =
            format!("an index longer than allowed, which is at most {} bytes", text::MOST_BYTES);
        return Err(RecordError::data(shown, message));
    }
    text::read(&bytes).map_err(|message| RecordError::data(shown, message))
}
