//! Extended XYZ, for OVITO and ASE: for each frame a count, a line of `key=value`, then a line for
//! each individual.
//!
//! <https://github.com/libAtoms/extxyz>,
//! <https://www.ovito.org/manual/reference/file_formats/input/xyz.html>

use std::fmt::Write as _;
use std::io::{self, Write};

use wingbeat::steer::Boundary;

use crate::RecordError;
use crate::clock::Clock;
use crate::csv::TOGETHER;
use crate::digits::exact;
use crate::limits::LAST_FRAME;
use crate::row::Row;
use crate::rows::Rows;
use crate::snapshot::{About, Edges, Snapshot};
use crate::source::Source;
use crate::text::{self, Lines, coordinate};
use crate::watch::Watched;

/// Which cells of a row hold what.
struct XyzColumns {
    position: usize,
    velocity: Option<usize>,
    id: Option<usize>,
    species: Option<usize>,
    count: usize,
}

/// Stands for no species: the usual name of an unspecified element.
pub const UNSPECIFIED: &str = "X";

/// Lines with their places.
struct PlacedLines<'a> {
    lines: Lines<Watched<'a>>,
    shown: String,
}

impl PlacedLines<'_> {
    /// The next line and its place; `None` at the end.
    fn next(&mut self) -> Result<Option<(&str, String)>, RecordError> {
        let Self { lines, shown } = self;
        Ok(lines.next()?.map(|(line, number)| (line, format!("{shown}:{number}"))))
    }

    fn expect(&mut self, what: &str) -> Result<(&str, String), RecordError> {
        let place = format!("{}:{}", self.shown, self.lines.number() + 1);
        self.next()?
            .ok_or_else(|| RecordError::data(place, format!("the file ends: allowed is {what}")))
    }
}

/// Reads a recording.
///
/// # Errors
/// When it cannot be read, or is none.
pub fn read(source: Source<'_>) -> Result<Rows, RecordError> {
    let shown = source.shown;
    let mut lines = PlacedLines { lines: Lines::new(source.file, &shown), shown: shown.clone() };
    let mut rows = Rows::new(&shown);
    let (mut clock, mut frames, mut span) = (Clock::default(), 0i64, None);
    while let Some((line, place)) = lines.next()? {
        if line.trim().is_empty() {
            continue;
        }
        let count: u64 = line.trim().parse().map_err(|_| {
            let short = text::shortened(line);
            RecordError::data(
                &place,
                format!("\"{short}\" where a frame begins: allowed is how many lines it has"),
            )
        })?;
        let (comment, place) = lines.expect("a line of key=value")?;
        let keys = Keys::of(comment);
        let columns = keys.columns().map_err(|message| RecordError::data(&place, message))?;
        let number = keys.get("frame").map_or(Ok(frames), |text| text::frame(text, &place))?;
        if let Some(time) = keys.get("Time").or(keys.get("time")) {
            clock.tick(number, coordinate(time, "Time", &place)?);
        }
        if frames == 0 {
            rows.dimensions = if keys.get("dimensions") == Some("2") { 2 } else { 3 };
            rows.has_velocities = columns.velocity.is_some();
            rows.edges = keys.edges(rows.dimensions);
            rows.notes.extend(keys.note_edges(rows.dimensions, rows.edges.is_some()));
        }
        span = Some(span.map_or((number, number), |(first, last): (i64, i64)| {
            (first.min(number), last.max(number))
        }));
        for i in 0..count {
            let (line, place) = lines.expect("as many rows as the frame says")?;
            let (row, species) = row(line, &place, &columns, i, number, rows.dimensions)?;
            if let Some(name) = species {
                rows.species.tell(row.id, if name == UNSPECIFIED { "" } else { name });
            }
            rows.push(row)?;
        }
        frames = (number + 1).min(LAST_FRAME);
    }
    clock.tell(&mut rows);
    rows.span = span;
    Ok(rows)
}

/// What a line holds, and the name of its species.
fn row<'a>(
    line: &'a str,
    place: &str,
    columns: &XyzColumns,
    i: u64,
    frame: i64,
    dimensions: usize,
) -> Result<(Row, Option<&'a str>), RecordError> {
    let cells: Vec<&str> = line.split_whitespace().collect();
    if cells.len() != columns.count {
        let message = format!(
            "the row has {} columns: allowed is {}, as Properties says",
            cells.len(),
            columns.count
        );
        return Err(RecordError::data(place, message));
    }
    let vector = |from: usize, names: [&str; 3]| -> Result<[f64; 3], RecordError> {
        let mut vector = [0.0; 3];
        for (a, value) in vector.iter_mut().enumerate().take(dimensions) {
            *value = coordinate(cells[from + a], names[a], place)?;
        }
        Ok(vector)
    };
    let id = columns.id.map_or(Ok(i), |column| text::id(cells[column], place))?;
    let position = vector(columns.position, ["x", "y", "z"])?;
    let velocity =
        columns.velocity.map_or(Ok([f64::NAN; 3]), |column| vector(column, ["vx", "vy", "vz"]))?;
    Ok((Row { frame, id, position, velocity }, columns.species.map(|column| cells[column])))
}

/// The pairs of a comment line; values may stand in quotes.
struct Keys<'a>(Vec<(&'a str, &'a str)>);

