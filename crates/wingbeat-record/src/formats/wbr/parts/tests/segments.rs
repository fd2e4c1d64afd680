//! Recordings that were continued, in as many parts or in others.

use super::*;
use crate::formats::resume;
use crate::sink::RecordedPart;

/// A run in stretches, each in parts of some number and begun at a checkpoint of the stretch
/// before, which went on for a while and was killed. Tells how often parts were continued.
fn run(lab: &Lab, seed: u64) -> usize {
    let mut world = World::new(seed);
    let mut whole = sink(&lab.whole(), &world.about);
    let mut index: Option<PartIndex> = None;
    let mut went_on = 0;
    let mut recorded: Vec<RecordedPart> = Vec::new();
    for stretch in 0..4 {
        let parts = if stretch > 0 && world.random.one_in(2) {
            recorded.len()
        } else {
            1 + world.random.below(5)
        };
        let (now, goes_on) = match index.take() {
            None => (PartIndex::new(&lab.index(), parts).expect("an index"), false),
            Some(_) => {
                // Each process reads what is there.
                let mut there = PartIndex::open(&lab.index()).expect("an index");
                let goes_on = there.go_on(world.steps as u64, parts).expect("more parts");
                (there, goes_on)
            }
        };
        assert_eq!(
            goes_on,
            stretch > 0 && parts == recorded.len(),
            "seed {seed}, stretch {stretch}"
        );
        went_on += usize::from(goes_on);
        let mut sinks: Vec<_> = (0..parts)
            .map(|part| match goes_on {
                true => resume(&now.part(part), &world.about, recorded[part])
                    .unwrap_or_else(|error| panic!("{error}")),
                false => sink(&now.part(part), &world.about),
            })
            .collect();
        let mut write = |world: &World| {
            for (part, sink) in sinks.iter_mut().enumerate() {
                sink.frame(&world.part(part, parts)).expect("a frame");
            }
        };
        for _ in 0..1 + world.random.below(20) {
            write(&world);
            whole.frame(&world.frame(|_| true)).expect("a frame");
            world.fly();
        }
        now.write().expect("written");
        recorded = sinks.iter_mut().map(|sink| sink.sync().expect("synced")).collect();
        // What is recorded after the checkpoint is of boids that are somewhere else when it is
        // recorded again.
        let mut later = World {
            random: Random::new(seed + 1),
            about: world.about.clone(),
            boids: world.boids.clone(),
            steps: world.steps,
        };
        for sink in 0..if stretch < 3 { later.random.below(4) } else { 0 } {
            later.fly();
            later.steps = world.steps + sink as i64 * world.about.every as i64;
            sinks
                .iter_mut()
                .enumerate()
                .for_each(|(part, sink)| sink.frame(&later.part(part, parts)).expect("a frame"));
        }
        if stretch == 3 {
            sinks.into_iter().for_each(|sink| assert!(sink.finish().expect("a part") > 0));
        }
        index = Some(now);
    }
    whole.finish().expect("a recording");
    went_on
}

#[test]
fn a_run_that_goes_on_in_any_number_of_parts_is_one_recording() {
    let mut went_on = 0;
    for seed in 200..260 {
        println!("seed {seed}");
        let lab = Lab::new();
        went_on += run(&lab, seed);
        let (expected, found) = (frames(&lab.whole()), frames(&lab.index()));
        assert_eq!(expected.len(), found.len(), "seed {seed}");
        let differs = expected.iter().zip(&found).position(|(one, other)| !same_bits(one, other));
        assert_eq!(differs, None, "seed {seed}");
        assert_eq!(WbrReader::open(&lab.index()).expect("a reader").note(), None, "seed {seed}");
    }
    assert!(
        (30..150).contains(&went_on),
        "{went_on} of 180 stretches went on with the parts before"
    );
}

#[test]
fn steps_that_are_to_come_again_are_forgotten() {
    let lab = Lab::new();
    let mut index = PartIndex::new(&lab.index(), 4).expect("an index");
    let at = |index: &PartIndex| {
        (
            index.parts(),
            index.files().count(),
            index.part(0).file_name().map(|name| name.to_owned()),
        )
    };
    let named = |name: &str| Some(name.into());
    assert!(!index.go_on(501, 2).expect("parts"));
    assert_eq!(at(&index), (2, 6, named("night.from501.part0of2.wbr")));
    // Back to a checkpoint from before: the same number as now, which is another than then.
    let mut back = index.clone();
    assert!(!back.go_on(301, 2).expect("parts"));
    assert_eq!(at(&back), (2, 6, named("night.from301.part0of2.wbr")));
    // The number of then.
    assert!(back.go_on(301, 4).expect("parts"));
    assert_eq!(at(&back), (4, 4, named("night.part0of4.wbr")));
    // The same step once more, in another number; then from the beginning.
    assert!(!index.go_on(501, 3).expect("parts"));
    assert_eq!(at(&index), (3, 7, named("night.from501.part0of3.wbr")));
    assert!(!index.go_on(0, 4).expect("parts"));
    assert_eq!(index, PartIndex::new(&lab.index(), 4).expect("an index"));
}

#[test]
fn frames_before_the_first_of_a_group_are_not_read_from_it() {
    let (lab, mut world) = (Lab::new(), World::new(261));
    let mut index = PartIndex::new(&lab.index(), 2).expect("an index");
    let every = world.about.every;
    let mut sinks: Vec<_> = (0..2).map(|part| sink(&index.part(part), &world.about)).collect();
    assert!(!index.go_on(3 * every, 1).expect("more parts"));
    sinks.push(sink(&index.part(0), &world.about));
    let mut seen = Vec::new();
    for k in 0..6 {
        let [whole, empty] = [true, false].map(|wanted| world.frame(|_| wanted));
        // Each group has no individual where the other is read.
        let (one, other) = if k < 3 {
            ([world.part(0, 2), world.part(1, 2)], empty)
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
    sinks.into_iter().for_each(|sink| assert!(sink.finish().expect("a part") > 0));
    index.write().expect("written");
    let found = frames(&lab.index());
    assert!(
        found.len() == 6 && found.iter().zip(&seen).all(|(found, seen)| same_bits(found, seen))
    );
}
