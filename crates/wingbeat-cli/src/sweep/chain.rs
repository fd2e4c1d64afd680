//! Which runs are made one after the other.

use std::collections::BTreeMap;

use super::axes::Axes;
use super::continued::Continued;

/// A run of a chain: which way and how far along it is, and then its number.
type Link = ((usize, usize), usize);

impl Axes {
    /// All runs, as numbers combination · seeds + seed: each list is made one after the other, each
    /// run from the last state of the one before it. Lists do not depend on each other.
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
                chains
                    .entry((places.clone(), seed))
                    .or_default()
                    .push(((way, order), combination * seeds + seed));
            }
        }
        let sorted = |mut chain: Vec<Link>| {
            chain.sort_unstable();
            chain.into_iter().map(|(_, run)| run).collect()
        };
        chains.into_values().map(sorted).collect()
    }
}
