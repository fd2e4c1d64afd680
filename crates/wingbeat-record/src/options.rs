//! How a recording is read.

use std::ops::RangeInclusive;

use wingbeat_codec::FPS;

use crate::origin::Origin;
use crate::{ColumnNames, LengthUnit, RecordError, Smooth};

const SCALE: RangeInclusive<f64> = 1e-9..=1e9;
const GAPS: RangeInclusive<u64> = 1..=10_000;
/// What is allowed with a `.wbr`, whose frames are read where they are.
pub(crate) const NOT_OF_WBR: &str = "nothing with a .wbr, which is read frame by frame: wingbeat \
    convert makes an .npz of it";

/// How a recording is read: its columns, and how its numbers become lengths and times.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// Frames per second, 1e-6 to 1e6. Default: what the file says (`# framerate: 25`), else 1, so
    /// that times count frames.
    pub fps: Option<f64>,
    /// Every coordinate (and every velocity in the file) is multiplied by it, 1e-9 to 1e9. Default:
    /// what makes meters of a unit that the file states (0.01 of cm), else 1.
    pub scale: Option<f64>,
    /// The unit of lengths in the file, as if the file stated it; where they are scaled, the unit
    /// that [`scale`](Self::scale) makes of them. Default: what the file states.
    pub unit: Option<LengthUnit>,
    /// Whether y points downwards, as pixels do: its sign is changed, of velocities too. Default:
    /// no.
    pub y_down: bool,
    /// What is taken off all positions. Default: nothing.
    pub origin: Option<Origin>,
    /// Which columns of a table hold what. Default: those with the usual names.
    pub columns: ColumnNames,
    /// Gaps of up to so many missing positions are filled by a spline, 1 to 10,000; longer ones
    /// stay. A larger value invents more. Default: none is filled.
    pub fill_gaps: Option<u64>,
    /// Positions and velocities are those of a local polynomial. Default: those of the file.
    pub smooth: Option<Smooth>,
}

impl Options {
    pub(crate) fn check(&self) -> Result<(), RecordError> {
        let check = |name, value: f64, range: RangeInclusive<f64>| {
            let allowed = format!("{:e} to {:e}", range.start(), range.end());
            let refusal = RecordError::Option { name, value: value.to_string(), allowed };
            if range.contains(&value) { Ok(()) } else { Err(refusal) }
        };
        self.fps.map_or(Ok(()), |fps| check("fps", fps, FPS))?;
        self.scale.map_or(Ok(()), |scale| check("scale", scale, SCALE))?;
        match self.fill_gaps.filter(|most| !GAPS.contains(most)) {
            Some(most) => {
                let allowed =
                    format!("a whole number of frames, {} to {}", GAPS.start(), GAPS.end());
                Err(RecordError::Option { name: "fill-gaps", value: most.to_string(), allowed })
            }
            None => Ok(()),
        }
    }

    /// The unit of lengths that a file states or not; refused where the two contradict each other.
    pub(crate) fn unit_of(
        &self,
        stated: Option<LengthUnit>,
    ) -> Result<Option<LengthUnit>, RecordError> {
        let Some((unit, stated)) = self.unit.zip(stated).filter(|(unit, stated)| unit != stated)
        else {
            return Ok(self.unit.or(stated));
        };
        let allowed = format!("{stated}, as the file says (or --scale, which makes another of it)");
        Err(RecordError::Option { name: "unit", value: unit.to_string(), allowed })
    }

    /// Refuses to change tracks, for the reason that stands in place of what is allowed.
    pub(crate) fn refuse_mending(&self, allowed: &str) -> Result<(), RecordError> {
        let fill_gaps = self.fill_gaps.map(|most| ("fill-gaps", most.to_string()));
        match fill_gaps.or(self.smooth.map(|smooth| ("smooth", smooth.to_string()))) {
            Some((name, value)) => {
                Err(RecordError::Option { name, value, allowed: allowed.into() })
            }
            None => Ok(()),
        }
    }
}
