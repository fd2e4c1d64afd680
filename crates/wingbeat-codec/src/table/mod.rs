//! Text tables of any tracker: a header that names the columns, then a row for each individual and
//! frame, or one for each frame.
//!
//! column_names.rs says what a column's name means, layout.rs and wide.rs which columns hold what,
//! head.rs what stands before rows,
//! dialect.rs how cells are written, packed.rs what cells of several numbers hold, ids.rs which
//! individual is meant, times.rs which
//! frames times stand for, reader.rs what rows they make.

mod dialect;
mod head;
mod ids;
mod layout;
mod packed;
mod reader;
mod record;
mod times;
mod wide;

use std::collections::VecDeque;
use std::io::{Seek, SeekFrom};

use crate::RecordError;
use crate::column_names::{Name, Role};
use crate::rows::Rows;
use crate::source::Source;
use crate::text::{self, Lines, shortened_to};
use crate::watch::Watched;
use dialect::Decimals;
pub(crate) use dialect::{Comments, Separator};
use head::Head;
use layout::Layout;
use packed::Packed;
use reader::Reader;
use record::Record;
#[cfg(not(target_family = "wasm"))]
pub use times::numbers;
use times::{Even, Times};

/// Bytes that would make a number of a text.
const NUMBER: [char; 11] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '.'];

/// Rows of names before the first one of numbers, at most: tables of poses have up to four.
const MOST_HEADERS: usize = 4;

/// Reads a table.
///
/// # Errors
/// When it cannot be read, or is no table of positions.
pub fn read(source: Source<'_>) -> Result<Rows, RecordError> {
    let mut rows = Rows::new(&source.shown).seeking(source.sought);
    let mut table = Table::open(&source)?;
    let mut layout = Layout::of(&table.names, source.columns)
        .map_err(|why| RecordError::data(&table.header_place, why))?;
    table.check_others(&layout).map_err(|why| RecordError::data(&table.header_place, why))?;
    if let Some(z) = layout.possible_height
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
        rows.line = table.lines.number();
        reader.take(&table.record, &table, &mut rows)?;
    }
    reader.finish(&table, &mut rows)?;
    rows.notes.extend(table.notes());
    if table.commented > 0 {
        rows.left_out
            .push(format!("{} lines behind the header begin with #: left out", table.commented));
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
    !cells.is_empty()
        && cells.iter().all(|cell| !cell.starts_with(NUMBER) && cell.parse::<f64>().is_err())
}

/// A text table behind its header.
struct Table<'a> {
    lines: Lines<Watched<'a>>,
    separator: Separator,
    names: Vec<Name>,
    /// The names in the file, where cells are packed, and how; rows of the one read last.
    packed: Option<(Vec<Name>, Packed)>,
    unpacked: VecDeque<Vec<String>>,
    header_place: String,
    comments: Comments,
    record: Record,
    /// Whether `record` was read to see that it is none of names, and is still to be taken.
    is_waiting: bool,
    /// Columns before those of the header, as the first row has them.
    before: Option<usize>,
    /// Rows that end with a separator, behind which there is an empty cell that the header does not
    /// name.
    with_empty_end: u64,
    /// Lines behind the header that begin with `#`.
    commented: u64,
}

impl<'a> Table<'a> {
    /// Reads up to the first row.
    fn open(source: &Source<'a>) -> Result<Self, RecordError> {
        let mut file = source.file.clone();
        file.seek(SeekFrom::Start(0))
            .map_err(|error| RecordError::cannot_read(&source.shown, &error))?;
        let mut lines = Lines::new(file, &source.shown);
        let head = Head::read(&mut lines)?;
        let header_place =
            if head.header.is_empty() { format!("{}:1", source.shown) } else { lines.place() };
        let separator = head.separator();
        let cells = separator.cells(&head.header);
        let mut table = Self {
            lines,
            separator,
            names: Vec::new(),
            packed: None,
            unpacked: VecDeque::new(),
            header_place,
            comments: Comments::default(),
            record: Record::default(),
            is_waiting: false,
            before: None,
            with_empty_end: 0,
            commented: 0,
        };
        if cells.iter().any(|cell| cell.parse::<f64>().is_ok_and(f64::is_finite)) {
            // As NumPy writes tables: names are a comment.
            let Some(names) = head.comments.names(separator, cells.len()) else {
                return Err(RecordError::data(table.header_place, no_header(&head.header)));
            };
            table.names = names;
            table.record.take(&head.header, separator);
            (table.is_waiting, table.before) = (true, Some(0));
        } else {
            table.names = head.names();
            table.join_headers()?;
            table.see_first(head.is_behavior_space)?;
        }
        table.comments = head.comments;
        Ok(table)
    }

