//! `--continue`: runs that go on from each other along one key.

use std::collections::BTreeMap;

use wingbeat_scene::{Effect, known_key};

use super::args::SweepArgs;
use super::axes::{Axes, Axis};
use crate::failure::Failure;
use crate::options::full_name;

/// The column that says which way the values were gone over, where that was both.
pub const DIRECTION: &str = "direction";

/// The key along which runs go on from each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Continued {
    /// Its place among the swept keys.
    axis: usize,
    /// Whether the values are gone over a second time, backwards.
    there_and_back: bool,
}

impl Continued {
    /// What was asked for, and the swept keys with the direction as the last of them where there are two.
    pub fn plan(args: &SweepArgs, mut swept: Vec<Axis>) -> Result<(Vec<Axis>, Option<Self>), Failure> {
        let Some(key) = &args.continued else { return Ok((swept, None)) };
        let name = full_name(key);
        let refused = |allowed: &str| Failure::value("--continue", key, allowed);
        let axis = swept.iter().position(|axis| axis.key == name);
        let axis = axis.ok_or_else(|| refused("a key that --set sweeps over numbers, but not the seed"))?;
        let numbers = swept[axis].numbers().ok_or_else(|| refused("a key that is swept over numbers"))?;
        if known_key(&name).is_none_or(|known| known.effect() != Effect::NextStep) {
            return Err(refused(
                "a key that can change while a flock flies (not how many boids, how they start, or the world's edges)",
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
    pub fn about(&self, axes: &Axes, conditions: &[String]) -> String {
        let axis = &axes.swept[self.axis];
        let way = if self.there_and_back { " and back" } else { "" };
        // Which values of it a chain has depends on what is left out.
        let left_out: String = conditions.iter().map(|condition| format!(" where {condition}")).collect();
        format!("{}={}{way}{left_out}", axis.key, axis.values.join(","))
    }
}

/// A run of a chain: which way and how far along it is, and then its number.
type Link = ((usize, usize), usize);

impl Axes {
    /// All runs, as numbers combination · seeds + seed: each list is made one after the other, each run from the last state of the one
    /// before it. Lists do not depend on each other.
    pub fn chains(&self) -> Vec<Vec<usize>> {
        let seeds = self.seed_count();
        let Some(Continued { axis, there_and_back }) = self.continued else {
            return (0..self.combinations * seeds).map(|run| vec![run]).collect();
        };
        // By the places of the other values and of the seed.
        let mut chains: BTreeMap<(Vec<usize>, usize), Vec<Link>> = BTreeMap::new();
        for combination in 0..self.combinations {
            let mut places = self.places(combination);
            let way = if there_and_back { places.pop().unwrap_or(0) } else { 0 };
            let place = std::mem::take(&mut places[axis]);
            // The way back begins where the way there ends.
            let order = if way == 0 { place } else { usize::MAX - place };
            for seed in 0..seeds {
                chains.entry((places.clone(), seed)).or_default().push(((way, order), combination * seeds + seed));
            }
        }
        let sorted = |mut chain: Vec<Link>| {
            chain.sort_unstable();
            chain.into_iter().map(|(_, run)| run).collect()
        };
        chains.into_values().map(sorted).collect()
    }
}
