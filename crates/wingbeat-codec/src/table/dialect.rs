//! How a text table is written: what separates its cells, whether decimals have commas, and what
//! its comments say.

use std::borrow::Cow;

use super::wide::part;
use crate::column_names::{Name, Role};
use crate::limits::FPS;
use crate::units::LengthUnit;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Separator {
    Byte(char),
    /// White space, as much as there is.
    Space,
}

impl Separator {
    /// What separates the names in a header: whatever of tab, semicolon and comma there is most of,
    /// else white space.
    pub fn of(header: &str) -> Self {
        // Every other piece between quotes is inside of them.
        let count = |c: char| -> usize {
            header.split('"').step_by(2).map(|piece| piece.matches(c).count()).sum()
        };
        // Of as many of two the first: names may have commas in them, and seldom tabs.
        let most =
            ['\t', ';', ','].into_iter().rev().max_by_key(|&c| count(c)).filter(|&c| count(c) > 0);
        most.map_or(Self::Space, Self::Byte)
    }

    /// Goes through the cells of a line, without white space and quotes around them. A separator
    /// inside quotes belongs to the cell; a quote that does not close is a character like others.
    pub fn each<'l>(self, line: &'l str, mut take: impl FnMut(&'l str)) {
        let mut rest = line;
        loop {
            let start = rest.trim_start_matches(|c| self.pads(c));
            if self == Self::Space && start.is_empty() {
                return;
            }
            let quoted = start.strip_prefix('"').and_then(|inner| self.quoted(inner));
            let (cell, behind) =
                quoted.unwrap_or_else(|| match start.find(|c| self.separates(c)) {
                    Some(end) => (start[..end].trim(), Some(&start[end..])),
                    None => (start.trim(), None),
                });
            take(cell);
            let Some(behind) = behind else { return };
            rest = &behind[behind.chars().next().map_or(0, char::len_utf8)..];
        }
    }

    /// The cell that a quote closes, and what stands behind it from the separator on.
    fn quoted(self, inner: &str) -> Option<(&str, Option<&str>)> {
        let mut from = 0;
        loop {
            let end = from + inner[from..].find('"')?;
            let behind = &inner[end + 1..];
            // Of two quotes the first escapes the second.
            if behind.starts_with('"') {
                from = end + 2;
                continue;
            }
            let behind = behind.trim_start_matches(|c| self.pads(c) && !self.separates(c));
            let closed = (inner[..end].trim(), Some(behind).filter(|behind| !behind.is_empty()));
            return (behind.is_empty() || behind.starts_with(|c| self.separates(c)))
                .then_some(closed);
        }
    }

    /// Whether a character is white space around cells.
    fn pads(self, c: char) -> bool {
        c.is_whitespace() && self != Self::Byte(c)
    }

    fn separates(self, c: char) -> bool {
        match self {
            Self::Byte(separator) => c == separator,
            Self::Space => c.is_whitespace(),
        }
    }

    /// The cells of a line.
    pub fn cells(self, line: &str) -> Vec<&str> {
        let mut cells = Vec::new();
        self.each(line, |cell| cells.push(cell));
        cells
    }

    /// The names of a header: in one apart by white space a unit in brackets belongs to the name
    /// before.
    pub fn names(self, header: &str) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for cell in self.cells(header) {
            match names.last_mut() {
                Some(before) if self == Self::Space && cell.starts_with(['(', '[']) => {
                    *before = format!("{before} {cell}")
                }
                _ => names.push(cell.to_string()),
            }
        }
        names
    }
}

/// Decimal signs that were seen so far.
#[derive(Debug, Default)]
pub(crate) struct Decimals {
    pub has_commas: bool,
    has_points: bool,
}

