//! How many times as fast, measured so that a busy machine matters little:
//!
//! ```sh
//! cargo bench --bench ratios -- [ROUNDS] [FILTER]
//! ```
//!
//! Criterion measures one thing for a second and then the next; on a shared machine the host's load
//! has changed by then, and a ratio of two medians is off by half. Here the contenders of a race
//! step **in turns**, a round takes a fraction of a second, CPU time of the thread is counted, and
//! what is printed is the median over rounds of the ratio *within* a round, with its quartiles,
//! beside what was wanted. Whatever slows the machine slows all contenders of a round.
//!
//! All single-threaded, benchmark rules (docs/PERFORMANCE.md), plain release build. ROUNDS is 15
//! unless given.
#![forbid(unsafe_code)]

use std::process::ExitCode;

use wingbeat_benches::machine;

mod own_rules;
mod races;
mod states;

fn main() -> ExitCode {
    let arguments = wingbeat_benches::arguments();
    let (rounds, filter) = match arguments.as_slice() {
        [] => (15, ""),
        [only] => only.parse().map_or((15, only.as_str()), |rounds| (rounds, "")),
        [rounds, filter] => (rounds.parse().unwrap_or(0), filter.as_str()),
        _ => (0, ""),
    };
    if rounds == 0 {
        eprintln!(
            "ratios: give at most ROUNDS, a whole number above 0, and a FILTER, a part of a \
            race's name"
        );
        return ExitCode::from(2);
    }
    let chosen: Vec<_> =
        races::all().into_iter().filter(|entry| entry.name.contains(filter)).collect();
    if chosen.is_empty() {
        eprintln!("ratios: no race is named like \"{filter}\"; there are");
        for entry in races::all() {
            eprintln!("  {}", entry.name);
        }
        return ExitCode::from(2);
    }
    print!("{}", machine::describe());
    println!(
        "median over {rounds} rounds of the ratio within a round (quartiles); ns a boid and \
        step of CPU time\n"
    );
    for entry in chosen {
        // A race holds its flocks only while it runs.
        (entry.make)().run(&entry.name, rounds);
    }
    ExitCode::SUCCESS
}
