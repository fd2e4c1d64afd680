//! The runs that are finished, one line each: what a sweep that was killed goes on from.
//!
//! Every line but that of the columns' names ends in a hash of what comes before, so that a damaged
//! number is refused and not averaged. The last line may have been torn when its writer was killed:
//! without its line break it is nothing.

use std::collections::HashMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::hash::Hasher;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use siphasher::sip::SipHasher13;
use wingbeat_measure::Wanted;

use crate::failure::Failure;

/// How a journal begins.
const MAGIC: &str = "# wingbeat sweep ";

/// A finished run.
#[derive(Clone, Debug, PartialEq)]
pub struct Finished {
    pub state_hash: u64,
    /// Its number for each column: means over time, and what its events tell.
    pub values: Vec<Option<f64>>,
}

/// Everything a run's results depend on but its swept values: runs of two sweeps may be mixed if,
/// and only if, these agree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// Version of the program: another may compute other bits.
    pub version: String,
    /// For people; a scene may be moved.
    pub scene: String,
    /// Fingerprint of the scene's text, and of the files that its runs name.
    pub content: String,
    /// Fixed values.
    pub set: Vec<(String, String)>,
    pub swept: Vec<String>,
    /// What is known of each run. Journals older than the choice have the usual observables, and
    /// say nothing.
    #[serde(default = "usual", skip_serializing_if = "is_usual")]
    pub columns: Vec<String>,
    pub average_from: u64,
    pub every: u64,
    /// Where runs go on from each other: along which values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub continued: Option<String>,
}

fn usual() -> Vec<String> {
    Wanted::USUAL.names().map(str::to_string).collect()
}

fn is_usual(columns: &[String]) -> bool {
    Wanted::USUAL.names().eq(columns)
}

impl Header {
    /// What the other differs in.
    fn differences(&self, other: &Self) -> Vec<&'static str> {
        let compared = [
            ("program version", self.version == other.version),
            ("scene", self.content == other.content),
            ("fixed values", self.set == other.set),
            ("swept keys", self.swept == other.swept),
            ("columns", self.columns == other.columns),
            ("average-from", self.average_from == other.average_from),
            ("every", self.every == other.every),
            ("continued values", self.continued == other.continued),
        ];
        compared.into_iter().filter(|(_, same)| !same).map(|(name, _)| name).collect()
    }

    /// The journal's first two lines.
    fn text(&self) -> Result<String, Failure> {
        let json = serde_json::to_string(self)
            .map_err(|error| Failure::Other(format!("the journal's head: {error}")))?;
        Ok(sealed(&format!("{MAGIC}{json}")) + &self.names())
    }

    /// The second line: names of columns.
    fn names(&self) -> String {
        let (keys, columns) = (self.swept.iter(), self.columns.iter());
        let columns = keys
            .map(String::as_str)
            .chain(["state_hash"])
            .chain(columns.map(String::as_str))
            .chain(["line_hash"]);
        columns.collect::<Vec<_>>().join(",") + "\n"
    }
}

/// A line with its hash, and its line break.
fn sealed(line: &str) -> String {
    format!("{line},{:016x}\n", hash(line))
}

/// What a line says, if it is as it was written.
fn unsealed(line: &str) -> Option<&str> {
    let (line, seal) = line.strip_suffix('\n')?.rsplit_once(',')?;
    (seal == format!("{:016x}", hash(line))).then_some(line)
}

fn hash(line: &str) -> u64 {
    let mut hasher = SipHasher13::new();
    hasher.write(line.as_bytes());
    hasher.finish()
}

/// The file, held open and locked as long as the command runs.
#[derive(Debug)]
pub struct Journal {
    file: File,
    path: PathBuf,
}

/// Where the journal of a table is.
pub fn path_beside(out: &str) -> String {
    format!("{out}.runs.csv")
}

