//! Changes in a scene's text: a value, a key or a section, all else kept to the letter.
//!
//! The text is parsed by the parser that scenes are read with, which says where in it everything
//! stands; what changes is cut out there, or put there. A table is told from the character at its
//! place: `[` is a header, `{` an inline table, and a name that it is made by dotted keys or by
//! headers of tables in it.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Writes a value where its key stands, or where it belongs: at the end of its section, or in a new
/// one at the end of the text.
///
/// # Errors
/// One line, when the text is no TOML, or a part of the key is no table.
pub fn put(text: &mut String, key: &str, value: &str) -> Result<(), String> {
    let parts: Vec<&str> = key.split('.').collect();
    let (at, line) = {
        let root = parsed(text)?;
        let (mut table, mut depth) = (root.get_ref(), 0);
        // The innermost table with a place of its own, where it is, and how many parts of the key
        // it stands for.
        let (mut holder, mut place, mut from) = (table, None, 0);
        while let Some(item) = table.get(parts[depth]) {
            let DeValue::Table(inner) = item.get_ref() else {
                if depth + 1 == parts.len() {
                    let span = item.span();
                    text.replace_range(span, value);
                    return Ok(());
                }
                return Err(format!("{0}: allowed is a table: [{0}]", parts[depth]));
            };
            depth += 1;
            if depth == parts.len() {
                return Err(format!("{key}: allowed is a key, not a table"));
            }
            (table, place, from, holder) = match first(text, item) {
                b'[' | b'{' => (inner, Some(item.span()), depth, inner),
                _ => (inner, place, from, holder),
            };
        }
        let entry = format!("{} = {value}", parts[from..].join("."));
        let end = end_of_entries(text, holder);
        let is_dotted = from < depth && end_of_entries(text, table).is_some();
        match place {
            Some(span) if text.as_bytes()[span.start] == b'{' => match end {
                Some(end) => (end, format!(", {entry}")),
                None => (span.start + 1, format!(" {entry} ")),
            },
            place if from + 1 == parts.len() || is_dotted => {
                match end.or(place.map(|span| span.end)) {
                    Some(end) => after_line(text, end, &entry),
                    None => (0, entry + "\n"),
                }
            }
            _ => {
                let (section, name) = (parts[..parts.len() - 1].join("."), parts[parts.len() - 1]);
                let gap = if text.is_empty() { "" } else { "\n" };
                let (at, line) =
                    after_line(text, text.len(), &format!("{gap}[{section}]\n{name} = {value}"));
                (at, line)
            }
        }
    };
    // Lines end as the others do.
    let line = if text.contains("\r\n") { line.replace('\n', "\r\n") } else { line };
    text.insert_str(at, &line);
    Ok(())
}

/// Takes out a key or a table with all that is in it, and the comments above, if it is there.
///
/// # Errors
/// One line, when the text is no TOML.
pub fn remove(text: &mut String, key: &str) -> Result<(), String> {
    while let Some((cut, is_inline)) = entry_of(text, parsed(text)?.get_ref(), key) {
        text.replace_range(
            if is_inline { with_comma(text, cut) } else { with_lines(text, cut) },
            "",
        );
    }
    Ok(())
}

/// The keys in a table, unless the text `name` in it is `same`.
///
/// # Errors
/// One line, when the text is no TOML.
pub fn others_in(
    text: &str,
    table: &str,
    name: &str,
    same: Option<&str>,
) -> Result<Vec<String>, String> {
    let root = parsed(text)?;
    let Some(inner) = root.get_ref().get(table).and_then(|item| item.get_ref().as_table()) else {
        return Ok(Vec::new());
    };
    let is_same = inner.get(name).and_then(|item| item.get_ref().as_str()) == same;
    let keys = inner.keys().filter(|_| !is_same);
    Ok(keys.map(|key| format!("{table}.{}", key.get_ref())).collect())
}

/// A text as a TOML value.
pub fn quoted(text: &str) -> String {
    let escaped = |c: char| match c {
        '"' | '\\' => format!("\\{c}"),
        c if c.is_control() => format!("\\u{:04X}", u32::from(c)),
        c => c.to_string(),
    };
    format!("\"{}\"", text.chars().map(escaped).collect::<String>())
}

fn parsed(text: &str) -> Result<Spanned<DeTable<'_>>, String> {
    DeTable::parse(text).map_err(|error| error.message().to_string())
}