impl Decimals {
    /// A number's text with a decimal point, where commas do not separate cells; refused where
    /// points were seen too.
    pub fn read<'c>(
        &mut self,
        cell: &'c str,
        separator: Separator,
    ) -> Result<Cow<'c, str>, &'static str> {
        if separator == Separator::Byte(',') || !cell.contains([',', '.']) {
            return Ok(Cow::Borrowed(cell));
        }
        self.has_commas |= cell.contains(',');
        self.has_points |= cell.contains('.');
        if self.has_commas && self.has_points {
            return Err("decimal commas, or decimal points, and nothing between thousands");
        }
        Ok(if self.has_commas { Cow::Owned(cell.replace(',', ".")) } else { Cow::Borrowed(cell) })
    }
}

/// What comments say.
#[derive(Debug, Default)]
pub(crate) struct Comments {
    pub fps: Option<f64>,
    pub unit: Option<LengthUnit>,
    /// The last one that names columns x and y, as files of the pedestrian archives and of NumPy
    /// have it before the rows.
    named: String,
    /// The last one of any kind: columns may have other names.
    last: String,
}

impl Comments {
    /// Takes a comment, without its `#`.
    pub fn take(&mut self, comment: &str) {
        self.fps = self.fps.or_else(|| framerate(comment));
        self.unit = self.unit.or_else(|| unit(comment));
        let comment = comment.trim();
        if comment.is_empty() {
            return;
        }
        if names_positions(comment) {
            self.named = comment.to_string();
        }
        self.last = comment.to_string();
    }

    /// The names of so many columns, if some comment has them.
    pub fn names(&self, separator: Separator, count: usize) -> Option<Vec<Name>> {
        let comments = [&self.named, &self.last].into_iter();
        let read = comments.flat_map(|comment| {
            [Separator::of(comment), separator].map(|separator| separator.names(comment))
        });
        let names = read.into_iter().find(|names| names.len() == count)?;
        Some(names.iter().map(|name| Name::parse(name)).collect())
    }
}

/// Whether a comment is names of columns, with x and y among them.
fn names_positions(comment: &str) -> bool {
    let names: Vec<Name> =
        Separator::of(comment).names(comment).iter().map(|name| Name::parse(name)).collect();
    let has = |axis: usize| {
        let is_of_one = |name: &Name| part(&name.base).is_some_and(|part| part.axis == axis);
        names.iter().any(|name| Role::Position(axis).rank(&name.base).is_some() || is_of_one(name))
    };
    has(0) && has(1)
}

/// `framerate: 25 fps`, as the archives' own comments have it.
fn framerate(comment: &str) -> Option<f64> {
    let comment = comment.to_ascii_lowercase();
    let (_, rest) = comment
        .split_once("framerate")
        .or_else(|| comment.split_once("frame rate"))
        .or_else(|| comment.split_once("fps"))?;
    let rest = rest.trim_start_matches([':', '=', ' ', '\t']);
    let digits = rest.split(|c: char| !(c.is_ascii_digit() || c == '.')).next()?;
    digits.parse().ok().filter(|fps| FPS.contains(fps))
}

