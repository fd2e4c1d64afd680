//! `wingbeat check`: reads and validates, runs nothing.

use wingbeat_scene::Scene;

use crate::args::SceneValues;
use crate::failure::Failure;
use crate::report::grouped;
use crate::terminal;

/// Refuses what a run would refuse, and warns of knobs that fight.
pub fn check(source: &str, values: &SceneValues) -> Result<(), Failure> {
    let scene = Scene::load(source, &values.overrides()?)?;
    let warnings = scene.check()?;
    for warning in &warnings {
        eprintln!("warning: {warning}");
    }
    let boids =
        scene.boids().map_or_else(|| "boids of the initial state".into(), |count| format!("{} boids", grouped(count as u64)));
    let verdict = match warnings.len() {
        0 => "nothing to warn of".to_string(),
        1 => "1 warning".to_string(),
        count => format!("{count} warnings"),
    };
    terminal::print(&format!("{}: accepted, {boids} in {}-D, {verdict}\n", scene.name(), scene.dimensions()))
}
