//! What the parts of a recording are called, and the index as a file.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use super::text::{self, Group, INDEX_MAGIC, MOST_PARTS};
use crate::RecordError;
use crate::regular_file::open_regular;
use crate::whole_file::{WholeFile, followed};

/// The index of a recording that several processes write, each the boids that it has: it names
/// their files. A reader of recordings reads the index as if it were one `.wbr` of all boids.
///
/// Every process makes the same index and records into [`part`](Self::part) of its own; one of them
/// [writes](Self::write) it.
///
/// ```
/// use wingbeat::{Flock2, Params};
/// use wingbeat_record::{About, PartIndex, Recorder, Snapshot, WbrReader};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("night.wbr");
/// let index = PartIndex::new(&path, 2)?;
/// // Ids count from 0 in each flock: the left one has boid 0 alone, the right one keeps its
/// // boid 1.
/// let left =
///     Flock2::builder().params(Params::default()).boids(&[[1.0, 2.0]], &[[0.5; 2]]).build()?;
/// let mut right = Flock2::builder()
///     .params(Params::default())
///     .boids(&[[0.0; 2], [3.0, 4.0]], &[[0.5; 2]; 2])
///     .build()?;
/// right.remove(&[right.frame().living()[0]])?;
/// for (part, flock) in [left, right].iter().enumerate() {
///     let mut recorder = Recorder::start(&index.part(part), About::flock(flock, 0.1, 1))?;
///     recorder.capture(&flock.frame())?;
///     recorder.finish()?;
/// }
/// index.write()?;
///
/// let mut reader = WbrReader::open(&path)?;
/// let mut frame = Snapshot::new(2);
/// reader.read(0, &mut frame)?;
/// assert_eq!((frame.ids, frame.positions[0].as_slice()), (vec![0, 1], [1.0, 3.0].as_slice()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartIndex {
    /// Where the index is, through symbolic links: the parts are beside it.
    path: PathBuf,
    /// What the names of new parts begin with.
    stem: String,
    groups: Vec<Group>,
}

impl PartIndex {
    /// The index of a new recording in so many parts, 1 to 4096. Nothing is written yet. `path`
    /// ends in `.wbr`, and the parts are beside it: of `night.wbr` they are `night.part0of2.wbr`
    /// and `night.part1of2.wbr`.
    ///
    /// # Errors
    /// When the path is none of a `.wbr`, or there are no parts, or too many.
    pub fn new(path: &Path, parts: usize) -> Result<Self, RecordError> {
        let mut index = Self::at(path)?;
        index.begin(0, parts)?;
        Ok(index)
    }

    /// The index that is there, to go on with.
    ///
    /// # Errors
    /// When it cannot be read, or is no index.
    pub fn open(path: &Path) -> Result<Self, RecordError> {
        let shown = path.display().to_string();
        let cannot_read = |error| RecordError::cannot_read(&shown, &error);
        let (file, _) = open_regular(path).map_err(cannot_read)?;
        let mut start = Vec::new();
        (&file).take(INDEX_MAGIC.len() as u64).read_to_end(&mut start).map_err(cannot_read)?;
        if start != INDEX_MAGIC {
            return Err(RecordError::data(
                &shown,
                "no index of a recording in parts: allowed is what PartIndex writes",
            ));
        }
        std::io::Seek::rewind(&mut &file).map_err(cannot_read)?;
        Ok(Self { groups: super::read_index(file, &shown)?, ..Self::at(path)? })
    }

