//! `[drive.NAME]`.

use wingbeat::steer::drive::{
    Delay, Flow, Goal, Leader, Noise, OnArrival, Path, Speed, Tether, Wind,
};
use wingbeat::steer::{Drive, DriveKind, WanderParameters, behavior};

use super::flow::{self, NodesAround};
use super::named_table::NamedTable;
use crate::SceneError;
use crate::keys::{DelayKeys, FlowKeys, RoadKeys};
use crate::scene::Scene;

pub(super) fn drives<const D: usize>(
    scene: &Scene,
    around: NodesAround<'_, D>,
) -> Result<Vec<Drive<[f32; D]>>, SceneError> {
    let document = &scene.document;
    let mut drives = Vec::new();
    for table in NamedTable::all(document, "drive") {
        let (species, delay) = (table.species()?, delay(&table)?);
        let drive = table.read(Drive::new(table.name(), kind(scene, &table, around)?));
        let drive = Drive { species, delay, ..drive };
        drive.check(around.domain).map_err(|refusal| document.refuse_param(refusal))?;
        drives.push(drive);
    }
    Ok(drives)
}

/// How long people wait before they set off: the key that is given says how that is distributed.
fn delay(table: &NamedTable<'_>) -> Result<Delay, SceneError> {
    let keys = table.read(DelayKeys::default());
    let first = [
        ("delay_min", keys.delay_min),
        ("delay_max", keys.delay_max),
        ("delay_median", keys.delay_median),
        ("delay_gamma_scale", keys.delay_gamma_scale),
        ("delay_weibull_scale", keys.delay_weibull_scale),
    ];
    let mut given = first.into_iter().filter_map(|(key, value)| Some((key, value?)));
    // A width or a shape alone says nothing.
    let Some((key, scale)) = given.next() else { return Ok(Delay::None) };
    if let Some((other, _)) = given.find(|&(other, _)| (key, other) != ("delay_min", "delay_max")) {
        return Err(table.refuse(key, &format!("left out where {other} is given")));
    }
    Ok(match key {
        "delay_median" => Delay::LogNormal { median: scale, sigma: keys.delay_sigma },
        "delay_gamma_scale" => Delay::Gamma { shape: keys.delay_gamma_shape, scale },
        "delay_weibull_scale" => Delay::Weibull { shape: keys.delay_weibull_shape, scale },
        _ => {
            let min = keys.delay_min.unwrap_or(0.0);
            Delay::Uniform { min, max: keys.delay_max.unwrap_or(min) }
        }
    })
}

fn kind<const D: usize>(
    scene: &Scene,
    table: &NamedTable<'_>,
    around: NodesAround<'_, D>,
) -> Result<DriveKind<[f32; D]>, SceneError> {
    Ok(match table.kind() {
        "goal" => goal(table).into(),
        "wander" => table.read(WanderParameters::default()).into(),
        "leader" => {
            let leader = table.read(Leader::default());
            Leader { parents: Leader::each(leader.parents).parents, ..leader }.into()
        }
        "path" => path(table)?.into(),
        "flow" => {
            let keys = table.read(FlowKeys::default());
            let fields = flow::fields(scene, table, &keys, around)?
                .into_iter()
                .map(|(time, field)| (time, field.outside(keys.outside)));
            let mut fields = fields.collect::<Vec<_>>().into_iter();
            let (_, first) = fields.next().ok_or_else(|| table.refuse("toward", "a way"))?;
            Flow { raw: keys.raw, later: fields.collect(), ..Flow::new(first) }.into()
        }
        "wind" => table.read(Wind::default()).into(),
        "speed" => table.read(Speed::default()).into(),
        "tether" => table.read(Tether::default()).into(),
        "noise" => table.read(Noise::default()).into(),
        other => return Err(table.refuse("kind", &format!("another: {other} is not read here"))),
    })
}

fn goal<const D: usize>(table: &NamedTable<'_>) -> Goal<[f32; D]> {
    let given = table.read(Goal::default());
    // Bodies that are sent to one point cannot all be there: without an end they would whirl about
    // it.
    let crowds =
        given.target.is_some() && given.arrival_radius > 0.0 && table.document.has_section("body");
    if crowds && !table.has("on_arrival") {
        return Goal { on_arrival: OnArrival::Settle, ..given };
    }
    given
}

fn path<const D: usize>(table: &NamedTable<'_>) -> Result<Path<[f32; D]>, SceneError> {
    let RoadKeys { points, looped, radius } = table.read(RoadKeys::<[f32; D]>::default());
    let road = if looped {
        behavior::Path::looped(points, radius)
    } else {
        behavior::Path::open(points, radius)
    };
    let road = road.map_err(|refusal| {
        table.refuse(refusal.field.trim_start_matches("path."), &refusal.to_string())
    })?;
    Ok(table.read(Path::new(road)))
}
