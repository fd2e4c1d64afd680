//! What is no recording in parts is refused in one line that names the part.

use std::fs;

use super::*;
use crate::Edges;

/// Two parts whose second has another description, or other frames.
fn spoilt(change: impl Fn(&mut About), spoil: impl Fn(&mut Snapshot, &Snapshot)) -> String {
    let (lab, mut world) = (Lab::new(), World::new(7));
    (world.about.dimensions, world.about.species) = (2, vec!["hare".into(), "fox".into()]);
    (world.about.dt, world.about.every, world.about.seed) = (0.5, 2, 3);
    while world.boids.len() < 9 {
        world.enter();
    }
    world.boids.iter_mut().zip(0..).for_each(|(boid, home)| boid.home = home);
    let mut about = world.about.clone();
    change(&mut about);
    let index = PartIndex::new(&lab.index(), 2).expect("an index");
    let mut sinks = [sink(&index.part(0), &world.about), sink(&index.part(1), &about)];
    for _ in 0..3 {
        let [first, mut second] = [0, 1].map(|part| world.part(part, 2));
        second.positions.resize(about.dimensions, second.positions[0].clone());
        second.velocities.resize(about.dimensions, second.velocities[0].clone());
        spoil(&mut second, &first);
        sinks
            .iter_mut()
            .zip([first, second])
            .for_each(|(sink, now)| sink.frame(&now).expect("a frame"));
        world.fly();
    }
    sinks.into_iter().for_each(|sink| assert!(sink.finish().expect("a part") > 0));
    index.write().expect("written");
    refusal(&lab.index())
}

#[test]
fn parts_of_different_recordings_are_refused() {
    type Change = fn(&mut About);
    let cases: [(Change, &str); 9] = [
        (|about| about.dimensions = 3, "dimensions = 3: allowed is 2"),
        (|about| about.dt = 0.25, "dt = 0.25: allowed is 0.5"),
        (|about| about.every = 4, "every = 4: allowed is 2"),
        (|about| about.seed = 4, "seed = 4: allowed is 3"),
        (|about| about.name = "b".into(), "another name of the scene: allowed is the same"),
        (|about| about.scene = "b = 1".into(), "another scene: allowed is the same"),
        (|about| about.edges = Edges::default(), "another domain: allowed is the same"),
        (|about| about.origin[1] = 5.0, "another origin: allowed is the same"),
        (|about| about.species[1] = "wolf".into(), "another list of species: allowed is the same"),
    ];
    for (change, expected) in cases {
        let message = spoilt(change, |_, _| ());
        assert!(message.contains(expected), "\"{expected}\" is missing from: {message}");
        assert!(
            message.contains("night.part1of2.wbr: a part of another recording, with"),
            "{message}"
        );
        assert!(message.contains("as in") && message.contains("night.part0of2.wbr"), "{message}");
    }
}

#[test]
fn frames_that_do_not_go_together_are_refused() {
    // The same boid in both: the last of one part, whose row is the first of the next.
    let message = spoilt(
        |_| (),
        |now, other| {
            if now.step == 2 {
                let shared = *other.ids.last().expect("an individual");
                now.ids = (shared..).take(now.len()).collect();
            }
        },
    );
    assert!(
        message.contains("night.wbr frame 1: boid ") && message.contains("part0of2.wbr and in "),
        "{message}"
    );
    assert!(message.ends_with("part1of2.wbr: allowed is one of the parts"), "{message}");
    let message = spoilt(|_| (), |now, _| now.time += 0.5);
    assert!(
        message.contains("part1of2.wbr frame 0: step 0 is at time 0.5: allowed is 0, as in"),
        "{message}"
    );
    let message = spoilt(|_| (), |now, _| now.step = 4 - now.step);
    assert!(
        message
            .contains("part1of2.wbr frame 1: step 2 follows step 4: allowed are steps that ascend"),
        "{message}"
    );
}

