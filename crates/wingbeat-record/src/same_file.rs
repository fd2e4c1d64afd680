//! Whether two paths lead to one file.

use std::ffi::{OsStr, OsString};
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
    Some(folder(path).canonicalize().ok()?.join(folded(path.file_name()?)))
}

/// A name as the usual file systems of a machine tell it from others: those of Windows and macOS do
/// not tell large from small letters.
fn folded(name: &OsStr) -> OsString {
    if cfg!(any(windows, target_os = "macos")) {
        name.to_string_lossy().to_lowercase().into()
    } else {
        name.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_two_sizes_are_one_where_the_system_has_them_so() {
        let lab = tempfile::tempdir().expect("a folder");
        let [large, small, other] = ["A.csv", "a.csv", "b.csv"].map(|name| lab.path().join(name));
        let are_one = cfg!(any(windows, target_os = "macos"));
        assert_eq!(same_file(&large, &small), are_one);
        std::fs::write(&large, "1").expect("a file");
        assert_eq!(same_file(&large, &small), are_one);
        assert!(same_file(&large, &large) && !same_file(&large, &other));
        assert!(!same_file(&small, &other));
    }
}
