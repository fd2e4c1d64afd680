//! The index of formats: an extension and a reader each. A new format is one file and one line in [`FORMATS`].

mod csv;
mod npy;
mod pedestrian;

use std::fs::File;
use std::path::Path;

use crate::recording::{Options, Recording};
use crate::rows::Rows;
use crate::{RecordError, recording};

/// A file as a reader gets it.
pub(crate) struct Source {
    pub file: File,
    /// The path, as the user knows it.
    pub shown: String,
    pub bytes: u64,
}

type Reader = fn(Source) -> Result<Rows, RecordError>;

const FORMATS: [(&str, Reader); 3] = [("npy", npy::read), ("csv", csv::read), ("txt", pedestrian::read)];

/// Reads a recording; its extension tells the format:
///
/// * `.npy`: one array [frames, individuals, 2 or 3], f32 or f64; individuals are numbered from 0, NaN is "not seen".
/// * `.csv`: a header with `frame,id,x,y[,z]` in any order, and perhaps `vx,vy[,vz]`; an empty cell is "not seen".
/// * `.txt`: rows of `id frame x y [z]` apart by white space, `#` begins a comment; z, a person's height, is left aside.
///
/// # Errors
/// Says what is wrong with the file or the options, where, and what is allowed.
pub fn read(path: &Path, options: &Options) -> Result<Recording, RecordError> {
    options.check()?;
    let shown = path.display().to_string();
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase();
    let Some((_, reader)) = FORMATS.iter().find(|(known, _)| *known == extension) else {
        let known = FORMATS.map(|(extension, _)| format!(".{extension}")).join(", ");
        return Err(RecordError::data(shown, format!("unknown kind of file: allowed is one that ends in {known}")));
    };
    let cannot_read = |error| RecordError::cannot_read(&shown, &error);
    let file = File::open(path).map_err(cannot_read)?;
    let metadata = file.metadata().map_err(cannot_read)?;
    if metadata.is_dir() {
        return Err(RecordError::cannot_read(&shown, &std::io::ErrorKind::IsADirectory.into()));
    }
    let rows = reader(Source { file, shown, bytes: metadata.len() })?;
    recording::assemble(rows, options)
}
