//! Reads a `.wbr` file: by its index, or without one by walking the chunks.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use wingbeat_codec::{
    Cursor, FARTHEST, LARGEST_RATIO, LAST_FRAME, Prediction, bytes_at, read_bytes, read_column,
    read_ids,
};

use super::chunk::{self, ChunkRead};
use super::{FRAME, FRAME_FIXED, HEAD, IDS, INDEX, KEY, MAGIC, TRAILER, VERSION, head};
use crate::regular_file::open_regular;
use crate::sink::RecordedPart;
use crate::{About, RecordError, Snapshot, Watch};

/// A `.wbr` file. In memory: 24 bytes for each frame of the file, and the frame read last.
pub(crate) struct FileReader {
    shown: String,
    file: BufReader<File>,
    bytes: u64,
    about: About,
    index: Vec<Entry>,
    /// Where the last whole frame ends, or the head where there is none.
    frames_end: u64,
    note: Option<String>,
    /// Whether the note is of bytes that are no frames.
    is_damaged: bool,
    /// The frame decoded last, and its number.
    last: (Snapshot, Option<usize>),
    payload: Vec<u8>,
    planes: Vec<u8>,
}

#[derive(Clone, Copy)]
struct Entry {
    offset: u64,
    step: i64,
    time: f64,
}

/// What a frame's payload begins with.
struct Fixed {
    step: i64,
    time: f64,
    count: usize,
    hash: u64,
    h: f32,
    flags: u32,
}

impl FileReader {
    /// Opens a recording.
    pub fn open(path: &Path) -> Result<Self, RecordError> {
        let shown = path.display().to_string();
        let (file, _) =
            open_regular(path).map_err(|error| RecordError::cannot_read(&shown, &error))?;
        Self::of(file, &shown, &|_, _| true)
    }

    /// Reads an open file; `watch` hears how much of one without an index is looked through.
    pub fn of(file: File, shown: &str, watch: Watch<'_>) -> Result<Self, RecordError> {
        let cannot_read = |error| RecordError::cannot_read(shown, &error);
        let bytes = file.metadata().map_err(cannot_read)?.len();
        let mut file = BufReader::with_capacity(1 << 16, file);
        let mut start = [0; 12];
        let is_whole = file.read_exact(&mut start).is_ok();
        if !is_whole || start[..8] != MAGIC {
            return Err(RecordError::data(
                shown,
                "not a .wbr recording: allowed is what wingbeat run --record writes",
            ));
        }
        let version = u32::from_le_bytes(bytes_at(&start, 8));
        if version != VERSION {
            return Err(RecordError::data(
                shown,
                format!("version {version} of the format: allowed is {VERSION}"),
            ));
        }
        let mut payload = Vec::new();
        let found = chunk::read(&mut file, bytes - 12, &mut payload).map_err(cannot_read)?;
        let ChunkRead::Chunk(HEAD) = found else {
            return Err(RecordError::data(
                shown,
                "its head is damaged or cut short: allowed is a whole one",
            ));
        };
        let about = head::read(&payload).map_err(|message| RecordError::data(shown, message))?;
        let after_head = 12 + (chunk::PREFIX + payload.len()) as u64;
        let last = (Snapshot::new(about.dimensions), None);
        let shown = shown.to_string();
        let mut reader = Self {
            shown,
            file,
            bytes,
            about,
            index: Vec::new(),
            frames_end: after_head,
            note: None,
            is_damaged: false,
            last,
            payload,
            planes: Vec::new(),
        };
        if !reader.read_index(after_head) {
            let whole = reader
                .scan(after_head, watch)
                .map_err(|error| RecordError::cannot_read(&reader.shown, &error))?;
            if !whole {
                return Err(RecordError::Stopped);
            }
        }
        Ok(reader)
    }

    /// The description of the recorded run.
    pub fn about(&self) -> &About {
        &self.about
    }

    /// How many whole frames there are.
    pub fn len(&self) -> usize {
        self.index.len()
    }

    /// Offset, step and time of the first frames, if there are that many and they end at that byte.
    pub fn entries_up_to(&self, part: RecordedPart) -> Option<Vec<(u64, i64, f64)>> {
        let count = usize::try_from(part.frames).ok().filter(|&count| count <= self.index.len())?;
        let end = self.index.get(count).map_or(self.frames_end, |next| next.offset);
        let entry = |entry: &Entry| (entry.offset, entry.step, entry.time);
        (end == part.bytes).then(|| self.index[..count].iter().map(entry).collect())
    }

