//! Saved states and rollback, against copies and plain steps.

use wingbeat::Level;
use wingbeat::snapshot::{Snapshot, SnapshotRing};
use wingbeat_benches::points::{rules, uniform};
use wingbeat_benches::race::{Contender, Race, Wanted, cpu_seconds};

use crate::races::{dt, flock, stepping};

/// Keeping a state and going back to it, against copying positions, velocities and ranks into
/// buffers that are there.
pub fn kept<const D: usize>(n: usize) -> Race {
    let (state, turns) = (uniform::<D>(n, 20.0), 10_000_000 / n);
    let make = || (flock(&state, rules(), Level::detect()), Snapshot::default());
    let contender = |name: &str, wanted: Wanted, mut turn: Box<dyn FnMut()>| {
        let turn = move || cpu_seconds(|| (0..turns).for_each(|_| turn()));
        Contender::new(name, wanted, n * turns, turn)
    };
    let (from, _) = make();
    let (mut numbers, mut ranks) = (vec![Vec::new(); 2 * D], Vec::new());
    let copy = move || {
        let frame = from.frame();
        for (a, to) in numbers.iter_mut().enumerate() {
            let from = if a < D { frame.positions(a) } else { frame.velocities(a - D) };
            copy_over(to, from);
        }
        copy_over(&mut ranks, frame.ranks());
    };
    let (saving, mut into) = make();
    let save = move || saving.save(&mut into);
    let (mut loading, mut kept) = make();
    loading.save(&mut kept);
    let load = move || loading.load(&kept).expect("its own state");
    Race {
        contenders: vec![
            contender("copy", Wanted::Nothing, Box::new(copy)),
            contender("save", Wanted::Costs(1.3), Box::new(save)),
            contender("load", Wanted::Costs(1.3), Box::new(load)),
        ],
    }
}

fn copy_over<T: Copy>(to: &mut Vec<T>, from: &[T]) {
    to.clear();
    to.extend_from_slice(from);
}

/// Going back eight steps and making them again, each kept, against making eight steps.
pub fn rollback<const D: usize>(level: Level) -> Race {
    let state = uniform::<D>(10_000, 20.0);
    let straight = stepping("eight steps", Wanted::Nothing, flock(&state, rules(), level), 8);
    let mut flock = flock(&state, rules(), level);
    let mut history = SnapshotRing::new(8);
    let mut on = move || {
        for _ in 0..8 {
            history.save(&flock);
            flock.step(dt());
        }
        let first = flock.steps() - 8;
        cpu_seconds(|| {
            history.load(first, &mut flock).expect("it is kept");
            for _ in 0..8 {
                history.save(&flock);
                flock.step(dt());
            }
        })
    };
    on();
    let back = Contender::new("rollback", Wanted::Costs(1.1), 80_000, on);
    Race { contenders: vec![straight, back] }
}
