//! Every format brings back what the engine had, to the last bit where the format allows.

use std::fs;
use std::path::{Path, PathBuf};

use wingbeat_record::{
    About, Frames, LengthUnit, Options, RecordError, Recorder, Recording, Snapshot, convert, read,
};

use crate::common::{DT, flock, frames, record, same_bits};

fn sound(path: &Path) -> Recording {
    read(path, &Options::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// The same individuals at the same places and speeds, as f32.
#[track_caller]
fn holds(recording: &Recording, seen: &[Snapshot], every: i64) {
    assert_eq!(recording.len(), seen.len());
    for (frame, seen) in recording.frames().map(|frame| frame.expect("a frame")).zip(seen) {
        assert_eq!(frame.number, seen.step / every);
        assert!((frame.time - seen.time).abs() <= 1e-9 * seen.time, "{} {}", frame.time, seen.time);
        assert_eq!(frame.rows.iter().map(|row| row.id).collect::<Vec<_>>(), seen.ids);
        for (i, row) in frame.rows.iter().enumerate() {
            assert_eq!(
                row.position.map(|x| (x as f32).to_bits()),
                seen.position(i).map(f32::to_bits)
            );
            assert_eq!(
                row.velocity.map(|v| (v as f32).to_bits()),
                seen.velocity(i).map(f32::to_bits)
            );
        }
    }
}

#[test]
fn text_arrays_and_our_own_come_back() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let formats = ["wbr", "csv", "npz", "xyz"];
    for format in formats {
        let path = folder.path().join(format!("a.{format}"));
        for (every, come_and_go) in [(1, false), (3, false), (1, true)] {
            let (seen, written) = record::<2>(&path, 30, 12, every, come_and_go);
            holds(&sound(&path), &seen, every as i64);
            assert_eq!(
                (written.frames, written.bytes),
                (seen.len() as u64, fs::metadata(&path).expect("the file").len())
            );
            let (seen, _) = record::<3>(&path, 30, 12, every, come_and_go);
            let recording = sound(&path);
            holds(&recording, &seen, every as i64);
            assert_eq!(recording.dimensions(), 3);
        }
    }
    let name = |entry: std::io::Result<fs::DirEntry>| {
        entry.expect("an entry").file_name().to_string_lossy().into_owned()
    };
    let mut names: Vec<String> =
        fs::read_dir(folder.path()).expect("the folder").map(name).collect();
    names.sort();
    let mut expected: Vec<String> = formats.iter().map(|format| format!("a.{format}")).collect();
    expected.sort_unstable();
    assert_eq!(names, expected, "nothing else is left");
}

#[test]
fn boids_that_come_and_go_are_rows_of_nan_in_arrays() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let path = folder.path().join("a.npz");
    let (seen, _) = record::<2>(&path, 5, 9, 1, true);
    let recording = sound(&path);
    // Three came and three went: eight altogether, five at a time.
    assert_eq!((recording.found().ids, recording.found().positions), (8, 50));
    assert_eq!(recording.found().missing_positions, 30);
    assert_eq!(seen[9].ids, [3, 4, 5, 6, 7]);
}

#[test]
fn edges_come_along_where_the_format_has_them() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    for (format, expected) in [("wbr", true), ("xyz", true), ("csv", false), ("npz", false)] {
        let path = folder.path().join(format!("a.{format}"));
        record::<2>(&path, 5, 2, 1, false);
        let bounds = sound(&path).edges().bounds();
        assert_eq!(bounds, expected.then_some(([-3.0, -3.0, 0.0], [7.3, 7.3, 0.0])), "{format}");
    }
}

/// What a conversion comes to, `from` and `to` in the folder.
#[test]
fn the_unit_comes_along_where_the_format_has_it() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    for unit in LengthUnit::SYMBOLS.iter().map(|symbol| LengthUnit::parse(symbol)).chain([None]) {
        let (wbr, npz) = (folder.path().join("a.wbr"), folder.path().join("a.npz"));
        let flock = flock::<2>(5);
        let about = About { unit, ..About::flock(&flock, DT, 1) };
        let mut recorder = Recorder::start(&wbr, about).expect("a recorder");
        recorder.capture(&flock.frame()).expect("a frame");
        recorder.finish().expect("a file");
        convert(&wbr, &npz, &Options::default(), 1).expect("converted");
        for path in [&wbr, &npz] {
            let recording = sound(path);
            // A recorded scene's lengths stay as they are.
            let found = (recording.found().length_unit, recording.found().scale);
            assert_eq!(found, (unit, 1.0), "{}", path.display());
            let frames = Frames::open(path, &Options::default(), &|_, _| true).expect("frames");
            assert_eq!(frames.about().unit, unit);
        }
    }
    // Other programs leave it out.
    let names = |path: &Path| {
        let bytes = fs::read(path).expect("the file");
        bytes.windows(8).any(|part| part == b"unit.npy")
    };
    assert!(!names(&folder.path().join("a.npz")), "no unit, no array");
}

