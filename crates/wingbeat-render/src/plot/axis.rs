//! Where an axis begins and ends, which of its numbers are written, and how.

use std::ops::Range;

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};

use crate::text::Font;

/// An axis with round numbers on it.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    pub low: f64,
    pub high: f64,
    pub ticks: Vec<f64>,
    /// The step between ticks is 1, 2 or 5 times this power of ten.
    power: i32,
}

/// About how many ticks an axis has room for.
pub const TICKS: f64 = 8.0;

impl Axis {
    /// An axis that holds all values, and a part of its length more at either end.
    pub fn over(values: impl Iterator<Item = f64> + Clone, margin: f64) -> Self {
        let (low, high) = extent(values);
        // Numbers all but equal are shown as a flat line, not as rounding errors of f32.
        let least = 1e-6 * if -low > high { -low } else { high };
        let (low, high) = if high - low > least {
            (low, high)
        } else {
            let around = if low == 0.0 { 1.0 } else { 0.5 * low.abs() };
            (low - around, high + around)
        };
        let room = (high - low) * margin;
        Self::between(low - room, high + room)
    }

    /// The same for quantities that have a meaningful zero: it is shown where it is not far.
    pub fn from_zero(values: impl Iterator<Item = f64> + Clone, margin: f64) -> Self {
        let (low, high) = extent(values.clone());
        let near = low > 0.0 && low < 0.4 * high;
        let axis = Self::over(values.chain(near.then_some(0.0)), margin);
        // Whatever has no negative values needs no room below zero.
        if low >= 0.0 && axis.low < 0.0 { Self::between(0.0, axis.high) } else { axis }
    }

    /// An axis that begins and ends exactly there; `low` is below `high`.
    pub fn between(low: f64, high: f64) -> Self {
        Self::with_ticks(low, high, TICKS)
    }

    /// The same with room for about so many ticks, at most the usual number.
    pub fn with_ticks(low: f64, high: f64, ticks: f64) -> Self {
        let rough = (high - low) / ticks;
        let (power, decade) = decade(rough);
        let step = [1.0, 2.0, 5.0]
            .map(|part| part * decade)
            .into_iter()
            .find(|&step| step >= rough * 0.999_999);
        let (step, power) = step.map_or((10.0 * decade, power + 1), |step| (step, power));
        let first = (low / step).ceil();
        let ticks = (0..2 * TICKS as u32)
            .map(|i| (first + f64::from(i)) * step)
            .take_while(|&tick| tick <= high)
            .collect();
        Self { low, high, ticks, power }
    }

    /// Width of its widest number in letters of this height.
    pub fn widest_label(&self, font: &Font, em: f64) -> f64 {
        self.ticks
            .iter()
            .map(|&tick| font.width(&self.label(tick), em))
            .fold(0.0, |a, b| if b > a { b } else { a })
    }

    /// A number at a tick, with as many digits as tell it from the next.
    pub fn label(&self, x: f64) -> String {
        let largest = if -self.low > self.high { -self.low } else { self.high };
        let (magnitude, _) = decade(largest);
        if !(-4..6).contains(&magnitude) {
            let digits = usize::try_from(magnitude - self.power).unwrap_or(0);
            let text = format!("{x:.digits$e}");
            return if x == 0.0 { "0".into() } else { trimmed_power(&text) };
        }
        let text = format!("{x:.*}", usize::try_from(-self.power).unwrap_or(0));
        // Rounding a tick next to zero may leave its sign behind.
        if text.bytes().all(|byte| matches!(byte, b'-' | b'0' | b'.')) {
            text.trim_start_matches('-').into()
        } else {
            text
        }
    }
}

// plotters' own axis of floats chooses ticks in a loop that need not end where they are closer than
// rounding.
impl Ranged for Axis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        let part = (value - self.low) / (self.high - self.low);
        (f64::from(limit.0) + part * f64::from(limit.1 - limit.0)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        self.ticks.clone()
    }

    fn range(&self) -> Range<f64> {
        self.low..self.high
    }
}

