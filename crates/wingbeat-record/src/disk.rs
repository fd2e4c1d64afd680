//! Free room on a disk, asked for before temporary files grow.

use std::path::Path;

use wingbeat_codec::TEMPORARY;

/// What is allowed in the place of something of so many bytes, in words, where a folder's disk has
/// no room for it; `None` where it has, or where the system does not say.
pub(crate) fn beyond_disk(folder: &Path, bytes: u128) -> Option<String> {
    let free = free_bytes(folder).filter(|&free| bytes > free)?;
    let gibibytes = free as f64 / (1u64 << 30) as f64;
    Some(format!(
        "what the {gibibytes:.1} GiB that are free in {} hold: {TEMPORARY} names another folder",
        folder.display()
    ))
}

#[cfg(all(test, unix))]
thread_local! {
    /// What is free in tests that say so.
    pub(crate) static FREE: std::cell::Cell<Option<u128>> = const { std::cell::Cell::new(None) };
}

#[cfg(unix)]
fn free_bytes(folder: &Path) -> Option<u128> {
    #[cfg(test)]
    if let Some(free) = FREE.get() {
        return Some(free);
    }
    // Of a disk without blocks nothing is known.
    let disk = rustix::fs::statvfs(folder).ok().filter(|disk| disk.f_blocks > 0)?;
    Some(u128::from(disk.f_bavail) * u128::from(disk.f_frsize))
}

#[cfg(not(unix))]
fn free_bytes(_: &Path) -> Option<u128> {
    None
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_folder_holds_something_but_not_everything() {
        let folder = std::env::temp_dir();
        assert_eq!(beyond_disk(&folder, 1), None);
        let allowed = beyond_disk(&folder, u128::MAX);
        assert!(allowed.is_none_or(|allowed| allowed.contains(" GiB that are free in ")));
    }
}
