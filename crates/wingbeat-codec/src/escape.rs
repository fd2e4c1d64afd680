//! Characters that do something to a terminal rather than stand for themselves.

/// Whether a character does something other than stand for itself: a control character, or one of
/// Unicode's format characters, which turn the direction of what follows (U+202E) or cannot be
/// seen. Joiners stay, as scripts and emoji are written with them.
pub fn is_hidden(c: char) -> bool {
    let is_format = matches!(
        c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}'
    );
    c.is_control() || is_format
}

/// A text whose hidden characters are escaped, so that a message stays one line, and what it seems
/// to be, whatever it quotes.
pub fn one_line(text: &str) -> String {
    text.chars()
        .flat_map(|c| if is_hidden(c) { c.escape_default().collect() } else { vec![c] })
        .collect()
}