#[test]
fn parts_that_are_none_are_refused() {
    let (lab, mut world) = (Lab::new(), World::new(8));
    let index = record(&lab, &mut world, 3, 3);
    let part = index.part(2);
    let whole = fs::read(&part).expect("a part");
    let refused = |spoil: &dyn Fn(), expected: &str| {
        spoil();
        let message = refusal(&lab.index());
        assert!(
            message.contains("night.part2of3.wbr") && message.contains(expected),
            "\"{expected}\" is missing from: {message}"
        );
        let _ = fs::remove_file(&part);
        fs::write(&part, &whole).expect("a part");
    };
    refused(
        &|| fs::remove_file(&part).expect("removed"),
        "night.wbr: its part night.part2of3.wbr cannot be read: no such file: allowed is",
    );
    #[cfg(unix)]
    {
        let device = || {
            fs::remove_file(&part).expect("removed");
            std::os::unix::fs::symlink("/dev/null", &part).expect("a link");
        };
        refused(&device, "cannot be read: a device, a pipe or a socket: allowed is a regular file");
        device();
        assert_eq!(refusal(&lab.index()).matches("allowed is").count(), 1);
        fs::remove_file(&part).expect("removed");
        fs::write(&part, &whole).expect("a part");
    }
    refused(&|| fs::write(&part, "").expect("written"), "not a .wbr recording");
    refused(
        &|| fs::write(&part, "frame,id,x,y\n0,1,2,3\n").expect("written"),
        "not a .wbr recording",
    );
    refused(
        &|| fs::write(&part, &whole[..20]).expect("written"),
        "its head is damaged or cut short",
    );
    refused(
        &|| assert!(fs::copy(lab.index(), &part).expect("copied") > 0),
        "the index of a recording in parts: allowed is",
    );
    fs::remove_file(&part).expect("removed");
    fs::create_dir(&part).expect("a folder");
    assert!(
        refusal(&lab.index()).contains("night.part2of3.wbr cannot be read: it is a folder"),
        "{}",
        refusal(&lab.index())
    );
}

#[test]
fn only_a_recording_of_one_piece_is_continued_as_one() {
    let (lab, mut world) = (Lab::new(), World::new(9));
    record(&lab, &mut world, 2, 3);
    let before = fs::read(lab.index()).expect("the index");
    let part = crate::RecordedPart { frames: 1, bytes: 20 };
    let refused = crate::formats::resume(&lab.index(), &world.about, part)
        .err()
        .expect("a refusal")
        .to_string();
    assert!(
        refused.contains("the index of a recording in parts: allowed is a recording of one piece"),
        "{refused}"
    );
    assert!(fs::read(lab.index()).expect("the index") == before);
}

#[test]
fn an_index_that_cannot_be_is_refused() {
    let lab = Lab::new();
    let refused =
        |path: PathBuf, parts| PartIndex::new(&path, parts).expect_err("a refusal").to_string();
    assert!(refused(lab.beside("night.csv"), 2).contains("allowed is a name that ends in .wbr"));
    assert!(refused(lab.beside("night"), 2).contains("allowed is a name that ends in .wbr"));
    assert!(refused(lab.index(), 0).contains("0 parts beside 0: allowed are 1 to 4096"));
    assert!(refused(lab.index(), 4097).contains("4097 parts beside 0: allowed are 1 to 4096"));
    assert!(refused(lab.index(), usize::MAX).contains("allowed are 1 to 4096"));
    assert!(
        refused(lab.beside("ni\nght.wbr"), 1)
            .contains("allowed is the name of a file beside the index")
    );
    assert!(
        refused(lab.beside(&format!("{}.wbr", "n".repeat(250))), 1)
            .contains("allowed is the name of a file")
    );
    let mut index = PartIndex::new(&lab.index(), 4000).expect("an index");
    let before = index.clone();
    assert!(index.go_on(5, 97).is_err() && index == before && !index.go_on(5, 96).expect("parts"));
    let open = |path: PathBuf| PartIndex::open(&path).expect_err("a refusal").to_string();
    assert!(open(lab.index()).contains("no such file"));
    fs::write(lab.index(), "WBR").expect("written");
    assert!(open(lab.index()).contains("no index of a recording in parts"));
}
