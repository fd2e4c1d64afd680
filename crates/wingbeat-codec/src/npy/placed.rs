//! An array whose numbers stay in their file and are read as they are asked for, a block at a time:
//! however large it is, some kilobytes of it are in memory.

use std::io::{self, Read, Seek, SeekFrom};

use super::number::Number;

/// Bytes that are read at once: many numbers of any size.
const BLOCK: u64 = 1 << 16;

/// Numbers of any shape, in a file.
pub(crate) struct PlacedArray<R> {
    from: R,
    /// Where the first number is, and how many there are.
    start: u64,
    count: u64,
    number: Number,
    /// How far apart two neighbors along each axis lie, in numbers.
    strides: Vec<u64>,
    /// Whether the first axis, not the last, changes from one number to the next.
    is_fortran: bool,
    block_bytes: u64,
    /// Blocks read last: one, or where the first axis changes first, one for each place along the
    /// last axis.
    blocks: Vec<Block>,
}

#[derive(Default)]
struct Block {
    /// Its first byte, after the array's start.
    from: u64,
    bytes: Vec<u8>,
}

impl<R: Read + Seek> PlacedArray<R> {
    /// Of `count` numbers, as many as the shape says, that begin at the byte `start`.
    pub(super) fn new(
        from: R,
        start: u64,
        number: Number,
        count: u64,
        (shape, is_fortran): (&[u64], bool),
    ) -> Self {
        let mut strides = vec![1u64; shape.len()];
        for done in 1..shape.len() {
            let (axis, before) = if is_fortran {
                (done, done - 1)
            } else {
                (shape.len() - 1 - done, shape.len() - done)
            };
            strides[axis] = strides[before].saturating_mul(shape[before]);
        }
        Self {
            from,
            start,
            count,
            number,
            strides,
            is_fortran,
            block_bytes: BLOCK,
            blocks: Vec::new(),
        }
    }

    /// Whether its numbers are read in order where the first axis changes first.
    pub fn is_fortran(&self) -> bool {
        self.is_fortran
    }

    /// From now on numbers are asked for in no order: each is read by itself.
    #[cfg_attr(target_family = "wasm", allow(dead_code))]
    pub fn scatter(&mut self) {
        self.block_bytes = self.number.bytes as u64;
        self.blocks.clear();
    }

    /// The number at one index for each axis; fastest in the order in which they lie.
    ///
    /// # Panics
    /// If there are not that many numbers.
    pub fn at<const AXES: usize>(&mut self, index: [usize; AXES]) -> io::Result<f64> {
        let byte = self.byte(index);
        let slot = if self.is_fortran { index[AXES - 1] } else { 0 };
        if self.blocks.len() <= slot {
            self.blocks.resize_with(slot + 1, Block::default);
        }
        let size = self.number.bytes;
        let block = &mut self.blocks[slot];
        if byte < block.from || byte >= block.from + block.bytes.len() as u64 {
            // Taken out first: a block that cannot be read is none.
            let mut bytes = std::mem::take(&mut block.bytes);
            let from = byte - byte % self.block_bytes;
            bytes.resize(self.block_bytes.min(self.count * size as u64 - from) as usize, 0);
            self.from.seek(SeekFrom::Start(self.start + from))?;
            self.from.read_exact(&mut bytes)?;
            *block = Block { from, bytes };
        }
        let place = (byte - block.from) as usize;
        let bits = self.number.bits(&block.bytes[place..place + size]);
        Ok(self.number.float(bits).unwrap_or(f64::NAN))
    }

    /// The same of a number somewhere else: what was read last stays.
    pub fn glance<const AXES: usize>(&mut self, index: [usize; AXES]) -> io::Result<f64> {
        let byte = self.byte(index);
        let mut bytes = [0; 8];
        let bytes = &mut bytes[..self.number.bytes];
        self.from.seek(SeekFrom::Start(self.start + byte))?;
        self.from.read_exact(bytes)?;
        Ok(self.number.float(self.number.bits(bytes)).unwrap_or(f64::NAN))
    }

    /// Where a number is, after the array's start.
    fn byte<const AXES: usize>(&self, index: [usize; AXES]) -> u64 {
        let place: u64 =
            index.iter().zip(&self.strides).map(|(&i, stride)| i as u64 * stride).sum();
        assert!(place < self.count, "{index:?} is beyond the array");
        place * self.number.bytes as u64
    }
}
