//! A flock's state and its boids as bytes, little-endian.
//!
//! ```text
//! u64 step · f64 time · u64 next id · u32 boids · u32 columns ·
//! each column: u32 length of its name · name · u32 for each boid ·
//! sources, exits, obstacles, the host's bytes, each unless empty: u32 length · u64 words
//! ```
//!
//! One function says this order ([`archive`]); a writer and a reader run it. Boids are a frame of
//! wingbeat-session.

use wingbeat::snapshot::{StateColumn, StateRecord};
use wingbeat::steer::gate::{ExitMemory, SourceMemory};
use wingbeat::steer::obstacle::{ObstacleState, Pose};
use wingbeat_scene::{Row, Start};
use wingbeat_session::HEAD_BYTES;

/// Numbers one after the other, written or read.
trait Archive {
    fn u32(&mut self, number: &mut u32) -> Result<(), String>;
    fn u64(&mut self, number: &mut u64) -> Result<(), String>;
    fn text(&mut self, text: &mut String) -> Result<(), String>;

    fn f64(&mut self, number: &mut f64) -> Result<(), String> {
        let mut bits = number.to_bits();
        self.u64(&mut bits)?;
        *number = f64::from_bits(bits);
        Ok(())
    }

    /// So many entries, each in its turn.
    fn entries<T: Clone>(
        &mut self,
        list: &mut Vec<T>,
        (length, usual): (u32, T),
        entry: impl Fn(&mut Self, &mut T) -> Result<(), String>,
    ) -> Result<(), String> {
        // Read ones come one by one: a length that lies makes no room.
        for place in 0..length as usize {
            if place == list.len() {
                list.push(usual.clone());
            }
            entry(self, &mut list[place])?;
        }
        Ok(())
    }

    /// A list with its length before it, if it is there.
    fn list<T: Clone>(
        &mut self,
        is_there: bool,
        list: &mut Vec<T>,
        usual: T,
        entry: impl Fn(&mut Self, &mut T) -> Result<(), String>,
    ) -> Result<(), String> {
        if !is_there {
            return Ok(());
        }
        let mut length = list.len() as u32;
        self.u32(&mut length)?;
        self.entries(list, (length, usual), entry)
    }
}

#[derive(Default)]
struct Writer {
    bytes: Vec<u8>,
}

impl Archive for Writer {
    fn u32(&mut self, number: &mut u32) -> Result<(), String> {
        self.bytes.extend(number.to_le_bytes());
        Ok(())
    }

    fn u64(&mut self, number: &mut u64) -> Result<(), String> {
        self.bytes.extend(number.to_le_bytes());
        Ok(())
    }

    fn text(&mut self, text: &mut String) -> Result<(), String> {
        self.u32(&mut (text.len() as u32))?;
        self.bytes.extend(text.as_bytes());
        Ok(())
    }
}

struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], String> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or("the bytes end early")?;
        self.rest = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], String> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    fn number(&mut self) -> Result<u32, String> {
        Ok(u32::from_le_bytes(self.array()?))
    }
}

impl Archive for Reader<'_> {
    fn u32(&mut self, number: &mut u32) -> Result<(), String> {
        *number = self.number()?;
        Ok(())
    }

    fn u64(&mut self, number: &mut u64) -> Result<(), String> {
        *number = u64::from_le_bytes(self.array()?);
        Ok(())
    }

    fn text(&mut self, text: &mut String) -> Result<(), String> {
        let length = self.number()? as usize;
        let read = std::str::from_utf8(self.take(length)?);
        *text = read.map_err(|_| "a column's name is not UTF-8 text")?.into();
        Ok(())
    }
}

/// In the number of columns: which lists follow them, in this order.
const LISTS: [u32; 4] = [1 << 31, 1 << 30, 1 << 29, 1 << 28];

/// Writes a state, or reads it.
fn archive(to: &mut impl Archive, state: &mut StateRecord) -> Result<(), String> {
    let lengths = [state.sources.len(), state.exits.len(), state.obstacles.len(), state.host.len()];
    let listed = LISTS.iter().zip(lengths).filter(|(_, length)| *length > 0);
    let mut boids = state.columns.first().map_or(0, |column| column.bits.len() as u32);
    let mut columns = listed.fold(state.columns.len() as u32, |flags, (flag, _)| flags | flag);
    to.u64(&mut state.step)?;
    to.f64(&mut state.time)?;
    to.u64(&mut state.next_id)?;
    to.u32(&mut boids)?;
    to.u32(&mut columns)?;
    let [sources, exits, obstacles, host] = LISTS.map(|flag| columns & flag > 0);
    let count = LISTS.iter().fold(columns, |count, flag| count & !flag);
    to.entries(&mut state.columns, (count, StateColumn::default()), |to, column| {
        to.text(&mut column.name)?;
        to.entries(&mut column.bits, (boids, 0), |to, bits| to.u32(bits))
    })?;
    to.list(sources, &mut state.sources, SourceMemory::default(), |to, source| {
        to.u64(&mut source.released)?;
        to.u64(&mut source.tries)
    })?;
    to.list(exits, &mut state.exits, ExitMemory::default(), |to, exit| {
        // NaN: no boid has left yet.
        let mut last = exit.last.unwrap_or(f64::NAN);
        to.f64(&mut last)?;
        exit.last = Some(last).filter(|last| !last.is_nan());
        Ok(())
    })?;
    to.list(obstacles, &mut state.obstacles, nowhere(), |to, at| {
        let numbers = at.position.iter_mut().chain(&mut at.turn).chain(&mut at.velocity);
        numbers.into_iter().try_for_each(|number| to.f64(number))?;
        let next = at.pose.position.iter_mut().chain([&mut at.pose.angle]);
        next.into_iter().try_for_each(|number| {
            let mut wide = f64::from(*number);
            to.f64(&mut wide)?;
            *number = wide as f32;
            Ok(())
        })
    })?;
    to.list(host, &mut state.host, 0, |to, byte| {
        let mut wide = u64::from(*byte);
        to.u64(&mut wide)?;
        *byte = wide as u8;
        Ok(())
    })
}

