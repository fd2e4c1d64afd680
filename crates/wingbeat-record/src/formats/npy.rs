//! NPY recordings: one array of [frames, individuals, 2 or 3], f32 or f64. NaN is "not seen".

use std::io::BufReader;

use wingbeat_codec::{NpyTrack, Rows, Source};

use super::in_python::{PICKLED_NPY, of_pickled};
use crate::RecordError;
use crate::npy::NpyReader;

pub(super) fn read(source: Source<'_>) -> Result<Rows, RecordError> {
    let refuse = |message: String| RecordError::data(&source.shown, message);
    let array = NpyReader::open(BufReader::new(source.file), source.bytes).map_err(refuse)?;
    if array.is_of_objects() {
        return Err(refuse(of_pickled(PICKLED_NPY, &source.shown)));
    }
    let mut rows = Rows::new(&source.shown);
    let mut track = NpyTrack::of(array, &source.shown)?;
    (rows.dimensions, rows.span) = (track.dimensions, track.span());
    rows.notes.extend(track.swapped_axes());
    track.fill(None, (None, None), &mut rows)?;
    Ok(rows)
}
