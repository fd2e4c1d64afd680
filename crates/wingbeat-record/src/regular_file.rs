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

/// Reads a regular file of text, of at most `most` bytes, without a byte order mark: UTF-8, or
/// behind such a mark UTF-16, which `>` writes in Windows PowerShell.
///
/// # Errors
/// As [`open_regular`]; and when it is longer, or no text.
pub fn read_text(path: &Path, most: u64) -> Result<String> {
    let (file, _) = open_regular(path)?;
    let mut bytes = Vec::new();
    // Counted while it is read: some files of the system tell no length.
    if file.take(most + 1).read_to_end(&mut bytes)? as u64 > most {
        return Err(Error::new(
            ErrorKind::FileTooLarge,
            format!("longer than allowed, which is at most {most} bytes"),
        ));
    }
    decoded(bytes)
        .ok_or_else(|| Error::new(ErrorKind::InvalidData, "stream did not contain valid UTF-8"))
}

/// The text of a file's bytes; `None` where they are neither UTF-8 nor UTF-16 behind its mark.
fn decoded(mut bytes: Vec<u8>) -> Option<String> {
    let unit: fn([u8; 2]) -> u16 = match bytes.get(..3) {
        Some([0xef, 0xbb, 0xbf]) => return String::from_utf8(bytes.split_off(3)).ok(),
        Some([0xff, 0xfe, _]) => u16::from_le_bytes,
        Some([0xfe, 0xff, _]) => u16::from_be_bytes,
        _ => return String::from_utf8(bytes).ok(),
    };
    let (units, rest) = bytes[2..].as_chunks();
    let units: Vec<u16> = units.iter().copied().map(unit).collect();
    String::from_utf16(&units).ok().filter(|_| rest.is_empty())
}

fn check(about: &Metadata) -> Result<()> {
    if about.is_dir() {
        return Err(ErrorKind::IsADirectory.into());
    }
    if about.is_file() { Ok(()) } else { Err(Error::new(ErrorKind::InvalidInput, NOT_REGULAR)) }
}

/// What is said of what is no file on a disk.
pub(crate) const NOT_REGULAR: &str = "a device, a pipe or a socket: allowed is a regular file";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_in_the_encodings_that_editors_and_shells_write() {
        let text = "boids = 3 # Stare: \u{1f426}\r\n";
        let of = |mark: &[u8], unit: fn(u16) -> [u8; 2]| {
            let units = text.encode_utf16().flat_map(unit);
            mark.iter().copied().chain(units).collect::<Vec<u8>>()
        };
        let little = of(b"\xff\xfe", u16::to_le_bytes);
        let lab = tempfile::tempdir().expect("a folder");
        let file = lab.path().join("a.toml");
        for bytes in [
            text.as_bytes().to_vec(),
            ["\u{feff}", text].concat().into_bytes(),
            little.clone(),
            of(b"\xfe\xff", u16::to_be_bytes),
        ] {
            std::fs::write(&file, bytes).expect("a file");
            assert_eq!(read_text(&file, 1 << 10).expect("a text"), text);
        }
        for broken in [&little[..little.len() - 1], b"\xff\xfe\0\xd8", b"a\xff", b"\0\xff\xfe"] {
            std::fs::write(&file, broken).expect("a file");
            let error = read_text(&file, 1 << 10).expect_err("no text");
            assert_eq!(error.kind(), ErrorKind::InvalidData, "{broken:?}");
        }
        std::fs::write(&file, "").expect("a file");
        assert_eq!(read_text(&file, 1 << 10).expect("a text"), "");
    }
}
