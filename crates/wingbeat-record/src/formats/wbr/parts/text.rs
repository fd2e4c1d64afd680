//! The index as text.
//!
//! ```text
//! WBRPARTS 1
//! from 0 parts 2
//! night.part0of2.wbr
//! night.part1of2.wbr
//! from 501 parts 1
//! night.from501.part0of1.wbr
//! end 5d1b2f60
//! ```

use std::collections::HashSet;
use std::fmt::Write;
use std::path::{Component, Path};

use crate::limits::LAST_FRAME;
use crate::text::shortened;

/// What an index begins with, and no other `.wbr`.
pub(in super::super) const INDEX_MAGIC: [u8; 8] = *b"WBRPARTS";
const VERSION: &str = "1";
/// Parts of all groups together. Each is an open file of its reader.
pub(super) const MOST_PARTS: usize = 4096;
/// Bytes of a name, as file systems have it.
const LONGEST_NAME: usize = 255;
/// No index that is accepted is longer: a line for each part, and at most one for its group.
pub(super) const MOST_BYTES: u64 = (MOST_PARTS as u64 + 1) * (LONGEST_NAME as u64 + 64);

/// Parts that are written at one time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Group {
    /// The first step that is read from here rather than from the group before.
    pub from: u64,
    /// Names of the files, which are in the folder of the index.
    pub parts: Vec<String>,
}

/// The text of an index.
pub(super) fn write(groups: &[Group]) -> String {
    let mut text = format!("{} {VERSION}\n", String::from_utf8_lossy(&INDEX_MAGIC));
    for group in groups {
        // Writing into a string cannot fail.
        let _ = writeln!(text, "from {} parts {}", group.from, group.parts.len());
        for name in &group.parts {
            let _ = writeln!(text, "{name}");
        }
    }
    let sum = crc32fast::hash(text.as_bytes());
    let _ = writeln!(text, "end {sum:08x}");
    text
}

/// The groups that a text names, or what is wrong with it.
pub(super) fn read(bytes: &[u8]) -> Result<Vec<Group>, String> {
    let damaged =
        || "an index that was cut short or changed: allowed is what was written".to_string();
    let text = std::str::from_utf8(bytes).map_err(|_| damaged())?;
    let (first, _) = text.split_once('\n').ok_or_else(damaged)?;
    // Before the checksum, which another version may have elsewhere.
    let (magic, version) = first.split_once(' ').unwrap_or((first, ""));
    if magic.as_bytes() != INDEX_MAGIC {
        return Err(damaged());
    }
    if version != VERSION {
        return Err(format!(
            "version \"{}\" of the index: allowed is {VERSION}",
            shortened(version)
        ));
    }
    let before_end =
        text.strip_suffix('\n').and_then(|text| text.rfind('\n')).ok_or_else(damaged)? + 1;
    let (body, end) = text.split_at(before_end);
    if end != format!("end {:08x}\n", crc32fast::hash(body.as_bytes())) {
        return Err(damaged());
    }
    let lines = body.strip_suffix('\n').unwrap_or(body).split('\n');
    groups_of(lines.enumerate().skip(1).map(|(i, line)| (i + 1, line)))
}

/// The groups that numbered lines name.
fn groups_of<'a>(mut lines: impl Iterator<Item = (usize, &'a str)>) -> Result<Vec<Group>, String> {
    let mut groups = Vec::new();
    let mut names = HashSet::new();
    while let Some((number, line)) = lines.next() {
        let (from, count) = heading(line, number)?;
        if groups.last().map_or(from != 0, |before: &Group| from <= before.from) {
            let allowed = groups
                .last()
                .map_or("0 first".to_string(), |before| format!("one above {}", before.from));
            return Err(format!("line {number}: parts from step {from}: allowed is {allowed}"));
        }
        if count == 0 || count > MOST_PARTS - names.len() {
            return Err(format!(
                "line {number}: {count} parts: allowed are 1 to {MOST_PARTS}, in \
                all groups together"
            ));
        }
        // Not reserved by what the heading says: there may be fewer lines.
        let mut parts = Vec::new();
        for _ in 0..count {
            let Some((number, name)) = lines.next() else {
                return Err(format!(
                    "{} parts of {count}: allowed are as many as the index says",
                    parts.len()
                ));
            };
            check_name(name).map_err(|message| format!("line {number}: {message}"))?;
            if !names.insert(name) {
                return Err(format!(
                    "line {number}: \"{}\" is named twice: allowed is once",
                    shortened(name)
                ));
            }
            parts.push(name.to_string());
        }
        groups.push(Group { from, parts });
    }
    if groups.is_empty() {
        return Err("an index without parts: allowed is at least one".into());
    }
    Ok(groups)
}

/// What a group begins with: "from 501 parts 2".
fn heading(line: &str, number: usize) -> Result<(u64, usize), String> {
    let words: Vec<&str> = line.split(' ').collect();
    let parsed = match words[..] {
        ["from", from, "parts", count] => from.parse().ok().zip(count.parse().ok()),
        _ => None,
    };
    parsed.filter(|&(from, _)| from <= LAST_FRAME as u64).ok_or_else(|| {
        format!("line {number}: \"{}\": allowed is \"from STEP parts COUNT\"", shortened(line))
    })
}

/// Refuses whatever is not the name of a file in the folder of the index, on any system.
pub(super) fn check_name(name: &str) -> Result<(), String> {
    let mut components = Path::new(name).components();
    let is_one = matches!(
        (components.next(), components.next()),
        (Some(Component::Normal(only)), None) if only == name
    );
    // A backslash is part of a name on some systems and leads out of the folder on others.
    if !is_one
        || name.len() > LONGEST_NAME
        || name.contains(['/', '\\'])
        || name.contains(char::is_control)
    {
        return Err(format!(
            "a part called \"{}\": allowed is the name of a file beside the index",
            shortened(name)
        ));
    }
    Ok(())
}
