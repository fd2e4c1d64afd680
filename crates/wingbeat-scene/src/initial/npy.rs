//! NPY: one array of [boids, 2·D] (positions, then velocities) or [boids, D] (positions), f32 or f64.

use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use npyz::{DType, NpyFile, Order, TypeChar};

use super::raw::{RawState, cannot_read, dimension_mismatch};
use crate::scene::reason;
use crate::{SceneError, memory};

/// An array as it lies in a file.
pub(crate) struct Array {
    pub shape: Vec<usize>,
    pub order: Order,
    pub values: Vec<f64>,
}

/// Reads an array of f4 or f8 whose shape `admit` takes; it says what is allowed where it does not.
pub(crate) fn array(path: &Path, shown: &str, admit: impl Fn(&[u64]) -> Result<(), String>) -> Result<Array, SceneError> {
    let refused = |error: &std::io::Error| SceneError::file(shown, format!("cannot read the file: {}", reason(error)));
    let file = std::fs::File::open(path).map_err(|error| refused(&error))?;
    let about = file.metadata().map_err(|error| refused(&error))?;
    if about.is_dir() {
        return Err(SceneError::file(shown, "cannot read the file: it is a folder"));
    }
    let mut reader = BufReader::new(file);
    sound_header(&mut reader, about.len()).map_err(|message| SceneError::data(shown, message))?;
    let array = NpyFile::new(reader).map_err(|error| SceneError::data(shown, format!("not a readable NPY file: {error}")))?;
    admit(array.shape()).map_err(|allowed| {
        let numbers: Vec<String> = array.shape().iter().map(u64::to_string).collect();
        SceneError::data(shown, format!("shape [{}]: allowed is {allowed}", numbers.join(", ")))
    })?;
    let item_bytes = item_bytes(shown, &array.dtype())?;
    let claimed = array.shape().iter().fold(u128::from(item_bytes), |product, &side| product.saturating_mul(u128::from(side)));
    if claimed > u128::from(about.len()) {
        let message = format!("its shape needs {claimed} bytes: allowed is what the file holds, {}", about.len());
        return Err(SceneError::data(shown, message));
    }
    let (shape, order) = (array.shape().iter().map(|&side| side as usize).collect(), array.order());
    let values =
        values(array, item_bytes).map_err(|error| SceneError::data(shown, format!("the data cannot be read: {error}")))?;
    Ok(Array { shape, order, values })
}

pub(super) fn read<const D: usize>(path: &Path, shown: &str, bytes: u64) -> Result<RawState<D>, SceneError> {
    let file = std::fs::File::open(path).map_err(|error| cannot_read(shown, &error))?;
    let mut reader = BufReader::new(file);
    sound_header(&mut reader, bytes).map_err(|message| SceneError::data(shown, message))?;
    let array = NpyFile::new(reader).map_err(|error| SceneError::data(shown, format!("not a readable NPY file: {error}")))?;
    let (rows, columns) = shape::<D>(shown, array.shape())?;
    let item_bytes = item_bytes(shown, &array.dtype())?;
    // The header is only a claim: compare it with what is there before allocating by it.
    let claimed = rows as u128 * columns as u128 * u128::from(item_bytes);
    if claimed > u128::from(bytes) {
        let message = format!("shape [{rows}, {columns}] needs {claimed} bytes: allowed is what the file holds, {bytes}");
        return Err(SceneError::data(shown, message));
    }
    memory::room_for::<D>(rows, |allowed| SceneError::data(shown, format!("{rows} rows: allowed is {allowed}")))?;
    let order = array.order();
    let values =
        values(array, item_bytes).map_err(|error| SceneError::data(shown, format!("the data cannot be read: {error}")))?;
    let at = |row: usize, column: usize| match order {
        Order::C => values[row * columns + column],
        Order::Fortran => values[column * rows + row],
    };
    let mut notes = vec![format!("{shown}: boids are numbered by row from 0")];
    if columns == D {
        notes.push(format!("{shown}: {D} columns, no velocities: every boid starts at rest"));
    }
    let mut table =
        RawState { path: shown.to_string(), ids: None, positions: Vec::new(), velocities: Vec::new(), lines: Vec::new(), notes };
    for row in 0..rows {
        if let Some(column) = (0..columns).find(|&column| !at(row, column).is_finite()) {
            let message = format!("column {column} = {}: allowed is a finite number", at(row, column));
            return Err(SceneError::data(table.place(row), message));
        }
        table.positions.push(std::array::from_fn(|a| at(row, a)));
        table.velocities.push(if columns == D { [0.0; D] } else { std::array::from_fn(|a| at(row, D + a)) });
    }
    Ok(table)
}

