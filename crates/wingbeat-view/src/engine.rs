//! The engine on a thread of its own. It waits for the clock and for commands, never for a viewer
//! nor for a scene that is being read or built: what it publishes are the latest frame and state
//! only, and frames only when a viewer wants one.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use tokio::sync::{oneshot, watch};
use wingbeat_scene::Brake;
use wingbeat_session::{Answer, Change, Changed, LiveFlock, Request, RequestOutcome};

use crate::queue::Queue;
use crate::reply::Reply;

/// An engine further behind the clock than this does not try to catch up: it steps as fast as it
/// can.
const MOST_BEHIND: Duration = Duration::from_millis(100);

/// Over how long the rate of steps is counted.
const RATE_WINDOW: Duration = Duration::from_millis(500);

/// At most one part in so many of the engine's time goes into observables: of 100,000 boids they
/// take most of a step.
const OBSERVING: u32 = 20;

/// Viewers learn of a step that takes longer; a request of theirs gives it up.
pub const LONG: Duration = Duration::from_secs(2);

/// After a step that took longer the flock is kept as it is before the next: that may have to be
/// given up.
const NOTICEABLE: Duration = Duration::from_millis(100);

/// The step under way.
pub struct Stepping {
    since: Instant,
    brake: Brake,
    /// Whether the flock as it was before is kept.
    is_kept: bool,
    /// Whether viewers know that it takes long.
    is_told: bool,
}

/// What viewers see of the engine.
pub struct Published {
    /// The step under way, if one is.
    pub stepping: Mutex<Option<Stepping>>,
    /// Whether a request waits for the end of a step.
    pub request_waits: AtomicBool,
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

impl Published {
    fn stepping(&self) -> MutexGuard<'_, Option<Stepping>> {
        self.stepping.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives up the step under way, whatever becomes of the flock.
    pub fn stop_step(&self) {
        if let Some(step) = &*self.stepping() {
            step.brake.pull();
        }
    }

    /// Gives up a step that takes long where a request waits, so that it is heard.
    pub fn give_up_long_step(&self) {
        let is_waited_for = self.request_waits.load(Ordering::Relaxed);
        let is_long = |step: &&Stepping| step.is_kept && step.since.elapsed() >= LONG;
        if let Some(step) = self.stepping().as_ref().filter(|_| is_waited_for).filter(is_long) {
            step.brake.pull();
        }
    }

    /// Tells viewers of a step that takes long, once.
    pub fn tell_of_long_step(&self) {
        let mut stepping = self.stepping();
        let Some(step) =
            stepping.as_mut().filter(|step| !step.is_told && step.since.elapsed() >= LONG)
        else {
            return;
        };
        step.is_told = true;
        // A copy: what is borrowed cannot be replaced.
        let state = Arc::clone(&self.state.borrow());
        let warned = with_warning(&state.0, &long_step("takes"));
        self.state.send_replace(Arc::new((warned, state.1.clone())));
    }
}

/// The words for a step that takes, or took, long.
fn long_step(takes: &str) -> String {
    format!(
        "a step {takes} longer than {} s with these settings (fewer boids, or smaller radii or \
            speeds, are faster)",
        LONG.as_secs()
    )
}

/// A state with one warning more, the first.
fn with_warning(state: &str, warning: &str) -> String {
    let Ok(mut value) = serde_json::from_str::<serde_json::Value>(state) else {
        return state.to_string();
    };
    if let Some(warnings) = value.get_mut("warnings").and_then(|warnings| warnings.as_array_mut()) {
        warnings.insert(0, warning.into());
    }
    value.to_string()
}

/// A flock that steps by the clock.
pub struct Engine {
    flock: LiveFlock,
    /// How long the last step took; `None` after a change.
    took: Option<Duration>,
    /// The warning about the last step that viewers have, if it took long.
    long: Option<String>,
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
    /// Changes to its scene come back by `commands`.
    pub fn new(flock: LiveFlock, commands: Sender<Command>) -> Self {
        let observed =
            Observed { values: flock.observe(), at: Instant::now(), took: Duration::ZERO };
        let published = Published {
            stepping: Mutex::new(None),
            request_waits: AtomicBool::new(false),
            frame: watch::Sender::new(flock.frame(0.0, observed.values).into()),
            state: watch::Sender::new(Arc::default()),
            frame_wanted: AtomicBool::new(false),
            steps: AtomicU64::new(0),
        };
        let engine = Self {
            framed: (flock.run(), flock.flock().steps()),
            flock,
            took: None,
            long: None,
            rate: StepRate { since: Instant::now(), steps: 0, per_second: 0.0 },
            observed,
            published: Arc::new(published),
            changes: Queue::new(),
            commands,
        };
        engine.publish_state();
        engine
    }

