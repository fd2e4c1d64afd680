//! What the text formats share: lines of a limited length, and cells that are numbers.

use std::cell::Cell;
use std::io::{BufRead, BufReader, Error, ErrorKind, Read};
use std::rc::Rc;

use crate::RecordError;
use crate::limits::{FARTHEST, LAST_FRAME};

/// Longest line taken: a row of a recording has some hundred bytes, or in a wide table some forty
/// for each individual.
const LONGEST_LINE: usize = 1 << 18;
/// The same of CSV with quotes, whose rows have no more than the columns of an initial state or of
/// observables.
const LONGEST_RECORD: usize = 1 << 16;

/// A reader that fails at a line too long to be a row, so that a gigabyte without a line break is
/// refused rather than held.
pub(crate) struct ShortLines<R> {
    inner: R,
    since_break: usize,
}

impl<R: Read> ShortLines<R> {
    pub(crate) fn new(inner: R) -> Self {
        Self { inner, since_break: 0 }
    }
}

impl<R: Read> Read for ShortLines<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.inner.read(buffer)?;
        for piece in buffer[..count].split_inclusive(|&byte| byte == b'\n') {
            self.since_break += piece.len();
            if self.since_break > LONGEST_LINE {
                return Err(Error::new(
                    ErrorKind::FileTooLarge,
                    format!("a line is longer than {LONGEST_LINE} bytes"),
                ));
            }
            if piece.ends_with(b"\n") {
                self.since_break = 0;
            }
        }
        Ok(count)
    }
}

/// A reader for CSV with quotes, in which a record may have many lines: it fails where one has more
/// bytes than any row, as behind a quote that never closes.
pub struct ShortRecords<R> {
    inner: R,
    since_record: Rc<Cell<usize>>,
}

impl<R: Read> ShortRecords<R> {
    /// The reader, and what it has to be told whenever a record was read.
    pub fn new(inner: R) -> (Self, impl Fn()) {
        let since_record = Rc::new(Cell::new(0));
        let told = Rc::clone(&since_record);
        (Self { inner, since_record }, move || told.set(0))
    }
}

impl<R: Read> Read for ShortRecords<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.since_record.get() > LONGEST_RECORD {
            return Err(Error::new(
                ErrorKind::FileTooLarge,
                format!("a row is longer than {LONGEST_RECORD} bytes"),
            ));
        }
        let count = self.inner.read(buffer)?;
        self.since_record.set(self.since_record.get() + count);
        Ok(count)
    }
}

/// Text from a file as a message quotes it: its first 60 characters, and … where there are more.
pub fn shortened(text: &str) -> String {
    shortened_to(text, 60)
}

/// The same with so many characters.
pub fn shortened_to(text: &str, characters: usize) -> String {
    match text.char_indices().nth(characters) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}

/// Lines of a text with their numbers.
pub(crate) struct Lines<R> {
    reader: BufReader<ShortLines<R>>,
    shown: String,
    bytes: Vec<u8>,
    number: u64,
}

impl<R: Read> Lines<R> {
    pub(crate) fn new(inner: R, shown: &str) -> Self {
        Self {
            reader: BufReader::new(ShortLines::new(inner)),
            shown: shown.to_string(),
            bytes: Vec::new(),
            number: 0,
        }
    }

    /// The number of the line read last.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// Where the line read last is.
    pub(crate) fn place(&self) -> String {
        format!("{}:{}", self.shown, self.number)
    }

    /// The next line, without its break and a byte order mark, and its number; `None` at the end.
    pub(crate) fn next(&mut self) -> Result<Option<(&str, u64)>, RecordError> {
        self.bytes.clear();
        self.number += 1;
        let read = self.reader.read_until(b'\n', &mut self.bytes);
        if read.map_err(|error| RecordError::cannot_read(&self.shown, &error))? == 0 {
            return Ok(None);
        }
        match std::str::from_utf8(&self.bytes) {
            Ok(line) => Ok(Some((
                line.trim_end_matches(['\n', '\r']).trim_start_matches('\u{feff}'),
                self.number,
            ))),
            Err(_) => Err(RecordError::data(self.place(), "not UTF-8 text: allowed is UTF-8")),
        }
    }
}

/// A row that is refused: which column, what stands there, what may.
pub(crate) fn refuse(place: &str, column: &str, cell: &str, allowed: &str) -> RecordError {
    RecordError::data(
        place,
        format!("column {column} = \"{}\": allowed is {allowed}", shortened(cell)),
    )
}

/// A whole number, also written as 12.0.
fn whole_number(cell: &str) -> Option<i64> {
    let float =
        || cell.parse::<f64>().ok().filter(|x| x.fract() == 0.0 && x.abs() <= LAST_FRAME as f64);
    cell.parse::<i64>().ok().or_else(|| float().map(|x| x as i64))
}

pub(crate) fn frame(cell: &str, place: &str) -> Result<i64, RecordError> {
    let allowed = || format!("a whole number, {} to {LAST_FRAME}", -LAST_FRAME);
    let frame = whole_number(cell).filter(|frame| (-LAST_FRAME..=LAST_FRAME).contains(frame));
    frame.ok_or_else(|| refuse(place, "frame", cell, &allowed()))
}

pub(crate) fn id(cell: &str, place: &str) -> Result<u64, RecordError> {
    let id = cell
        .parse::<u64>()
        .ok()
        .or_else(|| whole_number(cell).and_then(|id| u64::try_from(id).ok()));
    id.ok_or_else(|| refuse(place, "id", cell, &format!("a whole number, 0 to {}", u64::MAX)))
}

/// A number; NaN where there is none (an empty cell, NaN, NA); `None` of what is neither.
pub fn number(cell: &str) -> Option<f64> {
    if cell.is_empty() || cell.eq_ignore_ascii_case("na") {
        return Some(f64::NAN);
    }
    cell.parse::<f64>().ok().filter(|x| x.is_nan() || x.abs() <= FARTHEST)
}

/// What [`number`] takes.
pub(crate) fn allowed_coordinate() -> String {
    format!("a number, -{FARTHEST:e} to {FARTHEST:e}, or nothing")
}

/// A coordinate; NaN where there is none (an empty cell, NaN, NA).
pub(crate) fn coordinate(cell: &str, column: &str, place: &str) -> Result<f64, RecordError> {
    number(cell).ok_or_else(|| refuse(place, column, cell, &allowed_coordinate()))
}
