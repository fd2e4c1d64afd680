//! A frame's columns in few bytes: each value is stored as its difference to a predicted one,
//! compressed a byte plane at a time.
//!
//! ```text
//! key frame     residual = bits of the value
//! other frames  residual = bits − predicted bits, as a whole number that wraps, sign in the lowest
//!               bit (zigzag)
//!               a velocity is predicted to be that of the frame before
//!               a position is predicted at x + v·h: x in the frame before, v now, h the time
//!               between, both operations rounded to f32 (where that is not finite: at x)
//! a column      the lowest bytes of all residuals, then the next …, as one LZ4 block
//! ```
//!
//! With every step recorded, x + v·h is what the engine itself computes: most residuals of
//! positions are 0 and take no room.

use crate::cursor::Cursor;

/// Bits of the predicted value.
#[inline]
fn predicted(before: f32, moved: Option<(f32, f32)>) -> u32 {
    let Some((velocity, h)) = moved else { return before.to_bits() };
    let there = before + velocity * h;
    // The bits of a computed NaN differ from machine to machine.
    if there.is_finite() { there.to_bits() } else { before.to_bits() }
}

fn zigzag(residual: u32) -> u32 {
    (residual << 1) ^ ((residual as i32) >> 31) as u32
}

fn unzigzag(residual: u32) -> u32 {
    (residual >> 1) ^ (residual & 1).wrapping_neg()
}

/// What the values of a column are predicted from.
#[derive(Debug)]
pub enum Prediction<'a> {
    /// Nothing.
    Nothing,
    /// The frame before.
    Before(&'a [f32]),
    /// The frame before, the velocities now, and the time between.
    Moved(&'a [f32], &'a [f32], f32),
}

impl Prediction<'_> {
    fn bits(&self, i: usize) -> u32 {
        match self {
            Self::Nothing => 0,
            Self::Before(before) => predicted(before[i], None),
            Self::Moved(before, velocity, h) => predicted(before[i], Some((velocity[i], *h))),
        }
    }

    fn is_nothing(&self) -> bool {
        matches!(self, Self::Nothing)
    }
}

/// The byte of one value in each of the four planes.
type Planes<'a> = ((&'a mut u8, &'a mut u8), (&'a mut u8, &'a mut u8));

