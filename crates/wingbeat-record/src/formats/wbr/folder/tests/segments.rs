//! Recordings of runs that were resumed, on as many ranks or on others.

use super::super::{parse, remove_segments};
use super::*;
use wingbeat_test_support::tier;

/// A run in stretches, each on some number of ranks and begun at a checkpoint of the stretch
/// before, which went on for a while and was killed.
fn run(lab: &Lab, seed: u64) {
    let mut world = World::new(seed);
    let mut whole = sink(&lab.whole(), &world.about);
    let mut frames = 0;
    for stretch in 0..4 {
        let (size, step) = (1 + world.random.below(5), world.steps as u64);
        let resumed = (stretch > 0).then_some((step, frames));
        prepare_folder(&lab.folder(), resumed, &world.about)
            .unwrap_or_else(|error| panic!("seed {seed}, stretch {stretch}: {error}"));
        let mut sinks = lab.sinks(step, size, &world.about);
        remove_segments(&lab.folder(), step).expect("removed");
        let mut write = |world: &World| {
            for (rank, sink) in sinks.iter_mut().enumerate() {
                sink.frame(&world.of_rank(rank, size)).expect("a frame");
            }
        };
        for _ in 0..1 + world.random.below(20) {
            write(&world);
            whole.frame(&world.frame(|_| true)).expect("a frame");
            frames += 1;
            world.fly();
        }
        // What is recorded after the checkpoint is of boids that are somewhere else when it is
        // recorded again.
        let mut later = World {
            random: Random::new(seed + 1),
            about: world.about.clone(),
            boids: world.boids.clone(),
            steps: world.steps,
        };
        for k in 0..if stretch < 3 { later.random.below(4) } else { 0 } {
            later.fly();
            later.steps = world.steps + k as i64 * world.about.every as i64;
            write(&later);
        }
        if stretch == 3 {
            finish(sinks);
        }
    }
    whole.finish().expect("a recording");
}

#[test]
fn a_run_that_is_resumed_on_any_number_of_ranks_is_one_recording() {
    for seed in (200..260).step_by(tier::either(4, 1)) {
        println!("seed {seed}");
        let lab = Lab::new();
        run(&lab, seed);
        let (expected, found) = (frames(&lab.whole()), frames(&lab.folder()));
        assert_eq!(expected.len(), found.len(), "seed {seed}");
        let differs = expected.iter().zip(&found).position(|(one, other)| !same_bits(one, other));
        assert_eq!(differs, None, "seed {seed}");
        assert_eq!(WbrReader::open(&lab.folder()).expect("a reader").note(), None, "seed {seed}");
    }
}

#[test]
fn segments_of_steps_that_are_to_come_again_are_removed() {
    let (lab, mut world) = (Lab::new(), World::new(1));
    record(&lab, &mut world, 2, 1);
    for step in [301, 501] {
        lab.sinks(step, 1, &world.about)[0].frame(&world.frame(|_| true)).expect("a frame");
    }
    let removed = |from| {
        remove_segments(&lab.folder(), from).expect("removed");
        lab.names()
    };
    assert_eq!(removed(502), ["0-0of2.wbr", "0-1of2.wbr", "301-0of1.wbr", "501-0of1.wbr"]);
    assert_eq!(removed(302), ["0-0of2.wbr", "0-1of2.wbr", "301-0of1.wbr"]);
    assert_eq!(removed(301), ["0-0of2.wbr", "0-1of2.wbr"]);
    // Ranks that were killed before all of them had begun.
    lab.sinks(301, 2, &world.about)[0].frame(&world.frame(|_| true)).expect("a frame");
    assert_eq!(lab.names(), ["0-0of2.wbr", "0-1of2.wbr", "301-0of2.wbr"]);
    assert_eq!(removed(401), ["0-0of2.wbr", "0-1of2.wbr"]);
    assert!(removed(0).is_empty());
}

#[test]
fn frames_before_the_first_of_a_segment_are_not_read_from_it() {
    let (lab, mut world) = (Lab::new(), World::new(261));
    prepare_folder(&lab.folder(), None, &world.about).expect("a folder");
    let mut sinks = lab.sinks(0, 2, &world.about);
    sinks.extend(lab.sinks(3 * world.about.every, 1, &world.about));
    let mut seen = Vec::new();
    for k in 0..6 {
        let [whole, empty] = [true, false].map(|wanted| world.frame(|_| wanted));
        // Each segment has no individual where the other is read.
        let (one, other) = if k < 3 {
            ([world.of_rank(0, 2), world.of_rank(1, 2)], empty)
        } else {
            ([empty.clone(), empty], whole.clone())
        };
        sinks
            .iter_mut()
            .zip(one.iter().chain([&other]))
            .for_each(|(sink, now)| sink.frame(now).expect("a frame"));
        seen.push(whole);
        world.fly();
    }
    finish(sinks);
    let found = frames(&lab.folder());
    assert!(
        found.len() == 6 && found.iter().zip(&seen).all(|(found, seen)| same_bits(found, seen))
    );
}

#[test]
fn names_have_one_spelling() {
    for (step, rank, size) in [(0, 0, 1), (501, 3, 4), (1 << 53, 9, 10)] {
        let name = rank_file(Path::new(""), step, rank, size);
        assert_eq!(parse(name.to_str().expect("a name")), Some((step, rank, size)));
    }
    for name in [
        "0-0of0.wbr",
        "0-2of2.wbr",
        "00-0of1.wbr",
        "+0-0of1.wbr",
        "-1-0of1.wbr",
        "0-00of1.wbr",
        "0-0of01.wbr",
        "0-0of1.WBR",
        "0-0of1",
        "0-0-of1.wbr",
        "0-of1.wbr",
        " 0-0of1.wbr",
        "whole.wbr",
        "9007199254740993-0of1.wbr",
        "0-99999999999999999999of1.wbr",
    ] {
        assert_eq!(parse(name), None, "{name}");
    }
}
