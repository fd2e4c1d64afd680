//! A school's memory: `cargo run --release --example memory [SEEDS] [PICTURE.svg]`.
#![forbid(unsafe_code)]

use std::error::Error;

use rayon::prelude::*;
use wingbeat_render::plot::{Chart, Point, Series};
use wingbeat_studies::mean_and_error;
use wingbeat_studies::memory::{ANIMALS, Phase, STEPS, group, there_and_back};

fn main() -> Result<(), Box<dyn Error>> {
    let seeds = wingbeat_studies::seeds("memory", 8);
    let widths = there_and_back(4.0, 17);
    let groups: Vec<_> = (0..seeds)
        .into_par_iter()
        .map(|seed| group(&widths, STEPS, seed))
        .collect::<Result<_, _>>()?;
    println!(
        "{ANIMALS} animals, {seeds} groups, {STEPS} steps at each width; mean over groups \
        (standard error)"
    );
    println!("{:>6}  {:>18} {:>18} {:>10}", "width", "polarization", "milling", "largest");
    for (i, width) in widths.iter().enumerate() {
        let at: Vec<_> = groups.iter().map(|phases| phases[i]).collect();
        let [polarization, milling, largest] = [
            at.iter().map(|p| p.polarization).collect::<Vec<_>>(),
            at.iter().map(|p| p.milling).collect(),
            at.iter().map(|p| p.largest as f64).collect(),
        ]
        .map(|values| mean_and_error(&values));
        println!(
            "{width:>6.2}  {:>9.3} ({:.3}) {:>10.3} ({:.3}) {:>10.1}",
            polarization.0, polarization.1, milling.0, milling.1, largest.0
        );
        if i + 1 == widths.len() / 2 {
            println!("and back");
        }
    }
    if let Some(picture) = std::env::args().nth(2) {
        std::fs::write(&picture, chart(&widths, &groups).svg()?)?;
        println!("{picture}");
    }
    Ok(())
}

/// Both measures on the way there and on the way back.
fn chart(widths: &[f32], groups: &[Vec<Phase>]) -> Chart {
    let half = widths.len() / 2;
    let line = |label: &str, range: std::ops::Range<usize>, of: fn(&Phase) -> f64| {
        let point = |i: usize| {
            let values: Vec<f64> = groups.iter().map(|phases| of(&phases[i])).collect();
            let (mean, error) = mean_and_error(&values);
            Point::with_error(f64::from(widths[i]), mean, error)
        };
        Series { label: label.into(), points: range.map(point).collect(), ..Series::default() }
    };
    Chart {
        title: "A school remembers which way it came".into(),
        subtitle: format!(
            "{ANIMALS} animals, {} groups, {STEPS} steps at each width; bars: ±1 standard error",
            groups.len()
        ),
        x_label: "width of the zone of orientation (lengths)".into(),
        y_label: "polarization, milling".into(),
        legend: String::new(),
        series: vec![
            line("polarization, widening", 0..half, |phase| phase.polarization),
            line("polarization, narrowing", half..2 * half, |phase| phase.polarization),
            line("milling, widening", 0..half, |phase| phase.milling),
            line("milling, narrowing", half..2 * half, |phase| phase.milling),
        ],
    }
}