    /// Goes on with the recording in so many parts after a checkpoint: frames from this step on are
    /// still to come, and whatever there is of them does not count any more. True where they belong
    /// into the parts that were written at that step, which are as many:
    /// [`Recorder::resume`](crate::Recorder::resume) goes on with each. False where they begin new
    /// ones, whose names have this step: [`Recorder::start`](crate::Recorder::start) begins each.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// let mut index = wingbeat_record::PartIndex::new(&folder.path().join("night.wbr"), 4)?;
    /// assert!(index.go_on(501, 4)?);
    /// assert!(!index.go_on(501, 2)?);
    /// assert!(index.part(1).ends_with("night.from501.part1of2.wbr"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When there are no parts, or more than 4096 in all. The index is as it was then.
    pub fn go_on(&mut self, first_step: u64, parts: usize) -> Result<bool, RecordError> {
        let mut then = self.clone();
        then.groups.retain(|group| group.from < first_step);
        let goes_on = then.groups.last().is_some_and(|group| group.parts.len() == parts);
        if !goes_on {
            then.begin(first_step, parts)?;
        }
        *self = then;
        Ok(goes_on)
    }

    /// How many parts are written at one time; of a recording that was continued, now.
    pub fn parts(&self) -> usize {
        self.groups.last().map_or(0, |group| group.parts.len())
    }

    /// Where a part is to be recorded; parts count from 0.
    ///
    /// # Panics
    /// If there are not that many.
    pub fn part(&self, part: usize) -> PathBuf {
        assert!(part < self.parts(), "part {part} of {}", self.parts());
        self.beside(&self.groups[self.groups.len() - 1].parts[part])
    }

    /// All files that are read with the index: of every group that was continued, too.
    pub fn files(&self) -> impl Iterator<Item = PathBuf> {
        self.groups.iter().flat_map(|group| &group.parts).map(|name| self.beside(name))
    }

    /// Writes the index, whole or not at all, in place of what is there under its name; tells how
    /// many bytes it has.
    ///
    /// Readers refuse an index whose parts are not all there, and a part is there from its first
    /// frame on. Written when every part has a frame, it is sound from the beginning, and what was
    /// there before can be read until then.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write(&self) -> Result<u64, RecordError> {
        let failed = |error: std::io::Error| RecordError::cannot_write(&self.path, &error);
        let mut file = WholeFile::create(&self.path).map_err(failed)?;
        file.write_all(text::write(&self.groups).as_bytes())
            .and_then(|()| file.finish())
            .map_err(failed)
    }

    /// An index without parts.
    fn at(path: &Path) -> Result<Self, RecordError> {
        let refuse = |message: &str| RecordError::data(path.display(), message);
        if crate::formats::extension(path) != "wbr" {
            return Err(refuse("a recording in parts: allowed is a name that ends in .wbr"));
        }
        let target = followed(path)
            .map_err(|error| RecordError::cannot_read(&path.display().to_string(), &error))?;
        let stem = target.file_stem().and_then(|stem| stem.to_str()).map(str::to_string);
        let stem = stem.ok_or_else(|| {
            refuse("a name that is no UTF-8: allowed is one that an index can hold")
        })?;
        Ok(Self { path: target, stem, groups: Vec::new() })
    }

    /// Adds a group of new parts.
    fn begin(&mut self, from: u64, count: usize) -> Result<(), RecordError> {
        let refuse = |message: String| Err(RecordError::data(self.path.display(), message));
        let there: usize = self.groups.iter().map(|group| group.parts.len()).sum();
        if count == 0 || count > MOST_PARTS - there {
            return refuse(format!(
                "{count} parts beside {there}: allowed are 1 to {MOST_PARTS}, those of earlier \
                    steps included"
            ));
        }
        let since = if from == 0 { String::new() } else { format!(".from{from}") };
        let parts: Vec<String> = (0..count)
            .map(|part| format!("{}{since}.part{part}of{count}.wbr", self.stem))
            .collect();
        if let Some(message) = parts.iter().find_map(|name| text::check_name(name).err()) {
            return refuse(message);
        }
        self.groups.push(Group { from, parts });
        Ok(())
    }

    fn beside(&self, name: &str) -> PathBuf {
        self.path.with_file_name(name)
    }
}

/// The files that are read with a recording: of one in parts, its parts; none of any other file, or
/// of an index that cannot be read.
pub fn parts_of(path: &Path) -> Vec<PathBuf> {
    PartIndex::open(path).map_or_else(|_| Vec::new(), |index| index.files().collect())
}
