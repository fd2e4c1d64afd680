//! Conversion from any format that can be read to any that can be written.

use std::path::Path;

use crate::formats;
use crate::recorder::Written;
use crate::sink::Sink;
use crate::whole_file::{folder, followed};
use crate::{About, Frames, Options, RecordError, Snapshot, Watch, same_file};

/// A finished conversion.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Converted {
    /// The new recording.
    pub written: Written,
    /// What a user should know about it, one sentence each.
    pub notes: Vec<String>,
}

/// Writes the recording `from` again as `to`, every `every`-th frame of it; extensions tell the
/// formats. A `.wbr` streams from file to file; others are put in order first, in memory or in a
/// temporary file. Numbers are single precision from here on, as in the engine.
///
/// # Errors
/// When `from` cannot be read, an option is not accepted, or `to` cannot be written.
pub fn convert(
    from: &Path,
    to: &Path,
    options: &Options,
    every: u64,
) -> Result<Converted, RecordError> {
    convert_watched(from, to, options, every, &|_, _| true)
}

/// [`convert`], watched: `watch` is told how much of how much is read, then how many frames of how
/// many are written, and answers whether to go on.
///
/// # Errors
/// As [`convert`]; and [`RecordError::Stopped`] where `watch` says so: a `.wbr` is then sound up to
/// there, others are not there.
pub fn convert_watched(
    from: &Path,
    to: &Path,
    options: &Options,
    every: u64,
    watch: Watch<'_>,
) -> Result<Converted, RecordError> {
    if !formats::writable().contains(&formats::extension(to).as_str()) {
        // Refused now, not after a long time of reading.
        return Err(formats::unknown_target(to));
    }
    if same_file(from, to) {
        return Err(RecordError::data(
            to.display(),
            "the recording itself: allowed is another file",
        ));
    }
    if is_in_folder(from, to) {
        return Err(RecordError::data(
            to.display(),
            "in the folder of the recording: allowed is a file outside of it",
        ));
    }
    let mut frames = Frames::open(from, options, watch)?;
    let mut about = frames.about().clone();
    let mut notes = frames.notes().to_vec();
    if frames.is_stream() {
        about.every = about.every.saturating_mul(every);
    }
    notes.extend(origin_note(&about, to));
    notes.extend(unit_note(&about, to));
    let wanted = frames.every(every);
    let written = write(to, &about, &mut frames, &wanted, watch)?;
    notes.extend(frames.rounding());
    Ok(Converted { written, notes })
}

/// Whether a file is, or would be, in the folder of a recording.
pub fn is_in_folder(recording: &Path, file: &Path) -> bool {
    formats::extension(recording) == "wbr"
        && recording.is_dir()
        && followed(file).is_ok_and(|file| same_file(recording, folder(&file)))
}

/// Formats with a place for the origin and the unit.
const WITH_ORIGIN: [&str; 2] = ["wbr", "npz"];

/// A note where the recording's origin is not the world's.
fn origin_note(about: &About, to: &Path) -> Option<String> {
    let origin = about.origin[..about.dimensions]
        .iter()
        .map(|x| x.to_string())
        .collect::<Vec<_>>()
        .join(", ");
    let extension = formats::extension(to);
    let keeps =
        if WITH_ORIGIN.contains(&extension.as_str()) { "states it" } else { "has no place for it" };
    (about.origin != [0.0; 3])
        .then(|| format!("positions are relative to the origin [{origin}]: a .{extension} {keeps}"))
}

/// A note where the unit is lost.
fn unit_note(about: &About, to: &Path) -> Option<String> {
    let extension = formats::extension(to);
    let unit = about.unit.filter(|_| !WITH_ORIGIN.contains(&extension.as_str()))?;
    Some(format!("lengths are {unit}: a .{extension} has no place for it"))
}

fn write(
    to: &Path,
    about: &About,
    frames: &mut Frames,
    wanted: &[usize],
    watch: Watch<'_>,
) -> Result<Written, RecordError> {
    let mut sink: Box<dyn Sink> = formats::create(to, about)?;
    let failed = |error: std::io::Error| RecordError::cannot_write(to, &error);
    let mut now = Snapshot::new(about.dimensions);
    for (done, &k) in wanted.iter().enumerate() {
        // The sink is dropped: it leaves no file, or in formats that are sound at every moment the
        // frames so far.
        if !watch(done as u64, wanted.len() as u64) {
            return Err(RecordError::Stopped);
        }
        frames.read(k, &mut now)?;
        sink.frame(&now).map_err(failed)?;
    }
    let bytes = sink.finish().map_err(failed)?;
    Ok(Written { path: to.to_path_buf(), frames: wanted.len() as u64, bytes })
}
