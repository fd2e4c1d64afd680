//! Arrays of tracks: one array of [frames, individuals, 2 or 3], f32 or f64. NaN is "not seen".

use std::io::{self, Read, Seek};

use crate::RecordError;
use crate::digits::significant;
use crate::limits::FARTHEST;
use crate::npy::{NpyReader, PlacedArray};
use crate::row::Row;
use crate::rows::Rows;

/// How many times farther it has to be from frame to frame than from individual to individual, for
/// axes to look swapped. In the recordings at hand it is a ninth to a fortieth, and as much the
/// other way where axes are swapped.
const SWAPPED: f64 = 3.0;
/// Pairs of neighbors that are looked at, and how many of them have to be there.
const SAMPLE: usize = 2000;
const FEWEST: usize = 20;

/// What an array of another shape looks like, and what makes a recording of it.
fn transposed(shape: &[u64]) -> Option<&'static str> {
    match shape {
        [_, 2 | 3, _] => Some(
            "this looks like [frames, 2 or 3, individuals], which \
            numpy.swapaxes(a, 1, 2) puts right",
        ),
        [2 | 3, _, _] => Some(
            "this looks like [2 or 3, frames, individuals], which \
            numpy.moveaxis(a, 0, 2) puts right",
        ),
        [_, _] => Some("one individual is a[:, None, :]"),
        _ => None,
    }
}

/// Where an array lies.
trait Place: Read + Seek {}

impl<R: Read + Seek> Place for R {}

/// An array of [frames, individuals, dimensions], whose numbers are read as they are asked for.
pub struct NpyTrack<'a> {
    /// Length of the first axis.
    pub frames: usize,
    /// Of the second.
    pub individuals: usize,
    /// Of the third: 2 or 3.
    pub dimensions: usize,
    array: PlacedArray<Box<dyn Place + 'a>>,
}

/// The frames, individuals and dimensions of an array.
///
/// # Errors
/// When it is of another shape.
pub fn sides(array: &NpyReader<impl Read>, shown: &str) -> Result<[usize; 3], RecordError> {
    let refuse = |message: String| RecordError::data(shown, message);
    let &[frames, individuals, dimensions @ (2 | 3)] = array.shape() else {
        let hint = transposed(array.shape()).map_or_else(String::new, |hint| format!("; {hint}"));
        return Err(refuse(format!(
            "{}: allowed is [frames, individuals, 2 or 3]{hint}",
            array.shown_shape()
        )));
    };
    if frames == 0 || individuals == 0 {
        return Err(refuse(format!(
            "{} has no individual in it: allowed is at least one position",
            array.shown_shape()
        )));
    }
    Ok([frames, individuals, dimensions].map(|side| side as usize))
}

impl<'a> NpyTrack<'a> {
    /// Of an array whose header is read.
    ///
    /// # Errors
    /// When it is of another shape, or has other numbers.
    pub fn of<R: Read + Seek + 'a>(array: NpyReader<R>, shown: &str) -> Result<Self, RecordError> {
        let [frames, individuals, dimensions] = sides(&array, shown)?;
        let array = array.boxed(|from| Box::new(from) as Box<dyn Place + 'a>);
        let array = array.in_place().map_err(|message| RecordError::data(shown, message))?;
        Ok(Self { frames, individuals, dimensions, array })
    }

    /// Positions are asked for in the order of another array's.
    #[cfg_attr(target_family = "wasm", allow(dead_code))]
    pub fn follow(&mut self, other: &NpyTrack<'_>) {
        if self.array.is_fortran() != other.array.is_fortran() {
            self.array.scatter();
        }
    }

