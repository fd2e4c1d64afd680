//! `wingbeat show`: a preset's TOML, to read or to edit.

use clap::Args;
use wingbeat_scene::{PRESETS, preset};

use crate::failure::Failure;
use crate::terminal;

#[derive(Args, Debug)]
#[command(after_help = "Example:\n  wingbeat show shoal > my.toml")]
pub struct ShowArgs {
    /// A name from `wingbeat presets`
    pub preset: String,
}

/// Prints the preset as it is, comments included.
pub fn show(args: &ShowArgs) -> Result<(), Failure> {
    let names: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
    let preset = preset(&args.preset)
        .ok_or_else(|| Failure::value("preset", &args.preset, &names.join(", ")))?;
    terminal::print(preset.text)
}
