//! Files that are no recordings: refused in one line that says where and what is allowed.

use std::io::Write;

use wingbeat_record::{Options, checkpoint, read};

use crate::common::Lab;
use wingbeat_test_support::ThreadTime;

#[test]
fn texts_that_are_no_recordings() {
    let lab = Lab::new();
    for (content, expected) in [
        ("", &["column frame is missing"][..]),
        ("frame,id,x,y\n", &["no individual in it", "at least one"]),
        ("frame,id,x,y\n0,1,,\n", &["no individual's position"]),
        ("frame,id,x\n0,1,2\n", &["csv:1", "column y is missing", "frame,id,x,y[,z]"]),
        ("id,x,y\n0,1,2\n", &["column frame is missing"]),
        ("frame,id,x,y,x\n", &["column x appears twice"]),
        ("frame,id,x,y,vx\n0,1,2,3,4\n", &["column vy is missing"]),
        ("frame,id,x,y,vx,vy,vz\n0,1,2,3,4,5,6\n", &["vz without a column z"]),
        ("frame,id,x,y\n0,1,2,3\n1,1,2\n", &["csv:3", "the row has 3 columns", "allowed is 4"]),
        ("frame,id,x,y\n0,1,2,door\n", &["csv:2", "column y = \"door\"", "allowed is a number"]),
        ("frame,id,x,y\n0,1,2,inf\n", &["column y = \"inf\""]),
        ("frame,id,x,y\n0,1,2,1e31\n", &["column y = \"1e31\"", "1e30"]),
        ("frame,id,x,y\n0.5,1,2,3\n", &["column frame = \"0.5\"", "a whole number"]),
        ("frame,id,x,y\n99999999999999999999,1,2,3\n", &["column frame"]),
        ("frame,id,x,y\n0,-1,2,3\n", &["column id = \"-1\""]),
        ("frame,id,x,y\n0,\"1,2,3\n0,1,2,3\n", &["csv:2", "column id = \"\\\"1\""]),
    ] {
        // What the list calls a quote is shown as it stands in the file.
        let expected: Vec<String> =
            expected.iter().map(|part| part.replace("\\\"", "\"")).collect();
        lab.refused("a.csv", content, &expected.iter().map(String::as_str).collect::<Vec<_>>());
    }
    for (content, expected) in [
        ("", &["no individual in it"][..]),
        ("# only\n\n#comments\n", &["no individual in it"]),
        ("1 0 2\n", &["txt:1", "has 3 columns", "4 or 5"]),
        ("1 0 2 3\n1 1 2 3 4\n", &["txt:2", "has 5 columns", "allowed is 4"]),
        ("1 0 2 3\n\n1 1 2 x\n", &["txt:3", "column y = \"x\""]),
        ("a 0 2 3\n", &["column id = \"a\""]),
        ("1 0 2 3 tall\n", &["column z = \"tall\""]),
    ] {
        lab.refused("a.txt", content, expected);
    }
    lab.refused("a.txt", b"1 0 2 3\n1 1 \xff 3\n", &["txt:2", "UTF-8"]);
    lab.refused("a.csv", b"frame,id,x,y\n0,1,\xff,3\n", &["csv:2", "UTF-8"]);
    lab.refused("a.txt", format!("1 0 2 {}\n", "9x".repeat(5000)), &["txt:1", "…"]);
}

fn npy(descr: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let padded = format!(
        "{:<117}\n",
        format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}")
    );
    [b"\x93NUMPY\x01\x00", &(padded.len() as u16).to_le_bytes()[..], padded.as_bytes(), data]
        .concat()
}

