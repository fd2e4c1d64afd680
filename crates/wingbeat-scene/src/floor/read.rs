//! Reading a plan, and refusing what is none.

use wingbeat_record::read_text;

use super::wkt::{WktError, WktRing, polygons};
use super::{Floor, Point, Polygon, rings, sweep};
use crate::SceneError;
use crate::number::plain;
use crate::scene::{MOST_TEXT, Scene, reason};

/// Most corners of a plan, all rings together.
const MOST_CORNERS: usize = 100_000;

/// The largest coordinate, as of other obstacles.
const FARTHEST: f64 = 1e12;

/// How deep parentheses may be nested: a collection of collections of many polygons needs five.
const DEEPEST: usize = 16;

const KINDS: &str = "POLYGON, MULTIPOLYGON or GEOMETRYCOLLECTION of these";

/// The plan of a scene, if it has one.
pub(crate) fn floor(scene: &Scene) -> Result<Option<Floor>, SceneError> {
    let Some((text, place)) = text(scene)? else { return Ok(None) };
    let origin = scene.origin::<2>();
    read(&text, origin).map(Some).map_err(|message| SceneError::data(place, message))
}

/// The text of a scene's plan and the place that refusals name.
pub(super) fn text(scene: &Scene) -> Result<Option<(String, String)>, SceneError> {
    let document = &scene.document;
    if !document.has_section("floor") {
        return Ok(None);
    }
    let key = if document.has("floor.file") { "floor.file" } else { "floor.wkt" };
    if scene.dimensions() != 2 {
        return Err(document.refuse("flock.dimensions", "2 with [floor]: floor plans are flat"));
    }
    match (scene.file("floor.file"), document.text("floor.wkt")) {
        (Some(_), Some(_)) => Err(document.refuse(key, "left out where floor.wkt is given")),
        (None, None) => Err(document.refuse(
            "floor.file",
            "a path: the .wkt file of the plan (or floor.wkt, the plan itself)",
        )),
        (None, Some(wkt)) => {
            Ok(Some((wkt.to_string(), format!("{}: floor.wkt", document.place_of(key)))))
        }
        (Some(path), None) => {
            let shown = path.display().to_string();
            let text = read_text(&path, MOST_TEXT);
            let text = text.map_err(|error| {
                SceneError::file(&shown, format!("cannot read the plan: {}", reason(&error)))
            })?;
            Ok(Some((text, shown)))
        }
    }
}

/// All rings of a plan, outer ones and holes.
pub(crate) fn plan_rings(text: &str) -> Result<Vec<Vec<Point>>, String> {
    let floor = read(text, [0.0; 2])?;
    Ok(floor.polygons.iter().flat_map(Polygon::rings).map(<[Point]>::to_vec).collect())
}

fn read(text: &str, origin: [f64; 2]) -> Result<Floor, String> {
    let text = without_prefix(text);
    check_form(text)?;
    let polygons = polygons(text).map_err(|error| match error {
        WktError::Malformed(message) => not_wkt(message),
        WktError::Kind(kind) => format!("a {kind}: allowed is {KINDS}"),
    })?;
    let mut floor = Floor { polygons: Vec::new() };
    for (i, polygon) in polygons.iter().enumerate() {
        let mut rings = polygon
            .iter()
            .enumerate()
            .map(|(ring, points)| corners(points, origin, || named(i, ring)));
        let Some(outer) = rings.next() else {
            return Err(format!("polygon {i} is empty: allowed are polygons with corners"));
        };
        floor.polygons.push(Polygon { outer: outer?, holes: rings.collect::<Result<_, _>>()? });
    }
    if floor.polygons.is_empty() {
        return Err(format!("an empty plan: allowed is {KINDS} with at least one polygon"));
    }
    check(&floor)?;
    Ok(floor)
}

/// The text behind a byte order mark and behind `SRID=25832;`, with which PostGIS names the
/// coordinate system (EWKT).
fn without_prefix(text: &str) -> &str {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let is_srid = |(name, number): (&str, &str)| {
        name.trim().eq_ignore_ascii_case("SRID")
            && number.trim().bytes().all(|byte| byte.is_ascii_digit())
    };
    match text.split_once(';') {
        Some((srid, rest)) if srid.split_once('=').is_some_and(is_srid) => rest.trim_start(),
        _ => text,
    }
}

fn not_wkt(message: &str) -> String {
    format!("not WKT ({message}): allowed is {KINDS}")
}

