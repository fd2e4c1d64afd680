//! Output files: refused before the run if they cannot be, and then whole or not at all.

use std::io::Write;
use std::path::{Path, PathBuf};

use wingbeat_record::{WholeFile, followed};

use crate::failure::Failure;

/// Endings of what may become a file a frame, `name_000000.ext`.
const NUMBERED: [&str; 3] = ["png", "vtp", "ply"];

/// A file to be written at the end of a run.
#[derive(Clone, Debug)]
pub struct Output {
    flag: &'static str,
    path: PathBuf,
}

impl Output {
    /// Checks a path before the run, so that no hour of stepping ends in a folder that does not
    /// exist. No extensions: whatever it ends in.
    pub fn check(flag: &'static str, path: &str, extensions: &[&str]) -> Result<Self, Failure> {
        let output = Self { flag, path: PathBuf::from(path) };
        let allowed = extensions
            .iter()
            .map(|extension| format!(".{extension}"))
            .collect::<Vec<_>>()
            .join(" or ");
        if !extensions.is_empty() && !extensions.contains(&output.extension().as_str()) {
            return Err(Failure::value(flag, path, &format!("a file that ends in {allowed}")));
        }
        if output.path.is_dir() {
            return Err(Failure::value(flag, path, "a file, not a folder"));
        }
        // A link is followed to where the file will be.
        let target = followed(&output.path)
            .map_err(|error| Failure::value(flag, path, &format!("a file ({error})")))?;
        if target.exists() && !target.is_file() {
            return Err(Failure::value(
                flag,
                path,
                "a regular file, not a device, a pipe or a socket",
            ));
        }
        output.check_parent(&target)?;
        // Begun and dropped: what cannot be written is refused before the run.
        match WholeFile::create(&target) {
            Ok(_) => Ok(output),
            Err(error) => {
                Err(Failure::value(flag, path, &format!("a file that can be written ({error})")))
            }
        }
    }

    /// The same of a folder, which may be there.
    pub fn check_folder(flag: &'static str, path: &str) -> Result<Self, Failure> {
        let output = Self { flag, path: PathBuf::from(path) };
        if output.path.exists() && !output.path.is_dir() {
            return Err(Failure::value(flag, path, "a folder, where ranks record: this is a file"));
        }
        output.check_parent(&output.path)?;
        Ok(output)
    }

    /// Refuses a target in a folder that does not exist.
    fn check_parent(&self, target: &Path) -> Result<(), Failure> {
        let folder = target
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty())
            .unwrap_or(Path::new("."));
        if folder.is_dir() {
            return Ok(());
        }
        let allowed = format!("a file in a folder that exists ({} does not)", folder.display());
        Err(Failure::value(self.flag, &self.path.display().to_string(), &allowed))
    }

    /// The path's ending in small letters, without the dot.
    pub fn extension(&self) -> String {
        self.path.extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase()
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn flag(&self) -> &'static str {
        self.flag
    }

    /// All files written under this name that `other` might be, by its name: the file itself, one
    /// of a file a frame, their index.
    pub fn files_like(&self, other: &Path) -> Vec<PathBuf> {
        let mut files = vec![self.path.clone()];
        if NUMBERED.contains(&self.extension().as_str()) {
            let number =
                other.file_stem().and_then(|stem| stem.to_str()?.rsplit_once('_')?.1.parse().ok());
            files.extend(number.map(|k| self.numbered(k).path));
        }
        if self.extension() == "vtp" {
            files.push(self.path.with_extension("pvd"));
        }
        files
    }

    /// Writes beside the target, then renames: readers see the old file or the whole new one.
    pub fn write(
        &self,
        content: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
    ) -> Result<(), Failure> {
        let mut begun = self.begin()?;
        content(&mut begun).map_err(|error| self.failed(&error))?;
        begun.finish().map(|_| ())
    }

    /// The same for what is written bit by bit: it has its name once it is finished.
    pub fn begin(&self) -> Result<PendingFile, Failure> {
        let file = WholeFile::create(&self.path).map_err(|error| self.failed(&error))?;
        Ok(PendingFile { output: self.clone(), file })
    }

    /// The refusal of the machine to write it.
    pub fn failed(&self, error: &std::io::Error) -> Failure {
        Failure::Other(format!(
            "{} {}: cannot be written, nothing was left behind: {error}",
            self.flag,
            self.path.display()
        ))
    }

    /// The `k`-th file of a series: name_000000.png, …, as `convert` names those of one file a
    /// frame.
    pub fn numbered(&self, k: usize) -> Self {
        let stem = self.path.file_stem().unwrap_or_default().to_string_lossy();
        let name = format!(
            "{stem}_{k:06}.{}",
            self.path.extension().unwrap_or_default().to_string_lossy()
        );
        Self { flag: self.flag, path: self.path.with_file_name(name) }
    }
}

/// A file that is being written. Dropped before it is finished, it goes away.
#[derive(Debug)]
pub struct PendingFile {
    output: Output,
    file: WholeFile,
}

impl PendingFile {
    /// Where it is until it has its name.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// Gives it its name; tells how many bytes it has.
    pub fn finish(self) -> Result<u64, Failure> {
        let Self { output, file } = self;
        file.finish().map_err(|error| output.failed(&error))
    }
}

impl Write for PendingFile {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.flush()
    }
}
