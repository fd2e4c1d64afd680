//! What writers write to.

use std::io;

use crate::Snapshot;

/// A recording being written, in one format.
pub(crate) trait Sink: Send {
    /// Takes the next frame.
    fn frame(&mut self, now: &Snapshot) -> io::Result<()>;

    /// Makes sure that all frames so far are on the disk, to be continued by a writer of another
    /// day. Most formats are not sound before they are finished.
    fn sync(&mut self) -> io::Result<RecordedPart> {
        Err(io::Error::new(
            io::ErrorKind::Unsupported,
            "a recording of this format cannot be continued: allowed is .wbr",
        ))
    }

    /// Completes the recording and returns its size in bytes. A sink that is dropped before leaves
    /// no file behind, or in formats that are sound at every moment (`.wbr`, series of files) the
    /// frames so far.
    fn finish(self: Box<Self>) -> io::Result<u64>;
}

/// So much of a recording: how many frames, and where they end in its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(target_family = "wasm"), derive(serde::Serialize, serde::Deserialize))]
pub struct RecordedPart {
    /// Frames.
    pub frames: u64,
    /// Bytes up to the last one's end.
    pub bytes: u64,
}
