//! The `wingbeat` command: runs flocking scenes, checks them, and draws what they look like.
//!
//! One file per subcommand; [`args`] says what can be typed, [`failure`] how anything that goes wrong leaves.
#![forbid(unsafe_code)]

mod args;
mod check;
mod completions;
mod convert;
mod density;
mod explain;
mod failure;
mod files;
mod final_state;
mod happened;
mod info;
mod interrupt;
mod measure;
mod observations;
mod output;
mod page;
mod plot;
mod presets;
mod progress;
mod record;
mod render;
mod replay;
mod report;
mod run;
mod show;
mod statistics;
mod still;
mod sweep;
mod terminal;
#[cfg(feature = "view")]
mod view;

use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use args::{Cli, Command};
use failure::Failure;

fn main() -> ExitCode {
    match Cli::try_parse().map_err(Failure::of_arguments).and_then(dispatch) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.leave(),
    }
}

fn dispatch(cli: Cli) -> Result<(), Failure> {
    if cli.quiet {
        terminal::be_quiet();
    }
    match cli.command {
        Some(Command::Run(args)) => run::run(&args),
        Some(Command::Presets) => presets::presets(),
        Some(Command::Show { preset }) => show::show(&preset),
        Some(Command::Check { scene, values }) => check::check(&scene, &values),
        Some(Command::Convert(args)) => convert::convert(&args),
        Some(Command::Replay(args)) => replay::replay(&args),
        Some(Command::Measure(args)) => measure::measure(&args),
        Some(Command::Sweep(args)) => sweep::sweep(&args),
        Some(Command::Explain(args)) => explain::explain(&args),
        Some(Command::Plot(args)) => plot::plot(&args),
        Some(Command::Completions(args)) => completions::completions(&args),
        Some(Command::Man) => completions::man(),
        Some(Command::Render(args)) => render::render(&args),
        #[cfg(feature = "view")]
        Some(Command::View(args)) => view::view(&args),
        Some(Command::Info) => info::info(),
        None => terminal::print(&Cli::command().render_help().to_string()),
    }
}
