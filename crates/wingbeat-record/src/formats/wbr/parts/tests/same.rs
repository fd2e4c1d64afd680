//! A recording in parts is the recording of one piece, for every reader.

use std::fs;

use super::*;
use crate::{Frames, Options, convert, read};

#[test]
fn parts_are_read_as_one_file() {
    for seed in 0..80 {
        println!("seed {seed}");
        let (lab, mut world) = (Lab::new(), World::new(seed));
        let (parts, count) = (1 + world.random.below(6), 1 + world.random.below(40));
        record(&lab, &mut world, parts, count);
        let whole = WbrReader::open(&lab.whole()).expect("a reader");
        let mut reader =
            WbrReader::open(&lab.index()).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
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
                "seed {seed}, frame {k} of {count}, {parts} parts"
            );
        }
    }
}

#[test]
fn whatever_is_made_of_parts_is_made_of_one_file() {
    for seed in 100..116 {
        println!("seed {seed}");
        let (lab, mut world) = (Lab::new(), World::new(seed));
        // An individual has to be there for it to be measured.
        while world.boids.len() < 5 {
            world.enter();
        }
        let parts = 1 + world.random.below(6);
        record(&lab, &mut world, parts, 20);
        let options = Options::default();
        let open = |path| Frames::open(path, &options, &|_, _| true).expect("frames");
        let (one, parts) = (open(&lab.whole()), open(&lab.index()));
        assert_eq!(
            (one.about(), one.notes(), one.len()),
            (parts.about(), parts.notes(), parts.len()),
            "seed {seed}"
        );
        let (one, parts) = (read(&lab.whole(), &options), read(&lab.index(), &options));
        let (one, parts) = (one.expect("a recording"), parts.expect("a recording"));
        let rates = |fps: f64| fps.to_bits();
        assert_eq!(
            (one.found(), one.edges(), rates(one.fps())),
            (parts.found(), parts.edges(), rates(parts.fps())),
            "seed {seed}"
        );
        for k in 0..one.len() {
            let (one, parts) = (one.frame(k).expect("a frame"), parts.frame(k).expect("a frame"));
            let text = |frame: &crate::Frame<'_>| format!("{:?}", frame.rows);
            assert_eq!(text(&one), text(&parts), "seed {seed}, frame {k}");
        }
        for (format, every) in [("csv", 1), ("wbr", 1), ("xyz", 3)] {
            let converted = [lab.whole(), lab.index()].map(|from| {
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
fn progress_covers_all_parts_together_and_can_be_stopped() {
    let (lab, mut world) = (Lab::new(), World::new(1));
    let index = record(&lab, &mut world, 4, 30);
    // Without their ends parts are looked through.
    for part in index.files() {
        let bytes = fs::read(&part).expect("a part");
        fs::write(&part, &bytes[..bytes.len() - 16]).expect("a part");
    }
    let told = std::cell::RefCell::new(Vec::new());
    let watch = |done, of| {
        told.borrow_mut().push((done, of));
        true
    };
    WbrReader::open_watched(&lab.index(), &watch).expect("a reader");
    let told = told.into_inner();
    let bytes: u64 = index.files().map(|part| fs::metadata(part).expect("a part").len()).sum();
    assert!(
        told.is_sorted() && told.iter().all(|&(done, of)| done <= of && of == bytes),
        "{told:?} of {bytes}"
    );
    let stopped = WbrReader::open_watched(&lab.index(), &|done, of| done < of / 2);
    assert!(matches!(stopped, Err(crate::RecordError::Stopped)), "{stopped:?}");
}

#[test]
fn a_conversion_does_not_replace_a_part() {
    let (lab, mut world) = (Lab::new(), World::new(2));
    let index = record(&lab, &mut world, 2, 3);
    let before = fs::read(index.part(1)).expect("a part");
    let refused = convert(&lab.index(), &index.part(1), &Options::default(), 1)
        .expect_err("a refusal")
        .to_string();
    assert!(refused.contains("a part of the recording: allowed is another file"), "{refused}");
    assert!(fs::read(index.part(1)).expect("a part") == before);
    assert_eq!(crate::parts_of(&lab.index()), [index.part(0), index.part(1)]);
    assert!(
        crate::parts_of(&lab.whole()).is_empty()
            && crate::parts_of(&lab.beside("absent.wbr")).is_empty()
    );
}

#[cfg(unix)]
#[test]
fn parts_are_beside_the_index_that_a_link_leads_to() {
    let (lab, mut world) = (Lab::new(), World::new(3));
    record(&lab, &mut world, 3, 4);
    let link = lab.0.path().join("link.wbr");
    std::os::unix::fs::symlink("parts/night.wbr", &link).expect("a link");
    assert!(
        frames(&link).iter().zip(frames(&lab.whole())).all(|(one, other)| same_bits(one, &other))
    );
    let index = PartIndex::open(&link).expect("an index");
    assert_eq!(index.part(0), lab.beside("night.part0of3.wbr"));
    index.write().expect("written");
    assert!(link.is_symlink() && PartIndex::open(&lab.index()).expect("an index") == index);
}
