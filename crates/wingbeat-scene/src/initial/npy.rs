//! NPY: one array of [boids, 2·D] (positions, then velocities) or [boids, D] (positions), f32 or
//! f64.

use std::io::{BufReader, Read};
use std::path::Path;

use wingbeat_record::npy::NpyReader;
use wingbeat_record::open_regular;

use super::raw::{RawState, cannot_read, dimension_mismatch};
use crate::{SceneError, memory};

pub(super) fn read<const D: usize>(path: &Path, shown: &str) -> Result<RawState<D>, SceneError> {
    let (file, bytes) = open_regular(path).map_err(|error| cannot_read(shown, &error))?;
    let refuse = |message: String| SceneError::data(shown, message);
    let array = NpyReader::open(BufReader::new(file), bytes).map_err(refuse)?;
    let (rows, columns) = shape::<D>(shown, &array)?;
    let array = array.floats().map_err(refuse)?;
    memory::room_for::<D>(rows, |allowed| {
        SceneError::data(shown, format!("{rows} rows: allowed is {allowed}"))
    })?;
    let mut notes = vec![format!("{shown}: boids are numbered by row from 0")];
    if columns == D {
        notes.push(format!("{shown}: {D} columns, no velocities: every boid starts at rest"));
    }
    let mut table = RawState {
        path: shown.to_string(),
        ids: None,
        positions: Vec::new(),
        velocities: Vec::new(),
        species: None,
        lines: Vec::new(),
        notes,
    };
    for row in 0..rows {
        if let Some(column) = (0..columns).find(|&column| !array.at([row, column]).is_finite()) {
            let message = format!(
                "column {column} = {}: allowed is a finite number",
                array.at([row, column])
            );
            return Err(SceneError::data(table.place(row), message));
        }
        table.positions.push(std::array::from_fn(|a| array.at([row, a])));
        table.velocities.push(if columns == D {
            [0.0; D]
        } else {
            std::array::from_fn(|a| array.at([row, D + a]))
        });
    }
    Ok(table)
}

/// Rows and columns, if they are a state in `D` dimensions.
fn shape<const D: usize>(
    shown: &str,
    array: &NpyReader<impl Read>,
) -> Result<(usize, usize), SceneError> {
    let text = array.shown_shape();
    let other = 5 - D;
    match *array.shape() {
        [rows, columns] if columns == D as u64 || columns == 2 * D as u64 => {
            Ok((rows as usize, columns as usize))
        }
        [_, columns] if columns == other as u64 || columns == 2 * other as u64 => {
            Err(dimension_mismatch(shown, &text, D))
        }
        _ => Err(SceneError::data(
            shown,
            format!("{text}: allowed is [boids, {}] or [boids, {D}]", 2 * D),
        )),
    }
}
