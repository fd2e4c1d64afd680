//! CSV: a header, then a line for each individual and frame. Columns in any order; unknown ones are named in a note and ignored.
//!
//! <https://www.rfc-editor.org/rfc/rfc4180>, with line feeds alone.

use std::io::{self, Write};
use std::path::Path;

use ::csv::{ErrorKind, Position, ReaderBuilder, StringRecord, Trim};

use super::{Sink, Source};
use crate::digits::exact;
use crate::rows::{Row, Rows};
use crate::text::{self, Clock, ShortLines};
use crate::whole_file::WholeFile;
use crate::{About, RecordError, Snapshot, text::coordinate};

const POSITION: [&str; 3] = ["x", "y", "z"];
const VELOCITY: [&str; 3] = ["vx", "vy", "vz"];

struct Columns {
    frame: usize,
    id: usize,
    position: Vec<usize>,
    velocity: Vec<usize>,
    time: Option<usize>,
    species: Option<usize>,
}

pub(super) fn read(source: Source<'_>) -> Result<Rows, RecordError> {
    let shown = source.shown;
    // Numbers need no quotes, and one quote that never closes would make one cell of the rest of the file.
    let mut reader = ReaderBuilder::new().trim(Trim::All).quoting(false).from_reader(ShortLines::new(source.file));
    let header = reader.headers().map_err(|error| malformed(&shown, &error))?.clone();
    let names: Vec<String> = header.iter().map(|name| bare(name.trim_start_matches('\u{feff}')).to_ascii_lowercase()).collect();
    let mut rows = Rows::new(&shown);
    let columns = columns(&shown, &names, &mut rows.notes)?;
    rows.dimensions = columns.position.len();
    rows.has_velocities = !columns.velocity.is_empty();
    let mut clock = Clock::default();
    let mut record = StringRecord::new();
    while reader.read_record(&mut record).map_err(|error| malformed(&shown, &error))? {
        let place = format!("{shown}:{}", record.position().map_or(0, Position::line));
        let cell = |column: usize| bare(&record[column]);
        let (mut position, mut velocity) = ([0.0; 3], [f64::NAN; 3]);
        for (x, &column) in position.iter_mut().zip(&columns.position) {
            *x = coordinate(cell(column), &names[column], &place)?;
        }
        if rows.has_velocities {
            velocity = [0.0; 3];
        }
        for (v, &column) in velocity.iter_mut().zip(&columns.velocity) {
            *v = coordinate(cell(column), &names[column], &place)?;
        }
        let (frame, id) = (text::frame(cell(columns.frame), &place)?, text::id(cell(columns.id), &place)?);
        if let Some(column) = columns.time {
            clock.tick(frame, coordinate(cell(column), "time", &place)?);
        }
        columns.species.iter().for_each(|&column| rows.species.tell(id, cell(column)));
        rows.push(Row { frame, id, position, velocity })?;
    }
    rows.fps = clock.fps();
    Ok(rows)
}

/// A cell without the quotes some programs put around all of them.
fn bare(cell: &str) -> &str {
    cell.strip_prefix('"').and_then(|cell| cell.strip_suffix('"')).unwrap_or(cell).trim()
}

fn columns(shown: &str, names: &[String], notes: &mut Vec<String>) -> Result<Columns, RecordError> {
    let place = || format!("{shown}:1");
    let find = |name: &str| names.iter().position(|known| known == name);
    let known =
        |name: &str| ["frame", "id", "time", "species"].contains(&name) || POSITION.contains(&name) || VELOCITY.contains(&name);
    for (i, name) in names.iter().enumerate() {
        if known(name) && names[..i].contains(name) {
            return Err(RecordError::data(place(), format!("column {name} appears twice: allowed is once")));
        }
    }
    let required = |name: &str| {
        let header = text::shortened(&names.join(","));
        let message = format!(
            "column {name} is missing from the header \"{header}\": allowed is frame,id,x,y[,z] and perhaps time,species,vx,vy[,vz]"
        );
        find(name).ok_or_else(|| RecordError::data(place(), message))
    };
    let dimensions = if find("z").is_some() { 3 } else { 2 };
    let with_velocities = VELOCITY.iter().any(|name| find(name).is_some());
    let all = |wanted: &[&str]| wanted.iter().map(|name| required(name)).collect::<Result<Vec<_>, _>>();
    let columns = Columns {
        frame: required("frame")?,
        id: required("id")?,
        position: all(&POSITION[..dimensions])?,
        velocity: if with_velocities { all(&VELOCITY[..dimensions])? } else { Vec::new() },
        time: find("time"),
        species: find("species"),
    };
    if dimensions == 2 && find("vz").is_some() {
        return Err(RecordError::data(place(), "a column vz without a column z: allowed is both or none"));
    }
    let ignored: Vec<&str> = names.iter().map(String::as_str).filter(|name| !known(name)).collect();
    if !ignored.is_empty() {
        notes.push(format!("columns ignored: {}", ignored.join(", ")));
    }
    Ok(columns)
}

fn malformed(shown: &str, error: &::csv::Error) -> RecordError {
    let line = |position: &Option<Position>| format!("{shown}:{}", position.as_ref().map_or(1, Position::line));
    match error.kind() {
        ErrorKind::UnequalLengths { pos, expected_len, len } => {
            RecordError::data(line(pos), format!("the row has {len} columns: allowed is {expected_len}, as in the header"))
        }
        ErrorKind::Utf8 { pos, .. } => RecordError::data(line(pos), "not UTF-8 text: allowed is UTF-8"),
        ErrorKind::Io(error) => RecordError::cannot_read(shown, error),
        _ => RecordError::data(shown, error),
    }
}

/// A row for each boid and frame, nine digits a number; an unknown velocity is an empty cell.
pub(super) struct CsvWriter {
    file: WholeFile,
    about: About,
}

impl CsvWriter {
    pub fn create(path: &Path, about: &About) -> io::Result<Self> {
        if let Some(name) = about.species.iter().find(|name| name.contains([',', '"', '\n', '\r'])) {
            let message = format!("species {name:?}: allowed in .csv are names without commas, quotes and line breaks");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        let mut file = WholeFile::create(path)?;
        let names = |names: &[&str]| names[..about.dimensions].join(",");
        let species = if about.species.is_empty() { "" } else { "species," };
        writeln!(file, "frame,time,id,{species}{},{}", names(&POSITION), names(&VELOCITY))?;
        Ok(Self { file, about: about.clone() })
    }
}

impl Sink for CsvWriter {
    fn frame(&mut self, now: &Snapshot) -> io::Result<()> {
        let number = self.about.number(now.step);
        for (i, id) in now.ids.iter().enumerate() {
            write!(self.file, "{number},{},{id}", now.time)?;
            if let Some(name) = self.about.species_name(now, i) {
                write!(self.file, ",{name}")?;
            }
            for column in now.columns() {
                write!(self.file, ",{}", exact(column[i]))?;
            }
            writeln!(self.file)?;
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> io::Result<u64> {
        self.file.finish()
    }
}
