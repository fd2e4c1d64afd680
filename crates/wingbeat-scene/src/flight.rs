//! How the flock of a scene is stepped: numbers that change on the way, and who moves when.

use wingbeat::steer::{TextbookBoid, moves_in_turn, step_in_turn};
use wingbeat::{Boid, Flock, FlockError, TimeStep};

use crate::document::Document;
use crate::{AnyFlock, Built, Ramps, Scene, SceneError};

/// `model.update` of boids that move one after the other.
const SEQUENTIAL: &str = "sequential";

/// Most boids that move one after the other: a step looks at every pair, and on one thread.
pub(crate) const MOST_IN_TURN: usize = 5000;

/// How a flock follows its scene as it is stepped.
#[derive(Clone)]
pub struct Flight {
    ramps: Ramps,
    /// Whether boids move one after the other.
    in_turn: bool,
}

impl Flight {
    /// Gives a flock the numbers of its present time.
    ///
    /// # Errors
    /// As [`Ramps::follow`].
    pub fn follow(&mut self, flock: &mut AnyFlock) -> Result<(), SceneError> {
        self.ramps.follow(flock)
    }

    /// Makes one step, with the numbers that the scene's ramps have at its beginning, and in the scene's order.
    ///
    /// # Errors
    /// When the flock refuses one of the numbers; no step is made then.
    pub fn step(&mut self, flock: &mut AnyFlock, dt: TimeStep) -> Result<(), SceneError> {
        self.follow(flock)?;
        if !self.in_turn {
            flock.step(dt);
            return Ok(());
        }
        let stepped = match flock {
            AnyFlock::Two(flock) => in_turn(flock, dt),
            AnyFlock::Three(flock) => in_turn(flock, dt),
        };
        Ok(stepped?)
    }
}

/// A step in which one boid moves after the other; the flock itself only keeps them, and counts.
fn in_turn<const D: usize>(flock: &mut Flock<D>, dt: TimeStep) -> Result<(), FlockError> {
    let Some(model) = flock.params().model else { return Ok(()) };
    let boid = |boid: Boid<D>| TextbookBoid { id: boid.id.get(), position: boid.position, velocity: boid.velocity };
    let ids: Vec<_> = flock.frame().by_id().map(|boid| boid.id).collect();
    let mut boids: Vec<TextbookBoid<[f32; D]>> = flock.frame().by_id().map(boid).collect();
    step_in_turn(&model, flock.domain(), (flock.seed(), flock.steps()), dt.get(), &mut boids);
    let stepped = boids.iter().zip(ids);
    let stepped: Vec<Boid<D>> = stepped.map(|(boid, id)| Boid { id, position: boid.position, velocity: boid.velocity }).collect();
    let mut memory = flock.memory();
    memory.step += 1;
    memory.time += f64::from(dt.get());
    flock.set_boids(&stepped)?;
    flock.remember(&memory)
}

impl Scene {
    /// How its flock is stepped, from whatever time it is at.
    pub fn flight(&self) -> Flight {
        Flight { ramps: self.following(), in_turn: self.moves_in_turn() }
    }

    /// Whether its boids move one after the other (`model.update = "sequential"`) and not all at once.
    pub fn moves_in_turn(&self) -> bool {
        self.document.text("model.update") == Some(SEQUENTIAL)
    }
}

impl Built {
    /// Makes one step, with the numbers that the scene's ramps have at its beginning, and in the scene's order.
    ///
    /// # Errors
    /// When the flock refuses one of the numbers; no step is made then.
    pub fn step(&mut self, dt: TimeStep) -> Result<(), SceneError> {
        self.flight.step(&mut self.flock, dt)
    }
}

/// Refuses boids that move one after the other where the model's tool does not do that, or where there is more than the model.
pub(crate) fn check(document: &Document) -> Result<(), SceneError> {
    if document.text("model.update") != Some(SEQUENTIAL) {
        return Ok(());
    }
    let refuse = |allowed: &str| Err(document.refuse("model.update", allowed));
    let model = document.model();
    if !model.is_some_and(|model| moves_in_turn(&model)) {
        let name = model.map_or("", |model| model.name());
        return refuse(&format!("at_once with model.name = {name}; netlogo, mesa, agents_jl and mason move one after the other"));
    }
    let alone = "the model takes this, and nothing beside it has a turn";
    for family in ["drive", "obstacle", "exit", "source", "species", "interaction"] {
        if let Some(table) = document.tables(family).first() {
            return refuse(&format!("at_once in a scene with [{table}]: {alone}"));
        }
    }
    for section in ["body", "anticipation", "neighborhood"] {
        if document.has_section(section) {
            return refuse(&format!("at_once in a scene with [{section}]: {alone}"));
        }
    }
    if document.whole("flock.steer_every").is_some_and(|every| every != 1) {
        return refuse("at_once with flock.steer_every above 1");
    }
    match document.text("domain.kind") {
        Some(kind @ ("walled" | "absorbing")) => refuse(&format!("at_once with domain.kind = {kind}")),
        _ => Ok(()),
    }
}

/// Refuses more boids than can move one after the other in a while.
pub(crate) fn check_count(scene: &Scene, count: usize) -> Result<(), SceneError> {
    if scene.moves_in_turn() && count > MOST_IN_TURN {
        let allowed =
            format!("at_once with {count} boids; sequential is for up to {MOST_IN_TURN}, each of which looks at all others");
        return Err(scene.document.refuse("model.update", &allowed));
    }
    Ok(())
}
