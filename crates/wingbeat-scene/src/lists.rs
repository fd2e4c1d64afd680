//! Lists of a scene counted in its text, before they become values, which take a hundred times
//! the room of their digits.

use toml_parser::Source;
use toml_parser::lexer::TokenKind;

use wingbeat_record::beyond_memory;

use crate::SceneError;
use crate::keys::{KeyKind, known_key};

pub use wingbeat::steer::parameters::MOST_POINTS;

/// Most elements of all lists together.
const MOST_ELEMENTS: usize = 1_000_000;

/// Memory for a key, a section or an element of a list, most of it while the text is read. Measured
/// with a million of each: 436, 463 and 245.
const BYTES_EACH: u128 = 460;

/// Where the reader is: what stands before a value is its key.
#[derive(Default)]
struct Reader<'a> {
    /// The header of the section, without brackets.
    section: &'a str,
    /// Where the statement starts; `None` within a value.
    statement: Option<usize>,
    key: &'a str,
    /// Open brackets of the value, and the commas in the outermost.
    depth: usize,
    points: usize,
    /// Of all lists, and what there is besides: keys and sections.
    elements: usize,
    values: usize,
}

impl Reader<'_> {
    fn dotted(&self) -> String {
        let key = if self.section.is_empty() {
            self.key.to_string()
        } else {
            format!("{}.{}", self.section, self.key)
        };
        key.replace([' ', '\t'], "")
    }

    /// What is too much after one more comma: what there is, and what is allowed.
    fn excess(&self) -> Option<[String; 2]> {
        let takes_points = || {
            known_key(&self.dotted()).is_some_and(|key| matches!(key.kind, KeyKind::Points { .. }))
        };
        if self.depth == 1 && self.points == MOST_POINTS + 1 && takes_points() {
            return Some([
                format!("more than {MOST_POINTS} points"),
                format!("at most {MOST_POINTS} points"),
            ]);
        }
        let too_many = self.elements > MOST_ELEMENTS;
        too_many.then(|| {
            let allowed =
                format!("at most {MOST_ELEMENTS} numbers and points in all lists of a scene");
            [format!("the end of more than {MOST_ELEMENTS} elements of lists"), allowed]
        })
    }
}

/// Refuses lists that are too long in a text that may be TOML; `place` says where an offset is.
pub(crate) fn check(text: &str, place: impl Fn(usize) -> String) -> Result<(), SceneError> {
    let mut reader = Reader { statement: Some(0), ..Reader::default() };
    let mut initial = 0;
    for token in Source::new(text).lex() {
        let at = token.span().start();
        match (token.kind(), reader.statement) {
            (TokenKind::Equals, Some(start)) => {
                (reader.key, reader.statement, initial) = (text[start..at].trim(), None, at);
                (reader.depth, reader.points) = (0, 0);
                reader.values += 1;
            }
            (TokenKind::Newline, Some(start)) => {
                let line = text[start..at].trim();
                if line.starts_with('[') {
                    reader.values += 1;
                    reader.section =
                        line.split('#').next().unwrap_or(line).trim().trim_matches(['[', ']']);
                }
                reader.statement = Some(token.span().end());
            }
            (TokenKind::Newline, None) if reader.depth == 0 => {
                reader.statement = Some(token.span().end())
            }
            (TokenKind::LeftSquareBracket | TokenKind::LeftCurlyBracket, None) => {
                reader.depth += 1;
                reader.elements += 1;
            }
            (TokenKind::Comma, None) => {
                reader.points += usize::from(reader.depth == 1);
                reader.elements += 1;
                if let Some([value, allowed]) = reader.excess() {
                    return Err(SceneError::Value {
                        place: place(initial),
                        key: reader.dotted(),
                        value,
                        allowed,
                    });
                }
            }
            (TokenKind::RightSquareBracket | TokenKind::RightCurlyBracket, None) => {
                reader.depth = reader.depth.saturating_sub(1);
            }
            _ => {}
        }
    }
    let values = reader.values + reader.elements;
    match beyond_memory(values as u128 * BYTES_EACH) {
        Some(allowed) => Err(SceneError::data(
            place(0),
            format!("{values} keys and elements of lists: allowed are {allowed}"),
        )),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(text: &str) -> Option<String> {
        check(text, |at| format!("at {at}")).err().map(|refusal| refusal.to_string())
    }

    #[test]
    fn lists_are_counted_before_they_are_read() {
        let points = |count: usize| format!("[{}]", vec!["[1, 2]"; count].join(","));
        let path = |points: String| {
            format!("a = 1\n[ drive . d ] # ]\n\"kind\" = \"path\"\npoints = {points}\n")
        };
        assert_eq!(refusal(&path(points(MOST_POINTS + 1))), None, "that is for the values to say");
        let refused = refusal(&path(points(MOST_POINTS + 2))).expect("too many");
        assert_eq!(
            refused,
            "at 47: drive.d.points = more than 10000 points: allowed is at most 10000 points"
        );
        // Commas in texts and comments are none of a list.
        let commas = ",".repeat(2 * MOST_ELEMENTS);
        assert_eq!(
            refusal(&format!(
                "about = \"[{commas}\" # {commas}\nb = '{{{commas}'\nc = \"\"\"[\n{commas}\"\"\"\n"
            )),
            None
        );
        // All lists together, whatever they are called, over several lines, and inline.
        let pairs = points(MOST_POINTS);
        let many = |count: usize| {
            (0..count).map(|i| format!("[x{i}]\ny = {{ z =\n {pairs} }}\n")).collect::<String>()
        };
        assert_eq!(refusal(&many(33)), None);
        assert!(refusal(&many(34)).is_some_and(|refusal| {
            refusal.contains(": x33.y = the end of more than 1000000 elements")
        }));
        // What is no TOML is for the parser to say.
        for text in ["", "[", "]]]]", "a = ]\n", "= = =", "a = [,,\n[b]\n", "\u{0}"] {
            assert_eq!(refusal(text), None, "{text}");
        }
    }
}
