//! The index of formats: an extension with a reader, a writer, or both. A new format is one file
//! and a line in [`READERS`] or [`WRITERS`].

// How to add a format of recordings. A file here. To be read it fills `Rows` and has a line in
// `READERS`: order, duplicates, gaps and velocities are not its business. To be written it is a
// `Sink` and has a line in `WRITERS`: it gets every boid by ascending id, a frame at a time. One
// that takes a heavy dependency is Python's, with a line in in_python.rs. Loops over individuals
// are functions of wingbeat-codec. A tracker's table needs no format: a name in its
// column_names.rs. A row in RECORDINGS.md; tests/recordings/round_trips.rs; .ci/check_formats.py.

mod csv;
mod in_python;
mod npy;
#[cfg(not(target_family = "wasm"))]
mod npz;
mod ply;
mod series;
mod vtp;
mod wbr;
mod xyz;

use std::fmt::Display;
use std::io::{self, Seek};
use std::path::Path;

use wingbeat_codec::{
    MOST_SPECIES, Rows, Source, Watched, contradiction, read_pedestrian, read_table, read_xyz,
};

use crate::options::Options;
use crate::recording::Recording;
use crate::regular_file::open_regular;
use crate::sink::{RecordedPart, Sink};
use crate::{About, RecordError, Snapshot, Watch, assemble};

pub use wbr::{WbrReader, bytes_in, prepare_folder, rank_file, remove_segments};

type Reader = for<'a> fn(Source<'a>) -> Result<Rows, RecordError>;

const READERS: &[(&str, Reader)] = &[
    ("wbr", wbr::read),
    ("npy", npy::read),
    #[cfg(not(target_family = "wasm"))]
    ("npz", npz::read),
    ("csv", read_table),
    ("tsv", read_table),
    ("xyz", read_xyz),
    ("txt", read_pedestrian),
    // Viswalk's.
    ("pp", read_table),
];

/// Formats whose columns have names, which a user may tell.
const WITH_COLUMNS: [&str; 4] = ["csv", "tsv", "pp", "txt"];

type Writer = fn(&Path, &About) -> io::Result<Box<dyn Sink>>;

const WRITERS: &[(&str, Writer)] = &[
    ("wbr", |path, about| Ok(Box::new(wbr::WbrWriter::create(path, about)?))),
    #[cfg(not(target_family = "wasm"))]
    ("npz", |path, about| Ok(Box::new(npz::NpzWriter::create(path, about)?))),
    ("csv", |path, about| Ok(Box::new(csv::CsvWriter::create(path, about)?))),
    ("xyz", |path, about| Ok(Box::new(xyz::XyzWriter::create(path, about)?))),
    ("vtp", |path, about| Ok(Box::new(vtp::VtpWriter::create(path, about)?))),
    ("ply", |path, about| Ok(Box::new(ply::PlyWriter::create(path, about)?))),
];

/// How Python reads a file that is not read here, in a sentence; `None` of other endings.
pub fn in_python(path: &Path) -> Option<String> {
    in_python::of_ending(&extension(path), &path.display().to_string())
}

/// Extensions of files that can be written, without the dot.
pub fn writable() -> Vec<&'static str> {
    WRITERS.iter().map(|(extension, _)| *extension).collect()
}

/// Extensions of files that can be read, without the dot.
pub fn readable() -> Vec<&'static str> {
    READERS.iter().map(|(extension, _)| *extension).collect()
}

/// Creates a recording; the extension of `path` tells the format.
pub(crate) fn create(path: &Path, about: &About) -> Result<Box<dyn Sink>, RecordError> {
    let extension = extension(path);
    let Some((_, writer)) = WRITERS.iter().find(|(known, _)| *known == extension) else {
        return Err(unknown_target(path));
    };
    checked(path, about, || {
        writer(path, about).map_err(|error| RecordError::cannot_write(path, &error))
    })
}

/// Goes on with a recording that was begun earlier.
pub(crate) fn resume(
    path: &Path,
    about: &About,
    part: RecordedPart,
) -> Result<Box<dyn Sink>, RecordError> {
    if extension(path) != "wbr" {
        let message = "a recording of this format cannot be continued: allowed is .wbr";
        return Err(RecordError::data(path.display(), message));
    }
    checked(path, about, || Ok(Box::new(wbr::WbrWriter::resume(path, about, part)?)))
}

/// A sink whose frames are checked.
fn checked(
    path: &Path,
    about: &About,
    make: impl FnOnce() -> Result<Box<dyn Sink>, RecordError>,
) -> Result<Box<dyn Sink>, RecordError> {
    if about.species.len() > MOST_SPECIES {
        let message =
            format!("{} species: allowed are at most {MOST_SPECIES}", about.species.len());
        return Err(RecordError::data(path.display(), message));
    }
    Ok(Box::new(Checked { sink: make()?, species: about.species.len() }))
}

/// A sink whose frames have the species that the recording's description has: writers rely on it.
struct Checked {
    sink: Box<dyn Sink>,
    species: usize,
}

