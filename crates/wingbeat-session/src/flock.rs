//! The flock, the scene it follows, and what becomes of a request.

use std::sync::Arc;

use wingbeat::steer::RuleId;
use wingbeat::{Event, TimeStep};
use wingbeat_record::About;
use wingbeat_scene::{AnyFlock, Built, Effect, Machine, Scene, SceneError, Schedule};

use crate::changes::{Basis, Change, Changed, build};
use crate::controls::{controls, pending};
use crate::editable_scene::EditableScene;
use crate::explain::SceneExplanation;
use crate::frame::{FrameHead, encode, observe};
use crate::protocol::{Answer, Request, State};
use crate::surroundings::{domain, places, radii};

/// Slowest and fastest speed, as a factor on real time.
const SPEEDS: [f64; 2] = [1e-3, 1e6];

/// A flock that follows its tuned scene. It does not step by itself: the host asks
/// [`is_paused`](Self::is_paused) and [`seconds_per_step`](Self::seconds_per_step), and calls
/// [`step`](Self::step) by its own clock.
pub struct LiveFlock {
    scene: Arc<EditableScene>,
    /// The scene that the flock was built from.
    running: Arc<Scene>,
    built: Built,
    machine: Machine,
    dt: TimeStep,
    /// How often the flock has been built anew.
    run: u32,
    paused: bool,
    speed: f64,
    /// How many have gone by each exit since it was built.
    left: Vec<u32>,
}

/// What a request comes to.
pub enum RequestOutcome {
    /// It is done, or refused with a line.
    Done(Result<Answer, String>),
    /// A change that has yet to be [made](Change::make) and [adopted](LiveFlock::adopt).
    Change(Change),
}

impl LiveFlock {
    /// Builds the flock. `speed` is a factor on the scene's own time; `None` is [real
    /// time](Self::seconds_per_step), but for scenes whose steps are longer than a sixteenth of a
    /// second: those start at 30 steps a second.
    ///
    /// # Errors
    /// As [`Scene::build`], and where ids do not fit into a frame.
    pub fn new(
        scene: EditableScene,
        machine: Machine,
        speed: Option<f64>,
        paused: bool,
    ) -> Result<Self, SceneError> {
        let running = scene.scene().clone();
        let built = build(&running, &machine)?;
        let dt = running.dt();
        let speed = speed.unwrap_or_else(|| usual_speed(dt));
        let left = vec![0; built.flock.exits().len()];
        Ok(Self {
            left,
            scene: Arc::new(scene),
            running: Arc::new(running),
            built,
            machine,
            dt,
            run: 0,
            paused,
            speed,
        })
    }

    /// Makes one step.
    pub fn step(&mut self) {
        // What a ramp may come to was checked with the scene; should the flock refuse it all the
        // same, it flies on as it was.
        if self.built.step(self.dt).is_err() {
            self.built.flock.step(self.dt);
        }
        for event in self.built.flock.events() {
            if let Event::Exited { exit, .. } = event
                && let Some(left) = self.left.get_mut(exit.get())
            {
                *left += 1;
            }
        }
    }

    /// The flock.
    pub fn flock(&self) -> &AnyFlock {
        &self.built.flock
    }

    /// The flock, for hosts that put it into another state.
    pub fn flock_mut(&mut self) -> &mut AnyFlock {
        &mut self.built.flock
    }

    /// Time passed: by the step as it is written while all steps were as long as this one, else
    /// the sum of what they were.
    pub fn time(&self) -> f64 {
        let (flock, dt) = (self.flock(), self.scene().scene().dt());
        let alike = flock.steps() as f64 * f64::from(dt.get());
        if (flock.time() - alike).abs() <= 1e-9 * alike {
            dt.time_of(flock.steps())
        } else {
            flock.time()
        }
    }

    /// The scene with all changes.
    pub fn scene(&self) -> &EditableScene {
        &self.scene
    }

    /// The description of a recording of every `every`-th of its steps; see [`Built::about`].
    ///
    /// # Errors
    /// As [`Built::about`].
    pub fn about(&self, every: u64) -> Result<About, SceneError> {
        self.built.about(self.scene.scene(), every)
    }

    /// What was done to the initial state.
    pub fn notes(&self) -> &[String] {
        &self.built.notes
    }

