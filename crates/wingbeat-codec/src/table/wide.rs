//! Wide tables: a row for each frame, columns for each individual; and tables that only look like
//! that, which are refused.

use std::collections::BTreeMap;

use crate::column_names::Name;

/// Columns of one individual.
#[derive(Debug, PartialEq)]
pub(crate) struct TrackColumns {
    /// Its id in a wide table; a long one has a column of ids, or a single individual.
    pub id: Option<u64>,
    pub position: Vec<usize>,
    /// Empty where the file has no velocities.
    pub velocity: Vec<usize>,
}

/// Words before a number that mean a part of a body: `pose0_x` is not the position of an
/// individual.
const PARTS: [&str; 7] = ["pose", "keypoint", "kp", "node", "joint", "part", "bodypart"];

/// Last words in the name of a column that tells individuals apart.
const OF_IDS: [&str; 24] = [
    "id",
    "ids",
    "nr",
    "no",
    "num",
    "index",
    "idx",
    "name",
    "label",
    "who",
    "agent",
    "ped",
    "pedestrian",
    "person",
    "animal",
    "fish",
    "bird",
    "mouse",
    "individual",
    "track",
    "particle",
    "object",
    "subject",
    "vehicle",
];

/// Words in the names of columns that detectors write beside a box.
const OF_DETECTORS: [&str; 9] =
    ["conf", "confidence", "score", "prob", "probability", "class", "cls", "label", "category"];

/// Names of the corners of a box, as detectors have them.
const CORNERS: [[&str; 4]; 9] = [
    ["x1", "y1", "x2", "y2"],
    ["x_1", "y_1", "x_2", "y_2"],
    ["x0", "y0", "x1", "y1"],
    ["xmin", "ymin", "xmax", "ymax"],
    ["x_min", "y_min", "x_max", "y_max"],
    ["min_x", "min_y", "max_x", "max_y"],
    ["left", "top", "right", "bottom"],
    ["bbox_x1", "bbox_y1", "bbox_x2", "bbox_y2"],
    ["bb_left", "bb_top", "bb_right", "bb_bottom"],
];

/// The individuals of a wide table, by the numbers in the names of its columns; none where it is
/// not one.
pub(super) fn wide(names: &[Name]) -> Result<Vec<TrackColumns>, String> {
    let parts =
        names.iter().enumerate().filter_map(|(column, name)| Some((column, part(&name.base)?)));
    let parts: Vec<(usize, WideColumn)> = parts.collect();
    let Some(word) = parts.first().map(|(_, part)| part.word.clone()) else {
        return Ok(Vec::new());
    };
    if PARTS.contains(&word.as_str()) || parts.iter().any(|(_, part)| part.word != word) {
        return Ok(Vec::new());
    }
    let mut columns: BTreeMap<u64, [Option<usize>; 3]> = BTreeMap::new();
    for (column, part) in &parts {
        let of = columns.entry(part.number).or_default();
        if of[part.axis].replace(*column).is_some() {
            return Err(format!("column {} appears twice: allowed is once", names[*column].raw));
        }
    }
    let dimensions = if columns.values().any(|of| of[2].is_some()) { 3 } else { 2 };
    let mut sighted = Vec::new();
    for (number, of) in columns {
        let position: Vec<usize> = of[..dimensions].iter().copied().flatten().collect();
        if position.len() < dimensions {
            let lacking =
                ["x", "y", "z"][(0..dimensions).find(|&axis| of[axis].is_none()).unwrap_or(0)];
            return Err(format!(
                "individual {number} has no column {lacking}: allowed is one of x, \
                y and perhaps z for each"
            ));
        }
        sighted.push(TrackColumns { id: Some(number), position, velocity: Vec::new() });
    }
    Ok(sighted)
}

/// The columns of a box's two corners, where these are the file's coordinates.
pub(super) fn corners(names: &[Name]) -> Option<[usize; 4]> {
    let column = |wanted: &str| names.iter().position(|name| name.base == wanted);
    CORNERS.iter().find_map(|corners| {
        let found: Vec<usize> = corners.iter().filter_map(|name| column(name)).collect();
        found.try_into().ok()
    })
}

