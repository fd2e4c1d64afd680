//! A school's memory: `cargo run --release --example memory [SEEDS]`.
#![forbid(unsafe_code)]

use std::error::Error;

use rayon::prelude::*;
use wingbeat_studies::memory::{ANIMALS, STEPS, group, there_and_back};

fn main() -> Result<(), Box<dyn Error>> {
    let seeds = wingbeat_studies::seeds("memory", 8);
    let widths = there_and_back(4.0, 17);
    let groups: Vec<_> = (0..seeds).into_par_iter().map(|seed| group(&widths, STEPS, seed)).collect::<Result<_, _>>()?;
    println!("{ANIMALS} animals, {seeds} groups, {STEPS} steps at each width; mean over groups (standard error)");
    println!("{:>6}  {:>18} {:>18} {:>10}", "width", "polarization", "milling", "largest");
    for (i, width) in widths.iter().enumerate() {
        let at: Vec<_> = groups.iter().map(|phases| phases[i]).collect();
        let [polarization, milling, largest] = [
            at.iter().map(|p| p.polarization).collect::<Vec<_>>(),
            at.iter().map(|p| p.milling).collect(),
            at.iter().map(|p| p.largest as f64).collect(),
        ]
        .map(|values| wingbeat_studies::mean_and_error(&values));
        println!(
            "{width:>6.2}  {:>9.3} ({:.3}) {:>10.3} ({:.3}) {:>10.1}",
            polarization.0, polarization.1, milling.0, milling.1, largest.0
        );
        if i + 1 == widths.len() / 2 {
            println!("and back");
        }
    }
    Ok(())
}
