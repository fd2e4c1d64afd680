//! Files that end. A device, a pipe or a socket may have no end, and opening one may wait for ever.

use std::fs::{File, Metadata};
use std::io::{Error, ErrorKind, Read, Result};
use std::path::Path;

/// Opens a regular file for reading and tells how many bytes it has.
///
/// # Errors
/// When it cannot be opened, or is anything but a regular file.
pub fn open_regular(path: &Path) -> Result<(File, u64)> {
    // Looked at before it is opened, because opening a pipe waits for a writer; and again, because
    // the name may have changed hands.
    check(&std::fs::metadata(path)?)?;
    let file = File::open(path)?;
    let about = file.metadata()?;
    check(&about)?;
    Ok((file, about.len()))
}

/// Reads a regular file of UTF-8 text, of at most `most` bytes.
///
/// # Errors
/// As [`open_regular`]; and when it is longer, or no text.
pub fn read_text(path: &Path, most: u64) -> Result<String> {
    let (file, _) = open_regular(path)?;
    let mut text = String::new();
    // Counted while it is read: some files of the system tell no length.
    if file.take(most + 1).read_to_string(&mut text)? as u64 > most {
        return Err(Error::new(
            ErrorKind::FileTooLarge,
            format!("longer than allowed, which is at most {most} bytes"),
        ));
    }
    Ok(text)
}

fn check(about: &Metadata) -> Result<()> {
    if about.is_dir() {
        return Err(ErrorKind::IsADirectory.into());
    }
    if about.is_file() { Ok(()) } else { Err(Error::new(ErrorKind::InvalidInput, NOT_REGULAR)) }
}

/// What is said of what is no file on a disk.
pub(crate) const NOT_REGULAR: &str = "a device, a pipe or a socket: allowed is a regular file";
