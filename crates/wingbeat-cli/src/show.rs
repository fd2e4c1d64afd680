//! `wingbeat show`: a preset's TOML, to read or to edit.

use wingbeat_scene::{PRESETS, preset};

use crate::failure::Failure;
use crate::terminal;

/// Prints the preset as it is, comments included.
pub fn show(name: &str) -> Result<(), Failure> {
    let names: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
    let preset = preset(name).ok_or_else(|| Failure::value("preset", name, &names.join(", ")))?;
    terminal::print(preset.text)
}
