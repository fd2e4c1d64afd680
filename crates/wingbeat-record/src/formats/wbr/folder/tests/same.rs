//! A folder of several ranks' files is the recording of one process, for every reader.

use std::fs;

use super::super::remove_segments;
use super::*;
use crate::{Frames, Options, convert, read};

#[test]
fn a_folder_is_read_as_one_file() {
    for seed in 0..80 {
        println!("seed {seed}");
        let (lab, mut world) = (Lab::new(), World::new(seed));
        let (size, count) = (1 + world.random.below(6), 1 + world.random.below(40));
        record(&lab, &mut world, size, count);
        let whole = WbrReader::open(&lab.whole()).expect("a reader");
        let mut reader =
            WbrReader::open(&lab.folder()).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        assert_eq!(
            (reader.about(), reader.len(), reader.note()),
            (whole.about(), count, None),
            "seed {seed}"
        );
        assert!(
            (0..count).all(|k| (reader.step(k), reader.time(k)) == (whole.step(k), whole.time(k))),
            "seed {seed}"
        );
        let expected = frames(&lab.whole());
        let mut now = Snapshot::new(2);
        // In any order, and some twice in a row.
        for _ in 0..3 * count {
            let k = world.random.below(count);
            reader.read(k, &mut now).expect("a frame");
            assert!(
                same_bits(&now, &expected[k]),
                "seed {seed}, frame {k} of {count}, {size} ranks"
            );
        }
    }
}

#[test]
fn whatever_is_made_of_a_folder_is_made_of_one_file() {
    for seed in 100..116 {
        println!("seed {seed}");
        let (lab, mut world) = (Lab::new(), World::new(seed));
        // An individual has to be there for it to be measured.
        while world.boids.len() < 5 {
            world.enter();
        }
        let size = 1 + world.random.below(6);
        record(&lab, &mut world, size, 20);
        let options = Options::default();
        let open = |path| Frames::open(path, &options, &|_, _| true).expect("frames");
        let (one, many) = (open(&lab.whole()), open(&lab.folder()));
        assert_eq!(
            (one.about(), one.notes(), one.len()),
            (many.about(), many.notes(), many.len()),
            "seed {seed}"
        );
        let (one, many) = (read(&lab.whole(), &options), read(&lab.folder(), &options));
        let (one, many) = (one.expect("a recording"), many.expect("a recording"));
        let rates = |fps: f64| fps.to_bits();
        assert_eq!(
            (one.found(), one.edges(), rates(one.fps())),
            (many.found(), many.edges(), rates(many.fps())),
            "seed {seed}"
        );
        for k in 0..one.len() {
            let (one, many) = (one.frame(k).expect("a frame"), many.frame(k).expect("a frame"));
            let text = |frame: &crate::Frame<'_>| format!("{:?}", frame.rows);
            assert_eq!(text(&one), text(&many), "seed {seed}, frame {k}");
        }
        for (format, every) in [("csv", 1), ("wbr", 1), ("xyz", 3)] {
            let converted = [lab.whole(), lab.folder()].map(|from| {
                let to = from.with_extension(format!("again.{format}"));
                let notes = convert(&from, &to, &options, every)
                    .unwrap_or_else(|error| panic!("{error}"))
                    .notes;
                (fs::read(to).expect("a file"), notes)
            });
            assert!(converted[0] == converted[1], "seed {seed}, {format}");
            if (format, every) == ("wbr", 1) {
                assert!(
                    converted[1].0 == fs::read(lab.whole()).expect("a file"),
                    "seed {seed}: the one file again"
                );
            }
        }
    }
}

#[test]
fn progress_covers_all_files_together_and_can_be_stopped() {
    let (lab, mut world) = (Lab::new(), World::new(1));
    record(&lab, &mut world, 4, 30);
    // Without their ends files are looked through.
    for rank in 0..4 {
        let bytes = fs::read(lab.file(rank, 4)).expect("a file");
        fs::write(lab.file(rank, 4), &bytes[..bytes.len() - 16]).expect("a file");
    }
    let told = std::cell::RefCell::new(Vec::new());
    let watch = |done, of| {
        told.borrow_mut().push((done, of));
        true
    };
    WbrReader::open_watched(&lab.folder(), &watch).expect("a reader");
    let told = told.into_inner();
    let length = |rank| fs::metadata(lab.file(rank, 4)).expect("a file").len();
    let bytes: u64 = (0..4).map(length).sum();
    assert!(
        told.is_sorted() && told.iter().all(|&(done, of)| done <= of && of == bytes),
        "{told:?} of {bytes}"
    );
    let stopped = WbrReader::open_watched(&lab.folder(), &|done, of| done < of / 2);
    assert!(matches!(stopped, Err(crate::RecordError::Stopped)), "{stopped:?}");
}

#[test]
fn a_conversion_does_not_write_into_the_folder() {
    let (lab, mut world) = (Lab::new(), World::new(2));
    record(&lab, &mut world, 2, 3);
    let before = fs::read(lab.file(1, 2)).expect("a file");
    for to in [lab.file(1, 2), lab.folder().join("new.csv")] {
        let refused = convert(&lab.folder(), &to, &Options::default(), 1).expect_err("a refusal");
        let refused = refused.to_string();
        assert!(refused.contains("allowed is a file outside of it"), "{refused}");
    }
    assert!(fs::read(lab.file(1, 2)).expect("a file") == before);
    assert_eq!(lab.names(), ["0-0of2.wbr", "0-1of2.wbr"]);
}

#[test]
fn what_is_no_recording_in_the_folder_is_left_alone() {
    let (lab, mut world) = (Lab::new(), World::new(3));
    record(&lab, &mut world, 3, 4);
    for name in ["notes.txt", ".wingbeat-abc123.wbr", ".DS_Store"] {
        fs::write(lab.folder().join(name), "1").expect("written");
    }
    let same = |path: &Path| {
        let expected = frames(&lab.whole());
        frames(path).iter().zip(&expected).all(|(one, other)| same_bits(one, other))
    };
    assert!(same(&lab.folder()));
    #[cfg(unix)]
    {
        let link = lab.0.path().join("link.wbr");
        std::os::unix::fs::symlink("night.wbr", &link).expect("a link");
        assert!(same(&link));
    }
    remove_segments(&lab.folder(), 0).expect("removed");
    assert_eq!(lab.names(), [".DS_Store", ".wingbeat-abc123.wbr", "notes.txt"]);
}
