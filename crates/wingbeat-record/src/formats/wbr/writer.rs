//! Writes a `.wbr`, a chunk at a time: if writing stops, the chunks before stay whole.

use std::fs::File;
use std::io::{self, Seek, Write};
use std::path::Path;

use wingbeat_codec::{Packer, Prediction, write_bytes, write_column, write_ids};

use super::file::FileReader;
use super::{FRAME, HEAD, IDS, INDEX, KEY, MAGIC, TRAILER, VERSION, chunk, head};
use crate::sink::{RecordedPart, Sink};
use crate::whole_file::WholeFile;
use crate::{About, RecordError, Snapshot};

/// Frames from one key frame to the next: a seek decodes at most this many. A frame that is stored
/// as differences to the one before takes two thirds of the room of a key frame, or half where
/// every step is recorded (100,000 starlings).
const KEY_EVERY: usize = 16;

/// A recording being written.
pub(crate) struct WbrWriter {
    file: File,
    /// Until the first frame is in it, it has no name: what is there under its name stays.
    unnamed: Option<WholeFile>,
    before: Snapshot,
    has_species: bool,
    /// Offset, step and time of each frame.
    index: Vec<(u64, i64, f64)>,
    length: u64,
    /// The chunk being made.
    chunk: Vec<u8>,
    packer: Packer,
}

impl WbrWriter {
    pub fn create(path: &Path, about: &About) -> io::Result<Self> {
        let unnamed = WholeFile::create(path)?;
        let mut writer = Self::of(unnamed.handle()?, about)?;
        writer.unnamed = Some(unnamed);
        Ok(writer)
    }

    /// Goes on with a recording of the same run after so many frames, which end at so many bytes:
    /// whatever follows them is cut off. The file becomes what it would have been had nothing
    /// stopped.
    pub fn resume(path: &Path, about: &About, part: RecordedPart) -> Result<Self, RecordError> {
        let mut reader = FileReader::open(path)?;
        let refuse = |why: String| Err(RecordError::data(path.display(), why));
        // How many steps were to be made may have changed since, and recordings before 26 November
        // 2026 have the step in single precision's digits.
        let is_alike = reader.about().dt as f32 == about.dt as f32;
        if !is_alike
            || (About { scene: about.scene.clone(), dt: about.dt, ..reader.about().clone() })
                != *about
        {
            return refuse(
                "a recording of another run: allowed is the one that the checkpoint goes with"
                    .into(),
            );
        }
        let Some(index) = reader.entries_up_to(part) else {
            let allowed = format!(
                "{} whole frames in {} bytes, as the checkpoint has it",
                part.frames, part.bytes
            );
            return refuse(format!("{} frames: allowed are {allowed}", reader.len()));
        };
        let mut before = Snapshot::new(about.dimensions);
        if let Some(last) = index.len().checked_sub(1) {
            reader.read(last, &mut before)?;
        }
        let cut = || {
            let mut file = File::options().write(true).open(path)?;
            file.set_len(part.bytes)?;
            file.seek(io::SeekFrom::End(0))?;
            Ok(file)
        };
        Ok(Self {
            file: cut().map_err(|error| RecordError::cannot_write(path, &error))?,
            before,
            has_species: !about.species.is_empty(),
            index,
            length: part.bytes,
            chunk: Vec::new(),
            packer: Packer::default(),
            unnamed: None,
        })
    }

    pub fn of(file: File, about: &About) -> io::Result<Self> {
        let mut writer = Self {
            file,
            unnamed: None,
            before: Snapshot::new(about.dimensions),
            has_species: !about.species.is_empty(),
            index: Vec::new(),
            length: 0,
            chunk: Vec::new(),
            packer: Packer::default(),
        };
        writer.chunk.extend_from_slice(&MAGIC);
        writer.chunk.extend_from_slice(&VERSION.to_le_bytes());
        let at = chunk::begin(&mut writer.chunk, HEAD);
        head::write(about, &mut writer.chunk)?;
        chunk::end(&mut writer.chunk, at);
        writer.flush()?;
        Ok(writer)
    }

