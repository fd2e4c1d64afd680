//! Where the rows of a recording are: in memory, in a temporary file, or in the recording itself,
//! by frame and id. However long a recording is, no more than a part of it is in memory.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::sync::Mutex;

use crate::RecordError;
use crate::row::Row;
use crate::species::SpeciesById;

/// Rows that are held in memory: 32 MiB. Tests hold fewer, so that small recordings go the way of
/// large ones.
const HELD: usize = if cfg!(test) { 100 } else { 1 << 19 };
/// Bytes of a row in a file.
const BYTES: usize = 64;
/// Rows that are read at once of each sorted part.
const TOGETHER: usize = 1 << 12;

/// Bytes of temporary files that so many rows take at most: as they come in sorted parts, and then
/// sorted.
#[cfg_attr(target_family = "wasm", allow(dead_code))]
pub fn bytes_on_disk(rows: u128) -> u128 {
    if rows > HELD as u128 { rows.saturating_mul(2 * BYTES as u128) } else { 0 }
}

/// How rows are sorted.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) enum Order {
    /// By frame, then id.
    #[default]
    Frame,
    /// By id, then frame.
    Track,
}

impl Order {
    fn key(self, row: &Row) -> [i128; 2] {
        let (frame, id) = (i128::from(row.frame), i128::from(row.id));
        match self {
            Self::Frame => [frame, id],
            Self::Track => [id, frame],
        }
    }
}

/// Rows in any order, to be sorted: those that memory is not to hold go to a temporary file in
/// sorted parts.
#[derive(Debug, Default)]
pub(crate) struct Unsorted {
    order: Order,
    rows: Vec<Row>,
    file: Option<BufWriter<File>>,
    /// Sorted parts of the file, in rows.
    parts: Vec<Range<u64>>,
}

/// Rows of a frame that a store has, with the frame's number.
#[derive(Clone, Debug)]
pub struct FrameRange {
    /// Number of the frame.
    pub number: i64,
    /// Its rows, by their places in the store.
    pub rows: Range<u64>,
}

/// Rows whose id and frame occurred before.
#[derive(Clone, Copy, Debug, Default)]
pub struct Doubles {
    /// How many there are.
    pub rows: u64,
    /// One that is elsewhere than the first, and where the first is.
    pub contradiction: Option<(Row, [f64; 3])>,
}

/// Where rows by frame and id are.
#[derive(Debug)]
pub enum Store {
    /// In memory.
    Memory(Vec<Row>),
    /// In a temporary file.
    File(Mutex<File>),
    /// A `.wbr`: rows of a moment are frames of it.
    Streamed(Box<Mutex<dyn Streamed>>),
}

/// A recording that is read frame by frame, as a store of rows.
pub trait Streamed: std::fmt::Debug + Send {
    /// The rows of a moment, by id.
    ///
    /// # Errors
    /// When the file cannot be read, or is damaged there.
    fn rows(&mut self, moment: &FrameRange) -> Result<Vec<Row>, RecordError>;

    /// Species that frames tell, as far as they have been read.
    fn species(&self) -> SpeciesById;
}

impl Unsorted {
    pub fn ordered(order: Order) -> Self {
        Self { order, ..Self::default() }
    }

    pub fn push(&mut self, row: Row) -> io::Result<()> {
        if self.rows.len() == HELD {
            self.put_away()?;
        }
        self.rows.push(row);
        Ok(())
    }

