//! `wingbeat presets`: what can be run by name.

use std::io::IsTerminal;

use wingbeat_scene::{PRESETS, Scene};

use crate::failure::Failure;
use crate::terminal;

/// Prints one preset a line, name first, group by group; on a terminal the groups have headings.
pub fn presets() -> Result<(), Failure> {
    let width = PRESETS.iter().map(|preset| preset.name.len()).max().unwrap_or(0);
    let (mut text, mut group) = (String::new(), "");
    let has_headings = std::io::stdout().is_terminal();
    for preset in PRESETS {
        if has_headings && preset.group != group {
            let gap = if group.is_empty() { "" } else { "\n" };
            group = preset.group;
            text += &format!("{gap}{}:\n", group.to_uppercase());
        }
        let scene = Scene::load(preset.name, &[])?;
        let boids =
            scene.boids().map_or_else(|| "?".into(), |count| crate::report::grouped(count as u64));
        text += &format!(
            "{:<width$}  {}-D  {boids:>7}  {}\n",
            preset.name,
            scene.dimensions(),
            scene.about()
        );
    }
    terminal::print(&text)
}
