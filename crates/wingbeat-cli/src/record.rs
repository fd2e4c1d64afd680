//! `run --record`: frames go to a file while the flock steps.

use std::path::{Path, PathBuf};

use wingbeat_record::{
    About, RecordedPart, Recorder, bytes_in, prepare_folder, rank_file, remove_segments,
};
use wingbeat_scene::{AnyFlock, Built, Scene};

use crate::failure::Failure;
use crate::output::Output;
use crate::ranks::Ranks;
use crate::report::Recorded;
use crate::terminal;

/// A recording that is being made.
pub struct Record {
    recorder: Recorder,
    every: u64,
    /// Where it has its name already while it is written: other formats get theirs in the end, or a
    /// file a frame.
    named: Option<PathBuf>,
    /// Frames of other files, from before the run was resumed.
    before: u64,
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
            return Ok(Self {
                recorder,
                every,
                named: Some(output.path().to_path_buf()),
                before: 0,
            });
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
        let recorder = Recorder::start(path, built.about(scene, every)?)?;
        Ok(Self { recorder, every, named, before: 0 })
    }

    /// Begins the file of this rank in the folder of a recording; or of one that is resumed at a
    /// step, before which it has so many frames. Collective.
    pub fn of_rank(
        folder: &Path,
        about: About,
        resumed: Option<(u64, u64)>,
        ranks: &mut Ranks<'_>,
    ) -> Result<Self, Failure> {
        let is_first = ranks.is_first();
        let prepared = if is_first { prepare_folder(folder, resumed, &about) } else { Ok(()) };
        ranks.agree(prepared.map_err(Failure::from))?;
        let ((rank, size), every) = (ranks.place(), about.every);
        let (step, before) = resumed.unwrap_or_default();
        let file = rank_file(folder, step, rank, size);
        let begun = ranks.agree(Recorder::start(&file, about).map_err(Failure::from));
        let recorder = begun.inspect_err(|_| {
            if is_first {
                // It stays where anything is in it.
                let _ = std::fs::remove_dir(folder);
            }
        })?;
        if is_first {
            // Nothing can be refused any more: what is recorded again takes its place.
            remove_segments(folder, step)?;
        }
        Ok(Self { recorder, every, named: Some(file), before })
    }

    /// Waits until all of it so far is on the disk; tells how much that is.
    pub fn sync(&mut self) -> Result<RecordedPart, Failure> {
        let part = self.recorder.sync()?;
        // Before its first frame a file has no name.
        let named = self.named.as_deref().filter(|_| part.frames > 0);
        is_still_there(named, part.bytes)?;
        Ok(RecordedPart { frames: self.before + part.frames, ..part })
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

    /// Records the boids of this rank, if it is its turn.
    pub fn capture_rank(&mut self, ranks: &mut Ranks<'_>, made: u64) -> Result<(), Failure> {
        if !self.is_due(made) {
            return Ok(());
        }
        ranks.record(&mut self.recorder)
    }

    /// Makes the recording of all ranks whole. Collective.
    pub fn finish_ranks(self, folder: &Path, ranks: &mut Ranks<'_>) -> Result<Recorded, Failure> {
        let before = self.before;
        let own = ranks.agree(self.finish())?;
        // The first rank alone reports it, once the files of all are whole.
        let is_first = ranks.is_first();
        let counted = if is_first { bytes_in(folder) } else { Ok(0) };
        let bytes = ranks.agree(counted.map_err(Failure::from))?;
        Ok(Recorded { file: folder.display().to_string(), frames: before + own.frames, bytes })
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