    /// Writes what is held as a sorted part.
    fn put_away(&mut self) -> io::Result<()> {
        // Stable: of two rows with the same id and frame, the first in the file comes first.
        self.rows.sort_by_key(|row| self.order.key(row));
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(BufWriter::new(tempfile::tempfile()?)),
        };
        for row in &self.rows {
            file.write_all(&encoded(row))?;
        }
        let start = self.parts.last().map_or(0, |part| part.end);
        self.parts.push(start..start + self.rows.len() as u64);
        self.rows.clear();
        Ok(())
    }

    /// Hands on all rows in order.
    pub fn each<E: From<io::Error>>(
        mut self,
        mut take: impl FnMut(Row) -> Result<(), E>,
    ) -> Result<(), E> {
        let order = self.order;
        if self.parts.is_empty() {
            self.rows.sort_by_key(|row| order.key(row));
            return self.rows.into_iter().try_for_each(take);
        }
        self.put_away()?;
        self.rows = Vec::new();
        let mut from = self
            .file
            .expect("parts are in it")
            .into_inner()
            .map_err(io::IntoInnerError::into_error)?;
        let mut parts: Vec<SortedPart> =
            self.parts.into_iter().map(|left| SortedPart { left, rows: Vec::new() }).collect();
        // Of equal rows, that of the earlier part is the first in the file.
        let mut next = BinaryHeap::new();
        for (i, part) in parts.iter_mut().enumerate() {
            part.fill(&mut from)?;
            next.extend(part.rows.last().map(|row| Reverse((order.key(row), i))));
        }
        while let Some(Reverse((_, i))) = next.pop() {
            let part = &mut parts[i];
            take(part.rows.pop().expect("the row that was announced"))?;
            part.fill(&mut from)?;
            next.extend(part.rows.last().map(|row| Reverse((order.key(row), i))));
        }
        Ok(())
    }

    /// All rows by frame and id, the first of each, and their frames.
    pub fn sorted(mut self) -> io::Result<(Store, Vec<FrameRange>, Doubles)> {
        let mut moments = Moments::default();
        if self.parts.is_empty() {
            self.rows.sort_by_key(|row| Order::Frame.key(row));
            self.rows.retain(|row| moments.takes(row));
            self.rows.shrink_to_fit();
            return Ok((Store::Memory(self.rows), moments.list, moments.doubles));
        }
        let mut to = BufWriter::new(tempfile::tempfile()?);
        self.each(|row| if moments.takes(&row) { to.write_all(&encoded(&row)) } else { Ok(()) })?;
        let file = to.into_inner().map_err(io::IntoInnerError::into_error)?;
        Ok((Store::File(Mutex::new(file)), moments.list, moments.doubles))
    }
}

/// A sorted part that is read from its start on.
struct SortedPart {
    left: Range<u64>,
    /// The next rows, the last first.
    rows: Vec<Row>,
}

impl SortedPart {
    /// Reads more, if all that was read is taken.
    fn fill(&mut self, from: &mut File) -> io::Result<()> {
        if self.rows.is_empty() {
            let end = self.left.end.min(self.left.start + TOGETHER as u64);
            self.rows = read(from, self.left.start..end)?;
            self.rows.reverse();
            self.left.start = end;
        }
        Ok(())
    }
}

/// Frames of rows that come sorted.
#[derive(Default)]
struct Moments {
    list: Vec<FrameRange>,
    last: Option<Row>,
    doubles: Doubles,
}

impl Moments {
    /// Whether a row is the first of its id and frame.
    fn takes(&mut self, row: &Row) -> bool {
        if let Some(last) = self.last.filter(|last| (last.frame, last.id) == (row.frame, row.id)) {
            self.doubles.rows += 1;
            if last.position != row.position {
                self.doubles.contradiction.get_or_insert((*row, last.position));
            }
            return false;
        }
        self.last = Some(*row);
        let place = self.list.last().map_or(0, |moment| moment.rows.end);
        match self.list.last_mut().filter(|moment| moment.number == row.frame) {
            Some(moment) => moment.rows.end += 1,
            None => self.list.push(FrameRange { number: row.frame, rows: place..place + 1 }),
        }
        true
    }
}

