//! The pedestrian text form of the Jülich and Wuppertal archives: `id frame x y [z]`, white space, `#` comments.

use std::io::{BufRead, BufReader};

use super::Source;
use crate::RecordError;
use crate::rows::{Row, Rows};
use crate::text::{self, ShortLines, coordinate};

const NAMES: [&str; 5] = ["id", "frame", "x", "y", "z"];

pub(super) fn read(source: Source<'_>) -> Result<Rows, RecordError> {
    let shown = source.shown;
    let mut rows = Rows::new(&shown);
    let mut reader = BufReader::new(ShortLines::new(source.file));
    let (mut bytes, mut number, mut columns) = (Vec::new(), 0u64, 0);
    loop {
        bytes.clear();
        number += 1;
        if reader.read_until(b'\n', &mut bytes).map_err(|error| RecordError::cannot_read(&shown, &error))? == 0 {
            break;
        }
        let place = format!("{shown}:{number}");
        let line = std::str::from_utf8(&bytes).map_err(|_| RecordError::data(&place, "not UTF-8 text: allowed is UTF-8"))?;
        let (line, comment) = line.split_once('#').unwrap_or((line, ""));
        rows.fps = rows.fps.or_else(|| framerate(comment));
        let cells: Vec<&str> = line.trim_start_matches('\u{feff}').split_whitespace().collect();
        if cells.is_empty() {
            continue;
        }
        if columns == 0 && (4..=5).contains(&cells.len()) {
            columns = cells.len();
        }
        if cells.len() != columns {
            let allowed =
                if columns == 0 { "4 or 5: id frame x y [z]".into() } else { format!("{columns}, as in the rows before") };
            return Err(RecordError::data(&place, format!("the row has {} columns: allowed is {allowed}", cells.len())));
        }
        let (id, frame) = (text::id(cells[0], &place)?, text::frame(cells[1], &place)?);
        let mut position = [0.0; 3];
        for a in 0..columns - 2 {
            position[a] = coordinate(cells[a + 2], NAMES[a + 2], &place)?;
        }
        position[2] = 0.0;
        rows.push(Row { frame, id, position, velocity: [f64::NAN; 3] })?;
    }
    if columns == 5 {
        rows.notes.push("z is a person's height: left aside, all is measured in the plane".into());
    }
    Ok(rows)
}

/// `framerate: 25 fps`, as the archives' own comments have it.
fn framerate(comment: &str) -> Option<f64> {
    let comment = comment.to_ascii_lowercase();
    let (_, rest) = comment.split_once("framerate")?;
    let rest = rest.trim_start_matches([':', '=', ' ', '\t']);
    let digits = rest.split(|c: char| !(c.is_ascii_digit() || c == '.')).next()?;
    digits.parse().ok().filter(|fps| crate::recording::FPS.contains(fps))
}