    /// How often the flock has been built anew.
    pub fn run(&self) -> u32 {
        self.run
    }

    /// Whether it is to stand still.
    pub fn is_paused(&self) -> bool {
        self.paused
    }

    /// Seconds from step to step at its speed: at speed 1 a unit of the scene's time takes one
    /// second.
    pub fn seconds_per_step(&self) -> f64 {
        f64::from(self.dt.get()) / self.speed
    }

    /// Polarization, milling and mean speed.
    pub fn observe(&self) -> [f32; 3] {
        observe(&self.built.flock)
    }

    /// The bytes of a frame. `rate` is how many steps a second are made;
    /// [`observed`](Self::observe) may be of a moment ago.
    pub fn frame(&self, rate: f32, observed: [f32; 3]) -> Vec<u8> {
        let flock = &self.built.flock;
        encode(
            flock,
            &FrameHead {
                run: self.run,
                step: flock.steps(),
                time: flock.time(),
                rate,
                observed,
                left: &self.left,
            },
        )
    }

    /// The scene with all changes, as TOML.
    pub fn toml(&self) -> String {
        self.scene.toml().to_string()
    }

    /// Does what is asked for, unless it is a change of the scene, which may take long.
    pub fn heed(&mut self, request: Request) -> RequestOutcome {
        let done = match request {
            // Frames are the host's matter.
            Request::Next {} => Ok(Answer::default()),
            Request::Set { key, value, .. } => {
                return RequestOutcome::Change(Change::Set { key, value });
            }
            Request::Remove { rule, .. } => return RequestOutcome::Change(Change::Remove { rule }),
            Request::Reset { .. } => return RequestOutcome::Change(Change::Reset),
            Request::Pause { .. } => self.set_paused(true),
            Request::Play { .. } => self.set_paused(false),
            Request::Step { .. } => {
                self.step();
                self.set_paused(true)
            }
            Request::Speed { factor, .. } => self.set_speed(factor),
            Request::Explain { boid, .. } => self.explain(boid),
        };
        RequestOutcome::Done(done)
    }

    /// Does what is asked for, changes of the scene too, before it returns.
    pub fn follow(&mut self, request: Request) -> Answer {
        let id = request.id();
        let done = match self.heed(request) {
            RequestOutcome::Done(done) => done,
            RequestOutcome::Change(change) => {
                change.make(&self.basis()).and_then(|changed| self.adopt(changed))
            }
        };
        Answer { id, ..done.unwrap_or_else(Answer::refused) }
    }

    /// Follows another scene from now on, of which its flock is.
    #[cfg(not(target_family = "wasm"))]
    pub(super) fn take_scene(&mut self, scene: EditableScene) {
        self.running = Arc::new(scene.scene().clone());
        self.dt = self.running.dt();
        self.built.schedule = self.running.schedule();
        self.scene = Arc::new(scene);
    }

    /// What a change starts from.
    pub fn basis(&self) -> Basis {
        let domain = self.built.flock.domain();
        Basis {
            scene: Arc::clone(&self.scene),
            running: Arc::clone(&self.running),
            domain,
            machine: self.machine,
        }
    }

    /// Takes over what was changed: from the next step on what can change as the flock runs, at the
    /// next reset the rest.
    ///
    /// # Errors
    /// One line, when the flock refuses it; nothing is changed then.
    pub fn adopt(&mut self, changed: Changed) -> Result<Answer, String> {
        let effect = match changed {
            Changed::Scene { scene, effect, prepared } => {
                let follows = prepared.is_some();
                if let Some(prepared) = prepared {
                    prepared.apply(&mut self.built.flock).map_err(|refusal| refusal.to_string())?;
                    self.dt = scene.scene().dt();
                }
                self.scene = Arc::new(scene);
                if follows {
                    self.built.schedule = self.scene.scene().schedule();
                }
                match effect {
                    Effect::None => None,
                    Effect::NextStep if follows => Some("next_step"),
                    _ => Some("rebuild"),
                }
            }
            Changed::Flock(built) => {
                self.left = vec![0; built.flock.exits().len()];
                self.built = built;
                self.running = Arc::new(self.scene.scene().clone());
                self.dt = self.running.dt();
                self.run += 1;
                None
            }
        };
        Ok(Answer { effect, ..Answer::default() })
    }

