//! `--map`: density place by place, as a picture.

use wingbeat_measure::DensityMap;
use wingbeat_record::Recording;
use wingbeat_render::plot::HeatMap;

use super::args::MeasureArgs;
use super::frames::{each_frame, watched};
use super::region::Region;
use crate::failure::Failure;
use crate::labels::title;
use crate::report::grouped;
use crate::values::given;

/// Side of a square, if nothing is said: in meters, about half a person's width.
const SIDE: f64 = 0.2;

/// The picture as PNG, of every n-th frame.
pub fn gather(
    args: &MeasureArgs,
    recording: &Recording,
    region: &Region,
    every: u64,
) -> Result<Vec<u8>, Failure> {
    let side = given(&args.cell).unwrap_or(SIDE);
    let mut map =
        watched(|watch| DensityMap::new_watched(recording, side, region.walkable.as_ref(), watch))?;
    let mut frames = 0;
    each_frame(recording, every, |frame| {
        map.count(frame, region.voronoi.as_ref());
        frames += 1;
        Ok(())
    })?;
    let kind = args.map_kind.as_str();
    let how = match &args.voronoi {
        Some(radius) => format!("Voronoi cells cut at {}", radius.text),
        None => "heads".into(),
    };
    let picture = HeatMap {
        title: format!("{}: {kind} density", title(&args.file)),
        subtitle: format!("{} frames, squares of {side}, by {how}", grouped(frames)),
        x_label: "x (length)".into(),
        y_label: "y (length)".into(),
        value_label: format!("{kind} density (1/length\u{b2})"),
        low: map.area().corners()[0],
        side: map.side(),
        columns: map.columns(),
        values: if kind == "peak" { map.peak().to_vec() } else { map.mean() },
    };
    picture.png().map_err(|error| Failure::BadInput(format!("{}: {error}", args.file)))
}
