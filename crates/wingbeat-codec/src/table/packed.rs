//! Cells that hold more than a number: positions as tuples, shapes as JSON, lists of all turtles.
//! A row of such a table is unpacked to rows of a plain one, whose columns have other names.

use super::record::Record;
use crate::column_names::{Name, Role};
use crate::text::shortened;

/// How rows are unpacked.
#[derive(Debug, PartialEq)]
pub(super) enum Packed {
    /// `(1.0, 2.0)` or `[1. 2.]`, as Mesa's `pos`: the numbers in each such column, 0 for others.
    Tuples(Vec<usize>),
    /// NetLogo's BehaviorSpace: the columns of the run, the step and, where there is one, the list
    /// `[[who x y] …]`; and the run, which is to be one.
    Turtles { run: Option<usize>, step: Option<usize>, list: Option<usize>, only: Option<String> },
    /// VGG Image Annotator: its columns, and what its file names begin with.
    Regions {
        file: usize,
        about: Option<usize>,
        shape: usize,
        track: usize,
        prefix: Option<String>,
    },
}

/// An unpacked row.
type Cells = Vec<String>;

impl Packed {
    /// How the rows of a table are packed, by its names and its first row; `None` where they are
    /// not.
    pub fn of(
        names: &[Name],
        first: &Record,
        is_behavior_space: bool,
    ) -> Result<Option<Self>, String> {
        let column = |wanted: &str| names.iter().position(|name| name.base == wanted);
        if let (Some(file), Some(shape), Some(track)) =
            (column("filename"), column("region_shape_attributes"), column("region_attributes"))
        {
            let about = column("file_attributes");
            return Ok(Some(Self::Regions { file, about, shape, track, prefix: None }));
        }
        if is_behavior_space {
            let list = first.all().position(|cell| cell.starts_with("[["));
            let bare =
                first.all().position(|cell| cell.starts_with('[') && !cell.starts_with("[["));
            if let (None, Some(bare)) = (list, bare) {
                return Err(format!(
                    "column {} lists values in an order that changes from row to row: allowed is \
                     the reporter \
                     [(list who xcor ycor)] of turtles, or [xcor] of turtle 0 and so on",
                    names[bare].raw
                ));
            }
            return Ok(Some(Self::Turtles {
                run: column("run_number"),
                step: column("step"),
                list,
                only: None,
            }));
        }
        let sizes: Vec<usize> =
            first.all().zip(names).map(|(cell, name)| size(cell, name)).collect();
        Ok(sizes.iter().any(|&size| size > 0).then_some(Self::Tuples(sizes)))
    }

    /// The names of the unpacked columns.
    pub fn names(&self, names: &[Name]) -> Vec<Name> {
        let plain = |names: &[&str]| names.iter().map(|name| Name::parse(name)).collect();
        match self {
            Self::Tuples(sizes) => {
                let of = |(name, &size): (&Name, &usize)| match size {
                    0 => vec![name.clone()],
                    _ => ["x", "y", "z"][..size]
                        .iter()
                        .map(|axis| Name::parse(&format!("{}.{axis}", name.raw)))
                        .collect(),
                };
                names.iter().zip(sizes).flat_map(of).collect()
            }
            Self::Turtles { list: None, .. } => names.to_vec(),
            Self::Turtles { .. } => plain(&["step", "id", "x", "y"]),
            Self::Regions { .. } => plain(&["frame", "track", "x (px)", "y (px)"]),
        }
    }

