//! `wingbeat explain`: why one boid goes where it goes, number by number.

mod text;

use clap::Args;
use wingbeat_scene::Scene;
use wingbeat_session::explain::SceneExplanation;

use crate::failure::Failure;
use crate::options::{MachineValues, Print, StartValues};
use crate::values::{Given, OptionValue, Refused, Whole, parsed};
use crate::{progress, terminal};

const EXAMPLES: &str = "\
Examples:
  wingbeat explain shoal --boid 17                 its first decision
  wingbeat explain shoal --boid 17 --step 200      after 200 steps: \
                                                   the decision it makes in step 201
  wingbeat explain my.toml --boid 0 --step 50 --set cohesion.weight=2 --json

The first line says in one sentence what the boid does and what contributes most to that. Then come
its neighbors with distance and angle, each rule's sum, response, weight and vector, each drive by
its name with what it leads to, each other term, which limit cut what, and what the step makes of
it; --json has the same with all digits, and what each neighbor adds. The numbers are the engine's
own, bit for bit. docs/COMMANDS.md reads one.";

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct ExplainArgs {
    /// A TOML file, or a preset's name
    pub scene: String,
    /// Which boid, by its id
    #[arg(long, value_name = "ID")]
    pub boid: Given<BoidNumber>,
    /// Steps to make first; explained is the decision of the step after them
    #[arg(long, value_name = "N", default_value = "0")]
    pub step: Given<Whole<0, { u64::MAX }>>,
    // There is no --steps: it would be taken for --step.
    #[command(flatten)]
    pub start: StartValues,
    #[command(flatten)]
    pub machine: MachineValues,
    #[command(flatten)]
    pub print: Print,
}

/// The id of a boid.
#[derive(Clone, Copy, Debug)]
pub struct BoidNumber(u64);

impl OptionValue for BoidNumber {
    fn read(text: &str) -> Result<Self, Refused> {
        parsed(text, "a boid's id, a whole number from 0").map(Self)
    }
}

/// Makes the steps before the one to explain, then explains it.
pub fn explain(args: &ExplainArgs) -> Result<(), Failure> {
    let (BoidNumber(id), Whole(steps)) = (*args.boid, *args.step);
    let scene = Scene::load(&args.scene, &args.start.overrides(None)?)?;
    let machine = args.machine.machine();
    let mut built = scene.build(&machine)?;
    for note in &built.notes {
        terminal::note(note);
    }
    // New boids come only from sources, so an unknown id stays unknown: said before the steps, not
    // after.
    let known: Vec<u64> = built.flock.rows().iter().map(|row| row.id).collect();
    if known.binary_search(&id).is_err() && !built.flock.awaits_others() {
        let allowed = match (known.first(), known.last()) {
            (Some(first), Some(last)) => {
                format!("an id of the scene's {} boids, within {first} to {last}", known.len())
            }
            _ => "nothing: the scene has no boids".to_string(),
        };
        return Err(Failure::value("--boid", &args.boid.text, &allowed));
    }
    if scene.moves_sequentially() {
        let message = "explain: model.update = sequential: allowed is at_once: what a boid sees is \
            not known before its turn";
        return Err(Failure::BadInput(message.into()));
    }
    let bar = progress::counted(steps, "steps");
    for _ in 0..steps {
        built.step(scene.dt()).inspect_err(|_| bar.finish_and_clear())?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    // The step that is explained is the next.
    built.schedule.follow(&mut built.flock)?;
    let page = SceneExplanation::of(&mut built.flock, id, scene.name(), scene.dt(), &built.origin);
    let page = page.map_err(|error| Failure::BadInput(format!("--boid: {error}")))?;
    if args.print.json {
        let json = page.json().map_err(|error| {
            Failure::Other(format!("the page cannot be written as JSON: {error}"))
        })?;
        return terminal::print(&json);
    }
    let units = scene.unit().map(|unit| format!("\nlengths in {unit}, times in s\n"));
    terminal::print(&(text::of(&page) + units.as_deref().unwrap_or_default()))
}
