//! The text of an index.

use std::fs;

use super::super::text::{Group, MOST_BYTES, MOST_PARTS, read, write};
use super::*;

/// The text with a checksum that is right.
fn sealed(body: &str) -> String {
    format!("{body}end {:08x}\n", crc32fast::hash(body.as_bytes()))
}

#[test]
fn an_index_is_what_the_page_says() {
    let lab = Lab::new();
    let mut index = PartIndex::new(&lab.index(), 2).expect("an index");
    index.go_on(501, 1).expect("more parts");
    let bytes = index.write().expect("written");
    let text = fs::read_to_string(lab.index()).expect("a text");
    let body = "WBRPARTS 1\nfrom 0 parts 2\nnight.part0of2.wbr\nnight.part1of2.wbr\n\
            from 501 parts 1\n\
            night.from501.part0of1.wbr\n";
    assert_eq!((text.as_str(), bytes), (sealed(body).as_str(), text.len() as u64));
    assert_eq!(PartIndex::open(&lab.index()).expect("an index"), index);
    let name = |part| format!("{part:04}{}", "ü".repeat(125));
    let largest = write(
        &(0..MOST_PARTS)
            .map(|g| Group { from: g as u64, parts: vec![name(g)] })
            .collect::<Vec<_>>(),
    );
    assert!(largest.len() as u64 <= MOST_BYTES && read(largest.as_bytes()).is_ok());
    fs::write(lab.index(), "WBRPARTS 1\n".repeat(200_000)).expect("written");
    assert!(refusal(&lab.index()).contains("an index longer than allowed"));
}

#[test]
fn wrong_texts_are_refused_by_name() {
    let cases = [
        ("WBRPARTS 2\nwhatever", "version \"2\" of the index: allowed is 1"),
        ("WBRPARTS", "cut short"),
        ("WBRPARTS 1\n", "cut short"),
        ("WBRPARTS 1\nfrom 0 parts 1\na.wbr\nend 00000000\n", "cut short or changed"),
        (&sealed("WBRPARTS 1\n"), "an index without parts"),
        (&sealed("WBRPARTS 1\nfrom 0 parts 0\n"), "line 2: 0 parts: allowed are 1 to 4096"),
        (&sealed("WBRPARTS 1\nfrom 0 parts 4097\n"), "line 2: 4097 parts"),
        (
            &sealed("WBRPARTS 1\nfrom 0 parts 18446744073709551615\na\n"),
            "line 2: 18446744073709551615 parts",
        ),
        (
            &sealed("WBRPARTS 1\nfrom 0 parts 1\na\nfrom 1 parts 18446744073709551615\nb\n"),
            "line 4: 18446744073709551615 parts",
        ),
        (
            &sealed("WBRPARTS 1\nfrom 0 parts 99999999999999999999\n"),
            "allowed is \"from STEP parts COUNT\"",
        ),
        (&sealed("WBRPARTS 1\nfrom 0 parts -1\n"), "allowed is \"from STEP parts COUNT\""),
        (&sealed("WBRPARTS 1\n\nfrom 0 parts 1\na\n"), "line 2: \"\": allowed is"),
        (
            &sealed("WBRPARTS 1\nfrom 3 parts 1\na\n"),
            "line 2: parts from step 3: allowed is 0 first",
        ),
        (
            &sealed("WBRPARTS 1\nfrom 0 parts 1\na\nfrom 0 parts 1\nb\n"),
            "line 4: parts from step 0: allowed is one above 0",
        ),
        (
            &sealed("WBRPARTS 1\nfrom 0 parts 1\na\nfrom 9 parts 1\nb\nfrom 8 parts 1\nc\n"),
            "allowed is one above 9",
        ),
        (
            &sealed("WBRPARTS 1\nfrom 0 parts 1\na\nfrom 9007199254740993 parts 1\nb\n"),
            "allowed is \"from STEP",
        ),
        (&sealed("WBRPARTS 1\nfrom 0 parts 3\na\nb\n"), "2 parts of 3: allowed are as many"),
        (&sealed("WBRPARTS 1\nfrom 0 parts 1\na\nb\n"), "line 4: \"b\": allowed is \"from"),
        (&sealed("WBRPARTS 1\nfrom 0 parts 2\na\na\n"), "line 4: \"a\" is named twice"),
        (
            &sealed("WBRPARTS 1\nfrom 0 parts 1\na\nfrom 9 parts 1\na\n"),
            "line 5: \"a\" is named twice",
        ),
    ];
    for (text, expected) in cases {
        let message = read(text.as_bytes()).expect_err(text);
        assert!(message.contains(expected), "\"{expected}\" is missing from: {message}");
        let lab = Lab::new();
        fs::write(lab.index(), text).expect("written");
        assert!(refusal(&lab.index()).contains(expected));
    }
    for name in [
        "",
        ".",
        "..",
        "../a.wbr",
        "a/b.wbr",
        "/etc/passwd",
        "a\\b.wbr",
        "..\\a.wbr",
        "./a.wbr",
        "a/",
        "a\r",
        "a\tb",
        "a\0b",
        &"n".repeat(256),
    ] {
        let message = read(sealed(&format!("WBRPARTS 1\nfrom 0 parts 1\n{name}\n")).as_bytes())
            .expect_err(name);
        assert!(
            message.contains("line 3: a part called")
                && message.contains("the name of a file beside the index"),
            "{message}"
        );
    }
}

