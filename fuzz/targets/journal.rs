//! Journals of sweeps: arbitrary bytes; and sound ones with lines of the input, under right hashes.
//! The reader is the command's own, which is no library. What is taken is taken again alike, and a
//! run that is added to it is there the next time.
#![no_main]
use std::collections::HashMap;
use std::hash::Hasher;

use libfuzzer_sys::fuzz_target;
use siphasher::sip::SipHasher13;
use wingbeat_fuzz::{file, first};

use journal::{Finished, Header, Journal, path_beside};

/// How the command says that something is wrong.
#[allow(dead_code)]
mod failure {
    #[derive(Debug)]
    pub enum Failure {
        BadInput(String),
        Other(String),
    }
}
#[allow(dead_code)]
#[path = "../../crates/wingbeat-cli/src/journal.rs"]
mod journal;

fn header() -> Header {
    Header {
        version: "0.1.0".into(),
        scene: "a.toml".into(),
        content: "abc".into(),
        set: vec![("flock.boids".into(), "50".into())],
        swept: vec!["a.weight".into(), "seed".into()],
        columns: vec!["polarization".into(), "left".into()],
        average_from: 3,
        every: 2,
        continued: None,
    }
}

fn sealed(line: &str) -> String {
    let mut hasher = SipHasher13::new();
    hasher.write(line.as_bytes());
    format!("{line},{:016x}\n", hasher.finish())
}

fuzz_target!(|bytes: &[u8]| {
    let (how, rest) = first(bytes);
    let out = file("csv", b"");
    let path = path_beside(&out.display().to_string());
    let whole = || -> Option<HashMap<Vec<String>, Finished>> {
        Journal::open(&out, &header(), false).ok().map(|(_, found)| found)
    };
    let _ = std::fs::remove_file(&path);
    if how % 2 == 0 {
        std::fs::write(&path, rest).expect("room for a file");
    } else {
        assert!(whole().is_some_and(|none| none.is_empty()), "a journal that is begun");
        let mut text = std::fs::read_to_string(&path).expect("the journal");
        text.extend(String::from_utf8_lossy(rest).lines().map(sealed));
        std::fs::write(&path, text).expect("room for a file");
    }
    let Some(found) = whole() else { return };
    assert!(same(&whole().expect("what was taken is taken"), &found));
    let names = vec!["fuzz,\"ed\"".to_string(), how.to_string()];
    let run = Finished {
        state_hash: u64::from(how) << 40 | 7,
        values: vec![Some(f64::from(how) / 3.0), None],
    };
    let (mut journal, mut found) =
        Journal::open(&out, &header(), false).expect("what was taken is taken");
    journal.append(&names, &run).expect("room for a line");
    drop(journal);
    found.insert(names, run);
    assert!(same(&whole().expect("a run more"), &found));
});

/// Whether two journals say the same; NaN is what it is.
fn same(one: &HashMap<Vec<String>, Finished>, other: &HashMap<Vec<String>, Finished>) -> bool {
    let bits = |run: &Finished| {
        (run.state_hash, run.values.iter().map(|value| value.map(f64::to_bits)).collect::<Vec<_>>())
    };
    one.len() == other.len()
        && one
            .iter()
            .all(|(names, run)| other.get(names).is_some_and(|there| bits(there) == bits(run)))
}
