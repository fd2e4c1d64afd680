//! An origin that is taken off coordinates, so that single precision has more digits for the rest.

use std::fmt;
use std::str::FromStr;

use crate::RecordError;

/// What is taken off all positions of a file, in the file's own coordinates: before they are scaled
/// or y is turned round.
///
/// ```
/// use wingbeat_record::Origin;
/// assert_eq!("565000, 5933000".parse(), Ok(Origin::At([565000.0, 5933000.0, 0.0])));
/// assert_eq!(("auto".parse(), Origin::Lowest.to_string().as_str()), (Ok(Origin::Lowest), "auto"));
/// assert!("565000".parse::<Origin>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Origin {
    /// `auto`: the lowest coordinate on each axis, rounded down to a whole number.
    Lowest,
    /// This place.
    At([f64; 3]),
}

impl Origin {
    /// The place, where positions reach down to these coordinates.
    pub(crate) fn place(self, lowest: [f64; 3]) -> [f64; 3] {
        match self {
            Self::Lowest => lowest.map(f64::floor),
            Self::At(place) => place,
        }
    }
}

impl FromStr for Origin {
    type Err = RecordError;

    fn from_str(text: &str) -> Result<Self, RecordError> {
        if text.trim() == "auto" {
            return Ok(Self::Lowest);
        }
        let numbers = text
            .split(',')
            .map(|part| wingbeat_codec::number(part.trim()).filter(|x| x.is_finite()));
        let numbers: Option<Vec<f64>> = numbers.collect();
        match numbers.as_deref() {
            Some(&[x, y]) => Ok(Self::At([x, y, 0.0])),
            Some(&[x, y, z]) => Ok(Self::At([x, y, z])),
            _ => {
                let allowed = "auto, or X,Y or X,Y,Z: finite numbers apart by commas".into();
                Err(RecordError::Option { name: "origin", value: crate::shortened(text), allowed })
            }
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lowest => f.write_str("auto"),
            Self::At([x, y, z]) => write!(f, "{x},{y},{z}"),
        }
    }
}