fn converted(folder: &Path, from: &str, to: &str) -> PathBuf {
    let to = folder.join(to);
    convert(&folder.join(from), &to, &Options::default(), 1)
        .unwrap_or_else(|error| panic!("{error}"));
    to
}

#[test]
fn conversions_keep_every_bit() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let folder = folder.path();
    let (seen, _) = record::<3>(&folder.join("a.wbr"), 20, 8, 2, true);
    converted(folder, "a.wbr", "b.csv");
    converted(folder, "b.csv", "c.npz");
    converted(folder, "c.npz", "d.xyz");
    converted(folder, "d.xyz", "e.wbr");
    for name in ["b.csv", "c.npz", "d.xyz"] {
        holds(&sound(&folder.join(name)), &seen, 2);
    }
    let back = frames(&folder.join("e.wbr"));
    for (frame, seen) in back.iter().zip(&seen) {
        // Frames count from here on, and their times are those of the frame rate.
        let as_counted = Snapshot { step: seen.step / 2, time: frame.time, ..seen.clone() };
        assert!(same_bits(frame, &as_counted) && (frame.time - seen.time).abs() < 1e-9);
    }
    // From our own to our own, nothing changes at all.
    converted(folder, "a.wbr", "f.wbr");
    assert_eq!(
        fs::read(folder.join("a.wbr")).expect("a file"),
        fs::read(folder.join("f.wbr")).expect("a file")
    );
}

#[test]
fn conversions_can_leave_frames_out() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let (seen, _) = record::<2>(&folder.path().join("a.wbr"), 5, 12, 2, false);
    let wanted: Vec<_> = seen.iter().step_by(3).cloned().collect();
    for name in ["b.wbr", "b.csv"] {
        let to = folder.path().join(name);
        let options = Options::default();
        let converted =
            convert(&folder.path().join("a.wbr"), &to, &options, 3).expect("a conversion");
        assert_eq!(converted.written.frames, 3);
        holds(&sound(&to), &wanted, 6);
        // The same by way of rows.
        let again = folder.path().join("c.wbr");
        let half = convert(&to, &again, &options, 2);
        assert_eq!(half.expect("a conversion").written.frames, 2);
        assert_eq!(frames(&again)[1].positions, seen[6].positions);
    }
}

#[test]
fn conversions_of_every_frame_leave_none_out() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    // Two frames apart where they are nearest, and 9 is not a multiple of that from the first.
    fs::write(folder.path().join("a.txt"), "1 0 1 2\n1 4 1 3\n1 6 1 4\n1 9 1 5\n").expect("a file");
    let frames = sound(&converted(folder.path(), "a.txt", "b.csv"))
        .frames()
        .map(|frame| frame.expect("a frame").number)
        .collect::<Vec<_>>();
    assert_eq!(frames, [0, 4, 6, 9]);
}

#[test]
fn pedestrians_become_recordings_too() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    fs::write(
        folder.path().join("a.txt"),
        "# framerate: 10\n4 0 1.5 2\n4 1 1.5 2.25\n9 1 0 0\n4 2 1.5 2.5\n",
    )
    .expect("a file");
    let to = converted(folder.path(), "a.txt", "b.wbr");
    let back = frames(&to);
    assert_eq!(
        back.iter().map(|frame| frame.ids.clone()).collect::<Vec<_>>(),
        [vec![4], vec![4, 9], vec![4]]
    );
    assert_eq!((back[1].velocity(0), back[1].position(0)), ([0.0, 2.5, 0.0], [1.5, 2.25, 0.0]));
    assert!(back[1].velocity(1)[0].is_nan(), "alone: unknown");
    assert_eq!(back[2].time, 0.2);
    // An unknown velocity is an empty cell, and nan where a cell cannot be empty.
    let csv = fs::read_to_string(converted(folder.path(), "b.wbr", "c.csv")).expect("text");
    assert!(csv.contains("\n1,0.1,9,0,0,,\n"), "{csv}");
    for name in ["c.csv", "d.xyz", "d.npz"] {
        let to = if name == "c.csv" {
            folder.path().join(name)
        } else {
            converted(folder.path(), "b.wbr", name)
        };
        assert_eq!(sound(&to).found().without_velocity, 1, "{name}");
    }
}

#[test]
fn numbers_a_file_cannot_hold_are_told() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    fs::write(folder.path().join("a.csv"), "frame,id,x,y\n0,1,0.1,0.25\n0,2,16777217,5\n")
        .expect("a file");
    let to = folder.path().join("b.wbr");
    let notes = convert(&folder.path().join("a.csv"), &to, &Options::default(), 1)
        .expect("a conversion")
        .notes;
    // 0.1 comes back as 0.1.
    assert!(notes.iter().any(|note| note.contains("1 positions were rounded")), "{notes:?}");
}

