//! Files that appear whole or not at all.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// A file beside its target, which takes the target's name when it is whole; dropped before, it goes away.
pub(crate) struct WholeFile {
    file: BufWriter<NamedTempFile>,
    path: PathBuf,
}

impl WholeFile {
    pub fn create(path: &Path) -> io::Result<Self> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(".wingbeat-");
        // A temporary file is private by default; this one is to end up as any other file of the user's.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let file = BufWriter::with_capacity(1 << 16, builder.tempfile_in(folder(path))?);
        Ok(Self { file, path: path.to_path_buf() })
    }

    /// Gives the file its name; tells how many bytes it has.
    pub fn finish(self) -> io::Result<u64> {
        let file = self.file.into_inner().map_err(io::IntoInnerError::into_error)?;
        let bytes = file.as_file().metadata()?.len();
        file.persist(&self.path).map_err(|error| error.error)?;
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
