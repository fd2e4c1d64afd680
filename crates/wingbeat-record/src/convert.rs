//! From any recording that can be read to any that can be written.

use std::path::Path;

use crate::formats::{self, Sink, WbrReader};
use crate::recorder::Written;
use crate::{About, Options, RecordError, Recording, Snapshot, read};

/// What a conversion came to.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Converted {
    /// The new recording.
    pub written: Written,
    /// What was done on the way, for the user to know.
    pub notes: Vec<String>,
}

/// Writes the recording `from` again as `to`, every `every`-th frame of it; extensions tell the formats. A `.wbr` streams from
/// file to file; others are held in memory once. Numbers are single precision from here on, as in the engine.
///
/// # Errors
/// When `from` cannot be read, an option is not accepted, or `to` cannot be written.
pub fn convert(from: &Path, to: &Path, options: &Options, every: u64) -> Result<Converted, RecordError> {
    if !formats::writable().contains(&formats::extension(to).as_str()) {
        // The same refusal as at the end, before hours of reading.
        return Err(formats::unknown_target(to));
    }
    if let (Ok(one), Ok(other)) = (from.canonicalize(), to.canonicalize())
        && one == other
    {
        return Err(RecordError::data(to.display(), "the recording itself: allowed is another file"));
    }
    if formats::extension(from) == "wbr" { stream(from, to, options, every) } else { whole(from, to, options, every) }
}

fn stream(from: &Path, to: &Path, options: &Options, every: u64) -> Result<Converted, RecordError> {
    if let Some(fps) = options.fps {
        let allowed = "nothing: a .wbr has its own times".into();
        return Err(RecordError::Option { name: "fps", value: fps.to_string(), allowed });
    }
    if options.scale != 1.0 {
        let allowed = "1: a .wbr stays exact".into();
        return Err(RecordError::Option { name: "scale", value: options.scale.to_string(), allowed });
    }
    let mut reader = WbrReader::open(from)?;
    let mut about = reader.about().clone();
    about.every = about.every.saturating_mul(every);
    let mut notes: Vec<String> = reader.note().map(str::to_string).into_iter().collect();
    notes.extend(origin_note(&about));
    let mut frame = Snapshot::new(about.dimensions);
    let (count, stride) = (reader.len(), usize::try_from(every).unwrap_or(usize::MAX));
    let frames = (0..count).step_by(stride).map(|k| reader.read(k, &mut frame).map(|()| frame.clone()));
    let written = write(to, &about, frames)?;
    Ok(Converted { written, notes })
}

/// Where the recording's zero is not the world's.
fn origin_note(about: &About) -> Option<String> {
    let [x, y, z] = about.origin;
    (about.origin != [0.0; 3]).then(|| format!("positions are relative to domain.origin = [{x}, {y}, {z}]"))
}

fn whole(from: &Path, to: &Path, options: &Options, every: u64) -> Result<Converted, RecordError> {
    let recording = read(from, options)?;
    let found = recording.found();
    let mut notes = found.notes.clone();
    let with_velocities = found.has_velocities;
    if !with_velocities {
        notes.push("velocities are central differences of the positions".into());
    }
    let about = About {
        dimensions: recording.dimensions(),
        dt: 1.0 / recording.fps(),
        every: 1,
        seed: 0,
        name: from.display().to_string(),
        scene: String::new(),
        edges: recording.edges(),
        origin: [0.0; 3],
    };
    let stride = found.frame_step.saturating_mul(i64::try_from(every).unwrap_or(i64::MAX));
    let first = found.first_frame;
    let wanted = recording.frames().filter(|frame| (frame.number - first) % stride == 0);
    let rounded = std::cell::Cell::new(0u64);
    let written = write(to, &about, wanted.map(|frame| Ok(snapshot(&recording, &frame, &rounded))))?;
    if rounded.get() > 0 {
        notes.push(format!("{} positions were rounded to single precision", rounded.get()));
    }
    Ok(Converted { written, notes })
}

fn snapshot(recording: &Recording, frame: &crate::Frame<'_>, rounded: &std::cell::Cell<u64>) -> Snapshot {
    let mut now = Snapshot::new(recording.dimensions());
    (now.step, now.time) = (frame.number, frame.time);
    for row in frame.rows {
        now.ids.push(row.id);
        let mut exact = true;
        for a in 0..recording.dimensions() {
            now.positions[a].push(row.position[a] as f32);
            now.velocities[a].push(row.velocity[a] as f32);
            // Nine digits of an f32 are no f64's, but name it.
            exact &= (f64::from(row.position[a] as f32) - row.position[a]).abs() <= row.position[a].abs() * 1e-8;
        }
        rounded.set(rounded.get() + u64::from(!exact));
    }
    now
}

fn write(to: &Path, about: &About, frames: impl Iterator<Item = Result<Snapshot, RecordError>>) -> Result<Written, RecordError> {
    let mut sink: Box<dyn Sink> = formats::create(to, about)?;
    let failed = |error: std::io::Error| RecordError::cannot_write(to, &error);
    let mut count = 0;
    for frame in frames {
        sink.frame(&frame?).map_err(failed)?;
        count += 1;
    }
    let bytes = sink.finish().map_err(failed)?;
    Ok(Written { path: to.to_path_buf(), frames: count, bytes })
}
