//! NPZ archives, and the arrays in them: every bit is checked, and a claim is only a claim.

use std::io::{Seek, SeekFrom, Write};

use wingbeat_record::{Options, Recording, npy, read};
use wingbeat_test_support::tier;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::common::{Lab, record};

/// An archive of these arrays, as NumPy's savez writes it, or savez_compressed.
pub fn archive(arrays: &[(&str, &str, &[u64], Vec<u8>)], method: CompressionMethod) -> Vec<u8> {
    let mut archive = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, descr, shape, data) in arrays {
        archive
            .start_file(
                format!("{name}.npy"),
                SimpleFileOptions::default().compression_method(method),
            )
            .expect("an entry");
        npy::write_header(&mut archive, descr, shape).expect("a header");
        archive.write_all(data).expect("the numbers");
    }
    archive.finish().expect("an archive").into_inner()
}

/// Two individuals in three frames of a plane, whose velocities are not the differences of their
/// positions.
fn small(method: CompressionMethod) -> Vec<u8> {
    let floats = |from: i32| -> Vec<u8> {
        (from..from + 12).flat_map(|i| (i as f32 * 0.37).to_le_bytes()).collect()
    };
    let ids = [40u64, 7].map(u64::to_le_bytes).concat();
    let times = [0.0f64, 0.5, 1.0].map(f64::to_le_bytes).concat();
    let shape = [3, 2, 2];
    let tracks =
        [("position", "<f4", &shape[..], floats(0)), ("velocity", "<f4", &shape[..], floats(40))];
    let lists = [("id", "<u8", &[2][..], ids), ("time", "<f8", &[3][..], times)];
    archive(&[tracks, lists].concat(), method)
}

fn read_as(lab: &Lab, content: &[u8]) -> Result<Recording, String> {
    read(&lab.write("a.npz", content), &Options::default()).map_err(|error| error.to_string())
}

/// All numbers of a recording, to the last bit.
fn numbers(recording: &Recording) -> Vec<u64> {
    let row = |row: &wingbeat_record::Row| {
        let values = row.position.into_iter().chain(row.velocity).map(f64::to_bits);
        [row.frame as u64, row.id].into_iter().chain(values).collect::<Vec<_>>()
    };
    let all = [recording.dimensions() as u64, recording.fps().to_bits()];
    all.into_iter()
        .chain(
            recording
                .frames()
                .map(|frame| frame.expect("a frame"))
                .flat_map(|frame| frame.rows.iter().flat_map(row).collect::<Vec<_>>()),
        )
        .collect()
}

/// Flips bits of an archive, one at a time. Each flip has to be refused or to leave every number as
/// it was, tells how many were refused and how many were harmless.
fn flip(lab: &Lab, whole: &[u8], bits: impl Iterator<Item = usize>) -> (usize, usize) {
    let wanted = numbers(&read_as(lab, whole).expect("the sound archive"));
    let path = lab.path("a.npz");
    // In place: a file that is written anew waits for the disk each time.
    let mut file = std::fs::OpenOptions::new().write(true).open(&path).expect("the archive");
    let mut write = |at: usize, byte: u8| {
        file.seek(SeekFrom::Start(at as u64))
            .and_then(|_| file.write_all(&[byte]))
            .expect("a byte");
    };
    let (mut refused, mut harmless) = (0, 0);
    for bit in bits {
        let at = bit / 8;
        write(at, whole[at] ^ (1 << (bit % 8)));
        let found = read(&path, &Options::default()).map_err(|error| error.to_string());
        write(at, whole[at]);
        match found {
            Ok(recording) => {
                assert_eq!(
                    numbers(&recording),
                    wanted,
                    "bit {bit} of {} changes numbers",
                    whole.len() * 8
                );
                harmless += 1;
            }
            Err(refusal) => {
                assert!(!refusal.contains('\n') && refusal.len() < 400, "{refusal}");
                refused += 1;
            }
        }
    }
    (refused, harmless)
}

#[test]
fn no_flipped_bit_changes_a_number() {
    let lab = Lab::new();
    let stored = small(CompressionMethod::Stored);
    // Every seventh: some bit of each byte.
    let (refused, harmless) = flip(&lab, &stored, tier::sample(0..stored.len() * 8, 7));
    // Dates, versions and attributes of the archive mean nothing here; all the rest does.
    assert!(refused > 5 * harmless, "{refused} refused, {harmless} harmless");
    // Compressed, and as it is written here: a bit of every third byte, of each by night.
    record::<2>(&lab.path("a.npz"), 2, 1, 1, false);
    let written = std::fs::read(lab.path("a.npz")).expect("the archive");
    for whole in [small(CompressionMethod::Deflated), written] {
        let (refused, harmless) =
            flip(&lab, &whole, tier::sample(0..whole.len(), 3).map(|at| at * 8 + at * 5 % 8));
        assert!(refused > harmless, "{refused} refused, {harmless} harmless");
    }
}

