//! Flocks that come and go, and what was recorded of them.
#![allow(dead_code, reason = "each test file uses its own part")]

use std::path::Path;

use wingbeat::steer::TimeStep;
use wingbeat::{Alignment, BoidId, Cohesion, Domain, Flock, Params, Separation, Shape, Spawn};
use wingbeat_record::{About, Recorder, Snapshot, WbrReader, Written};

pub const DT: f32 = 0.1;

/// A flock that wraps around its box.
pub fn flock<const D: usize>(boids: usize) -> Flock<D> {
    let params = Params {
        separation: Some(Separation::default()),
        alignment: Some(Alignment::default()),
        cohesion: Some(Cohesion::default()),
        ..Default::default()
    };
    let (min, max) = ([-3.0; D], [7.3; D]);
    let spawn = Spawn { shape: Shape::Box { min, max }, ..Spawn::default() };
    let builder = Flock::<D>::builder().params(params).domain(Domain::periodic(min, max)).seed(3);
    builder.spawn(boids, &spawn).build().expect("a flock")
}

/// Records every `every`-th step of a flock in which boids come and go if they may, and tells what was there.
pub fn record<const D: usize>(path: &Path, boids: usize, steps: u64, every: u64, come_and_go: bool) -> (Vec<Snapshot>, Written) {
    let mut flock = flock::<D>(boids);
    let mut about = About::flock(&flock, DT, every);
    (about.seed, about.name, about.scene) = (3, "a test".into(), "[flock]\nboids = 1 # ü\n".into());
    let mut recorder = Recorder::start(path, about).expect("a recorder");
    let mut seen = Vec::new();
    for step in 0..=steps {
        if step % every == 0 {
            recorder.capture(&flock.frame()).expect("a frame");
            seen.push(Snapshot::of(&flock.frame(), f64::from(DT)));
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

pub fn id(number: u64) -> BoidId {
    BoidId::new(number)
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
    (one.step, one.time, &one.ids) == (other.step, other.time, &other.ids) && bits(one) == bits(other)
}
