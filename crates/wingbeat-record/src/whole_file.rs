//! Files that appear whole or not at all.
//!
//! ```text
//! .wingbeat-XXXXXX.csv    written beside the target, locked as long as its writer lives
//! target.csv              after fsync, the same file under its own name
//! ```
//!
//! A writer that is killed leaves its file behind, but not its lock: the next that writes into the
//! folder removes what no process holds. On Windows there is no lock, and such a file stays.

use std::fs::{File, TryLockError};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use tempfile::NamedTempFile;

use crate::regular_file::NOT_REGULAR;

/// How the names of unfinished files begin; six letters and digits follow, and the target's ending.
const PREFIX: &str = ".wingbeat-";
const RANDOM: usize = 6;

/// Links from link to link, after which they lead in a circle.
const MOST_LINKS: usize = 40;

/// A file beside its target, which takes the target's name when it is whole; dropped before, it
/// goes away. Where the target is a symbolic link, the link stays, and the file that it leads to is
/// replaced.
///
/// ```
/// use std::io::Write;
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("table.csv");
/// let mut file = wingbeat_record::WholeFile::create(&path)?;
/// file.write_all(b"id,x\n")?;
/// assert!(!path.exists());
/// assert_eq!(file.finish()?, 5);
/// assert!(path.exists());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct WholeFile {
    file: BufWriter<NamedTempFile>,
    target: PathBuf,
}

impl WholeFile {
    /// Begins a file.
    ///
    /// # Errors
    /// When its folder cannot be written to, or its name belongs to something that is no regular
    /// file.
    pub fn create(path: &Path) -> io::Result<Self> {
        let target = followed(path)?;
        if std::fs::metadata(&target).is_ok_and(|there| !there.is_file()) {
            return Err(io::Error::new(ErrorKind::InvalidInput, NOT_REGULAR));
        }
        #[cfg(windows)]
        if is_device(&target) {
            return Err(io::Error::new(ErrorKind::InvalidInput, NOT_REGULAR));
        }
        remove_orphans(folder(&target));
        loop {
            let file = unfinished(&target)?;
            // One that looks for orphans may have taken it for one before it was locked.
            if is_own(file.as_file()) && file.path().exists() {
                return Ok(Self { file: BufWriter::with_capacity(1 << 16, file), target });
            }
        }
    }

    /// Where it is until it has its name.
    pub fn path(&self) -> &Path {
        self.file.get_ref().path()
    }

    /// The file itself once more, for who goes on writing after it has its name.
    pub(crate) fn handle(&self) -> io::Result<File> {
        self.file.get_ref().as_file().try_clone()
    }

