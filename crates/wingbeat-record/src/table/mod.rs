//! Text tables of any tracker: a header that names the columns, then a row for each individual and frame, or one for each frame.
//!
//! column_names.rs says what a column's name means, layout.rs which columns hold what, dialect.rs how cells are written, ids.rs who is meant,
//! times.rs which frames times stand for.

mod dialect;
mod ids;
mod layout;
mod times;

use std::collections::HashSet;
use std::io::{Seek, SeekFrom};
use std::ops::Range;

use crate::RecordError;
use crate::clock::Clock;
use crate::column_names::Name;
use crate::row::Row;
use crate::rows::Rows;
use crate::source::Source;
use crate::text::{self, Lines, shortened_to};
use crate::watch::Watched;
use dialect::Decimals;
pub(crate) use dialect::{Comments, Separator};
use ids::Ids;
pub(crate) use ids::numbered;
pub(crate) use layout::Layout;
#[cfg(not(target_family = "wasm"))]
pub(crate) use times::numbers;
use times::{Even, Times};

/// Bytes that would make a number of a text.
const NUMBER: [char; 11] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '.'];

/// Rows of names before the first one of numbers, at most: tables of poses have up to four.
const MOST_HEADERS: usize = 4;

pub(crate) fn read(source: Source<'_>) -> Result<Rows, RecordError> {
    let mut rows = Rows::new(&source.shown);
    let mut table = Table::open(&source)?;
    let mut layout = Layout::of(&table.names, source.columns).map_err(|why| RecordError::data(&table.header_place, why))?;
    if let Some(z) = layout.height_of_spots
        && let Some(height) = Table::open(&source)?.only_value(z)?
    {
        layout.flatten(&table.names, height);
    }
    rows.dimensions = layout.sighted[0].position.len();
    rows.has_velocities = !layout.sighted[0].velocity.is_empty();
    rows.has_velocities_per_second = layout.has_velocities_per_second(&table.names);
    rows.unit = layout.unit.or(table.comments.unit);
    rows.notes = layout.notes.clone();
    let even = match (layout.frame, layout.time) {
        (None, Some((column, factor))) => Some(table.even_times(column, factor)?),
        _ => None,
    };
    if even.is_some() {
        // From the start, now that it is known which frames the times are.
        table = Table::open(&source)?;
    }
    let mut reader = Reader::new(&layout, even.as_ref());
    while table.next()? {
        reader.take(&table.record, &table, &mut rows)?;
    }
    reader.finish(&mut rows);
    rows.notes.extend(table.notes());
    if table.commented > 0 {
        rows.left_out.push(format!("{} lines behind the header begin with #: left out", table.commented));
    }
    match &even {
        Some(even) => (rows.fps, rows.time_offset) = (even.fps, even.offset()),
        None => reader.clock.tell(&mut rows),
    }
    rows.fps = rows.fps.or(table.comments.fps);
    Ok(rows)
}

/// Whether these cells are a header: none of them is a number.
pub(crate) fn is_header(cells: &[&str]) -> bool {
    !cells.is_empty() && cells.iter().all(|cell| !cell.starts_with(NUMBER) && cell.parse::<f64>().is_err())
}

/// A text table behind its header.
struct Table<'a> {
    lines: Lines<Watched<'a>>,
    separator: Separator,
    names: Vec<Name>,
    header_place: String,
    comments: Comments,
    record: Record,
    /// Whether `record` was read to see that it is none of names, and is still to be taken.
    is_waiting: bool,
    /// Columns before those of the header, as the first row has them.
    before: Option<usize>,
    /// Rows that end with a separator, behind which there is an empty cell that the header does not name.
    with_empty_end: u64,
    /// Lines behind the header that begin with `#`.
    commented: u64,
}

impl<'a> Table<'a> {
    /// Reads up to the first row.
    fn open(source: &Source<'a>) -> Result<Self, RecordError> {
        let mut file = source.file.clone();
        file.seek(SeekFrom::Start(0)).map_err(|error| RecordError::cannot_read(&source.shown, &error))?;
        let mut lines = Lines::new(file, &source.shown);
        let (mut comments, mut told) = (Comments::default(), None);
        let header = loop {
            let Some((line, _)) = lines.next()? else { break String::new() };
            if let Some(comment) = line.strip_prefix('#') {
                comments.take(comment);
            } else if let Some(separator) = line.strip_prefix("sep=").and_then(|rest| rest.chars().next()) {
                // What spreadsheets write for each other.
                told = Some(Separator::Byte(separator));
            } else if !line.trim().is_empty() {
                break line.to_string();
            }
        };
        let header_place = if header.is_empty() { format!("{}:1", source.shown) } else { lines.place() };
        let separator = told.unwrap_or_else(|| Separator::of(&header));
        let cells = separator.cells(&header);
        let (names, record) = (Vec::new(), Record::default());
        let (is_waiting, before, with_empty_end, commented) = (false, None, 0, 0);
        let mut table =
            Self { lines, separator, names, header_place, comments, record, is_waiting, before, with_empty_end, commented };
        if cells.iter().any(|cell| cell.parse::<f64>().is_ok_and(f64::is_finite)) {
            // As NumPy writes tables: names are a comment.
            let Some(names) = table.comments.names(separator, cells.len()) else {
                return Err(RecordError::data(table.header_place, no_header(&header)));
            };
            table.names = names;
            table.record.take(&header, separator);
            (table.is_waiting, table.before) = (true, Some(0));
        } else {
            let names = separator.names(&header);
            table.names = names.iter().filter(|_| !header.is_empty()).map(|name| Name::parse(name)).collect();
            table.join_headers()?;
        }
        Ok(table)
    }

