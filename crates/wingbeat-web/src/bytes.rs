//! A flock's memory as bytes, little-endian.
//!
//! ```text
//! u64 step · f64 time · u64 next id · u32 boids · u32 columns · each column: u32 length of its name · name · u32 for each boid
//! ```

use wingbeat::{FlockMemory, MemoryColumn};

/// Reads numbers one after the other.
pub(crate) struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    pub fn take(&mut self, count: usize) -> Result<&'a [u8], String> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or("the bytes end early")?;
        self.rest = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], String> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    pub fn u32(&mut self) -> Result<u32, String> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    pub fn u64(&mut self) -> Result<u64, String> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    pub fn f32(&mut self) -> Result<f32, String> {
        Ok(f32::from_bits(self.u32()?))
    }
}

pub(crate) fn memory_to(memory: &FlockMemory) -> Vec<u8> {
    let boids = memory.columns.first().map_or(0, |column| column.bits.len());
    let mut bytes = Vec::new();
    bytes.extend(memory.step.to_le_bytes());
    bytes.extend(memory.time.to_le_bytes());
    bytes.extend(memory.next_id.to_le_bytes());
    bytes.extend((boids as u32).to_le_bytes());
    bytes.extend((memory.columns.len() as u32).to_le_bytes());
    for column in &memory.columns {
        bytes.extend((column.name.len() as u32).to_le_bytes());
        bytes.extend(column.name.as_bytes());
        bytes.extend(column.bits.iter().flat_map(|bits| bits.to_le_bytes()));
    }
    bytes
}

pub(crate) fn memory_from(bytes: &[u8]) -> Result<FlockMemory, String> {
    let mut reader = Reader::new(bytes);
    let (step, time, next_id) = (reader.u64()?, f64::from_bits(reader.u64()?), reader.u64()?);
    let (boids, count) = (reader.u32()? as usize, reader.u32()?);
    let mut columns = Vec::new();
    for _ in 0..count {
        let length = reader.u32()? as usize;
        let name = std::str::from_utf8(reader.take(length)?).map_err(|_| "a column's name is not UTF-8 text")?;
        let all = reader.take(boids.saturating_mul(4))?;
        let bits = all.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect();
        columns.push(MemoryColumn::new(name, bits));
    }
    if !reader.rest.is_empty() {
        return Err(format!("{} bytes are left over", reader.rest.len()));
    }
    Ok(FlockMemory::new(step, time, next_id, columns))
}