impl<'a> Keys<'a> {
    fn of(mut line: &'a str) -> Self {
        let mut pairs = Vec::new();
        loop {
            line = line.trim_start();
            let Some((key, rest)) = line.split_once('=').filter(|(key, _)| !key.is_empty()) else {
                return Self(pairs);
            };
            let key = key.rsplit(char::is_whitespace).next().unwrap_or(key);
            let (value, rest) = match rest.strip_prefix('"') {
                Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
                None => rest.split_once(char::is_whitespace).unwrap_or((rest, "")),
            };
            pairs.push((key, value));
            line = rest;
        }
    }

    fn get(&self, key: &str) -> Option<&'a str> {
        self.0.iter().find(|(known, _)| *known == key).map(|(_, value)| *value)
    }

    /// Where Properties puts what; plain XYZ has a name and a position.
    fn columns(&self) -> Result<XyzColumns, String> {
        let text = self.get("Properties").unwrap_or("species:S:1:pos:R:3");
        let (mut position, mut velocity, mut id, mut species, mut count) =
            (None, None, None, None, 0usize);
        for part in text.split(':').collect::<Vec<_>>().chunks(3) {
            let [name, kind, width] = part else { return Err(refused(text)) };
            let width: usize = width
                .parse()
                .ok()
                .filter(|width| (1..=100).contains(width))
                .ok_or_else(|| refused(text))?;
            match (*name, *kind, width) {
                ("pos", "R", 3) => position = Some(count),
                ("velo" | "vel" | "velocities", "R", 3) => velocity = Some(count),
                ("id", "I", 1) => id = Some(count),
                ("species" | "type", "S", 1) => species = Some(count),
                _ => {}
            }
            count += width;
        }
        let position = position.ok_or_else(|| refused(text))?;
        Ok(XyzColumns { position, velocity, id, species, count })
    }

    /// Of each axis, whether the box wraps around.
    fn periodic_axes(&self, dimensions: usize) -> impl Iterator<Item = bool> {
        self.get("pbc")
            .into_iter()
            .flat_map(str::split_whitespace)
            .take(dimensions)
            .map(|axis| axis == "T")
    }

    /// What is lost of a box that is none of ours.
    fn note_edges(&self, dimensions: usize, has_box: bool) -> Option<String> {
        let lattice = self.get("Lattice")?;
        if !has_box {
            let lattice = text::shortened(lattice);
            return Some(format!(
                "Lattice \"{lattice}\" is no box along the axes: left aside, space is open"
            ));
        }
        let mixed = self.periodic_axes(dimensions).any(|one| one)
            && !self.periodic_axes(dimensions).all(|one| one);
        let pbc = text::shortened(self.get("pbc").unwrap_or_default());
        mixed.then(|| {
            format!(
                "pbc \"{pbc}\": only some axes are periodic: the box is taken as reflecting on all"
            )
        })
    }

    /// The box of a lattice along the axes.
    fn edges(&self, dimensions: usize) -> Option<Edges> {
        let numbers = |key: &str| -> Option<Vec<f64>> {
            self.get(key)?
                .split_whitespace()
                .map(|number| number.parse::<f64>().ok().filter(|x| x.is_finite()))
                .collect()
        };
        let lattice = numbers("Lattice").filter(|lattice| lattice.len() == 9)?;
        let is_box = (0..9).all(|i| i % 4 == 0 || lattice[i] == 0.0);
        let origin = numbers("Origin").filter(|origin| origin.len() == 3).unwrap_or(vec![0.0; 3]);
        let is_periodic = self.periodic_axes(dimensions).all(|is_periodic| is_periodic);
        let mut edges = Edges {
            boundary: if is_periodic { Boundary::Periodic } else { Boundary::Reflecting },
            ..Edges::default()
        };
        for a in 0..dimensions {
            (edges.min[a], edges.max[a]) = (origin[a] as f32, (origin[a] + lattice[4 * a]) as f32);
        }
        (is_box && edges.check(dimensions).is_ok()).then_some(edges)
    }
}

fn refused(properties: &str) -> String {
    let short = text::shortened(properties);
    format!(
        "Properties={short}: allowed is a list of name:kind:width with pos:R:3, and perhaps \
        velo:R:3 and id:I:1"
    )
}

/// Writes a row for each individual: nine digits a number; in the plane z is 0.
///
/// # Errors
/// When `out` cannot be written.
#[inline(never)]
pub fn write_rows(about: &About, now: &Snapshot, out: &mut dyn Write) -> io::Result<()> {
    let mut text = String::with_capacity(TOGETHER + 512);
    for (i, id) in now.ids.iter().enumerate() {
        text.push_str(about.species_name(now, i).unwrap_or(UNSPECIFIED));
        for value in now.position(i).into_iter().chain(now.velocity(i)) {
            text.push(' ');
            // An unknown velocity is nan: a cell cannot be empty here.
            if value.is_nan() {
                text.push_str("nan");
            } else {
                text.push_str(&exact(value));
            }
        }
        // Writing to a String cannot fail.
        let _ = writeln!(text, " {id}");
        if text.len() >= TOGETHER {
            out.write_all(text.as_bytes())?;
            text.clear();
        }
    }
    out.write_all(text.as_bytes())
}