/// Rows and columns, if they are a state in `D` dimensions.
fn shape<const D: usize>(shown: &str, shape: &[u64]) -> Result<(usize, usize), SceneError> {
    let text: Vec<String> = shape.iter().map(u64::to_string).collect();
    let text = format!("shape [{}]", text.join(", "));
    let other = 5 - D;
    match *shape {
        [rows, columns] if columns == D as u64 || columns == 2 * D as u64 => Ok((rows as usize, columns as usize)),
        [_, columns] if columns == other as u64 || columns == 2 * other as u64 => Err(dimension_mismatch(shown, &text, D)),
        _ => Err(SceneError::data(shown, format!("{text}: allowed is [boids, {}] or [boids, {D}]", 2 * D))),
    }
}

fn item_bytes(shown: &str, dtype: &DType) -> Result<u64, SceneError> {
    if let DType::Plain(plain) = dtype
        && plain.type_char() == TypeChar::Float
        && matches!(plain.size_field(), 4 | 8)
    {
        return Ok(plain.size_field());
    }
    Err(SceneError::data(shown, format!("dtype {}: allowed is f4 or f8, either byte order", dtype.descr())))
}

fn values<R: Read>(array: NpyFile<R>, item_bytes: u64) -> std::io::Result<Vec<f64>> {
    if item_bytes == 8 { array.into_vec::<f64>() } else { Ok(array.into_vec::<f32>()?.into_iter().map(f64::from).collect()) }
}

/// Looks over a header before the reader trusts it: its length must lie within the file, and the product of its numbers
/// (the shape among them) within 64 bits, since the reader multiplies them unchecked.
fn sound_header<R: Read + Seek>(reader: &mut R, bytes: u64) -> Result<(), String> {
    let mut start = [0u8; 12];
    let not_npy = || "not an NPY file: allowed is what numpy.save writes".to_string();
    reader.read_exact(&mut start).map_err(|_| not_npy())?;
    if &start[..6] != b"\x93NUMPY" {
        return Err(not_npy());
    }
    let (length, from) = match start[6] {
        1 => (u64::from(u16::from_le_bytes([start[8], start[9]])), 10),
        _ => (u64::from(u32::from_le_bytes([start[8], start[9], start[10], start[11]])), 12),
    };
    // numpy's own headers take a few hundred bytes.
    if from + length > bytes || length > 1 << 16 {
        return Err(format!("an NPY header of {length} bytes: allowed is at most 65536, within the file"));
    }
    let mut header = vec![0; length as usize];
    reader.seek(SeekFrom::Start(from)).and_then(|_| reader.read_exact(&mut header)).map_err(|error| error.to_string())?;
    reader.seek(SeekFrom::Start(0)).map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&header);
    let numbers = text.split(|c: char| !c.is_ascii_digit()).filter(|digits| !digits.is_empty());
    let product = numbers.map(str::parse::<u64>).try_fold(1u64, |product, number| product.checked_mul(number.ok()?.max(1)));
    if product.is_none() {
        return Err("a shape with more elements than 64 bits count: allowed is what the file holds".to_string());
    }
    Ok(())
}
