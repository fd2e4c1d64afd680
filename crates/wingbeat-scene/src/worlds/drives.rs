//! `[drive.NAME]`.

use wingbeat::steer::drive::{
    Delay, Flow, Follow, Goal, Leader, Noise, OnArrival, Outside, Path, Speed, Tether, Wind,
};
use wingbeat::steer::parameters::DRIVE_WEIGHT;
use wingbeat::steer::{Drive, DriveKind, WanderFrame, WanderParameters, When, behavior};

use super::flow::{self, NodesAround};
use super::named_table::NamedTable;
use crate::SceneError;
use crate::rules::numbers;
use crate::scene::Scene;

pub(super) fn drives<const D: usize>(
    scene: &Scene,
    around: NodesAround<'_, D>,
) -> Result<Vec<Drive<[f32; D]>>, SceneError> {
    let document = &scene.document;
    let mut drives = Vec::new();
    for path in document.tables("drive") {
        let table = NamedTable { document, path };
        let drive = Drive {
            weight: table.narrow("weight", DRIVE_WEIGHT.default as f32),
            species: table.species()?,
            when: match table.text("when") {
                Some("idle") => When::Idle,
                Some("busy") => When::Busy,
                Some("resting") => When::Resting,
                _ => When::Always,
            },
            from: table.number("from").unwrap_or(0.0),
            until: table.number("until").unwrap_or(f64::INFINITY),
            delay: delay(&table)?,
            ..Drive::new(table.name(), kind(scene, &table, around)?)
        };
        drive.check(around.domain).map_err(|refusal| document.refuse_param(refusal))?;
        drives.push(drive);
    }
    Ok(drives)
}

/// `delay_sigma` of drives that do not say it.
const USUAL_SIGMA: f64 = 0.5;

/// How long people wait before they set off: the key that is given says how that is distributed.
fn delay(table: &NamedTable<'_>) -> Result<Delay, SceneError> {
    const FIRST: [&str; 5] =
        ["delay_min", "delay_max", "delay_median", "delay_gamma_scale", "delay_weibull_scale"];
    let number = |key, usual| table.number(key).unwrap_or(usual);
    let mut given = FIRST.into_iter().filter(|key| table.has(key));
    // A width or a shape alone says nothing.
    let Some(key) = given.next() else { return Ok(Delay::None) };
    if let Some(other) = given.find(|&other| (key, other) != ("delay_min", "delay_max")) {
        return Err(table.refuse(key, &format!("left out where {other} is given")));
    }
    let scale = number(key, 0.0);
    Ok(match key {
        "delay_median" => {
            Delay::LogNormal { median: scale, sigma: number("delay_sigma", USUAL_SIGMA) }
        }
        "delay_gamma_scale" => Delay::Gamma { shape: number("delay_gamma_shape", 1.0), scale },
        "delay_weibull_scale" => {
            Delay::Weibull { shape: number("delay_weibull_shape", 1.0), scale }
        }
        _ => {
            let min = number("delay_min", 0.0);
            Delay::Uniform { min, max: number("delay_max", min) }
        }
    })
}

fn kind<const D: usize>(
    scene: &Scene,
    table: &NamedTable<'_>,
    around: NodesAround<'_, D>,
) -> Result<DriveKind<[f32; D]>, SceneError> {
    Ok(match table.text("kind").unwrap_or_default() {
        "goal" => goal(table).into(),
        "wander" => wander(table).into(),
        "leader" => leader(table).into(),
        "path" => path(table)?.into(),
        "flow" => {
            let outside =
                if table.text("outside") == Some("zero") { Outside::Zero } else { Outside::Clamp };
            let fields = flow::fields(scene, table, around)?
                .into_iter()
                .map(|(time, field)| (time, field.outside(outside)));
            let mut fields = fields.collect::<Vec<_>>().into_iter();
            let (_, first) = fields.next().ok_or_else(|| table.refuse("toward", "a way"))?;
            Flow { raw: table.flag("raw"), later: fields.collect(), ..Flow::new(first) }.into()
        }
        "wind" => {
            Wind { vector: table.needed("vector", "the wind")?, drag: table.flag("drag") }.into()
        }
        "speed" => numbers(table.document, table.path, Speed::default()).into(),
        "tether" => {
            let usual = Tether::<[f32; D]>::default();
            numbers(
                table.document,
                table.path,
                Tether { anchor: table.point("anchor").unwrap_or(usual.anchor), ..usual },
            )
            .into()
        }
        _ => numbers(table.document, table.path, Noise::default()).into(),
    })
}

fn goal<const D: usize>(table: &NamedTable<'_>) -> Goal<[f32; D]> {
    let usual = Goal::<[f32; D]>::default();
    let given =
        Goal { target: table.point("target"), ..numbers(table.document, table.path, usual) };
    // Bodies that are sent to one point cannot all be there: without an end they would whirl about
    // it.
    let crowds =
        given.target.is_some() && given.arrival_radius > 0.0 && table.document.has_section("body");
    Goal {
        on_arrival: match table.text("on_arrival") {
            Some("leave") => OnArrival::Leave,
            Some("settle") => OnArrival::Settle,
            None if crowds => OnArrival::Settle,
            _ => usual.on_arrival,
        },
        range: table.narrow("range", usual.range),
        ..given
    }
}

fn wander(table: &NamedTable<'_>) -> WanderParameters {
    let usual = WanderParameters::default();
    WanderParameters {
        frame: if table.text("frame") == Some("heading") {
            WanderFrame::Heading
        } else {
            usual.frame
        },
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
    let road = if table.flag("looped") {
        behavior::Path::looped(points, radius)
    } else {
        behavior::Path::open(points, radius)
    };
    let usual = Path::new(road.map_err(|refusal| {
        table.refuse(refusal.field.trim_start_matches("path."), &refusal.to_string())
    })?);
    Ok(Path {
        follow: if table.text("follow") == Some("road") { Follow::Road } else { usual.follow },
        slowing_radius: table.narrow("slowing_radius", usual.slowing_radius),
        prediction_time: table.narrow("prediction_time", usual.prediction_time),
        ..usual
    })
}
