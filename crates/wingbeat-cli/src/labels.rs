//! What charts are labelled with.

use std::path::Path;

use crate::events::EventReport;
use crate::units::Units;

/// A preset's name, or a file's without folder and ending.
pub fn title(name: &str) -> &str {
    Path::new(name).file_stem().and_then(|stem| stem.to_str()).unwrap_or(name)
}

pub fn with_unit(name: &str, unit: &str) -> String {
    if unit.is_empty() { name.to_string() } else { format!("{name} ({unit})") }
}

/// Unit of an observable, as in the table of docs/MEASURES.md.
pub fn unit_of(observable: &str, dimensions: usize) -> String {
    match EventReport::exit_of(observable)
        .map_or(observable, |(_, of)| if of == "last" { "t100" } else { of })
    {
        "angular_momentum" => "length\u{b2}/time".into(),
        "mean_speed" | "area_mean_speed" | "area_voronoi_speed" => "length/time".into(),
        "area_density" | "area_voronoi_density" => "boids/length\u{b2}".into(),
        "nearest_neighbor_distance" | "correlation_length" => "length".into(),
        "voronoi_area" => "length\u{b2}".into(),
        "density" => format!("boids/length{}", if dimensions == 2 { '\u{b2}' } else { '\u{b3}' }),
        "t50" | "t90" | "t100" => "time".into(),
        "flow" => "boids/time".into(),
        "arrived" | "captured" | "left" | "remaining" | "squeezed" => "boids".into(),
        "largest_group" => "boids".into(),
        _ => String::new(),
    }
}

/// An observable with its unit, in a table: `mean_speed, m/s`.
pub fn in_table(units: &Units, observable: &str) -> String {
    let unit = spelled(units, observable);
    if unit.is_empty() { observable.to_string() } else { format!("{observable}, {unit}") }
}

/// The unit of an observable in those of a scene or recording.
pub fn spelled(units: &Units, observable: &str) -> String {
    units.spell(&unit_of(observable, units.dimensions()))
}