fn first(text: &str, item: &Spanned<DeValue<'_>>) -> u8 {
    text.as_bytes()[item.span().start]
}

/// Where the last of a table's own entries ends; tables with headers of their own are none.
fn end_of_entries(text: &str, table: &DeTable<'_>) -> Option<usize> {
    let end = |item: &Spanned<DeValue<'_>>| match (item.get_ref(), first(text, item)) {
        (DeValue::Table(_), b'[') => None,
        (DeValue::Table(_), b'{') => Some(item.span().end),
        (DeValue::Table(inner), _) => end_of_entries(text, inner),
        _ => Some(item.span().end),
    };
    table.values().filter_map(end).max()
}

/// A new line behind the one with this place.
fn after_line(text: &str, place: usize, line: &str) -> (usize, String) {
    match text[place..].find('\n') {
        Some(rest) => (place + rest + 1, format!("{line}\n")),
        None if text.is_empty() || text.ends_with('\n') => (text.len(), format!("{line}\n")),
        None => (text.len(), format!("\n{line}\n")),
    }
}

/// An entry of a key, from its name to its end, and whether it is in an inline table. Of a table
/// with a header or none these are its entries one by one, and its header at last.
fn entry_of(text: &str, table: &DeTable<'_>, key: &str) -> Option<(Range<usize>, bool)> {
    let (part, rest) = key.split_once('.').map_or((key, None), |(part, rest)| (part, Some(rest)));
    let (name, item) = table.get_key_value(part)?;
    let whole = (name.span().start..item.span().end, false);
    match (item.get_ref(), rest) {
        (DeValue::Table(inner), Some(rest)) => {
            let (cut, is_inline) = entry_of(text, inner, rest)?;
            Some((cut, is_inline || first(text, item) == b'{'))
        }
        (_, Some(_)) => None,
        (DeValue::Table(inner), None) if first(text, item) != b'{' => {
            let within = inner.keys().find_map(|name| entry_of(text, inner, name.get_ref()));
            within.or_else(|| (first(text, item) == b'[').then(|| (item.span(), false)))
        }
        _ => Some(whole),
    }
}

/// An entry of an inline table, the start of its dotted name and one comma.
fn with_comma(text: &str, entry: Range<usize>) -> Range<usize> {
    let before = text[..entry.start].rfind([',', '{']).unwrap_or(0);
    let rest = &text[entry.end..];
    let behind = rest.trim_start();
    match (behind.starts_with(','), text.as_bytes()[before]) {
        (true, _) => before + 1..text.len() - behind.len() + 1,
        (false, b',') => before..entry.end,
        _ => before + 1..entry.end,
    }
}

