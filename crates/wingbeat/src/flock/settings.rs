//! Settings of a flock, and a flock with other settings made from this one.

use std::sync::Arc;

use wingbeat_steer::{Domain, Drive, Exit, Obstacles, Params, Source};

use super::{Flock, FlockPlan};
use crate::FlockError;
use crate::flock::builder::Start;

/// Everything that a host sets of a flock, as it is now: with the boids and what the flock
/// remembers of them, all that a later step depends on, but for the host's own rules and drives.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(
        serialize = "[f32; D]: serde::Serialize",
        deserialize = "[f32; D]: serde::Deserialize<'de>"
    ))
)]
#[non_exhaustive]
pub struct Settings<const D: usize> {
    /// Rules, limits, species and combination.
    pub params: Params,
    /// The world's edges.
    pub domain: Domain<[f32; D]>,
    /// Steps from one turn of a boid to the next.
    pub steer_every: u32,
    /// Drives, in the order of their terms.
    pub drives: Vec<Drive<[f32; D]>>,
    /// Obstacles as they were given: at time 0.
    pub obstacles: Obstacles<[f32; D]>,
    /// Exits.
    pub exits: Vec<Exit<[f32; D]>>,
    /// Sources.
    pub sources: Vec<Source<[f32; D]>>,
}

impl<const D: usize> Flock<D> {
    /// The settings as they are now. They are put together once after each change, and shared by
    /// all boids that ask.
    pub(super) fn settings(&self) -> Arc<Settings<D>> {
        Arc::clone(self.settings.get_or_init(|| {
            Arc::new(Settings {
                params: self.params.clone(),
                domain: self.domain,
                steer_every: self.steer_every(),
                drives: self.drives.list().to_vec(),
                obstacles: self
                    .course
                    .as_ref()
                    .map(|course| course.course.obstacles().clone())
                    .unwrap_or_default(),
                exits: self.gates.exits.list().to_vec(),
                sources: self.gates.sources.list().to_vec(),
            })
        }))
    }

    /// A flock of these settings without any boids, on the same threads and with the same rules and
    /// drives of the host's own.
    pub(super) fn with_settings(&self, settings: &Arc<Settings<D>>) -> Result<Self, FlockError> {
        let Settings { params, domain, steer_every, drives, obstacles, exits, sources } =
            &**settings;
        let plan = FlockPlan {
            params: params.clone(),
            domain: *domain,
            seed: self.seed,
            steer_every: *steer_every,
            level: None,
            threads: None,
            storage: self.storage,
            unfused: self.unfused,
            crowds: self.crowd.when(),
            batch: self.workers.batch(),
            obstacles: obstacles.clone(),
            drives: drives.clone(),
            own_drives: self.drives.own().to_vec(),
            host_memory: self.host_memory.clone(),
            exits: exits.clone(),
            sources: sources.clone(),
            start: Start::Given(Vec::new()),
            species: Vec::new(),
        };
        plan.check_rules(&self.declared)?;
        // Leaders that were may be gone by now.
        plan.check_drives(|_| true)?;
        let host = (self.declared.clone(), self.rules.clone());
        let workers = Arc::clone(&self.workers);
        let mut flock = Self::from_checked(plan, self.level, workers, host, Vec::new(), &[])?;
        flock.settings = Arc::clone(settings).into();
        Ok(flock)
    }
}
