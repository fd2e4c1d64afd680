//! NPY recordings: one array of [frames, individuals, 2 or 3], f32 or f64. NaN is "not seen".

use std::io::{BufReader, Read};

use super::Source;
use crate::npy::{Array, NpyReader};
use crate::rows::{FARTHEST, Row, Rows};
use crate::{RecordError, memory};

pub(super) fn read(source: Source<'_>) -> Result<Rows, RecordError> {
    let track = Track::read(BufReader::new(source.file), source.bytes, &source.shown)?;
    let mut rows = Rows::new(&source.shown);
    rows.dimensions = track.dimensions;
    rows.span = track.span();
    for (frame, individual) in track.sightings() {
        let position = track.at(frame, individual, &source.shown)?;
        rows.push(Row { frame: frame as i64, id: individual as u64, position, velocity: [f64::NAN; 3] })?;
    }
    Ok(rows)
}

/// An array of [frames, individuals, dimensions].
pub(super) struct Track {
    pub frames: usize,
    pub individuals: usize,
    pub dimensions: usize,
    array: Array,
}

impl Track {
    /// Reads an array from a source of so many bytes.
    pub fn read(from: impl Read, bytes: u64, shown: &str) -> Result<Self, RecordError> {
        let refuse = |message: String| RecordError::data(shown, message);
        let array = NpyReader::open(from, bytes).map_err(refuse)?;
        let &[frames, individuals, dimensions @ (2 | 3)] = array.shape() else {
            return Err(refuse(format!("{}: allowed is [frames, individuals, 2 or 3]", array.shown_shape())));
        };
        if frames == 0 || individuals == 0 {
            return Err(refuse(format!("{} has nobody in it: allowed is at least one position", array.shown_shape())));
        }
        let sightings = u128::from(frames) * u128::from(individuals);
        let array = array.floats().map_err(refuse)?;
        memory::room_for(sightings, shown)?;
        let [frames, individuals, dimensions] = [frames, individuals, dimensions].map(|side| side as usize);
        Ok(Self { frames, individuals, dimensions, array })
    }

    /// The first frame and the last.
    pub fn span(&self) -> Option<(i64, i64)> {
        Some((0, self.frames as i64 - 1))
    }

    /// Each frame with each individual, in order.
    pub fn sightings(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let individuals = self.individuals;
        (0..self.frames).flat_map(move |frame| (0..individuals).map(move |individual| (frame, individual)))
    }

    /// One individual in one frame; beyond the dimensions 0.
    pub fn at(&self, frame: usize, individual: usize, shown: &str) -> Result<[f64; 3], RecordError> {
        let mut found = [0.0; 3];
        for a in 0..self.dimensions {
            found[a] = self.array.at([frame, individual, a]);
            if found[a].abs() > FARTHEST {
                let place = format!("{shown} frame {frame} individual {individual}");
                let allowed = format!("-{FARTHEST:e} to {FARTHEST:e}, or NaN");
                return Err(RecordError::data(place, format!("coordinate {a} = {}: allowed is {allowed}", found[a])));
            }
        }
        Ok(found)
    }
}