    /// Looks at the first row of a table whose header names no x: it tells whether cells are
    /// packed.
    fn see_first(&mut self, is_behavior_space: bool) -> Result<(), RecordError> {
        let has_x = self.names.iter().any(|name| Role::Position(0).rank(&name.base).is_some());
        if has_x || self.is_waiting || self.names.len() < 2 || !self.next()? {
            return Ok(());
        }
        self.is_waiting = true;
        let packed = Packed::of(&self.names, &self.record, is_behavior_space);
        if let Some(packed) = packed.map_err(|why| RecordError::data(&self.header_place, why))? {
            let names = packed.names(&self.names);
            self.packed = Some((std::mem::replace(&mut self.names, names), packed));
            self.is_waiting = false;
            self.unpack()?;
        }
        Ok(())
    }

    /// Unpacks the row in `record`.
    fn unpack(&mut self) -> Result<(), RecordError> {
        if let Some((names, packed)) = &mut self.packed {
            let rows = packed
                .unpack(&self.record, names)
                .map_err(|why| RecordError::data(self.lines.place(), why))?;
            self.unpacked.extend(rows);
        }
        Ok(())
    }

    /// Refuses a table of one individual beside texts, which tell individuals apart.
    fn check_others(&self, layout: &Layout) -> Result<(), String> {
        let [only] = &layout.sighted[..] else { return Ok(()) };
        if !layout.is_wide || !self.is_waiting {
            return Ok(());
        }
        let is_text = |cell: &str| {
            cell.contains(char::is_alphabetic)
                && cell.parse::<f64>().is_err()
                && !packed::is_none(cell)
        };
        match layout
            .unused(&self.names)
            .into_iter()
            .find(|&column| is_text(self.record.cell(column)))
        {
            Some(column) => {
                Err(wide::one_beside_ids(&self.names, &only.position, &self.names[column]))
            }
            None => Ok(()),
        }
    }

    /// Joins rows of names that follow the first: those of DeepLabCut (scorer, individuals,
    /// bodyparts, coords) become `nose.x`, and TrackMate's, which say the same in other words, are
    /// passed over but for units.
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
                    *name =
                        if name.is_empty() { cell.to_string() } else { format!("{name}.{cell}") };
                } else if is_spots && cell.starts_with('(') {
                    *name = format!("{} {cell}", self.names[i].raw);
                }
            }
            if is_pose && is_last {
                joined[0] = "frame".into();
                break;
            }
        }
        for (name, joined) in
            self.names.iter_mut().zip(joined).filter(|(_, joined)| !joined.is_empty())
        {
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
            if let Some(cells) = self.unpacked.pop_front() {
                self.record.set(&cells);
                return Ok(true);
            }
            if !self.next_line()? {
                return Ok(false);
            }
            if self.packed.is_none() {
                return Ok(true);
            }
            self.unpack()?;
        }
    }

    /// Reads the next row as the file has it into `record`; false at the end.
    fn next_line(&mut self) -> Result<bool, RecordError> {
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
            let wanted = self.packed.as_ref().map_or(&self.names, |(names, _)| names).len();
            let mut count = self.record.len();
            // Of one cell more than the header has, either the last is empty, where rows end with a
            // separator, or the first is a name of the row, as R writes them. The first row tells
            // for all.
            let has_one_more = count == wanted + 1 && self.separator != Separator::Byte(',');
            let ends_empty = has_one_more && self.record.cell(wanted).is_empty();
            let before = *self.before.get_or_insert(usize::from(has_one_more && !ends_empty));
            if ends_empty && before == 0 {
                self.record.pop();
                self.with_empty_end += 1;
                count = wanted;
            }
            if count != wanted + before {
                let message = format!(
                    "the row has {count} columns: allowed is {}, as in the header",
                    wanted + before
                );
                return Err(RecordError::data(self.lines.place(), message));
            }
            self.record.skip(before);
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
            notes.push(format!(
                "{} rows end with a separator: the empty cell behind it is left aside",
                self.with_empty_end
            ));
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
        times
            .frames()
            .map_err(|why| RecordError::data(&self.header_place, format!("{why}: {allowed}")))
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
    fn number(
        &self,
        cell: &str,
        column: usize,
        decimals: &mut Decimals,
    ) -> Result<f64, RecordError> {
        let name = &self.names[column].raw;
        let text = decimals
            .read(cell, self.separator)
            .map_err(|allowed| text::refuse(&self.lines.place(), name, cell, allowed))?;
        text::number(&text).ok_or_else(|| {
            text::refuse(&self.lines.place(), name, cell, &text::allowed_coordinate())
        })
    }
}

fn no_header(line: &str) -> String {
    let line = shortened_to(line, 60);
    format!(
        "\"{line}\" where a header stands: allowed are names of columns, or in a .txt rows of \
        id frame x y [z]"
    )
}
