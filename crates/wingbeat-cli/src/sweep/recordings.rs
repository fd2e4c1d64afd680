//! `--record`: a recording of each run, named by its values.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::hash::Hasher;
use std::path::{Path, PathBuf};

use siphasher::sip::SipHasher13;
use wingbeat_record::same_file;
use wingbeat_scene::{Built, Scene};

use super::axes::Axes;
use crate::failure::Failure;
use crate::record::Record;

/// Longest name of a file but for its ending; systems take 255 bytes.
const LONGEST: usize = 200;

/// How a recording is called while it is made.
const UNFINISHED: &str = "unfinished.wbr";

/// The folder that recordings go to.
#[derive(Debug)]
pub struct Recordings {
    folder: PathBuf,
}

impl Recordings {
    /// Refuses a folder that cannot be, values that would give two runs one name, and recordings
    /// that are read.
    pub fn plan(
        folder: Option<&String>,
        axes: &Axes,
        read: &BTreeSet<PathBuf>,
    ) -> Result<Option<Self>, Failure> {
        let Some(folder) = folder else { return Ok(None) };
        let refused = |allowed: &str| Failure::value("--record", folder, allowed);
        let recordings = Self { folder: PathBuf::from(folder) };
        let parent = recordings
            .folder
            .parent()
            .filter(|parent| !parent.as_os_str().is_empty())
            .unwrap_or(Path::new("."));
        if folder.is_empty()
            || recordings.folder.exists() && !recordings.folder.is_dir()
            || !parent.is_dir()
        {
            return Err(refused("a folder, or the name of a new one in a folder that exists"));
        }
        let mut names = HashSet::new();
        for run in 0..axes.combinations * axes.seed_count() {
            let path = recordings.path(axes, run);
            if path.is_dir()
                || read
                    .iter()
                    .any(|read| read.file_name() == path.file_name() && same_file(read, &path))
            {
                return Err(refused(&format!(
                    "a folder in which {} may be written",
                    path.display()
                )));
            }
            // Of large and small letters, too: Windows and macOS do not tell them apart.
            if !names.insert(path.to_string_lossy().to_lowercase()) {
                return Err(refused(&format!(
                    "values that differ in letters and digits (two runs would be {}, \
                     where capitals do not count)",
                    path.display()
                )));
            }
        }
        Ok(Some(recordings))
    }

    /// Makes the folder, if there is none.
    pub fn begin(&self) -> Result<(), Failure> {
        match fs::create_dir(&self.folder) {
            Err(error) if !self.folder.is_dir() => Err(Failure::Other(format!(
                "--record {}: cannot be made: {error}",
                self.folder.display()
            ))),
            _ => Ok(()),
        }
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Where a run's recording goes.
    pub fn path(&self, axes: &Axes, run: usize) -> PathBuf {
        let (combination, seed) = (run / axes.seed_count(), run % axes.seed_count());
        let pairs = axes.keys().into_iter().zip(axes.names(combination, seed));
        let pair = |(key, value): (&str, String)| {
            format!("{}={value}", key.strip_prefix("flock.").unwrap_or(key))
        };
        let plain =
            |c: char| if c.is_ascii_alphanumeric() || "._-+=,".contains(c) { c } else { '_' };
        let name: String =
            pairs.map(pair).collect::<Vec<_>>().join(",").chars().map(plain).collect();
        let name = match name.len() {
            0 => "run".to_string(),
            1..=LONGEST => name,
            _ => {
                let mut hasher = SipHasher13::new();
                hasher.write(name.as_bytes());
                // The characters are all of one byte.
                format!("{}-{:016x}", &name[..LONGEST - 17], hasher.finish())
            }
        };
        self.folder.join(name + ".wbr")
    }

    /// Begins the recording of a run. It has another name until it is whole.
    pub fn start(
        &self,
        axes: &Axes,
        run: usize,
        built: &Built,
        scene: &Scene,
        every: u64,
    ) -> Result<RunRecord, Failure> {
        let path = self.path(axes, run);
        let unfinished = path.with_extension(UNFINISHED);
        Ok(RunRecord {
            record: Some(Record::to(&unfinished, built, scene, every)?),
            unfinished,
            path,
        })
    }
}

/// The recording of one run. Dropped before it is finished, its file goes away.
pub struct RunRecord {
    /// There until it is finished.
    record: Option<Record>,
    unfinished: PathBuf,
    path: PathBuf,
}

impl RunRecord {
    /// Records the flock after so many steps of its run, if it is its turn.
    pub fn capture(&mut self, built: &Built, made: u64) -> Result<(), Failure> {
        self.record.as_mut().map_or(Ok(()), |record| record.capture(&built.flock, made))
    }

    /// Makes it whole, and gives it its name.
    pub fn finish(mut self) -> Result<(), Failure> {
        let cannot = |error| {
            Failure::Other(format!("--record {}: cannot be written: {error}", self.path.display()))
        };
        let whole = self.record.take().map_or(Ok(()), |record| record.finish().map(drop));
        whole
            .and_then(|()| fs::rename(&self.unfinished, &self.path).map_err(cannot))
            .inspect_err(|_| self.discard())
    }

    /// Takes away what is of no use.
    fn discard(&self) {
        // It is not reported if it stays: the run has failed or was stopped, which is said.
        let _ = fs::remove_file(&self.unfinished);
    }
}

impl Drop for RunRecord {
    fn drop(&mut self) {
        if self.record.take().is_some() {
            self.discard();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recording_that_cannot_have_its_name_goes_away() {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let (unfinished, path) =
            (folder.path().join("a.unfinished.wbr"), folder.path().join("a.wbr"));
        fs::write(&unfinished, "frames").expect("a file");
        fs::create_dir(&path).expect("a folder in the way");
        let refusal = RunRecord { record: None, unfinished: unfinished.clone(), path }
            .finish()
            .expect_err("a refusal");
        assert!(matches!(refusal, Failure::Other(text) if text.contains("cannot be written")));
        assert!(!unfinished.exists());
    }
}