/// Refuses what the reader of geometries would recurse into without end, and says what is wrong
/// with parentheses.
fn check_form(text: &str) -> Result<(), String> {
    let (mut depth, mut is_over) = (0, false);
    for byte in text.trim_end().bytes() {
        match byte {
            0 => return Err(not_wkt("a byte 0")),
            _ if is_over => return Err(not_wkt("text after the last parenthesis")),
            b'(' => depth += 1,
            b')' if depth == 0 => return Err(not_wkt("a parenthesis too many")),
            b')' => {
                depth -= 1;
                is_over = depth == 0;
            }
            _ => {}
        }
        if depth > DEEPEST {
            return Err(not_wkt(&format!("parentheses more than {DEEPEST} deep")));
        }
    }
    Ok(())
}

/// What messages call a ring: the outer one is that of number 0.
fn named(polygon: usize, ring: usize) -> String {
    if ring == 0 {
        format!("polygon {polygon} outer ring")
    } else {
        format!("polygon {polygon} hole {}", ring - 1)
    }
}

/// The corners of a ring in the scene's coordinates, without the repeated last and without others
/// that are as the one before.
fn corners(
    points: &WktRing,
    origin: [f64; 2],
    name: impl Fn() -> String,
) -> Result<Vec<Point>, String> {
    let shown = |[x, y]: [f64; 2]| format!("({} {})", plain(x), plain(y));
    for (i, point) in points.iter().enumerate() {
        if let Some(wrong) =
            (0..2).map(|a| point[a] - origin[a]).find(|x| !(-FARTHEST..=FARTHEST).contains(x))
        {
            let allowed = format!("-{0} to {0} from domain.origin", plain(FARTHEST));
            return Err(format!(
                "{} corner {i}: coordinate {}: allowed is {allowed}",
                name(),
                plain(wrong)
            ));
        }
    }
    if let [first, .., last] = points[..]
        && first != last
    {
        let (first, last) = (shown(first), shown(last));
        return Err(format!(
            "{}: ends at {last}: allowed is a ring that ends where it begins, at {first}",
            name()
        ));
    }
    let mut corners: Vec<Point> =
        points.iter().map(|point| std::array::from_fn(|a| (point[a] - origin[a]) as f32)).collect();
    corners.dedup();
    // The last is the first, once more.
    while corners.len() > 1 && corners.first() == corners.last() {
        corners.pop();
    }
    match corners.len() {
        3.. => Ok(corners),
        1 => Err(format!("{}: 1 corner: allowed are 3 different corners or more", name())),
        few => Err(format!("{}: {few} different corners: allowed are 3 or more", name())),
    }
}

/// Refuses rings that cross, holes that are not in their polygon, and polygons that overlap.
fn check(floor: &Floor) -> Result<(), String> {
    let numbers =
        |(i, polygon): (usize, &Polygon)| (0..=polygon.holes.len()).map(move |ring| (i, ring));
    let names: Vec<(usize, usize)> = floor.polygons.iter().enumerate().flat_map(numbers).collect();
    let rings: Vec<&[Point]> = floor.polygons.iter().flat_map(Polygon::rings).collect();
    let corners = rings.iter().map(|ring| ring.len()).sum::<usize>();
    if corners > MOST_CORNERS {
        return Err(format!("{corners} corners: allowed are at most {MOST_CORNERS}"));
    }
    let name = |ring: usize| named(names[ring].0, names[ring].1);
    let parents = sweep::nesting(&rings).map_err(|[one, other]| {
        let shown = |edge: &rings::Edge| {
            let [[a, b], [c, d]] = edge.ends;
            format!("edge {} of {} ({a} {b}, {c} {d})", edge.edge, name(edge.ring))
        };
        let allowed = "rings that touch others in single points at most, and themselves nowhere";
        format!("{} meets {}: allowed are {allowed}", shown(&one), shown(&other))
    })?;
    for (ring, &(_, number)) in names.iter().enumerate() {
        let mut around = std::iter::successors(parents[ring], |&ring| parents[ring]);
        let own = ring - number;
        let rival = match (number, parents[ring]) {
            // One that lies in holes alone is of a polygon with a hole outside.
            (0, _) => around.find(|&ring| names[ring].1 == 0),
            (_, parent) if parent == Some(own) => None,
            (_, parent) if around.any(|ring| ring == own) => parent,
            _ => {
                return Err(format!(
                    "{} lies outside: allowed are holes inside the outer ring",
                    name(ring)
                ));
            }
        };
        if let Some(other) = rival {
            let (one, other) = (name(ring), name(other));
            return Err(format!(
                "{one} lies in {other}: allowed are polygons apart from each other, \
                and so are their holes"
            ));
        }
    }
    Ok(())
}
