//! Many spheres at random places: `[obstacle.NAME] kind = "scatter"`.

use std::f64::consts::TAU;

use wingbeat::Domain;
use wingbeat::steer::obstacle::{AtEnds, Range};
use wingbeat::steer::{Obstacle, ObstacleMotion, ObstacleShape, noise};

use super::named_table::NamedTable;
use crate::SceneError;
use crate::keys::ScatterKeys;

/// Adds the spheres to the list. Each depends on the seed and its own number only, so that a larger
/// count keeps those of a smaller one and adds others.
pub(super) fn scatter<const D: usize>(
    table: &NamedTable<'_>,
    domain: &Domain<[f32; D]>,
    seed: u64,
    list: &mut Vec<Obstacle<[f32; D]>>,
) -> Result<(), SceneError> {
    let keys = table.read(ScatterKeys::<[f32; D]>::default());
    let (min, max) = table.region(keys.min, keys.max, domain)?;
    let seed = keys.seed.unwrap_or(seed);
    // Sizes are drawn uniformly between two keys; the upper one is the lower where it is left out.
    let range = |(key, low): (_, f32), (most, high): (_, Option<f32>)| {
        let high = high.unwrap_or(low);
        let allowed = || format!("at least {} = {low}", table.key(key));
        if high < low { Err(table.refuse(most, &allowed())) } else { Ok([low, high]) }
    };
    let radius = range(("radius", keys.radius), ("radius_max", keys.radius_max))?;
    let speed = range(("speed", keys.speed), ("speed_max", keys.speed_max))?;
    let is_domain = domain.is_periodic() && min == domain.min && max == domain.max;
    let ends = keys.ends.unwrap_or(if is_domain { AtEnds::Wrap } else { AtEnds::TurnBack });
    for i in 0..count(table, domain)? {
        let draw = |stream| f64::from(noise::uniform(seed, i, 0, stream));
        let within = |low: f32, high: f32, part: f64| {
            (f64::from(low) + (f64::from(high) - f64::from(low)) * part) as f32
        };
        let center = std::array::from_fn(|a| within(min[a], max[a], draw(a as u32)));
        let heading = direction::<D>(draw(3), draw(4));
        let speed = within(speed[0], speed[1], draw(5));
        let motion = if speed > 0.0 {
            let velocity = heading.map(|part| (part * f64::from(speed)) as f32);
            ObstacleMotion::Line { velocity, range: Some(Range { min, max, ends }) }
        } else {
            ObstacleMotion::Static
        };
        let shape = ObstacleShape::Sphere { center, radius: within(radius[0], radius[1], draw(6)) };
        list.push(Obstacle { name: format!("{}-{i}", table.name()), shape, motion });
    }
    Ok(())
}

/// How many: the count given, or one per spacing^D of the box.
pub(super) fn count<const D: usize>(
    table: &NamedTable<'_>,
    domain: &Domain<[f32; D]>,
) -> Result<u64, SceneError> {
    let keys = table.read(ScatterKeys::<[f32; D]>::default());
    let (min, max) = table.region(keys.min, keys.max, domain)?;
    match (keys.count, keys.spacing) {
        (Some(_), Some(_)) => {
            Err(table.refuse("spacing", &format!("left out where {} is given", table.key("count"))))
        }
        (None, None) => Err(table.refuse(
            "count",
            &format!("a whole number, 1 to 1000000 (or {})", table.key("spacing")),
        )),
        (Some(count), None) => Ok(count),
        (None, Some(spacing)) => {
            let room = (0..D)
                .fold(1.0, |room, a| room * ((f64::from(max[a]) - f64::from(min[a])) / spacing));
            if room > 1e6 {
                return Err(table.refuse(
                    "spacing",
                    &format!("what leaves at most 1000000 of them (these are {room:.2e})"),
                ));
            }
            Ok((room + 0.5) as u64)
        }
    }
}

/// A unit vector, uniform over all directions.
fn direction<const D: usize>(turn: f64, height: f64) -> [f64; D] {
    let (sin, cos) = libm::sincos(turn * TAU);
    if D == 2 {
        return std::array::from_fn(|a| [cos, sin][a]);
    }
    let z = 2.0 * height - 1.0;
    let flat = libm::sqrt(1.0 - z * z);
    std::array::from_fn(|a| [cos * flat, sin * flat, z][a])
}
