//! The parts of a flock, each with one owner.
//!
//! ```text
//! Settings   what the host has set
//! Host       what it has brought itself: rules, drives and their memory
//! FlockState what steps change and later steps depend on
//! Derived    what follows from settings and host; made anew when they change
//! Workspace  any content gives the same results
//! Machine    on what, and how, all this is worked; results do not depend on it
//! ```

use std::sync::Arc;

use wingbeat_steer::{Perception, math};

use crate::columns::boids::{BackBuffers, Boids};
use crate::columns::slices::Slices;
use crate::events::StepEvents;
use crate::flock::crowd::Crowd;
use crate::flock::queries::QueryCache;
use crate::flock::species_state::{StepCaptures, fit};
use crate::flock::{HostState, Settings};
use crate::grid::{Crowds, Grid, Storage};
use crate::kernel::{self, BatchPass, Prepared, Scratch};
use crate::motion::anticipate::AnticipationState;
use crate::motion::body::BodyColumns;
use crate::motion::exits_and_sources::ExitsAndSources;
use crate::motion::obstacle::ObstacleIndex;
use crate::parallel::Workers;
use crate::terms::combine::ExtraTerms;
use crate::terms::drive::{Drives, Named};
use crate::{FlockError, Level};

/// What steps change and later steps depend on, beside settings and what the host remembers.
#[derive(Clone)]
pub(crate) struct FlockState<const D: usize> {
    pub boids: Boids<D>,
    /// The key of the randomness inside steps.
    pub seed: u64,
    /// Steps made.
    pub step: u64,
    /// Time passed: the lengths of all steps, added up.
    pub time: f64,
    /// Obstacles where they are now, if there are any.
    pub course: Option<Box<ObstacleIndex<D>>>,
    /// Exits and sources with what they remember.
    pub gates: ExitsAndSources<D>,
}

/// What the host has brought itself.
#[derive(Clone)]
pub(crate) struct Host<const D: usize> {
    /// Perceptions of its rules.
    pub declared: Vec<Perception>,
    pub rules: Option<Arc<dyn BatchPass<D>>>,
    pub drives: Arc<[Named<D>]>,
    /// What its rules and drives remember.
    pub memory: Option<Arc<dyn HostState>>,
}

/// What follows from settings and host.
#[derive(Clone)]
pub(crate) struct Derived<const D: usize> {
    pub kernel: Prepared,
    /// The model, which takes the three rules' place.
    pub model: Option<Arc<dyn BatchPass<D>>>,
    pub drives: Drives<D>,
    /// Turns, where not all steer in every step.
    pub slices: Option<Slices>,
    /// Bodies, where boids are no points.
    pub bodies: Option<BodyColumns>,
    /// Anticipation, where bodies avoid each other before they meet.
    pub anticipation: Option<AnticipationState<D>>,
}

/// What a step works in.
#[derive(Clone)]
pub(crate) struct Workspace<const D: usize> {
    pub grid: Grid<D>,
    pub back: BackBuffers<D>,
    /// The finer order of flocks whose boids look at their nearest alone.
    pub crowd: Crowd<D>,
    pub captures: StepCaptures,
    /// What happened in the last step.
    pub happened: StepEvents,
    /// Preferred velocities, and then what anticipation puts in their place; empty without.
    pub answers: [Vec<f32>; D],
    /// Headings, where alignment or a model reads those of neighbors; empty otherwise.
    pub headings: [Vec<f32>; D],
    /// Whether forces are of the boids as they are.
    pub steered: bool,
    /// Whether boids are in slot order and the grid knows it: nothing has changed since the last
    /// sort.
    pub sorted: bool,
    /// What questions about places are answered from.
    pub queries: QueryCache<D>,
}

/// On what, and how, all this is worked.
#[derive(Clone)]
pub(crate) struct Machine<const D: usize> {
    pub level: Level,
    pub workers: Arc<Workers<Scratch<D>>>,
    pub storage: Storage,
    /// Every rule has a pass of its own.
    pub unfused: bool,
    /// When the finer order of a crowd is taken.
    pub crowds: Crowds,
}

impl<const D: usize> Derived<D> {
    /// Brings the boids the columns that settings call for, too.
    #[inline(never)]
    pub fn new(
        settings: &Settings<D>,
        host: &Host<D>,
        machine: &Machine<D>,
        (seed, boids): (u64, &mut Boids<D>),
    ) -> Result<Self, FlockError> {
        let params = &settings.params;
        fit([params; 2], seed, boids);
        Ok(Self {
            kernel: kernel_tables(settings, host, machine),
            model: params.model.as_ref().map(kernel::model).transpose()?,
            drives: Drives::new(&settings.drives, boids),
            slices: Slices::new(settings.steer_every, boids),
            bodies: BodyColumns::new(params, &settings.domain),
            anticipation: AnticipationState::new(params),
        })
    }
}

/// Settings as the kernel wants them.
pub(crate) fn kernel_tables<const D: usize>(
    settings: &Settings<D>,
    host: &Host<D>,
    machine: &Machine<D>,
) -> Prepared {
    let (params, declared) = (&settings.params, &host.declared);
    let radius =
        declared.iter().fold(params.largest_radius(), |most, own| math::max(most, own.radius));
    let drives = settings.drives.len() + host.drives.len();
    let around = ExtraTerms {
        steers_ahead: settings.obstacles.steers(),
        walls_push: settings.domain.pushes(),
    };
    Prepared::new::<D>(params, radius, declared, drives, around, machine.unfused)
}

impl<const D: usize> Workspace<D> {
    pub fn new(settings: &Settings<D>, radius: f32, storage: Storage) -> Self {
        Self {
            grid: grid_of(settings, radius, storage),
            back: BackBuffers::default(),
            crowd: Crowd::default(),
            captures: StepCaptures::default(),
            happened: StepEvents::default(),
            answers: [const { Vec::new() }; D],
            headings: [const { Vec::new() }; D],
            steered: false,
            sorted: false,
            queries: QueryCache::default(),
        }
    }

    /// Boids are not where they were, or the grid is another: order and index are to be found anew.
    pub fn boids_moved(&mut self) {
        self.sorted = false;
        self.queries.clear();
    }
}

/// An empty grid of cells as wide as the radius.
pub(crate) fn grid_of<const D: usize>(
    settings: &Settings<D>,
    radius: f32,
    storage: Storage,
) -> Grid<D> {
    Grid::new(radius, settings.params.expected_neighbors, &settings.domain, storage)
}

impl<const D: usize> Machine<D> {
    /// The same threads for another flock.
    pub fn share(&self) -> Self {
        Self { workers: Arc::new(self.workers.share()), ..*self }
    }
}
