//! `.wbr`, Wingbeat's own format: exact, compact, seekable, readable while it is written and after the writer was killed.
//!
//! The format is specified in docs/RECORDINGS.md.

mod chunk;
mod columns;
mod head;
mod reader;
mod writer;

use super::Source;
use crate::rows::{Row, Rows};
use crate::species::SpeciesById;
use crate::{RecordError, memory};

pub use reader::WbrReader;
pub(crate) use writer::WbrWriter;

/// Like PNG's: a byte above 127, a name, and line breaks of both kinds, so that a file that was converted as text is recognized.
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

/// Reads the whole file.
pub(super) fn read(source: Source<'_>) -> Result<Rows, RecordError> {
    let file = source.file.file().map_err(|error| RecordError::cannot_read(&source.shown, &error))?;
    let mut reader = WbrReader::of(file, &source.shown, &|done, of| source.file.go_on(done, of))?;
    let about = reader.about().clone();
    let mut rows = Rows::new(&source.shown);
    (rows.dimensions, rows.has_velocities, rows.edges) = (about.dimensions, true, Some(about.edges));
    rows.fps = Some(about.fps()).filter(|fps| crate::recording::FPS.contains(fps));
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
    rows.species = SpeciesById::with_names(about.species.clone());
    let (mut frame, mut told) = (crate::Snapshot::new(about.dimensions), (Vec::new(), Vec::new()));
    for k in 0..reader.len() {
        if !source.file.go_on(k as u64, reader.len() as u64) {
            return Err(RecordError::Stopped);
        }
        reader.read(k, &mut frame)?;
        if k == 0 {
            memory::room_for(frame.len() as u128 * reader.len() as u128, &source.shown)?;
        }
        // Told again only where somebody came or went.
        if !frame.species.is_empty() && (&told.0, &told.1) != (&frame.ids, &frame.species) {
            for (&id, &species) in frame.ids.iter().zip(&frame.species) {
                rows.species.tell(id, &about.species[usize::from(species)]);
            }
            told = (frame.ids.clone(), frame.species.clone());
        }
        for (i, &id) in frame.ids.iter().enumerate() {
            let (position, velocity) = (frame.position(i).map(f64::from), frame.velocity(i).map(f64::from));
            rows.push(Row { frame: number(frame.step), id, position, velocity })?;
        }
    }
    Ok(rows)
}
