//! Progress and stopping of long work.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::rc::Rc;

/// A function that is told how much is done and how much there is, and answers whether to go on.
pub type Watch<'a> = &'a dyn Fn(u64, u64) -> bool;

/// Bytes that are read between two looks at whether to go on.
const BETWEEN_LOOKS: u64 = 1 << 16;

/// A file that is read under watch.
#[derive(Clone)]
pub struct Watched<'a> {
    file: Rc<File>,
    bytes: u64,
    /// Bytes read so far; what is read twice counts twice.
    done: Rc<Cell<u64>>,
    stopped: Rc<Cell<bool>>,
    watch: Watch<'a>,
}

impl<'a> Watched<'a> {
    /// A file of so many bytes, under `watch`.
    pub fn new(file: File, bytes: u64, watch: Watch<'a>) -> Self {
        Self { file: Rc::new(file), bytes, done: Rc::default(), stopped: Rc::default(), watch }
    }

    /// Another file, as long as it is, that is read under the same watch.
    #[cfg_attr(target_family = "wasm", allow(dead_code))]
    pub fn beside(&self, file: File) -> Self {
        let bytes = file.metadata().map_or(0, |data| data.len());
        Self {
            file: Rc::new(file),
            bytes,
            done: Rc::default(),
            stopped: Rc::clone(&self.stopped),
            watch: self.watch,
        }
    }

    /// Reports how much is done, by readers that open files themselves; false if it is to stop.
    pub fn go_on(&self, done: u64, of: u64) -> bool {
        let on = (self.watch)(done, of);
        self.stopped.set(self.stopped.get() || !on);
        on
    }

    /// Whether the watch function asked to stop.
    pub fn is_stopped(&self) -> bool {
        self.stopped.get()
    }
}

impl std::fmt::Debug for Watched<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Watched").field("bytes", &self.bytes).finish_non_exhaustive()
    }
}

impl Read for Watched<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = (&*self.file).read(buffer)?;
        let before = self.done.get();
        self.done.set(before + count as u64);
        // Once for so many bytes, and at the end: pieces may be read in any order, a few bytes
        // each.
        let is_due = before / BETWEEN_LOOKS != self.done.get() / BETWEEN_LOOKS
            || before == 0
            || count == 0
            || before < self.bytes && self.done.get() >= self.bytes;
        if is_due && !self.go_on(self.done.get().min(self.bytes), self.bytes) || self.is_stopped() {
            return Err(io::Error::other("stopped"));
        }
        Ok(count)
    }
}

impl Seek for Watched<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        (&*self.file).seek(to)
    }
}
