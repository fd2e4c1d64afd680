//! Rows of a CSV as it is written: a line for each individual.

use std::fmt::Write as _;
use std::io::{self, Write};

use crate::digits::exact;
use crate::{About, Snapshot};

/// Bytes of text that are handed over at once.
pub(crate) const TOGETHER: usize = 1 << 16;

/// Writes a row for each individual, numbers as short as they are exact; an unknown velocity is an
/// empty cell.
///
/// # Errors
/// When `out` cannot be written.
#[inline(never)]
pub fn write_rows(about: &About, now: &Snapshot, out: &mut dyn Write) -> io::Result<()> {
    let (number, time) = (about.number(now.step), now.time);
    let mut text = String::with_capacity(TOGETHER + 512);
    let begin = format!("{number},{time},");
    for (i, id) in now.ids.iter().enumerate() {
        text.push_str(&begin);
        // Writing to a String cannot fail.
        let _ = write!(text, "{id}");
        if let Some(name) = about.species_name(now, i) {
            text.push(',');
            text.push_str(name);
        }
        for column in now.columns() {
            text.push(',');
            text.push_str(&exact(column[i]));
        }
        text.push('\n');
        if text.len() >= TOGETHER {
            out.write_all(text.as_bytes())?;
            text.clear();
        }
    }
    out.write_all(text.as_bytes())
}
