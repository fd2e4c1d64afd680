//! `[drive.NAME]`.

use wingbeat::Domain;
use wingbeat::steer::drive::{Flow, Follow, Goal, Leader, Noise, OnArrival, Outside, Path, Speed, Tether, Wind};
use wingbeat::steer::knobs::DRIVE_WEIGHT;
use wingbeat::steer::{Drive, DriveKind, Obstacles, WanderFrame, WanderParameters, When, behavior};

use super::flow;
use super::named_table::NamedTable;
use crate::SceneError;
use crate::rules::numbers;
use crate::scene::Scene;

pub(super) fn drives<const D: usize>(
    scene: &Scene,
    domain: &Domain<[f32; D]>,
    obstacles: &Obstacles<[f32; D]>,
) -> Result<Vec<Drive<[f32; D]>>, SceneError> {
    let document = &scene.document;
    let species = document.tables("species");
    let mut drives = Vec::new();
    for path in document.tables("drive") {
        let table = NamedTable { document, path };
        let drive = Drive {
            weight: table.narrow("weight", DRIVE_WEIGHT.default as f32),
            species: of_species(&table, &species)?,
            when: match table.text("when") {
                Some("idle") => When::Idle,
                Some("busy") => When::Busy,
                Some("resting") => When::Resting,
                _ => When::Always,
            },
            ..Drive::new(table.name(), kind(scene, &table, domain, obstacles)?)
        };
        drive.check(domain).map_err(|refusal| document.refuse_param(refusal))?;
        drives.push(drive);
    }
    Ok(drives)
}

/// The species a drive names, by number.
fn of_species(table: &NamedTable<'_>, species: &[&str]) -> Result<Option<usize>, SceneError> {
    let Some(name) = table.text("species") else { return Ok(None) };
    let names: Vec<&str> = species.iter().filter_map(|path| path.strip_prefix("species.")).collect();
    match names.iter().position(|known| *known == name) {
        Some(place) => Ok(Some(place)),
        None if names.is_empty() => Err(table.refuse("species", "left out: the scene has no [species.NAME]")),
        None => Err(table.refuse("species", &names.join(", "))),
    }
}

fn kind<const D: usize>(
    scene: &Scene,
    table: &NamedTable<'_>,
    domain: &Domain<[f32; D]>,
    obstacles: &Obstacles<[f32; D]>,
) -> Result<DriveKind<[f32; D]>, SceneError> {
    Ok(match table.text("kind").unwrap_or_default() {
        "goal" => goal(table).into(),
        "wander" => wander(table).into(),
        "leader" => leader(table).into(),
        "path" => path(table)?.into(),
        "flow" => {
            let outside = if table.text("outside") == Some("zero") { Outside::Zero } else { Outside::Clamp };
            let field = flow::field(scene, table, domain, obstacles)?.outside(outside);
            Flow { raw: table.flag("raw"), ..Flow::new(field) }.into()
        }
        "wind" => Wind { vector: table.needed("vector", "the wind")?, drag: table.flag("drag") }.into(),
        "speed" => numbers(table.document, table.path, Speed::default()).into(),
        "tether" => {
            let usual = Tether::<[f32; D]>::default();
            numbers(table.document, table.path, Tether { anchor: table.point("anchor").unwrap_or(usual.anchor), ..usual }).into()
        }
        _ => numbers(table.document, table.path, Noise::default()).into(),
    })
}

fn goal<const D: usize>(table: &NamedTable<'_>) -> Goal<[f32; D]> {
    let usual = Goal::<[f32; D]>::default();
    Goal {
        target: table.point("target"),
        on_arrival: if table.text("on_arrival") == Some("leave") { OnArrival::Leave } else { usual.on_arrival },
        range: table.narrow("range", usual.range),
        ..numbers(table.document, table.path, usual)
    }
}

fn wander(table: &NamedTable<'_>) -> WanderParameters {
    let usual = WanderParameters::default();
    WanderParameters {
        frame: if table.text("frame") == Some("heading") { WanderFrame::Heading } else { usual.frame },
        ..numbers(table.document, table.path, usual)
    }
}

fn leader(table: &NamedTable<'_>) -> Leader {
    Leader {
        parent: table.whole("parent"),
        distance: table.number("distance").map(|distance| distance as f32),
        looks: table.flag("looks"),
        ..Leader::each(table.pairs("parents"))
    }
}

fn path<const D: usize>(table: &NamedTable<'_>) -> Result<Path<[f32; D]>, SceneError> {
    let points = table.points::<D>("points");
    let radius = table.narrow("radius", 1.0);
    let road = if table.flag("looped") { behavior::Path::looped(points, radius) } else { behavior::Path::open(points, radius) };
    let usual = Path::new(road.map_err(|refusal| table.refuse(refusal.field.trim_start_matches("path."), &refusal.to_string()))?);
    Ok(Path {
        follow: if table.text("follow") == Some("road") { Follow::Road } else { usual.follow },
        slowing_radius: table.narrow("slowing_radius", usual.slowing_radius),
        prediction_time: table.narrow("prediction_time", usual.prediction_time),
        ..usual
    })
}
