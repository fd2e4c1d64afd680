//! The part of the OGC's well-known text (WKT) that floor plans are written in.
//!
//! ```text
//! geometry = "POLYGON" [dims] polygon | "MULTIPOLYGON" [dims] "(" polygon {"," polygon} ")"
//!          | "GEOMETRYCOLLECTION" [dims] "(" geometry {"," geometry} ")" | … [dims] "EMPTY"
//! dims     = "Z" | "M" | "ZM"            a number more in every corner each; not kept
//! polygon  = "(" ring {"," ring} ")"     ring = "(" corner {"," corner} ")"     corner = x y
//! ```
//!
//! A parser of all of WKT brought nine packages with it, a second `syn` among them.

/// Corners of a ring, in the order of the text.
pub(super) type WktRing = Vec<[f64; 2]>;

/// Why a text is refused.
pub(super) enum WktError {
    /// It is not WKT: what is wrong in it.
    Malformed(&'static str),
    /// It is WKT of another kind than polygons.
    Kind(&'static str),
}

/// Geometries that are no polygons.
const OTHERS: [&str; 4] = ["POINT", "LINESTRING", "MULTIPOINT", "MULTILINESTRING"];

/// All polygons of a text: rings, the outer one first; none in one that is empty.
pub(super) fn polygons(text: &str) -> Result<Vec<Vec<WktRing>>, WktError> {
    let mut found = Vec::new();
    let mut reader = WktReader { rest: text };
    reader.geometry(&mut found)?;
    match reader.next() {
        "" => Ok(found),
        _ => Err(WktError::Malformed("text after the geometry")),
    }
}

struct WktReader<'a> {
    rest: &'a str,
}

impl<'a> WktReader<'a> {
    /// The next parenthesis, comma, word or number; an empty text at the end.
    fn peek(&mut self) -> &'a str {
        self.rest = self.rest.trim_start();
        let is_mark = |c: char| matches!(c, '(' | ')' | ',');
        let end = match self.rest.chars().next() {
            Some(mark) if is_mark(mark) => 1,
            _ => {
                self.rest.find(|c: char| is_mark(c) || c.is_whitespace()).unwrap_or(self.rest.len())
            }
        };
        &self.rest[..end]
    }

