//! What is measured of a flock is measured of its recording.

use std::fmt::Write;

use wingbeat::{
    Alignment, Cohesion, Domain, Flock3, Params, Rules, Separation, Shape, Spawn, TimeStep,
};
use wingbeat_measure::{Measurable, observables};
use wingbeat_record::{About, Options, Recorder, read};

use crate::recorded;

fn rules(weight: f32) -> Params {
    Params {
        rules: Rules {
            separation: Some(Separation { weight, ..Default::default() }),
            alignment: Some(Alignment::default()),
            cohesion: Some(Cohesion::default()),
            ..Default::default()
        },
        ..Default::default()
    }
}

#[test]
fn simulated_and_recorded_measure_alike() {
    let spawn = Spawn { shape: Shape::Box { min: [0.0; 3], max: [5.0; 3] }, ..Spawn::default() };
    let mut flock =
        Flock3::builder().params(rules(2.0)).seed(4).spawn(150, spawn).build().expect("a flock");
    let mut csv = String::from("frame,id,x,y,z,vx,vy,vz\n");
    let mut positions_only = String::from("frame,id,x,y,z\n");
    let mut simulated = Vec::new();
    for step in 0..20 {
        simulated.push(observables(&flock.frame(), &Domain::open(), Some(0.8)));
        // In slot order, as a recorder that does not sort would.
        for boid in flock.frame().by_slot() {
            let ([x, y, z], [vx, vy, vz]) =
                (boid.position.map(f64::from), boid.velocity.map(f64::from));
            writeln!(csv, "{step},{},{x},{y},{z},{vx},{vy},{vz}", boid.id.get()).expect("a string");
            writeln!(positions_only, "{step},{},{x},{y},{z}", boid.id.get()).expect("a string");
        }
        flock.step(TimeStep::new(0.01).expect("a step"));
    }
    let measure = |text: &str| -> Vec<_> {
        recorded("run.csv", text, 100.0)
            .frames()
            .map(|frame| frame.expect("a frame").observables(Some(0.8)))
            .collect()
    };
    // With the velocities in the file, every number is the same to the last bit.
    assert_eq!(measure(&csv), simulated);
    // From positions alone, velocities are those half a step away on either side.
    for (got, wanted) in measure(&positions_only).iter().zip(&simulated).skip(1) {
        assert_eq!(
            (got.nearest_neighbor_distance, got.density),
            (wanted.nearest_neighbor_distance, wanted.density)
        );
        assert_eq!((got.groups, got.largest_group), (wanted.groups, wanted.largest_group));
        let (got, wanted) =
            (got.polarization.expect("a value"), wanted.polarization.expect("a value"));
        assert!((got - wanted).abs() < 0.01, "{got}, wanted {wanted}");
    }
}

#[test]
fn what_is_measured_of_a_recording_is_what_is_measured_of_the_flock() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let path = folder.path().join("a.wbr");
    let (min, max) = ([-3.0; 3], [7.3; 3]);
    let spawn = Spawn { shape: Shape::Box { min, max }, ..Spawn::default() };
    let mut flock = Flock3::builder()
        .params(rules(1.0))
        .domain(Domain::periodic(min, max))
        .seed(3)
        .spawn(200, spawn)
        .build()
        .expect("a flock");
    let mut recorder = Recorder::start(&path, About::flock(&flock, 0.1, 2)).expect("a recorder");
    let mut expected = Vec::new();
    for step in 0..7 {
        if step % 2 == 0 {
            recorder.capture(&flock.frame()).expect("a frame");
            expected.push(observables(&flock.frame(), flock.domain(), Some(1.0)));
        }
        flock.step(TimeStep::new(0.1).expect("a step"));
    }
    recorder.finish().expect("a recording");
    let recording = read(&path, &Options::default()).expect("a recording");
    assert!((recording.fps() - 5.0).abs() < 1e-12);
    let measured: Vec<_> = recording
        .frames()
        .map(|frame| frame.expect("a frame"))
        .map(|frame| frame.observables(Some(1.0)))
        .collect();
    assert_eq!(measured, expected);
}
