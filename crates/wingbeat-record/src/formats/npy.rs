//! NPY: one array of [frames, individuals, 2 or 3], f32 or f64. NaN is "not seen".

use std::io::{BufReader, Read, Seek, SeekFrom};

use npyz::{DType, NpyFile, Order, TypeChar};

use super::Source;
use crate::rows::{FARTHEST, Row, Rows};
use crate::{RecordError, memory};

pub(super) fn read(source: Source) -> Result<Rows, RecordError> {
    let (shown, bytes) = (source.shown, source.bytes);
    let refuse = |message: String| RecordError::data(&shown, message);
    let mut reader = BufReader::new(source.file);
    sound_header(&mut reader, bytes).map_err(refuse)?;
    let array = NpyFile::new(reader).map_err(|error| refuse(format!("not a readable NPY file: {error}")))?;
    let [frames, individuals, dimensions] = shape(array.shape()).map_err(refuse)?;
    let item_bytes = item_bytes(&array.dtype()).map_err(refuse)?;
    // The header is only a claim: compare it with what is there before allocating by it.
    let claimed = frames as u128 * individuals as u128 * dimensions as u128 * u128::from(item_bytes);
    if claimed > u128::from(bytes) {
        let shape = format!("shape [{frames}, {individuals}, {dimensions}]");
        return Err(refuse(format!("{shape} needs {claimed} bytes: allowed is what the file holds, {bytes}")));
    }
    memory::room_for(frames as u128 * individuals as u128, &shown)?;
    let order = array.order();
    let values = values(array, item_bytes).map_err(|error| refuse(format!("the data cannot be read: {error}")))?;
    let mut rows = Rows::new(&shown);
    rows.dimensions = dimensions;
    rows.span = (frames > 0).then(|| (0, frames as i64 - 1));
    for frame in 0..frames {
        for id in 0..individuals {
            let mut position = [0.0; 3];
            for a in 0..dimensions {
                let at = match order {
                    Order::C => (frame * individuals + id) * dimensions + a,
                    Order::Fortran => (a * individuals + id) * frames + frame,
                };
                position[a] = values[at];
                if values[at].abs() > FARTHEST {
                    let place = format!("{shown} frame {frame} individual {id}");
                    let allowed = format!("-{FARTHEST:e} to {FARTHEST:e}, or NaN");
                    return Err(RecordError::data(place, format!("coordinate {a} = {}: allowed is {allowed}", values[at])));
                }
            }
            rows.push(Row { frame: frame as i64, id: id as u64, position, velocity: [f64::NAN; 3] })?;
        }
    }
    Ok(rows)
}

fn shape(shape: &[u64]) -> Result<[usize; 3], String> {
    match *shape {
        [frames, individuals, dimensions @ (2 | 3)] => Ok([frames, individuals, dimensions].map(|n| n as usize)),
        _ => {
            let text: Vec<String> = shape.iter().map(u64::to_string).collect();
            Err(format!("shape [{}]: allowed is [frames, individuals, 2 or 3]", text.join(", ")))
        }
    }
}

fn item_bytes(dtype: &DType) -> Result<u64, String> {
    if let DType::Plain(plain) = dtype
        && plain.type_char() == TypeChar::Float
        && matches!(plain.size_field(), 4 | 8)
    {
        return Ok(plain.size_field());
    }
    Err(format!("dtype {}: allowed is f4 or f8, either byte order", dtype.descr()))
}

fn values<R: Read>(array: NpyFile<R>, item_bytes: u64) -> std::io::Result<Vec<f64>> {
    if item_bytes == 8 { array.into_vec::<f64>() } else { Ok(array.into_vec::<f32>()?.into_iter().map(f64::from).collect()) }
}

/// Looks over a header before the library trusts it: its length must lie within the file, and the product of its numbers
/// (the shape among them) within 64 bits, since the library multiplies them unchecked.
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