impl Sink for Checked {
    fn frame(&mut self, now: &Snapshot) -> io::Result<()> {
        let refuse = |message| Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        if self.species > 0 {
            if now.species.len() != now.len() {
                return refuse(format!(
                    "{} species for {} boids: allowed is one for each",
                    now.species.len(),
                    now.len()
                ));
            }
            if let Some(species) =
                now.species.iter().find(|&&species| usize::from(species) >= self.species)
            {
                return refuse(format!(
                    "species {species}: allowed is one below {}, as many as have names",
                    self.species
                ));
            }
        }
        self.sink.frame(now)
    }

    fn sync(&mut self) -> io::Result<RecordedPart> {
        self.sink.sync()
    }

    fn finish(self: Box<Self>) -> io::Result<u64> {
        self.sink.finish()
    }
}

/// The refusal of a file with an extension that no writer knows.
pub(crate) fn unknown_target(path: &Path) -> RecordError {
    unknown_kind(path.display(), &writable())
}

/// Reads a recording; its extension tells the format:
///
/// * `.wbr`: what [`Recorder`](crate::Recorder) writes; also one that is being written, or whose
///   writer was killed, and a folder of several ranks' files.
/// * `.npz`: arrays `position` [frames, individuals, 2 or 3], and perhaps `velocity` likewise,
///   `id`, `species` and `time`.
/// * `.npy`: one array [frames, individuals, 2 or 3], f32 or f64; individuals are numbered from 0,
///   NaN is "not seen".
/// * `.csv`, `.tsv`, `.pp`: a table with a header: `frame,id,x,y[,z]` in any order, and perhaps
///   `time`, `species` and `vx,vy[,vz]`, or what trackers call these; or a row for each frame with
///   `x1,y1,x2,y2,…`. An empty cell is "not seen".
/// * `.xyz`: extended XYZ, one frame after the other.
/// * `.txt`: rows of `id frame x y [z]` apart by white space, `#` begins a comment; z, a person's
///   height, is left aside. One with a header is read as `.csv` is.
///
/// # Errors
/// Says what is wrong with the file or the options, where, and what is allowed.
pub fn read(path: &Path, options: &Options) -> Result<Recording, RecordError> {
    read_watched(path, options, &|_, _| true)
}

/// [`read`], watched: `watch` is called now and then with how much of how much is read, and answers
/// whether to go on.
///
/// # Errors
/// As [`read`]; and [`RecordError::Stopped`] where `watch` says so.
pub fn read_watched(
    path: &Path,
    options: &Options,
    watch: Watch<'_>,
) -> Result<Recording, RecordError> {
    options.check()?;
    let shown = path.display().to_string();
    let extension = extension(path);
    let Some((_, reader)) = READERS.iter().find(|(known, _)| *known == extension) else {
        return Err(in_python(path).map_or_else(
            || unknown_kind(&shown, &readable()),
            |message| RecordError::data(&shown, message),
        ));
    };
    if !options.columns.is_empty() && !WITH_COLUMNS.contains(&extension.as_str()) {
        let allowed = format!("nothing: a .{extension} has no columns with names");
        return Err(RecordError::Option {
            name: "map-columns",
            value: options.columns.to_string(),
            allowed,
        });
    }
    let cannot_read = |error| RecordError::cannot_read(&shown, &error);
    let in_folder =
        (extension == "wbr" && path.is_dir()).then(|| wbr::any_file(path)).transpose()?;
    let (file, bytes) = open_regular(in_folder.as_deref().unwrap_or(path)).map_err(cannot_read)?;
    let watched = Watched::new(file, bytes, watch);
    let source = |sought| {
        let (file, shown) = (watched.clone(), shown.clone());
        Source { file, columns: &options.columns, shown, path, bytes, sought }
    };
    let rows = reader(source(None));
    // A reader that was stopped sees an unexpected end of the file and may report that as an error
    // of its own.
    if watched.is_stopped() {
        return Err(RecordError::Stopped);
    }
    let mut rows = rows?;
    let sorted = rows.sorted()?;
    if let Some((row, position)) = sorted.2.contradiction {
        // Texts are read once more, for the lines.
        watched.clone().rewind().map_err(cannot_read)?;
        let refusal = reader(source(Some((row.frame, row.id)))).err();
        let plain = || {
            RecordError::data(&shown, contradiction(&row, position, rows.dimensions, "elsewhere"))
        };
        return Err(refusal.unwrap_or_else(plain));
    }
    assemble::assemble(rows, sorted, options, watch)
}

/// The path's ending in small letters, without the dot.
pub(crate) fn extension(path: &Path) -> String {
    path.extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase()
}

fn unknown_kind(shown: impl Display, known: &[&str]) -> RecordError {
    let known: Vec<String> = known.iter().map(|extension| format!(".{extension}")).collect();
    RecordError::data(
        shown,
        format!("unknown kind of file: allowed is one that ends in {}", known.join(", ")),
    )
}
