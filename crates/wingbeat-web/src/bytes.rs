//! A flock's memory and its boids as bytes, little-endian.
//!
//! ```text
//! u64 step · f64 time · u64 next id · u32 boids · u32 columns ·
//! each column: u32 length of its name · name · u32 for each boid ·
//! sources, exits, obstacles, the host's bytes, each unless empty: u32 length · u64 words
//! ```
//!
//! Boids are a frame of docs/VIEW.md.

use wingbeat::steer::gate::{ExitMemory, SourceMemory};
use wingbeat::steer::obstacle::{ObstacleState, Pose};
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

    /// A list of entries of so many words, if it is there.
    fn list<T, const N: usize>(
        &mut self,
        is_there: bool,
        entry: impl Fn([u64; N]) -> T,
    ) -> Result<Vec<T>, String> {
        let length = if is_there { self.u32()? } else { 0 };
        let mut words = || -> Result<[u64; N], String> {
            let mut words = [0; N];
            for word in &mut words {
                *word = self.u64()?;
            }
            Ok(words)
        };
        (0..length).map(|_| words().map(&entry)).collect()
    }

    pub fn f32(&mut self) -> Result<f32, String> {
        Ok(f32::from_bits(self.u32()?))
    }
}

/// In the number of columns: which lists follow them, in this order.
const LISTS: [u32; 4] = [1 << 31, 1 << 30, 1 << 29, 1 << 28];

pub(crate) fn memory_to(memory: &StateRecord) -> Vec<u8> {
    let boids = memory.columns.first().map_or(0, |column| column.bits.len());
    let sources = memory.sources.iter().flat_map(|source| [source.released, source.tries]);
    // NaN: no boid has left yet.
    let exits = memory.exits.iter().map(|exit| exit.last.unwrap_or(f64::NAN).to_bits());
    let obstacles = memory.obstacles.iter().flat_map(obstacle_to).map(f64::to_bits);
    let host = memory.host.iter().map(|&byte| u64::from(byte));
    let lists: [(usize, Vec<u64>); 4] = [
        (memory.sources.len(), sources.collect()),
        (memory.exits.len(), exits.collect()),
        (memory.obstacles.len(), obstacles.collect()),
        (memory.host.len(), host.collect()),
    ];
    let listed = || LISTS.iter().zip(&lists).filter(|(_, (length, _))| *length > 0);
    let flags = listed().fold(0, |flags, (flag, _)| flags | flag);
    let mut bytes = Vec::new();
    bytes.extend(memory.step.to_le_bytes());
    bytes.extend(memory.time.to_le_bytes());
    bytes.extend(memory.next_id.to_le_bytes());
    bytes.extend((boids as u32).to_le_bytes());
    bytes.extend((memory.columns.len() as u32 | flags).to_le_bytes());
    for column in &memory.columns {
        bytes.extend((column.name.len() as u32).to_le_bytes());
        bytes.extend(column.name.as_bytes());
        bytes.extend(column.bits.iter().flat_map(|bits| bits.to_le_bytes()));
    }
    for (_, (length, words)) in listed() {
        bytes.extend((*length as u32).to_le_bytes());
        bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    }
    bytes
}

/// The memory at the start of the bytes, and what follows it.
pub(crate) fn memory_from(bytes: &[u8]) -> Result<(StateRecord, &[u8]), String> {
    let mut reader = Reader::new(bytes);
    let (step, time, next_id) = (reader.u64()?, f64::from_bits(reader.u64()?), reader.u64()?);
    let (boids, count) = (reader.u32()? as usize, reader.u32()?);
    let mut columns = Vec::new();
    for _ in 0..count & !LISTS.iter().fold(0, |flags, flag| flags | flag) {
        let length = reader.u32()? as usize;
        let name = std::str::from_utf8(reader.take(length)?)
            .map_err(|_| "a column's name is not UTF-8 text")?;
        let bits = (0..boids).map(|_| reader.u32()).collect::<Result<_, _>>()?;
        columns.push(StateColumn::new(name, bits));
    }
    let mut memory = StateRecord::new(step, time, next_id, columns);
    let [sources, exits, obstacles, host] = LISTS.map(|flag| count & flag > 0);
    memory.sources = reader.list(sources, |[released, tries]| SourceMemory { released, tries })?;
    memory.exits = reader.list(exits, |[last]| ExitMemory {
        last: Some(f64::from_bits(last)).filter(|last| !last.is_nan()),
    })?;
    memory.obstacles = reader.list(obstacles, obstacle_from)?;
    memory.host = reader.list(host, |[byte]| byte as u8)?;
    Ok((memory, reader.rest))
}

fn obstacle_to(state: &ObstacleState) -> impl Iterator<Item = f64> {
    let next = state.pose.position.into_iter().chain([state.pose.angle]).map(f64::from);
    state.position.into_iter().chain(state.turn).chain(state.velocity).chain(next)
}

fn obstacle_from(words: [u64; 12]) -> ObstacleState {
    let [x, y, z, sin, cos, u, v, w, next @ .., angle] = words.map(f64::from_bits);
    let pose = Pose { position: next.map(|x| x as f32), angle: angle as f32 };
    ObstacleState { position: [x, y, z], turn: [sin, cos], velocity: [u, v, w], pose }
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
