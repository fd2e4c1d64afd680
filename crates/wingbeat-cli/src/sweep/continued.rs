//! `--continue`: the key along which runs go on from each other.

use wingbeat_scene::{Effect, known_key};

use super::args::SweepArgs;
use super::axis::Axis;
use crate::failure::Failure;
use crate::options::full_name;

/// The column that says which way the values were gone over, where that was both.
pub const DIRECTION: &str = "direction";

/// The key along which runs go on from each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Continued {
    /// Its place among the swept keys.
    pub axis: usize,
    /// Whether the values are gone over a second time, backwards.
    pub there_and_back: bool,
}

impl Continued {
    /// What was asked for, and the swept keys with the direction as the last of them where there
    /// are two.
    pub fn plan(
        args: &SweepArgs,
        mut swept: Vec<Axis>,
    ) -> Result<(Vec<Axis>, Option<Self>), Failure> {
        let Some(key) = &args.continued else { return Ok((swept, None)) };
        let name = full_name(key);
        let refused = |allowed: &str| Failure::value("--continue", key, allowed);
        let axis = swept.iter().position(|axis| axis.key == name);
        let axis =
            axis.ok_or_else(|| refused("a key that --set sweeps over numbers, but not the seed"))?;
        let numbers =
            swept[axis].numbers().ok_or_else(|| refused("a key that is swept over numbers"))?;
        if known_key(&name).is_none_or(|known| known.effect() != Effect::NextStep) {
            return Err(refused(
                "a key that can change while a flock flies (not how many boids, how they start, or \
                    the world's edges)",
            ));
        }
        let rises = |sign: f64| numbers.windows(2).all(|pair| sign * pair[0] < sign * pair[1]);
        if !rises(1.0) && !rises(-1.0) {
            return Err(refused("a key with values that rise from each to the next, or fall"));
        }
        if args.there_and_back {
            let directions = if rises(1.0) { ["up", "down"] } else { ["down", "up"] };
            swept.push(Axis::beside(DIRECTION, &directions));
        }
        Ok((swept, Some(Self { axis, there_and_back: args.there_and_back })))
    }

    /// What the results depend on beside a run's own values.
    pub fn about(&self, swept: &[Axis], conditions: &[String]) -> String {
        let axis = &swept[self.axis];
        let way = if self.there_and_back { " and back" } else { "" };
        // Which values of it a chain has depends on what is left out.
        let left_out: String =
            conditions.iter().map(|condition| format!(" where {condition}")).collect();
        format!("{}={}{way}{left_out}", axis.key, axis.values.join(","))
    }
}