    /// Joins rows of names that follow the first: those of DeepLabCut (scorer, individuals, bodyparts, coords) become `nose.x`,
    /// and TrackMate's, which say the same in other words, are passed over but for units.
    fn join_headers(&mut self) -> Result<(), RecordError> {
        let first = |name: &Name| name.raw.eq_ignore_ascii_case("scorer");
        let is_pose = self.names.first().is_some_and(first);
        let is_spots = layout::is_spots(&self.names);
        if !is_pose && !is_spots {
            return Ok(());
        }
        let mut joined: Vec<String> = vec![String::new(); self.names.len()];
        for _ in 0..MOST_HEADERS {
            if !self.next()? {
                break;
            }
            if self.record.all().any(|cell| cell.parse::<f64>().is_ok()) {
                self.is_waiting = true;
                break;
            }
            let is_last = self.record.all().next() == Some("coords");
            for (i, (name, cell)) in joined.iter_mut().zip(self.record.all()).enumerate() {
                if is_pose && i > 0 {
                    *name = if name.is_empty() { cell.to_string() } else { format!("{name}.{cell}") };
                } else if is_spots && cell.starts_with('(') {
                    *name = format!("{} {cell}", self.names[i].raw);
                }
            }
            if is_pose && is_last {
                joined[0] = "frame".into();
                break;
            }
        }
        for (name, joined) in self.names.iter_mut().zip(joined).filter(|(_, joined)| !joined.is_empty()) {
            *name = Name::parse(&joined);
        }
        Ok(())
    }

    /// Reads the next row into `record`; false at the end.
    fn next(&mut self) -> Result<bool, RecordError> {
        if std::mem::take(&mut self.is_waiting) {
            return Ok(true);
        }
        loop {
            let Some((line, _)) = self.lines.next()? else { return Ok(false) };
            if line.starts_with('#') {
                self.commented += 1;
                continue;
            }
            if line.trim().is_empty() {
                continue;
            }
            self.record.take(line, self.separator);
            let (mut count, wanted) = (self.record.cells.len(), self.names.len());
            // Of one cell more than the header has, either the last is empty, where rows end with a separator, or the first is a name of
            // the row, as R writes them. The first row tells for all.
            let has_one_more = count == wanted + 1 && self.separator != Separator::Byte(',');
            let ends_empty = has_one_more && self.record.cell(wanted).is_empty();
            let before = *self.before.get_or_insert(usize::from(has_one_more && !ends_empty));
            if ends_empty && before == 0 {
                self.record.cells.pop();
                self.with_empty_end += 1;
                count = wanted;
            }
            if count != wanted + before {
                let message = format!("the row has {count} columns: allowed is {}, as in the header", wanted + before);
                return Err(RecordError::data(self.lines.place(), message));
            }
            self.record.cells.drain(..before);
            return Ok(true);
        }
    }

    /// What is worth knowing of how its rows are written.
    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.before == Some(1) {
            notes.push("the first column has no name: taken for names of rows".into());
        }
        if self.with_empty_end > 0 {
            notes.push(format!("{} rows end with a separator: the empty cell behind it is left aside", self.with_empty_end));
        }
        notes
    }

    /// The frames of a column of times.
    fn even_times(&mut self, column: usize, factor: f64) -> Result<Even, RecordError> {
        let (mut times, mut decimals) = (Times::default(), Decimals::default());
        while self.next()? {
            let time = self.number(self.record.cell(column), column, &mut decimals)?;
            times.push(time * factor, &self.header_place)?;
        }
        let allowed = "allowed are even times, or a column of frames (--map-columns frame=NAME)";
        times.frames().map_err(|why| RecordError::data(&self.header_place, format!("{why}: {allowed}")))
    }

    /// The number that is in all cells of a column; none if they differ.
    fn only_value(&mut self, column: usize) -> Result<Option<f64>, RecordError> {
        let (mut only, mut decimals) = (None, Decimals::default());
        while self.next()? {
            let value = self.number(self.record.cell(column), column, &mut decimals)?;
            if !value.is_nan() && *only.get_or_insert(value) != value {
                return Ok(None);
            }
        }
        Ok(only)
    }

    /// A number, with a decimal point or comma; NaN where there is none.
    fn number(&self, cell: &str, column: usize, decimals: &mut Decimals) -> Result<f64, RecordError> {
        let name = &self.names[column].raw;
        let text =
            decimals.read(cell, self.separator).map_err(|allowed| text::refuse(&self.lines.place(), name, cell, allowed))?;
        text::number(&text).ok_or_else(|| text::refuse(&self.lines.place(), name, cell, &text::allowed_coordinate()))
    }
}