    /// Writes the chunk in one piece. After an error, the part that was written is cut off again
    /// where the system allows it.
    fn flush(&mut self) -> io::Result<()> {
        if let Err(error) = self.file.write_all(&self.chunk) {
            // If it does not: the reader stops at a chunk that is cut short, and the file is sound
            // up to there.
            let _ =
                self.file.set_len(self.length).and_then(|()| self.file.seek(io::SeekFrom::End(0)));
            return Err(error);
        }
        self.length += self.chunk.len() as u64;
        self.chunk.clear();
        Ok(())
    }

    fn give_name(&mut self) -> io::Result<()> {
        self.unnamed.take().map_or(Ok(()), |file| file.finish().map(|_| ()))
    }

    /// Encodes a frame into the chunk, and keeps its columns for the next frame's differences.
    fn encode(&mut self, now: &Snapshot) {
        let same_boids = !self.index.is_empty()
            && self.before.ids == now.ids
            && self.before.species == now.species;
        let is_key = !same_boids || self.index.len().is_multiple_of(KEY_EVERY);
        let h = (now.time - self.before.time) as f32;
        let Self { chunk: out, packer, before, has_species, .. } = self;
        let at = chunk::begin(out, FRAME);
        out.extend_from_slice(&now.step.to_le_bytes());
        out.extend_from_slice(&now.time.to_le_bytes());
        out.extend_from_slice(&(now.len() as u64).to_le_bytes());
        let hash = if is_key { now.state_hash() } else { 0 };
        out.extend_from_slice(&hash.to_le_bytes());
        out.extend_from_slice(&(if is_key { 0.0 } else { h }).to_le_bytes());
        out.extend_from_slice(&(if is_key { KEY | IDS } else { 0 }).to_le_bytes());
        if is_key {
            write_ids(&now.ids, packer, out);
        }
        if !same_boids {
            before.ids.clone_from(&now.ids);
            before.species.clone_from(&now.species);
        }
        for (a, velocity) in now.velocities.iter().enumerate() {
            let from = if is_key {
                Prediction::Nothing
            } else {
                Prediction::Before(&before.velocities[a])
            };
            write_column(velocity, &from, packer, out);
            before.velocities[a].clone_from(velocity);
        }
        for (a, position) in now.positions.iter().enumerate() {
            let from = if is_key {
                Prediction::Nothing
            } else {
                Prediction::Moved(&before.positions[a], &now.velocities[a], h)
            };
            write_column(position, &from, packer, out);
            before.positions[a].clone_from(position);
        }
        // At the end, where readers from before there were species do not look.
        if is_key && *has_species {
            write_bytes(&now.species, packer, out);
        }
        (before.step, before.time) = (now.step, now.time);
        chunk::end(out, at);
    }
}

impl Sink for WbrWriter {
    fn frame(&mut self, now: &Snapshot) -> io::Result<()> {
        self.encode(now);
        let at = self.length;
        self.flush()?;
        self.give_name()?;
        self.index.push((at, now.step, now.time));
        Ok(())
    }

    fn sync(&mut self) -> io::Result<RecordedPart> {
        self.file.sync_data()?;
        Ok(RecordedPart { frames: self.index.len() as u64, bytes: self.length })
    }

    fn finish(mut self: Box<Self>) -> io::Result<u64> {
        let index_at = self.length;
        let at = chunk::begin(&mut self.chunk, INDEX);
        for (offset, step, time) in &self.index {
            self.chunk.extend_from_slice(&offset.to_le_bytes());
            self.chunk.extend_from_slice(&step.to_le_bytes());
            self.chunk.extend_from_slice(&time.to_le_bytes());
        }
        chunk::end(&mut self.chunk, at);
        self.chunk.extend_from_slice(&index_at.to_le_bytes());
        self.chunk.extend_from_slice(&TRAILER);
        self.flush()?;
        self.give_name()?;
        Ok(self.length)
    }
}
