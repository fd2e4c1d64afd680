//! Density of neighbors in the frame of an individual.

use wingbeat::measuring::vectors::{dot, unit};

use super::pair_correlation::{centers, pairs};
use super::{Accumulate, CurveInput, CurveSettings, CurveTable};
use crate::tree::{BoxGaps, Node};

/// Cells from the reach behind to the reach ahead.
const CELLS: usize = 40;
/// The diagonal of a square.
const DIAGONAL: f64 = std::f64::consts::SQRT_2;

/// Others by cell, and how many individuals looked.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(super) struct NeighborMap {
    dimensions: usize,
    reach: f64,
    seen: Vec<u64>,
    lookers: u64,
}

/// Cells to the side: from the right to the left in the plane, from the axis outwards in space.
fn aside(dimensions: usize) -> usize {
    if dimensions == 2 { CELLS } else { CELLS / 2 }
}

impl Accumulate for NeighborMap {
    fn add<const D: usize>(&mut self, now: &CurveInput<'_, D>) {
        let (Some(tree), Some(reach)) = (now.tree, now.reach) else { return };
        (self.dimensions, self.reach) = (D, reach);
        self.seen.resize(CELLS * aside(D), 0);
        let heading = |turn: usize| unit(now.state.individuals.velocity(tree.order[turn] as usize));
        // One at rest has no heading, and one whose velocity is unknown has an unknown one.
        let looks = |heading: &[f64; D]| dot(heading, heading) > 0.5;
        let within = DIAGONAL * reach;
        let leaves = centers(tree, BoxGaps::new(&now.state.domain), within, now.number);
        self.lookers +=
            leaves.iter().flat_map(Node::range).filter(|&turn| looks(&heading(turn))).count()
                as u64;
        let to_cell = CELLS as f64 / (2.0 * reach);
        let see = |seen: &mut Vec<u64>, i: usize, _: usize, way: [f64; D], _: f64| {
            let heading = heading(i);
            if !looks(&heading) {
                return;
            }
            seen.resize(CELLS * aside(D), 0);
            let ahead = dot(&way, &heading);
            let beside = if D == 2 {
                heading[0] * way[1] - heading[1] * way[0] + reach
            } else {
                let square = dot(&way, &way) - ahead * ahead;
                if square > 0.0 { square.sqrt() } else { 0.0 }
            };
            let (row, column) = (((ahead + reach) * to_cell).floor(), (beside * to_cell).floor());
            let is_inside =
                (0.0..CELLS as f64).contains(&row) && (0.0..aside(D) as f64).contains(&column);
            if is_inside {
                seen[row as usize * aside(D) + column as usize] += 1;
            }
        };
        let both = |one: Vec<u64>, other: Vec<u64>| match (one.is_empty(), other.is_empty()) {
            (true, _) => other,
            (_, true) => one,
            _ => one.iter().zip(&other).map(|(a, b)| a + b).collect(),
        };
        let seen: Vec<u64> = pairs(now, tree, (&leaves, within), &see, &both);
        self.seen.iter_mut().zip(seen).for_each(|(all, seen)| *all += seen);
    }

    fn table(&self, _: &CurveSettings) -> CurveTable {
        let side = 2.0 * self.reach / CELLS as f64;
        let (across, lookers) = (aside(self.dimensions), self.lookers as f64);
        let is_plane = self.dimensions == 2;
        let row = |(cell, count): (usize, &u64)| {
            let (ahead, column) = ((cell / across) as f64, (cell % across) as f64);
            let (inner, outer) = (column * side, (column + 1.0) * side);
            let size = if is_plane {
                side * side
            } else {
                std::f64::consts::PI * (outer * outer - inner * inner) * side
            };
            let beside =
                if is_plane { inner + side / 2.0 - self.reach } else { inner + side / 2.0 };
            [
                (ahead + 0.5) * side - self.reach,
                beside,
                *count as f64 / (lookers * size),
                *count as f64,
            ]
        };
        let rows: Vec<_> =
            self.seen.iter().enumerate().filter(|_| self.lookers > 0).map(row).collect();
        let (to_side, unit) =
            if is_plane { ("left", "1/length\u{b2}") } else { ("aside", "1/length\u{b3}") };
        CurveTable::of(
            2,
            [("ahead", "length"), (to_side, "length"), ("density", unit), ("count", "")],
            &rows,
        )
    }
}
