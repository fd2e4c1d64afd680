//! JuPedSim's trajectories: an SQLite database with `trajectory_data(frame, id, pos_x, pos_y, …)`,
//! in meters, and `metadata(key, value)` with `fps`.
//!
//! <https://www.jupedsim.org/stable/concepts/trajectory.html>

use std::fmt::Display;

use rusqlite::{Connection, OpenFlags, Row as Found};

use crate::RecordError;
use crate::limits::{FARTHEST, FPS, LAST_FRAME};
use crate::row::Row;
use crate::rows::Rows;
use crate::source::Source;
use crate::units::LengthUnit;

/// Rows between two looks at whether to go on.
const LOOK_EVERY: u64 = 1 << 12;

pub(super) fn read(source: Source<'_>) -> Result<Rows, RecordError> {
    let shown = source.shown;
    let refuse = |error: &dyn Display| {
        let allowed = "allowed is JuPedSim's table trajectory_data(frame, id, pos_x, pos_y)";
        RecordError::data(&shown, format!("not a trajectory of JuPedSim ({error}): {allowed}"))
    };
    // Nothing is written beside the file, and no name is an address.
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let database =
        Connection::open_with_flags(source.path, flags).map_err(|error| refuse(&error))?;
    let mut rows = Rows::new(&shown);
    rows.unit = Some(LengthUnit::Meter);
    let of_rate = "SELECT CAST(value AS REAL) FROM metadata WHERE key = 'fps'";
    // A database without metadata, or without a rate, is read all the same.
    rows.fps = database
        .query_row(of_rate, [], |row| row.get::<_, f64>(0))
        .ok()
        .filter(|fps| FPS.contains(fps));
    let count =
        database.query_row("SELECT COUNT(*) FROM trajectory_data", [], |row| row.get::<_, i64>(0));
    let count = count.map_err(|error| refuse(&error))?.unsigned_abs();
    let columns = "SELECT frame, id, CAST(pos_x AS REAL), CAST(pos_y AS REAL) FROM trajectory_data";
    let mut statement = database.prepare(columns).map_err(|error| refuse(&error))?;
    let mut found = statement.query([]).map_err(|error| refuse(&error))?;
    let mut done = 0;
    while let Some(row) = found.next().map_err(|error| refuse(&error))? {
        if done % LOOK_EVERY == 0 && !source.file.go_on(done, count) {
            return Err(RecordError::Stopped);
        }
        rows.push(sighting(row).map_err(|why| {
            RecordError::data(format!("{shown} trajectory_data row {done}"), why)
        })?)?;
        done += 1;
    }
    Ok(rows)
}

/// A row of the table; a position that is missing is NaN.
fn sighting(row: &Found<'_>) -> Result<Row, String> {
    let whole = |column: usize, name: &str, range: std::ops::RangeInclusive<i64>| {
        let number = row.get::<_, i64>(column).ok().filter(|number| range.contains(number));
        number.ok_or_else(|| {
            format!(
                "column {name}: allowed is a whole number, {} to {}",
                range.start(),
                range.end()
            )
        })
    };
    let coordinate = |column: usize, name: &str| {
        let number = row.get::<_, Option<f64>>(column).map(|number| number.unwrap_or(f64::NAN));
        let number = number.ok().filter(|x| x.is_nan() || x.abs() <= FARTHEST);
        number.ok_or_else(|| {
            format!("column {name}: allowed is a number, -{FARTHEST:e} to {FARTHEST:e}, or nothing")
        })
    };
    Ok(Row {
        frame: whole(0, "frame", -LAST_FRAME..=LAST_FRAME)?,
        id: whole(1, "id", 0..=i64::MAX)?.unsigned_abs(),
        position: [coordinate(2, "pos_x")?, coordinate(3, "pos_y")?, 0.0],
        velocity: [f64::NAN; 3],
    })
}
