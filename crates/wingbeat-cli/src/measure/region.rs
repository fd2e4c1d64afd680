//! Where density and speed are measured, and how.

use std::collections::HashMap;

use wingbeat_record::{Area, Frame, Voronoi};

use super::args::MeasureArgs;
use crate::failure::Failure;
use crate::observations::InArea;
use crate::options::{four_numbers, optional};

/// What `--area`, `--voronoi` and `--walkable` ask for.
#[derive(Debug, Default)]
pub struct Region {
    pub area: Option<Area>,
    pub walkable: Option<Area>,
    pub voronoi: Option<Voronoi>,
}

impl Region {
    pub fn new(args: &MeasureArgs) -> Result<Self, Failure> {
        let rectangle = |name: &'static str, text: &Option<String>| {
            let corners = text.as_ref().map(|text| four_numbers(&format!("--{name}"), text)).transpose()?;
            Ok::<_, Failure>(corners.map(|corners| Area::named(name, corners)).transpose()?)
        };
        let (area, walkable) = (rectangle("area", &args.area)?, rectangle("walkable", &args.walkable)?);
        let radius = optional("--voronoi", &args.voronoi)?;
        let voronoi = radius.map(|radius| Voronoi::new(radius, walkable)).transpose()?;
        Ok(Self { area, walkable, voronoi })
    }

    /// The size of everybody's Voronoi cell, in the order of the rows, if cells were asked for; NaN for who has none.
    pub fn cells(&self, frame: &Frame<'_>) -> Option<Vec<f64>> {
        let cells = self.voronoi?.cells(frame, None);
        let sizes: HashMap<u64, f64> = cells.iter().map(|cell| (cell.id, cell.size)).collect();
        Some(frame.rows.iter().map(|row| sizes.get(&row.id).copied().unwrap_or(f64::NAN)).collect())
    }

    /// Density and speed in the area, if there is one.
    pub fn measure(&self, frame: &Frame<'_>) -> Option<InArea> {
        self.area.map(|area| InArea {
            density: area.density(frame),
            speed: area.mean_speed(frame),
            voronoi: self.voronoi.map(|voronoi| area.voronoi(frame, &voronoi)),
        })
    }
}