/// `id frame x/cm y/cm z/cm`, or `unit: cm`.
fn unit(comment: &str) -> Option<LengthUnit> {
    // `COORDCENTX: Coordinate of the center, x [m]`, as Viswalk explains its columns.
    if let Some((name, about)) = comment.split_once(':')
        && Role::Position(0).rank(&Name::parse(name.trim()).base).is_some()
        && let Some((_, unit)) =
            about.trim().strip_suffix(']').and_then(|about| about.rsplit_once('['))
    {
        return LengthUnit::parse(unit);
    }
    let mut words = comment
        .split(|c: char| c.is_whitespace() || matches!(c, ':' | '=' | ',' | ';'))
        .filter(|word| !word.is_empty());
    while let Some(word) = words.next() {
        let word = word.to_ascii_lowercase();
        if let Some(unit) = word
            .strip_prefix("x/")
            .or(word.strip_prefix("x[").and_then(|word| word.strip_suffix(']')))
        {
            return LengthUnit::parse(unit);
        }
        if matches!(word.as_str(), "unit" | "units") {
            return LengthUnit::parse(words.next()?);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separators_are_those_of_the_header() {
        for (header, names) in [
            ("frame,id,x (a;b),y", vec!["frame", "id", "x (a;b)", "y"]),
            ("\"frame\";\"id\";\"x\"", vec!["frame", "id", "x"]),
            ("frame\tx (a, b)\ty", vec!["frame", "x (a, b)", "y"]),
            ("frame  id\u{a0}x (cm) y [cm]", vec!["frame", "id", "x (cm)", "y [cm]"]),
            ("frame", vec!["frame"]),
        ] {
            assert_eq!(Separator::of(header).names(header), names, "{header}");
        }
    }

    #[test]
    fn quotes_close_inside_a_cell_or_not_at_all() {
        let comma = Separator::Byte(',');
        for (separator, line, cells) in [
            (comma, "0,\"(1.0, 2.0)\",x", vec!["0", "(1.0, 2.0)", "x"]),
            (comma, r#" "a" , "{""x"":1,""y"":2}","#, vec!["a", r#"{""x"":1,""y"":2}"#, ""]),
            (comma, "\"a,b", vec!["\"a", "b"]),
            (comma, "5\",6\"", vec!["5\"", "6\""]),
            (comma, "\"a\"b,c", vec!["\"a\"b", "c"]),
            (comma, "", vec![""]),
            (comma, "\"\",", vec!["", ""]),
            (Separator::Byte('\t'), "\"a\"\t\t b ", vec!["a", "", "b"]),
            (Separator::Space, "  \"a b\"  2 ", vec!["a b", "2"]),
        ] {
            assert_eq!(separator.cells(line), cells, "{line}");
        }
    }

    #[test]
    fn commas_and_points_do_not_mix() {
        let (semicolon, mut decimals) = (Separator::Byte(';'), Decimals::default());
        assert_eq!(decimals.read("12", semicolon).as_deref(), Ok("12"));
        assert_eq!(decimals.read("1,5", semicolon).as_deref(), Ok("1.5"));
        assert!(decimals.read("1.5", semicolon).is_err() && decimals.has_commas);
        assert!(Decimals::default().read("1.234,5", semicolon).is_err());
        let comma = Separator::Byte(',');
        assert_eq!(Decimals::default().read("1.5", comma).as_deref(), Ok("1.5"));
    }

    #[test]
    fn names_stand_in_the_last_comment_that_has_x_and_y() {
        for (comments, names) in [
            (&["frame id x/m y/m", "framerate: 25"][..], Some(["frame", "id", "x", "y"])),
            (
                &["id frame x y", "frame id x y", "a file of four words"],
                Some(["frame", "id", "x", "y"]),
            ),
            (&["frame, id, x, y"], Some(["frame", "id", "x", "y"])),
            (&["frame,t,x1,y1", "made by hand, twice"], Some(["frame", "t", "x1", "y1"])),
            (&["frame who here there"], Some(["frame", "who", "here", "there"])),
            (&["framerate: 25"], None),
        ] {
            let mut all = Comments::default();
            comments.iter().for_each(|comment| all.take(comment));
            let found = all.names(Separator::Space, 4);
            let found = found
                .as_ref()
                .map(|names| names.iter().map(|name| name.base.as_str()).collect::<Vec<_>>());
            assert_eq!(found.as_deref(), names.as_ref().map(|names| &names[..]), "{comments:?}");
        }
    }

    #[test]
    fn comments_tell_units_and_rates() {
        for (comment, fps, unit) in [
            (" id frame x/cm y/cm z/cm", None, Some(LengthUnit::Centimeter)),
            ("framerate: 25.00", Some(25.0), None),
            ("frame rate = 16 fps", Some(16.0), None),
            ("fps: 8", Some(8.0), None),
            ("unit: mm", None, Some(LengthUnit::Millimeter)),
            ("the unity of x/time", None, None),
        ] {
            let mut comments = Comments::default();
            comments.take(comment);
            assert_eq!((comments.fps, comments.unit), (fps, unit), "{comment}");
        }
    }
}
