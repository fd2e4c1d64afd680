//! What converts bytes and text to columns and back, row by row and number by number, in the
//! recordings of `wingbeat-record`. Programs depend on that crate, which has what is here that
//! they use.
//!
//! ```text
//! bytes of a file ──► lines, cells, numbers ──► Rows ──► Store, by frame and id ──► Sequence
//! Snapshot, the columns of a frame ──► rows of text, arrays, blocks of a .wbr, and back
//! ```
//!
//! **Invariant:** what runs for each boid, number or byte of a recording is here, and this crate is
//! compiled optimized. `wingbeat-record` calls it once for a file, a frame or a column, and is
//! compiled without optimization, in a fifth of the time. So loops are whole, in functions that are
//! compiled here: neither generic in a type of the caller nor `#[inline]`, and closures are called
//! for a frame, not for a row.
//!
//! # Floor plan
//!
//! ```text
//! limits.rs     numbers beyond which nothing is taken;  units.rs  units that files state
//! error.rs      refusals in one line;  memory.rs  refusals of what memory does not hold
//! digits.rs     numbers as text;  text.rs  lines and cells as numbers
//! watch.rs      files that are read under watch;  source.rs  what readers read from
//! snapshot.rs   the columns of a flock at one moment, of its slots, of rows, of several files
//! rows.rs       what readers fill: a row.rs for each individual and frame;
//!               store.rs  where they are, memory bounded
//! clock.rs      the frame rate of times
//! table/        text tables of any tracker, by column_names.rs
//! pedestrian.rs, xyz.rs, npy_track.rs  other readers;  npy/  NumPy's arrays
//! csv.rs, xyz.rs, ply.rs, vtp.rs, track_array.rs  frames as they are written
//! columns.rs    the blocks of a .wbr;  unpacked.rs  LZ4 as a stream
//! tracks/       gaps filled, positions smoothed
//! track_counts.rs  gaps and, by jumps.rs, jumps, counted
//! states.rs     rows of initial states
//! sequence.rs   frames of rows with velocities, and in single precision
//! ```
#![forbid(unsafe_code)]

mod limits;
mod escape;
mod error;
mod digits;
mod memory;
mod row;
mod units;
mod watch;
mod text;
mod species;
mod snapshot;
mod store;
mod rows;
mod clock;
mod found;
mod jumps;
mod cursor;
mod columns;
#[cfg(not(target_family = "wasm"))]
mod unpacked;
pub mod npy;
mod npy_track;
mod column_names;
mod source;
mod table;
mod pedestrian;
mod csv;
mod xyz;
mod ply;
mod vtp;
#[cfg(not(target_family = "wasm"))]
mod track_array;
mod tracks;
mod track_counts;
mod sequence;
mod states;
mod instantiations;

pub use column_names::ColumnNames;
pub use columns::{
    LARGEST_RATIO, Packer, Prediction, read as read_column, read_bytes, read_ids,
    write as write_column, write_bytes, write_ids,
};
pub use csv::write_rows as write_csv;
pub use cursor::{Cursor, bytes_at, checksum, compress};
pub use digits::{exact, exact_f64, significant};
pub use error::{RecordError, TEMPORARY, io_reason};
pub use escape::{is_hidden, one_line};
pub use found::Found;
#[doc(hidden)]
pub use instantiations::instantiations;
pub use limits::{FARTHEST, FPS, LAST_FRAME};
pub use memory::{available_bytes, beyond_memory, room_for};
pub use npy_track::{NpyTrack, sides};
pub use pedestrian::read as read_pedestrian;
pub use ply::write_vertices as write_ply;
pub use row::Row;
pub use rows::{Rows, Sorted, cannot_sort, contradiction};
pub use sequence::{Rounded, Sequence, narrow};
pub use snapshot::{About, Edges, Slots, Snapshot};
pub use source::Source;
pub use species::{MOST_SPECIES, SpeciesById};
pub use states::{StateRecords, Unaccepted, admit_states, scale_states};
pub use store::{Doubles, FrameRange, Store, Streamed, bytes_on_disk};
#[cfg(not(target_family = "wasm"))]
pub use table::numbers as frame_numbers;
pub use table::read as read_table;
pub use text::{ShortRecords, number, shortened, shortened_to};
#[cfg(not(target_family = "wasm"))]
pub use track_array::{KnownIds, track_bytes, unsigned};
pub use track_counts::TrackCounts;
pub use tracks::{Mended, Mending, Smooth, Trouble};
pub use units::{LengthUnit, TimeUnit};
#[cfg(not(target_family = "wasm"))]
pub use unpacked::Unpacked;
pub use vtp::write_points as write_vtp;
pub use watch::{Watch, Watched};
pub use xyz::{UNSPECIFIED, read as read_xyz, write_rows as write_xyz};
