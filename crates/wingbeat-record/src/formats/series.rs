//! What formats with one file per frame share: names that sort, and files that appear whole.

use std::io;
use std::path::{Path, PathBuf};

use crate::whole_file::WholeFile;

/// Files `name_000000.ext`, `name_000001.ext`, …
pub(super) struct Series {
    path: PathBuf,
    pub frames: u64,
    pub bytes: u64,
}

impl Series {
    /// A series named after `path`, which itself is never written.
    pub fn create(path: &Path) -> io::Result<Self> {
        // Created and dropped: a folder that cannot be written to is refused before the first step.
        WholeFile::create(path)?;
        Ok(Self { path: path.to_path_buf(), frames: 0, bytes: 0 })
    }

    /// The name of a frame's file, without its folder.
    pub fn name(&self, frame: u64) -> String {
        let part = |part: Option<&std::ffi::OsStr>| {
            part.map(|part| part.to_string_lossy().into_owned()).unwrap_or_default()
        };
        format!("{}_{frame:06}.{}", part(self.path.file_stem()), part(self.path.extension()))
    }

    /// Writes the next file.
    pub fn write(&mut self, content: &[u8]) -> io::Result<()> {
        let mut file = WholeFile::create(&self.path.with_file_name(self.name(self.frames)))?;
        io::Write::write_all(&mut file, content)?;
        self.bytes += file.finish()?;
        self.frames += 1;
        Ok(())
    }
}
