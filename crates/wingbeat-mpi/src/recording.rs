//! A recording of all ranks: each writes its boids into a file of its own.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use wingbeat_record::{About, RecordError, RecordedPart, Recorder, rank_file};

use crate::any::AnyPart;
use crate::ranks::Ranks;

/// What is to be recorded, and where.
#[derive(Serialize, Deserialize)]
pub struct BeginRecording {
    pub folder: PathBuf,
    pub about: About,
    /// The step whose frame comes next, and how many were before: of a run that goes on.
    pub resumed: Option<(u64, u64)>,
}

impl BeginRecording {
    /// The step from which on files are named.
    pub fn step(&self) -> u64 {
        self.resumed.map_or(0, |(step, _)| step)
    }
}

/// What a rank records.
pub struct Recording {
    recorder: Recorder,
    /// Frames that were there.
    before: u64,
}

impl Recording {
    /// Begins on one of the ranks.
    pub fn begin(
        order: &BeginRecording,
        (rank, size): (usize, usize),
    ) -> Result<Self, RecordError> {
        let file = rank_file(&order.folder, order.step(), rank, size);
        let recorder = Recorder::start(&file, order.about.clone())?;
        Ok(Self { recorder, before: order.resumed.map_or(0, |(_, frames)| frames) })
    }

    /// Records the boids of this rank.
    pub fn record(&mut self, part: &mut AnyPart, ranks: &mut Ranks) -> Result<(), String> {
        ranks.agree(part.record(&mut self.recorder).map_err(|error| error.to_string()))
    }

    /// Waits until all of it so far is on the disk; tells how much that is.
    pub fn sync(&mut self, ranks: &mut Ranks) -> Result<RecordedPart, String> {
        let synced = self.recorder.sync().map_err(|error| error.to_string());
        ranks.agree(synced.as_ref().map(drop).map_err(String::clone))?;
        synced.map(|part| RecordedPart { frames: self.before + part.frames, ..part })
    }

    /// Makes it whole; tells how many frames it has.
    pub fn finish(self, ranks: &mut Ranks) -> Result<u64, String> {
        let written = self.recorder.finish().map_err(|error| error.to_string());
        ranks.agree(written.as_ref().map(drop).map_err(String::clone))?;
        written.map(|written| self.before + written.frames)
    }
}

/// Bytes of all files in a folder.
pub fn bytes_in(folder: &Path) -> u64 {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    files.filter_map(|file| file.metadata().ok()).map(|file| file.len()).sum()
}
