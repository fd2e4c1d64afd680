//! Other libraries and programs beside Wingbeat, in one table:
//!
//! ```sh
//! cargo bench --features peers --bench peers                     # all of it
//! cargo bench --features peers --bench peers -- --quick          # about a minute
//! cargo bench --features peers --bench peers -- --page FILE.md   # and the page of the results
//! ```
//!
//! Contenders step in turns, as in `ratios`. Before a point is measured every contender counts its
//! pairs in range and makes a step; one that finds others than the first is refused by name, and
//! the status is then 1. docs/CONTENDERS.md says how any other program takes part.
#![allow(missing_docs)]
#![forbid(unsafe_code)]

use std::path::Path;
use std::process::ExitCode;

use wingbeat_benches::machine;

mod crowd;
mod flock;
mod options;
mod page;
mod programs;
mod table;

use options::Options;
use programs::Programs;
use table::Table;

/// How long each point is measured.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Rounds of a race.
    pub rounds: usize,
    /// Seconds of a step from which on a contender is left out.
    pub longest_step: f64,
}

impl Effort {
    fn of(options: &Options, boids: usize) -> Self {
        let (rounds, longest_step) = match (options.quick, boids) {
            (true, _) => (5, 0.1),
            (false, ..=200_000) => (9, 0.7),
            (false, _) => (5, 1.5),
        };
        Self { rounds, longest_step: if options.all { f64::INFINITY } else { longest_step } }
    }
}

fn run(options: &Options) -> Result<ExitCode, String> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("no repository")?;
    std::env::set_current_dir(top).map_err(|error| format!("{}: {error}", top.display()))?;
    let before = format!("{}before, {}", machine::describe(), machine::conditions());
    print!("{before}");
    let mut table = Table::default();
    let programs = Programs::find(options, &mut table);
    let sizes: &[usize] =
        if options.quick { &[10_000, 100_000] } else { &[10_000, 100_000, 1_000_000] };
    for &boids in sizes {
        let effort = Effort::of(options, boids);
        for degrees in [240, 360] {
            flock::point::<3>(&mut table, &programs, boids, degrees, effort, &options.only);
            flock::point::<2>(&mut table, &programs, boids, degrees, effort, &options.only);
        }
    }
    for side in if options.quick { &[100][..] } else { &[100, 316] } {
        let effort = Effort::of(options, side * side);
        crowd::point(&mut table, &programs, *side, effort, &options.only);
    }
    if table.is_empty() {
        return Err(format!(
            "--only \"{}\" fits no point: ids are {{2d,3d}}/{{240,360}}/n{{10000,100000,1000000}} \
            and crowd/2d/n{{10000,99856}}",
            options.only.0
        ));
    }
    if let Some((load, threads)) = machine::busy() {
        table.note(format!(
            "the machine had more to do than this (load {load:.1}, threads: {threads}): rows by \
            wall time show less than a quiet one gives"
        ));
    }
    println!("\n{}", table.results());
    println!("{}", table.contenders());
    println!("{}", table.notes());
    if let Some(path) = &options.page {
        let text = page::text(&table, options, &before);
        std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))?;
        println!("{} is written", path.display());
    }
    Ok(if table.refused() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn main() -> ExitCode {
    let run = Options::read(wingbeat_benches::arguments()).and_then(|options| run(&options));
    run.unwrap_or_else(|reason| {
        eprintln!("peers: {reason}");
        ExitCode::from(2)
    })
}
