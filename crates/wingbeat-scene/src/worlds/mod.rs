//! Drives and obstacles from a scene's named tables.

mod drives;
mod flow;
mod named_table;
mod obstacles;
pub(crate) mod outside;
pub(crate) mod reach;
pub(crate) mod room;
mod scatter;

use wingbeat::Domain;
use wingbeat::steer::{Drive, Obstacles};

use crate::SceneError;
use crate::floor::{Floor, floor};
use crate::scene::Scene;

/// The drives and obstacles of a scene.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct World<const D: usize> {
    pub drives: Vec<Drive<[f32; D]>>,
    pub obstacles: Obstacles<[f32; D]>,
}

/// Reads obstacles alone.
pub(crate) fn obstacles<const D: usize>(scene: &Scene, domain: &Domain<[f32; D]>) -> Result<Obstacles<[f32; D]>, SceneError> {
    obstacles::obstacles(scene, domain, floor(scene)?.as_ref())
}

/// Reads drives and obstacles, in the order of the file.
pub(crate) fn world<const D: usize>(scene: &Scene, domain: &Domain<[f32; D]>) -> Result<World<D>, SceneError> {
    world_on(scene, domain, floor(scene)?.as_ref())
}

/// The same on a floor that is read already.
pub(crate) fn world_on<const D: usize>(
    scene: &Scene,
    domain: &Domain<[f32; D]>,
    floor: Option<&Floor>,
) -> Result<World<D>, SceneError> {
    let obstacles = obstacles::obstacles(scene, domain, floor)?;
    let drives = drives::drives(scene, domain, &obstacles)?;
    Ok(World { drives, obstacles })
}
