//! The distribution of turning rates.

use super::histogram::Histogram;
use super::past::Moment;
use super::{Accumulate, CurveInput, CurveSettings, CurveTable};
use crate::turn;

#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(super) struct Turning(Histogram);

impl Accumulate for Turning {
    fn add<const D: usize>(&mut self, now: &CurveInput<'_, D>) {
        let time = now.settings.time_of(1);
        let here = now.past.now();
        let before = now.past.each_lag(now.settings.stride, 1).find(|(lag, _)| *lag == 1);
        for (there, place) in before.map(|(_, then)| then.matches(here)).unwrap_or_default() {
            let then =
                before.map(|(_, then)| Moment::row(&then.velocities, there)).unwrap_or_default();
            if let Some(angle) = turn(then, Moment::row(&here.velocities, place), D) {
                self.0.add(angle / time);
            }
        }
    }

    fn table(&self, _: &CurveSettings) -> CurveTable {
        let heads = [("turning_rate", "1/time"), ("probability_density", "time"), ("count", "")];
        let rows: Vec<_> =
            self.0.bins().iter().map(|bin| [bin.middle, bin.density, bin.count as f64]).collect();
        CurveTable::of(1, heads, &rows)
    }
}
