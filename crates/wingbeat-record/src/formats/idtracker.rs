//! idtracker.ai's `trajectories.npy`: a dictionary with the array `trajectories` [frames,
//! individuals, 2] in pixels, frames per second, body length and more, which Python has pickled.
//!
//! <https://idtracker.ai/latest/user_guide/postprocessing.html>

use super::npy::NpyTrack;
use crate::RecordError;
use crate::digits::significant;
use crate::limits::FPS;
use crate::npy::pickle::Pickle;
use crate::rows::Rows;
use crate::table::numbered;
use crate::text::shortened_to;
use crate::units::LengthUnit;

/// Reads the pickle that follows the header of an array of objects.
pub(super) fn read(pickled: &[u8], shown: &str) -> Result<Rows, RecordError> {
    let refuse = |message: String| RecordError::data(shown, message);
    let pickle = Pickle::read(pickled)
        .map_err(|why| refuse(format!("an array of Python objects: {why}")))?;
    let allowed = "allowed is an array of numbers, or idtracker.ai's dictionary with trajectories";
    let trajectories =
        pickle.get("trajectories").map_err(|why| refuse(format!("{why}: {allowed}")))?;
    let array = trajectories.and_then(|id| pickle.array(id)).ok_or_else(|| {
        let keys = shortened_to(&pickle.keys().join(", "), 120);
        let there = if keys.is_empty() {
            "with nothing in it".into()
        } else {
            format!("without an array trajectories, but {keys}")
        };
        refuse(format!("a dictionary {there}: {allowed}"))
    })?;
    let mut track = NpyTrack::of(array, &format!("{shown} trajectories"))?;
    let number = |key: &str| {
        Some(pickle.get(key).ok()??)
            .and_then(|id| pickle.number(id))
            .filter(|x| x.is_finite() && *x > 0.0)
    };
    let text = |key: &str| {
        Some(pickle.get(key).ok()??)
            .and_then(|id| pickle.text(id))
            .map(|text| shortened_to(text, 40))
    };
    let mut rows = Rows::new(shown);
    (rows.fps, rows.unit) =
        (number("frames_per_second").filter(|fps| FPS.contains(fps)), Some(LengthUnit::Pixel));
    let version = text("version").map_or_else(String::new, |version| format!(" {version}"));
    rows.notes.push(format!("written by idtracker.ai{version}: individuals are its identities"));
    if let Some(length) = number("body_length") {
        let scale = significant(1.0 / length, 4);
        rows.notes.push(format!(
            "a body is {} px long: --scale {scale} counts in bodies",
            significant(length, 6)
        ));
    }
    if let Some(unit) = number("length_unit") {
        let scale = significant(1.0 / unit, 4);
        rows.notes.push(format!(
            "its unit of length has {} px: --scale {scale} counts in it",
            significant(unit, 6)
        ));
    }
    let ids = ids(&pickle, track.individuals, &mut rows.notes);
    track.fill(&mut rows, |individual| ids[individual])?;
    Ok(rows)
}

/// Every individual's identity: the labels where all are numbers, else counted from 1, as
/// idtracker.ai does.
fn ids(pickle: &Pickle<'_>, count: usize, notes: &mut Vec<String>) -> Vec<u64> {
    let labels = pickle
        .get("identities_labels")
        .ok()
        .flatten()
        .and_then(|id| pickle.texts(id))
        .unwrap_or_default();
    let numbers: Option<Vec<u64>> = labels.iter().map(|label| label.parse().ok()).collect();
    let distinct = |ids: &Vec<u64>| {
        ids.iter().collect::<std::collections::HashSet<_>>().len() == count && ids.len() == count
    };
    numbers.filter(distinct).unwrap_or_else(|| {
        let names: Vec<(&str, u64)> = labels.iter().copied().zip(1..).collect();
        if names.len() == count && count > 0 {
            notes.push(format!("ids are names, numbered from 1: {}", numbered(&names)));
        } else if !names.is_empty() {
            notes.push(format!(
                "{} labels for {count} individuals: left aside, ids count from 1",
                names.len()
            ));
        }
        (1..=count as u64).collect()
    })
}