#[test]
fn sizes_that_the_file_cannot_hold_are_refused() {
    let lab = Lab::new();
    // The size once unpacked stands before the array and in the directory, both times two bytes
    // ahead of a name's length.
    for size in [1u32 << 20, u32::MAX - 1] {
        let mut bytes = small(CompressionMethod::Deflated);
        claim(&mut bytes, size);
        lab.refused(
            "a.npz",
            &bytes,
            &["position", &format!("{size} bytes: allowed is what the file can hold")],
        );
    }
}

/// States a size for the first array of an archive, before it and in the directory.
fn claim(bytes: &mut [u8], size: u32) {
    for (signature, at) in [(b"PK\x03\x04", 22), (b"PK\x01\x02", 24)] {
        let found = bytes.windows(4).position(|window| window == signature).expect("an entry");
        bytes[found + at..found + at + 4].copy_from_slice(&size.to_le_bytes());
    }
}

#[test]
fn arrays_larger_than_stated_are_refused() {
    let lab = Lab::new();
    // Data behind an array is left alone, up to the size that is stated.
    let whole =
        archive(&[("position", "<f8", &[1, 1, 2], vec![0; 4016])], CompressionMethod::Deflated);
    assert!(read_as(&lab, &whole).is_ok());
    let mut head = Vec::new();
    npy::write_header(&mut head, "<f8", &[1, 1, 2]).expect("a header");
    let head = head.len() as u32;
    let more = "the array cannot be read (File is larger than its declared uncompressed size)";
    for (size, expected) in
        [(head + 16, more), (head + 4015, more), (head + 15, "allowed is what the file holds, 15")]
    {
        let mut bytes = whole.clone();
        claim(&mut bytes, size);
        lab.refused("a.npz", &bytes, &[expected]);
    }
}

#[test]
fn archives_cut_short_are_refused() {
    let lab = Lab::new();
    let whole = small(CompressionMethod::Stored);
    for length in 0..whole.len() {
        let refusal = read_as(&lab, &whole[..length]).expect_err("a refusal");
        assert!(refusal.contains("not a whole NPZ file"), "{length}: {refusal}");
    }
}

#[test]
fn arrays_that_were_not_asked_for_are_named() {
    let lab = Lab::new();
    let position = ("position", "<f8", &[1, 1, 2][..], vec![0; 16]);
    let more =
        archive(&[position.clone(), ("sex", "|u1", &[1], vec![1])], CompressionMethod::Stored);
    let recording = read_as(&lab, &more).expect("a recording");
    assert!(
        recording.found().notes.contains(&"arrays ignored: sex.npy".to_string()),
        "{:?}",
        recording.found().notes
    );
    let alone =
        read_as(&lab, &archive(&[position], CompressionMethod::Stored)).expect("a recording");
    assert!(!alone.found().notes.iter().any(|note| note.contains("ignored")));
}

#[test]
fn archives_that_are_no_recordings_are_refused() {
    let lab = Lab::new();
    let stored =
        |arrays: &[(&str, &str, &[u64], Vec<u8>)]| archive(arrays, CompressionMethod::Stored);
    let position = ("position", "<f8", &[2, 3, 2][..], vec![0; 96]);
    let nest = "{".repeat(40_000);
    let mut braces = b"\x93NUMPY\x01\x00".to_vec();
    braces.extend((nest.len() as u16).to_le_bytes());
    braces.extend(nest.as_bytes());
    let mut deep = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    deep.start_file("position.npy", SimpleFileOptions::default()).expect("an entry");
    deep.write_all(&braces).expect("the numbers");
    let deep = deep.finish().expect("an archive").into_inner();
    for (content, expected) in [
        (stored(&[]), "no array position"),
        (stored(&[("place", "<f8", &[1], vec![0; 8])]), "no array position"),
        (
            stored(&[("position", "<f8", &[2, 3], vec![0; 48])]),
            "position: shape [2, 3]: allowed is [frames, individuals, 2 or 3]",
        ),
        (
            stored(&[("position", "<i8", &[1, 1, 2], vec![0; 16])]),
            "position: dtype <i8: allowed is f4 or f8",
        ),
        (
            stored(&[("position", "<f8", &[9, 3, 2], vec![0; 96])]),
            "needs 432 bytes: allowed is what the file holds, 96",
        ),
        (stored(&[("position", "<f8", &[u64::MAX, 0, 2], vec![])]), "no individual in it"),
        (
            stored(&[position.clone(), ("velocity", "<f8", &[2, 2, 2], vec![0; 64])]),
            "velocity has the shape [2, 2, 2]",
        ),
        (
            stored(&[position.clone(), ("id", "<u8", &[2], vec![0; 16])]),
            "id: shape [2]: allowed is [3], as in position",
        ),
        (
            stored(&[position.clone(), ("id", "<f8", &[3], vec![0; 24])]),
            "id: dtype <f8: allowed is i1 to i8 or u1 to u8",
        ),
        (
            stored(&[position.clone(), ("id", "<i4", &[3], vec![255; 12])]),
            "id: id -1: allowed is 0 to",
        ),
        (
            stored(&[position.clone(), ("id", "<u8", &[3], vec![0; 8])]),
            "id: shape [3] needs 24 bytes",
        ),
        (
            stored(&[position.clone(), ("time", "<f8", &[9], vec![0; 72])]),
            "time: shape [9]: allowed is [2]",
        ),
        (
            stored(&[position.clone(), ("time", "<u8", &[2], vec![0; 16])]),
            "time: dtype <u8: allowed is f4 or f8",
        ),
        (deep, "in the NPY header: allowed is a key in quotes"),
    ] {
        lab.refused("a.npz", &content, &[expected]);
    }
    lab.refused("a.npy", &braces, &["in the NPY header: allowed is a key in quotes"]);
}

