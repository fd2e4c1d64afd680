//! The files of one command: none that it writes may be one that it reads, nor may two that it
//! writes be one.
//!
//! Every file is declared here before anything is written; whatever a command writes begins with
//! [`Files::write`].

use std::path::{Path, PathBuf};

use wingbeat_record::{is_in_folder, same_file};
use wingbeat_scene::{Scene, preset};

use crate::failure::Failure;
use crate::output::Output;

/// What a command reads and writes, as far as it is known.
#[derive(Debug, Default)]
pub struct Files {
    read: Vec<PathBuf>,
    written: Vec<Output>,
}

impl Files {
    /// A file that is read, or the folder of a recording.
    pub fn read(&mut self, path: impl Into<PathBuf>) -> Result<(), Failure> {
        let path = path.into();
        self.written.iter().try_for_each(|output| apart(output, &path))?;
        self.read.push(path);
        Ok(())
    }

    /// The files of a scene: its own, unless it is a preset, and those that it names.
    pub fn read_scene(&mut self, source: &str, scene: &Scene) -> Result<(), Failure> {
        let own = preset(source).is_none().then(|| PathBuf::from(source));
        own.into_iter().chain(scene.files()).try_for_each(|path| self.read(path))
    }

    /// A file that is to be written, refused if it cannot be.
    pub fn write(
        &mut self,
        flag: &'static str,
        path: &str,
        extensions: &[&str],
    ) -> Result<Output, Failure> {
        self.write_over(flag, path, extensions, None)
    }

    /// The same for one that may take the place of a file that is read, once that is read whole.
    pub fn write_over(
        &mut self,
        flag: &'static str,
        path: &str,
        extensions: &[&str],
        over: Option<&Path>,
    ) -> Result<Output, Failure> {
        self.declare(Output::check(flag, path, extensions)?, over)
    }

    /// The folder of a recording that several ranks write, refused if it cannot be.
    pub fn write_folder(&mut self, flag: &'static str, path: &str) -> Result<Output, Failure> {
        self.declare(Output::check_folder(flag, path)?, None)
    }

    fn declare(&mut self, output: Output, over: Option<&Path>) -> Result<Output, Failure> {
        let mut others =
            self.read.iter().filter(|read| over.is_none_or(|over| !same_file(over, read)));
        others.try_for_each(|read| apart(&output, read))?;
        if let Some(other) =
            self.written.iter().find(|other| same_file(other.path(), output.path()))
        {
            let allowed = format!(
                "another file than {}, which {} writes",
                other.path().display(),
                other.flag()
            );
            let path = output.path().display().to_string();
            return Err(Failure::value(output.flag(), &path, &allowed));
        }
        self.written.push(output.clone());
        Ok(output)
    }
}

/// Refuses an output that is, or has among its files, one that is read.
fn apart(output: &Output, read: &Path) -> Result<(), Failure> {
    let is_inside = is_in_folder(read, output.path());
    let is_one = output.files_like(read).iter().any(|written| same_file(written, read));
    if !is_one && !is_inside && !is_in_folder(output.path(), read) {
        return Ok(());
    }
    let other = if is_inside { "a file outside of" } else { "another file than" };
    let allowed = format!("{other} {}, which is read", read.display());
    Err(Failure::value(output.flag(), &output.path().display().to_string(), &allowed))
}
