//! Leaders and followers, by delays of their headings.

use std::collections::HashSet;

use wingbeat::measuring::vectors::unit;

use super::past::Moment;
use super::{Accumulate, CurveInput, CurveSettings, CurveTable};
use crate::mix;

/// Individuals that are compared, about: of more in the first moment, so many are chosen at random
/// by their ids.
const COMPARED: usize = 128;

/// Sums of hᵢ(t)·hⱼ(t + τ) and how many there were, by lag, i and j.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(super) struct Delays {
    /// In the order in which they came.
    ids: Vec<u64>,
    /// Whose twice mixed id is above this is not compared. Unknown before the first moment with
    /// an individual in it.
    highest: Option<u64>,
    products: Vec<f64>,
    counts: Vec<u32>,
}

impl Delays {
    /// Takes in newcomers while there is room.
    fn meet(&mut self, ids: &[u64], lags: usize) {
        if ids.is_empty() {
            return;
        }
        let is_first = self.highest.is_none();
        let part = u128::from(u64::MAX) * COMPARED as u128 / ids.len() as u128;
        let highest = *self.highest.get_or_insert(u64::try_from(part).unwrap_or(u64::MAX));
        let known: HashSet<u64> = self.ids.iter().copied().collect();
        // Mixed otherwise than where the followed are drawn: else the first would be those with
        // the lowest.
        let new = ids.iter().copied().filter(|id| !known.contains(id) && mix(mix(*id)) <= highest);
        let room = if is_first { usize::MAX } else { COMPARED.saturating_sub(known.len()) };
        let new: Vec<u64> = new.take(room).collect();
        if new.is_empty() {
            return;
        }
        let was = self.ids.len();
        self.ids.extend(new);
        let count = self.ids.len();
        let size = count * count * (lags + 1);
        let (products, counts) = (
            std::mem::replace(&mut self.products, vec![0.0; size]),
            std::mem::replace(&mut self.counts, vec![0; size]),
        );
        for row in 0..was * (lags + 1) {
            let (lag, i) = (row / was, row % was);
            let (from, to) = (row * was, (lag * count + i) * count);
            self.products[to..to + was].copy_from_slice(&products[from..from + was]);
            self.counts[to..to + was].copy_from_slice(&counts[from..from + was]);
        }
    }

    /// Headings of those that are compared, by their place among them; zeros for an absent one,
    /// rests or has no known velocity.
    fn headings(&self, moment: &Moment) -> Vec<[f64; 3]> {
        let heading = |id: &u64| {
            let found = moment.ids.binary_search(id).ok();
            let velocity = found.map_or([0.0; 3], |place| Moment::row(&moment.velocities, place));
            if velocity.iter().any(|c| c.is_nan()) { [0.0; 3] } else { unit(velocity) }
        };
        self.ids.iter().map(heading).collect()
    }
}

impl Accumulate for Delays {
    fn add<const D: usize>(&mut self, now: &CurveInput<'_, D>) {
        let here = now.past.now();
        self.meet(&here.ids, now.settings.lags);
        let count = self.ids.len();
        let ahead = self.headings(here);
        for (lag, then) in now.past.each_lag(now.settings.stride, now.settings.lags) {
            let before = self.headings(then);
            for (i, from) in before.iter().enumerate().filter(|(_, from)| **from != [0.0; 3]) {
                let first = (lag * count + i) * count;
                let (products, counts) = (
                    &mut self.products[first..first + count],
                    &mut self.counts[first..first + count],
                );
                for ((to, product), counted) in ahead.iter().zip(products).zip(counts) {
                    *product += from[0] * to[0] + from[1] * to[1] + from[2] * to[2];
                    *counted += u32::from(*to != [0.0; 3]);
                }
            }
        }
    }

    fn table(&self, settings: &CurveSettings) -> CurveTable {
        let heads = [
            ("leader", ""),
            ("follower", ""),
            ("delay", "time"),
            ("correlation", ""),
            ("correlation_at_once", ""),
            ("samples", ""),
        ];
        let count = self.ids.len();
        let mut by_id: Vec<usize> = (0..count).collect();
        by_id.sort_unstable_by_key(|&place| self.ids[place]);
        let mut rows = Vec::new();
        for (turn, &i) in by_id.iter().enumerate() {
            for &j in &by_id[turn + 1..] {
                let at = |lag: usize, from: usize, to: usize| (lag * count + from) * count + to;
                let most = self.counts[at(0, i, j)];
                // Of either direction, the shorter delay first: j follows i, or i follows j.
                let mut best: Option<(f64, usize, bool)> = None;
                for (lag, is_forward) in
                    (0..=settings.lags).flat_map(|lag| [(lag, true), (lag, false)])
                {
                    let place = if is_forward { at(lag, i, j) } else { at(lag, j, i) };
                    // Of few moments any delay may come out.
                    if self.counts[place] == 0 || self.counts[place] < most / 2 {
                        continue;
                    }
                    let correlation = self.products[place] / f64::from(self.counts[place]);
                    if best.is_none_or(|(so_far, ..)| correlation > so_far) {
                        best = Some((correlation, lag, is_forward));
                    }
                }
                let Some((correlation, lag, is_forward)) = best.filter(|_| most > 0) else {
                    continue;
                };
                let (leader, follower) = if is_forward { (i, j) } else { (j, i) };
                let [leader, follower] = [leader, follower].map(|place| self.ids[place] as f64);
                let at_once = self.products[at(0, i, j)] / f64::from(most);
                rows.push([
                    leader,
                    follower,
                    settings.time_of(lag),
                    correlation,
                    at_once,
                    f64::from(most),
                ]);
            }
        }
        CurveTable::of(2, heads, &rows)
    }
}
