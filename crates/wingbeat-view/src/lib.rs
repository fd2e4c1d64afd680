//! A live view of a [flock](wingbeat_session::LiveFlock): the engine behind a page in the
//! browser, with sliders for every parameter of its scene.
//!
//! [`View::start`] builds the scene's flock, steps it on a thread of its own, and serves the page
//! on this machine:
//!
//! ```no_run
//! use wingbeat_view::{Options, View};
//! let view = View::start("shoal", &[], &Options::default())?;
//! println!("{}", view.url());
//! std::thread::sleep(std::time::Duration::from_secs(60));
//! view.stop();
//! # Ok::<(), wingbeat_view::ViewError>(())
//! ```
//!
//! The engine never waits for a viewer, nor for a change to the scene to be computed: only the
//! latest frame is kept, and each viewer takes it when it is ready. Many pages share one flock.
//! Only pages that the view itself has served may connect. The protocol, for other pages and
//! programs, is in the crate's README.md.
#![forbid(unsafe_code)]

mod page;
mod queue;
mod reply;
mod engine;
mod hub;
mod viewer;
mod server;

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use tokio::net::TcpListener;
use tokio::sync::watch;
use wingbeat_scene::{Machine, Override, SceneError};
use wingbeat_session::{EditableScene, LiveFlock, check_speed};

use engine::{Command, Engine};
use hub::Hub;
use page::Page;

/// Where a view listens unless told otherwise.
pub const PORT: u16 = 7747;

/// How long the end of a view waits for its threads.
const LONGEST_END: Duration = Duration::from_millis(700);

/// Options of a view.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Address to listen on; the default is this machine alone.
    pub address: IpAddr,
    /// Port; 0 takes a free one.
    pub port: u16,
    /// How much faster than the scene's own time, 0.001 to 1,000,000; `None`: real time, or 30
    /// steps a second for scenes whose steps are longer than a sixteenth of a second.
    pub speed: Option<f64>,
    /// Whether the flock stands still until a viewer presses play.
    pub paused: bool,
    /// SIMD level and threads of the flock.
    pub machine: Machine,
}

impl Default for Options {
    fn default() -> Self {
        let address = IpAddr::V4(Ipv4Addr::LOCALHOST);
        Self { address, port: PORT, speed: None, paused: false, machine: Machine::default() }
    }
}

/// Why a view could not be started.
#[derive(Debug)]
#[non_exhaustive]
pub enum ViewError {
    /// The scene is not accepted.
    Scene(SceneError),
    /// Address and port cannot be had.
    Listen {
        /// The address and port.
        local: SocketAddr,
        /// What the operating system says.
        error: std::io::Error,
    },
    /// An option outside its range: a line.
    Option(String),
    /// The machine refused a thread.
    Machine(std::io::Error),
}

impl fmt::Display for ViewError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scene(refusal) => refusal.fmt(f),
            Self::Listen { local, error } => {
                let why = match error.kind() {
                    std::io::ErrorKind::AddrInUse => {
                        "it is taken: allowed is a free port, or 0 to have one chosen".to_string()
                    }
                    std::io::ErrorKind::AddrNotAvailable => {
                        "this machine has no such address".to_string()
                    }
                    std::io::ErrorKind::PermissionDenied => "not allowed for this user: take a \
                        port from 1024"
                        .to_string(),
                    _ => error.to_string(),
                };
                write!(f, "cannot listen on {local}: {why}")
            }
            Self::Option(line) => f.write_str(line),
            Self::Machine(error) => write!(f, "cannot start a thread: {error}"),
        }
    }
}

impl std::error::Error for ViewError {}

impl From<SceneError> for ViewError {
    fn from(refusal: SceneError) -> Self {
        Self::Scene(refusal)
    }
}

impl ViewError {
    /// Whether what was given is at fault, rather than the machine.
    pub fn is_bad_input(&self) -> bool {
        match self {
            Self::Scene(refusal) => refusal.is_bad_input(),
            Self::Listen { .. } | Self::Option(_) => true,
            Self::Machine(_) => false,
        }
    }
}

