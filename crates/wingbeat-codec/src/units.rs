//! Units that files state, and what becomes of them: lengths are converted to meters, times to
//! seconds; pixels stay pixels.

use std::fmt;

/// A unit of length that a file or a scene states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(target_family = "wasm"), derive(serde::Serialize, serde::Deserialize))]
pub enum LengthUnit {
    /// 1 m.
    Meter,
    /// 0.01 m: tables that state it are converted to meters.
    Centimeter,
    /// 0.001 m: tables that state it are converted to meters.
    Millimeter,
    /// 1000 m: tables that state it are converted to meters.
    Kilometer,
    /// A pixel of the camera: of unknown length without `--scale`.
    Pixel,
    /// The length of an animal's body.
    BodyLength,
}

impl LengthUnit {
    /// What units are called, as [`Display`](fmt::Display) writes them.
    pub const SYMBOLS: &'static [&'static str] = &["m", "cm", "mm", "km", "px", "bl"];

    /// The unit of this name or symbol, in any case of letters.
    ///
    /// ```
    /// use wingbeat_record::LengthUnit;
    /// assert_eq!(LengthUnit::parse("Meters"), Some(LengthUnit::Meter));
    /// assert_eq!(LengthUnit::parse("BL").map(|unit| unit.to_string()).as_deref(), Some("bl"));
    /// assert_eq!(LengthUnit::parse("ells"), None);
    /// ```
    pub fn parse(text: &str) -> Option<Self> {
        Some(match text.trim().to_ascii_lowercase().as_str() {
            "m" | "meter" | "meters" | "metre" | "metres" => Self::Meter,
            "cm" | "centimeter" | "centimeters" | "centimetre" | "centimetres" => Self::Centimeter,
            "mm" | "millimeter" | "millimeters" | "millimetre" | "millimetres" => Self::Millimeter,
            "km" | "kilometer" | "kilometers" | "kilometre" | "kilometres" => Self::Kilometer,
            "px" | "pixel" | "pixels" => Self::Pixel,
            "bl" | "body length" | "body lengths" | "body_length" => Self::BodyLength,
            _ => return None,
        })
    }

    /// How many meters one has; `None` of those whose length is not known.
    pub fn meters(self) -> Option<f64> {
        match self {
            Self::Meter => Some(1.0),
            Self::Centimeter => Some(0.01),
            Self::Millimeter => Some(0.001),
            Self::Kilometer => Some(1000.0),
            Self::Pixel | Self::BodyLength => None,
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
            Self::BodyLength => "bl",
        })
    }
}

/// What times of a recording count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimeUnit {
    /// Seconds: the file or the user states a frame rate.
    Second,
    /// The unit of time of a recorded scene that does not say it.
    Scene,
    /// Frames: no frame rate is stated.
    #[default]
    Frame,
}

impl fmt::Display for TimeUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Second => "s",
            Self::Scene => "time",
            Self::Frame => "frame",
        })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_are_those_that_are_written() {
        for symbol in LengthUnit::SYMBOLS {
            let unit = LengthUnit::parse(symbol).map(|unit| unit.to_string());
            assert_eq!(unit.as_deref(), Some(*symbol));
        }
    }

    #[test]
    fn units_are_known_by_name_and_symbol() {
        for (text, wanted) in
            [(" cm", "cm"), ("Metres", "m"), ("PX", "px"), ("millimeter", "mm"), ("km", "km")]
        {
            assert_eq!(
                LengthUnit::parse(text).map(|unit| unit.to_string()),
                Some(wanted.to_string()),
                "{text}"
            );
        }
        for text in ["", "c", "mms", "s", "cm/s", "ells"] {
            assert_eq!(LengthUnit::parse(text), None, "{text}");
        }
        assert_eq!(
            ["ms", "Seconds", "min", "m", "d"].map(seconds),
            [Some(0.001), Some(1.0), Some(60.0), None, None]
        );
    }
}