#[test]
fn arrays_that_are_no_recordings() {
    let lab = Lab::new();
    let four = [0u8; 32];
    for (content, expected) in [
        (Vec::new(), &["not an NPY file"][..]),
        (b"PK\x03\x04 something else".to_vec(), &["not an NPY file"]),
        (npy("<f4", "(2, 4)", &four), &["shape [2, 4]", "[frames, individuals, 2 or 3]"]),
        (npy("<f4", "(2, 1, 4)", &four), &["shape [2, 1, 4]"]),
        (npy("<i4", "(2, 2, 2)", &four), &["dtype", "f4 or f8"]),
        (npy("<f4", "(2, 3, 2)", &four), &["needs 48 bytes", "allowed is what the file holds, 32"]),
        (npy("<f4", "(20, 3, 2)", &four), &["needs 480 bytes", "allowed is what the file holds"]),
        (npy("<f4", "(1000000000, 100000, 2)", &four), &["needs 800000000000000 bytes"]),
        (
            npy("<f4", "(9999999999999, 9999999999999, 2)", &four),
            &["needs 799999999999840000000000008 bytes"],
        ),
        (npy("<f4", "(0, 4, 2)", &[]), &["no individual in it"]),
        // No individual in more frames than can be counted: no time passes over them.
        (npy("<f4", "(9999999999999999999, 0, 2)", &[]), &["no individual in it"]),
        (npy("<f4", "(1, 1, 2)", &f32::NAN.to_le_bytes().repeat(2)), &["no individual's position"]),
        (
            npy("<f4", "(1, 1, 2)", &f32::INFINITY.to_le_bytes().repeat(2)),
            &["frame 0 individual 0", "coordinate 0 = inf"],
        ),
    ] {
        lab.refused("a.npy", content, expected);
    }
}

#[test]
fn files_that_cannot_be_read() {
    let lab = Lab::new();
    lab.refused("a.json", "{}", &["unknown kind of file", ".npy, .npz, .csv, .tsv, .xyz, .txt"]);
    lab.refused("bare", "1 0 2 3\n", &["unknown kind of file"]);
    let absent =
        read(&lab.path("absent.csv"), &Options::default()).expect_err("a refusal").to_string();
    assert!(absent.contains("no such file"), "{absent}");
    std::fs::create_dir(lab.path("folder.csv")).expect("a folder");
    let folder =
        read(&lab.path("folder.csv"), &Options::default()).expect_err("a refusal").to_string();
    assert!(folder.contains("it is a folder"), "{folder}");
    let sound = lab.write("a.txt", b"1 0 2 3\n");
    for options in [
        Options { fps: Some(0.0), ..Options::default() },
        Options { fps: Some(f64::NAN), ..Options::default() },
        Options { scale: Some(-1.0), ..Options::default() },
        Options { scale: Some(1e10), ..Options::default() },
    ] {
        let refusal = read(&sound, &options).expect_err("a refusal").to_string();
        assert!(refusal.contains("allowed is 1e-"), "{refusal}");
    }
}

/// A device, a pipe without a writer and a pipe without an end, under the name of every format that
/// is read.
#[test]
#[cfg(unix)]
fn files_without_end_are_refused_at_once() {
    let lab = Lab::new();
    let begun = std::time::Instant::now();
    for ending in wingbeat_record::readable() {
        for device in ["/dev/zero", "/dev/urandom", "/dev/null", "pipe"] {
            let path = lab.path(&format!("{}.{ending}", device.trim_start_matches("/dev/")));
            if device == "pipe" {
                assert!(
                    std::process::Command::new("mkfifo")
                        .arg(&path)
                        .status()
                        .expect("mkfifo runs")
                        .success()
                );
            } else {
                std::os::unix::fs::symlink(device, &path).expect("a link");
            }
            let refusals = [
                read(&path, &Options::default()).expect_err("a refusal"),
                wingbeat_record::Frames::open(&path, &Options::default(), &|_, _| true)
                    .expect_err("a refusal"),
            ];
            for refusal in refusals.map(|refusal| refusal.to_string()) {
                assert!(
                    refusal.contains("allowed is a regular file") && refusal.contains(ending),
                    "{refusal}"
                );
            }
        }
    }
    assert!(begun.elapsed().as_secs() < 30);
}

/// More than any machine has, sparse on the disk: no room is made for it.
#[test]
fn a_checkpoint_larger_than_memory_is_refused() {
    let lab = Lab::new();
    let path = lab.write("huge", b"WBCKPT\r\n");
    std::fs::File::options()
        .append(true)
        .open(&path)
        .and_then(|file| file.set_len(1 << 43))
        .expect("a sparse file");
    let refusal = checkpoint::load::<2>(&path).expect_err("too large").to_string();
    assert!(refusal.contains("huge: 8796093022208 bytes: allowed is what the "), "{refusal}");
    assert!(refusal.ends_with(" GiB of free memory hold"), "{refusal}");
}

