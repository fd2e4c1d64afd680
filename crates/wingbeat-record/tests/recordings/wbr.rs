//! Our own recordings: exact, seekable, and sound however they end.

use std::fs;

use wingbeat::steer::TimeStep;
use wingbeat_record::{About, Options, Recorder, Snapshot, WbrReader};

use crate::common::{DT, Lab, WRITTEN, flock, frames, record, same_bits};

/// A file of these bytes, opened.
fn open(lab: &Lab, bytes: &[u8]) -> Result<WbrReader, String> {
    WbrReader::open(&lab.write("part.wbr", bytes)).map_err(|error| error.to_string())
}

#[test]
fn every_frame_comes_back_bit_for_bit() {
    let lab = Lab::new();
    for (steps, every, come_and_go) in
        [(0, 1, false), (40, 1, false), (40, 3, false), (40, 1, true), (40, 7, true)]
    {
        let path = lab.path("a.wbr");
        let (flat, written) = record::<2>(&path, 90, steps, every, come_and_go);
        let back = frames(&path);
        assert_eq!(back.len(), flat.len());
        assert!(
            back.iter().zip(&flat).all(|(back, flat)| same_bits(back, flat)),
            "2-D, every {every}"
        );
        assert_eq!(
            (written.frames, written.bytes),
            (flat.len() as u64, fs::metadata(&path).expect("the file").len())
        );
        let (deep, _) = record::<3>(&path, 90, steps, every, come_and_go);
        assert!(
            frames(&path).iter().zip(&deep).all(|(back, deep)| same_bits(back, deep)),
            "3-D, every {every}"
        );
    }
}

#[test]
fn the_head_says_what_it_is_of() {
    let lab = Lab::new();
    record::<2>(&lab.path("a.wbr"), 10, 4, 2, false);
    let reader = WbrReader::open(&lab.path("a.wbr")).expect("a reader");
    let mut about = About::flock(&flock::<2>(10), DT, 2);
    (about.seed, about.name, about.scene) = (3, "a test".into(), "[flock]\nboids = 1 # ü\n".into());
    assert_eq!((reader.about(), reader.note(), reader.len()), (&about, None, 3));
    assert_eq!((reader.step(2), reader.time(2)), (4, 0.4));
    assert_eq!(about.edges.bounds(), Some(([-3.0, -3.0, 0.0], [7.3, 7.3, 0.0])));
}

#[test]
fn frames_are_found_in_any_order() {
    let lab = Lab::new();
    let (seen, _) = record::<3>(&lab.path("a.wbr"), 60, 70, 1, true);
    let mut reader = WbrReader::open(&lab.path("a.wbr")).expect("a reader");
    let mut frame = Snapshot::new(3);
    let mut k = 0;
    for _ in 0..200 {
        k = (k * 31 + 17) % seen.len();
        reader.read(k, &mut frame).expect("a frame");
        assert!(same_bits(&frame, &seen[k]), "frame {k}");
    }
}

#[test]
fn a_hash_is_the_engines_own() {
    let mut flock = flock::<3>(50);
    flock.step(TimeStep::new(DT).expect("a step"));
    let now = Snapshot::of(&flock.frame(), WRITTEN);
    assert_eq!(now.state_hash(), wingbeat::observe::state_hash(&flock.frame()));
}

#[test]
fn empty_frames_and_odd_numbers_are_recorded_too() {
    let lab = Lab::new();
    let empty = wingbeat::Flock2::builder().build().expect("an empty flock");
    let mut recorder =
        Recorder::start(&lab.path("a.wbr"), About::flock(&empty, DT, 1)).expect("a recorder");
    (0..3).for_each(|_| recorder.capture(&empty.frame()).expect("a frame"));
    recorder.finish().expect("a recording");
    let back = frames(&lab.path("a.wbr"));
    assert_eq!((back.len(), back[2].len()), (3, 0));
}

