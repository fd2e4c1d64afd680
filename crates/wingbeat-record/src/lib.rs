//! Recordings of flocks and crowds: written while a flock steps, read, put in order, converted, and measured by the same code
//! as flocks.
//!
//! ```
//! use wingbeat_record::{Options, read};
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("two.csv");
//! std::fs::write(&path, "frame,id,x,y\n0,1,0,0\n0,2,5,0\n1,1,0,2\n1,2,5,2\n")?;
//! let recording = read(&path, &Options { fps: Some(10.0), ..Options::default() })?;
//! assert_eq!(recording.found().ids, 2);
//! let first = recording.frame(0)?.observables(None);
//! assert_eq!((first.polarization, first.mean_speed), (Some(1.0), Some(20.0)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A flock is recorded by a [`Recorder`], on a thread of its own; [`WbrReader`] seeks in what it wrote, and [`convert`] brings
//! one format into another.
//!
//! # Floor plan
//!
//! ```text
//! snapshot.rs   About, what was recorded, and Snapshot, the state at one moment
//! recorder.rs   frames of a flock ──► a thread ──► a Sink
//! formats/      one file per format, chosen by extension: Snapshots ──► Sink, file ──► Rows
//! npy/          NumPy's arrays, read and written for recordings, initial states and flow fields
//! checkpoint.rs everything of a flock as a file, to go on from
//! species.rs    which individual is of which species
//! table/        text tables of any tracker, by the names of their columns ──► Rows;  units.rs  units that files state
//! rows.rs       what readers fill: a row for each individual and frame;  store.rs  where they are, memory bounded
//! recording.rs  order, duplicates, gaps, velocities ──► Recording and what was Found
//! frames.rs     any recording, a Snapshot after the other;  convert.rs  from a file to a Sink
//! passage.rs    crossings of a line;  area.rs  numbers in a rectangle;  voronoi.rs  the same by everybody's cell
//! map.rs        density place by place
//! whole_file.rs files that appear whole or not at all;  regular_file.rs  files that end
//! ```
//!
//! Real recordings have gaps, individuals that come and go, and rows in any order. What was done about that is counted in
//! [`Found`]. A file that is no recording is refused with a [`RecordError`], in one line, at the first bad row.
#![forbid(unsafe_code)]

mod area;
#[cfg(not(target_family = "wasm"))]
pub mod checkpoint;
mod clock;
mod convert;
mod digits;
mod error;
mod formats;
mod frames;
mod map;
mod memory;
pub mod npy;
mod passage;
mod rates;
mod recorder;
mod recording;
mod regular_file;
mod rows;
mod same_file;
mod snapshot;
mod species;
mod store;
mod table;
mod text;
mod units;
mod voronoi;
mod watch;
mod whole_file;

pub use area::Area;
pub use convert::{Converted, convert, convert_watched};
pub use digits::significant;
pub use error::{RecordError, io_reason};
pub use formats::{Part, WbrReader, left_out, left_out_of_writable, read, read_watched, readable, writable};
pub use frames::Frames;
pub use map::DensityMap;
pub use memory::available_bytes;
pub use passage::{Crossing, FlowWindow, Line, Passages};
pub use recorder::{Recorder, Written};
pub use recording::{Found, Frame, Options, Recording};
pub use regular_file::{open_regular, read_text};
pub use rows::Row;
pub use same_file::same_file;
pub use snapshot::{About, Edges, Snapshot};
pub use species::SpeciesById;
pub use table::ColumnNames;
pub use text::{ShortRecords, shortened};
pub use units::{LengthUnit, TimeUnit};
pub use voronoi::{Cell, Voronoi, VoronoiMeasure};
pub use watch::Watch;
pub use whole_file::{WholeFile, followed};
