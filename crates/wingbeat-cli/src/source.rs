//! What a scene is made of, read once: its text, and a fingerprint of all that its runs depend on.

use std::collections::BTreeSet;
use std::hash::Hasher;
use std::path::{Path, PathBuf};

use siphasher::sip128::{Hasher128, SipHasher13};
use wingbeat_record::{open_regular, read_text};
use wingbeat_scene::{MOST_TEXT, preset};

use crate::failure::Failure;

/// The scene as text: a preset's own, or a file's.
pub fn text(source: &str) -> Result<String, Failure> {
    match preset(source) {
        Some(preset) => Ok(preset.text.to_string()),
        None => read_text(Path::new(source), MOST_TEXT).map_err(|error| {
            Failure::BadInput(format!("{source}: cannot read the scene: {error}"))
        }),
    }
}

/// What tells a text and some files from all others, whatever their names.
pub fn fingerprint(text: &str, files: &BTreeSet<PathBuf>) -> Result<String, Failure> {
    let mut hasher = SipHasher13::new();
    hasher.write(text.as_bytes());
    for path in files {
        let hashed = open_regular(path).and_then(|(mut file, bytes)| {
            hasher.write_u64(bytes);
            std::io::copy(&mut file, &mut Hashed(&mut hasher))
        });
        hashed.map_err(|error| {
            Failure::BadInput(format!("{}: cannot be read: {error}", path.display()))
        })?;
    }
    Ok(format!("{:032x}", hasher.finish128().as_u128()))
}

/// What is written into it is hashed, however it comes in pieces.
struct Hashed<'a>(&'a mut SipHasher13);

impl std::io::Write for Hashed<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.write(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
