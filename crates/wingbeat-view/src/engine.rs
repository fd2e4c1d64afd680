//! The engine on a thread of its own. It waits for the clock and for wishes, never for a viewer: what it shows goes into slots that
//! hold the latest only, and only when somebody wants it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use tokio::sync::{oneshot, watch};
use wingbeat::TimeStep;
use wingbeat_explain::Page;
use wingbeat_scene::{Built, Effect, Machine, Scene, SceneError};

use crate::controls::{controls, pending};
use crate::frame::{Moment, encode, observe};
use crate::protocol::{Answer, State, Wish};
use crate::tuned::{RULES, Tuned};

/// Slowest and fastest pace, as a factor on real time.
const SPEEDS: [f64; 2] = [1e-3, 1e6];

/// Who is further behind than this does not try to catch up: it steps as fast as it can.
const LAG: Duration = Duration::from_millis(100);

/// Over how long the rate of steps is counted.
const COUNTED: Duration = Duration::from_millis(500);

/// The part of its time that goes into polarization and the like is at most one in so many: of 100,000 boids they take most of a step.
const OBSERVING: u32 = 20;

/// What viewers see of the engine.
pub struct Slots {
    /// The latest frame.
    pub frame: watch::Sender<Bytes>,
    /// How things stand, as JSON, and the scene as TOML.
    pub state: watch::Sender<Arc<(String, String)>>,
    /// Whether a viewer waits for a frame.
    pub wanted: AtomicBool,
    /// Steps made, resets or not.
    pub steps: AtomicU64,
}

/// What reaches the engine.
pub enum Order {
    /// A viewer's wish, and where its answer goes.
    Wish(Wish, oneshot::Sender<Answer>),
    /// Somebody wants a frame: show what there is, even if it stands still, and say that it is done.
    Look(Option<oneshot::Sender<()>>),
    /// The end.
    Stop,
}

/// A flock that follows its tuned scene.
pub struct Engine {
    tuned: Tuned,
    /// The scene of the last reset.
    running: Scene,
    built: Built,
    machine: Machine,
    dt: TimeStep,
    run: u32,
    step: u64,
    time: f64,
    paused: bool,
    speed: f64,
    /// Run and step of the latest frame.
    shown: (u32, u64),
    /// Since when steps are counted, how many there are, and how many a second there were.
    since: (Instant, u32, f32),
    /// What was observed last, when, and how long that took.
    observed: ([f32; 3], Instant, Duration),
    slots: Arc<Slots>,
}

impl Engine {
    /// Builds the flock.
    ///
    /// # Errors
    /// As [`Scene::build`], and where ids do not fit into a frame.
    pub fn new(tuned: Tuned, machine: Machine, speed: Option<f64>, paused: bool) -> Result<Self, SceneError> {
        let running = tuned.scene().clone();
        let built = running.build(&machine)?;
        if let Some(row) = built.flock.rows().last().filter(|row| row.id > u64::from(u32::MAX)) {
            let message = format!("id {}: allowed in a live view is 0 to {}", row.id, u32::MAX);
            return Err(SceneError::Data { place: running.name().to_string(), message });
        }
        let dt = running.dt();
        let (run, step, time) = (0, 0, 0.0);
        let observed = (observe(&built.flock), Instant::now(), Duration::ZERO);
        let frame = encode(&built.flock, &Moment { run, step, time, rate: 0.0, observed: observed.0 });
        let slots = Slots {
            frame: watch::Sender::new(frame.into()),
            state: watch::Sender::new(Arc::default()),
            wanted: AtomicBool::new(false),
            steps: AtomicU64::new(0),
        };
        let engine = Self {
            tuned,
            running,
            built,
            machine,
            dt,
            run,
            step,
            time,
            paused,
            speed: speed.unwrap_or_else(|| usual_speed(dt)),
            shown: (run, step),
            since: (Instant::now(), 0, 0.0),
            observed,
            slots: Arc::new(slots),
        };
        engine.tell();
        Ok(engine)
    }

    /// Where viewers look.
    pub fn slots(&self) -> Arc<Slots> {
        Arc::clone(&self.slots)
    }