    /// The file, as the user knows it.
    pub fn shown(&self) -> &str {
        &self.shown
    }

    /// Number of steps made before frame `k`.
    pub fn step(&self, k: usize) -> i64 {
        self.index[k].step
    }

    /// The frame of this step, where steps ascend.
    pub fn find(&self, step: i64) -> Option<usize> {
        self.index.binary_search_by_key(&step, |entry| entry.step).ok()
    }

    /// Time at frame `k`.
    pub fn time(&self, k: usize) -> f64 {
        self.index[k].time
    }

    /// What is wrong with a recording that was not finished or is damaged; `None` if nothing is.
    pub fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }

    /// The note, where it tells of more than an end that is missing.
    pub fn damage(&self) -> Option<&str> {
        self.note().filter(|_| self.is_damaged)
    }

    /// Reads frame `k`.
    pub fn read(&mut self, k: usize, out: &mut Snapshot) -> Result<(), RecordError> {
        out.clone_from(self.frame(k)?);
        Ok(())
    }

    /// Frame `k`. Fastest in ascending order; otherwise up to 15 earlier frames are decoded too.
    pub fn frame(&mut self, k: usize) -> Result<&Snapshot, RecordError> {
        if self.last.1 != Some(k) {
            // Back to the last key frame, unless the frame before is the one decoded last.
            let mut from = k;
            while self.last.1.is_none_or(|last| last + 1 != from) && !self.is_key(from)? {
                if from == 0 {
                    return Err(self.damaged(0));
                }
                from -= 1;
            }
            for i in from..=k {
                self.load(i)?;
                self.last.1 = None;
                self.decode().ok_or_else(|| self.damaged(i))?;
                self.last.1 = Some(i);
            }
        }
        Ok(&self.last.0)
    }

    /// The refusal of frame `k`.
    pub fn damaged(&self, k: usize) -> RecordError {
        let place = format!("{} frame {k}", self.shown);
        RecordError::data(
            place,
            format!("damaged, at byte {}: allowed is what was written", self.index[k].offset),
        )
    }

    /// Reads frame `k`'s payload.
    fn load(&mut self, k: usize) -> Result<(), RecordError> {
        let offset = self.index[k].offset;
        let found = self.file.seek(SeekFrom::Start(offset)).and_then(|_| {
            let left = self.bytes.saturating_sub(offset);
            chunk::read(&mut self.file, left, &mut self.payload)
        });
        match found {
            Ok(ChunkRead::Chunk(FRAME)) if self.payload.len() >= FRAME_FIXED => Ok(()),
            Ok(_) => Err(self.damaged(k)),
            Err(error) => Err(RecordError::cannot_read(&self.shown, &error)),
        }
    }

    fn is_key(&mut self, k: usize) -> Result<bool, RecordError> {
        self.load(k)?;
        Ok(Fixed::of(&mut Cursor(&self.payload)).is_some_and(|fixed| fixed.flags & KEY != 0))
    }

    /// Decodes the payload into the last frame, which for all but key frames holds the frame
    /// before.
    fn decode(&mut self) -> Option<()> {
        let mut from = Cursor(&self.payload);
        let Fixed { step, time, count, hash, h, flags } = Fixed::of(&mut from)?;
        let (now, planes) = (&mut self.last.0, &mut self.planes);
        let is_key = flags & KEY != 0;
        if is_key != (flags & IDS != 0) {
            return None;
        }
        // Before anything is allocated: so many boids cannot be in what is left of the payload.
        let columns = 2 * now.dimensions() as u128;
        if count as u128 * 4 * columns > from.0.len() as u128 * LARGEST_RATIO {
            return None;
        }
        if is_key {
            read_ids(&mut from, count, planes, &mut now.ids)?;
        } else if now.ids.len() != count {
            return None;
        }
        let mut column = Vec::new();
        for velocity in &mut now.velocities {
            let told = if is_key { Prediction::Nothing } else { Prediction::Before(velocity) };
            read_column(from.block()?, count, &told, planes, &mut column)?;
            std::mem::swap(velocity, &mut column);
        }
        for (position, velocity) in now.positions.iter_mut().zip(&now.velocities) {
            let told =
                if is_key { Prediction::Nothing } else { Prediction::Moved(position, velocity, h) };
            read_column(from.block()?, count, &told, planes, &mut column)?;
            std::mem::swap(position, &mut column);
        }
        let kinds = self.about.species.len();
        if is_key && kinds > 0 {
            read_bytes(from.block()?, count, kinds, &mut now.species)?;
        }
        (now.step, now.time) = (step, time);
        // As far as the engine goes; velocities that are not known are NaN.
        if !now.is_within(FARTHEST as f32) {
            return None;
        }
        (!is_key || now.state_hash() == hash).then_some(())
    }

    /// Takes the index at the end of a finished file; false if there is none.
    fn read_index(&mut self, after_head: u64) -> bool {
        self.indexed(after_head).is_some()
    }

    fn indexed(&mut self, after_head: u64) -> Option<()> {
        let mut end = [0; 16];
        self.file.seek(SeekFrom::Start(self.bytes.checked_sub(16)?)).ok()?;
        self.file.read_exact(&mut end).ok()?;
        let at = u64::from_le_bytes(bytes_at(&end, 0));
        if end[8..] != TRAILER || at < after_head || at > self.bytes - 16 {
            return None;
        }
        self.file.seek(SeekFrom::Start(at)).ok()?;
        let ChunkRead::Chunk(INDEX) =
            chunk::read(&mut self.file, self.bytes - 16 - at, &mut self.payload).ok()?
        else {
            return None;
        };
        // A whole index is followed by nothing but the trailer.
        let entries = at + (chunk::PREFIX + self.payload.len()) as u64;
        if entries != self.bytes - 16 || !self.payload.len().is_multiple_of(24) {
            return None;
        }
        let mut from = Cursor(&self.payload);
        // Frames follow each other: one that is named often would be decoded as often.
        let mut least = after_head;
        while let (Some(offset), Some(step), Some(time)) = (from.u64(), from.i64(), from.f64()) {
            if !(least..at).contains(&offset) || !is_moment(step, time) {
                self.index.clear();
                return None;
            }
            least = offset + 1;
            self.index.push(Entry { offset, step, time });
        }
        self.frames_end = at;
        Some(())
    }

    /// Finds the frames of a file without an index, checking each; false where `watch` says to
    /// stop.
    fn scan(&mut self, after_head: u64, watch: Watch<'_>) -> std::io::Result<bool> {
        self.index.clear();
        let mut at = after_head;
        self.file.seek(SeekFrom::Start(at))?;
        let ended = loop {
            if !watch(at, self.bytes) {
                return Ok(false);
            }
            let found = chunk::read(&mut self.file, self.bytes - at, &mut self.payload)?;
            match found {
                ChunkRead::Chunk(FRAME) => {
                    let Some(fixed) = Fixed::of(&mut Cursor(&self.payload)) else { break true };
                    self.index.push(Entry { offset: at, step: fixed.step, time: fixed.time });
                }
                // A chunk of a later version.
                ChunkRead::Chunk(_) => {}
                ChunkRead::End => break false,
                ChunkRead::Damaged => break true,
            }
            at += (chunk::PREFIX + self.payload.len()) as u64;
        };
        self.frames_end = at;
        let count = self.index.len();
        self.is_damaged = ended;
        self.note = Some(if ended {
            format!("damaged at byte {at} of {}: the {count} frames before are read", self.bytes)
        } else {
            format!("the recording was not finished: it has {count} whole frames")
        });
        Ok(true)
    }
}

impl Fixed {
    fn of(from: &mut Cursor<'_>) -> Option<Self> {
        let (step, time, count) = (from.i64()?, from.f64()?, from.u64()?);
        let (hash, h, flags) = (from.u64()?, from.f32()?, from.u32()?);
        let count = usize::try_from(count).ok()?;
        is_moment(step, time).then_some(Self { step, time, count, hash, h, flags })
    }
}

/// Whether steps and times can be reckoned with.
fn is_moment(step: i64, time: f64) -> bool {
    (-LAST_FRAME..=LAST_FRAME).contains(&step) && time.is_finite()
}

impl std::fmt::Debug for FileReader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FileReader")
            .field("file", &self.shown)
            .field("about", &self.about)
            .field("frames", &self.index.len())
            .finish_non_exhaustive()
    }
}