#[test]
fn a_file_cut_anywhere_yields_all_its_whole_frames() {
    let lab = Lab::new();
    let (seen, _) = record::<2>(&lab.path("a.wbr"), 7, 20, 1, true);
    let whole = fs::read(lab.path("a.wbr")).expect("the file");
    // Where frames begin and end: each chunk says how long it is.
    let length = |at: usize| {
        16 + u64::from_le_bytes(whole[at + 8..at + 16].try_into().expect("8 bytes")) as usize
    };
    let mut ends = vec![12 + length(12)];
    for _ in &seen {
        ends.push(ends[ends.len() - 1] + length(ends[ends.len() - 1]));
    }
    let mut frame = Snapshot::new(2);
    for cut in 0..whole.len() {
        let opened = open(&lab, &whole[..cut]);
        let Ok(mut reader) = opened else {
            assert!(cut < ends[0], "cut at {cut}: {opened:?}");
            continue;
        };
        let expected = ends.iter().filter(|&&end| end <= cut).count() - 1;
        assert_eq!(reader.len(), expected, "cut at {cut}");
        assert!(reader.note().is_some_and(|note| note.contains("not finished")), "cut at {cut}");
        for (k, seen) in seen.iter().enumerate().take(expected) {
            reader.read(k, &mut frame).expect("a whole frame");
            assert!(same_bits(&frame, seen), "cut at {cut}, frame {k}");
        }
    }
    assert_eq!(open(&lab, &whole).expect("the whole").note(), None);
}

/// Whatever can still be read of it; false where something was found to be wrong.
fn reads_well(lab: &Lab, bytes: &[u8], seen: &[Snapshot]) -> bool {
    let Ok(mut reader) = open(lab, bytes) else { return false };
    let mut frame = Snapshot::new(reader.about().dimensions);
    for k in 0..reader.len() {
        if reader.read(k, &mut frame).is_err() {
            return false;
        }
        assert!(same_bits(&frame, &seen[k]), "a wrong frame {k}");
    }
    reader.len() == seen.len() && reader.note().is_none()
}

#[test]
fn a_damaged_byte_is_found_wherever_it_is() {
    let lab = Lab::new();
    let (seen, _) = record::<2>(&lab.path("a.wbr"), 5, 18, 1, false);
    let whole = fs::read(lab.path("a.wbr")).expect("the file");
    assert!(reads_well(&lab, &whole, &seen));
    for at in 0..whole.len() {
        let mut damaged = whole.clone();
        damaged[at] ^= 1 << (at % 8);
        assert!(!reads_well(&lab, &damaged, &seen), "byte {at} of {}", whole.len());
        // Without the index, what lies before the damage is still there.
        let cut = &damaged[..whole.len() - 16];
        assert!(!reads_well(&lab, cut, &seen), "byte {at} of {} without the index", whole.len());
    }
}

/// A file whose chunks are sound and whose numbers lie.
fn lying(change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    lying_in(b"FRAM", change)
}

/// The same with the choice of the chunk that lies: the head or the only frame.
fn lying_in(tag: &[u8; 4], change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let lab = Lab::new();
    record::<2>(&lab.path("a.wbr"), 5, 0, 1, false);
    let whole = fs::read(lab.path("a.wbr")).expect("the file");
    let length = |at: usize| {
        u64::from_le_bytes(whole[at + 8..at + 16].try_into().expect("8 bytes")) as usize
    };
    let head_at = 12;
    let frame_at = head_at + 16 + length(head_at);
    let at = if tag == b"HEAD" { head_at } else { frame_at };
    let after = at + 16 + length(at);
    let mut payload = whole[at + 16..after].to_vec();
    change(&mut payload);
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(tag);
    hasher.update(&(payload.len() as u64).to_le_bytes());
    hasher.update(&payload);
    let sum = hasher.finalize().to_le_bytes();
    // Without the index: frames are where they are found.
    let rest = &whole[after..frame_at + 16 + length(frame_at)];
    [&whole[..at], tag, &sum, &(payload.len() as u64).to_le_bytes()[..], &payload, rest].concat()
}

#[test]
fn moments_that_cannot_be_reckoned_with_are_damage() {
    let lab = Lab::new();
    let steps = [i64::MIN, i64::MAX, (1 << 53) + 1, -(1 << 53) - 1].map(i64::to_le_bytes);
    let times = [f64::NAN, f64::INFINITY].map(f64::to_le_bytes);
    for (at, bytes) in steps.iter().map(|step| (0, step)).chain(times.iter().map(|time| (8, time)))
    {
        let bytes = lying(|payload| payload[at..at + 8].copy_from_slice(bytes));
        let reader = open(&lab, &bytes).expect("a sound head");
        assert!(
            reader.is_empty() && reader.note().is_some_and(|note| note.contains("damaged at byte")),
            "{:?}",
            reader.note()
        );
        lab.refused("a.wbr", &bytes, &["no individual in it"]);
    }
}

