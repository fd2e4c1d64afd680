//! `[exit.NAME]` and `[source.NAME]`.

use wingbeat::Domain;
use wingbeat::steer::gate::Exits;
use wingbeat::steer::{Exit, ObstacleSet, Obstacles, Source, gate::Sources};

use super::named_table::NamedTable;
use super::outside::StaticObstacles;
use crate::SceneError;
use crate::floor::Floor;
use crate::scene::Scene;

/// Places along each axis of a source's box that have to be on the floor.
const LATTICE: usize = 9;

pub(super) fn exits<const D: usize>(
    scene: &Scene,
    domain: &Domain<[f32; D]>,
) -> Result<Exits<[f32; D]>, SceneError> {
    let document = &scene.document;
    let mut list = Vec::new();
    for table in NamedTable::all(document, "exit") {
        // Of a checked document: each has a kind.
        let Some(shape) = table.read_kind() else { continue };
        let exit = table.read(Exit::new(table.name(), shape));
        list.push(Exit { species: table.species()?, ..exit });
    }
    Exits::new(list, scene.params(), domain).map_err(|refusal| document.refuse_param(refusal))
}

pub(super) fn sources<const D: usize>(
    scene: &Scene,
    domain: &Domain<[f32; D]>,
    obstacles: &Obstacles<[f32; D]>,
    floor: Option<&Floor>,
) -> Result<Vec<Source<[f32; D]>>, SceneError> {
    let document = &scene.document;
    let list = read_sources(scene)?;
    if list.is_empty() {
        return Ok(list);
    }
    let refused = |refusal| document.refuse_param(refusal);
    let set = ObstacleSet::new(obstacles.clone(), domain).map_err(refused)?;
    Sources::new(list.clone(), scene.params(), domain, Some(&set)).map_err(refused)?;
    if floor.is_some() {
        let standing = StaticObstacles::new(obstacles, domain, floor.cloned()).map_err(refused)?;
        for (table, source) in NamedTable::all(document, "source").zip(&list) {
            if lattice(source)
                .any(|place| standing.is_off(place) && standing.holder(place).is_none())
            {
                return Err(table.refuse("min", "a box, min to max, that is all on the floor"));
            }
        }
    }
    Ok(list)
}

/// Sources as the file has them, before it is known whether boids can enter there.
pub(super) fn read_sources<const D: usize>(
    scene: &Scene,
) -> Result<Vec<Source<[f32; D]>>, SceneError> {
    let read = |table: NamedTable<'_>| {
        let source = table.read(Source::default());
        let species = table.species()?.unwrap_or(source.species);
        Ok(Source { name: table.name().to_string(), species, ..source })
    };
    NamedTable::all(&scene.document, "source").map(read).collect()
}

/// Places all over the box of a source.
pub(crate) fn lattice<const D: usize>(source: &Source<[f32; D]>) -> impl Iterator<Item = [f32; D]> {
    (0..LATTICE.pow(D as u32)).map(|mut number| {
        std::array::from_fn(|a| {
            let part = (number % LATTICE) as f32 / (LATTICE - 1) as f32;
            number /= LATTICE;
            source.min[a] + (source.max[a] - source.min[a]) * part
        })
    })
}
