//! The engine on a thread of its own. It waits for the clock and for commands, never for a viewer nor for a scene that is being read
//! or built: what it publishes are the latest frame and state only, and frames only when a viewer wants one.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use tokio::sync::{oneshot, watch};
use wingbeat::TimeStep;
use wingbeat_page::explain::ExplanationData;
use wingbeat_scene::{Built, Effect, Machine, Scene, SceneError};

use crate::changes::{Basis, Change, Changed, build};
use crate::controls::{controls, pending};
use crate::frame::{FrameHead, encode, observe};
use crate::protocol::{Answer, Reply, Request, State};
use crate::queue::Queue;
use crate::tuned::{RULES, TunedScene};

/// Slowest and fastest speed, as a factor on real time.
const SPEEDS: [f64; 2] = [1e-3, 1e6];

/// An engine further behind the clock than this does not try to catch up: it steps as fast as it can.
const MOST_BEHIND: Duration = Duration::from_millis(100);

/// Over how long the rate of steps is counted.
const RATE_WINDOW: Duration = Duration::from_millis(500);

/// At most one part in so many of the engine's time goes into observables: of 100,000 boids they take most of a step.
const OBSERVING: u32 = 20;

/// What viewers see of the engine.
pub struct Published {
    /// The latest frame.
    pub frame: watch::Sender<Bytes>,
    /// The latest state as JSON, and the scene as TOML.
    pub state: watch::Sender<Arc<(String, String)>>,
    /// Whether a viewer waits for a frame.
    pub frame_wanted: AtomicBool,
    /// Steps made, resets or not.
    pub steps: AtomicU64,
}

/// What the engine is told.
pub enum Command {
    /// What a viewer asks for, and where its answer goes.
    Request(Request, Reply),
    /// Publish a frame, of a flock that stands still too; the sender says when it is done.
    PublishFrame(Option<oneshot::Sender<()>>),
    /// The change of this number is made, or refused.
    Changed(u64, Box<Result<Changed, String>>),
    /// End.
    Stop,
}

/// A flock that follows its tuned scene.
pub struct Engine {
    scene: Arc<TunedScene>,
    /// The scene that the flock was built from.
    running: Arc<Scene>,
    built: Built,
    machine: Machine,
    dt: TimeStep,
    /// How often the flock has been built anew.
    run: u32,
    step: u64,
    time: f64,
    paused: bool,
    speed: f64,
    /// Run and step of the latest frame.
    framed: (u32, u64),
    rate: StepRate,
    observed: Observed,
    published: Arc<Published>,
    changes: Queue<Change, Reply>,
    /// Where changes say that they are made.
    commands: Sender<Command>,
}

/// Counts steps per second.
struct StepRate {
    since: Instant,
    steps: u32,
    per_second: f32,
}

/// Observables, when they were computed, and how long that took.
struct Observed {
    values: [f32; 3],
    at: Instant,
    took: Duration,
}

impl Engine {
    /// Builds the flock. Changes to its scene come back by `commands`.
    ///
    /// # Errors
    /// As [`build`].
    pub fn new(
        scene: TunedScene,
        machine: Machine,
        speed: Option<f64>,
        paused: bool,
        commands: Sender<Command>,
    ) -> Result<Self, SceneError> {
        let running = scene.scene().clone();
        let built = build(&running, &machine)?;
        let dt = running.dt();
        let (run, step, time) = (0, 0, 0.0);
        let observed = Observed { values: observe(&built.flock), at: Instant::now(), took: Duration::ZERO };
        let frame = encode(&built.flock, &FrameHead { run, step, time, rate: 0.0, observed: observed.values });
        let published = Published {
            frame: watch::Sender::new(frame.into()),
            state: watch::Sender::new(Arc::default()),
            frame_wanted: AtomicBool::new(false),
            steps: AtomicU64::new(0),
        };
        let engine = Self {
            scene: Arc::new(scene),
            running: Arc::new(running),
            built,
            machine,
            dt,
            run,
            step,
            time,
            paused,
            speed: speed.unwrap_or_else(|| usual_speed(dt)),
            framed: (run, step),
            rate: StepRate { since: Instant::now(), steps: 0, per_second: 0.0 },
            observed,
            published: Arc::new(published),
            changes: Queue::new(),
            commands,
        };
        engine.publish_state();
        Ok(engine)
    }

    /// Where viewers look.
    pub fn published(&self) -> Arc<Published> {
        Arc::clone(&self.published)
    }

    /// What was done to the initial state.
    pub fn notes(&self) -> &[String] {
        &self.built.notes
    }