    /// The rows that a row is; the refusal says what stands there and what may.
    pub fn unpack(&mut self, record: &Record, names: &[Name]) -> Result<Vec<Cells>, String> {
        let refuse = |column: usize, allowed: &str| {
            let cell = shortened(record.cell(column));
            format!("column {} = \"{cell}\": allowed is {allowed}", names[column].raw)
        };
        match self {
            Self::Tuples(sizes) => {
                let mut cells = Cells::new();
                for (column, &size) in sizes.iter().enumerate() {
                    let cell = record.cell(column);
                    match numbers(cell) {
                        _ if size == 0 => cells.push(cell.to_string()),
                        Some(found) if found.len() == size => {
                            cells.extend(found.iter().map(|number| number.to_string()))
                        }
                        None if is_none(cell) => cells.extend(vec![String::new(); size]),
                        _ => {
                            return Err(refuse(
                                column,
                                &format!("{size} numbers in brackets, or nothing"),
                            ));
                        }
                    }
                }
                Ok(vec![cells])
            }
            Self::Turtles { run, step, list, only } => {
                if let Some(run) = *run {
                    let known = only.get_or_insert_with(|| record.cell(run).to_string());
                    if known != record.cell(run) {
                        return Err(refuse(
                            run,
                            &format!("one run, {known} as before: each has a table of its own"),
                        ));
                    }
                }
                let Some(list) = *list else {
                    return Ok(vec![record.all().map(str::to_string).collect()]);
                };
                let step = step.map_or("", |step| record.cell(step));
                let turtles = turtles(record.cell(list));
                let turtles =
                    turtles.ok_or_else(|| refuse(list, "[[who xcor ycor] [who xcor ycor] …]"))?;
                Ok(turtles
                    .into_iter()
                    .map(|[who, x, y]| [step, who, x, y].map(str::to_string).to_vec())
                    .collect())
            }
            Self::Regions { file, about, shape, track, prefix } => {
                let fields = |column: usize, what: &str| {
                    object(record.cell(column)).ok_or_else(|| refuse(column, what))
                };
                let place = fields(*shape, "JSON of a rect, a point, a circle or an ellipse")?;
                if place.is_empty() {
                    return Ok(Vec::new());
                }
                let [x, y] = center(&place)
                    .ok_or_else(|| refuse(*shape, "a rect, a point, a circle or an ellipse"))?;
                let who = fields(*track, "JSON with a track")?;
                let who = id(&who)
                    .ok_or_else(|| refuse(*track, "JSON with a track, as {\"track\":\"1\"}"))?;
                let (before, number) = frame(record.cell(*file))
                    .ok_or_else(|| refuse(*file, "a name that ends in a frame's number"))?;
                if prefix.get_or_insert_with(|| before.to_string()) != before {
                    let known = prefix.as_deref().unwrap_or_default();
                    return Err(refuse(
                        *file,
                        &format!("one movie, {known}… as before: each has a table of its own"),
                    ));
                }
                let told = about.and_then(|about| object(record.cell(about)));
                let told = told.and_then(|told| told.into_iter().find(|(key, _)| key == "frame"));
                let number = told.map_or_else(|| number.to_string(), |(_, number)| number);
                Ok(vec![vec![number, who.to_string(), x.to_string(), y.to_string()]])
            }
        }
    }
}

/// How many numbers the tuples of a column have; 0 where it has none. Mesa's `pos` may begin with
/// nothing.
fn size(cell: &str, name: &Name) -> usize {
    match numbers(cell) {
        Some(found) if (2..=3).contains(&found.len()) => found.len(),
        None if name.base == "pos" && is_none(cell) => 2,
        _ => 0,
    }
}

pub(super) fn is_none(cell: &str) -> bool {
    cell.is_empty()
        || ["none", "nan", "na", "null"].iter().any(|none| cell.eq_ignore_ascii_case(none))
}

/// The numbers in brackets: `(1.0, 2.0)`, `[1. 2.]`, `(np.float64(1.0), np.float64(2.0))`.
fn numbers(cell: &str) -> Option<Vec<f64>> {
    let inner = |open, close| cell.strip_prefix(open).and_then(|cell| cell.strip_suffix(close));
    let inner = inner('(', ')').or_else(|| inner('[', ']'))?;
    let parts =
        inner.split(|c: char| c == ',' || c.is_whitespace()).filter(|part| !part.is_empty());
    let number = |part: &str| {
        let part = part
            .strip_prefix("np.float64(")
            .and_then(|part| part.strip_suffix(')'))
            .unwrap_or(part);
        part.parse().ok()
    };
    parts.map(number).collect()
}

/// Who and where all turtles are: `[[0 1.5 2] [1 3 4]]`.
fn turtles(cell: &str) -> Option<Vec<[&str; 3]>> {
    let inner = cell.strip_prefix('[')?.strip_suffix(']')?.trim();
    let lists = inner.split(']').map(str::trim).filter(|list| !list.is_empty());
    lists
        .map(|list| list.strip_prefix('[')?.split_whitespace().collect::<Vec<_>>().try_into().ok())
        .collect()
}

/// The frame's number that a file name has before its ending, and what stands before the number.
fn frame(file: &str) -> Option<(&str, &str)> {
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let before = stem.trim_end_matches(|c: char| c.is_ascii_digit());
    let number = &stem[before.len()..];
    (!number.is_empty()).then_some((before, number))
}

