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
//! What runs for each boid, number or byte is in the crate `wingbeat-codec`, which is compiled
//! optimized: its `lib.rs` has a floor plan of its own. Here is what is called once for a file or a
//! frame, and compiled without optimization.
//!
//! ```text
//! recorder.rs   frames of a flock ──► a thread ──► a Sink
//! formats/      one file per format, chosen by extension: Snapshots ──► Sink, file ──► Rows
//! formats/wbr/folder/  a folder of several processes' files, read as one recording
//! checkpoint.rs everything of a flock as a file, to go on from
//! sink.rs       what writers write to;  options.rs  how a recording is read
//! origin.rs     what is taken off coordinates
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

#[cfg(not(target_family = "wasm"))]
mod disk;
mod rates;
mod regular_file;
mod sink;
mod origin;
mod options;
mod recording;
mod assemble;
mod whole_file;
pub mod checkpoint;
mod formats;
mod frames;
mod recorder;
mod same_file;
mod convert;

pub use convert::{Converted, convert, convert_watched, is_in_folder};
pub use formats::{
    WbrReader, bytes_in, in_python, prepare_folder, rank_file, read, read_watched, readable,
    remove_segments, writable,
};
pub use frames::Frames;
pub use options::Options;
pub use origin::Origin;
pub use recorder::{Recorder, Written};
pub use recording::{Frame, Recording};
pub use regular_file::{open_regular, read_text};
pub use same_file::same_file;
pub use sink::RecordedPart;
pub use whole_file::{WholeFile, followed};
pub use wingbeat_codec::{
    About, ColumnNames, Edges, Found, LengthUnit, RecordError, Row, ShortRecords, Smooth, Snapshot,
    SpeciesById, TimeUnit, Watch, available_bytes, beyond_memory, exact, exact_f64, io_reason,
    is_hidden, npy, one_line, shortened, significant,
};
