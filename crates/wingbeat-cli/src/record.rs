//! `run --record`: frames go to a file while the flock steps.

use std::path::{Path, PathBuf};

use wingbeat_record::{RecordedPart, Recorder};
use wingbeat_scene::{AnyFlock, Built, Scene};

use crate::failure::Failure;
use crate::output::Output;
use crate::report::Recorded;
use crate::terminal;

/// A recording that is being made.
pub struct Record {
    recorder: Recorder,
    every: u64,
    /// Where it has its name already while it is written: other formats get theirs in the end, or a
    /// file a frame.
    named: Option<PathBuf>,
}

impl Record {
    /// Begins one, of as many steps as `--every` says; or goes on with part of one.
    pub fn start(
        output: &Output,
        built: &Built,
        scene: &Scene,
        every: u64,
        part: Option<RecordedPart>,
    ) -> Result<Self, Failure> {
        if let Some(part) = part {
            let recorder = Recorder::resume(output.path(), built.about(scene, every)?, part)?;
            return Ok(Self { recorder, every, named: Some(output.path().to_path_buf()) });
        }
        if built.origin.iter().any(|&x| x != 0.0) && output.extension() != "wbr" {
            terminal::note(&format!(
                "{}: positions are relative to domain.origin = {:?}",
                output.path().display(),
                built.origin
            ));
        }
        Self::to(output.path(), built, scene, every)
    }

    /// Begins one of every `every`-th step.
    pub fn to(path: &Path, built: &Built, scene: &Scene, every: u64) -> Result<Self, Failure> {
        let named = path
            .extension()
            .is_some_and(|ending| ending.eq_ignore_ascii_case("wbr"))
            .then(|| path.to_path_buf());
        Ok(Self { recorder: Recorder::start(path, built.about(scene, every)?)?, every, named })
    }

    /// Waits until all of it so far is on the disk; tells how much that is.
    pub fn sync(&mut self) -> Result<RecordedPart, Failure> {
        let part = self.recorder.sync()?;
        is_still_there(self.named.as_deref(), part.bytes)?;
        Ok(part)
    }

    /// Whether it is its turn.
    pub fn is_due(&self, made: u64) -> bool {
        made.is_multiple_of(self.every)
    }

    /// Records the flock, if it is its turn.
    pub fn capture(&mut self, flock: &AnyFlock, made: u64) -> Result<(), Failure> {
        if !self.is_due(made) {
            return Ok(());
        }
        Ok(flock.record(&mut self.recorder)?)
    }

    /// Makes it whole.
    pub fn finish(self) -> Result<Recorded, Failure> {
        let written = self.recorder.finish()?;
        is_still_there(self.named.as_deref(), written.bytes)?;
        Ok(Recorded {
            file: written.path.display().to_string(),
            frames: written.frames,
            bytes: written.bytes,
        })
    }
}

/// Refuses to call a recording written whose file was removed, moved away or replaced meanwhile:
/// a writer into an open file does not notice.
fn is_still_there(named: Option<&Path>, bytes: u64) -> Result<(), Failure> {
    match named.map(|path| (path, std::fs::metadata(path))) {
        Some((path, file)) if !file.as_ref().is_ok_and(|file| file.len() == bytes) => {
            Err(Failure::Other(format!(
                "{}: was removed or replaced while it was written",
                path.display()
            )))
        }
        _ => Ok(()),
    }
}
