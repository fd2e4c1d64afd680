//! From a file's units and world coordinates to boids in the scene's coordinates.

use wingbeat::{Boid, Domain};
use wingbeat_codec::{Unaccepted, admit_states, scale_states};

use super::raw::{POSITION, RawState, State, VELOCITY};
use crate::SceneError;
use crate::keys::InitialKeys;
use crate::number::plain;
use crate::scene::Scene;

/// Scales, moves, wraps and narrows what was read; every refusal names the row and the column.
pub(crate) fn convert<const D: usize>(
    scene: &Scene,
    mut raw: RawState<D>,
    domain: &Domain<[f32; D]>,
    origin: [f64; D],
) -> Result<State<D>, SceneError> {
    let mut notes = std::mem::take(&mut raw.notes);
    distinct_ids(&raw)?;
    let document = &scene.document;
    if let Some(boids) = scene.boids()
        && boids != raw.positions.len()
    {
        notes.push(format!(
            "{}: {} boids, in place of flock.boids = {boids}",
            raw.path,
            raw.positions.len()
        ));
    }
    if raw.species.is_none() && !scene.params().species.is_empty() {
        notes.push(format!(
            "{}: names no species: boids have those of the scene, by its counts",
            raw.path
        ));
    }
    let InitialKeys { scale, time_scale, center: target, .. } =
        document.read("initial", InitialKeys::<[f64; D]>::default());
    if scale != 1.0 || time_scale != 1.0 {
        let speed = plain(scale / time_scale);
        notes.push(format!(
            "{}: lengths were multiplied by {}, velocities by {speed}",
            raw.path,
            plain(scale)
        ));
    }
    scale_states(&mut raw.positions, &mut raw.velocities, [scale, time_scale], origin);
    // The middle of the file may be to lie in that of the domain.
    let middle = (document.flag("initial.center") == Some(true)).then(|| {
        std::array::from_fn(|a| (f64::from(domain.min[a]) + f64::from(domain.max[a])) * 0.5)
    });
    if let Some(target) = middle.or(target) {
        let shift = center(&mut raw.positions, target);
        notes.push(format!(
            "{}: moved by {} so that its middle lies at {}",
            raw.path,
            shown(shift),
            shown(target)
        ));
    }
    let (boids, wrapped) = admit(&raw, domain, origin)?;
    if wrapped > 0 {
        notes.push(format!(
            "{}: {wrapped} boids outside the periodic box were wrapped into it",
            raw.path
        ));
    }
    Ok(State { boids, species: raw.species, notes })
}

/// Moves the middle of the bounding box to `target`; tells by how much.
fn center<const D: usize>(positions: &mut [[f64; D]], target: [f64; D]) -> [f64; D] {
    let (mut low, mut high) = ([f64::INFINITY; D], [f64::NEG_INFINITY; D]);
    for position in positions.iter() {
        for a in 0..D {
            low[a] = if position[a] < low[a] { position[a] } else { low[a] };
            high[a] = if position[a] > high[a] { position[a] } else { high[a] };
        }
    }
    if positions.is_empty() {
        return [0.0; D];
    }
    let shift: [f64; D] = std::array::from_fn(|a| target[a] - (low[a] + (high[a] - low[a]) * 0.5));
    for position in positions {
        *position = std::array::from_fn(|a| position[a] + shift[a]);
    }
    shift
}

fn shown<const D: usize>(point: [f64; D]) -> String {
    format!("[{}]", point.map(plain).join(", "))
}

fn distinct_ids<const D: usize>(raw: &RawState<D>) -> Result<(), SceneError> {
    let Some(ids) = &raw.ids else { return Ok(()) };
    let mut sorted: Vec<(u64, usize)> = ids.iter().copied().zip(0..).collect();
    sorted.sort_unstable();
    match sorted.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        Some(pair) => {
            let message = format!(
                "column id = {} was given before, at {}: allowed is each id once",
                pair[1].0,
                raw.place(pair[0].1)
            );
            Err(SceneError::data(raw.place(pair[1].1), message))
        }
        None => Ok(()),
    }
}

/// Boids inside the domain, and how many had to be wrapped into it.
fn admit<const D: usize>(
    raw: &RawState<D>,
    domain: &Domain<[f32; D]>,
    origin: [f64; D],
) -> Result<(Vec<Boid<D>>, usize), SceneError> {
    let refuse = |row: usize, column: &str, value: f64, allowed: String| {
        SceneError::data(
            raw.place(row),
            format!("column {column} = {}: allowed is {allowed}", plain(value)),
        )
    };
    let admitted = admit_states(&raw.positions, &raw.velocities, raw.ids.as_deref(), domain);
    admitted.map_err(|unaccepted| match unaccepted {
        Unaccepted::Velocity(row, a) => {
            refuse(row, VELOCITY[a], raw.velocities[row][a], "-1e12 to 1e12".into())
        }
        Unaccepted::Position(row, a) => {
            refuse(row, POSITION[a], raw.positions[row][a], "-1e30 to 1e30".into())
        }
        Unaccepted::Outside(row, a) => {
            let allowed = format!(
                "{} to {}, the domain's box",
                plain(f64::from(domain.min[a]) + origin[a]),
                plain(f64::from(domain.max[a]) + origin[a])
            );
            refuse(row, POSITION[a], raw.positions[row][a] + origin[a], allowed)
        }
    })
}
