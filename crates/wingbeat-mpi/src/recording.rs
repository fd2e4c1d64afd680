//! A recording in parts: each rank writes its boids, and the first one the index.

use std::path::Path;

use serde::{Deserialize, Serialize};
use wingbeat::Transport;
use wingbeat_record::{About, PartIndex, RecordError, RecordedPart, Recorder};

use crate::any::AnyPart;
use crate::ranks::Ranks;

/// What is to be recorded, and where.
#[derive(Serialize, Deserialize)]
pub struct BeginRecording {
    pub path: String,
    pub about: About,
    /// The step whose frame comes next, and how much of each part was on the disk: of a run that
    /// goes on.
    pub resumed: Option<(u64, Vec<RecordedPart>)>,
}

/// What a rank records.
pub struct Recording {
    index: PartIndex,
    recorder: Recorder,
    /// Whether the index is written already.
    is_named: bool,
}

impl Recording {
    /// Begins on one of the ranks; the same on all.
    pub fn begin(
        order: &BeginRecording,
        (rank, size): (usize, usize),
    ) -> Result<Self, RecordError> {
        let path = Path::new(&order.path);
        let (index, goes_on) = match &order.resumed {
            None => (PartIndex::new(path, size)?, None),
            Some((step, parts)) => {
                let mut index = PartIndex::open(path)?;
                let goes_on = index.go_on(*step, size)?;
                (index, parts.get(rank).filter(|_| goes_on))
            }
        };
        let file = index.part(rank);
        let recorder = match goes_on {
            Some(part) => Recorder::resume(&file, order.about.clone(), *part)?,
            None => Recorder::start(&file, order.about.clone())?,
        };
        Ok(Self { index, recorder, is_named: goes_on.is_some() })
    }

    /// Records the boids of this rank. With the first frame of all ranks the recording gets its
    /// name.
    pub fn record(&mut self, part: &mut AnyPart, ranks: &mut Ranks) -> Result<(), String> {
        let mut done = part.record(&mut self.recorder).map_err(|error| error.to_string());
        if !self.is_named {
            self.is_named = true;
            done = done
                .and_then(|()| self.recorder.sync().map(drop).map_err(|error| error.to_string()));
            ranks.agree(done)?;
            done = if ranks.rank() == 0 {
                self.index.write().map(drop).map_err(|error| error.to_string())
            } else {
                Ok(())
            };
        }
        ranks.agree(done)
    }

    /// Waits until all of it so far is on the disk; tells how much that is, of every part.
    pub fn sync(&mut self, ranks: &mut Ranks) -> Result<Vec<RecordedPart>, String> {
        let synced = self.recorder.sync().map_err(|error| error.to_string());
        ranks.agree(synced.as_ref().map(drop).map_err(String::clone))?;
        of_all(synced?, ranks)
    }

    /// Makes it whole; tells how much every part has.
    pub fn finish(self, ranks: &mut Ranks) -> Result<Vec<RecordedPart>, String> {
        let written = self.recorder.finish().map_err(|error| error.to_string());
        ranks.agree(written.as_ref().map(drop).map_err(String::clone))?;
        let written = written?;
        of_all(RecordedPart { frames: written.frames, bytes: written.bytes }, ranks)
    }
}

fn of_all(mine: RecordedPart, ranks: &mut Ranks) -> Result<Vec<RecordedPart>, String> {
    let words: Vec<u32> =
        [mine.frames, mine.bytes].iter().flat_map(|&n| [n as u32, (n >> 32) as u32]).collect();
    let all = ranks.all(&words).map_err(|lost| lost.to_string())?;
    let number = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
    let parts = all.iter().filter_map(|words| words.first_chunk());
    Ok(parts
        .map(|&[a, b, c, d]| RecordedPart { frames: number(a, b), bytes: number(c, d) })
        .collect())
}
