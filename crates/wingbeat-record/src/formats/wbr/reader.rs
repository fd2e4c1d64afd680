//! Reads a `.wbr`, of one piece or in parts: its first bytes tell which.

use std::fs::File;
use std::io::{Read, Seek};
use std::path::Path;

use super::file::FileReader;
use super::parts::{self, INDEX_MAGIC, PartsReader};
use crate::regular_file::open_regular;
use crate::watch::Watch;
use crate::{About, RecordError, Snapshot};

/// A `.wbr` recording on disk, read frame by frame: one file, or the parts that an index names
/// ([`PartIndex`](crate::PartIndex)). In memory: 24 bytes for each frame of a file, and the frame
/// read last; of parts, that of each and all of them together.
///
/// ```
/// use wingbeat::{Flock2, Params, TimeStep};
/// use wingbeat_record::{About, Recorder, Snapshot, WbrReader};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("walk.wbr");
/// let mut flock =
///     Flock2::builder().params(Params::default()).boids(&[[1.0, 2.0]], &[[1.0, 0.0]]).build()?;
/// let dt = TimeStep::new(0.5)?;
/// let mut recorder = Recorder::start(&path, About::flock(&flock, dt.get(), 1))?;
/// for _ in 0..3 {
///     recorder.capture(&flock.frame())?;
///     flock.step(dt);
/// }
/// assert_eq!(recorder.finish()?.frames, 3);
///
/// let mut reader = WbrReader::open(&path)?;
/// let mut frame = Snapshot::new(reader.about().dimensions);
/// reader.read(2, &mut frame)?;
/// assert_eq!((frame.step, frame.time, frame.position(0)), (2, 1.0, [2.0, 2.0, 0.0]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct WbrReader(WbrKind);

#[derive(Debug)]
enum WbrKind {
    One(Box<FileReader>),
    Parts(Box<PartsReader>),
}

impl WbrReader {
    /// Opens a recording: finished, being written, or left by a writer that was killed.
    ///
    /// # Errors
    /// When it cannot be read, is no `.wbr`, or one of a later version; of one in parts, when a
    /// part is missing, is of another recording, or is none.
    pub fn open(path: &Path) -> Result<Self, RecordError> {
        Self::open_watched(path, &|_, _| true)
    }

    /// The same; `watch` hears how much of files without an index is looked through.
    pub(crate) fn open_watched(path: &Path, watch: Watch<'_>) -> Result<Self, RecordError> {
        let shown = path.display().to_string();
        let (file, _) =
            open_regular(path).map_err(|error| RecordError::cannot_read(&shown, &error))?;
        Self::of(file, path, &shown, watch)
    }

    /// Reads the open file at a path.
    pub(crate) fn of(
        mut file: File,
        path: &Path,
        shown: &str,
        watch: Watch<'_>,
    ) -> Result<Self, RecordError> {
        let cannot_read = |error| RecordError::cannot_read(shown, &error);
        let mut start = Vec::new();
        (&file).take(INDEX_MAGIC.len() as u64).read_to_end(&mut start).map_err(cannot_read)?;
        file.rewind().map_err(cannot_read)?;
        Ok(Self(if start == INDEX_MAGIC {
            let groups = parts::read_index(file, shown)?;
            WbrKind::Parts(Box::new(PartsReader::open(path, shown, groups, watch)?))
        } else {
            WbrKind::One(Box::new(FileReader::of(file, shown, watch)?))
        }))
    }

    /// The description of the recorded run.
    pub fn about(&self) -> &About {
        match &self.0 {
            WbrKind::One(file) => file.about(),
            WbrKind::Parts(parts) => parts.about(),
        }
    }

    /// How many whole frames there are; of a recording in parts, frames that all parts have.
    pub fn len(&self) -> usize {
        match &self.0 {
            WbrKind::One(file) => file.len(),
            WbrKind::Parts(parts) => parts.len(),
        }
    }

    /// Whether there are no frames.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of steps made before frame `k`.
    ///
    /// # Panics
    /// If there are not that many frames.
    pub fn step(&self, k: usize) -> i64 {
        match &self.0 {
            WbrKind::One(file) => file.step(k),
            WbrKind::Parts(parts) => parts.step(k),
        }
    }

    /// Time at frame `k`.
    ///
    /// # Panics
    /// If there are not that many frames.
    pub fn time(&self, k: usize) -> f64 {
        match &self.0 {
            WbrKind::One(file) => file.time(k),
            WbrKind::Parts(parts) => parts.time(k),
        }
    }

    /// What is wrong with a recording that was not finished or is damaged; `None` if nothing is.
    pub fn note(&self) -> Option<&str> {
        match &self.0 {
            WbrKind::One(file) => file.note(),
            WbrKind::Parts(parts) => parts.note(),
        }
    }

    /// Reads frame `k`. Fastest in ascending order; otherwise up to 15 earlier frames are decoded
    /// too.
    ///
    /// # Errors
    /// When the file cannot be read, or is damaged there; or when two parts have the same boid.
    ///
    /// # Panics
    /// If there are not that many frames.
    pub fn read(&mut self, k: usize, out: &mut Snapshot) -> Result<(), RecordError> {
        match &mut self.0 {
            WbrKind::One(file) => file.read(k, out),
            WbrKind::Parts(parts) => parts.read(k, out),
        }
    }
}
