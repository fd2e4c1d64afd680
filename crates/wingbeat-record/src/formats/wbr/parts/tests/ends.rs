//! Parts that end where a crash left them.

use std::fs;

use super::*;

/// How many whole frames a file has when it is cut after so many bytes, and where its head ends.
fn ends(bytes: &[u8], frames: usize) -> (usize, Vec<usize>) {
    let length = |at: usize| {
        16 + u64::from_le_bytes(bytes[at + 8..at + 16].try_into().expect("8 bytes")) as usize
    };
    let head = 12 + length(12);
    let mut ends = Vec::new();
    for _ in 0..frames {
        let at = ends.last().copied().unwrap_or(head);
        ends.push(at + length(at));
    }
    (head, ends)
}

#[test]
fn what_not_all_parts_have_is_not_there() {
    for seed in 300..380 {
        println!("seed {seed}");
        let (lab, mut world) = (Lab::new(), World::new(seed));
        let (parts, count) = (1 + world.random.below(5), 1 + world.random.below(20));
        let index = record(&lab, &mut world, parts, count);
        let (mut least, mut is_cut) = (count, false);
        for part in index.files() {
            if world.random.one_in(3) {
                continue;
            }
            let bytes = fs::read(&part).expect("a part");
            let (head, ends) = ends(&bytes, count);
            let cut = head + world.random.below(bytes.len() - head);
            fs::write(&part, &bytes[..cut]).expect("a part");
            least = least.min(ends.iter().filter(|&&end| end <= cut).count());
            is_cut = true;
        }
        let found = frames(&lab.index());
        assert_eq!(found.len(), least, "seed {seed}");
        assert!(
            found.iter().zip(frames(&lab.whole())).all(|(one, other)| same_bits(one, &other)),
            "seed {seed}"
        );
        // As a single file says it.
        let wanted =
            is_cut.then(|| format!("the recording was not finished: it has {least} whole frames"));
        assert_eq!(
            WbrReader::open(&lab.index()).expect("a reader").note(),
            wanted.as_deref(),
            "seed {seed}"
        );
    }
}

#[test]
fn damage_is_told_with_the_part_that_has_it() {
    let (lab, mut world) = (Lab::new(), World::new(4));
    let index = record(&lab, &mut world, 3, 12);
    let mut bytes = fs::read(index.part(1)).expect("a part");
    let (_, ends) = ends(&bytes, 12);
    bytes[ends[6] + 30] ^= 4;
    fs::write(index.part(1), &bytes).expect("a part");
    // With the index at its end, the frame is refused as it is read.
    let refused = refusal(&lab.index());
    assert!(
        refused.contains("night.part1of3.wbr frame 7") && refused.contains("damaged"),
        "{refused}"
    );
    // Without, the frames before are there.
    fs::write(index.part(1), &bytes[..bytes.len() - 16]).expect("a part");
    let reader = WbrReader::open(&lab.index()).expect("a reader");
    let note = reader.note().expect("a note");
    assert!(reader.len() == 7 && note.contains("night.part1of3.wbr: damaged at byte"), "{note}");
    assert!(note.ends_with("the recording was not finished: it has 7 whole frames"), "{note}");
}

#[test]
fn a_part_whose_end_tells_other_steps_than_its_frames_is_damaged() {
    let (lab, mut world) = (Lab::new(), World::new(13));
    let index = record(&lab, &mut world, 1, 2);
    let mut bytes = fs::read(index.part(0)).expect("a part");
    let trailer = bytes.len() - 16;
    let at = u64::from_le_bytes(bytes[trailer..trailer + 8].try_into().expect("8 bytes")) as usize;
    // The step of the last frame, and the checksum of the chunk.
    bytes[at + 16 + 24 + 8] += 1;
    crate::formats::wbr::chunk::end(&mut bytes[..trailer], at);
    fs::write(index.part(0), &bytes).expect("a part");
    let refused = refusal(&lab.index());
    assert!(refused.contains("night.part0of1.wbr frame 1: damaged"), "{refused}");
}

#[test]
fn a_frame_that_a_part_lacks_is_left_out_with_a_note() {
    let (lab, mut world) = (Lab::new(), World::new(5));
    let index = PartIndex::new(&lab.index(), 2).expect("an index");
    let mut sinks = [0, 1].map(|part| sink(&index.part(part), &world.about));
    for k in 0..6 {
        for (part, sink) in sinks.iter_mut().enumerate() {
            if (k, part) != (2, 1) {
                sink.frame(&world.part(part, 2)).expect("a frame");
            }
        }
        world.fly();
    }
    sinks.into_iter().for_each(|sink| assert!(sink.finish().expect("a part") > 0));
    index.write().expect("written");
    let reader = WbrReader::open(&lab.index()).expect("a reader");
    assert_eq!(
        (reader.len(), reader.note()),
        (5, Some("1 frames that not all parts have are left out"))
    );
}

#[test]
fn parts_that_end_before_others_begin_are_told() {
    let (lab, mut world) = (Lab::new(), World::new(6));
    let mut index = record(&lab, &mut world, 2, 5);
    let every = world.about.every as i64;
    world.fly();
    index.go_on(world.steps as u64, 1).expect("more parts");
    let mut last = sink(&index.part(0), &world.about);
    last.frame(&world.frame(|_| true)).expect("a frame");
    last.finish().expect("a part");
    index.write().expect("written");
    let wanted = format!(
        "the parts up to step {} end before those from step {} on begin",
        4 * every,
        6 * every
    );
    let reader = WbrReader::open(&lab.index()).expect("a reader");
    assert_eq!((reader.len(), reader.note()), (6, Some(wanted.as_str())));
}
