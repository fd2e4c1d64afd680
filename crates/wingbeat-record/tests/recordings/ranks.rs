//! A flock recorded by several ranks with recorders of their own, broken off and resumed, as
//! processes would do it.

use std::fs;
use std::path::Path;

use wingbeat::steer::TimeStep;
use wingbeat::{BoidId, Flock, Flock2};
use wingbeat_record::{
    About, Recorder, Snapshot, WbrReader, prepare_folder, rank_file, remove_segments,
};

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

/// The boids of one rank, which has those in a strip of the box, as a flock.
fn of_rank(flock: &Flock2, rank: usize, size: usize) -> Flock2 {
    let mut own = Flock::builder().domain(*flock.domain()).build().expect("a flock");
    own.restore(&flock.checkpoint()).expect("the same flock");
    let strip =
        |x: f32| ((f64::from(x) + 3.0) / 10.3 * size as f64).clamp(0.0, size as f64 - 1.0) as usize;
    let others: Vec<BoidId> = own
        .frame()
        .by_id()
        .filter(|boid| strip(boid.position[0]) != rank)
        .map(|boid| boid.id)
        .collect();
    own.remove(&others).expect("the others");
    own
}

fn capture(recorders: &mut [Recorder], flock: &Flock2) {
    let size = recorders.len();
    for (rank, recorder) in recorders.iter_mut().enumerate() {
        recorder.capture(&of_rank(flock, rank, size).frame()).expect("a frame");
    }
}

/// Begins the recorders of so many ranks.
fn start(folder: &Path, resumed: Option<(u64, u64)>, size: usize, about: &About) -> Vec<Recorder> {
    prepare_folder(folder, resumed, about).expect("a folder");
    let step = resumed.map_or(0, |(step, _)| step);
    let begin = |rank| Recorder::start(&rank_file(folder, step, rank, size), about.clone());
    let recorders = (0..size).map(|rank| begin(rank).expect("a recorder")).collect();
    remove_segments(folder, step).expect("a folder");
    recorders
}

#[test]
fn a_run_that_is_broken_off_is_resumed_on_as_many_ranks_or_on_others() {
    for then in [3, 2, 5] {
        let lab = Lab::new();
        let folder = lab.path("night.wbr");
        let mut flock = flock::<2>(60);
        let about = About { seed: 3, ..About::flock(&flock, DT, 1) };
        let mut recorders = start(&folder, None, 3, &about);
        let (mut seen, mut kept, mut checkpoint) = (Vec::new(), Vec::new(), None);
        for step in 0..=CHECKPOINT + 6 {
            capture(&mut recorders, &flock);
            if step <= CHECKPOINT {
                seen.push(Snapshot::of(&flock.frame(), WRITTEN));
            }
            if step == CHECKPOINT {
                kept.extend(recorders.iter_mut().map(|recorder| recorder.sync().expect("synced")));
            }
            fly(&mut flock);
            if step == CHECKPOINT {
                checkpoint = Some(flock.checkpoint());
            }
        }
        // They are dropped, not finished: the run was killed.
        drop(recorders);
        assert!(kept.iter().all(|part| part.frames == CHECKPOINT + 1));
        flock.restore(&checkpoint.expect("a checkpoint")).expect("the flock of then");
        let resumed = Some((CHECKPOINT + 1, CHECKPOINT + 1));
        let mut recorders = start(&folder, resumed, then, &about);
        for _ in CHECKPOINT + 1..=STEPS {
            capture(&mut recorders, &flock);
            seen.push(Snapshot::of(&flock.frame(), WRITTEN));
            fly(&mut flock);
        }
        recorders
            .into_iter()
            .for_each(|recorder| assert!(recorder.finish().expect("a file").frames > 0));
        let back = frames(&folder);
        assert_eq!(back.len(), seen.len(), "{then} ranks then");
        assert!(
            back.iter().zip(&seen).all(|(back, seen)| same_bits(back, seen)),
            "{then} ranks then"
        );
        let reader = WbrReader::open(&folder).expect("a reader");
        assert_eq!((reader.about(), reader.note()), (&about, None));
        assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 3 + then);
    }
}
