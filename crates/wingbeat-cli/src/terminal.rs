//! What is said, and how: results on standard output, notes on standard error.

use std::borrow::Cow;
use std::io::{ErrorKind, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use wingbeat_record::is_hidden;

use crate::failure::Failure;

/// Prints a text: as it is into a file or a pipe, and on a terminal without control characters,
/// which names in a file may have. A reader that has gone away (`| head`) is not an error.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    let text = if out.is_terminal() { visible(text) } else { Cow::Borrowed(text) };
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::Other(format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// A line on standard error. Where that is full or closed there is nowhere to write.
pub fn complain(line: &str) {
    let _ = writeln!(std::io::stderr(), "{}", visible(line));
}

/// A text whose hidden characters are escaped, except for line breaks, tabs and colors: others
/// could move the cursor, rename the window, answer for the user, or turn what follows round.
fn visible(text: &str) -> Cow<'_, str> {
    let is_plain = |c: char| !is_hidden(c) || matches!(c, '\n' | '\t');
    if text.chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for (at, c) in text.char_indices() {
        if is_plain(c) || c == '\x1b' && begins_color(&text[at + 1..]) {
            shown.push(c);
        } else {
            shown.extend(c.escape_default());
        }
    }
    Cow::Owned(shown)
}

/// Whether the rest of an escape sequence is `[`, digits and semicolons, `m`.
fn begins_color(rest: &str) -> bool {
    let Some(rest) = rest.strip_prefix('[') else { return false };
    rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';').starts_with('m')
}

/// Set once, before any work.
static QUIET: AtomicBool = AtomicBool::new(false);

/// `--quiet`: from here on nothing is said but results and errors.
pub fn be_quiet() {
    QUIET.store(true, Ordering::Relaxed);
}

/// Whether nothing is to be said but results and errors.
pub fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

/// Something to know, on standard error.
pub fn note(note: &str) {
    if !is_quiet() {
        complain(&format!("note: {note}"));
    }
}

/// Something that went wrong, though the command goes on.
pub fn warn(warning: &str) {
    if !is_quiet() {
        complain(&format!("warning: {warning}"));
    }
}

/// Prints what was done: no result, so not where nothing else is wanted.
pub fn say(text: &str) -> Result<(), Failure> {
    if is_quiet() { Ok(()) } else { print(text) }
}

/// Whether colours are welcome (<https://no-color.org>).
pub fn has_colors() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()) && !is_dumb()
}

/// Whether the terminal can do no more than a typewriter: no colours, no line drawn twice.
pub fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|term| term == "dumb")
}

#[cfg(test)]
mod tests {
    use super::visible;

    #[test]
    fn control_characters_are_shown_and_colors_stay() {
        let colored = "\x1b[38;5;12mblue\x1b[0m\tand\nmore";
        assert_eq!(visible(colored), colored);
        let hostile = "a\x1b]0;title\x07b\x1b[2Jc\u{9b}1md\r\x7f\x1b";
        assert_eq!(
            visible("a\u{202e}gpj.exe\u{2066}\u{200d}é"),
            "a\\u{202e}gpj.exe\\u{2066}\u{200d}é"
        );
        assert_eq!(
            visible(hostile),
            "a\\u{1b}]0;title\\u{7}b\\u{1b}[2Jc\\u{9b}1md\\r\\u{7f}\\u{1b}"
        );
    }
}
