//! The example `scaling`: measures whole steps under the benchmark rules (docs/PERFORMANCE.md),
//! prints a table and saves it as `scaling.csv` with a plot, `scaling.svg`, beside it.
#![forbid(unsafe_code)]

mod args;
mod machine;
mod measure;
mod output;
mod plan;
mod plot;
mod table;

use std::error::Error;
use std::io::{ErrorKind, IsTerminal, Write};
use std::process::ExitCode;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use args::{Args, Failure};
use machine::Machine;
use measure::Measured;
use output::Folder;
use plan::{HEADLINE_BOIDS, Plan, Point, counted_threads};
use wingbeat::FlockError;

/// The program.
pub fn main() -> ExitCode {
    match Args::read().and_then(|args| run(&args)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.leave(),
    }
}

fn run(args: &Args) -> Result<(), Failure> {
    let machine = Machine::here();
    let plan = Plan::new(args, machine.threads)?;
    let folder = if plan.headline_only { None } else { Some(Folder::check(&args.out)?) };
    let header = table::header(&machine, &plan);
    for line in &header {
        say(line)?;
    }
    let results = measure_all(&plan)?;
    say("")?;
    say(&headline(&machine, &plan, &results))?;
    if let Some(bytes) = machine::most_resident() {
        say(&format!(
            "the most memory in use at any time: {:.0} MiB",
            bytes as f64 / (1u64 << 20) as f64
        ))?;
    }
    let Some(folder) = folder else { return Ok(()) };
    let other = |error: Box<dyn Error>| Failure::Other(error.to_string());
    let csv = table::csv(&header, &results).map_err(other)?;
    let svg = plot::draw(&machine, &plan, &results).map_err(other)?;
    for (name, content) in [("scaling.csv", csv), ("scaling.svg", svg)] {
        say(&format!("written: {}", folder.write(name, content.as_bytes())?.display()))?;
    }
    Ok(())
}

/// Measures point after point and prints each as soon as it is known.
fn measure_all(plan: &Plan) -> Result<Vec<Measured>, Failure> {
    let points = plan.points();
    let bar = progress(points.len());
    say(&table::heading())?;
    let mut results = Vec::new();
    for point in points {
        bar.set_message(point.to_string());
        let line = match measure(point, plan, &bar)? {
            Ok(measured) => {
                results.push(measured);
                table::row(&measured)
            }
            Err(lacking) => format!("skipped: {point}: {lacking}"),
        };
        bar.suspend(|| say(&line))?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(results)
}

/// Measures a point, or says what it lacks.
fn measure(
    point: Point,
    plan: &Plan,
    bar: &ProgressBar,
) -> Result<Result<Measured, String>, Failure> {
    if let Some(free) = machine::available_bytes()
        && let Some(lacking) = lacking_memory(measure::bytes_needed(&point), free)
    {
        return Ok(Err(lacking));
    }
    match measure::measure(point, plan.pace, &mut || bar.tick()) {
        Ok(measured) => Ok(Ok(measured)),
        // A limit of this process's own.
        Err(error @ FlockError::TooManyBoids { .. }) => Ok(Err(error.to_string())),
        Err(error) => Err(Failure::Other(format!("{point}: {error}"))),
    }
}

fn lacking_memory(needed: u128, free: u128) -> Option<String> {
    let gibibytes = |bytes: u128| bytes as f64 / (1u64 << 30) as f64;
    (needed > free).then(|| {
        format!(
            "may need {:.1} GiB of memory, {:.1} GiB are free",
            gibibytes(needed),
            gibibytes(free)
        )
    })
}

/// The one figure to remember.
fn headline(machine: &Machine, plan: &Plan, results: &[Measured]) -> String {
    let what = "one million boids in 2-D, k = 20, 240° sight, exact";
    let Some(point) = plan.headline else {
        return format!("headline ({what}): left out, --dimensions or --max-boids exclude it");
    };
    let Some(measured) = results.iter().find(|measured| measured.point == point) else {
        return format!("headline ({what}): skipped for lack of memory");
    };
    let seconds = measured.ns_per_boid * HEADLINE_BOIDS as f64 * 1e-9;
    format!(
        "headline: {what}, {}: {:.1} steps/s ({:.1} ms a step) on {}, {} (goal: 60 steps/s on two \
            cores)",
        counted_threads(point.threads),
        seconds.recip(),
        seconds * 1e3,
        machine.cpu,
        machine.level,
    )
}

/// A bar on standard error; hidden unless that is a terminal.
fn progress(points: usize) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar =
        ProgressBar::with_draw_target(Some(points as u64), ProgressDrawTarget::stderr_with_hz(10));
    let style =
        ProgressStyle::with_template("{bar:30.cyan/blue} {pos}/{len} points  {elapsed}  {msg}");
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// Prints a line. A reader that has gone away (`| head`) is not an error: the files are still
/// wanted.
fn say(line: &str) -> Result<(), Failure> {
    match writeln!(std::io::stdout().lock(), "{line}") {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::Other(format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_does_not_fit_is_skipped_and_the_line_says_why() {
        assert_eq!(lacking_memory(2 << 30, 2 << 30), None);
        let why = lacking_memory(5 << 30, 3 << 29);
        assert_eq!(why.as_deref(), Some("may need 5.0 GiB of memory, 1.5 GiB are free"));
    }
}
