//! The distribution of speeds.

use super::histogram::Histogram;
use super::{Accumulate, CurveInput, CurveSettings, CurveTable};
use crate::Wanted;

#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(super) struct Speeds(Histogram);

impl Accumulate for Speeds {
    fn add<const D: usize>(&mut self, now: &CurveInput<'_, D>) {
        now.state
            .each(Wanted::MEAN_SPEED, None)
            .speeds
            .into_iter()
            .filter(|speed| speed.is_finite())
            .for_each(|speed| self.0.add(speed));
    }

    fn table(&self, _: &CurveSettings) -> CurveTable {
        let heads =
            [("speed", "length/time"), ("probability_density", "time/length"), ("count", "")];
        let rows: Vec<_> =
            self.0.bins().iter().map(|bin| [bin.middle, bin.density, bin.count as f64]).collect();
        CurveTable::of(1, heads, &rows)
    }
}
