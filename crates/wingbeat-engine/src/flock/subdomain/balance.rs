//! Load balance: from time to time cuts move to where every subdomain has equal work.
//!
//! What rows cost is measured: boids times those that are near enough to be looked at, and what a
//! boid costs beside. Cuts change which rank steers which boids, and so how long a step takes, but
//! not one bit of it.

use std::collections::BTreeMap;

use crate::flock::subdomain::partition::Cuts;
use crate::flock::subdomain::{Subdomain, SubdomainError, Transport, start};

/// Steps from one look at how even work is to the next: the first, the fewest and the most. Looks
/// come four times as often after one that found work uneven, and a little less often after one
/// that did not.
pub(super) const FIRST: u64 = 32;
const FEWEST: u64 = 4;
const MOST: u64 = 512;

/// Cuts stay where no subdomain has more to do than this, in parts of the mean.
const EVEN: f64 = 1.1;

/// What a boid costs beside looking at others, in those: sorting, deciding, moving.
const BESIDE: u64 = 60;

/// Every so many boids of a part are asked how many others they look at.
const SAMPLED: usize = 16;

/// What each row of own boids costs, by layer and row.
pub(super) type RowCosts = BTreeMap<(i32, i32), u64>;

impl<const D: usize> Subdomain<D> {
    /// Whether it is time to look at how even work is.
    pub(super) fn is_weighed(&self) -> bool {
        self.flock.state.step >= self.weighed.0 + self.weighed.1
    }

    /// What each row of own boids costs, as they are sorted.
    pub(super) fn costs_of_rows(&self) -> RowCosts {
        let (grid, columns) = (&self.flock.workspace.grid, &self.flock.state.boids.front);
        let (mut rows, mut runs) = (RowCosts::new(), Vec::new());
        for own in self.flock.state.boids.own() {
            let (mut near, mut row, mut cost) = (0, self.row_of(own.start), 0);
            for slot in own.clone() {
                if (slot - own.start).is_multiple_of(SAMPLED) {
                    let position = columns.position(slot);
                    grid.search(columns, &position, &position, &mut runs);
                    near = runs.iter().map(|run| u64::from(run.end - run.first)).sum();
                }
                let here = self.row_of(slot);
                if here != row {
                    *rows.entry(row).or_default() += std::mem::take(&mut cost);
                    row = here;
                }
                cost += BESIDE + near;
            }
            *rows.entry(row).or_default() += cost;
        }
        rows
    }

    /// Moves the cuts where work is uneven. Boids go to where they belong with the next step.
    pub(super) fn even_out(
        &mut self,
        costs: &RowCosts,
        peers: &mut dyn Transport,
    ) -> Result<(), SubdomainError> {
        let mine: u64 = costs.values().sum();
        let all = peers.all(&[mine as u32, (mine >> 32) as u32])?;
        let costs_of_parts = all
            .iter()
            .filter_map(|words| words.first_chunk())
            .map(|&[low, high]| u64::from(low) | u64::from(high) << 32);
        self.imbalance = most_over_mean(costs_of_parts);
        let (is_even, (_, every)) = (self.imbalance <= EVEN, self.weighed);
        self.weighed = (
            self.flock.state.step,
            if is_even { (every + every / 4 + 1).min(MOST) } else { (every / 4).max(FEWEST) },
        );
        if is_even {
            return Ok(());
        }
        let words: Vec<u32> =
            costs.iter().flat_map(|(&(z, y), &cost)| start::row_words(z, y, cost)).collect();
        let rows = start::costs(&peers.all(&words)?);
        let cuts = Cuts::new(&rows, peers.size());
        if cuts != self.cuts {
            let mut costs = vec![0; peers.size()];
            rows.iter().for_each(|row| costs[cuts.owner(row.z, row.y)] += row.cost);
            self.evened = most_over_mean(costs);
            self.cuts = cuts;
            self.rows = self.cuts.rows(peers.rank());
            self.moved_cuts += 1;
        }
        Ok(())
    }

    /// How uneven work was when it was last looked at: what the part with most of it had to do, in
    /// parts of the mean. 1 at best; the same on every part.
    pub fn imbalance(&self) -> f64 {
        self.imbalance
    }

    /// The same as it was right after cuts were moved last.
    pub fn evened(&self) -> f64 {
        self.evened
    }

    /// How often the cuts between parts have been moved.
    pub fn moved_cuts(&self) -> u64 {
        self.moved_cuts
    }
}

fn most_over_mean(costs: impl IntoIterator<Item = u64>) -> f64 {
    let (mut parts, mut total, mut most) = (0u32, 0u64, 0);
    for cost in costs {
        (parts, total, most) = (parts + 1, total + cost, most.max(cost));
    }
    if total == 0 { 1.0 } else { most as f64 * f64::from(parts) / total as f64 }
}
