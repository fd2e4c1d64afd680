//! `--outline`: the tank or the room around a recording.

use std::path::Path;

use clap::Args;
use wingbeat::steer::ObstacleShape;
use wingbeat_record::read_text;
use wingbeat_scene::{MOST_TEXT, Segment, outline, plan_outline};

use crate::failure::Failure;
use crate::files::Files;

const ALLOWED: &str = "circle:X,Y,R with R above 0, rectangle:XMIN,YMIN,XMAX,YMAX, a .wkt with \
                       polygons, or a text file of at least three \
                       corners, a line X,Y for each";

/// Outlines that are drawn.
#[derive(Args, Debug, Default, PartialEq)]
pub struct OutlineValues {
    /// Draw the outline of a tank or a room in the plane, after scaling: circle:X,Y,R,
    /// rectangle:XMIN,YMIN,XMAX,YMAX, or a file, .wkt or a line X,Y for each corner; may be
    /// repeated. On a map of density it stands in place of the scene's plan
    #[arg(long, value_name = "SHAPE|FILE", allow_hyphen_values = true)]
    pub outline: Vec<String>,
}

impl OutlineValues {
    /// The lines of all of them.
    pub fn lines(&self, files: &mut Files) -> Result<Vec<Segment>, Failure> {
        let mut all = Vec::new();
        for text in &self.outline {
            all.extend(lines(text, files)?);
        }
        Ok(all)
    }

    /// Refuses them for flocks in space.
    pub fn check(&self, dimensions: usize) -> Result<(), Failure> {
        match self.outline.first().filter(|_| dimensions != 2) {
            Some(text) => Err(Failure::value(
                "--outline",
                text,
                "nothing in space: outlines are of the plane",
            )),
            None => Ok(()),
        }
    }
}

fn lines(text: &str, files: &mut Files) -> Result<Vec<Segment>, Failure> {
    let refuse = || Failure::value("--outline", text, ALLOWED);
    if let Some((kind, numbers)) =
        text.split_once(':').filter(|(kind, _)| ["circle", "rectangle"].contains(kind))
    {
        let shape = match (kind, &numbers_of(numbers)[..]) {
            ("circle", &[x, y, radius]) if radius > 0.0 => {
                ObstacleShape::Sphere { center: [x, y], radius }
            }
            ("rectangle", &[x0, y0, x1, y1]) if x0 < x1 && y0 < y1 => {
                ObstacleShape::Box { min: [x0, y0], max: [x1, y1], angle: 0.0 }
            }
            _ => return Err(refuse()),
        };
        return Ok(outline(&shape));
    }
    files.read(text)?;
    let content = read_text(Path::new(text), MOST_TEXT).map_err(|error| {
        Failure::value("--outline", text, &format!("{ALLOWED}; it cannot be read ({error})"))
    })?;
    if text.ends_with(".wkt") {
        return plan_outline(&content)
            .map_err(|why| Failure::BadInput(format!("--outline {text}: {why}")));
    }
    Ok(outline(&ObstacleShape::Polygon { points: corners(text, &content)? }))
}

/// The corners that a file lists; a line of names may come first.
fn corners(file: &str, content: &str) -> Result<Vec<[f32; 2]>, Failure> {
    let lines = content
        .lines()
        .enumerate()
        .map(|(i, line)| (i + 1, line.split('#').next().unwrap_or("").trim()));
    let mut points = Vec::new();
    for (number, line) in lines.filter(|(_, line)| !line.is_empty()) {
        match numbers_of(line)[..] {
            [x, y] => points.push([x, y]),
            _ if points.is_empty() && line.starts_with(char::is_alphabetic) => {}
            _ => {
                let line: String = line.chars().take(60).collect();
                let allowed = "two finite numbers, X,Y, or a comment behind #";
                return Err(Failure::BadInput(format!(
                    "{file}:{number}: \"{}\": allowed is {allowed}",
                    line.escape_debug()
                )));
            }
        }
    }
    if points.len() < 3 {
        return Err(Failure::value("--outline", file, ALLOWED));
    }
    Ok(points)
}

/// Finite numbers apart by commas, semicolons or white space; none where something else is among
/// them.
fn numbers_of(text: &str) -> Vec<f32> {
    let cells = text
        .split(|c: char| c == ',' || c == ';' || c.is_whitespace())
        .filter(|cell| !cell.is_empty());
    let numbers =
        cells.map(|cell| cell.parse().ok().filter(|x: &f32| x.is_finite() && x.abs() <= 1e12));
    numbers.collect::<Option<Vec<f32>>>().unwrap_or_default()
}
