//! CSV: a header, then one boid a line. Columns may come in any order; unknown ones are ignored and
//! named in a note.

use std::path::Path;

use wingbeat_codec::StateRecords;
use wingbeat_record::open_regular;

use super::raw::{POSITION, RawState, VELOCITY, cannot_read, dimension_mismatch, species_named};
use crate::scene::Scene;
use crate::{SceneError, memory};

/// Which column of the file holds what.
struct Columns<const D: usize> {
    id: Option<usize>,
    position: [usize; D],
    velocity: Option<[usize; D]>,
    species: Option<usize>,
}

pub(super) fn read<const D: usize>(
    scene: &Scene,
    path: &Path,
    shown: &str,
) -> Result<RawState<D>, SceneError> {
    let (file, _) = open_regular(path).map_err(|error| cannot_read(shown, &error))?;
    let mut records = StateRecords::new(Box::new(file));
    let header = records.headers().map_err(|error| malformed(shown, &error))?;
    let names: Vec<String> = header
        .iter()
        .map(|name| name.trim_start_matches('\u{feff}').to_ascii_lowercase())
        .collect();
    let mut notes = Vec::new();
    let columns = columns::<D>(scene, shown, &names, &mut notes)?;
    let mut state = RawState {
        path: shown.to_string(),
        ids: columns.id.map(|_| Vec::new()),
        positions: Vec::new(),
        velocities: Vec::new(),
        species: columns.species.map(|_| Vec::new()),
        lines: Vec::new(),
        notes,
    };
    while records.read().map_err(|error| malformed(shown, &error))? {
        let line = records.line();
        let place = || format!("{shown}:{line}");
        let numbers = |columns: &[usize; D]| -> Result<[f64; D], SceneError> {
            let mut numbers = [0.0; D];
            records.numbers(columns, &mut numbers).map_err(|column| {
                SceneError::data(
                    place(),
                    format!(
                        "column {} = {}: allowed is a finite number",
                        names[column],
                        quoted(records.cell(column))
                    ),
                )
            })?;
            Ok(numbers)
        };
        if let (Some(column), Some(ids)) = (columns.id, &mut state.ids) {
            let cell = records.cell(column);
            ids.push(cell.parse().map_err(|_| {
                let message = format!(
                    "column id = {}: allowed is a whole number, 0 to {}",
                    quoted(cell),
                    u64::MAX
                );
                SceneError::data(place(), message)
            })?);
        }
        if let (Some(column), Some(species)) = (columns.species, &mut state.species) {
            species.push(species_named(scene, records.cell(column), place)?);
        }
        state.positions.push(numbers(&columns.position)?);
        state.velocities.push(columns.velocity.map_or(Ok([0.0; D]), |at| numbers(&at))?);
        state.lines.push(line);
        // Memory is asked for before the lists double, so that an endless file is refused before
        // the machine swaps.
        let count = state.positions.len();
        if count.is_power_of_two() && count >= 1 << 16 {
            memory::room_for::<D>(count * 2, |allowed| {
                SceneError::data(shown, format!("rows: allowed is {allowed}"))
            })?;
        }
    }
    Ok(state)
}

/// The names in the header of a file; none where it cannot be read.
pub(super) fn header(path: &Path) -> Vec<String> {
    let Ok((file, _)) = open_regular(path) else { return Vec::new() };
    let names = StateRecords::new(Box::new(file)).headers().unwrap_or_default();
    names.iter().map(|name| name.to_ascii_lowercase()).collect()
}

/// Whether the names of a header are those that states have, separated by commas.
pub(super) fn is_plain(header: &[String]) -> bool {
    header.iter().any(|name| POSITION.contains(&name.trim_start_matches('\u{feff}')))
}

/// Finds the columns; a note says which are ignored or missing.
fn columns<const D: usize>(
    scene: &Scene,
    shown: &str,
    names: &[String],
    notes: &mut Vec<String>,
) -> Result<Columns<D>, SceneError> {
    // Where the scene has no species, the column is one of those that are ignored.
    let is_species = |name: &str| name == "species" && !scene.params().species.is_empty();
    let find = |name: &str| names.iter().position(|known| known == name);
    let place = || format!("{shown}:1");
    for (i, name) in names.iter().enumerate() {
        let is_ours = name == "id"
            || is_species(name)
            || POSITION.contains(&name.as_str())
            || VELOCITY.contains(&name.as_str());
        if is_ours && names[..i].contains(name) {
            return Err(SceneError::data(
                place(),
                format!("column {name} appears twice: allowed is once"),
            ));
        }
    }
    for beyond in [POSITION, VELOCITY].iter().flat_map(|names| &names[D..]) {
        if find(beyond).is_some() {
            return Err(dimension_mismatch(
                &place(),
                &format!("the file has a column {beyond}"),
                D,
            ));
        }
    }
    let required = |name: &str| {
        let header = names.join(",");
        let message = format!(
            "column {name} is missing from the header {}: allowed is a header with {}",
            quoted(&header),
            wanted(D)
        );
        find(name).ok_or_else(|| SceneError::data(place(), message))
    };
    let mut position = [0; D];
    for (column, name) in position.iter_mut().zip(POSITION) {
        *column = required(name)?;
    }
    let velocity = if VELOCITY[..D].iter().any(|name| find(name).is_some()) {
        let mut velocity = [0; D];
        for (column, name) in velocity.iter_mut().zip(VELOCITY) {
            *column = required(name)?;
        }
        Some(velocity)
    } else {
        notes.push(format!("{shown}: no velocity columns: every boid starts at rest"));
        None
    };
    let id = find("id");
    if id.is_none() {
        notes.push(format!("{shown}: no column id: boids are numbered by row from 0"));
    }
    let species = find("species").filter(|_| is_species("species"));
    let known = |name: &&String| {
        let name = name.as_str();
        name == "id"
            || is_species(name)
            || POSITION[..D].contains(&name)
            || VELOCITY[..D].contains(&name)
    };
    let ignored: Vec<&str> = names.iter().filter(|name| !known(name)).map(String::as_str).collect();
    if !ignored.is_empty() {
        notes.push(format!("{shown}: columns ignored: {}", ignored.join(", ")));
    }
    Ok(Columns { id, position, velocity, species })
}

fn wanted(dimensions: usize) -> String {
    format!(
        "{} and, or without, {}",
        POSITION[..dimensions].join(","),
        VELOCITY[..dimensions].join(",")
    )
}

/// A cell as a message shows it, shortened to 60 characters.
fn quoted(cell: &str) -> String {
    format!("\"{}\"", wingbeat_record::shortened(cell))
}

fn malformed(shown: &str, error: &::csv::Error) -> SceneError {
    let line =
        |position: &Option<::csv::Position>| position.as_ref().map_or(1, ::csv::Position::line);
    match error.kind() {
        ::csv::ErrorKind::UnequalLengths { pos, expected_len, len } => {
            let message =
                format!("the row has {len} columns: allowed is {expected_len}, as in the header");
            SceneError::data(format!("{shown}:{}", line(pos)), message)
        }
        ::csv::ErrorKind::Utf8 { pos, .. } => {
            SceneError::data(format!("{shown}:{}", line(pos)), "not UTF-8 text: allowed is UTF-8")
        }
        ::csv::ErrorKind::Io(error) => cannot_read(shown, error),
        _ => SceneError::data(shown, error),
    }
}
