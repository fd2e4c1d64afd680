//! Any recording, frame by frame.

use std::path::Path;

use wingbeat_codec::{Rounded, narrow};

use crate::formats::{self, WbrReader, read_watched};
use crate::options::NOT_OF_WBR;
use crate::{About, Options, RecordError, Recording, Snapshot, TimeUnit, Watch, significant};

/// A recording frame by frame, whatever its format: a `.wbr` is read as frames are asked for,
/// others are put in order first, in memory or, where they are long, in a temporary file.
///
/// ```
/// use wingbeat_record::{Frames, Options, Snapshot};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("two.csv");
/// std::fs::write(&path, "frame,id,x,y\n0,1,0,0\n0,2,5,0\n1,1,0,2\n1,2,5,2\n")?;
/// let mut frames = Frames::open(&path, &Options::default(), &|_, _| true)?;
/// let mut now = Snapshot::new(frames.about().dimensions);
/// frames.read(1, &mut now)?;
/// assert_eq!(
///     (frames.len(), now.ids.len(), now.position(1), now.velocity(1)),
///     (2, 2, [5.0, 2.0, 0.0], [0.0, 2.0, 0.0])
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Frames {
    about: About,
    notes: Vec<String>,
    kind: FramesKind,
    rounded: Rounded,
}

#[derive(Debug)]
enum FramesKind {
    /// A `.wbr`, which is read frame by frame.
    Stream(Box<WbrReader>),
    /// Any other format, put in order.
    Sorted(Box<Recording>),
}

impl Frames {
    /// Opens a recording; its extension tells the format. `watch` is told how much of how much is
    /// read, and answers whether to go on.
    ///
    /// # Errors
    /// When it cannot be read, an option is not accepted, or `watch` says to stop.
    pub fn open(path: &Path, options: &Options, watch: Watch<'_>) -> Result<Self, RecordError> {
        options.check()?;
        if formats::extension(path) == "wbr" {
            Self::stream(path, options, watch)
        } else {
            Self::sorted(path, options, watch)
        }
    }

    fn stream(path: &Path, options: &Options, watch: Watch<'_>) -> Result<Self, RecordError> {
        if let Some(fps) = options.fps {
            let allowed = "nothing: a .wbr has its own times".into();
            return Err(RecordError::Option { name: "fps", value: fps.to_string(), allowed });
        }
        let refuse = |name, value, what| RecordError::Option {
            name,
            value,
            allowed: format!("{what}: a .wbr stays exact"),
        };
        if let Some(scale) = options.scale.filter(|&scale| scale != 1.0) {
            return Err(refuse("scale", scale.to_string(), "1"));
        }
        if options.y_down {
            return Err(refuse("y-down", "true".into(), "false"));
        }
        if !options.columns.is_empty() {
            return Err(refuse("map-columns", options.columns.to_string(), "nothing"));
        }
        if let Some(origin) = options.origin {
            return Err(refuse("origin", origin.to_string(), "nothing"));
        }
        options.refuse_mending(NOT_OF_WBR)?;
        let reader = WbrReader::open_watched(path, watch)?;
        let mut about = reader.about().clone();
        about.unit = options.unit_of(about.unit)?;
        let notes = reader.note().map(str::to_string).into_iter().collect();
        Ok(Self {
            about,
            notes,
            kind: FramesKind::Stream(Box::new(reader)),
            rounded: Rounded::default(),
        })
    }

    fn sorted(path: &Path, options: &Options, watch: Watch<'_>) -> Result<Self, RecordError> {
        let recording = read_watched(path, options, watch)?;
        let found = recording.found();
        let mut notes = found.notes.clone();
        if !found.has_velocities {
            let others = if found.positions_smoothed > 0 {
                ", but for those of smoothed positions"
            } else {
                ""
            };
            notes.push(format!("velocities are central differences of the positions{others}"));
        }
        if found.duplicates > 0 {
            notes.push(format!(
                "{} duplicate rows: the first in the file is kept",
                found.duplicates
            ));
        }
        let about = About {
            dimensions: recording.dimensions(),
            dt: 1.0 / recording.fps(),
            every: 1,
            seed: 0,
            name: path.display().to_string(),
            scene: String::new(),
            edges: recording.edges(),
            origin: recording.origin,
            species: recording.species().names().to_vec(),
            unit: recording.found().length_unit,
        };
        Ok(Self {
            about,
            notes,
            kind: FramesKind::Sorted(Box::new(recording)),
            rounded: Rounded::default(),
        })
    }

