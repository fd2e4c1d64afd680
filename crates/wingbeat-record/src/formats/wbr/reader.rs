//! Reads a `.wbr`, a file or a folder of several ranks' files.

use std::path::Path;

use super::file::FileReader;
use super::folder::FolderReader;
use crate::regular_file::open_regular;
use crate::{About, RecordError, Snapshot, Watch};

/// A `.wbr` recording on disk, read frame by frame: a file, or a folder with those of several ranks
/// ([`rank_file`](crate::rank_file)). In memory: 24 bytes for each frame of a file, and the frame
/// read last; of a folder, that of each file and all of them together.
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
    File(Box<FileReader>),
    Folder(Box<FolderReader>),
}

impl WbrReader {
    /// Opens a recording: finished, being written, or left by a writer that was killed.
    ///
    /// # Errors
    /// When it cannot be read, is no `.wbr`, or one of a later version; of a folder, when a
    /// file is missing, is of another recording, or is none.
    pub fn open(path: &Path) -> Result<Self, RecordError> {
        Self::open_watched(path, &|_, _| true)
    }

    /// The same; `watch` hears how much of files without an index is looked through.
    pub(crate) fn open_watched(path: &Path, watch: Watch<'_>) -> Result<Self, RecordError> {
        let shown = path.display().to_string();
        if path.is_dir() {
            let folder = FolderReader::open(path, &shown, watch)?;
            return Ok(Self(WbrKind::Folder(Box::new(folder))));
        }
        let (file, _) =
            open_regular(path).map_err(|error| RecordError::cannot_read(&shown, &error))?;
        Ok(Self(WbrKind::File(Box::new(FileReader::of(file, &shown, watch)?))))
    }

    /// The description of the recorded run.
    pub fn about(&self) -> &About {
        match &self.0 {
            WbrKind::File(file) => file.about(),
            WbrKind::Folder(folder) => folder.about(),
        }
    }

    /// How many whole frames there are; of a folder, frames that all files of their
    /// segment have.
    pub fn len(&self) -> usize {
        match &self.0 {
            WbrKind::File(file) => file.len(),
            WbrKind::Folder(folder) => folder.len(),
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
            WbrKind::File(file) => file.step(k),
            WbrKind::Folder(folder) => folder.step(k),
        }
    }

    /// Time at frame `k`.
    ///
    /// # Panics
    /// If there are not that many frames.
    pub fn time(&self, k: usize) -> f64 {
        match &self.0 {
            WbrKind::File(file) => file.time(k),
            WbrKind::Folder(folder) => folder.time(k),
        }
    }

    /// What is wrong with a recording that was not finished or is damaged; `None` if nothing is.
    pub fn note(&self) -> Option<&str> {
        match &self.0 {
            WbrKind::File(file) => file.note(),
            WbrKind::Folder(folder) => folder.note(),
        }
    }

    /// Reads frame `k`. Fastest in ascending order; otherwise up to 15 earlier frames are decoded
    /// too.
    ///
    /// # Errors
    /// When the file cannot be read, or is damaged there; or when two files have the same boid.
    ///
    /// # Panics
    /// If there are not that many frames.
    pub fn read(&mut self, k: usize, out: &mut Snapshot) -> Result<(), RecordError> {
        match &mut self.0 {
            WbrKind::File(file) => file.read(k, out),
            WbrKind::Folder(folder) => folder.read(k, out),
        }
    }
}