impl ValueFormatter<f64> for Axis {
    fn format_ext(&self, value: &f64) -> String {
        self.label(*value)
    }
}

/// 2.50e7 as 2.5e7.
fn trimmed_power(text: &str) -> String {
    match text.split_once('e') {
        Some((digits, power)) if digits.contains('.') => {
            format!("{}e{power}", digits.trim_end_matches('0').trim_end_matches('.'))
        }
        _ => text.into(),
    }
}

/// Lowest and highest; 0 and 0 of nothing.
fn extent(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let low = values.clone().min_by(f64::total_cmp).unwrap_or(0.0);
    (low, values.max_by(f64::total_cmp).unwrap_or(0.0))
}

/// The power of ten at or below a positive number: its exponent and itself, by way of decimals,
/// which need no logarithm.
fn decade(x: f64) -> (i32, f64) {
    let power =
        format!("{x:e}").split_once('e').and_then(|(_, power)| power.parse().ok()).unwrap_or(0);
    (power, format!("1e{power}").parse().unwrap_or(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis) -> Vec<String> {
        axis.ticks.iter().map(|&tick| axis.label(tick)).collect()
    }

    #[test]
    fn round_numbers_are_written_shortly() {
        let axis = Axis::over([0.0, 1.0].into_iter(), 0.0);
        assert_eq!(labels(&axis), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(labels(&Axis::with_ticks(-0.6, 2.6, 2.0)), ["0", "2"]);
        assert_eq!(
            labels(&Axis::over([-3.0, 3.0].into_iter(), 0.0)),
            ["-3", "-2", "-1", "0", "1", "2", "3"]
        );
        assert_eq!(
            labels(&Axis::over([2e7, 4e7].into_iter(), 0.0)),
            ["2e7", "2.5e7", "3e7", "3.5e7", "4e7"]
        );
        assert_eq!(labels(&Axis::over([1e-6, 2e-6].into_iter(), 0.0))[1], "1.2e-6");
        assert_eq!(labels(&Axis::over([100.0, 1000.0].into_iter(), 0.0))[..2], ["200", "400"]);
    }

    #[test]
    fn every_axis_has_ticks_and_all_lie_on_it() {
        for (low, high) in [
            (0.0, 0.0),
            (7.0, 7.0),
            (1e9, 1e9 + 1e-6),
            (0.029_999_999, 0.030_000_001),
            (-1e-300, 1e-300),
            (-1e300, 1e300),
            (-5.0, -4.9),
            (3.0, 3e6),
        ] {
            let axis = Axis::over([low, high].into_iter(), 0.05);
            assert!(axis.low <= low && high <= axis.high, "{axis:?}");
            assert!((2..=12).contains(&axis.ticks.len()), "{axis:?}");
            assert!(
                axis.ticks.iter().all(|tick| (axis.low..=axis.high).contains(tick)),
                "{axis:?}"
            );
            let labels = labels(&axis);
            assert!(labels.windows(2).all(|pair| pair[0] != pair[1]), "{labels:?}");
        }
    }

    #[test]
    fn rounding_errors_are_a_flat_line() {
        let axis = Axis::over([0.029_999_999, 0.030_000_001].into_iter(), 0.05);
        assert!(axis.high - axis.low > 0.02, "{axis:?}");
        let axis = Axis::over([5e5, 5e5 + 10.0].into_iter(), 0.05);
        assert!(axis.high - axis.low < 12.0, "ten meters of a map: {axis:?}");
    }

    #[test]
    fn zero_is_shown_where_it_is_near() {
        let low = |values: [f64; 2]| Axis::from_zero(values.into_iter(), 0.05).low;
        assert_eq!((low([0.1, 1.0]), low([0.0, 1.0])), (0.0, 0.0));
        assert!(low([0.9, 1.0]) > 0.8 && low([-0.5, 1.0]) < -0.5);
    }
}
