//! Free room on a disk, asked for before temporary files grow.

use std::path::Path;

/// What is allowed in the place of something of so many bytes, in words, where a folder's disk has
/// no room for it; `None` where it has, or where the system does not say.
pub(crate) fn beyond_disk(folder: &Path, bytes: u128) -> Option<String> {
    let free = free_bytes(folder).filter(|&free| bytes > free)?;
    let gibibytes = free as f64 / (1u64 << 30) as f64;
    Some(format!("what the {gibibytes:.1} GiB that are free in {} hold: TMPDIR names another folder", folder.display()))
}

#[cfg(all(unix, not(test)))]
fn free_bytes(folder: &Path) -> Option<u128> {
    free_by_system(folder)
}

#[cfg(all(unix, test))]
fn free_bytes(folder: &Path) -> Option<u128> {
    tests::FREE.get().or_else(|| free_by_system(folder))
}

#[cfg(unix)]
fn free_by_system(folder: &Path) -> Option<u128> {
    // Of one without blocks nothing is known.
    let disk = rustix::fs::statvfs(folder).ok().filter(|disk| disk.f_blocks > 0)?;
    Some(u128::from(disk.f_bavail) * u128::from(disk.f_frsize))
}

#[cfg(not(unix))]
fn free_bytes(_: &Path) -> Option<u128> {
    None
}

#[cfg(all(test, unix))]
mod tests {
    use std::cell::Cell;
    use std::io::Write;

    use super::*;

    thread_local! {
        /// What is free in tests that say so.
        pub static FREE: Cell<Option<u128>> = const { Cell::new(None) };
    }

    #[test]
    fn a_folder_holds_something_but_not_everything() {
        let folder = std::env::temp_dir();
        assert_eq!(beyond_disk(&folder, 1), None);
        let allowed = beyond_disk(&folder, u128::MAX);
        assert!(allowed.is_none_or(|allowed| allowed.contains(" GiB that are free in ")));
    }

    #[test]
    fn an_archive_is_refused_before_it_is_unpacked() {
        let lab = tempfile::tempdir().expect("a folder");
        let path = lab.path().join("a.npz");
        let file = std::fs::File::create(&path).expect("a file");
        let mut archive = zip::ZipWriter::new(file);
        archive.start_file("position.npy", zip::write::SimpleFileOptions::default()).expect("an entry");
        crate::npy::write_header(&mut archive, "<f4", &[1000, 3, 2]).expect("a header");
        archive.write_all(&[0; 24_000]).expect("zeros");
        archive.finish().expect("an archive");
        let read = || crate::read(&path, &crate::Options::default()).map_err(|refusal| refusal.to_string());
        // 3,000 rows of 64 bytes, twice, and the array.
        for (free, is_enough) in [(0, false), (300_000, false), (420_000, true)] {
            FREE.set(Some(free));
            let refusal = read().err();
            assert_eq!(refusal.is_none(), is_enough, "{free}: {refusal:?}");
            let said = "shape [1000, 3, 2] takes 408000 bytes once unpacked and sorted: allowed is what the 0.0 GiB";
            assert!(refusal.is_none_or(|refusal| refusal.contains(said)));
        }
    }
}