#[test]
fn a_box_without_an_inside_is_refused() {
    let lab = Lab::new();
    // The lowest corner is at byte 32, the highest at 44.
    for (at, corner) in [(44, -4.0f32), (44, -3.0), (32, 1e37), (32, f32::NAN)] {
        let bytes =
            lying_in(b"HEAD", |payload| payload[at..at + 4].copy_from_slice(&corner.to_le_bytes()));
        let refusal = open(&lab, &bytes).expect_err("a refusal");
        assert!(refusal.contains("allowed is") && !refusal.contains('\n'), "{refusal}");
        lab.refused("a.wbr", &bytes, &["allowed is"]);
    }
    assert!(open(&lab, &lying_in(b"HEAD", |_| {})).is_ok());
}

#[test]
fn places_beyond_all_are_damage() {
    let lab = Lab::new();
    let mut frame = Snapshot::new(2);
    for far in [f32::NAN, f32::INFINITY, -1.1e30] {
        // A frame of no individual, and one boid put into it: ids, two columns of velocity, two of
        // position.
        let planes: Vec<u8> = far.to_le_bytes().to_vec();
        let block = |bytes: &[u8]| {
            let packed = lz4_flex::block::compress(bytes);
            [&(packed.len() as u32).to_le_bytes()[..], &packed].concat()
        };
        let bytes = lying(|payload| {
            payload.truncate(40);
            payload[16..24].copy_from_slice(&1u64.to_le_bytes());
            let hash = wingbeat::observe::boid_hash(0, [far, 0.0, 0.0, 0.0].into_iter());
            payload[24..32].copy_from_slice(&hash.to_le_bytes());
            payload.extend(1u64.to_le_bytes());
            [&[0][..], &[0; 4], &[0; 4], &planes, &[0; 4]]
                .into_iter()
                .for_each(|bytes| payload.extend(block(bytes)));
        });
        let refusal = open(&lab, &bytes)
            .expect("a sound head")
            .read(0, &mut frame)
            .expect_err("a refusal")
            .to_string();
        assert!(refusal.contains("frame 0: damaged"), "{refusal}");
    }
}

/// Most memory that this process has taken so far, bytes.
#[cfg(target_os = "linux")]
fn peak() -> u64 {
    let status = fs::read_to_string("/proc/self/status").expect("the system's file");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("the line");
    1024 * line.trim().trim_end_matches(" kB").parse::<u64>().expect("a number")
}

#[test]
#[cfg(target_os = "linux")]
fn ids_of_no_boid_take_no_memory() {
    let lab = Lab::new();
    let count = 40_000_000u64;
    let packed = lz4_flex::block::compress(&vec![1; count as usize]);
    assert!(packed.len() < 200_000);
    let bytes = lying(|payload| {
        payload.truncate(40);
        payload[16..24].copy_from_slice(&count.to_le_bytes());
        payload.extend(count.to_le_bytes());
        payload.extend((packed.len() as u32).to_le_bytes());
        payload.extend(&packed);
    });
    let before = peak();
    let refusal = open(&lab, &bytes)
        .expect("a sound head")
        .read(0, &mut Snapshot::new(2))
        .expect_err("a refusal")
        .to_string();
    assert!(refusal.contains("frame 0: damaged"), "{refusal}");
    assert!(
        peak() < before + (100 << 20),
        "{} MiB for {} kB",
        (peak() - before) >> 20,
        bytes.len() >> 10
    );
}

#[test]
fn what_is_there_stays_until_there_is_a_frame() {
    let lab = Lab::new();
    let path = lab.write("a.wbr", b"an hour of work");
    let flock = flock::<2>(4);
    let start = || Recorder::start(&path, About::flock(&flock, DT, 1)).expect("a recorder");
    drop(start());
    assert_eq!(fs::read(&path).expect("the file"), b"an hour of work");
    let mut recorder = start();
    recorder.capture(&flock.frame()).expect("a frame");
    drop(recorder);
    assert_eq!(frames(&path).len(), 1);
    // Nothing is left beside it.
    assert_eq!(fs::read_dir(path.parent().expect("a folder")).expect("the folder").count(), 1);
}

#[test]
fn looking_for_frames_can_be_stopped() {
    let lab = Lab::new();
    record::<2>(&lab.path("a.wbr"), 9, 20, 1, false);
    let whole = fs::read(lab.path("a.wbr")).expect("the file");
    // Without the index all frames are looked at.
    let path = lab.write("b.wbr", &whole[..whole.len() - 16]);
    let asked = std::cell::Cell::new(0);
    let stopped = wingbeat_record::Frames::open(&path, &Options::default(), &|_, _| {
        asked.set(asked.get() + 1);
        asked.get() < 5
    });
    assert_eq!((stopped.map(|_| ()), asked.get()), (Err(wingbeat_record::RecordError::Stopped), 5));
}