impl Journal {
    /// Opens or begins the journal beside `out`; tells what is finished, by values.
    pub fn open(
        out: &Path,
        header: &Header,
        fresh: bool,
    ) -> Result<(Self, HashMap<Vec<String>, Finished>), Failure> {
        let path = PathBuf::from(path_beside(&out.display().to_string()));
        let refused = |why: &str| {
            Failure::BadInput(format!("--out {}: {} {why}", out.display(), path.display()))
        };
        let file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
        let mut file = file.map_err(|error| refused(&format!("cannot be written: {error}")))?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => {
                let why = "is being written by another sweep: let it finish or stop it";
                return Err(refused(why));
            }
            // A file system without locks is no reason not to go on.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        let mut content = Vec::new();
        file.read_to_end(&mut content)
            .map_err(|error| refused(&format!("cannot be read: {error}")))?;
        let head = header.text()?;
        let (finished, kept) = match existing(&content, header, fresh) {
            Ok(Some(found)) => found,
            Ok(None) => (HashMap::new(), 0),
            Err(why) => return Err(refused(&why)),
        };
        let mut journal = Self { file, path };
        journal.cut(kept).map_err(|error| journal.failed(&error))?;
        if kept == 0 {
            journal.write(&head)?;
        }
        Ok((journal, finished))
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a run. The line is handed to the system whole, so that a kill leaves at most the last
    /// line torn.
    pub fn append(&mut self, names: &[String], run: &Finished) -> Result<(), Failure> {
        let values = run
            .values
            .iter()
            .map(|value| value.map_or_else(String::new, |value| value.to_string()));
        let fields =
            names.iter().cloned().chain([format!("{:016x}", run.state_hash)]).chain(values);
        let mut writer = csv::Writer::from_writer(Vec::new());
        let line = writer.write_record(fields).map_err(|error| error.to_string());
        let line = line.and_then(|()| writer.into_inner().map_err(|error| error.to_string()));
        let line =
            line.and_then(|bytes| String::from_utf8(bytes).map_err(|error| error.to_string()));
        let line =
            line.map_err(|error| Failure::Other(format!("{}: {error}", self.path.display())))?;
        self.write(&sealed(line.trim_end_matches('\n')))
    }

    fn write(&mut self, text: &str) -> Result<(), Failure> {
        self.file.write_all(text.as_bytes()).map_err(|error| self.failed(&error))
    }

    /// Drops everything after this many bytes, and goes there.
    fn cut(&mut self, length: u64) -> std::io::Result<()> {
        self.file.set_len(length)?;
        self.file.seek(SeekFrom::Start(length)).map(|_| ())
    }

    fn failed(&self, error: &std::io::Error) -> Failure {
        Failure::Other(format!("{}: cannot be written: {error}", self.path.display()))
    }
}

/// Finished runs by their values, and how many bytes of the file are whole lines.
type Found = (HashMap<Vec<String>, Finished>, u64);

/// What a journal holds; `None` if it is to be begun, or why it cannot be used.
fn existing(content: &[u8], header: &Header, fresh: bool) -> Result<Option<Found>, String> {
    let start = &content[..content.len().min(MAGIC.len())];
    if !MAGIC.as_bytes().starts_with(start) {
        return Err("is no journal of a sweep: move it away, or choose another --out".into());
    }
    // A kill may have come before the head was written.
    let whole = content.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
    let text = String::from_utf8_lossy(&content[..whole]);
    let mut lines = text.split_inclusive('\n');
    let (Some(first), Some(second)) = (lines.next(), lines.next()) else { return Ok(None) };
    if fresh {
        return Ok(None);
    }
    if first.ends_with("}\n") {
        return Err("is of an earlier form, without hashes of its lines: --fresh starts over, \
            another --out keeps it"
            .into());
    }
    let damaged = |line: usize| {
        format!("is damaged in line {line}: --fresh starts over, another --out keeps it")
    };
    let first = unsealed(first).ok_or_else(|| damaged(1))?;
    let other: Option<Header> =
        first.strip_prefix(MAGIC).and_then(|json| serde_json::from_str(json).ok());
    let differences =
        other.as_ref().map_or_else(|| vec!["form"], |other| header.differences(other));
    if !differences.is_empty() {
        let scene = other.map_or_else(String::new, |other| format!(" of {}", other.scene));
        let what = differences.join(", ");
        return Err(format!(
            "holds runs of another sweep{scene} (other {what}): --fresh starts \
            over, another --out keeps both"
        ));
    }
    if second != header.names() {
        return Err(damaged(2));
    }
    let mut finished = HashMap::new();
    for (i, line) in lines.enumerate() {
        let (names, run) =
            unsealed(line).and_then(|line| read(line, header)).ok_or_else(|| damaged(i + 3))?;
        finished.insert(names, run);
    }
    Ok(Some((finished, whole as u64)))
}

/// One line of a journal.
fn read(line: &str, header: &Header) -> Option<(Vec<String>, Finished)> {
    let keys = header.swept.len();
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(line.as_bytes());
    let record = reader.records().next()?.ok()?;
    if record.len() != keys + 1 + header.columns.len() {
        return None;
    }
    let state_hash = record
        .get(keys)
        .filter(|hash| hash.len() == 16)
        .and_then(|hash| u64::from_str_radix(hash, 16).ok())?;
    let value =
        |field: &str| if field.is_empty() { Some(None) } else { field.parse().ok().map(Some) };
    let values = record.iter().skip(keys + 1).map(value).collect::<Option<_>>()?;
    Some((record.iter().take(keys).map(str::to_string).collect(), Finished { state_hash, values }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_comes_back_bit_for_bit() {
        let folder = tempfile::tempdir().expect("a folder");
        let out = folder.path().join("a.csv");
        let header = Header {
            version: "1".into(),
            scene: "pond".into(),
            content: "0".into(),
            set: vec![("about".into(), "a, \"b\"".into())],
            swept: vec!["domain.max".into(), "flock.seed".into()],
            columns: ["milling", "t50", "left", "groups"].map(str::to_string).to_vec(),
            average_from: 1,
            every: 10,
            continued: None,
        };
        let run = Finished {
            state_hash: 0xabc,
            values: vec![Some(0.1 + 0.2), None, Some(5e-324), Some(-0.0)],
        };
        let names = vec!["[1, 2]".to_string(), "7".to_string()];
        {
            let (mut journal, finished) = Journal::open(&out, &header, false).expect("a new one");
            assert!(finished.is_empty());
            journal.append(&names, &run).expect("appended");
        }
        let (_, finished) = Journal::open(&out, &header, false).expect("the same");
        let back = &finished[&names];
        let bits = |run: &Finished| {
            run.values.iter().map(|value| value.map(f64::to_bits)).collect::<Vec<_>>()
        };
        assert_eq!((back.state_hash, bits(back)), (run.state_hash, bits(&run)));
    }

    fn header() -> Header {
        Header {
            version: "1".into(),
            scene: "pond".into(),
            content: "0".into(),
            set: Vec::new(),
            swept: vec!["flock.seed".into()],
            columns: vec!["milling".into()],
            average_from: 1,
            every: 10,
            continued: None,
        }
    }

    #[test]
    fn no_damage_goes_unseen() {
        let folder = tempfile::tempdir().expect("a folder");
        let out = folder.path().join("a.csv");
        let (mut journal, _) = Journal::open(&out, &header(), false).expect("a new one");
        for seed in 1..4 {
            let run = Finished { state_hash: seed << 40, values: vec![Some(0.1 * seed as f64)] };
            journal.append(&[seed.to_string()], &run).expect("appended");
        }
        drop(journal);
        let content = std::fs::read(folder.path().join("a.csv.runs.csv")).expect("the journal");
        assert_eq!(existing(&content, &header(), false).expect("sound").expect("begun").0.len(), 3);
        for bit in 0..8 * content.len() {
            let mut damaged = content.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            let line = 1 + content[..bit / 8].iter().filter(|&&byte| byte == b'\n').count();
            match existing(&damaged, &header(), false) {
                Err(why) if bit / 8 < MAGIC.len() => {
                    assert!(why.contains("is no journal"), "{why}")
                }
                Err(why) => assert!(
                    why.contains(&format!("is damaged in line {line}"))
                        || why.contains("earlier form"),
                    "{why}"
                ),
                // The last line without its break was torn: that run is made again.
                Ok(found) => {
                    assert_eq!((bit / 8, found.expect("begun").0.len()), (content.len() - 1, 2))
                }
            }
        }
    }

    #[test]
    fn journals_without_hashes_are_refused_in_a_line() {
        let old = format!(
            "{}{}\nflock.seed,state_hash,milling\n1,0000000000000abc,0.5\n",
            MAGIC,
            serde_json::json!(header())
        );
        let why = existing(old.as_bytes(), &header(), false).expect_err("a refusal");
        assert!(why.contains("of an earlier form") && !why.contains('\n'), "{why}");
    }
}
