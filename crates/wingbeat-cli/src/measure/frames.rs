//! A recording and its frames, one after the other.

use std::path::Path;

use wingbeat_record::{Frame, Options, RecordError, Recording, read_watched};

use crate::failure::Failure;
use crate::{interrupt, progress};

/// Reads a recording, with the time left, and Ctrl-C.
pub fn read_recording(file: &str, options: &Options) -> Result<Recording, Failure> {
    let bar = progress::bytes();
    let recording = read_watched(Path::new(file), options, &progress::watch(&bar));
    bar.finish_and_clear();
    recording.map_err(Failure::of_reading)
}

/// Does something that looks at all frames and tells how far it is, with the time left, and Ctrl-C.
pub fn watched<T>(
    all: impl FnOnce(&dyn Fn(u64, u64) -> bool) -> Result<T, RecordError>,
) -> Result<T, Failure> {
    let bar = progress::counted(1, "frames");
    let done = all(&progress::watch(&bar));
    bar.finish_and_clear();
    Ok(done?)
}

/// Does something with every n-th frame that has boids, with the time left, and Ctrl-C.
pub fn each_frame(
    recording: &Recording,
    every: u64,
    mut each: impl FnMut(&Frame<'_>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let frames = (0..recording.len()).step_by(usize::try_from(every).unwrap_or(usize::MAX));
    let bar = progress::counted(frames.len() as u64, "frames");
    for k in frames {
        if interrupt::requested() {
            bar.finish_and_clear();
            return Err(Failure::Stopped("stopped; nothing is written".into()));
        }
        recording
            .frame(k)
            .map_err(Failure::from)
            .and_then(|frame| each(&frame))
            .inspect_err(|_| bar.finish_and_clear())?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(())
}