    /// Steps until it is told to stop.
    pub fn run(mut self, commands: &Receiver<Command>) {
        let mut due = Instant::now();
        loop {
            self.publish_frame();
            self.go_on_with_changes();
            match self.next_command(commands, due) {
                Ok(Command::Stop) | Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) => {}
                Ok(Command::PublishFrame(done)) => {
                    self.publish_frame();
                    // The viewer that asked may have gone.
                    done.map(|done| done.send(()));
                }
                Ok(Command::Request(request, reply)) => {
                    let (speed, paused) = (self.speed, self.paused);
                    self.handle(request, reply);
                    if (speed, paused) != (self.speed, self.paused) {
                        due = Instant::now();
                    }
                }
                Ok(Command::Changed(number, changed)) => {
                    if let Some(reply) = self.changes.finish(number) {
                        reply.send(changed.and_then(|changed| self.adopt(changed)));
                    }
                }
            }
            // Also after a command: many of them do not keep it from stepping.
            let now = Instant::now();
            if !self.paused && now >= due {
                self.make_step();
                due += self.interval();
                if now > due + MOST_BEHIND {
                    due = now;
                }
            }
        }
    }

    /// Waits for a command until the next step is due, or a change is to be given up.
    fn next_command(&self, commands: &Receiver<Command>, due: Instant) -> Result<Command, RecvTimeoutError> {
        let step_due = (!self.paused).then_some(due);
        match [step_due, self.changes.deadline()].into_iter().flatten().min() {
            Some(until) => commands.recv_timeout(until.saturating_duration_since(Instant::now())),
            None => commands.recv().map_err(|_| RecvTimeoutError::Disconnected),
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
        self.published.steps.fetch_add(1, Ordering::Relaxed);
        self.rate.count();
    }

    /// Publishes a frame, if it is new and a viewer waits for one.
    fn publish_frame(&mut self) {
        let now = (self.run, self.step);
        if self.framed == now || !self.published.frame_wanted.swap(false, Ordering::AcqRel) {
            return;
        }
        let rate = if self.paused { 0.0 } else { self.rate.per_second };
        // A flock that stands still is observed as it is.
        if self.paused || self.step == 0 || self.observed.at.elapsed() >= self.observed.took * OBSERVING {
            let start = Instant::now();
            let values = observe(&self.built.flock);
            self.observed = Observed { values, at: Instant::now(), took: start.elapsed() };
        }
        let head = FrameHead { run: self.run, step: self.step, time: self.time, rate, observed: self.observed.values };
        self.published.frame.send_replace(encode(&self.built.flock, &head).into());
        self.framed = now;
    }

    fn handle(&mut self, request: Request, reply: Reply) {
        let answer = match request {
            // Frames are the server's matter.
            Request::Next {} => Ok(Answer::default()),
            Request::Set { key, value, .. } => return self.change(Change::Set { key, value }, reply),
            Request::Remove { rule, .. } => return self.change(Change::Remove { rule }, reply),
            Request::Reset { .. } => return self.change(Change::Reset, reply),
            Request::Pause { .. } => self.set_paused(true),
            Request::Play { .. } => self.set_paused(false),
            Request::Step { .. } => {
                self.make_step();
                self.set_paused(true)
            }
            Request::Speed { factor, .. } => self.set_speed(factor),
            Request::Explain { boid, .. } => self.explain(boid),
        };
        reply.send(answer);
    }

    /// Has a change made; its answer comes when it is.
    fn change(&mut self, change: Change, reply: Reply) {
        if let Err((reply, why)) = self.changes.push(change, reply) {
            reply.send(Err(why));
        }
    }

    /// Starts the change whose turn it is, and gives up what takes too long.
    fn go_on_with_changes(&mut self) {
        let now = Instant::now();
        for (reply, why) in self.changes.give_up(now) {
            reply.send(Err(why));
        }
        let Some((number, change)) = self.changes.start(now) else { return };
        let basis = Basis {
            scene: Arc::clone(&self.scene),
            running: Arc::clone(&self.running),
            domain: self.built.flock.domain(),
            machine: self.machine,
        };
        if let Err(error) = change.start(basis, number, self.commands.clone())
            && let Some(reply) = self.changes.finish(number)
        {
            reply.send(Err(format!("cannot start a thread: {error}")));
        }
    }

    /// Takes over what was changed: from the next step on what the engine can change as it runs, at the next reset the rest.
    fn adopt(&mut self, changed: Changed) -> Result<Answer, String> {
        let effect = match changed {
            Changed::Scene { scene, effect, prepared } => {
                let follows = prepared.is_some();
                if let Some(prepared) = prepared {
                    prepared.apply(&mut self.built.flock).map_err(|refusal| refusal.to_string())?;
                    self.dt = scene.scene().dt();
                }
                self.scene = Arc::new(scene);
                match effect {
                    Effect::None => None,
                    Effect::NextStep if follows => Some("next_step"),
                    _ => Some("rebuild"),
                }
            }
            Changed::Flock(built) => {
                self.built = built;
                self.running = Arc::new(self.scene.scene().clone());
                self.dt = self.running.dt();
                self.run += 1;
                (self.step, self.time) = (0, 0.0);
                None
            }
        };
        self.publish_state();
        Ok(Answer { effect, ..Answer::default() })
    }

    fn set_paused(&mut self, paused: bool) -> Result<Answer, String> {
        self.paused = paused;
        self.rate = StepRate { since: Instant::now(), steps: 0, per_second: 0.0 };
        self.publish_state();
        Ok(Answer::default())
    }

    fn set_speed(&mut self, factor: f64) -> Result<Answer, String> {
        self.speed = speed(factor)?;
        self.publish_state();
        Ok(Answer::default())
    }

    fn explain(&mut self, boid: u64) -> Result<Answer, String> {
        let page = ExplanationData::of(&mut self.built.flock, boid, self.scene.scene().name(), self.dt, &self.built.origin);
        let page = page.map_err(|refusal| refusal.to_string())?;
        Ok(Answer { page: Some(Box::new(page)), ..Answer::default() })
    }

    fn publish_state(&self) {
        let (scene, flock) = (self.scene.scene(), &self.built.flock);
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
            absent: if scene.params().model.is_some() { Vec::new() } else { absent_rules(scene) },
            warnings: self.scene.warnings().to_vec(),
            controls: controls(scene, &self.running),
        };
        let json = serde_json::to_string(&state).expect("numbers and texts can be written as JSON");
        self.published.state.send_replace(Arc::new((json, self.scene.toml())));
    }
}

impl StepRate {
    fn count(&mut self) {
        self.steps += 1;
        let elapsed = self.since.elapsed();
        if elapsed >= RATE_WINDOW {
            let per_second = (f64::from(self.steps) / elapsed.as_secs_f64()) as f32;
            *self = Self { since: Instant::now(), steps: 0, per_second };
        }
    }
}

fn absent_rules(scene: &Scene) -> Vec<&'static str> {
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