#[test]
fn what_cannot_be_converted_is_refused() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let path = |name: &str| folder.path().join(name);
    record::<2>(&path("a.wbr"), 5, 2, 1, false);
    let refusal = |from: &str, to: &str, options: Options| -> RecordError {
        convert(&path(from), &path(to), &options, 1).expect_err("a refusal")
    };
    for (from, to, options, expected) in [
        (
            "a.wbr",
            "b.txt",
            Options::default(),
            "unknown kind of file: allowed is one that ends in .wbr, .npz, .csv, .xyz, .vtp, .ply",
        ),
        ("a.ply", "b.csv", Options::default(), "unknown kind of file"),
        ("a.wbr", "a.wbr", Options::default(), "allowed is another file"),
        (
            "a.wbr",
            "b.csv",
            Options { fps: Some(2.0), ..Options::default() },
            "a .wbr has its own times",
        ),
        (
            "a.wbr",
            "b.csv",
            Options { scale: Some(2.0), ..Options::default() },
            "a .wbr stays exact",
        ),
        ("absent.wbr", "b.csv", Options::default(), "no such file"),
        ("a.wbr", "absent/b.csv", Options::default(), "cannot be written"),
    ] {
        let refusal = refusal(from, to, options).to_string();
        assert!(refusal.contains(expected), "{refusal}");
    }
}

/// A number in a little-endian file.
fn f32_at(bytes: &[u8], at: usize) -> f32 {
    f32::from_le_bytes(bytes[at..at + 4].try_into().expect("4 bytes"))
}

#[test]
fn ply_is_a_file_a_frame() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let (seen, written) = record::<2>(&folder.path().join("a.ply"), 6, 4, 2, true);
    assert_eq!(written.frames, 3);
    for (k, seen) in seen.iter().enumerate() {
        let bytes = fs::read(folder.path().join(format!("a_{k:06}.ply"))).expect("a file");
        let end =
            bytes.windows(11).position(|window| window == b"end_header\n").expect("a header") + 11;
        let header = String::from_utf8(bytes[..end].to_vec()).expect("text");
        assert!(
            header.starts_with("ply\nformat binary_little_endian 1.0\n")
                && header.contains("element vertex 6\n"),
            "{header}"
        );
        assert_eq!(bytes.len(), end + 6 * 28);
        for i in 0..6 {
            let row: Vec<f32> = (0..6).map(|j| f32_at(&bytes, end + 28 * i + 4 * j)).collect();
            assert_eq!(row, [seen.position(i), seen.velocity(i)].concat());
            assert_eq!(bytes[end + 28 * i + 24..][..4], (seen.ids[i] as u32).to_le_bytes());
        }
    }
}

#[test]
fn vtp_is_a_file_a_frame_and_an_index() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let (seen, written) = record::<3>(&folder.path().join("a.vtp"), 6, 4, 2, false);
    let index = fs::read_to_string(folder.path().join("a.pvd")).expect("the index");
    let mut bytes = index.len() as u64;
    for (k, seen) in seen.iter().enumerate() {
        assert!(
            index.contains(&format!("timestep=\"{}\" part=\"0\" file=\"a_{k:06}.vtp\"", seen.time)),
            "{index}"
        );
        let content = fs::read(folder.path().join(format!("a_{k:06}.vtp"))).expect("a file");
        bytes += content.len() as u64;
        let begin =
            content.windows(2).position(|window| window == b"\n_").expect("appended data") + 2;
        let xml = String::from_utf8(content[..begin].to_vec()).expect("text");
        let offset = |name: &str| -> usize {
            let (_, rest) = xml.split_once(&format!("Name=\"{name}\"")).expect("the array");
            let (_, rest) = rest.split_once("offset=\"").expect("its offset");
            rest.split_once('"').and_then(|(digits, _)| digits.parse().ok()).expect("a number")
        };
        for (name, of) in [
            ("position", Snapshot::position as fn(&Snapshot, usize) -> [f32; 3]),
            ("velocity", Snapshot::velocity),
        ] {
            let at = begin + offset(name);
            assert_eq!(content[at..at + 8], 72u64.to_le_bytes());
            let values: Vec<f32> = (0..18).map(|i| f32_at(&content, at + 8 + 4 * i)).collect();
            assert_eq!(values, (0..6).flat_map(|i| of(seen, i)).collect::<Vec<_>>(), "{name}");
        }
        let last = begin + offset("offsets") + 8 + 5 * 8;
        assert_eq!(content[last..last + 8], 6u64.to_le_bytes());
    }
    assert_eq!((written.frames, written.bytes), (3, bytes));
}

#[test]
fn an_unfinished_recording_leaves_no_file_but_our_own() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    for format in ["csv", "npz", "xyz", "wbr"] {
        let flock = flock::<2>(5);
        let about = wingbeat_record::About::flock(&flock, DT, 1);
        let mut recorder =
            wingbeat_record::Recorder::start(&folder.path().join(format!("a.{format}")), about)
                .expect("a recorder");
        recorder.capture(&flock.frame()).expect("a frame");
        drop(recorder);
    }
    let names: Vec<_> = fs::read_dir(folder.path())
        .expect("the folder")
        .map(|e| e.expect("an entry").file_name())
        .collect();
    assert_eq!(names, ["a.wbr"]);
}