/// The cells of a row.
#[derive(Default)]
struct Record {
    line: String,
    cells: Vec<Range<usize>>,
}

impl Record {
    fn take(&mut self, line: &str, separator: Separator) {
        self.line.clear();
        self.line.push_str(line);
        self.cells.clear();
        let begin = |cell: &str| cell.as_ptr() as usize - self.line.as_ptr() as usize;
        let range = |cell: &str| begin(cell)..begin(cell) + cell.len();
        separator.each(&self.line, |cell| self.cells.push(range(cell)));
    }

    fn cell(&self, column: usize) -> &str {
        &self.line[self.cells[column].clone()]
    }

    fn all(&self) -> impl Iterator<Item = &str> {
        (0..self.cells.len()).map(|column| self.cell(column))
    }
}

/// Makes rows of recordings from rows of a table.
struct Reader<'a> {
    layout: &'a Layout,
    even: Option<&'a Even>,
    decimals: Decimals,
    clock: Clock,
    ids: Ids,
    /// Frames so far, where nobody says who: the same one twice would be another individual.
    seen: HashSet<i64>,
    /// Rows so far, which are the frames of a wide table that has none.
    count: i64,
}

impl<'a> Reader<'a> {
    fn new(layout: &'a Layout, even: Option<&'a Even>) -> Self {
        let (decimals, clock, ids) = (Decimals::default(), Clock::default(), Ids::default());
        Self { layout, even, decimals, clock, ids, seen: HashSet::new(), count: 0 }
    }

    fn take(&mut self, record: &Record, table: &Table<'_>, rows: &mut Rows) -> Result<(), RecordError> {
        let Some(frame) = self.frame(record, table)? else {
            rows.missing += self.layout.sighted.len() as u64;
            return Ok(());
        };
        self.count += 1;
        let told = match self.layout.id {
            Some(column) => match self.ids.read(record.cell(column), column, table)? {
                Some(id) => Some(id),
                None => return Ok(()),
            },
            None => None,
        };
        if told.is_none() && !self.layout.is_wide && !self.seen.insert(frame) {
            let message = format!("frame {frame} stands twice, and no column says who: allowed is one, or --map-columns id=NAME");
            return Err(RecordError::data(table.lines.place(), message));
        }
        if let (Some(column), Some(id)) = (self.layout.species, told) {
            rows.species.tell(id, record.cell(column));
        }
        for sighted in &self.layout.sighted {
            let id = sighted.id.or(told).unwrap_or(0);
            let mut row = Row { frame, id, position: [0.0; 3], velocity: [f64::NAN; 3] };
            for (x, &column) in row.position.iter_mut().zip(&sighted.position) {
                *x = self.position(record.cell(column), column, table)?;
            }
            if rows.has_velocities {
                row.velocity = [0.0; 3];
            }
            for (v, &column) in row.velocity.iter_mut().zip(&sighted.velocity) {
                *v = self.position(record.cell(column), column, table)?;
            }
            rows.push(row)?;
        }
        Ok(())
    }

    /// The frame of a row; none where its time is missing.
    fn frame(&mut self, record: &Record, table: &Table<'_>) -> Result<Option<i64>, RecordError> {
        let time = match self.layout.time {
            Some((column, factor)) => Some(table.number(record.cell(column), column, &mut self.decimals)? * factor),
            None => None,
        };
        let frame = match (self.layout.frame, self.even, time) {
            (Some(column), ..) => text::frame(&record.cell(column).replace(',', "."), &table.lines.place())?,
            (None, Some(_), Some(time)) if time.is_nan() => return Ok(None),
            (None, Some(even), Some(time)) => even.frame(time),
            _ => self.count,
        };
        if let (Some(time), None) = (time, self.even) {
            self.clock.tick(frame, time);
        }
        Ok(Some(frame))
    }

    /// A coordinate; NaN also where the tracker writes infinity for none.
    fn position(&mut self, cell: &str, column: usize, table: &Table<'_>) -> Result<f64, RecordError> {
        let is_infinite = || cell.trim_start_matches(['-', '+']).get(..3).is_some_and(|start| start.eq_ignore_ascii_case("inf"));
        if self.layout.infinite_is_missing && is_infinite() {
            return Ok(f64::NAN);
        }
        table.number(cell, column, &mut self.decimals)
    }

    fn finish(&self, rows: &mut Rows) {
        if self.decimals.has_commas {
            rows.notes.push("decimal commas".into());
        }
        rows.notes.extend(self.ids.notes());
        rows.left_out.extend(self.ids.left_out());
    }
}

fn no_header(line: &str) -> String {
    let line = shortened_to(line, 60);
    format!("\"{line}\" where a header stands: allowed are names of columns, or in a .txt rows of id frame x y [z]")
}