/// A running flock with its server. Dropping it stops both.
pub struct View {
    hub: Arc<Hub>,
    notes: Vec<String>,
    engine: Option<JoinHandle<()>>,
    server: Option<JoinHandle<()>>,
}

impl View {
    /// Reads the scene, builds its flock, listens, and starts stepping. The scene's `flock.steps`
    /// has no say: it steps until it is stopped.
    ///
    /// # Errors
    /// When the scene is not accepted, or address and port cannot be had.
    pub fn start(
        source: &str,
        overrides: &[Override],
        options: &Options,
    ) -> Result<Self, ViewError> {
        if let Some(speed) = options.speed {
            check_speed(speed).map_err(ViewError::Option)?;
        }
        let scene = EditableScene::load(source, overrides)?;
        let (name, dimensions) = (scene.scene().name().to_string(), scene.scene().dimensions());
        let local = SocketAddr::new(options.address, options.port);
        // Taken before the flock is built, which may take a while: a port that is not to be had is
        // said at once.
        let listener = std::net::TcpListener::bind(local)
            .map_err(|error| ViewError::Listen { local, error })?;
        let local = listener.local_addr().map_err(|error| ViewError::Listen { local, error })?;
        let (commands, taken) = mpsc::channel();
        let flock = LiveFlock::new(scene, options.machine, options.speed, options.paused)?;
        let notes = flock.notes().to_vec();
        let engine = Engine::new(flock, commands.clone());
        let hub = Arc::new(Hub {
            published: engine.published(),
            commands,
            ending: watch::Sender::new(false),
            viewers: AtomicUsize::new(0),
            local,
            page: Page::new(&name, dimensions),
        });
        let start = |name: &str| std::thread::Builder::new().name(name.into());
        let engine =
            start("view engine").spawn(move || engine.run(&taken)).map_err(ViewError::Machine)?;
        let serving = Arc::clone(&hub);
        let mut view = Self { hub, notes, engine: Some(engine), server: None };
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(ViewError::Machine)?;
        listener.set_nonblocking(true).map_err(|error| ViewError::Listen { local, error })?;
        let listener = {
            let _inside = runtime.enter();
            TcpListener::from_std(listener).map_err(|error| ViewError::Listen { local, error })?
        };
        let server = start("view server").spawn(move || {
            // Accepting goes on whatever happens to one connection: it ends with the view.
            let _ = runtime.block_on(server::serve(listener, serving));
            runtime.shutdown_background();
        });
        view.server = Some(server.map_err(ViewError::Machine)?);
        Ok(view)
    }

    /// The address for a browser.
    pub fn url(&self) -> String {
        format!("http://{}/", self.hub.local)
    }

    /// The address and port it listens on.
    pub fn local(&self) -> SocketAddr {
        self.hub.local
    }

    /// Remarks about the scene's initial state: columns ignored, boids wrapped, values defaulted.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Steps made so far, resets or not.
    pub fn steps(&self) -> u64 {
        self.hub.published.steps.load(Ordering::Relaxed)
    }

    /// How many viewers are connected.
    pub fn viewers(&self) -> usize {
        self.hub.viewers.load(Ordering::Relaxed)
    }

    /// Whether the engine runs: false after a panic.
    pub fn is_alive(&self) -> bool {
        self.engine.as_ref().is_some_and(|engine| !engine.is_finished())
    }

    /// Closes all connections, gives up the step under way and ends, within a second.
    pub fn stop(self) {
        drop(self);
    }
}

impl Drop for View {
    fn drop(&mut self) {
        // An engine that has died does not listen any more.
        let _ = self.hub.commands.send(Command::Stop);
        self.hub.ending.send_replace(true);
        let threads = [self.engine.take(), self.server.take()].into_iter().flatten();
        let deadline = Instant::now() + LONGEST_END;
        for thread in threads {
            // A step may begin after the brake was pulled, and what is no step cannot be given up:
            // neither is waited for long.
            while !thread.is_finished() && Instant::now() < deadline {
                self.hub.published.stop_step();
                std::thread::sleep(Duration::from_millis(5));
            }
            if thread.is_finished() {
                // What it died of was written to standard error then.
                let _ = thread.join();
            }
        }
    }
}
