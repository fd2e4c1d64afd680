//! Files that end where a crash left them.

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
fn what_not_all_files_have_is_not_there() {
    for seed in 300..380 {
        println!("seed {seed}");
        let (lab, mut world) = (Lab::new(), World::new(seed));
        let (size, count) = (1 + world.random.below(5), 1 + world.random.below(20));
        record(&lab, &mut world, size, count);
        let (mut least, mut is_cut) = (count, false);
        for file in (0..size).map(|rank| lab.file(rank, size)) {
            if world.random.one_in(3) {
                continue;
            }
            let bytes = fs::read(&file).expect("a file");
            let (head, ends) = ends(&bytes, count);
            let cut = head + world.random.below(bytes.len() - head);
            fs::write(&file, &bytes[..cut]).expect("a file");
            least = least.min(ends.iter().filter(|&&end| end <= cut).count());
            is_cut = true;
        }
        let found = frames(&lab.folder());
        assert_eq!(found.len(), least, "seed {seed}");
        assert!(
            found.iter().zip(frames(&lab.whole())).all(|(one, other)| same_bits(one, &other)),
            "seed {seed}"
        );
        // As a single file says it.
        let wanted =
            is_cut.then(|| format!("the recording was not finished: it has {least} whole frames"));
        assert_eq!(
            WbrReader::open(&lab.folder()).expect("a reader").note(),
            wanted.as_deref(),
            "seed {seed}"
        );
    }
}

#[test]
fn damage_is_named_with_its_file() {
    let (lab, mut world) = (Lab::new(), World::new(4));
    record(&lab, &mut world, 3, 12);
    let mut bytes = fs::read(lab.file(1, 3)).expect("a file");
    let (_, ends) = ends(&bytes, 12);
    bytes[ends[6] + 30] ^= 4;
    fs::write(lab.file(1, 3), &bytes).expect("a file");
    // With the index at its end, the frame is refused as it is read.
    let refused = refusal(&lab.folder());
    assert!(refused.contains("0-1of3.wbr frame 7") && refused.contains("damaged"), "{refused}");
    // Without, the frames before are there.
    fs::write(lab.file(1, 3), &bytes[..bytes.len() - 16]).expect("a file");
    let reader = WbrReader::open(&lab.folder()).expect("a reader");
    let note = reader.note().expect("a note");
    assert!(reader.len() == 7 && note.contains("0-1of3.wbr: damaged at byte"), "{note}");
    assert!(note.ends_with("the recording was not finished: it has 7 whole frames"), "{note}");
}

#[test]
fn a_file_whose_end_has_other_steps_than_its_frames_is_damaged() {
    let (lab, mut world) = (Lab::new(), World::new(13));
    record(&lab, &mut world, 1, 2);
    let mut bytes = fs::read(lab.file(0, 1)).expect("a file");
    let trailer = bytes.len() - 16;
    let at = u64::from_le_bytes(bytes[trailer..trailer + 8].try_into().expect("8 bytes")) as usize;
    // The step of the last frame, and the checksum of the chunk.
    bytes[at + 16 + 24 + 8] += 1;
    crate::formats::wbr::chunk::end(&mut bytes[..trailer], at);
    fs::write(lab.file(0, 1), &bytes).expect("a file");
    let refused = refusal(&lab.folder());
    assert!(refused.contains("0-0of1.wbr frame 1: damaged"), "{refused}");
}

#[test]
fn a_frame_that_a_file_lacks_is_left_out_with_a_note() {
    let (lab, mut world) = (Lab::new(), World::new(5));
    prepare_folder(&lab.folder(), None, &world.about).expect("a folder");
    let mut sinks = lab.sinks(0, 2, &world.about);
    for k in 0..6 {
        for (rank, sink) in sinks.iter_mut().enumerate() {
            if (k, rank) != (2, 1) {
                sink.frame(&world.of_rank(rank, 2)).expect("a frame");
            }
        }
        world.fly();
    }
    finish(sinks);
    let reader = WbrReader::open(&lab.folder()).expect("a reader");
    assert_eq!(
        (reader.len(), reader.note()),
        (5, Some("1 frames that not all files have are left out"))
    );
}

#[test]
fn a_gap_between_segments_is_noted() {
    let (lab, mut world) = (Lab::new(), World::new(6));
    record(&lab, &mut world, 2, 5);
    let every = world.about.every as i64;
    world.fly();
    let mut last = lab.sinks(world.steps as u64, 1, &world.about);
    last[0].frame(&world.frame(|_| true)).expect("a frame");
    finish(last);
    let wanted = format!("there is no frame between steps {} and {}", 4 * every, 6 * every);
    let reader = WbrReader::open(&lab.folder()).expect("a reader");
    assert_eq!((reader.len(), reader.note()), (6, Some(wanted.as_str())));
}

/// A run that is killed as it is resumed, before all ranks have a frame: what was recorded before
/// is all there, frames after the checkpoint too.
#[test]
fn a_segment_without_a_whole_frame_takes_nothing_away() {
    let (lab, mut world) = (Lab::new(), World::new(7));
    record(&lab, &mut world, 2, 8);
    let every = world.about.every as i64;
    let expected = frames(&lab.whole());
    let is_all_there = || {
        let found = frames(&lab.folder());
        found.len() == 8
            && found.iter().zip(&expected).all(|(found, whole)| same_bits(found, whole))
    };
    world.steps = 5 * every;
    let mut again = lab.sinks(5 * every as u64, 2, &world.about);
    again[1].frame(&world.of_rank(1, 2)).expect("a frame");
    assert!(is_all_there());
    let step = 5 * every;
    let note = format!("{step}-0of2.wbr is missing: files of step {step} are not read");
    let reader = WbrReader::open(&lab.folder()).expect("a reader");
    assert_eq!(reader.note(), Some(note.as_str()));
    // Both have a file, but no frame in common.
    world.fly();
    again[0].frame(&world.of_rank(0, 2)).expect("a frame");
    assert!(is_all_there());
    again[1].frame(&world.of_rank(1, 2)).expect("a frame");
    assert_eq!(frames(&lab.folder()).len(), 6, "five, and the one that both have");
}