    /// Gives the file its name; tells how many bytes it has.
    ///
    /// # Errors
    /// When what was written cannot be brought to the disk, or the target's name is not to be had;
    /// the target is as it was then.
    pub fn finish(self) -> io::Result<u64> {
        let file = self.file.into_inner().map_err(io::IntoInnerError::into_error)?;
        // A name that is on the disk before the content would lead to an empty file after a power
        // cut.
        file.as_file().sync_all()?;
        let bytes = file.as_file().metadata()?.len();
        // Not by `persist`: on Windows it fails where a program has the target open, and this asks
        // for what newer versions can do there.
        let (_held, mut unfinished) = file.into_parts();
        std::fs::rename(&unfinished, &self.target)?;
        unfinished.disable_cleanup(true);
        // Some file systems refuse to sync folders; the file is there all the same.
        #[cfg(unix)]
        let _ = File::open(folder(&self.target)).and_then(|folder| folder.sync_all());
        Ok(bytes)
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl io::Seek for WholeFile {
    fn seek(&mut self, to: io::SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

/// The folder a file is in.
pub(crate) fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Where a path leads through symbolic links, also if nothing is there yet.
///
/// # Errors
/// When links lead in a circle.
pub fn followed(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        match std::fs::read_link(&path) {
            Ok(next) => path = folder(&path).join(next),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::new(
        ErrorKind::InvalidInput,
        "symbolic links that lead in a circle: allowed is a file",
    ))
}

fn unfinished(target: &Path) -> io::Result<NamedTempFile> {
    let ending = target
        .extension()
        .map_or_else(String::new, |ending| format!(".{}", ending.to_string_lossy()));
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).rand_bytes(RANDOM).suffix(&ending);
    // A temporary file of that crate's is private on Unix, and on Windows one that is kept in
    // memory; this one is to end up as any other file of the user's.
    builder.make_in(folder(target), |path| {
        File::options().read(true).write(true).create_new(true).open(path)
    })
}

/// Whether Windows takes a name for a device, in whatever folder and with whatever ending, as in
/// `nul.csv`.
#[cfg(any(test, windows))]
fn is_device(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_uppercase();
    let stem = name.split('.').next().unwrap_or_default().trim_end();
    let is_port = |stem: &str| {
        let digit = stem.strip_prefix("COM").or_else(|| stem.strip_prefix("LPT"));
        digit.is_some_and(|digit| ["1", "2", "3", "4", "5", "6", "7", "8", "9"].contains(&digit))
    };
    ["CON", "PRN", "AUX", "NUL"].contains(&stem) || is_port(stem)
}

/// Whether no other process holds the file; then it is held from here on. Not on Windows, where a
/// file that is held can be read by no one else, and a recording is read while it grows.
fn is_own(file: &File) -> bool {
    // A file system without locks is no reason not to write.
    cfg!(not(unix)) || !matches!(file.try_lock(), Err(TryLockError::WouldBlock))
}

/// Removes what writers that were killed left in a folder; each folder is looked at once.
fn remove_orphans(folder: &Path) {
    static SEEN: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
    let Ok(mut seen) = SEEN.lock() else { return };
    if cfg!(not(unix)) || seen.iter().any(|known| known == folder) {
        return;
    }
    seen.push(folder.to_path_buf());
    // What cannot be looked at or removed is left alone: it concerns no result.
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_file && is_unfinished(&entry.file_name().to_string_lossy()) {
            let Ok(file) = File::open(entry.path()) else { continue };
            if file.try_lock().is_ok() {
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }
}

fn is_unfinished(name: &str) -> bool {
    let Some(rest) = name.strip_prefix(PREFIX) else { return false };
    let random = rest.split_once('.').map_or(rest, |(random, _)| random);
    random.len() == RANDOM && random.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_devices_are_known_by_name() {
        for name in ["NUL", "nul.csv", "a/con.tar.gz", "Aux .txt", "COM1", "lpt9.wbr"] {
            assert!(is_device(Path::new(name)), "{name}");
        }
        for name in ["null.csv", "console", "COM", "COM0", "com10", "a.nul", "nul/a.csv", "lpt1x"] {
            assert!(!is_device(Path::new(name)), "{name}");
        }
    }

    #[test]
    #[cfg(windows)]
    fn devices_of_windows_are_refused() {
        let lab = tempfile::tempdir().expect("a folder");
        for path in [lab.path().join("nul.csv"), "NUL".into(), "con".into()] {
            let refusal = WholeFile::create(&path).expect_err("a refusal").to_string();
            assert!(refusal.contains("allowed is a regular file"), "{refusal}");
        }
    }

    /// Not on Windows: whether it goes there depends on its version and the file system (Wine 8
    /// refuses).
    #[test]
    #[cfg(unix)]
    fn a_file_that_is_open_for_reading_is_replaced() {
        let lab = tempfile::tempdir().expect("a folder");
        let target = lab.path().join("a.csv");
        std::fs::write(&target, "before").expect("a file");
        let mut reader = File::open(&target).expect("the file");
        let mut file = WholeFile::create(&target).expect("a file");
        file.write_all(b"after").expect("written");
        file.finish().expect("finished");
        let mut seen = String::new();
        io::Read::read_to_string(&mut reader, &mut seen).expect("a text");
        assert_eq!(seen, "before");
        assert_eq!(std::fs::read_to_string(&target).expect("a text"), "after");
        assert_eq!(std::fs::read_dir(lab.path()).expect("a folder").count(), 1);
    }

    #[test]
    fn a_target_that_cannot_be_replaced_leaves_no_file_behind() {
        let lab = tempfile::tempdir().expect("a folder");
        let target = lab.path().join("a.csv");
        let file = WholeFile::create(&target).expect("a file");
        std::fs::create_dir(&target).expect("a folder in the way");
        assert!(file.finish().is_err());
        assert_eq!(std::fs::read_dir(lab.path()).expect("a folder").count(), 1);
    }

    #[test]
    #[cfg(unix)]
    fn only_what_no_process_holds_is_removed() {
        let lab = tempfile::tempdir().expect("a folder");
        let at = |name: &str| lab.path().join(name);
        let names = [
            ".wingbeat-abc123.csv",
            ".wingbeat-ABC123",
            ".wingbeat-notes.txt",
            ".wingbeat-",
            "abc123.csv",
        ];
        names.iter().for_each(|name| std::fs::write(at(name), "1").expect("a file"));
        let held = File::open(at(".wingbeat-ABC123")).expect("the file");
        held.try_lock().expect("a lock");
        let file = WholeFile::create(&at("new.csv")).expect("a file");
        assert!(!at(".wingbeat-abc123.csv").exists());
        assert!(names[1..].iter().all(|name| at(name).exists()));
        assert!(file.path().exists() && !at("new.csv").exists());
    }

    #[test]
    #[cfg(unix)]
    fn links_stay_and_what_they_lead_to_is_replaced() {
        let lab = tempfile::tempdir().expect("a folder");
        let at = |name: &str| lab.path().join(name);
        let link = |to: &str, name: &str| std::os::unix::fs::symlink(to, at(name)).expect("a link");
        std::fs::create_dir(at("deep")).expect("a folder");
        std::fs::write(at("deep/a.csv"), "before").expect("a file");
        [("deep/a.csv", "one.csv"), ("one.csv", "two.csv"), ("deep/new.csv", "new.csv")]
            .into_iter()
            .for_each(|(to, name)| link(to, name));
        for (name, target) in [("two.csv", "deep/a.csv"), ("new.csv", "deep/new.csv")] {
            let mut file = WholeFile::create(&at(name)).expect("a file");
            file.write_all(b"after").expect("written");
            assert_eq!(file.finish().expect("finished"), 5);
            assert!(at(name).is_symlink() && !at(target).is_symlink());
            assert_eq!(std::fs::read_to_string(at(target)).expect("a text"), "after");
        }
        link("round.csv", "round.csv");
        assert!(WholeFile::create(&at("round.csv")).is_err());
        link("/dev/null", "null.csv");
        let refusal = WholeFile::create(&at("null.csv")).expect_err("a refusal").to_string();
        assert!(refusal.contains("allowed is a regular file"), "{refusal}");
    }
}