impl Store {
    /// The rows of a moment, by id.
    ///
    /// # Errors
    /// When the file cannot be read, or is damaged there.
    pub fn rows(&self, moment: &FrameRange) -> Result<Cow<'_, [Row]>, RecordError> {
        let failed = |error: io::Error| RecordError::cannot_read("temporary file", &error);
        match self {
            Self::Memory(rows) => {
                Ok(Cow::Borrowed(&rows[moment.rows.start as usize..moment.rows.end as usize]))
            }
            Self::File(file) => {
                let mut file = file.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                Ok(Cow::Owned(read(&mut file, moment.rows.clone()).map_err(failed)?))
            }
            Self::Streamed(frames) => {
                let mut frames = frames.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                frames.rows(moment).map(Cow::Owned)
            }
        }
    }
}

impl Store {
    /// Species that frames tell, as far as they have been read.
    pub fn species(&self) -> Option<SpeciesById> {
        let Self::Streamed(frames) = self else { return None };
        Some(frames.lock().unwrap_or_else(std::sync::PoisonError::into_inner).species())
    }
}

fn read(file: &mut File, rows: Range<u64>) -> io::Result<Vec<Row>> {
    file.seek(SeekFrom::Start(rows.start * BYTES as u64))?;
    let mut bytes = vec![0; (rows.end - rows.start) as usize * BYTES];
    file.read_exact(&mut bytes)?;
    Ok(bytes.chunks_exact(BYTES).map(decoded).collect())
}

fn encoded(row: &Row) -> [u8; BYTES] {
    let mut bytes = [0; BYTES];
    let numbers = row.position.iter().chain(&row.velocity).map(|x| x.to_bits());
    let words = [row.frame as u64, row.id].into_iter().chain(numbers);
    for (place, word) in bytes.chunks_exact_mut(8).zip(words) {
        place.copy_from_slice(&word.to_le_bytes());
    }
    bytes
}

fn decoded(bytes: &[u8]) -> Row {
    let word = |i: usize| u64::from_le_bytes(std::array::from_fn(|k| bytes[8 * i + k]));
    let three = |from: usize| std::array::from_fn(|a| f64::from_bits(word(from + a)));
    Row { frame: word(0) as i64, id: word(1), position: three(2), velocity: three(5) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: a stable sort of everything, then the first of each.
    fn plainly(rows: &[Row]) -> Vec<Row> {
        let mut all = rows.to_vec();
        all.sort_by_key(|row| (row.frame, row.id));
        all.dedup_by_key(|row| (row.frame, row.id));
        all
    }

    #[test]
    fn rows_are_sorted_in_a_file_as_in_memory() {
        for (count, seed) in
            [(1, 3), (HELD, 5), (HELD + 1, 7), (7 * HELD + 13, 11), (100 * HELD, 13)]
        {
            let mut random = wingbeat_test_support::Random::new(seed);
            let mut draw = |below: u64| random.below(below);
            let row = |i: usize| Row {
                frame: draw(40) as i64 - 20,
                id: draw(30),
                position: [i as f64; 3],
                velocity: [0.5; 3],
            };
            let rows: Vec<Row> = (0..count).map(row).collect();
            let wanted = plainly(&rows);
            let mut unsorted = Unsorted::default();
            rows.iter().for_each(|row| unsorted.push(*row).expect("room in a file"));
            let (store, moments, doubles) = unsorted.sorted().expect("a readable file");
            assert_eq!(matches!(store, Store::File(_)), count > HELD, "{count} rows");
            let found: Vec<Row> = moments
                .iter()
                .flat_map(|moment| store.rows(moment).expect("rows").into_owned())
                .collect();
            assert_eq!(found, wanted, "{count} rows, seed {seed}");
            assert!(moments.iter().all(|moment| {
                store.rows(moment).expect("rows").iter().all(|row| row.frame == moment.number)
            }));
            assert_eq!(doubles.rows, (count - wanted.len()) as u64, "{count} rows");
            // Every row has a place of its own.
            assert_eq!(doubles.contradiction.is_some(), doubles.rows > 0, "{count} rows");
        }
    }
}
