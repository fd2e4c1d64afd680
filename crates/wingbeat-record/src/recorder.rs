//! Records a flock while it steps, on a thread of its own.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread::JoinHandle;

use wingbeat::Frame;
use wingbeat_codec::Slots;

use crate::formats;
use crate::sink::{RecordedPart, Sink};
use crate::{About, RecordError, Snapshot};

/// Frames that may wait for the writer: two even out a slow write, more would only take memory.
const WAITING: usize = 2;

/// Writes frames to a file on a thread of its own. [`capture`](Self::capture) copies the flock's
/// columns and returns; at most three copies exist, and a simulation that is faster than the disk
/// waits for it.
///
/// A `.wbr` has its name from its first frame on and is sound at every moment. Other files appear
/// when [`finish`](Self::finish) makes them whole; a recorder that is dropped before leaves none.
pub struct Recorder {
    path: PathBuf,
    dt: f64,
    to_writer: Option<SyncSender<Message>>,
    /// Buffers that the writer is done with.
    spare: Receiver<Slots>,
    thread: Option<JoinHandle<Result<Written, Failed>>>,
}

/// A finished recording.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Written {
    /// The path as given; a format with one file per frame adds the frame's number to the name.
    pub path: PathBuf,
    /// How many frames it has.
    pub frames: u64,
    /// Bytes, of all files together.
    pub bytes: u64,
}

enum Message {
    Frame(Slots),
    Sync(Sender<io::Result<RecordedPart>>),
    Finish,
}

struct Failed {
    frames: u64,
    error: io::Error,
}

impl Recorder {
    /// Begins a recording; the extension of `path` tells the format, as in
    /// [`writable`](crate::writable).
    ///
    /// # Errors
    /// When the extension is unknown or the file cannot be made.
    pub fn start(path: &Path, about: About) -> Result<Self, RecordError> {
        Self::writing(path, &about, formats::create(path, &about)?, 0)
    }

    /// Goes on with a `.wbr` of the same run after part of its frames, as [`sync`](Self::sync) told
    /// it; what follows them is cut off. In the end it is, byte for byte, what it would have been
    /// had it not been stopped.
    ///
    /// # Errors
    /// When it is no `.wbr`, of another run, has not that many whole frames, or cannot be written.
    pub fn resume(path: &Path, about: About, part: RecordedPart) -> Result<Self, RecordError> {
        Self::writing(path, &about, formats::resume(path, &about, part)?, part.frames)
    }

    /// A recorder to a sink that has so many frames.
    fn writing(
        path: &Path,
        about: &About,
        sink: Box<dyn Sink>,
        frames: u64,
    ) -> Result<Self, RecordError> {
        let (to_writer, from_flock) = sync_channel(WAITING);
        let (to_spare, spare) = channel();
        // One buffer for each frame that waits, and one for the frame being written.
        for _ in 0..=WAITING {
            // The receiver is still in this function, so that sending cannot fail.
            let _ = to_spare.send(Slots::default());
        }
        let (target, dimensions) = (path.to_path_buf(), about.dimensions);
        let write = move || write((sink, frames), &from_flock, &to_spare, &target, dimensions);
        let thread = std::thread::Builder::new().name("recorder".into()).spawn(write);
        let thread = thread.map_err(|error| RecordError::Write {
            path: path.display().to_string(),
            message: format!("no thread to write it: {error}"),
        })?;
        Ok(Self {
            path: path.to_path_buf(),
            dt: about.dt,
            to_writer: Some(to_writer),
            spare,
            thread: Some(thread),
        })
    }

    /// Records a flock as it is now. Waits while the disk is behind.
    ///
    /// # Errors
    /// When an earlier frame could not be written: what was written before it stays, and nothing
    /// more is recorded.
    pub fn capture<const D: usize>(&mut self, frame: &Frame<'_, D>) -> Result<(), RecordError> {
        let sent = self.spare.recv().ok().and_then(|mut slots| {
            slots.copy(frame, self.dt);
            self.to_writer.as_ref()?.send(Message::Frame(slots)).ok()
        });
        match sent {
            Some(()) => Ok(()),
            None => self.join().map(|_| ()),
        }
    }

    /// Waits until all frames so far are on the disk; tells how many they are and where they end.
    /// Only a `.wbr` can be continued.
    ///
    /// # Errors
    /// When a frame could not be written, or the format is another.
    pub fn sync(&mut self) -> Result<RecordedPart, RecordError> {
        let (to_us, synced) = channel();
        let sent =
            self.to_writer.as_ref().and_then(|to_writer| to_writer.send(Message::Sync(to_us)).ok());
        match sent.and_then(|()| synced.recv().ok()) {
            Some(part) => part.map_err(|error| RecordError::cannot_write(&self.path, &error)),
            None => Err(self.join().err().unwrap_or_else(|| self.failed("it has ended already"))),
        }
    }

    /// Waits for the last frame, and makes the recording whole.
    ///
    /// # Errors
    /// When a frame or the end could not be written.
    pub fn finish(mut self) -> Result<Written, RecordError> {
        if let Some(to_writer) = &self.to_writer {
            // Sending fails if the writer thread has ended; joining it then gives its error.
            let _ = to_writer.send(Message::Finish);
        }
        self.join()
    }

    fn join(&mut self) -> Result<Written, RecordError> {
        self.to_writer = None;
        let Some(thread) = self.thread.take() else {
            return Err(self.failed("it has ended already"));
        };
        match thread.join() {
            Ok(Ok(written)) => Ok(written),
            Ok(Err(Failed { frames, error })) => {
                let left = match formats::extension(&self.path).as_str() {
                    "wbr" if frames > 0 => "the file holds those",
                    "vtp" | "ply" => "each has its file",
                    _ => "no whole file was left",
                };
                Err(self
                    .failed(format!("cannot be written after {frames} frames ({left}): {error}")))
            }
            Err(_) => Err(self.failed("its writer has failed")),
        }
    }

    fn failed(&self, message: impl Into<String>) -> RecordError {
        RecordError::Write { path: self.path.display().to_string(), message: message.into() }
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        self.to_writer = None;
        if let Some(thread) = self.thread.take() {
            // An error has nowhere to go from here: the recorder was dropped instead of finished.
            let _ = thread.join();
        }
    }
}

impl fmt::Debug for Recorder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recorder").field("path", &self.path).finish_non_exhaustive()
    }
}

/// The writer thread: writes each frame it is sent, and ends with the recording or at the first
/// error.
fn write(
    (mut sink, mut frames): (Box<dyn Sink>, u64),
    from_flock: &Receiver<Message>,
    spare: &Sender<Slots>,
    path: &Path,
    dimensions: usize,
) -> Result<Written, Failed> {
    let mut now = Snapshot::new(dimensions);
    loop {
        match from_flock.recv() {
            Ok(Message::Frame(mut slots)) => {
                slots.by_id(&mut now);
                // Fails only when the recorder is gone and needs no more buffers.
                let _ = spare.send(slots);
                sink.frame(&now).map_err(|error| Failed { frames, error })?;
                frames += 1;
            }
            Ok(Message::Sync(to)) => {
                // Fails only when its receiver is gone.
                let _ = to.send(sink.sync());
            }
            Ok(Message::Finish) => {
                let bytes = sink.finish().map_err(|error| Failed { frames, error })?;
                return Ok(Written { path: path.to_path_buf(), frames, bytes });
            }
            Err(_) => {
                return Err(Failed { frames, error: io::Error::other("it was left unfinished") });
            }
        }
    }
}