/// A checkpoint with a right checksum whose LZ4 block unpacks to 255 times its bytes.
#[cfg(target_os = "linux")]
fn bomb(packed_bytes: usize) -> (Vec<u8>, usize) {
    // A literal 0, repeated as often as the bytes 255 say; five literals end a block.
    let longer = packed_bytes - 11;
    let mut packed = vec![0x1f, 0, 1, 0];
    packed.resize(4 + longer, 255);
    packed.extend([0, 0x50, 0, 0, 0, 0, 0]);
    let plain = 1 + (4 + 15 + 255 * longer) + 5;
    let kind = "flock of 2 dimensions";
    let mut rest =
        [&(plain as u64).to_le_bytes()[..], &(kind.len() as u32).to_le_bytes(), kind.as_bytes()]
            .concat();
    rest.extend(packed);
    let sum = crc32fast::hash(&rest);
    ([b"WBCKPT\r\n", &3u32.to_le_bytes()[..], &sum.to_le_bytes(), &rest].concat(), plain)
}

/// The most memory that this process has had, in bytes.
#[cfg(target_os = "linux")]
fn most_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("a status");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("its memory");
    line.trim_end_matches("kB").trim().parse::<u64>().expect("a number") << 10
}

#[test]
#[cfg(target_os = "linux")]
fn a_checkpoint_that_unpacks_to_gigabytes_takes_little() {
    let lab = Lab::new();
    let (bytes, plain) = bomb(8 << 20);
    assert!(plain > 2_000_000_000);
    let path = lab.write("bomb.wbc", &bytes);
    let before = most_memory();
    let refusal = checkpoint::load::<2>(&path).expect_err("no flock").to_string();
    let allowed =
        ["not what a flock of 2 dimensions is written as", "bytes unpacked: allowed is what the "];
    assert!(allowed.iter().any(|allowed| refusal.contains(allowed)), "{refusal}");
    assert!(most_memory() - before < 1 << 30, "{} MiB", (most_memory() - before) >> 20);
    // As small as any machine holds, and cut short.
    let (bytes, _) = bomb(5000);
    let small = lab.write("small.wbc", &bytes);
    let refusal = checkpoint::load::<2>(&small).expect_err("no flock").to_string();
    assert!(refusal.contains("not what a flock of 2 dimensions is written as"), "{refusal}");
}

#[test]
fn gaps_are_counted_however_long() {
    let lab = Lab::new();
    let far = 1i64 << 53;
    let rows: String = (1..1100).map(|id| format!("{},{id},0,0\n{far},{id},1,1\n", -far)).collect();
    let path = lab.write("a.csv", format!("frame,id,x,y\n0,0,1,1\n1,0,2,2\n{rows}").as_bytes());
    let recording = read(&path, &Options::default()).expect("a recording");
    assert_eq!((recording.found().gaps, recording.found().gap_frames), (1099, u64::MAX));
}

#[test]
fn a_gigabyte_of_garbage_is_refused_at_its_first_bad_line() {
    let lab = Lab::new();
    for (name, head, bad) in [
        ("zeros.csv", "", "longer than"),
        ("zeros.txt", "", "longer than"),
        ("late.txt", "1 0 2 3\n", "longer than"),
    ] {
        let path = lab.write(name, head.as_bytes());
        // Sparse: a gigabyte of zero bytes that takes no room on the disk.
        let mut file = std::fs::OpenOptions::new().append(true).open(&path).expect("the file");
        file.flush().and_then(|()| file.set_len(1 << 30)).expect("a sparse file");
        let begun = ThreadTime::now();
        let message = read(&path, &Options::default()).expect_err("a refusal").to_string();
        assert!(message.contains(bad), "{message}");
        assert!(begun.elapsed().as_secs() < 5, "it stops early");
    }
    // One quote that never closes.
    let endless = format!("frame,id,x,y\n0,1,\"2,3\n{}", "0,1,2,3\n".repeat(100_000));
    lab.refused("a.csv", endless, &["csv:2"]);
}
