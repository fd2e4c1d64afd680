//! `[exit.NAME]` and `[source.NAME]`.

use wingbeat::Domain;
use wingbeat::steer::gate::Exits;
use wingbeat::steer::{Exit, ObstacleSet, Obstacles, Source, gate::Sources};

use super::named_table::NamedTable;
use super::obstacles::shape;
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
    let read = |path| {
        let table = NamedTable { document, path };
        let open = !table.has("open") || table.flag("open");
        let number = |key, usual| table.number(key).unwrap_or(usual);
        let usual = Exit::new(table.name(), shape(&table)?);
        let (opens, closes, every) = (
            number("opens", usual.opens),
            number("closes", usual.closes),
            number("every", usual.every),
        );
        Ok(Exit { species: table.species()?, open, opens, closes, every, ..usual })
    };
    let list =
        document.tables("exit").into_iter().map(read).collect::<Result<Vec<_>, SceneError>>()?;
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
        for (table, source) in source_tables(scene).zip(&list) {
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
    source_tables(scene).map(|table| source(&table)).collect()
}

fn source_tables(scene: &Scene) -> impl Iterator<Item = NamedTable<'_>> {
    let document = &scene.document;
    document.tables("source").into_iter().map(move |path| NamedTable { document, path })
}

fn source<const D: usize>(table: &NamedTable<'_>) -> Result<Source<[f32; D]>, SceneError> {
    let usual = Source::<[f32; D]>::default();
    Ok(Source {
        name: table.name().to_string(),
        min: table.needed("min", "its lowest corner")?,
        max: table.needed("max", "its highest corner")?,
        rate: table.narrow("rate", usual.rate),
        count: table.whole("count"),
        from: table.number("from").unwrap_or(usual.from),
        until: table.number("until").unwrap_or(usual.until),
        species: table.species()?.unwrap_or(usual.species),
        velocity: table.point("velocity").unwrap_or(usual.velocity),
    })
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
