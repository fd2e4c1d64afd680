//! Recordings of flocks and crowds: written while a flock steps, read, put in order and
//! converted. The crate `wingbeat-measure` measures them like flocks.
//!
//! ```
//! use wingbeat_record::{Options, read};
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("two.csv");
//! std::fs::write(&path, "frame,id,x,y\n0,1,0,0\n0,2,5,0\n1,1,0,2\n1,2,5,2\n")?;
//! let recording = read(&path, &Options { fps: Some(10.0), ..Options::default() })?;
//! assert_eq!(recording.found().ids, 2);
//! assert_eq!(recording.frame(0)?.rows[1].velocity, [0.0, 20.0, 0.0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A flock is recorded by a [`Recorder`], on a thread of its own; [`WbrReader`] seeks in what it
//! wrote, and [`convert`] brings one format into another. Processes that step one flock record into
//! one folder, each a file of its own: [`rank_file`].
//!
//! # Floor plan
//!
//! ```text
//! snapshot.rs   About, what was recorded, and Snapshot, the state at one moment
//! recorder.rs   frames of a flock ──► a thread ──► a Sink
//! formats/      one file per format, chosen by extension: Snapshots ──► Sink, file ──► Rows
//! formats/wbr/folder/  a folder of several processes' files, read as one recording
//! npy/          NumPy's arrays, read and written for recordings, initial states and flow fields
//! checkpoint.rs everything of a flock as a file, to go on from
//! species.rs    which individual is of which species
//! table/        text tables of any tracker, by the names of their columns ──► Rows;
//!               column_names.rs  those names
//! limits.rs     numbers beyond which nothing is taken;  units.rs  units that files state
//! source.rs     what readers read from;  sink.rs  what writers write to;
//!               options.rs  how a recording is read
//! origin.rs     what is taken off coordinates
//! rows.rs       what readers fill: a row.rs for each individual and frame;
//!               store.rs  where they are, memory bounded
//! tracks/       gaps filled, positions smoothed, where that is asked for
//! jumps.rs      positions that no individual can have had, counted
//! assemble.rs   order, duplicates, gaps ──► Recording and what was Found;
//!               recording.rs  frames with velocities
//! frames.rs     any recording, a Snapshot after the other;  convert.rs  from a file to a Sink
//! whole_file.rs files that appear whole or not at all;  regular_file.rs  files that end
//! ```
//!
//! Real recordings have gaps, individuals that come and go, and rows in any order. What was done
//! about that is counted in [`Found`]. A file that is no recording is refused with a
//! [`RecordError`], in one line, at the first bad row.
#![forbid(unsafe_code)]

mod digits;
mod escape;
mod error;
#[cfg(not(target_family = "wasm"))]
mod disk;
mod jumps;
mod limits;
mod memory;
mod rates;
mod regular_file;
mod row;
mod units;
mod snapshot;
mod sink;
mod species;
mod store;
mod text;
pub mod npy;
mod origin;
mod column_names;
mod found;
mod rows;
mod clock;
#[cfg(not(target_family = "wasm"))]
mod unpacked;
mod watch;
mod recording;
mod source;
mod table;
mod tracks;
mod options;
mod assemble;
mod whole_file;
pub mod checkpoint;
mod formats;
mod frames;
mod recorder;
mod same_file;
mod convert;

pub use column_names::ColumnNames;
pub use convert::{Converted, convert, convert_watched, is_in_folder};
pub use digits::{exact, exact_f64, significant};
pub use error::{RecordError, io_reason};
pub use escape::{is_hidden, one_line};
pub use formats::{
    WbrReader, bytes_in, in_python, prepare_folder, rank_file, read, read_watched, readable,
    remove_segments, writable,
};
pub use found::Found;
pub use frames::Frames;
pub use memory::{available_bytes, beyond_memory};
pub use options::Options;
pub use origin::Origin;
pub use recorder::{Recorder, Written};
pub use recording::{Frame, Recording};
pub use regular_file::{open_regular, read_text};
pub use row::Row;
pub use same_file::same_file;
pub use sink::RecordedPart;
pub use snapshot::{About, Edges, Snapshot};
pub use species::SpeciesById;
pub use text::{ShortRecords, shortened};
pub use tracks::Smooth;
pub use units::{LengthUnit, TimeUnit};
pub use watch::Watch;
pub use whole_file::{WholeFile, followed};