    /// The description of the recorded run.
    pub fn about(&self) -> &About {
        &self.about
    }

    /// What times count, where it is known: those of a scene with a unit of length are seconds.
    pub fn time_unit(&self) -> Option<TimeUnit> {
        match &self.kind {
            FramesKind::Stream(_) => self.about.unit.map(|_| TimeUnit::Second),
            FramesKind::Sorted(recording) => Some(recording.found().time_unit),
        }
    }

    /// What coordinates of the file were multiplied by, axis by axis; below 0 where their sign was
    /// changed.
    pub fn factors(&self) -> [f64; 3] {
        match &self.kind {
            FramesKind::Stream(_) => [1.0; 3],
            FramesKind::Sorted(recording) => recording.sequence.factors,
        }
    }

    /// What a user should know about the file, one sentence each.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Number of frames with at least one individual; of a `.wbr`, of all frames.
    pub fn len(&self) -> usize {
        match &self.kind {
            FramesKind::Stream(reader) => reader.len(),
            FramesKind::Sorted(recording) => recording.len(),
        }
    }

    /// Whether there are no frames.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether it is a `.wbr`, whose frames are exact.
    pub(crate) fn is_stream(&self) -> bool {
        matches!(self.kind, FramesKind::Stream(_))
    }

    /// The frames that are `every` apart: of a `.wbr` by their place in the file, of others by
    /// their numbers, since some may be missing.
    pub(crate) fn every(&self, every: u64) -> Vec<usize> {
        match &self.kind {
            FramesKind::Stream(reader) => {
                (0..reader.len()).step_by(usize::try_from(every).unwrap_or(usize::MAX)).collect()
            }
            // All, also those that lie between others of the usual distance.
            FramesKind::Sorted(recording) if every == 1 => (0..recording.len()).collect(),
            FramesKind::Sorted(recording) => {
                let found = recording.found();
                let stride =
                    found.frame_step.saturating_mul(i64::try_from(every).unwrap_or(i64::MAX));
                (0..recording.len())
                    .filter(|&k| (recording.number(k) - found.first_frame) % stride == 0)
                    .collect()
            }
        }
    }

    /// Reads frame `k`, in single precision. Fastest in ascending order.
    ///
    /// # Errors
    /// When the file cannot be read, or is damaged there.
    ///
    /// # Panics
    /// If there are not that many frames.
    pub fn read(&mut self, k: usize, out: &mut Snapshot) -> Result<(), RecordError> {
        match &mut self.kind {
            FramesKind::Stream(reader) => reader.read(k, out),
            FramesKind::Sorted(recording) => snapshot(recording, k, out, &mut self.rounded),
        }
    }

    /// What is to be said of positions read so far that had more digits than single precision.
    pub(crate) fn rounding(&self) -> Option<String> {
        let FramesKind::Sorted(recording) = &self.kind else { return None };
        let Rounded { positions, most } = self.rounded;
        let unit =
            recording.found().length_unit.map_or_else(String::new, |unit| format!(" {unit}"));
        // Far more than what is left where an origin is taken off.
        let is_far = recording.sequence.taken_off == [0.0; 3]
            && most > 4.0 * recording.extent * f64::from(f32::EPSILON);
        let cure =
            if is_far { " (--origin auto takes an origin off, and rounds less)" } else { "" };
        let most = significant(most, 2);
        (positions > 0).then(|| {
            format!(
                "{positions} positions were rounded to single precision, \
            by at most {most}{unit}{cure}"
            )
        })
    }
}

/// Copies a frame, and notes what had to be rounded.
fn snapshot(
    recording: &Recording,
    k: usize,
    now: &mut Snapshot,
    rounded: &mut Rounded,
) -> Result<(), RecordError> {
    let frame = recording.frame(k)?;
    (now.step, now.time) = (frame.number, frame.time);
    narrow(&frame.rows, recording.dimensions(), recording.species(), now, rounded);
    Ok(())
}
