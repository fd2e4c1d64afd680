//! Frames of any recording that can be read, one at a time.

use std::path::Path;

use wingbeat_record::{About, Options, RecordError, Recording, Snapshot, WbrReader, read};

/// A recording, and what it is of. A `.wbr` is read frame by frame; other formats are held in memory once.
///
/// See [`replay`](crate::replay) for an example.
#[derive(Debug)]
pub struct Footage {
    frames: Frames,
    about: About,
    notes: Vec<String>,
}

#[derive(Debug)]
enum Frames {
    Seeking(Box<WbrReader>),
    Held(Box<Recording>),
}

impl Footage {
    /// Opens a recording; its extension tells the format, as in [`wingbeat_record::read`].
    ///
    /// # Errors
    /// When it cannot be read, holds nobody, or an option is not accepted: a `.wbr` has its own times and lengths.
    pub fn open(path: &Path, options: &Options) -> Result<Self, RecordError> {
        let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        if !name.to_ascii_lowercase().ends_with(".wbr") {
            return Ok(Self::held(read(path, options)?, name));
        }
        let refuse = |name, value: f64, allowed: &str| {
            Err(RecordError::Option { name, value: value.to_string(), allowed: allowed.into() })
        };
        if let Some(fps) = options.fps {
            return refuse("fps", fps, "nothing for a .wbr, which has its own times");
        }
        if options.scale != 1.0 {
            return refuse("scale", options.scale, "1 for a .wbr, whose lengths are its scene's");
        }
        let reader = WbrReader::open(path)?;
        let (about, notes) = (reader.about().clone(), reader.note().map(str::to_string).into_iter().collect());
        let footage = Self { frames: Frames::Seeking(Box::new(reader)), about, notes };
        if footage.is_empty() {
            let message = "the recording has no whole frame: allowed is at least one".to_string();
            return Err(RecordError::Data { place: path.display().to_string(), message });
        }
        Ok(footage)
    }

    fn held(recording: Recording, name: String) -> Self {
        let found = recording.found();
        let mut notes = found.notes.clone();
        if !found.has_velocities {
            notes.push("velocities are central differences of the positions".into());
        }
        let about = About {
            dimensions: recording.dimensions(),
            dt: 1.0 / recording.fps(),
            every: 1,
            seed: 0,
            name,
            scene: String::new(),
            edges: recording.edges(),
            origin: [0.0; 3],
        };
        Self { frames: Frames::Held(Box::new(recording)), about, notes }
    }

    /// What it is of.
    pub fn about(&self) -> &About {
        &self.about
    }

    /// What is to be known of the file.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// How many frames there are.
    pub fn len(&self) -> usize {
        match &self.frames {
            Frames::Seeking(reader) => reader.len(),
            Frames::Held(recording) => recording.frames().len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Reads frame `k`, from 0: quickest in ascending order.
    ///
    /// # Errors
    /// When the file cannot be read, or is damaged there.
    ///
    /// # Panics
    /// If there are not that many frames.
    pub fn read(&mut self, k: usize, out: &mut Snapshot) -> Result<(), RecordError> {
        match &mut self.frames {
            Frames::Seeking(reader) => reader.read(k, out),
            Frames::Held(recording) => {
                let frame = recording.frame(k);
                (out.step, out.time) = (frame.number, frame.time);
                out.ids.clear();
                out.ids.extend(frame.rows.iter().map(|row| row.id));
                for a in 0..recording.dimensions() {
                    out.positions[a].clear();
                    out.positions[a].extend(frame.rows.iter().map(|row| row.position[a] as f32));
                    out.velocities[a].clear();
                    out.velocities[a].extend(frame.rows.iter().map(|row| row.velocity[a] as f32));
                }
                Ok(())
            }
        }
    }
}
