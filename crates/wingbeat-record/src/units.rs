//! Units that files state, and what becomes of them: lengths are converted to meters, times to seconds; pixels stay pixels.

use std::fmt;

use crate::recording::Options;
use crate::rows::Rows;

/// A unit of length that a file states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LengthUnit {
    /// 1 m.
    Meter,
    /// 0.01 m: read, and converted to meters.
    Centimeter,
    /// 0.001 m: read, and converted to meters.
    Millimeter,
    /// 1000 m: read, and converted to meters.
    Kilometer,
    /// A pixel of the camera: nobody knows how long without `--scale`.
    Pixel,
}

impl LengthUnit {
    /// The unit of this name or symbol, in any case of letters.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        Some(match text.trim().to_ascii_lowercase().as_str() {
            "m" | "meter" | "meters" | "metre" | "metres" => Self::Meter,
            "cm" | "centimeter" | "centimeters" | "centimetre" | "centimetres" => Self::Centimeter,
            "mm" | "millimeter" | "millimeters" | "millimetre" | "millimetres" => Self::Millimeter,
            "km" | "kilometer" | "kilometers" | "kilometre" | "kilometres" => Self::Kilometer,
            "px" | "pixel" | "pixels" => Self::Pixel,
            _ => return None,
        })
    }

    /// How many meters one has.
    fn meters(self) -> Option<f64> {
        match self {
            Self::Meter => Some(1.0),
            Self::Centimeter => Some(0.01),
            Self::Millimeter => Some(0.001),
            Self::Kilometer => Some(1000.0),
            Self::Pixel => None,
        }
    }
}

impl fmt::Display for LengthUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Meter => "m",
            Self::Centimeter => "cm",
            Self::Millimeter => "mm",
            Self::Kilometer => "km",
            Self::Pixel => "px",
        })
    }
}

/// What times of a recording count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimeUnit {
    /// Seconds: the file or the user states a frame rate.
    Second,
    /// Frames: nobody states a frame rate.
    #[default]
    Frame,
}

impl fmt::Display for TimeUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if *self == Self::Second { "s" } else { "frame" })
    }
}

/// How many seconds the unit of time of this name or symbol has.
pub(crate) fn seconds(text: &str) -> Option<f64> {
    Some(match text.trim().to_ascii_lowercase().as_str() {
        "s" | "sec" | "secs" | "second" | "seconds" => 1.0,
        "ms" | "msec" | "millisecond" | "milliseconds" => 0.001,
        "min" | "mins" | "minute" | "minutes" => 60.0,
        "h" | "hour" | "hours" => 3600.0,
        _ => return None,
    })
}

/// What coordinates are multiplied by, axis by axis, and the unit that makes of them. The one place where a unit, `scale` and `y_down`
/// meet: a unit that the file states is converted to meters, and `scale` replaces that conversion.
pub(crate) fn settle(rows: &mut Rows, options: &Options) -> ([f64; 3], Option<LengthUnit>) {
    let meters = rows.unit.and_then(LengthUnit::meters);
    let factor = options.scale.or(meters).unwrap_or(1.0);
    let unit = match (options.scale, rows.unit) {
        (None, Some(LengthUnit::Pixel)) => {
            rows.notes.push("lengths are pixels: --scale makes other units of them, --y-down turns y upwards".into());
            Some(LengthUnit::Pixel)
        }
        (None, Some(unit)) => {
            if unit != LengthUnit::Meter {
                rows.notes.push(format!("lengths are {unit}, as the file says: converted to m (--scale replaces this)"));
            }
            Some(LengthUnit::Meter)
        }
        (Some(scale), Some(unit)) => {
            let is_meters = meters == Some(scale);
            if !is_meters {
                rows.notes.push(format!("lengths are {unit}, as the file says: multiplied by {scale} instead of converted to m"));
            }
            is_meters.then_some(LengthUnit::Meter)
        }
        (_, None) => None,
    };
    if options.y_down {
        rows.notes.push("y points downwards in the file: its sign is changed, of positions and velocities".into());
    }
    ([factor, if options.y_down { -factor } else { factor }, factor], unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_known_by_name_and_symbol() {
        for (text, wanted) in [(" cm", "cm"), ("Metres", "m"), ("PX", "px"), ("millimeter", "mm"), ("km", "km")] {
            assert_eq!(LengthUnit::parse(text).map(|unit| unit.to_string()), Some(wanted.to_string()), "{text}");
        }
        for text in ["", "c", "mms", "s", "cm/s", "BL"] {
            assert_eq!(LengthUnit::parse(text), None, "{text}");
        }
        assert_eq!(["ms", "Seconds", "min", "m", "d"].map(seconds), [Some(0.001), Some(1.0), Some(60.0), None, None]);
    }
}