    /// What was done to the initial state.
    pub fn notes(&self) -> &[String] {
        &self.built.notes
    }

    /// Steps until it is told to stop.
    pub fn live(mut self, orders: &Receiver<Order>) {
        let mut due = Instant::now();
        loop {
            self.show();
            let now = Instant::now();
            let order = if self.paused {
                orders.recv().map_err(|_| RecvTimeoutError::Disconnected)
            } else if now < due {
                orders.recv_timeout(due - now)
            } else {
                orders.try_recv().map_err(|nothing| match nothing {
                    TryRecvError::Empty => RecvTimeoutError::Timeout,
                    TryRecvError::Disconnected => RecvTimeoutError::Disconnected,
                })
            };
            match order {
                Ok(Order::Stop) | Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) => {}
                Ok(Order::Look(seen)) => {
                    self.show();
                    // Whoever asked may have gone.
                    seen.map(|seen| seen.send(()));
                }
                Ok(Order::Wish(wish, answer)) => {
                    let (speed, paused) = (self.speed, self.paused);
                    // A viewer that has gone meanwhile needs no answer.
                    let _ = answer.send(self.obey(wish));
                    if (speed, paused) != (self.speed, self.paused) {
                        due = Instant::now();
                    }
                }
            }
            // Also after a wish: many of them do not keep it from stepping.
            let now = Instant::now();
            if !self.paused && now >= due {
                self.make_step();
                due += self.interval();
                if now > due + LAG {
                    due = now;
                }
            }
        }
    }

    /// Time from step to step.
    fn interval(&self) -> Duration {
        Duration::from_secs_f64(f64::from(self.dt.get()) / self.speed)
    }

    fn make_step(&mut self) {
        self.built.flock.step(self.dt);
        self.step += 1;
        self.time += f64::from(self.dt.get());
        self.slots.steps.fetch_add(1, Ordering::Relaxed);
        self.since.1 += 1;
        let counted = self.since.0.elapsed();
        if counted >= COUNTED {
            self.since = (Instant::now(), 0, (f64::from(self.since.1) / counted.as_secs_f64()) as f32);
        }
    }

    /// Puts a frame where viewers look, if it is new and somebody waits for one.
    fn show(&mut self) {
        let now = (self.run, self.step);
        if self.shown != now && self.slots.wanted.swap(false, Ordering::AcqRel) {
            let rate = if self.paused { 0.0 } else { self.since.2 };
            let (_, at, took) = self.observed;
            // A flock that stands still is observed as it is.
            if self.paused || self.step == 0 || at.elapsed() >= took * OBSERVING {
                let start = Instant::now();
                self.observed = (observe(&self.built.flock), Instant::now(), start.elapsed());
            }
            let observed = self.observed.0;
            let frame = encode(&self.built.flock, &Moment { run: self.run, step: self.step, time: self.time, rate, observed });
            self.slots.frame.send_replace(frame.into());
            self.shown = now;
        }
    }

    fn obey(&mut self, wish: Wish) -> Answer {
        let (id, done) = match wish {
            // Frames are the server's matter.
            Wish::Next {} => (0, Ok(Answer::default())),
            Wish::Set { id, key, value } => (id, self.set(&key, &value)),
            Wish::Remove { id, rule } => (id, self.tuned.without(&rule).and_then(|tuned| self.adopt(tuned, Effect::NextStep))),
            Wish::Pause { id } => (id, self.stand(true)),
            Wish::Play { id } => (id, self.stand(false)),
            Wish::Step { id } => {
                self.make_step();
                (id, self.stand(true))
            }
            Wish::Reset { id } => (id, self.reset()),
            Wish::Speed { id, factor } => (id, self.pace(factor)),
            Wish::Explain { id, boid } => (id, self.explain(boid)),
        };
        match done {
            Ok(answer) => Answer { id, ..answer },
            Err(error) => Answer { id, error: Some(error), ..Answer::default() },
        }
    }

    fn set(&mut self, key: &str, value: &str) -> Result<Answer, String> {
        let (tuned, effect) = self.tuned.with(key, value)?;
        self.adopt(tuned, effect)
    }

    /// Follows a changed scene: from the next step on in what the engine can change as it runs, at the next reset in the rest.
    fn adopt(&mut self, tuned: Tuned, effect: Effect) -> Result<Answer, String> {
        let (scene, flock) = (tuned.scene(), &mut self.built.flock);
        let model = |scene: &Scene| scene.params().model.map(|model| model.name());
        // Rules are for the flock they were written for.
        let follows = scene.dimensions() == flock.dimensions() && model(scene) == model(&self.running);
        if follows {
            scene.apply(flock).map_err(|refusal| refusal.to_string())?;
            self.dt = scene.dt();
        }
        self.tuned = tuned;
        self.tell();
        let effect = match effect {
            Effect::None => None,
            Effect::NextStep if follows => Some("next_step"),
            _ => Some("rebuild"),
        };
        Ok(Answer { effect, ..Answer::default() })
    }

    fn stand(&mut self, still: bool) -> Result<Answer, String> {
        self.paused = still;
        self.since = (Instant::now(), 0, 0.0);
        self.tell();
        Ok(Answer::default())
    }

    fn reset(&mut self) -> Result<Answer, String> {
        let scene = self.tuned.scene();
        self.built = scene.build(&self.machine).map_err(|refusal| refusal.to_string())?;
        self.running = scene.clone();
        self.dt = scene.dt();
        self.run += 1;
        (self.step, self.time) = (0, 0.0);
        self.tell();
        Ok(Answer::default())
    }

    fn pace(&mut self, factor: f64) -> Result<Answer, String> {
        self.speed = speed(factor)?;
        self.tell();
        Ok(Answer::default())
    }

    fn explain(&mut self, boid: u64) -> Result<Answer, String> {
        let page = Page::of(&mut self.built.flock, boid, self.tuned.scene().name(), self.dt, &self.built.origin);
        let page = page.map_err(|refusal| refusal.to_string())?;
        Ok(Answer { page: Some(Box::new(page)), ..Answer::default() })
    }

    /// Puts how things stand where viewers look.
    fn tell(&self) {
        let (scene, flock) = (self.tuned.scene(), &self.built.flock);
        let dimensions = flock.dimensions();
        let state = State {
            scene: scene.name().to_string(),
            about: scene.about().to_string(),
            dimensions,
            bounds: flock.bounds().map(|(low, high)| [low[..dimensions].to_vec(), high[..dimensions].to_vec()]),
            periodic: flock.is_periodic(),
            boids: flock.len(),
            dt: self.dt.get(),
            paused: self.paused,
            speed: self.speed,
            run: self.run,
            pending: pending(scene, &self.running),
            absent: if scene.params().model.is_some() { Vec::new() } else { absent(scene) },
            warnings: self.tuned.warnings().to_vec(),
            controls: controls(scene, &self.running),
        };
        let json = serde_json::to_string(&state).expect("numbers and texts can be written as JSON");
        self.slots.state.send_replace(Arc::new((json, self.tuned.toml())));
    }
}

fn absent(scene: &Scene) -> Vec<&'static str> {
    let params = scene.params();
    let present = [params.separation.is_some(), params.alignment.is_some(), params.cohesion.is_some()];
    RULES.into_iter().zip(present).filter(|(_, present)| !present).map(|(rule, _)| rule).collect()
}

/// Real time, but for scenes whose steps are so long that they would seem to stand still: those start at 30 steps a second.
fn usual_speed(dt: TimeStep) -> f64 {
    let dt = f64::from(dt.get());
    if dt > 1.0 / 16.0 { 30.0 * dt } else { 1.0 }
}

/// A factor within what is allowed.
///
/// # Errors
/// One line.
pub fn speed(factor: f64) -> Result<f64, String> {
    let [slowest, fastest] = SPEEDS;
    let fits = (slowest..=fastest).contains(&factor);
    if fits { Ok(factor) } else { Err(format!("speed = {factor}: allowed is {slowest} to {fastest} times real time")) }
}