    /// Hands over all positions, with their velocities where there are some: `numbers` and `ids`
    /// are those of frames and individuals, which count from 0 where there are none.
    ///
    /// # Errors
    /// When the file cannot be read, or has a number that is not allowed.
    #[inline(never)]
    pub fn fill(
        &mut self,
        mut velocity: Option<&mut NpyTrack<'_>>,
        (numbers, ids): (Option<&[i64]>, Option<&[u64]>),
        rows: &mut Rows,
    ) -> Result<(), RecordError> {
        let shown = rows.shown.clone();
        for (frame, i) in self.sightings() {
            let velocity = match &mut velocity {
                Some(velocity) => velocity.at(frame, i, &shown)?,
                None => [f64::NAN; 3],
            };
            rows.push(Row {
                frame: numbers.map_or(frame as i64, |numbers| numbers[frame]),
                id: ids.map_or(i as u64, |ids| ids[i]),
                position: self.at(frame, i, &shown)?,
                velocity,
            })?;
        }
        Ok(())
    }

    /// A hint where frames and individuals look swapped: an individual moves little from one frame
    /// to the next, and others are elsewhere. It is of a sample, and nothing is done about it: a
    /// recording of few frames a second may look like that too.
    pub fn swapped_axes(&mut self) -> Option<String> {
        let along_frames = self.usual_step([1, 0]);
        let along_individuals = self.usual_step([0, 1]);
        let is_swapped = along_frames? > SWAPPED * along_individuals?;
        is_swapped.then(|| {
            let [frames, individuals] =
                [along_frames, along_individuals].map(|step| significant(step.unwrap_or(0.0), 3));
            format!(
                "frames and individuals look swapped: from one frame to the next an individual \
                 moves {frames}, from one individual to the \
                 next it is {individuals}; allowed is [frames, individuals, 2 or 3] \
                 (numpy.swapaxes(a, 0, 1) swaps them)"
            )
        })
    }

    /// The median distance between neighbors along an axis, of a sample.
    fn usual_step(&mut self, [frames, individuals]: [usize; 2]) -> Option<f64> {
        let ends = [self.frames - frames, self.individuals - individuals];
        if ends.contains(&0) {
            return None;
        }
        // Any fixed sample does; strides that have no factor in common with the sides reach all
        // parts of the array.
        let places = (0..SAMPLE).map(|k| (k * 7919 % ends[0], k * 104_729 % ends[1]));
        let mut at = |index| self.array.glance(index).unwrap_or(f64::NAN);
        let distance = |(frame, individual): (usize, usize)| {
            let along =
                |a| at([frame + frames, individual + individuals, a]) - at([frame, individual, a]);
            (0..self.dimensions).map(along).map(|along| along * along).sum::<f64>().sqrt()
        };
        let mut steps: Vec<f64> = places.map(distance).filter(|step| step.is_finite()).collect();
        // A handful may look like anything.
        if steps.len() < FEWEST {
            return None;
        }
        steps.sort_by(f64::total_cmp);
        Some(steps[steps.len() / 2])
    }

    /// The first frame and the last.
    pub fn span(&self) -> Option<(i64, i64)> {
        Some((0, self.frames as i64 - 1))
    }

    /// Each frame with each individual, in the order in which they lie in the file.
    fn sightings(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let (frames, individuals, is_fortran) =
            (self.frames, self.individuals, self.array.is_fortran());
        let [slow, quick] = if is_fortran { [individuals, frames] } else { [frames, individuals] };
        let all = (0..slow).flat_map(move |slow| (0..quick).map(move |quick| (slow, quick)));
        all.map(move |(slow, quick)| if is_fortran { (quick, slow) } else { (slow, quick) })
    }

    /// One individual in one frame; beyond the dimensions 0.
    fn at(
        &mut self,
        frame: usize,
        individual: usize,
        shown: &str,
    ) -> Result<[f64; 3], RecordError> {
        let mut found = [0.0; 3];
        for a in 0..self.dimensions {
            let read = self.array.at([frame, individual, a]);
            found[a] = read.map_err(|error: io::Error| {
                RecordError::data(shown, format!("the data cannot be read: {error}"))
            })?;
            if found[a].abs() > FARTHEST {
                let place = format!("{shown} frame {frame} individual {individual}");
                let allowed = format!("-{FARTHEST:e} to {FARTHEST:e}, or NaN");
                return Err(RecordError::data(
                    place,
                    format!("coordinate {a} = {}: allowed is {allowed}", found[a]),
                ));
            }
        }
        Ok(found)
    }
}
