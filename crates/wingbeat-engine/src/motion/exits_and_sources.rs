//! Exits and sources of a flock. Their definition, `wingbeat_steer::gate`, treats one boid at a
//! time; few are near a gate, so what is here finds those in one pass.

use wingbeat_steer::gate::{Exits, Sources};
use wingbeat_steer::{Domain, Exit, ParamError, Params, Source};

use crate::motion::obstacle::ObstacleIndex;

/// Where boids leave, and from where others come.
#[derive(Clone, Debug, Default)]
pub(crate) struct ExitsAndSources<const D: usize> {
    pub exits: Exits<[f32; D]>,
    pub sources: Sources<[f32; D]>,
    /// Bodies near a source where a boid is due, with their radii.
    pub near: Vec<([f32; D], f32)>,
    /// Sources and places of those that enter.
    pub newcomers: Vec<(usize, [f32; D])>,
}

impl<const D: usize> ExitsAndSources<D> {
    pub fn new(
        exits: Vec<Exit<[f32; D]>>,
        sources: Vec<Source<[f32; D]>>,
        (params, domain): (&Params, &Domain<[f32; D]>),
        course: Option<&ObstacleIndex<D>>,
    ) -> Result<Self, ParamError> {
        let exits = Exits::new(exits, params, domain)?;
        let sources = Sources::new(sources, params, domain, course.map(|course| &course.course))?;
        Ok(Self { exits, sources, near: Vec::new(), newcomers: Vec::new() })
    }

    /// Refuses parameters that these gates do not go with.
    pub fn check(
        &self,
        params: &Params,
        domain: &Domain<[f32; D]>,
        course: Option<&ObstacleIndex<D>>,
    ) -> Result<(), ParamError> {
        self.exits.check(params, domain)?;
        self.sources.check(params, domain, course.map(|course| &course.course))
    }
}
