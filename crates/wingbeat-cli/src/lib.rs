//! The `wingbeat` command: runs flocking scenes, checks them, and draws what they look like.
//!
//! One file per subcommand, which holds what can be typed after it; [`options`] has what several
//! share, [`files`] what is read and written, [`failure`] how anything goes wrong. No two of these
//! modules use each other. It is a library for one reason: `wingbeat-mpi run` is this `run`, on
//! several ranks: [`on_ranks`].
#![forbid(unsafe_code)]
// They panic where standard output or standard error is full or closed; [`terminal`] does not.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod units;
mod events;
mod failure;
mod interrupt;
mod jobs;
mod journal;
mod labels;
mod values;
mod options;
mod output;
mod files;
mod individuals;
mod outline;
mod source;
mod species;
mod statistics;
mod observations;
mod still;
mod density;
mod final_state;
mod terminal;
mod completions;
mod info;
mod open;
mod progress;
mod explain;
mod show;
mod until;
mod report;
mod check;
mod convert;
mod curves;
mod measure;
mod ranks;
mod run_statistics;
mod checkpoint;
mod columns;
mod plot;
mod presets;
mod record;
mod schema;
mod render;
mod replay;
mod page;
mod prove;
mod steps;
mod run;
#[doc(hidden)]
pub mod on_ranks;
mod scene_page;
mod sweep;
#[cfg(feature = "view")]
mod view;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use failure::Failure;

const EXAMPLES: &str = "\
Examples:
  wingbeat run murmuration                       100,000 starlings, with a summary at the end
  wingbeat run shoal --still shoal.png           and a picture of the last step
  wingbeat show shoal > my.toml                  a scene to edit
  wingbeat check my.toml                         what would be refused, \
                                                 and which settings contradict each other
  wingbeat run my.toml --set cohesion.weight=2 --json
  wingbeat run shoal --record shoal.wbr          every step, to look at, measure and convert
  wingbeat replay shoal.wbr                      a web page that plays it
  wingbeat page shoal                            a web page in which the shoal swims by itself, \
                                                 with sliders
  wingbeat replay fish.npy shoal.wbr --fps 32 -o both.html
                                                 two recordings side by side
  wingbeat convert shoal.wbr shoal.npz           for NumPy; or .csv, .xyz, .vtp, .ply
  wingbeat render shoal.wbr --gif shoal.gif      a film of it; or --png, --mp4
  wingbeat view shoal                            live in the browser, with sliders
  wingbeat explain shoal --boid 17 --step 200    why that fish turned
  wingbeat measure shoal.wbr                     polarization, milling, groups and more \
                                                 of a recording
  wingbeat plot shoal.wbr -o order.svg           the same over time, as a picture
  wingbeat sweep my.toml --set alignment.weight=0..2:11 --set seed=1..8 --out order.csv
  wingbeat prove --quick                         published beside measured, with a verdict

Exit codes: 0 done, 2 bad input (one line says what, where and what is allowed), 130 stopped by
Ctrl-C, 1 anything else.";

