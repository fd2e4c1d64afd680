//! Flocks that come and go, and what was recorded of them.

use std::path::{Path, PathBuf};

use wingbeat::steer::TimeStep;
use wingbeat::{Alignment, Cohesion, Domain, Flock, Params, Rules, Separation, Shape, Spawn};
use wingbeat_record::{About, Options, Recorder, Recording, Snapshot, WbrReader, Written, read};

pub const DT: f32 = 0.1;
/// The same as it is written.
pub const WRITTEN: f64 = 0.1;

/// A folder for the files of one test.
pub struct Lab(tempfile::TempDir);

impl Lab {
    pub fn new() -> Self {
        Self(tempfile::tempdir().expect("a scratch folder"))
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, content: &[u8]) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, content).expect("a scratch file");
        path
    }

    /// A file of this content is refused, in one short line that has all the `expected` parts.
    #[track_caller]
    pub fn refused(&self, name: &str, content: impl AsRef<[u8]>, expected: &[&str]) {
        let path = self.write(name, content.as_ref());
        let message = read(&path, &Options::default()).expect_err("a refusal").to_string();
        assert!(!message.contains('\n') && message.len() < 400, "{message}");
        for part in expected {
            assert!(message.contains(part), "\"{part}\" is missing from: {message}");
        }
    }
}

/// What is read from a file of this name and content.
pub fn recorded(name: &str, content: impl AsRef<[u8]>, fps: f64) -> Recording {
    let lab = Lab::new();
    let path = lab.write(name, content.as_ref());
    read(&path, &Options { fps: Some(fps), ..Options::default() })
        .unwrap_or_else(|error| panic!("{error}"))
}

/// A flock that wraps around its box.
pub fn flock<const D: usize>(boids: usize) -> Flock<D> {
    let params = Params {
        rules: Rules {
            separation: Some(Separation::default()),
            alignment: Some(Alignment::default()),
            cohesion: Some(Cohesion::default()),
            ..Default::default()
        },
        ..Default::default()
    };
    let (min, max) = ([-3.0; D], [7.3; D]);
    let spawn = Spawn { shape: Shape::Box { min, max }, ..Spawn::default() };
    let builder = Flock::<D>::builder().params(params).domain(Domain::periodic(min, max)).seed(3);
    builder.spawn(boids, spawn).build().expect("a flock")
}

/// Records every `every`-th step of a flock in which boids come and go if they may, and tells what
/// was there.
pub fn record<const D: usize>(
    path: &Path,
    boids: usize,
    steps: u64,
    every: u64,
    come_and_go: bool,
) -> (Vec<Snapshot>, Written) {
    record_flock(path, flock::<D>(boids), steps, every, come_and_go)
}

/// The same of any flock.
pub fn record_flock<const D: usize>(
    path: &Path,
    mut flock: Flock<D>,
    steps: u64,
    every: u64,
    come_and_go: bool,
) -> (Vec<Snapshot>, Written) {
    let mut about = About::flock(&flock, DT, every);
    (about.seed, about.name, about.scene) = (3, "a test".into(), "[flock]\nboids = 1 # ü\n".into());
    let mut recorder = Recorder::start(path, about).expect("a recorder");
    let mut seen = Vec::new();
    for step in 0..=steps {
        if step % every == 0 {
            recorder.capture(&flock.frame()).expect("a frame");
            seen.push(Snapshot::of(&flock.frame(), WRITTEN));
        }
        if come_and_go && step % 3 == 2 {
            flock.add([0.5 + step as f32 * 0.01; D], [0.25; D]).expect("one more");
            let first = flock.frame().living()[0];
            flock.remove(&[first]).expect("one less");
        }
        flock.step(TimeStep::new(DT).expect("a step"));
    }
    (seen, recorder.finish().expect("a recording"))
}

/// All frames of a `.wbr`.
pub fn frames(path: &Path) -> Vec<Snapshot> {
    let mut reader = WbrReader::open(path).unwrap_or_else(|error| panic!("{error}"));
    // As it is now: the file may grow.
    let (count, mut frame) = (reader.len(), Snapshot::new(reader.about().dimensions));
    let read = |k| {
        reader.read(k, &mut frame).unwrap_or_else(|error| panic!("{error}"));
        frame.clone()
    };
    (0..count).map(read).collect()
}

/// Equal to the last bit, of NaN too.
pub fn same_bits(one: &Snapshot, other: &Snapshot) -> bool {
    let bits = |frame: &Snapshot| -> Vec<Vec<u32>> {
        let columns = frame.positions.iter().chain(&frame.velocities);
        columns.map(|column| column.iter().map(|x| x.to_bits()).collect()).collect()
    };
    (one.step, one.time, &one.ids, &one.species)
        == (other.step, other.time, &other.ids, &other.species)
        && bits(one) == bits(other)
}
