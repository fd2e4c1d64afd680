//! Output files: refused before the measuring if they cannot be, and then whole or not at all.

use std::io::Write;
use std::path::{Path, PathBuf};

use crate::args::Failure;

/// A folder that can be written to.
pub struct Folder(PathBuf);

impl Folder {
    /// Makes the folder if it is not there, and tries a file in it, so that no long run ends with
    /// nowhere to put its results.
    pub fn check(path: &Path) -> Result<Self, Failure> {
        let usable = std::fs::create_dir_all(path).and_then(|()| tempfile::tempfile_in(path));
        match usable {
            Ok(_) => Ok(Self(path.to_path_buf())),
            Err(error) => Err(Failure::BadInput(format!(
                "--out {path:?}: allowed is a folder to write to: {error}"
            ))),
        }
    }

    /// Writes beside the target, then renames: readers see the old file or the whole new one.
    pub fn write(&self, name: &str, content: &[u8]) -> Result<PathBuf, Failure> {
        let path = self.0.join(name);
        let mut builder = tempfile::Builder::new();
        builder.prefix(".scaling-");
        // A temporary file is private by default; this one is to end up as any other file of the
        // user's.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let written = builder.tempfile_in(&self.0).and_then(|mut file| {
            file.write_all(content)?;
            file.persist(&path).map_err(|error| error.error)
        });
        match written {
            Ok(_) => Ok(path),
            Err(error) => {
                Err(Failure::Other(format!("{} cannot be written: {error}", path.display())))
            }
        }
    }
}
