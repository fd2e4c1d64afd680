//! `wingbeat explain`: why one boid goes where it goes, number by number.

mod text;

use wingbeat_page::explain::ExplanationData;
use wingbeat_scene::Scene;

use crate::args::ExplainArgs;
use crate::failure::Failure;
use crate::{progress, terminal};

/// Makes the steps before, explains the next.
pub fn explain(args: &ExplainArgs) -> Result<(), Failure> {
    let id: u64 = args.boid.parse().map_err(|_| Failure::value("--boid", &args.boid, "a boid's id, a whole number from 0"))?;
    let steps: u64 = args.step.parse().map_err(|_| Failure::value("--step", &args.step, "a whole number from 0"))?;
    let scene = Scene::load(&args.scene, &args.start.overrides(None)?)?;
    let machine = args.machine.machine()?;
    let mut built = scene.build(&machine)?;
    for note in &built.notes {
        terminal::note(note);
    }
    // Nobody is born in a scene, so whoever is unknown now stays so: said before the steps, not after.
    let known: Vec<u64> = built.flock.rows().iter().map(|row| row.id).collect();
    if known.binary_search(&id).is_err() {
        let allowed = match (known.first(), known.last()) {
            (Some(first), Some(last)) => format!("an id of the scene's {} boids, within {first} to {last}", known.len()),
            _ => "nothing: the scene has no boids".to_string(),
        };
        return Err(Failure::value("--boid", &args.boid, &allowed));
    }
    let bar = progress::counted(steps, "steps");
    for _ in 0..steps {
        built.flock.step(scene.dt());
        bar.inc(1);
    }
    bar.finish_and_clear();
    let page = ExplanationData::of(&mut built.flock, id, scene.name(), scene.dt(), &built.origin);
    let page = page.map_err(|error| Failure::BadInput(format!("--boid: {error}")))?;
    if args.json {
        let json = page.json().map_err(|error| Failure::Other(format!("the page cannot be written as JSON: {error}")))?;
        return terminal::print(&json);
    }
    terminal::print(&text::of(&page))
}
