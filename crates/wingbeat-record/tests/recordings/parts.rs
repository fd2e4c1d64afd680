//! A flock recorded in parts by recorders of their own, broken off and continued, as processes
//! would do it.

use std::fs;

use wingbeat::steer::TimeStep;
use wingbeat::{BoidId, Flock, Flock2};
use wingbeat_record::{About, PartIndex, RecordedPart, Recorder, Snapshot, WbrReader};

use crate::common::{DT, Lab, WRITTEN, flock, frames, same_bits};

const STEPS: u64 = 40;
/// After so many steps there is a checkpoint.
const CHECKPOINT: u64 = 17;

fn fly(flock: &mut Flock2) {
    if flock.frame().step() % 3 == 2 {
        flock.add([0.5; 2], [0.25; 2]).expect("one more");
        let first = flock.frame().living()[0];
        flock.remove(&[first]).expect("one less");
    }
    flock.step(TimeStep::new(DT).expect("a step"));
}

/// The boids of one part of a flock, which has those in a strip of the box, as a flock.
fn part_of(flock: &Flock2, part: usize, of: usize) -> Flock2 {
    let mut own = Flock::builder().domain(*flock.domain()).build().expect("a flock");
    own.restore(&flock.checkpoint()).expect("the same flock");
    let strip =
        |x: f32| ((f64::from(x) + 3.0) / 10.3 * of as f64).clamp(0.0, of as f64 - 1.0) as usize;
    let others: Vec<BoidId> = own
        .frame()
        .by_id()
        .filter(|boid| strip(boid.position[0]) != part)
        .map(|boid| boid.id)
        .collect();
    own.remove(&others).expect("the others");
    own
}

/// Captures a flock in so many parts.
fn capture(recorders: &mut [Recorder], flock: &Flock2) {
    let of = recorders.len();
    for (part, recorder) in recorders.iter_mut().enumerate() {
        recorder.capture(&part_of(flock, part, of).frame()).expect("a frame");
    }
}

#[test]
fn a_run_that_is_broken_off_goes_on_in_as_many_parts_or_in_others() {
    for then in [3, 2, 5] {
        let lab = Lab::new();
        let mut flock = flock::<2>(60);
        let about = About { seed: 3, ..About::flock(&flock, DT, 1) };
        let mut index = PartIndex::new(&lab.path("night.wbr"), 3).expect("an index");
        let start = |index: &PartIndex, part| {
            Recorder::start(&index.part(part), about.clone()).expect("a recorder")
        };
        let mut recorders: Vec<_> = (0..3).map(|part| start(&index, part)).collect();
        let (mut seen, mut kept, mut checkpoint) = (Vec::new(), Vec::<RecordedPart>::new(), None);
        for step in 0..=CHECKPOINT + 6 {
            capture(&mut recorders, &flock);
            if step <= CHECKPOINT {
                seen.push(Snapshot::of(&flock.frame(), WRITTEN));
            }
            if step == CHECKPOINT {
                kept.extend(recorders.iter_mut().map(|recorder| recorder.sync().expect("synced")));
                index.write().expect("an index");
            }
            fly(&mut flock);
            if step == CHECKPOINT {
                checkpoint = Some(flock.checkpoint());
            }
        }
        // They are dropped, not finished: the run was killed.
        drop(recorders);
        flock.restore(&checkpoint.expect("a checkpoint")).expect("the flock of then");
        let goes_on = index.go_on(CHECKPOINT + 1, then).expect("more parts");
        assert_eq!(goes_on, then == 3);
        let resume = |part| {
            Recorder::resume(&index.part(part), about.clone(), kept[part]).expect("a recorder")
        };
        let mut recorders: Vec<_> = (0..then)
            .map(|part| if goes_on { resume(part) } else { start(&index, part) })
            .collect();
        for step in CHECKPOINT + 1..=STEPS {
            capture(&mut recorders, &flock);
            seen.push(Snapshot::of(&flock.frame(), WRITTEN));
            if step == CHECKPOINT + 1 {
                index.write().expect("an index");
            }
            fly(&mut flock);
        }
        recorders
            .into_iter()
            .for_each(|recorder| assert!(recorder.finish().expect("a part").frames > 0));
        let back = frames(&lab.path("night.wbr"));
        assert_eq!(back.len(), seen.len(), "{then} parts then");
        assert!(
            back.iter().zip(&seen).all(|(back, seen)| same_bits(back, seen)),
            "{then} parts then"
        );
        let reader = WbrReader::open(&lab.path("night.wbr")).expect("a reader");
        assert_eq!((reader.about(), reader.note()), (&about, None));
        let parts = fs::read_dir(lab.path("")).expect("a folder").count() - 1;
        assert_eq!(
            (parts, index.files().count()),
            if goes_on { (3, 3) } else { (3 + then, 3 + then) }
        );
    }
}