#[test]
fn claims_of_gigabytes_are_refused() {
    let lab = Lab::new();
    let mut frame = Snapshot::new(2);
    // The number of boids, the size of the list of ids, the size of a block.
    for (at, claim) in [
        (16, u64::MAX),
        (16, 1 << 40),
        (16, 6),
        (40, u64::MAX),
        (40, 1 << 33),
        (48, u64::from(u32::MAX)),
    ] {
        let bytes = lying(|payload| payload[at..at + 8].copy_from_slice(&claim.to_le_bytes()));
        let mut reader = open(&lab, &bytes).expect("a sound head");
        let refusal = reader.read(0, &mut frame).expect_err("a refusal").to_string();
        assert!(refusal.contains("frame 0: damaged, at byte"), "{refusal}");
    }
    assert!(open(&lab, &lying(|_| {})).expect("a sound head").read(0, &mut frame).is_ok());
    // A chunk longer than the file is one that was cut short.
    let mut bytes = lying(|_| {});
    let at = bytes.len() - u64::from_le_bytes([0; 8]) as usize;
    bytes.extend_from_slice(b"FRAM\0\0\0\0");
    bytes.extend_from_slice(&(1u64 << 40).to_le_bytes());
    let reader = open(&lab, &bytes).expect("a sound head");
    assert_eq!((reader.len(), at), (1, bytes.len() - 16));
}

#[test]
fn garbage_is_refused_in_one_line() {
    let lab = Lab::new();
    for (bytes, expected) in [
        (&b""[..], "not a .wbr"),
        (b"frame,id,x,y\n0,1,2,3\n", "not a .wbr"),
        (b"\x89WBR\r\n\x1a\n\x02\0\0\0HEAD", "version 2"),
        (
            b"\x89WBR\r\n\x1a\n\x01\0\0\0HEAD\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff",
            "its head is damaged",
        ),
        (b"\x89WBR\r\n\x1a\n\x01\0\0\0", "its head is damaged"),
    ] {
        let refusal = open(&lab, bytes).expect_err("a refusal");
        assert!(refusal.contains(expected) && !refusal.contains('\n'), "{refusal}");
    }
}

#[test]
fn noise_under_a_sound_checksum_never_panics() {
    let lab = Lab::new();
    let mut random = wingbeat_test_support::Random::new(1);
    let mut next = || random.bits() as u16;
    let mut refused = 0;
    for _ in 0..300 {
        let bytes = lying(|payload| {
            for byte in payload {
                if next() % 32 == 0 {
                    *byte = next() as u8;
                }
            }
        });
        let mut frame = Snapshot::new(2);
        let mut reader = open(&lab, &bytes).expect("a sound head");
        // A step or a time that cannot be is found when the file is opened.
        let is_refused = reader.is_empty()
            || reader
                .read(0, &mut frame)
                .is_err_and(|refusal| refusal.to_string().contains("frame 0: damaged"));
        refused += usize::from(is_refused);
    }
    // Where the noise left a frame as it was, it is read.
    assert!(refused > 250, "{refused} of 300 refused");
}

#[test]
fn it_can_be_read_while_it_is_written() {
    let lab = Lab::new();
    let mut flock = flock::<2>(40);
    let mut recorder =
        Recorder::start(&lab.path("a.wbr"), About::flock(&flock, DT, 1)).expect("a recorder");
    let mut seen = Vec::new();
    for frame in 0..30 {
        recorder.capture(&flock.frame()).expect("a frame");
        seen.push(Snapshot::of(&flock.frame(), WRITTEN));
        flock.step(TimeStep::new(DT).expect("a step"));
        // It has its name from its first frame on.
        let so_far =
            if lab.path("a.wbr").exists() { frames(&lab.path("a.wbr")) } else { Vec::new() };
        // Three copies may wait, and the writer has one more at hand.
        assert!(
            so_far.len() <= frame + 1 && so_far.len() + 4 > frame,
            "{} of {}",
            so_far.len(),
            frame + 1
        );
        assert!(so_far.iter().zip(&seen).all(|(back, seen)| same_bits(back, seen)));
    }
    drop(recorder);
    // It was not finished: the frames are there all the same.
    assert_eq!(frames(&lab.path("a.wbr")).len(), 30);
}
