//! Metric against topological flocks under attack: `cargo run --release --example predator
//! [SEEDS]`.
#![forbid(unsafe_code)]

use std::error::Error;

use rayon::prelude::*;
use wingbeat_studies::attack::{BOIDS, NEIGHBORS, Neighborhood, Outcome, matching_radius, outcome};

fn main() -> Result<(), Box<dyn Error>> {
    let seeds = wingbeat_studies::seeds("predator", 40);
    let radius = matching_radius(4)?;
    println!(
        "{BOIDS} boids, {seeds} seeds; metric radius {radius:.3}, so that {NEIGHBORS} \
        neighbors are within it on average"
    );
    println!(
        "{:<22} {:>9} {:>8} {:>12} {:>16} {:>11}",
        "", "neighbors", "polar.", "mean groups", "held together", "in largest"
    );
    for (name, neighborhood) in
        [("metric", Neighborhood::Metric(radius)), ("topological", Neighborhood::Topological)]
    {
        for attacked in [false, true] {
            let run = |seed| outcome(neighborhood, seed, attacked);
            let outcomes: Vec<Outcome> =
                (0..seeds).into_par_iter().map(run).collect::<Result<_, _>>()?;
            let mean =
                |of: &dyn Fn(&Outcome) -> f64| outcomes.iter().map(of).sum::<f64>() / seeds as f64;
            println!(
                "{:<22} {:>9.2} {:>8.3} {:>5.2} {:>6.2} {:>9} of {:>3} {:>9.1} %",
                format!("{name}, {}", if attacked { "attacked" } else { "left alone" }),
                mean(&|o| o.neighbors),
                mean(&|o| o.polarization),
                mean(&|o| o.groups_before as f64),
                mean(&|o| o.groups as f64),
                outcomes.iter().filter(|o| o.groups == 1).count(),
                seeds,
                mean(&|o| 100.0 * o.largest as f64 / BOIDS as f64),
            );
        }
    }
    Ok(())
}