/// Refuses tables of programs whose rows are not positions in frames, by the names of their
/// columns.
pub(super) fn refuse_by_name(names: &[Name]) -> Result<(), String> {
    let has = |wanted: &str| names.iter().any(|name| name.base == wanted);
    if ["start_x", "start_y", "end_x", "end_y"].into_iter().all(has) {
        return Err(
            "rows are footsteps from startX,startY to endX,endY, each at times of its own: \
                    allowed are positions in \
                    frames, as Vadere's PedestrianPositionProcessor writes them (timeStep \
                    pedestrianId x y)"
                .into(),
        );
    }
    if has("vehicle_x") && has("person_x") && !has("x") {
        return Err("rows are of vehicles or of persons: allowed is --map-columns \
                    id=vehicle_id,x=vehicle_x,y=vehicle_y, or \
                    the same of person"
            .into());
    }
    Ok(())
}

/// Refuses a wide table whose other columns say that it is none; tells whether its rows may be
/// boxes.
pub(super) fn check_others(
    names: &[Name],
    sighted: &[TrackColumns],
    others: &[&Name],
) -> Result<bool, String> {
    let raw = |column: usize| names[column].raw.as_str();
    let position = &sighted[0].position;
    let of_ids = others.iter().find(|name| is_of_ids(name));
    if let (1, Some(ids)) = (sighted.len(), of_ids) {
        return Err(one_beside_ids(names, position, ids));
    }
    let is_box = corners(names).is_some() && sighted.len() == 2 && position.len() == 2;
    let is_of_detector =
        |name: &&&Name| name.base.split('_').any(|word| OF_DETECTORS.contains(&word));
    let of_detector = others.iter().find(is_of_detector).or(of_ids);
    match of_detector.filter(|_| is_box) {
        Some(other) => Err(format!(
            "column {} beside {}",
            other.raw,
            corners_of_a_box(raw(position[0]), raw(position[1]))
        )),
        None => Ok(is_box),
    }
}

/// The refusal of a table of one individual beside what looks like ids.
pub(super) fn one_beside_ids(names: &[Name], position: &[usize], ids: &Name) -> String {
    let [x, y] = [0, 1].map(|axis| names[position[axis]].raw.as_str());
    format!(
        "column {ids} looks like ids, and {x},{y} like one individual's: allowed is --map-columns \
         id={ids},x={x},y={y}, with \
         frame=NAME or time=NAME where they have other names",
        ids = ids.raw
    )
}

/// What is said of the columns of a box.
pub(super) fn corners_of_a_box(x: &str, y: &str) -> String {
    format!(
        "{x},{y} look like a corner of a box, not like an individual: allowed is --map-columns \
         x={x},y={y}, which takes this \
         corner, or names such as fish1_x,fish1_y for two individuals"
    )
}

/// Whether a name ends in a word for ids (`ped_nr`, but not `fish_length`), or begins with `id`.
/// The number of NetLogo's run is none.
fn is_of_ids(name: &Name) -> bool {
    let last = name.base.rsplit('_').next().unwrap_or_default();
    (OF_IDS.contains(&last) || name.base.starts_with("id_")) && name.base != "run_number"
}

/// A name in a wide table: an axis, perhaps a word, and the individual's number.
pub(super) struct WideColumn {
    pub axis: usize,
    word: String,
    number: u64,
}

/// `x1`, `x_1`, `x_fish1`, `fish1_x`, `1_x`, each perhaps after `pos_`; NetLogo's `[xcor] of turtle
/// 1`.
pub(super) fn part(base: &str) -> Option<WideColumn> {
    // `[xcor] of turtle 0`, as NetLogo has it.
    let reported = |axis: &str| {
        base.strip_prefix(&format!("[{axis}cor]_of_")).map(|of| format!("{axis}_{of}"))
    };
    let reported = ["x", "y", "z"].into_iter().find_map(reported);
    let base = reported.as_deref().unwrap_or(base);
    let base = base.strip_prefix("pos_").unwrap_or(base);
    let base = base.strip_suffix("#wcentroid").unwrap_or(base);
    let axis_of = |text: &str| ["x", "y", "z"].iter().position(|axis| *axis == text);
    let after = base.split_at_checked(1).and_then(|(axis, rest)| Some((axis_of(axis)?, rest)));
    let after =
        after.filter(|(_, rest)| rest.starts_with(|c: char| c == '_' || c.is_ascii_digit()));
    let before = || base.rsplit_once('_').and_then(|(rest, axis)| Some((axis_of(axis)?, rest)));
    let (axis, label) = after.or_else(before)?;
    let label = label.trim_start_matches('_');
    let word = label.trim_end_matches(|c: char| c.is_ascii_digit());
    let number = label[word.len()..].parse().ok()?;
    Some(WideColumn { axis, word: word.trim_end_matches('_').to_string(), number })
}
