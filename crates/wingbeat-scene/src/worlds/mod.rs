//! Drives, obstacles, exits and sources from a scene's named tables.

mod drives;
pub(crate) mod flow;
pub(crate) mod gates;
pub(crate) mod named_table;
mod obstacles;
pub(crate) mod outside;
pub(crate) mod room;
mod scatter;

use wingbeat::Domain;
use wingbeat::steer::gate::Exits;
use wingbeat::steer::{Drive, Obstacles, Source};

pub(crate) use self::flow::Ask;
use self::flow::NodesAround;
use crate::SceneError;
use crate::floor::{Floor, floor};
use crate::scene::Scene;

/// What is around the boids of a scene.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct World<const D: usize> {
    pub drives: Vec<Drive<[f32; D]>>,
    pub obstacles: Obstacles<[f32; D]>,
    pub exits: Exits<[f32; D]>,
    pub sources: Vec<Source<[f32; D]>>,
}

impl<const D: usize> World<D> {
    pub(crate) fn around<'a>(&'a self, domain: &'a Domain<[f32; D]>) -> NodesAround<'a, D> {
        NodesAround { domain, obstacles: &self.obstacles, exits: &self.exits, ask: Ask::Whether }
    }
}

/// Reads obstacles alone.
pub(crate) fn obstacles<const D: usize>(
    scene: &Scene,
    domain: &Domain<[f32; D]>,
) -> Result<Obstacles<[f32; D]>, SceneError> {
    obstacles::obstacles(scene, domain, floor(scene)?.as_ref())
}

/// Reads exits alone.
pub(crate) fn exits<const D: usize>(
    scene: &Scene,
    domain: &Domain<[f32; D]>,
) -> Result<Exits<[f32; D]>, SceneError> {
    gates::exits(scene, domain)
}

/// Reads sources alone, without a look whether boids can enter there.
pub(crate) fn sources<const D: usize>(scene: &Scene) -> Result<Vec<Source<[f32; D]>>, SceneError> {
    gates::read_sources(scene)
}

/// Reads all of it, in the order of the file.
pub(crate) fn world<const D: usize>(
    scene: &Scene,
    domain: &Domain<[f32; D]>,
) -> Result<World<D>, SceneError> {
    world_on(scene, domain, floor(scene)?.as_ref(), Ask::Whither)
}

/// The same on a floor that is read already.
pub(crate) fn world_on<const D: usize>(
    scene: &Scene,
    domain: &Domain<[f32; D]>,
    floor: Option<&Floor>,
    ask: Ask,
) -> Result<World<D>, SceneError> {
    let obstacles = obstacles::obstacles(scene, domain, floor)?;
    let exits = gates::exits(scene, domain)?;
    let sources = gates::sources(scene, domain, &obstacles, floor)?;
    let drives =
        drives::drives(scene, NodesAround { domain, obstacles: &obstacles, exits: &exits, ask })?;
    Ok(World { drives, obstacles, exits, sources })
}