fn put((((a, b), (c, d)), residual): (Planes<'_>, u32)) {
    [*a, *b, *c, *d] = residual.to_le_bytes();
}

/// Appends a column as one block with its length.
pub fn write(column: &[f32], from: &Prediction<'_>, packer: &mut Packer, out: &mut Vec<u8>) {
    let (count, planes) = (column.len(), &mut packer.planes);
    planes.resize(count * 4, 0);
    let (low, high) = planes.split_at_mut(count * 2);
    let ((first, second), (third, fourth)) = (low.split_at_mut(count), high.split_at_mut(count));
    // Whole slices side by side, so that the loops work on many values at once.
    let planes_of = first.iter_mut().zip(second).zip(third.iter_mut().zip(fourth));
    let residual = |value: f32, predicted: u32| zigzag(value.to_bits().wrapping_sub(predicted));
    match from {
        Prediction::Nothing => {
            planes_of.zip(column.iter().map(|value| value.to_bits())).for_each(put)
        }
        Prediction::Before(before) => {
            let residuals = column
                .iter()
                .zip(*before)
                .map(|(&value, &before)| residual(value, predicted(before, None)));
            planes_of.zip(residuals).for_each(put);
        }
        Prediction::Moved(before, velocity, h) => {
            let pairs = before.iter().zip(*velocity);
            let residuals = column.iter().zip(pairs).map(|(&value, (&before, &velocity))| {
                residual(value, predicted(before, Some((velocity, *h))))
            });
            planes_of.zip(residuals).for_each(put);
        }
    }
    packer.compress(out);
}

/// Reads a column of `count` values; `None` if the block does not hold them.
pub fn read(
    block: &[u8],
    count: usize,
    from: &Prediction<'_>,
    planes: &mut Vec<u8>,
    column: &mut Vec<f32>,
) -> Option<()> {
    decompress(block, count.checked_mul(4)?, planes)?;
    column.clear();
    column.reserve(count);
    for i in 0..count {
        let residual = u32::from_le_bytes([
            planes[i],
            planes[count + i],
            planes[2 * count + i],
            planes[3 * count + i],
        ]);
        let bits = if from.is_nothing() {
            residual
        } else {
            from.bits(i).wrapping_add(unzigzag(residual))
        };
        column.push(f32::from_bits(bits));
    }
    Some(())
}

/// Buffers for writing columns.
#[derive(Debug, Default)]
pub struct Packer {
    planes: Vec<u8>,
    /// Room for the largest block so far; kept, because growing it writes zeros to all of it.
    packed: Vec<u8>,
}

impl Packer {
    /// Appends an LZ4 block with its length.
    fn compress(&mut self, out: &mut Vec<u8>) {
        let room = lz4_flex::block::get_maximum_output_size(self.planes.len());
        if self.packed.len() < room {
            self.packed.resize(room, 0);
        }
        // It fails only where there is too little room.
        let length = lz4_flex::block::compress_into(&self.planes, &mut self.packed).unwrap_or(0);
        out.extend_from_slice(&(length as u32).to_le_bytes());
        out.extend_from_slice(&self.packed[..length]);
    }
}

/// LZ4 makes at most so many bytes of one.
pub const LARGEST_RATIO: u128 = 255;

/// Bytes of the longest difference between two ids.
const LONGEST_DIFFERENCE: usize = 10;

/// Decompresses a block into exactly `size` bytes; a claim beyond what it can hold is refused
/// before anything is allocated by it.
fn decompress(block: &[u8], size: usize, out: &mut Vec<u8>) -> Option<()> {
    if size as u128 > block.len() as u128 * LARGEST_RATIO {
        return None;
    }
    out.resize(size, 0);
    let length = lz4_flex::block::decompress_into(block, out).ok()?;
    (length == size).then_some(())
}

/// Appends a byte for each individual as one block.
pub fn write_bytes(bytes: &[u8], packer: &mut Packer, out: &mut Vec<u8>) {
    packer.planes.clear();
    packer.planes.extend_from_slice(bytes);
    packer.compress(out);
}

/// Reads a block of `count` bytes, each below `end`; `None` if it does not hold them.
pub fn read_bytes(block: &[u8], count: usize, end: usize, bytes: &mut Vec<u8>) -> Option<()> {
    decompress(block, count, bytes)?;
    bytes.iter().all(|&byte| usize::from(byte) < end).then_some(())
}

/// Appends ascending ids: their differences, the first its own, seven bits a byte, lowest first,
/// compressed.
pub fn write_ids(ids: &[u64], packer: &mut Packer, out: &mut Vec<u8>) {
    let scratch = &mut packer.planes;
    scratch.clear();
    let mut before = 0;
    for &id in ids {
        let mut difference = id.wrapping_sub(before);
        while difference >= 0x80 {
            scratch.push(difference as u8 | 0x80);
            difference >>= 7;
        }
        scratch.push(difference as u8);
        before = id;
    }
    out.extend_from_slice(&(scratch.len() as u64).to_le_bytes());
    packer.compress(out);
}

/// Reads `count` ids; `None` if they are not all there, or not ascending.
pub fn read_ids(
    from: &mut Cursor<'_>,
    count: usize,
    scratch: &mut Vec<u8>,
    ids: &mut Vec<u64>,
) -> Option<()> {
    let size = usize::try_from(from.u64()?).ok()?;
    // An id takes at least a byte.
    if count > size || size > count.saturating_mul(LONGEST_DIFFERENCE) {
        return None;
    }
    decompress(from.block()?, size, scratch)?;
    ids.clear();
    let mut bytes = scratch.iter();
    for _ in 0..count {
        let (mut difference, mut shift) = (0u64, 0);
        loop {
            let byte = *bytes.next()?;
            let bits = u64::from(byte & 0x7f);
            if shift > 63 || (bits << shift) >> shift != bits {
                return None;
            }
            difference |= bits << shift;
            shift += 7;
            if byte < 0x80 {
                break;
            }
        }
        let id = match ids.last() {
            Some(_) if difference == 0 => return None,
            Some(&before) => difference.checked_add(before)?,
            None => difference,
        };
        ids.push(id);
    }
    bytes.next().is_none().then_some(())
}
