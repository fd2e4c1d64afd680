//! What is no recording of several ranks is refused in one line that names the file.

use std::fs;

use super::*;
use crate::Edges;

/// Files of two ranks whose second has another description, or other frames.
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
    prepare_folder(&lab.folder(), None, &world.about).expect("a folder");
    let mut sinks = vec![sink(&lab.file(0, 2), &world.about), sink(&lab.file(1, 2), &about)];
    for _ in 0..3 {
        let [first, mut second] = [0, 1].map(|rank| world.of_rank(rank, 2));
        second.positions.resize(about.dimensions, second.positions[0].clone());
        second.velocities.resize(about.dimensions, second.velocities[0].clone());
        spoil(&mut second, &first);
        sinks
            .iter_mut()
            .zip([first, second])
            .for_each(|(sink, now)| sink.frame(&now).expect("a frame"));
        world.fly();
    }
    finish(sinks);
    refusal(&lab.folder())
}

#[test]
fn files_of_different_recordings_are_refused() {
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
        assert!(message.contains("0-1of2.wbr: a file of another recording, with"), "{message}");
        assert!(message.contains("as in") && message.contains("0-0of2.wbr"), "{message}");
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
        message.contains("night.wbr frame 1: boid ") && message.contains("0-0of2.wbr and in "),
        "{message}"
    );
    assert!(message.ends_with("0-1of2.wbr: allowed is one of the files"), "{message}");
    let message = spoilt(|_| (), |now, _| now.time += 0.5);
    assert!(
        message.contains("0-1of2.wbr frame 0: step 0 is at time 0.5: allowed is 0, as in"),
        "{message}"
    );
    let message = spoilt(|_| (), |now, _| now.step = 4 - now.step);
    assert!(
        message
            .contains("0-1of2.wbr frame 1: step 2 follows step 4: allowed are steps that ascend"),
        "{message}"
    );
}

#[test]
fn files_that_are_no_recordings_are_refused() {
    let (lab, mut world) = (Lab::new(), World::new(8));
    record(&lab, &mut world, 3, 3);
    let file = lab.file(2, 3);
    let whole = fs::read(&file).expect("a file");
    let refused = |spoil: &dyn Fn(), expected: &str| {
        spoil();
        let message = refusal(&lab.folder());
        assert!(
            message.contains("0-2of3.wbr") && message.contains(expected),
            "\"{expected}\" is missing from: {message}"
        );
        let _ = fs::remove_file(&file);
        fs::write(&file, &whole).expect("a file");
    };
    let remove = || fs::remove_file(&file).expect("removed");
    refused(&remove, "night.wbr: 0-2of3.wbr is missing: allowed is a file of each of the 3 ranks");
    #[cfg(unix)]
    {
        let device = || {
            remove();
            std::os::unix::fs::symlink("/dev/null", &file).expect("a link");
        };
        refused(&device, "cannot be read: a device, a pipe or a socket: allowed is a regular file");
        device();
        assert_eq!(refusal(&lab.folder()).matches("allowed is").count(), 1);
        remove();
        fs::write(&file, &whole).expect("a file");
    }
    refused(&|| fs::write(&file, "").expect("written"), "not a .wbr recording");
    refused(
        &|| fs::write(&file, "frame,id,x,y\n0,1,2,3\n").expect("written"),
        "not a .wbr recording",
    );
    refused(
        &|| fs::write(&file, &whole[..20]).expect("written"),
        "its head is damaged or cut short",
    );
    remove();
    fs::create_dir(&file).expect("a folder");
    let message = refusal(&lab.folder());
    assert!(
        message.contains("0-2of3.wbr: cannot be read: it is a folder: allowed is"),
        "{message}"
    );
}

#[test]
fn folders_that_are_no_recordings_are_refused() {
    let (lab, mut world) = (Lab::new(), World::new(9));
    fs::create_dir(lab.folder()).expect("a folder");
    let refused = |expected: &str| {
        let message = refusal(&lab.folder());
        assert!(message.contains(expected), "\"{expected}\" is missing from: {message}");
        let read = crate::read(&lab.folder(), &crate::Options::default()).expect_err("a refusal");
        assert_eq!(read.to_string(), message);
    };
    refused("night.wbr: a folder without a recording: allowed is one with files");
    record(&lab, &mut world, 2, 3);
    fs::write(lab.folder().join("whole.wbr"), "1").expect("written");
    refused("whole.wbr: no name of a rank's file: allowed is STEP-RANKofSIZE.wbr");
    fs::remove_file(lab.folder().join("whole.wbr")).expect("removed");
    fs::copy(lab.file(0, 2), lab.file(0, 1)).expect("copied");
    refused("files of 1 and of 2 ranks from step 0: allowed is one number of ranks");
    [lab.file(0, 1), lab.file(0, 2), lab.file(1, 2)]
        .iter()
        .for_each(|file| fs::remove_file(file).expect("removed"));
    lab.sinks(7, 1, &world.about)[0].frame(&world.frame(|_| true)).expect("a frame");
    refused("night.wbr: its first files are from step 7: allowed is step 0");
}

/// Nothing that is there is touched where a recording cannot begin or be resumed.
#[test]
fn a_folder_that_cannot_be_resumed_is_refused() {
    let (lab, mut world) = (Lab::new(), World::new(10));
    (world.about.every, world.about.seed) = (2, 3);
    record(&lab, &mut world, 2, 5);
    let before = lab.names();
    let refused = |resumed, about: &About| {
        let refused = prepare_folder(&lab.folder(), resumed, about).expect_err("a refusal");
        refused.to_string()
    };
    prepare_folder(&lab.folder(), Some((7, 4)), &world.about).expect("four frames before step 7");
    let message = refused(Some((7, 5)), &world.about);
    assert!(message.ends_with("4 frames before step 7: allowed are 5, as the checkpoint has it"));
    let other = About { seed: 4, ..world.about.clone() };
    let message = refused(Some((7, 4)), &other);
    assert!(message.ends_with("a recording of another run, with seed = 3: allowed is 4"));
    fs::write(lab.folder().join("whole.wbr"), "1").expect("written");
    assert!(refused(None, &world.about).contains("whole.wbr: no name of a rank's file"));
    fs::remove_file(lab.folder().join("whole.wbr")).expect("removed");
    assert_eq!(lab.names(), before);
    // A recording in one file is resumed as one.
    let message = prepare_folder(&lab.whole(), Some((7, 4)), &world.about).expect_err("a refusal");
    assert!(message.to_string().contains("whole.wbr: cannot read the recording"), "{message}");
    let part = crate::RecordedPart { frames: 1, bytes: 20 };
    let message = crate::formats::resume(&lab.folder(), &world.about, part).err();
    assert!(message.expect("a refusal").to_string().contains("it is a folder"));
}
