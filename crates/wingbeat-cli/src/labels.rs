//! What charts are labelled with.

use std::path::Path;

use wingbeat_record::Found;

use crate::events::EventReport;

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
        "arrived" | "captured" | "left" | "remaining" | "squeezed" => "boids".into(),
        "largest_group" => "boids".into(),
        _ => String::new(),
    }
}

/// The same with the units of a recording, as far as they are known.
pub fn known_unit_of(observable: &str, dimensions: usize, found: &Found) -> String {
    known(&unit_of(observable, dimensions), found)
}

/// A unit with those of a recording, as far as they are known: `m/s` for `length/time`; nothing
/// where speeds are the file's own and per what is unknown.
pub fn known(unit: &str, found: &Found) -> String {
    let unit = match (unit.strip_suffix("/time"), found.speed_time) {
        (Some(distance), Some(time)) => format!("{distance}/{time}"),
        (Some(_), None) => return String::new(),
        (None, _) => unit.replace("time", &found.time_unit.to_string()),
    };
    found
        .length_unit
        .map_or_else(|| unit.clone(), |length| unit.replace("length", &length.to_string()))
}
