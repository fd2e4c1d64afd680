//! One frame of a recording.

use std::path::Path;

use wingbeat_record::{ColumnNames, LengthUnit, Options, RecordError, Row};

use super::raw::{RawState, dimension_mismatch, species_named};
use crate::SceneError;
use crate::scene::Scene;

/// What makes the scene's lengths of a recording's, and a note where they are converted; refused
/// where units of the two have no length in common.
fn to_unit_of(
    scene: &Scene,
    unit: Option<LengthUnit>,
    shown: &str,
) -> Result<(f64, Option<String>), SceneError> {
    let both = scene.unit().zip(unit).filter(|(to, from)| to != from);
    let Some((to, from)) = both.filter(|_| !scene.document.has("initial.scale")) else {
        return Ok((1.0, None));
    };
    match from.meters().zip(to.meters()) {
        Some((from_meters, to_meters)) => {
            let note = format!("{shown}: lengths are {from}: converted to {to}, the scene's unit");
            Ok((from_meters / to_meters, Some(note)))
        }
        None => {
            let allowed = format!(
                "a recording in {to}, the scene's unit; this one is in {from} (initial.scale \
                makes one of the other)"
            );
            Err(scene.document.refuse("initial.file", &allowed))
        }
    }
}

/// Reads the frame that the scene asks for, or the first that has any individual in it. Velocities
/// that the file lacks are central differences of positions.
pub(super) fn read<const D: usize>(
    scene: &Scene,
    path: &Path,
    shown: &str,
) -> Result<RawState<D>, SceneError> {
    // A scale of the scene's own is of the file's numbers as they stand; without one, a unit that
    // the file states is converted.
    let scale = scene.document.has("initial.scale").then_some(1.0);
    let options =
        Options { scale, columns: ColumnNames::default().of_one_frame(), ..Options::default() };
    let recording =
        wingbeat_record::read(path, &options).map_err(|refusal| refused(shown, &refusal))?;
    if recording.dimensions() != D {
        return Err(dimension_mismatch(
            shown,
            &format!("the recording has {} dimensions", recording.dimensions()),
            D,
        ));
    }
    let found = recording.found();
    let (factor, converted) = to_unit_of(scene, found.length_unit, shown)?;
    let wanted = scene.document.whole("initial.frame").unwrap_or(found.first_frame);
    let Some(place) = recording.find(wanted) else {
        let allowed = format!(
            "a frame of {shown} in which an individual was seen, {} to {}",
            found.first_frame, found.last_frame
        );
        return Err(scene.document.refuse("initial.frame", &allowed));
    };
    let frame = recording.frame(place).map_err(|refusal| refused(shown, &refusal))?;
    let first = |v: [f64; 3]| -> [f64; D] { std::array::from_fn(|a| v[a] * factor) };
    let unknown =
        frame.rows.iter().filter(|row| first(row.velocity).iter().any(|v| v.is_nan())).count();
    let whose = if found.has_velocities { "the file's own" } else { "central differences" };
    let mut notes = vec![format!(
        "{shown}: frame {wanted}, {} of {} ids, velocities {whose}",
        frame.rows.len(),
        found.ids
    )];
    notes.extend(converted);
    if scale.is_none() {
        let units = found.notes.iter().filter(|note| note.starts_with("lengths are "));
        notes.extend(
            units.map(|note| format!("{shown}: {note}").replace("--scale", "initial.scale")),
        );
    }
    if unknown > 0 {
        notes.push(format!(
            "{shown}: {unknown} of them have no velocity in this frame: they start at rest"
        ));
    }
    let known = |v: [f64; D]| if v.iter().any(|v| v.is_nan()) { [0.0; D] } else { v };
    let known_species = recording.species();
    let species = |row: &Row| {
        let name =
            known_species.of(row.id).map_or("", |place| &known_species.names()[usize::from(place)]);
        species_named(scene, name, || format!("{shown} id {}", row.id))
    };
    let has_species = !(known_species.names().is_empty() || scene.params().species.is_empty());
    Ok(RawState {
        path: shown.to_string(),
        ids: Some(frame.rows.iter().map(|row| row.id).collect()),
        positions: frame.rows.iter().map(|row| first(row.position)).collect(),
        velocities: frame.rows.iter().map(|row| known(first(row.velocity))).collect(),
        species: has_species.then(|| frame.rows.iter().map(species).collect()).transpose()?,
        lines: Vec::new(),
        notes,
    })
}

/// A refusal of the reader, which names the place in the file.
fn refused(shown: &str, refusal: &RecordError) -> SceneError {
    match refusal {
        RecordError::Data { place, message } => SceneError::data(place, message),
        other => SceneError::data(shown, other),
    }
}
