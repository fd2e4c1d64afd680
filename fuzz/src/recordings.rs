//! Reads, measures and rewrites a recording.

use wingbeat_measure::{Area, Measurable, Voronoi};
use wingbeat_record::{Frames, Options, Snapshot, convert, read};

/// Frames of a file that are looked at: enough for what depends on the one before.
const FRAMES: usize = 20;

/// Reads a file, frame by frame and whole, and measures what is accepted. What is written again has
/// as many frames.
pub fn read_and_measure(extension: &str, bytes: &[u8]) {
    let (path, options) = (crate::file(extension, bytes), Options::default());
    if let Ok(mut frames) = Frames::open(&path, &options, &|_, _| true) {
        let mut now = Snapshot::new(frames.about().dimensions);
        for k in 0..frames.len() {
            if frames.read(k, &mut now).is_ok() {
                assert!(
                    now.positions
                        .iter()
                        .chain(&now.velocities)
                        .all(|column| column.len() == now.ids.len())
                );
                assert!(now.ids.is_sorted());
            }
        }
    }
    let Ok(recording) = read(&path, &options) else { return };
    let area = Area::new([-1.0, -1.0, 2.0, 1.5]).expect("a rectangle");
    let voronoi = Voronoi::new(1.0, None).expect("a radius");
    for frame in recording.frames().take(FRAMES) {
        let frame = frame.expect("what was read once can be read again");
        for radius in [None, Some(1.0), Some(1e6)] {
            frame.observables(radius);
        }
        if frame.rows.len() <= 200 {
            area.voronoi(&frame, &voronoi);
        }
    }
    if recording.found().positions <= 1000 {
        let again = path.with_extension("again.wbr");
        if convert(&path, &again, &options, 1).is_ok() {
            let frames = Frames::open(&again, &options, &|_, _| true)
                .expect("what was written is a recording");
            assert!(frames.len() >= recording.len(), "{} of {}", frames.len(), recording.len());
        }
    }
}