#[test]
fn ids_of_every_kind_are_read() {
    let lab = Lab::new();
    for (descr, data) in [
        ("|u1", vec![9, 3]),
        ("<i2", [9i16, 3].map(i16::to_le_bytes).concat()),
        (">i4", [9i32, 3].map(i32::to_be_bytes).concat()),
        ("<u4", [9u32, 3].map(u32::to_le_bytes).concat()),
        (">u8", [9u64, 3].map(u64::to_be_bytes).concat()),
    ] {
        let arrays = [("position", "<f4", &[1, 2, 2][..], vec![0; 16]), ("id", descr, &[2], data)];
        let recording =
            read_as(&lab, &archive(&arrays, CompressionMethod::Deflated)).expect("a recording");
        assert_eq!(
            recording.frame(0).expect("a frame").rows.iter().map(|row| row.id).collect::<Vec<_>>(),
            [3, 9],
            "{descr}"
        );
    }
}

/// An array in the order of Fortran, which `npy::write_header` does not write.
fn fortran(mut file: Vec<u8>) -> Vec<u8> {
    let place = file.windows(5).position(|window| window == b"False").expect("a header");
    file.splice(place..place + 5, b"True ".iter().copied());
    file
}

/// Positions and velocities may lie in either order, each in its own; larger than a block that is
/// read at once.
#[test]
fn arrays_of_one_archive_may_lie_in_different_orders() {
    let lab = Lab::new();
    let (frames, individuals) = (90, 130);
    let value = |frame: usize, i: usize, a: usize, scale: f64| {
        scale * (frame as f64 * 0.5 + i as f64 * 7.0 + a as f64 * 1000.0)
    };
    let array = |scale: f64, is_fortran: bool| {
        let mut file = Vec::new();
        npy::write_header(&mut file, "<f8", &[frames as u64, individuals as u64, 2])
            .expect("a header");
        let mut push = |frame, i, a| file.extend(value(frame, i, a, scale).to_le_bytes());
        if is_fortran {
            (0..2).for_each(|a| {
                (0..individuals).for_each(|i| (0..frames).for_each(|frame| push(frame, i, a)))
            });
            return fortran(file);
        }
        (0..frames).for_each(|frame| {
            (0..individuals).for_each(|i| (0..2).for_each(|a| push(frame, i, a)))
        });
        file
    };
    let mut found = Vec::new();
    for orders in [[false, false], [true, false], [false, true], [true, true]] {
        let mut archive = ZipWriter::new(std::io::Cursor::new(Vec::new()));
        for ((name, scale), is_fortran) in
            [("position", 1.0), ("velocity", -3.0)].into_iter().zip(orders)
        {
            archive
                .start_file(format!("{name}.npy"), SimpleFileOptions::default())
                .expect("an entry");
            archive.write_all(&array(scale, is_fortran)).expect("the numbers");
        }
        let recording = read_as(&lab, &archive.finish().expect("an archive").into_inner())
            .expect("a recording");
        let last = recording.frame(frames - 1).expect("a frame").rows[individuals - 1];
        let wanted = |scale| [0, 1].map(|a| value(frames - 1, individuals - 1, a, scale));
        assert_eq!(
            (&last.position[..2], &last.velocity[..2]),
            (&wanted(1.0)[..], &wanted(-3.0)[..]),
            "{orders:?}"
        );
        assert_eq!(recording.found().out_of_order, 0, "{orders:?}");
        found.push(numbers(&recording));
    }
    assert!(found.iter().all(|numbers| *numbers == found[0]));
}
