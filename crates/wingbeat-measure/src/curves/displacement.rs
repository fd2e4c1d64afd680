//! Mean squared displacement.

use super::past::Moment;
use super::{Accumulate, CurveInput, CurveSettings, CurveTable};

/// Sums by lag.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(super) struct Displacements(Vec<[f64; 2]>);

impl Accumulate for Displacements {
    fn add<const D: usize>(&mut self, now: &CurveInput<'_, D>) {
        self.0.resize(now.settings.lags + 1, [0.0; 2]);
        let here = now.past.now();
        for (lag, then) in now.past.each_lag(now.settings.stride, now.settings.lags) {
            let [squares, count] = then.sums(here, |there, place| {
                if !here.knows_since(place, then) {
                    return [0.0; 2];
                }
                let (from, to) =
                    (Moment::row(&then.positions, there), Moment::row(&here.positions, place));
                let way: [f64; 3] = std::array::from_fn(|a| to[a] - from[a]);
                [way[0] * way[0] + way[1] * way[1] + way[2] * way[2], 1.0]
            });
            self.0[lag][0] += squares;
            self.0[lag][1] += count;
        }
    }

    fn table(&self, settings: &CurveSettings) -> CurveTable {
        let heads =
            [("lag", "time"), ("mean_squared_displacement", "length\u{b2}"), ("samples", "")];
        let found = self.0.iter().enumerate().filter(|(_, [_, count])| *count > 0.0);
        let rows: Vec<_> =
            found.map(|(lag, [sum, count])| [settings.time_of(lag), sum / count, *count]).collect();
        CurveTable::of(1, heads, &rows)
    }
}