#[test]
fn no_change_of_a_byte_is_read_as_something_else() {
    let (lab, mut world) = (Lab::new(), World::new(10));
    let mut index = record(&lab, &mut world, 2, 3);
    index.go_on(501, 2).expect("more parts");
    index.write().expect("written");
    let text = fs::read(lab.index()).expect("a text");
    for at in 0..text.len() {
        for bit in 0..8 {
            let mut changed = text.clone();
            changed[at] ^= 1 << bit;
            assert!(read(&changed).is_err(), "byte {at}, bit {bit}");
        }
        assert!(read(&text[..at]).is_err(), "cut at {at}");
    }
}

#[test]
fn mutations_with_a_right_checksum_never_panic() {
    let (lab, mut world) = (Lab::new(), World::new(11));
    let mut index = record(&lab, &mut world, 3, 4);
    index.go_on(world.steps as u64, 1).expect("more parts");
    let mut last = sink(&index.part(0), &world.about);
    last.frame(&world.frame(|_| true)).expect("a frame");
    last.finish().expect("a part");
    index.write().expect("written");
    let text = fs::read_to_string(lab.index()).expect("a text");
    let body: Vec<char> = text[..text.rfind("end").expect("an end")].chars().collect();
    let pool: Vec<char> = "\n\n 0123456789fromparts.wbr/\\-+ü\0\r\u{feff}".chars().collect();
    let (mut accepted, mut random) = (0, Random::new(12));
    for round in 0..4000 {
        let mut changed = body.clone();
        for _ in 0..1 + random.below(4) {
            let at = random.below(changed.len());
            match random.below(4) {
                0 => changed[at] = pool[random.below(pool.len())],
                1 => changed.insert(at, pool[random.below(pool.len())]),
                2 => drop(changed.remove(at)),
                _ => {
                    // A piece of it once more, somewhere else.
                    let end = (at + random.below(60)).min(changed.len());
                    let to = random.below(changed.len());
                    let piece = changed[at..end].to_vec();
                    changed.splice(to..to, piece);
                }
            }
        }
        let changed = sealed(&changed.into_iter().collect::<String>());
        fs::write(lab.index(), &changed).expect("written");
        match WbrReader::open(&lab.index()) {
            Err(error) => {
                let message = error.to_string();
                assert!(!message.contains('\n') && message.len() < 500, "round {round}: {message}");
            }
            Ok(mut reader) => {
                accepted += 1;
                let mut now = Snapshot::new(2);
                (0..reader.len()).for_each(|k| {
                    reader
                        .read(k, &mut now)
                        .unwrap_or_else(|error| panic!("round {round}: {error}\n{changed}"))
                });
                // What is accepted is written as it was read.
                assert!(
                    read(write(&read(changed.as_bytes()).expect("read once")).as_bytes()).is_ok()
                );
            }
        }
    }
    println!("{accepted} of 4000 accepted");
    assert!(accepted > 0);
}
