//! Where density and speed are measured, and how.

use std::collections::HashMap;

use wingbeat_measure::{Area, Voronoi};
use wingbeat_record::Frame;

use super::args::MeasureArgs;
use crate::failure::Failure;
use crate::values::given;

/// Names of density and speed in an area: by heads, and by cells.
pub const AREA: [[&str; 2]; 2] =
    [["area_density", "area_mean_speed"], ["area_voronoi_density", "area_voronoi_speed"]];

/// What `--area`, `--voronoi` and `--walkable` ask for.
#[derive(Debug, Default)]
pub struct Region {
    pub area: Option<Area>,
    pub walkable: Option<Area>,
    pub voronoi: Option<Voronoi>,
}

impl Region {
    pub fn new(args: &MeasureArgs) -> Result<Self, Failure> {
        let rectangle =
            |name, corners| given(corners).map(|corners| Area::named(name, corners)).transpose();
        let (area, walkable) =
            (rectangle("area", &args.area)?, rectangle("walkable", &args.walkable)?);
        let cells = |radius| Voronoi::new(radius, walkable);
        let voronoi = given(&args.voronoi).map(cells).transpose()?;
        Ok(Self { area, walkable, voronoi })
    }

    /// The size of every individual's Voronoi cell, in the order of the rows, if cells were asked
    /// for; NaN for an individual without one.
    pub fn cells(&self, frame: &Frame<'_>) -> Option<Vec<f64>> {
        let cells = self.voronoi?.cells(frame, None);
        let sizes: HashMap<u64, f64> = cells.iter().map(|cell| (cell.id, cell.size)).collect();
        Some(frame.rows.iter().map(|row| sizes.get(&row.id).copied().unwrap_or(f64::NAN)).collect())
    }

    /// Names of the columns that a frame's observables get beside their own.
    pub fn names(&self) -> Vec<&'static str> {
        let cells = self.voronoi.is_some();
        let ways =
            AREA.into_iter().take(usize::from(self.area.is_some()) * (1 + usize::from(cells)));
        ["voronoi_area"].into_iter().filter(|_| cells).chain(ways.flatten()).collect()
    }

    /// Their values in a frame, where every individual's cells are so large.
    pub fn values(&self, frame: &Frame<'_>, cells: Option<&[f64]>) -> Vec<Option<f64>> {
        let mut values: Vec<Option<f64>> = cells.map(mean_known).into_iter().collect();
        if let Some(area) = self.area {
            values.extend([Some(area.density(frame)), area.mean_speed(frame)]);
            let by_cells = self.voronoi.map(|voronoi| area.voronoi(frame, &voronoi));
            values
                .extend(by_cells.into_iter().flat_map(|found| [Some(found.density), found.speed]));
        }
        values
    }
}

/// The mean of those that are known.
fn mean_known(values: &[f64]) -> Option<f64> {
    let known = values.iter().filter(|value| !value.is_nan());
    let (sum, count) = known.fold((0.0, 0u64), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / count as f64)
}