    /// Why a boid goes where it goes in the next step.
    ///
    /// # Errors
    /// One line, when there is no boid of this id.
    pub fn explanation(&mut self, boid: u64) -> Result<SceneExplanation, String> {
        explained(
            &self.scene,
            self.dt,
            &mut self.built.flock,
            (&mut self.built.schedule, &self.built.origin),
            boid,
        )
    }

    /// The same for hosts that look at columns in slot order: boids stay in their slots, for which
    /// the flock is copied. O(n).
    ///
    /// # Errors
    /// As [`explanation`](Self::explanation).
    pub fn explanation_aside(&self, boid: u64) -> Result<SceneExplanation, String> {
        let Built { flock, origin, schedule, .. } = &self.built;
        explained(&self.scene, self.dt, &mut flock.clone(), (&mut schedule.clone(), origin), boid)
    }

    /// How things stand.
    pub fn state(&self) -> State {
        let (scene, flock) = (self.scene.scene(), &self.built.flock);
        let dimensions = flock.dimensions();
        State {
            scene: scene.name().to_string(),
            about: scene.about().to_string(),
            lesson: scene.lesson().into(),
            dimensions,
            bounds: flock
                .bounds()
                .map(|(low, high)| [low[..dimensions].to_vec(), high[..dimensions].to_vec()]),
            periodic: flock.is_periodic(),
            domain: domain(&flock.edges(), flock.dimensions()),
            species: flock.params().species.iter().map(|species| species.name.clone()).collect(),
            radii: radii(flock.params()),
            places: places(scene, &self.running, &flock.edges()),
            boids: flock.len(),
            noun: scene.noun(),
            unit: scene.unit().map(|unit| unit.to_string()),
            dt: self.dt.get(),
            paused: self.paused,
            speed: self.speed,
            run: self.run,
            pending: pending(scene, &self.running),
            absent: if scene.params().model.is_some() { Vec::new() } else { absent_rules(scene) },
            warnings: self.scene.warnings().to_vec(),
            controls: controls(scene, &self.running),
        }
    }

    /// Has the flock stand still.
    pub fn pause(&mut self) {
        self.paused = true;
    }

    fn set_paused(&mut self, paused: bool) -> Result<Answer, String> {
        self.paused = paused;
        Ok(Answer::default())
    }

    fn set_speed(&mut self, factor: f64) -> Result<Answer, String> {
        check_speed(factor)?;
        self.speed = factor;
        Ok(Answer::default())
    }

    fn explain(&mut self, boid: u64) -> Result<Answer, String> {
        Ok(Answer { page: Some(Box::new(self.explanation(boid)?)), ..Answer::default() })
    }
}

/// Why a boid of a flock goes where it goes in the next step, which brings the flock into slot
/// order.
fn explained(
    scene: &EditableScene,
    dt: TimeStep,
    flock: &mut AnyFlock,
    (schedule, origin): (&mut Schedule, &[f64]),
    boid: u64,
) -> Result<SceneExplanation, String> {
    // The step that is explained is the next; what a flock refuses it does without.
    let _ = schedule.follow(flock);
    if scene.scene().moves_sequentially() {
        return Err(
            "model.update = sequential: what a boid sees is not known before its turn".into()
        );
    }
    SceneExplanation::of(flock, boid, scene.scene().name(), dt, origin)
        .map_err(|refusal| refusal.to_string())
}

fn absent_rules(scene: &Scene) -> Vec<&'static str> {
    let present = |id: RuleId| scene.params().rules.iter().any(|rule| rule.id == id);
    RuleId::ALL.iter().filter(|id| !present(**id)).map(|id| id.name()).collect()
}

/// Real time, but for scenes whose steps are so long that they would seem to stand still.
fn usual_speed(dt: TimeStep) -> f64 {
    let dt = f64::from(dt.get());
    if dt > 1.0 / 16.0 { 30.0 * dt } else { 1.0 }
}

/// Whether a speed, as a factor on the scene's own time, is allowed.
///
/// # Errors
/// One line.
pub fn check_speed(factor: f64) -> Result<(), String> {
    let [slowest, fastest] = SPEEDS;
    let fits = (slowest..=fastest).contains(&factor);
    if fits {
        Ok(())
    } else {
        Err(format!("speed = {factor}: allowed is {slowest} to {fastest} times real time"))
    }
}
