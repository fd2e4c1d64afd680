//! How the flock of a scene is stepped: numbers that change with time, and the order of moves.

use wingbeat::steer::{TextbookBoid, step_sequentially};
use wingbeat::{Boid, Flock, FlockError, Params, TimeStep};

use crate::flock::AnyFlock;
use crate::ramp::{Ramp, is_of_world, times};
use crate::scene::Scene;
use crate::update;
use crate::{SceneError, rules};

/// Most boids that move one after the other: a step looks at every pair, and on one thread.
pub(crate) const MOST_SEQUENTIAL: usize = 5000;

/// What makes a flock follow the ramps of a scene.
#[derive(Clone)]
struct Ramps {
    /// The scene with the numbers that the flock has now; `None` without ramps.
    now: Option<Box<Scene>>,
    ramps: Vec<Ramp>,
    /// The values that the flock was given last.
    given: Vec<f64>,
}

impl Ramps {
    /// Gives a flock the numbers of its present time.
    ///
    /// # Errors
    /// When the flock refuses one; then it goes on with those it has. Scenes are checked such that
    /// their own flocks refuse nothing.
    fn follow(&mut self, flock: &mut AnyFlock) -> Result<(), SceneError> {
        let Some(scene) = &mut self.now else { return Ok(()) };
        let time = flock.time();
        let values: Vec<f64> = self.ramps.iter().map(|ramp| ramp.at(time)).collect();
        if values == self.given {
            return Ok(());
        }
        scene.set_numbers(&self.ramps, &values)?;
        if self.ramps.iter().any(|ramp| is_of_world(&ramp.key)) {
            scene.apply(flock)?;
        } else {
            scene.apply_params(flock)?;
        }
        self.given = values;
        Ok(())
    }
}

impl Scene {
    /// The numbers that change as its flock flies, in the order of the file.
    pub fn ramps(&self) -> &[Ramp] {
        &self.ramps
    }

    /// The parameters that a flock starts with.
    pub(crate) fn params_at_start(&self) -> Result<Params, SceneError> {
        if self.ramps.is_empty() { Ok(self.params.clone()) } else { Ok(self.at(0.0)?.params) }
    }

    /// The scene with the numbers that its ramps have at a time, and without ramps.
    fn at(&self, time: f64) -> Result<Self, SceneError> {
        let values: Vec<f64> = self.ramps.iter().map(|ramp| ramp.at(time)).collect();
        let mut scene = self.clone();
        scene.set_numbers(&self.ramps, &values)?;
        scene.ramps.clear();
        Ok(scene)
    }

    /// What makes a flock follow them, whatever it has now.
    fn following(&self) -> Ramps {
        let now = (!self.ramps.is_empty()).then(|| Box::new(self.clone()));
        Ramps { now, ramps: self.ramps.clone(), given: Vec::new() }
    }

    /// The scene as it is at each time at which a ramp begins or ends; none without ramps.
    pub(crate) fn at_turns(&self) -> Result<Vec<Self>, SceneError> {
        if self.ramps.is_empty() {
            return Ok(Vec::new());
        }
        times(&self.ramps).into_iter().map(|time| self.at(time)).collect()
    }

    fn set_numbers(&mut self, ramps: &[Ramp], values: &[f64]) -> Result<(), SceneError> {
        for (ramp, &value) in ramps.iter().zip(values) {
            self.document.set_number(&ramp.key, value, &ramp.name);
        }
        self.params = rules::params(&self.document)?;
        Ok(())
    }
}

/// How a flock follows its scene as it is stepped.
#[derive(Clone)]
pub struct Schedule {
    ramps: Ramps,
    /// Whether boids move one after the other.
    sequential: bool,
}

impl Schedule {
    /// Gives a flock the numbers of its present time.
    ///
    /// # Errors
    /// When the flock refuses one; then it goes on with those it has. Scenes are checked such that
    /// their own flocks refuse nothing.
    pub fn follow(&mut self, flock: &mut AnyFlock) -> Result<(), SceneError> {
        self.ramps.follow(flock)
    }

    /// Makes one step, with the numbers that the scene's ramps have at its beginning, and in the
    /// scene's order.
    ///
    /// # Errors
    /// When the flock refuses one of the numbers; no step is made then.
    pub fn step(&mut self, flock: &mut AnyFlock, dt: TimeStep) -> Result<(), SceneError> {
        self.follow(flock)?;
        if !self.sequential {
            flock.step(dt);
            return Ok(());
        }
        let stepped = match flock {
            AnyFlock::Two(flock) => sequential_step(flock, dt),
            AnyFlock::Three(flock) => sequential_step(flock, dt),
        };
        Ok(stepped?)
    }
}

/// A step in which one boid moves after the other; the flock itself only keeps them, and counts.
fn sequential_step<const D: usize>(flock: &mut Flock<D>, dt: TimeStep) -> Result<(), FlockError> {
    let Some(model) = flock.params().model else { return Ok(()) };
    let boid = |boid: &Boid<D>| TextbookBoid {
        id: boid.id.get(),
        position: boid.position,
        velocity: boid.velocity,
    };
    let mut checkpoint = flock.checkpoint();
    let mut boids: Vec<TextbookBoid<[f32; D]>> = checkpoint.boids.iter().map(boid).collect();
    step_sequentially(&model, flock.domain(), (flock.seed(), flock.steps()), dt.get(), &mut boids);
    for (to, boid) in checkpoint.boids.iter_mut().zip(boids) {
        (to.position, to.velocity) = (boid.position, boid.velocity);
    }
    checkpoint.state.step += 1;
    checkpoint.state.time += f64::from(dt.get());
    flock.restore(&checkpoint)
}

impl Scene {
    /// How its flock is stepped, from whatever time it is at.
    pub fn schedule(&self) -> Schedule {
        Schedule { ramps: self.following(), sequential: self.moves_sequentially() }
    }

    /// Whether its boids move one after the other (`model.update = "sequential"`) and not all at
    /// once.
    pub fn moves_sequentially(&self) -> bool {
        update::is_sequential(&self.document)
    }
}

/// Refuses more boids than can move one after the other in a while.
pub(crate) fn check_count(scene: &Scene, count: usize) -> Result<(), SceneError> {
    if scene.moves_sequentially() && count > MOST_SEQUENTIAL {
        let allowed = format!(
            "at_once with {count} boids; sequential is for up to {MOST_SEQUENTIAL}, each of \
                which looks at all others"
        );
        return Err(scene.document.refuse("model.update", &allowed));
    }
    Ok(())
}
