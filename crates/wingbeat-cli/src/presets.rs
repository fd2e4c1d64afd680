//! `wingbeat presets`: what can be run by name.

use wingbeat_scene::{PRESETS, Scene};

use crate::failure::Failure;
use crate::terminal;

/// Prints one preset a line, name first.
pub fn presets() -> Result<(), Failure> {
    let mut text = String::new();
    for preset in PRESETS {
        let scene = Scene::load(preset.name, &[])?;
        let boids =
            scene.boids().map_or_else(|| "?".into(), |count| crate::report::grouped(count as u64));
        text += &format!(
            "{:<12} {}-D {boids:>8} boids  {}\n",
            preset.name,
            scene.dimensions(),
            scene.about()
        );
    }
    terminal::print(&text)
}
