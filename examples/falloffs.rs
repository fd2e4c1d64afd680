//! How separation's push fades with distance under each falloff: the picture of docs/MODEL.md and
//! of the pages' sliders.
//!
//! `cargo run --release --example falloffs -- crates/wingbeat-page/assets` writes it anew; without
//! a folder it goes to target/pictures.

use std::path::Path;

use wingbeat_render::plot::{Chart, Panels, Point, Series};
use wingbeat_steer::behavior::falloff;

/// Pushes above this are not drawn: `inverse_square` grows without bound toward contact.
const HIGHEST: f64 = 2.5;

/// The push f(d)·d of one neighbor, from contact to a radius of 1.
fn push(name: &str, factor: impl Fn(f32) -> f32) -> Series {
    let points = (1..=200).map(|i| {
        let d = i as f32 / 200.0;
        Point::new(f64::from(d), f64::from(factor(d) * d))
    });
    let points = points.filter(|point| point.y <= HIGHEST).collect();
    Series { label: name.into(), points, ..Series::default() }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "target/pictures".into());
    let chart = Chart {
        title: "separation: push of one neighbor".into(),
        subtitle: "radius 1, weight 1, response raw; inverse_square grows on toward contact".into(),
        x_label: "distance / radius".into(),
        y_label: "push f(d)·d".into(),
        legend: "falloff".into(),
        series: vec![
            push("linear", falloff::linear(1.0)),
            push("soft", falloff::soft(1.0)),
            push("inverse", falloff::inverse),
            push("inverse_square", falloff::inverse_square),
        ],
    };
    std::fs::create_dir_all(&folder)?;
    let file = Path::new(&folder).join("falloff.svg");
    std::fs::write(&file, Panels(vec![chart]).svg()?)?;
    println!("{}", file.display());
    Ok(())
}