fn id(fields: &[(String, String)]) -> Option<&str> {
    let ranked = fields
        .iter()
        .filter_map(|(key, value)| Some((Role::Id.rank(&Name::parse(key).base)?, value)));
    ranked.min().map(|(_, value)| value.as_str()).filter(|value| !value.is_empty())
}

/// The middle of a shape.
fn center(fields: &[(String, String)]) -> Option<[f64; 2]> {
    let text =
        |key: &str| fields.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str());
    let number = |key: &str| text(key)?.parse::<f64>().ok();
    match text("name")? {
        "rect" => {
            Some([number("x")? + number("width")? / 2.0, number("y")? + number("height")? / 2.0])
        }
        "point" | "circle" | "ellipse" => Some([number("cx")?, number("cy")?]),
        _ => None,
    }
}

/// The fields of a JSON object in a cell whose quotes are doubled; lists and objects in it are
/// texts.
fn object(cell: &str) -> Option<Vec<(String, String)>> {
    let cell = cell.replace("\"\"", "\"");
    let mut rest = cell.trim().strip_prefix('{')?.strip_suffix('}')?.trim();
    let mut fields = Vec::new();
    while !rest.is_empty() {
        let (key, behind) = rest.strip_prefix('"')?.split_once('"')?;
        let behind = behind.trim_start().strip_prefix(':')?.trim_start();
        let (value, behind) = match behind.strip_prefix('"') {
            // A text of nothing lost one of its two doubled quotes above.
            Some(text) if text.starts_with([',', '}']) || text.is_empty() => ("", text),
            Some(text) => text.split_once('"')?,
            None => behind.split_at(end_of_value(behind)),
        };
        fields.push((key.to_string(), value.trim().to_string()));
        let behind = behind.trim_start();
        rest = if behind.is_empty() { behind } else { behind.strip_prefix(',')?.trim_start() };
    }
    Some(fields)
}

/// Where a number, a list or an object ends: at a comma outside of brackets.
fn end_of_value(text: &str) -> usize {
    let mut depth = 0i64;
    for (at, c) in text.char_indices() {
        match c {
            '[' | '{' => depth += 1,
            ']' | '}' => depth -= 1,
            ',' if depth == 0 => return at,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_in_brackets_of_python_and_numpy() {
        for (cell, found) in [
            ("(1.0, 2.0)", Some(vec![1.0, 2.0])),
            ("[ 1.  2.5]", Some(vec![1.0, 2.5])),
            ("(np.float64(1.0), np.float64(-2e3))", Some(vec![1.0, -2000.0])),
            ("()", Some(vec![])),
            ("(1.0, b)", None),
            ("1.0, 2.0", None),
            ("(1.0", None),
        ] {
            assert_eq!(numbers(cell), found, "{cell}");
        }
    }

    #[test]
    fn shapes_are_objects_of_names_and_values() {
        let fields = object(
            r#"{""name"":""rect"", ""x"":1.5,""all"":[1,{""a"":2}],""note"":"""",""ok"":true}"#,
        )
        .expect("fields");
        let fields: Vec<(&str, &str)> =
            fields.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
        let list = "[1,{\"a\":2}]";
        assert_eq!(
            fields,
            [("name", "rect"), ("x", "1.5"), ("all", list), ("note", ""), ("ok", "true")]
        );
        assert_eq!(object("{}"), Some(Vec::new()));
        for cell in ["", "{", "{a:1}", "{\"a\"}", "{\"a\":\"b}", "[1]"] {
            assert_eq!(object(cell), None, "{cell}");
        }
    }

    #[test]
    fn frames_are_numbers_before_the_ending() {
        assert_eq!(frame("clip_04.8_0012.png"), Some(("clip_04.8_", "0012")));
        assert_eq!((frame("7"), frame("a.png"), frame("")), (Some(("", "7")), None, None));
    }

    #[test]
    fn turtles_are_lists_in_a_list() {
        assert_eq!(
            turtles("[[0 1.5 -2] [1 3 4]]"),
            Some(vec![["0", "1.5", "-2"], ["1", "3", "4"]])
        );
        assert_eq!(
            (turtles("[]"), turtles("[[0 1]]"), turtles("[0 1 2]")),
            (Some(vec![]), None, None)
        );
    }
}