    fn next(&mut self) -> &'a str {
        let token = self.peek();
        self.rest = &self.rest[token.len()..];
        token
    }

    fn expect(&mut self, mark: &str, otherwise: &'static str) -> Result<(), WktError> {
        if self.next() == mark { Ok(()) } else { Err(WktError::Malformed(otherwise)) }
    }

    /// `"(" item {"," item} ")"`
    fn list<T>(
        &mut self,
        mut item: impl FnMut(&mut Self) -> Result<T, WktError>,
    ) -> Result<Vec<T>, WktError> {
        self.expect("(", "no opening parenthesis where a list begins")?;
        let mut items = vec![item(self)?];
        while self.peek() == "," {
            self.next();
            items.push(item(self)?);
        }
        self.expect(")", "no closing parenthesis where a list ends")?;
        Ok(items)
    }

    fn geometry(&mut self, found: &mut Vec<Vec<WktRing>>) -> Result<(), WktError> {
        let word = self.next().to_ascii_uppercase();
        let kind = word.trim_end_matches('M').trim_end_matches('Z');
        if let Some(other) = OTHERS.into_iter().find(|other| *other == kind) {
            return Err(WktError::Kind(other));
        }
        let mut dims = word[kind.len()..].to_string();
        if dims.is_empty()
            && ["Z", "M", "ZM"].iter().any(|one| self.peek().eq_ignore_ascii_case(one))
        {
            dims = self.next().to_string();
        }
        let is_empty = self.peek().eq_ignore_ascii_case("EMPTY");
        if is_empty {
            self.next();
        }
        match (kind, is_empty) {
            ("POLYGON", true) => found.push(Vec::new()),
            ("POLYGON", false) => found.push(self.polygon(dims.len())?),
            ("MULTIPOLYGON", false) => found.extend(self.list(|it| it.polygon(dims.len()))?),
            ("GEOMETRYCOLLECTION", false) => {
                self.list(|it| it.geometry(found))?;
            }
            ("MULTIPOLYGON" | "GEOMETRYCOLLECTION", true) => {}
            _ => return Err(WktError::Malformed("no geometry of this name")),
        }
        Ok(())
    }

    fn polygon(&mut self, more: usize) -> Result<Vec<WktRing>, WktError> {
        self.list(|it| it.list(|it| it.corner(more)))
    }

    fn corner(&mut self, more: usize) -> Result<[f64; 2], WktError> {
        let corner = [self.number()?, self.number()?];
        (0..more).try_for_each(|_| self.number().map(|_| ()))?;
        Ok(corner)
    }

    fn number(&mut self) -> Result<f64, WktError> {
        let token = self.next();
        // "inf" and "nan" are numbers to Rust, and words here.
        let is_number = token.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c))
            && !token.contains(['n', 'N']);
        token
            .parse()
            .ok()
            .filter(|_| is_number)
            .ok_or(WktError::Malformed("no number where a corner's coordinate is"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<Vec<Vec<WktRing>>> {
        polygons(text).ok()
    }

    #[test]
    fn polygons_are_read_in_every_writing() {
        let triangle = vec![[0.0, 0.0], [4.0, -1.5], [0.25, 3e2], [0.0, 0.0]];
        for text in [
            "POLYGON((0 0,4 -1.5,.25 3e2,0 0))",
            "polygon ( ( +0 0 ,\t4 -1.5\n, 0.25 300 , 0 0 ) )",
            "POLYGON Z ((0 0 9, 4 -1.5 9, .25 3e2 9, 0 0 9))",
            "PolygonZM((0 0 9 8, 4 -1.5 9 8, .25 3e2 9 8, 0 0 9 8))",
            "MULTIPOLYGON M (((0 0 1, 4 -1.5 1, .25 3e2 1, 0 0 1)))",
            "GEOMETRYCOLLECTION (MULTIPOLYGON EMPTY, GEOMETRYCOLLECTION Z EMPTY, \
             POLYGON ((0 0, 4 -1.5, .25 3e2, 0 0)))",
        ] {
            assert_eq!(read(text), Some(vec![vec![triangle.clone()]]), "{text}");
        }
        assert_eq!(read("POLYGON EMPTY"), Some(vec![vec![]]));
        let holed = read("POLYGON ((0 0, 9 0, 0 9, 0 0), (1 1, 2 1, 1 2, 1 1))");
        assert_eq!(holed.map(|found| found[0].len()), Some(2));
    }

    #[test]
    fn what_is_otherwise_is_no_plan() {
        for text in [
            "",
            "POLYGON",
            "POLYGON ()",
            "POLYGON (())",
            "POLYGON ((0 0, 1 0, 1 1, 0 0)",
            "POLYGON ((0 0, 1 0, 1 1,, 0 0))",
            "POLYGON ((0 0 1, 1 0 1, 1 1 1, 0 0 1))",
            "POLYGON Z ((0 0, 1 0, 1 1, 0 0))",
            "POLYGON ((0 nan, 1 0, 1 1, 0 nan))",
            "POLYGON ((0 -inf, 1 0, 1 1, 0 -inf))",
            "POLYGON ((0 0, 1 0, 1 1, 0 0)) x",
            "POLYGON ZZ ((0 0 1, 1 0 1, 1 1 1, 0 0 1))",
            "TRIANGLE ((0 0, 1 0, 1 1, 0 0))",
            "POLYGON ((0,0, 1,0, 1,1, 0,0))",
        ] {
            assert!(read(text).is_none(), "{text}");
        }
        assert!(matches!(polygons("multipointz EMPTY"), Err(WktError::Kind("MULTIPOINT"))));
    }

    /// Every beginning of a plan is refused, and none takes the reader beyond its end.
    #[test]
    fn beginnings_are_refused() {
        let text = "GEOMETRYCOLLECTION (POLYGON ZM ((0 0 1 2, 9 0 1 2, 0 9 1 2, 0 0 1 2)))";
        for end in 0..text.len() {
            assert!(read(&text[..end]).is_none(), "{}", &text[..end]);
        }
        assert!(read(text).is_some());
    }
}
