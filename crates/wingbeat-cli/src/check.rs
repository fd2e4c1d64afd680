//! `wingbeat check`: a run without its steps.

use clap::Args;
use wingbeat_scene::Scene;

use crate::failure::Failure;
use crate::options::SceneValues;
use crate::report::grouped;
use crate::terminal;

const EXAMPLES: &str = "\
Example:
  wingbeat check my.toml --set agent.max_speed=40

Warnings go to standard error and leave the exit code 0.";

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct CheckArgs {
    /// A TOML file, or a preset's name
    pub scene: String,
    #[command(flatten)]
    pub values: SceneValues,
}

/// Places the start and builds the flock, refuses what a run would refuse, in the same words, and
/// warns of settings that contradict each other or have no effect.
pub fn check(args: &CheckArgs) -> Result<(), Failure> {
    let scene = Scene::load(&args.scene, &args.values.overrides()?)?;
    let (warnings, notes) = scene.check_with_notes()?;
    notes.iter().for_each(|note| terminal::note(note));
    for warning in &warnings {
        terminal::complain(&format!("warning: {warning}"));
    }
    let noun = scene.noun();
    let boids = scene.boids().map_or_else(
        || format!("{noun} of the initial state"),
        |count| format!("{} {noun}", grouped(count as u64)),
    );
    let verdict = match warnings.len() {
        0 => "nothing to warn of".to_string(),
        1 => "1 warning".to_string(),
        count => format!("{count} warnings"),
    };
    terminal::print(&format!(
        "{}: accepted, {boids} in {}-D, {verdict}\n",
        scene.name(),
        scene.dimensions()
    ))
}
