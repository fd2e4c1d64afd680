//! Whether two paths lead to one file.

use std::path::{Path, PathBuf};

use crate::whole_file::{folder, followed};

/// Whether two paths lead to one file, however they are spelled and whatever links they go through:
/// hard links too on Unix. Of files that are not there yet, whether they would be.
pub fn same_file(one: &Path, other: &Path) -> bool {
    match (identity(one), identity(other)) {
        (Some(one), Some(other)) => one == other,
        (None, None) => {
            matches!((place(one), place(other)), (Some(one), Some(other)) if one == other)
        }
        _ => false,
    }
}

/// Device and number of a file that exists.
#[cfg(unix)]
fn identity(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(path).ok().map(|file| (file.dev(), file.ino()))
}

/// The full path of a file that exists.
#[cfg(not(unix))]
fn identity(path: &Path) -> Option<PathBuf> {
    path.canonicalize().ok()
}

/// Where a file would be if it existed.
fn place(path: &Path) -> Option<PathBuf> {
    let path = followed(path).ok()?;
    let path = path.as_path();
    Some(folder(path).canonicalize().ok()?.join(path.file_name()?))
}
