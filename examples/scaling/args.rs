//! What can be typed, and how things go wrong.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, ValueEnum};

const EXAMPLES: &str = "\
Examples:
  cargo run --release --example scaling                                      \
                                                  about four minutes on two cores
  cargo run --release --example scaling -- --quick                           under a minute
  cargo run --release --example scaling -- --headline                        \
                                                  one million boids in 2-D, nothing else
  cargo run --release --example scaling -- --dimensions 3 --max-boids 1000000 --threads 8 \
    --out results

Boids go from 1,000 to --max-boids, on one thread and on all; threads go 1, 2, 4 ... at 100,000 and
1,000,000 boids; neighbors at 100,000 boids. Where not stated otherwise a boid has 20 neighbors in
range. A flock that does not fit into the free memory is skipped, and a line says so. Exit codes: 0
done, 2 bad input, 1 anything else.";

/// Measures how the cost of a step grows with boids, threads and neighbors; writes scaling.csv and
/// scaling.svg.
#[derive(Debug, Parser)]
#[command(name = "scaling", after_help = EXAMPLES)]
pub struct Args {
    /// Under a minute: up to 100,000 boids, whole decades, fewer steps
    #[arg(long)]
    pub quick: bool,
    /// Only the headline, one million boids in 2-D with 20 neighbors on all threads; writes no
    /// files
    #[arg(long)]
    pub headline: bool,
    /// Folder to write to; made if it is not there
    #[arg(long, value_name = "DIR", default_value = "target/scaling")]
    pub out: PathBuf,
    /// Dimensions to measure in
    #[arg(long, value_name = "D", value_enum, default_value = "both")]
    pub dimensions: Dimensions,
    /// Most threads, 1 to 1024 [default: as many as the machine has]
    #[arg(long, value_name = "T", value_parser = whole(1, 1024), allow_negative_numbers = true)]
    pub threads: Option<usize>,
    /// Most boids, 1000 to 1000000000 [default: 10000000, with --quick 100000]
    #[arg(
        long,
        value_name = "N",
        value_parser = whole(1000, 1_000_000_000),
        allow_negative_numbers = true
    )]
    pub max_boids: Option<usize>,
    /// Steps to time in a row on one flock, 1 to 1000 [default: 20, with --quick 10]
    #[arg(long, value_name = "N", value_parser = whole(1, 1000), allow_negative_numbers = true)]
    pub steps: Option<usize>,
    /// Mean numbers of neighbors in range, 1 to 500 each; if 20 is not among them, the first is
    /// used where 20 would be
    #[arg(
        long,
        value_name = "K,K...",
        value_delimiter = ',',
        default_value = "8,20,60,200",
        value_parser = whole(1, MOST_NEIGHBORS),
        allow_negative_numbers = true
    )]
    pub neighbors: Vec<usize>,
}

/// So that a thousand boids with that many neighbors still have a periodic box of two radii.
const MOST_NEIGHBORS: usize = 500;

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
pub enum Dimensions {
    #[value(name = "2")]
    Two,
    #[value(name = "3")]
    Three,
    Both,
}

impl Args {
    /// What was typed, or why it is refused.
    pub fn read() -> Result<Self, Failure> {
        Self::try_parse().map_err(Failure::of_arguments)
    }
}

/// A parser that names what is allowed.
fn whole(low: usize, high: usize) -> impl Fn(&str) -> Result<usize, String> + Clone {
    move |text| {
        let number = text.parse().ok().filter(|number| (low..=high).contains(number));
        number.ok_or_else(|| format!("allowed is a whole number, {low} to {high}"))
    }
}

/// Why the program did not do what was asked.
#[derive(Debug)]
pub enum Failure {
    /// What was given is at fault.
    BadInput(String),
    /// The machine, the disk, or we are.
    Other(String),
    /// Nothing is wrong: help was asked for.
    Help(String),
}

impl Failure {
    /// What clap says, on one line.
    fn of_arguments(error: clap::Error) -> Self {
        let text = error.to_string();
        if error.kind() == clap::error::ErrorKind::DisplayHelp {
            return Self::Help(text);
        }
        let said = text
            .lines()
            .map(str::trim)
            .take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more"));
        let line = said.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("; ");
        Self::BadInput(format!("{} (try --help)", line.strip_prefix("error: ").unwrap_or(&line)))
    }

    /// Says what went wrong and chooses the exit code.
    pub fn leave(self) -> ExitCode {
        match self {
            Self::BadInput(message) => {
                eprintln!("scaling: {message}");
                ExitCode::from(2)
            }
            Self::Other(message) => {
                eprintln!("scaling: {message}");
                ExitCode::FAILURE
            }
            Self::Help(text) => match crate::say(text.trim_end()) {
                Ok(()) => ExitCode::SUCCESS,
                Err(_) => ExitCode::FAILURE,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    fn refusal(typed: &[&str]) -> String {
        match Args::try_parse_from([&["scaling"], typed].concat()).map_err(Failure::of_arguments) {
            Err(Failure::BadInput(line)) => line,
            other => panic!("{typed:?} is accepted: {other:?}"),
        }
    }

    #[test]
    fn the_arguments_are_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn bad_input_is_refused_in_one_line_that_says_what_is_allowed() {
        let cases: [(&[&str], &str, &str); 8] = [
            (&["--max-boids", "999"], "--max-boids", "1000 to 1000000000"),
            (&["--max-boids", "many"], "--max-boids", "1000 to 1000000000"),
            (&["--threads", "0"], "--threads", "1 to 1024"),
            (&["--threads", "-1"], "--threads", "1 to 1024"),
            (&["--steps", "1001"], "--steps", "1 to 1000"),
            (&["--neighbors", "8,0"], "--neighbors", "1 to 500"),
            (&["--dimensions", "4"], "--dimensions", "2, 3, both"),
            (&["--fast"], "--fast", "unexpected argument"),
        ];
        for (typed, what, allowed) in cases {
            let line = refusal(typed);
            assert!(
                line.contains(what) && line.contains(allowed) && !line.contains('\n'),
                "{typed:?}: {line}"
            );
        }
    }
}
