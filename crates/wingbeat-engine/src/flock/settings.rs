//! Settings of a flock, and a flock with other settings made from this one.

use std::sync::Arc;

use wingbeat_steer::{Domain, Drive, Exit, Obstacles, Params, Source};

use super::Flock;
use crate::FlockError;
use crate::flock::checks::{check_drives, check_settings};

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
    /// A flock of these settings without any boids, on the same threads and with the same rules and
    /// drives of the host's own.
    pub(super) fn with_settings(
        &self,
        settings: &Arc<Settings<D>>,
        seed: u64,
    ) -> Result<Self, FlockError> {
        check_settings(settings, &self.host.declared)?;
        // Leaders that were may be gone by now.
        check_drives(&settings.drives, &self.host.drives, settings, |_| true)?;
        let (host, machine) = (self.host.clone(), self.machine.clone());
        Self::assemble(Arc::clone(settings), host, machine, (Vec::new(), &[]), seed)
    }
}