/// The whole lines of an entry, and empty lines and comments above.
fn with_lines(text: &str, entry: Range<usize>) -> Range<usize> {
    let mut start = text[..entry.start].rfind('\n').map_or(0, |at| at + 1);
    while start > 0 {
        let above = text[..start - 1].rfind('\n').map_or(0, |at| at + 1);
        let line = text[above..start].trim();
        if !line.is_empty() && !line.starts_with('#') {
            break;
        }
        start = above;
    }
    let end = text[entry.end..].find('\n').map_or(text.len(), |at| entry.end + at + 1);
    start..end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put_in(text: &str, key: &str, value: &str) -> String {
        let mut text = text.to_string();
        put(&mut text, key, value).unwrap_or_else(|refusal| panic!("{key} in {text}: {refusal}"));
        assert!(DeTable::parse(&text).is_ok(), "{text}");
        text
    }

    fn without(text: &str, key: &str) -> String {
        let mut text = text.to_string();
        remove(&mut text, key).expect("TOML");
        assert!(DeTable::parse(&text).is_ok(), "{text}");
        text
    }

    #[test]
    fn values_are_put_where_they_belong() {
        for (text, key, after) in [
            // In place of another.
            ("[a]\nb = [1,\n 2] # c\nd = 1", "a.b", "[a]\nb = 9 # c\nd = 1"),
            ("a = { b = 1, c = 2 }\n", "a.b", "a = { b = 9, c = 2 }\n"),
            ("[a]\r\nb.c = 1\r\n", "a.b.c", "[a]\r\nb.c = 9\r\n"),
            // At the end of the section, which ends before comments about the next.
            ("[a]\nb = 1 # c\n\n# d\n[d]\n", "a.x", "[a]\nb = 1 # c\nx = 9\n\n# d\n[d]\n"),
            ("[a] # b", "a.x", "[a] # b\nx = 9\n"),
            ("[a]\nb = 1\n[a.b2]\nc = 1\n", "a.x", "[a]\nb = 1\nx = 9\n[a.b2]\nc = 1\n"),
            ("a = 1\n[b]\n", "x", "a = 1\nx = 9\n[b]\n"),
            ("# a\n[b]\n", "x", "x = 9\n# a\n[b]\n"),
            ("[a]\r\nb = 1\r\n[c]\r\n", "a.x", "[a]\r\nb = 1\r\nx = 9\r\n[c]\r\n"),
            ("[a]\r\nb = 1", "x.y", "[a]\r\nb = 1\r\n\r\n[x]\r\ny = 9\r\n"),
            // In a new section.
            ("[a]\nb = 1", "x.y", "[a]\nb = 1\n\n[x]\ny = 9\n"),
            ("", "x.y", "[x]\ny = 9\n"),
            ("[a.b]\nc = 1\n", "a.x", "[a.b]\nc = 1\n\n[a]\nx = 9\n"),
            ("[a.b]\nc = 1\n", "a.b.c2.x", "[a.b]\nc = 1\n\n[a.b.c2]\nx = 9\n"),
            // As dotted keys and inline tables go on.
            ("a.b = 1\n[c]\n", "a.x", "a.b = 1\na.x = 9\n[c]\n"),
            ("[c]\na.b = 1\n", "c.a.x.y", "[c]\na.b = 1\na.x.y = 9\n"),
            ("a = { b = 1, c.d = 2 }\n", "a.c.x", "a = { b = 1, c.d = 2, c.x = 9 }\n"),
            ("a = {}\n", "a.x", "a = { x = 9 }\n"),
            ("[c]\na = { b = { d = 1 } }\n", "c.a.b.x", "[c]\na = { b = { d = 1, x = 9 } }\n"),
        ] {
            assert_eq!(put_in(text, key, "9"), after, "{key} in {text}");
        }
        let mut text = "[a]\nb = 1\n".to_string();
        assert!(
            put(&mut text, "a.b.c", "9")
                .is_err_and(|refusal| refusal == "b: allowed is a table: [b]")
        );
        assert!(put(&mut text, "a", "9").is_err());
        assert_eq!(text, "[a]\nb = 1\n");
    }

    #[test]
    fn what_is_removed_leaves_the_rest() {
        for (text, key, after) in [
            ("# a\n[a]\nb = 1\n\n# c\nc = [\n1] # d\n[d]\n", "a.c", "# a\n[a]\nb = 1\n[d]\n"),
            (
                "[c]\nd = 1\n\n# a\n[a]\nb = 1\n[a.e]\nf = 1\n\n# g\n[g]\n",
                "a",
                "[c]\nd = 1\n\n# g\n[g]\n",
            ),
            ("a.b = 1\na.c.d = 2\ne = 3\n[f]\n", "a", "e = 3\n[f]\n"),
            ("a = { b = 1 }\nc = 2", "a", "c = 2"),
            ("a = { b = 1, c.d = 2, e = 3 }\n", "a.b", "a = { c.d = 2, e = 3 }\n"),
            ("a = { b = 1, c.d = 2, e = 3 }\n", "a.c", "a = { b = 1, e = 3 }\n"),
            ("a = { b = 1, c.d = 2, e = 3 }\n", "a.e", "a = { b = 1, c.d = 2 }\n"),
            ("a = { b = 1 }\n", "a.b", "a = { }\n"),
            ("[a]\nb = 1\n", "a.b.c", "[a]\nb = 1\n"),
            ("[a]\nb = 1\n", "c", "[a]\nb = 1\n"),
        ] {
            assert_eq!(without(text, key), after, "{key} of {text}");
        }
        // Taken out and put back for ever, a section leaves nothing behind.
        let once = put_in(&without("[c]\nd = 1\n\n[a]\nb = 1\n", "a"), "a.b", "2");
        assert_eq!(put_in(&without(&once, "a"), "a.b", "2"), once);
    }

    #[test]
    fn texts_are_quoted() {
        for text in ["plain", "C:\\a \"b\"", "a\nb\u{7f}\u{1}é"] {
            let quoted = quoted(text);
            assert_eq!(
                DeValue::parse(&quoted).expect("TOML").get_ref().as_str(),
                Some(text),
                "{quoted}"
            );
        }
    }
}
