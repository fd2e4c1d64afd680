//! Initial states from files: read as they are, then converted to the scene's coordinates.

// How to add a format of initial states: a file in initial/ and a line here.

mod convert;
mod csv;
mod npy;
mod raw;
mod recording;

use crate::SceneError;
use crate::scene::Scene;

pub(crate) use convert::convert;
pub(crate) use raw::{RawState, State};

/// Reads the scene's initial state, if it names one.
pub(crate) fn read<const D: usize>(scene: &Scene) -> Result<Option<RawState<D>>, SceneError> {
    let Some(path) = scene.initial_file() else { return Ok(None) };
    let shown = path.display().to_string();
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase();
    // Ranks record into a folder.
    if path.is_dir() && extension != "wbr" {
        return Err(SceneError::file(&shown, "cannot read the initial state: it is a folder"));
    }
    match extension.as_str() {
        _ if scene.document.has("initial.frame") => recording::read(scene, &path, &shown).map(Some),
        "csv" => csv::read(scene, &path, &shown)
            .or_else(|refusal| {
                let header = csv::header(&path);
                if csv::is_plain(&header) {
                    return Err(refusal);
                }
                // Tables of other programs have one reader, here and where recordings are read.
                // Where commas separate nothing, only that reader knows what does.
                let table = recording::read(scene, &path, &shown);
                table.map_err(|of_table| if header.len() == 1 { of_table } else { refusal })
            })
            .map(Some),
        "npy" => npy::read(&path, &shown).map(Some),
        known if wingbeat_record::readable().contains(&known) => {
            recording::read(scene, &path, &shown).map(Some)
        }
        _ => {
            if let Some(message) = wingbeat_record::in_python(&path) {
                return Err(SceneError::file(&shown, &message));
            }
            let endings: Vec<String> =
                wingbeat_record::readable().iter().map(|ending| format!(".{ending}")).collect();
            Err(scene.document.refuse(
                "initial.file",
                &format!("a file that ends in one of {}", endings.join(", ")),
            ))
        }
    }
}
