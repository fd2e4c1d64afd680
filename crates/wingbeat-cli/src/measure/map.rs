//! `--map`: density place by place, as a picture.

use wingbeat_measure::{Area, DensityMap};
use wingbeat_record::{RecordError, Recording, Watch};
use wingbeat_render::plot::HeatMap;

use super::args::MeasureArgs;
use super::frames::{each_frame, watched};
use super::plan::MapPlan;
use super::region::Region;
use crate::failure::Failure;
use crate::labels::{title, with_unit};
use crate::report::grouped;
use crate::units::Units;
use crate::values::given;

/// Side of a square, if nothing is said: in meters, about half a person's width.
const SIDE: f64 = 0.2;
/// A plan is shown as far beyond the positions as their box is long, and at least so many squares.
const LEAST_REACH: f64 = 25.0;

/// The picture as PNG, of every n-th frame, over a plan where there is one.
pub fn gather(
    args: &MeasureArgs,
    (recording, units): (&Recording, &Units),
    region: &Region,
    (every, plan): (u64, Option<MapPlan>),
) -> Result<Vec<u8>, Failure> {
    let side = given(&args.cell).unwrap_or(SIDE);
    let mut map = watched(|watch| match (&region.walkable, &plan) {
        (None, Some(plan)) => grid_over(plan, recording, side, watch),
        (area, _) => DensityMap::new_watched(recording, side, area.as_ref(), watch),
    })?;
    let mut frames = 0;
    each_frame(recording, every, |frame| {
        map.count(frame, region.voronoi.as_ref());
        frames += 1;
        Ok(())
    })?;
    let kind = args.map_kind.as_str();
    let how = match &args.voronoi {
        Some(radius) => format!("Voronoi cells cut at {}{}", radius.text, units.after("length")),
        None => "heads".into(),
    };
    let picture = HeatMap {
        title: format!("{}: {kind} density", title(&args.file)),
        subtitle: format!(
            "{} frames, squares of {side}{}, by {how}",
            grouped(frames),
            units.after("length")
        ),
        x_label: with_unit("x", &units.spell("length")),
        y_label: with_unit("y", &units.spell("length")),
        value_label: with_unit(&format!("{kind} density"), &units.spell("1/length\u{b2}")),
        low: map.area().corners()[0],
        side: map.side(),
        columns: map.columns(),
        values: if kind == "peak" { map.peak().to_vec() } else { map.mean() },
        plan: plan.map(|plan| plan.over(&map)),
    };
    picture.png().map_err(|error| Failure::BadInput(format!("{}: {error}", args.file)))
}

/// A grid that holds all positions, and the plan with a margin as far as it is near; without the
/// rest of the plan where that has too many squares.
fn grid_over(
    plan: &MapPlan,
    recording: &Recording,
    side: f64,
    watch: Watch<'_>,
) -> Result<DensityMap, RecordError> {
    let [low, high] = DensityMap::extent(recording, watch)?;
    let [plan_low, plan_high] = plan.extent();
    // A wall far away must not shrink what people do to a dot.
    let reach = (high[0] - low[0]).max(high[1] - low[1]).max(LEAST_REACH * side);
    // Half a square, so that no wall lies on the edge of the picture.
    let margin = 0.5 * side;
    let corner = |a: usize| low[a].min((plan_low[a] - margin).max(low[a] - reach));
    let far = |a: usize| high[a].max((plan_high[a] + margin).min(high[a] + reach));
    let over = Area::new([corner(0), corner(1), far(0), far(1)]);
    over.and_then(|area| DensityMap::new_watched(recording, side, Some(&area), watch))
        .or_else(|_| DensityMap::new_watched(recording, side, None, watch))
}
