//! Output files: refused before the run if they cannot be, and then whole or not at all.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// A file to be written at the end of a run.
#[derive(Debug)]
pub struct Output {
    flag: &'static str,
    path: PathBuf,
}

impl Output {
    /// Checks a path before the run, so that no hour of stepping ends in a folder that does not exist.
    pub fn check(flag: &'static str, path: &str, extensions: &[&str]) -> Result<Self, Failure> {
        let output = Self { flag, path: PathBuf::from(path) };
        let allowed = extensions.iter().map(|extension| format!(".{extension}")).collect::<Vec<_>>().join(" or ");
        if !extensions.contains(&output.extension().as_str()) {
            return Err(Failure::value(flag, path, &format!("a file that ends in {allowed}")));
        }
        if output.path.is_dir() {
            return Err(Failure::value(flag, path, "a file, not a folder"));
        }
        if !output.folder().is_dir() {
            return Err(Failure::value(
                flag,
                path,
                &format!("a file in a folder that exists ({} does not)", output.folder().display()),
            ));
        }
        Ok(output)
    }

    /// The path's ending in small letters, without the dot.
    pub fn extension(&self) -> String {
        self.path.extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase()
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    fn folder(&self) -> &Path {
        self.path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
    }

    /// Writes beside the target, then renames: readers see the old file or the whole new one.
    pub fn write(&self, content: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> Result<(), Failure> {
        let failed = |error: std::io::Error| {
            Failure::Other(format!("{} {}: cannot be written, nothing was left behind: {error}", self.flag, self.path.display()))
        };
        let mut builder = tempfile::Builder::new();
        builder.prefix(".wingbeat-");
        // A temporary file is private by default; this one is to end up as any other file of the user's.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let file = builder.tempfile_in(self.folder()).map_err(failed)?;
        let mut writer = BufWriter::new(&file);
        content(&mut writer).and_then(|()| writer.flush()).map_err(failed)?;
        drop(writer);
        file.persist(&self.path).map_err(|error| failed(error.error))?;
        Ok(())
    }
}
