//! Velocity autocorrelation.

use super::past::Moment;
use super::{Accumulate, CurveInput, CurveSettings, CurveTable};

/// Sums by lag: of v(t)·v(t + τ), of v(t)·v(t), and how many.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(super) struct Autocorrelation(Vec<[f64; 3]>);

impl Accumulate for Autocorrelation {
    fn add<const D: usize>(&mut self, now: &CurveInput<'_, D>) {
        self.0.resize(now.settings.lags + 1, [0.0; 3]);
        let here = now.past.now();
        for (lag, then) in now.past.each_lag(now.settings.stride, now.settings.lags) {
            let found = then.sums(here, |there, place| {
                let (from, to) =
                    (Moment::row(&then.velocities, there), Moment::row(&here.velocities, place));
                let product = from[0] * to[0] + from[1] * to[1] + from[2] * to[2];
                // One of them is not known.
                if product.is_nan() {
                    [0.0; 3]
                } else {
                    [product, from[0] * from[0] + from[1] * from[1] + from[2] * from[2], 1.0]
                }
            });
            for (sum, found) in self.0[lag].iter_mut().zip(found) {
                *sum += found;
            }
        }
    }

    fn table(&self, settings: &CurveSettings) -> CurveTable {
        let heads = [("lag", "time"), ("velocity_autocorrelation", ""), ("samples", "")];
        let found = self.0.iter().enumerate().filter(|(_, [_, squares, _])| *squares > 0.0);
        let row = |(lag, [products, squares, count]): (usize, &[f64; 3])| {
            [settings.time_of(lag), products / squares, *count]
        };
        CurveTable::of(1, heads, &found.map(row).collect::<Vec<_>>())
    }
}
