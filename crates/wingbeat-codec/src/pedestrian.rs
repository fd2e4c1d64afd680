//! The pedestrian text form of the Jülich and Wuppertal archives, PeTrack and JuPedSim: `id frame x
//! y [z]`, white space, `#` comments. A comment before the rows may name columns and units: `# id
//! frame x/m y/m z/m`. A text file with a header is a table like any other.

use std::io::{Seek, SeekFrom};

use crate::RecordError;
use crate::column_names::Role;
use crate::row::Row;
use crate::rows::Rows;
use crate::source::Source;
use crate::table::{self, Comments, Separator, is_header};
use crate::text::{self, Lines, coordinate};
use crate::units::LengthUnit;

const NAMES: [&str; 5] = ["id", "frame", "x", "y", "z"];

/// Where what stands in a row.
struct PedestrianColumns {
    id: usize,
    frame: usize,
    position: [usize; 2],
    has_height: bool,
    unit: Option<LengthUnit>,
    count: usize,
}

/// Reads a text.
///
/// # Errors
/// When it cannot be read, or has other rows.
pub fn read(mut source: Source<'_>) -> Result<Rows, RecordError> {
    if has_header(&mut source)? {
        return table::read(source);
    }
    if !source.columns.is_empty() {
        let allowed = "nothing: the file has no header; its rows are id frame x y [z]".into();
        return Err(RecordError::Option {
            name: "map-columns",
            value: source.columns.to_string(),
            allowed,
        });
    }
    let shown = source.shown;
    let mut rows = Rows::new(&shown).seeking(source.sought);
    let mut lines = Lines::new(source.file, &shown);
    let (mut comments, mut columns): (Comments, Option<PedestrianColumns>) = Default::default();
    while let Some((line, number)) = lines.next()? {
        let (line, comment) = line.split_once('#').unwrap_or((line, ""));
        comments.take(comment);
        let cells: Vec<&str> = line.split_whitespace().collect();
        if cells.is_empty() {
            continue;
        }
        let found = match &columns {
            Some(found) => found,
            None => columns.insert(
                PedestrianColumns::of(&comments, cells.len())
                    .map_err(|why| RecordError::data(&shown, why))?,
            ),
        };
        let (count, place) = (found.count, format!("{shown}:{number}"));
        if cells.len() != count {
            let allowed = if count == 0 {
                "4 or 5: id frame x y [z]".into()
            } else {
                format!("{count}, as in the rows before")
            };
            return Err(RecordError::data(
                &place,
                format!("the row has {} columns: allowed is {allowed}", cells.len()),
            ));
        }
        let (id, frame) =
            (text::id(cells[found.id], &place)?, text::frame(cells[found.frame], &place)?);
        let [x, y] = found.position;
        let position =
            [coordinate(cells[x], "x", &place)?, coordinate(cells[y], "y", &place)?, 0.0];
        if found.has_height {
            coordinate(cells[4], NAMES[4], &place)?;
        }
        rows.line = number;
        rows.push(Row { frame, id, position, velocity: [f64::NAN; 3] })?;
    }
    if columns.as_ref().is_some_and(|columns| columns.has_height) {
        rows.notes.push("z is a person's height: left aside, all is measured in the plane".into());
    }
    (rows.fps, rows.unit) =
        (comments.fps, columns.and_then(|columns| columns.unit).or(comments.unit));
    Ok(rows)
}

/// Whether the first line that is no comment names columns.
fn has_header(source: &mut Source<'_>) -> Result<bool, RecordError> {
    let mut lines = Lines::new(source.file.clone(), &source.shown);
    let found = loop {
        let Some((line, _)) = lines.next()? else { break false };
        let line = line
            .split_once('#')
            .map_or(line, |(before, _)| if before.trim().is_empty() { "" } else { line });
        if !line.trim().is_empty() {
            break is_header(&Separator::of(line).cells(line)) || line.starts_with("sep=");
        }
    };
    source
        .file
        .seek(SeekFrom::Start(0))
        .map_err(|error| RecordError::cannot_read(&source.shown, &error))?;
    Ok(found)
}

impl PedestrianColumns {
    /// Those that a comment names, where it has as many names as there are cells, else the
    /// archives' own; of other files none. Refused where x and y are in different units.
    fn of(comments: &Comments, cells: usize) -> Result<Self, String> {
        let names = comments.names(Separator::Space, cells).unwrap_or_default();
        let find = |role: Role| {
            names.iter().position(|name| {
                name.base == role.name() || role == Role::Frame && name.base == "fr"
            })
        };
        let roles = [Role::Id, Role::Frame, Role::Position(0), Role::Position(1)];
        if let [Some(id), Some(frame), Some(x), Some(y)] = roles.map(find) {
            if names[x].length() != names[y].length() {
                return Err(format!(
                    "columns {}, {}: allowed is one unit for all",
                    names[x].raw, names[y].raw
                ));
            }
            let has_height = find(Role::Position(2)) == Some(4);
            let unit = names[x].length().ok().flatten();
            return Ok(Self { id, frame, position: [x, y], has_height, unit, count: cells });
        }
        let count = if (4..=5).contains(&cells) { cells } else { 0 };
        Ok(Self { id: 0, frame: 1, position: [2, 3], has_height: count == 5, unit: None, count })
    }
}