/// Flocking and crowd steering: exact, reproducible, fast.
#[derive(Debug, Parser)]
#[command(name = "wingbeat", version, about, after_help = EXAMPLES)]
struct Cli {
    /// Print results and errors only: no progress, notes, maps or words on files that were written
    #[arg(long, global = true)]
    quiet: bool,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run a scene and print a summary of it
    Run(run::RunArgs),
    /// List the scenes that ship with the program, name first
    #[command(after_help = "Examples:\n  wingbeat presets\n  wingbeat presets | cut -d' ' \
        -f1        names alone")]
    Presets,
    /// Print a preset's TOML, to edit
    Show(show::ShowArgs),
    /// Print a JSON Schema of scenes, by which editors complete and check them
    #[command(after_help = "Example:\n  wingbeat schema > scene.schema.json      then, as a \
        scene's first line:  #:schema ./scene.schema.json")]
    Schema,
    /// Read and validate a scene without running it, and warn of settings that contradict each
    /// other
    Check(check::CheckArgs),
    /// Write a recording in another format
    Convert(convert::ConvertArgs),
    /// Write a recording as a web page that plays it: one file, to open in any browser
    Replay(replay::ReplayArgs),
    /// Write a web page that runs a scene by itself: one file with the engine in it, no recording
    /// and no server
    Page(scene_page::ScenePageArgs),
    /// Measure a recording: order, spacing, groups, flow and density, and what the file lacks
    Measure(measure::MeasureArgs),
    /// Run a scene for every combination of some values, in parallel: means and standard errors
    /// over seeds
    Sweep(sweep::SweepArgs),
    /// Run the proofs: what was published about crowds and flocks beside what is measured, with a
    /// verdict each
    Prove(prove::ProveArgs),
    /// Explain one boid's decision: its neighbors, each rule's numbers, limits, and the step they
    /// make
    Explain(explain::ExplainArgs),
    /// Draw pictures and films of a recording or a scene
    Render(Box<render::RenderArgs>),
    /// Draw observables over time, of a recording or of what --observe wrote
    Plot(plot::PlotArgs),
    /// Print completions for a shell: bash, zsh, fish, powershell or elvish
    Completions(completions::CompletionsArgs),
    /// Print the manual page, in roff
    #[command(after_help = "Example:\n  wingbeat man > ~/.local/share/man/man1/wingbeat.1")]
    Man,
    /// Show a scene's flock in the browser, live, with sliders for its parameters
    #[cfg(feature = "view")]
    View(view::ViewArgs),
    /// Print the version, and which SIMD levels and how many threads this machine has
    #[command(after_help = "Example:\n  wingbeat info")]
    Info,
}

/// What the command does; see [`crate`].
#[doc(hidden)]
pub fn main() -> ExitCode {
    let command = values::with_negative_numbers(Cli::command());
    let names: Vec<String> =
        command.get_subcommands().map(|command| command.get_name().to_string()).collect();
    let typed = command.try_get_matches().and_then(|matches| Cli::from_arg_matches(&matches));
    match typed.map_err(|error| Failure::of_arguments(error, &names)).and_then(dispatch) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => leave(failure),
    }
}

fn dispatch(cli: Cli) -> Result<(), Failure> {
    if cli.quiet {
        terminal::be_quiet();
    }
    match cli.command {
        Some(Command::Run(args)) => run::run(&args),
        Some(Command::Presets) => presets::presets(),
        Some(Command::Show(args)) => show::show(&args),
        Some(Command::Schema) => schema::schema(),
        Some(Command::Check(args)) => check::check(&args),
        Some(Command::Convert(args)) => convert::convert(&args),
        Some(Command::Replay(args)) => replay::replay(&args),
        Some(Command::Page(args)) => scene_page::page(&args),
        Some(Command::Measure(args)) => measure::measure(&args),
        Some(Command::Sweep(args)) => sweep::sweep(&args),
        Some(Command::Prove(args)) => prove::prove(&args),
        Some(Command::Explain(args)) => explain::explain(&args),
        Some(Command::Plot(args)) => plot::plot(&args),
        Some(Command::Completions(args)) => completions::completions(&args, Cli::command()),
        Some(Command::Man) => completions::man(Cli::command()),
        Some(Command::Render(args)) => render::render(&args),
        #[cfg(feature = "view")]
        Some(Command::View(args)) => view::view(&args),
        Some(Command::Info) => info::info(),
        None => terminal::print(&Cli::command().render_help().to_string()),
    }
}

/// Says what went wrong and chooses the exit code.
fn leave(failure: Failure) -> ExitCode {
    let code = ExitCode::from(failure.code());
    let message = match failure {
        Failure::BadInput(message) | Failure::Other(message) | Failure::Stopped(message) => message,
        Failure::Help(text) => {
            let printed = terminal::print(&text);
            return if printed.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE };
        }
        Failure::Said(_) => return code,
    };
    terminal::complain(&format!("wingbeat: {message}"));
    code
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        Cli::command().debug_assert();
    }
}
