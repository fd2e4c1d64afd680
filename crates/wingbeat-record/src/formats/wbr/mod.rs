//! `.wbr`, Wingbeat's own format: exact, compact, seekable, readable while it is written and after
//! the writer was killed.
//!
//! The format is specified in docs/RECORDINGS.md; so is the folder of files that several processes
//! write.

mod chunk;
pub(super) mod file;
mod folder;
mod head;
mod reader;
mod writer;

use std::sync::Mutex;

use wingbeat_codec::{FPS, FrameRange, Rows, Source, Store, Streamed};

use crate::{RecordError, Row, Snapshot, SpeciesById};

pub(super) use folder::any_file;
pub use folder::{bytes_in, prepare_folder, rank_file, remove_segments};
pub use reader::WbrReader;
pub(crate) use writer::WbrWriter;

/// Like PNG's: a byte above 127, a name, and line breaks of both kinds, so that a file that was
/// converted as text is recognized.
const MAGIC: [u8; 8] = *b"\x89WBR\r\n\x1a\n";
const VERSION: u32 = 1;
/// The last bytes of a finished file.
const TRAILER: [u8; 8] = *b"WBRINDEX";

const HEAD: [u8; 4] = *b"HEAD";
const FRAME: [u8; 4] = *b"FRAM";
const INDEX: [u8; 4] = *b"INDX";

/// What a frame's payload begins with.
const FRAME_FIXED: usize = 8 + 8 + 8 + 8 + 4 + 4;
/// Flag of a key frame: it can be decoded without the frame before.
const KEY: u32 = 1;
/// Flag of a frame that holds its list of ids.
const IDS: u32 = 2;

/// Opens it, to be read frame by frame.
pub(super) fn read(source: Source<'_>) -> Result<Rows, RecordError> {
    let reader = WbrReader::open_watched(source.path, &|done, of| source.file.go_on(done, of))?;
    let about = reader.about().clone();
    let mut rows = Rows::new(&source.shown);
    (rows.dimensions, rows.has_velocities, rows.edges) =
        (about.dimensions, true, Some(about.edges));
    (rows.unit, rows.keeps_unit) = (about.unit, true);
    rows.fps = Some(about.fps()).filter(|fps| FPS.contains(fps));
    rows.notes.extend(reader.note().map(str::to_string));
    // Where steps are not multiples of `every`, frames are numbered by step.
    let every = i64::try_from(about.every).unwrap_or(i64::MAX);
    let even = (0..reader.len()).all(|k| reader.step(k) % every == 0);
    if !even {
        rows.fps = rows.fps.map(|fps| fps * every as f64);
    }
    let number = |step: i64| if even { step / every } else { step };
    // A damaged file may have its frames in any order.
    let steps = || (0..reader.len()).map(|k| number(reader.step(k)));
    rows.span = steps().min().zip(steps().max());
    // Each frame once, by its number; of a damaged file's, the first.
    let mut moments: Vec<FrameRange> = (0..reader.len())
        .map(|k| FrameRange { number: number(reader.step(k)), rows: k as u64..k as u64 + 1 })
        .collect();
    let is_sorted = moments.is_sorted_by(|a, b| a.number < b.number);
    moments.sort_by_key(|moment| moment.number);
    moments.dedup_by_key(|moment| moment.number);
    if !is_sorted {
        rows.notes.push(
            "frames stand in another order than their steps: they are read by step, \
            the first of each"
                .into(),
        );
    }
    let (now, species) =
        (Snapshot::new(about.dimensions), SpeciesById::with_names(about.species.clone()));
    let wbr = Wbr { reader, now, species, told: Default::default() };
    rows.about = Some(about);
    rows.stream(Store::Streamed(Box::new(Mutex::new(wbr))), moments);
    Ok(rows)
}

/// A `.wbr` as a store of rows.
#[derive(Debug)]
struct Wbr {
    reader: WbrReader,
    now: Snapshot,
    /// As far as frames have been read.
    species: SpeciesById,
    /// Whose species was told last.
    told: (Vec<u64>, Vec<u8>),
}

impl Streamed for Wbr {
    fn rows(&mut self, moment: &FrameRange) -> Result<Vec<Row>, RecordError> {
        let Self { reader, now, species, told } = self;
        reader.read(moment.rows.start as usize, now)?;
        // Told again only where an individual came or went.
        if !now.species.is_empty() && (&told.0, &told.1) != (&now.ids, &now.species) {
            species.tell_all(&now.ids, &now.species, &reader.about().species);
            *told = (now.ids.clone(), now.species.clone());
        }
        Ok(now.rows(moment.number))
    }

    fn species(&self) -> SpeciesById {
        self.species.clone()
    }
}