    /// Where viewers look.
    pub fn published(&self) -> Arc<Published> {
        Arc::clone(&self.published)
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
                    self.published.request_waits.store(false, Ordering::Relaxed);
                    let pace = |flock: &LiveFlock| (flock.seconds_per_step(), flock.is_paused());
                    let before = pace(&self.flock);
                    self.handle(request, reply);
                    if before != pace(&self.flock) {
                        due = Instant::now();
                    }
                }
                Ok(Command::Changed(number, changed)) => {
                    if let Some(reply) = self.changes.finish(number) {
                        let done = changed.and_then(|changed| self.flock.adopt(changed));
                        self.took = None;
                        self.publish_state();
                        reply.send(done);
                    }
                }
            }
            // Also after a command: many of them do not keep it from stepping.
            let now = Instant::now();
            if !self.flock.is_paused() && now >= due {
                self.make_step();
                due += self.interval();
                if now > due + MOST_BEHIND {
                    due = now;
                }
            }
        }
    }

    /// Waits for a command until the next step is due, or a change is to be given up.
    fn next_command(
        &self,
        commands: &Receiver<Command>,
        due: Instant,
    ) -> Result<Command, RecvTimeoutError> {
        let step_due = (!self.flock.is_paused()).then_some(due);
        match [step_due, self.changes.deadline()].into_iter().flatten().min() {
            Some(until) => commands.recv_timeout(until.saturating_duration_since(Instant::now())),
            None => commands.recv().map_err(|_| RecvTimeoutError::Disconnected),
        }
    }

    /// Time from step to step.
    fn interval(&self) -> Duration {
        Duration::from_secs_f64(self.flock.seconds_per_step())
    }

    fn make_step(&mut self) {
        let is_kept = self.took.is_none_or(|took| took >= NOTICEABLE);
        let before = is_kept.then(|| self.flock.flock().clone());
        let (since, brake) = (Instant::now(), self.flock.flock().brake());
        *self.published.stepping() = Some(Stepping { since, brake, is_kept, is_told: false });
        self.flock.step();
        let was_told = self.published.stepping().take().is_some_and(|step| step.is_told);
        self.took = Some(since.elapsed());
        if self.flock.flock_mut().gave_up() {
            // Without a flock from before the view ends, which is the only reason to give up such a
            // step.
            if let Some(before) = before {
                *self.flock.flock_mut() = before;
            }
            self.flock.pause();
            self.long =
                Some(format!("{}: it was given up, and the flock stands still", long_step("took")));
            self.publish_state();
            return;
        }
        self.published.steps.fetch_add(1, Ordering::Relaxed);
        self.rate.count();
        if was_told || self.long.is_some() {
            self.long = was_told.then(|| long_step("took"));
            self.publish_state();
        }
    }

    /// Publishes a frame, if it is new and a viewer waits for one.
    fn publish_frame(&mut self) {
        let now = (self.flock.run(), self.flock.flock().steps());
        if self.framed == now || !self.published.frame_wanted.swap(false, Ordering::AcqRel) {
            return;
        }
        let paused = self.flock.is_paused();
        let rate = if paused { 0.0 } else { self.rate.per_second };
        // A flock that stands still is observed as it is.
        if paused || now.1 == 0 || self.observed.at.elapsed() >= self.observed.took * OBSERVING {
            let start = Instant::now();
            let values = self.flock.observe();
            self.observed = Observed { values, at: Instant::now(), took: start.elapsed() };
        }
        self.published.frame.send_replace(self.flock.frame(rate, self.observed.values).into());
        self.framed = now;
    }

    fn handle(&mut self, request: Request, reply: Reply) {
        let is_question = matches!(request, Request::Explain { .. } | Request::Next { .. });
        if let Request::Step { .. } = request {
            // By the way of all steps, so that it can be given up.
            self.make_step();
            self.flock.pause();
            self.rate = StepRate { since: Instant::now(), steps: 0, per_second: 0.0 };
            self.publish_state();
            return reply.send(Ok(Answer::default()));
        }
        match self.flock.heed(request) {
            RequestOutcome::Change(change) => self.change(change, reply),
            RequestOutcome::Done(done) => {
                if !is_question {
                    self.rate = StepRate { since: Instant::now(), steps: 0, per_second: 0.0 };
                    self.publish_state();
                }
                reply.send(done);
            }
        }
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
        let (basis, engine) = (self.flock.basis(), self.commands.clone());
        let work = move || {
            let made = catch_unwind(AssertUnwindSafe(|| change.make(&basis)));
            // What it died of was written to standard error.
            let made = made.unwrap_or_else(|_| {
                Err("the view failed at this change and goes on without it".into())
            });
            // An engine that has stopped needs no change.
            let _ = engine.send(Command::Changed(number, Box::new(made)));
        };
        let started = std::thread::Builder::new().name("view change".into()).spawn(work);
        if let Err(error) = started
            && let Some(reply) = self.changes.finish(number)
        {
            reply.send(Err(format!("cannot start a thread: {error}")));
        }
    }

    fn publish_state(&self) {
        let mut state = self.flock.state();
        state.warnings.splice(0..0, self.long.clone());
        let json = serde_json::to_string(&state).expect("numbers and texts can be written as JSON");
        self.published.state.send_replace(Arc::new((json, self.flock.toml())));
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
