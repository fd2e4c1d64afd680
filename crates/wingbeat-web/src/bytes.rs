//! A flock's memory and its boids as bytes, little-endian.
//!
//! ```text
//! u64 step · f64 time · u64 next id · u32 boids · u32 columns ·
//! each column: u32 length of its name · name · u32 for each boid
//! ```
//!
//! Boids are a frame of docs/VIEW.md.

use wingbeat::steer::gate::{ExitMemory, SourceMemory};
use wingbeat::{StateColumn, StateRecord};
use wingbeat_page::live::HEAD_BYTES;
use wingbeat_scene::{Row, Start};

/// Reads numbers one after the other.
struct Reader<'a> {
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

/// In the number of columns: that sources follow them.
const SOURCES: u32 = 1 << 31;

/// The same: that exits follow them, after the sources.
const EXITS: u32 = 1 << 30;

pub(crate) fn memory_to(memory: &StateRecord) -> Vec<u8> {
    let boids = memory.columns.first().map_or(0, |column| column.bits.len());
    let mut bytes = Vec::new();
    bytes.extend(memory.step.to_le_bytes());
    bytes.extend(memory.time.to_le_bytes());
    bytes.extend(memory.next_id.to_le_bytes());
    bytes.extend((boids as u32).to_le_bytes());
    let sources = if memory.sources.is_empty() { 0 } else { SOURCES };
    let exits = if memory.exits.is_empty() { 0 } else { EXITS };
    bytes.extend((memory.columns.len() as u32 | sources | exits).to_le_bytes());
    for column in &memory.columns {
        bytes.extend((column.name.len() as u32).to_le_bytes());
        bytes.extend(column.name.as_bytes());
        bytes.extend(column.bits.iter().flat_map(|bits| bits.to_le_bytes()));
    }
    if sources > 0 {
        bytes.extend((memory.sources.len() as u32).to_le_bytes());
        bytes.extend(
            memory
                .sources
                .iter()
                .flat_map(|source| [source.released, source.tries])
                .flat_map(u64::to_le_bytes),
        );
    }
    if exits > 0 {
        bytes.extend((memory.exits.len() as u32).to_le_bytes());
        // NaN: no boid has left yet.
        bytes.extend(
            memory.exits.iter().flat_map(|exit| exit.last.unwrap_or(f64::NAN).to_le_bytes()),
        );
    }
    bytes
}

/// The memory at the start of the bytes, and what follows it.
pub(crate) fn memory_from(bytes: &[u8]) -> Result<(StateRecord, &[u8]), String> {
    let mut reader = Reader::new(bytes);
    let (step, time, next_id) = (reader.u64()?, f64::from_bits(reader.u64()?), reader.u64()?);
    let (boids, count) = (reader.u32()? as usize, reader.u32()?);
    let mut columns = Vec::new();
    for _ in 0..count & !(SOURCES | EXITS) {
        let length = reader.u32()? as usize;
        let name = std::str::from_utf8(reader.take(length)?)
            .map_err(|_| "a column's name is not UTF-8 text")?;
        let all = reader.take(boids.saturating_mul(4))?;
        let bits = all
            .chunks_exact(4)
            .map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
            .collect();
        columns.push(StateColumn::new(name, bits));
    }
    let mut sources = Vec::new();
    for _ in 0..if count & SOURCES > 0 { reader.u32()? } else { 0 } {
        sources.push(SourceMemory { released: reader.u64()?, tries: reader.u64()? });
    }
    let mut exits = Vec::new();
    for _ in 0..if count & EXITS > 0 { reader.u32()? } else { 0 } {
        exits.push(ExitMemory {
            last: Some(f64::from_bits(reader.u64()?)).filter(|last| !last.is_nan()),
        });
    }
    Ok((
        StateRecord::new(step, time, next_id, columns).with_sources(sources).with_exits(exits),
        reader.rest,
    ))
}

/// The boids of a frame of a flock of so many dimensions.
pub(crate) fn boids_from(frame: &[u8], dimensions: usize) -> Result<Start, String> {
    let mut reader = Reader::new(frame);
    let is_frame = reader.take(4)? == b"WBV1" && reader.u32()? as usize == dimensions;
    if !is_frame {
        return Err(format!("the bytes are no frame of a flock of {dimensions} dimensions"));
    }
    let count = reader.u32()? as usize;
    let mut reader = Reader::new(frame.get(HEAD_BYTES..).unwrap_or_default());
    // All of it is there before room is made for it.
    let needed = count.checked_mul(4 + 8 * dimensions).filter(|&bytes| bytes <= reader.rest.len());
    needed.ok_or("the bytes end early")?;
    let ids: Vec<u32> = (0..count).map(|_| reader.u32()).collect::<Result<_, _>>()?;
    let mut column = || -> Result<Vec<[f32; 3]>, String> {
        let mut vector =
            || (0..dimensions).try_fold([0.0; 3], |v, a| reader.f32().map(|x| with(v, a, x)));
        (0..count).map(|_| vector()).collect()
    };
    let (positions, velocities) = (column()?, column()?);
    let row = |(id, (position, velocity))| Row { id: u64::from(id), position, velocity };
    let species = match reader.rest.len() {
        0 => Vec::new(),
        length if length == count => reader.rest.to_vec(),
        length => {
            return Err(format!(
                "{length} bytes are left over: allowed is a species for each \
            of {count} boids, or none"
            ));
        }
    };
    Ok(Start {
        rows: ids.into_iter().zip(positions.into_iter().zip(velocities)).map(row).collect(),
        species,
    })
}

fn with(mut v: [f32; 3], a: usize, x: f32) -> [f32; 3] {
    v[a] = x;
    v
}