fn nowhere() -> ObstacleState {
    let pose = Pose { position: [0.0; 3], angle: 0.0 };
    ObstacleState { position: [0.0; 3], turn: [0.0; 2], velocity: [0.0; 3], pose }
}

pub(crate) fn state_to(state: &mut StateRecord) -> Result<Vec<u8>, String> {
    let mut writer = Writer::default();
    archive(&mut writer, state)?;
    Ok(writer.bytes)
}

/// The state at the start of the bytes, and what follows it.
pub(crate) fn state_from(bytes: &[u8]) -> Result<(StateRecord, &[u8]), String> {
    let (mut reader, mut state) = (Reader { rest: bytes }, StateRecord::default());
    archive(&mut reader, &mut state)?;
    Ok((state, reader.rest))
}

/// The boids of a frame of a flock of so many dimensions.
pub(crate) fn boids_from(frame: &[u8], dimensions: usize) -> Result<Start, String> {
    let mut reader = Reader { rest: frame };
    let is_frame = reader.take(4)? == b"WBV2" && reader.number()? as usize == dimensions;
    if !is_frame {
        return Err(format!("the bytes are no frame of a flock of {dimensions} dimensions"));
    }
    let count = reader.number()? as usize;
    let mut reader = Reader { rest: frame.get(HEAD_BYTES - 4..).unwrap_or_default() };
    // How many have gone by each exit stays behind.
    let exits = reader.number()? as usize;
    reader.take(exits.checked_mul(4).ok_or("the bytes end early")?)?;
    // All of it is there before room is made for it.
    let needed = count.checked_mul(4 + 8 * dimensions).filter(|&bytes| bytes <= reader.rest.len());
    needed.ok_or("the bytes end early")?;
    let ids: Vec<u32> = (0..count).map(|_| reader.number()).collect::<Result<_, _>>()?;
    let mut column = || -> Result<Vec<[f32; 3]>, String> {
        let mut vector = || {
            let mut place = [0.0; 3];
            for x in &mut place[..dimensions] {
                *x = f32::from_bits(reader.number()?);
            }
            Ok(place)
        };
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Everything that a state may hold.
    fn full() -> StateRecord {
        let columns = vec![
            StateColumn::new("phase", vec![1, 7]),
            StateColumn::new("goal", vec![u32::MAX, 0]),
        ];
        let mut state = StateRecord::new(1 << 40, 2.5, u64::MAX - 1, columns)
            .with_sources(vec![SourceMemory { released: 3, tries: 1 << 33 }])
            .with_exits(vec![ExitMemory { last: None }, ExitMemory { last: Some(0.0) }]);
        let pose = Pose { position: [1.0, -2.5, 0.0], angle: 0.25 };
        let (position, turn, velocity) = ([0.1, 0.2, -0.0], [0.6, 0.8], [3.0, 0.0, 1e-300]);
        state.obstacles = vec![ObstacleState { position, turn, velocity, pose }; 2];
        state.host = vec![0, 255, 7];
        state
    }

    #[test]
    fn a_state_comes_back_whole_and_what_follows_it_is_left() {
        let bytes = state_to(&mut full()).expect("bytes");
        let (state, rest) = state_from(&bytes).expect("what was written");
        assert_eq!((state, rest.len()), (full(), 0));
        // 8 + 8 + 8 + 4 + 4, two columns, and four lists.
        let columns = (4 + 5 + 8) + (4 + 4 + 8);
        let lists = (4 + 16) + (4 + 2 * 8) + (4 + 2 * 12 * 8) + (4 + 3 * 8);
        assert_eq!(bytes.len(), 32 + columns + lists);
        let none = state_to(&mut StateRecord::default()).expect("bytes");
        let followed = [&none[..], &[9; 5]].concat();
        assert_eq!(state_from(&followed), Ok((StateRecord::default(), &[9; 5][..])));
        for length in 0..bytes.len() {
            assert_eq!(state_from(&bytes[..length]), Err("the bytes end early".into()), "{length}");
        }
    }
}
