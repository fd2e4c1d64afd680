//! The frames of a recording: rows by id, with velocities that are computed where a frame is read.

use std::borrow::Cow;

use crate::RecordError;
use crate::digits::exact;
use crate::row::Row;
use crate::snapshot::{Edges, Snapshot};
use crate::species::SpeciesById;
use crate::store::{FrameRange, Store};

/// Rows by frame and id, and how their numbers become lengths and velocities.
#[derive(Debug)]
pub struct Sequence {
    /// Where rows are.
    pub store: Store,
    /// Frames with at least one position, in order.
    pub moments: Vec<FrameRange>,
    /// Frames per second.
    pub fps: f64,
    /// What coordinates are multiplied by.
    pub factors: [f64; 3],
    /// What is taken off them before.
    pub taken_off: [f64; 3],
    /// How far apart frames of an unbroken track are.
    pub frame_step: i64,
    /// Whether velocities are the file's own.
    pub has_velocities: bool,
    /// The domain.
    pub edges: Edges,
}

impl Sequence {
    /// The rows of the `k`-th frame, by id.
    ///
    /// # Errors
    /// When the file cannot be read any more, or is damaged there.
    ///
    /// # Panics
    /// If there are not that many frames.
    #[inline(never)]
    pub fn rows(&self, k: usize) -> Result<Cow<'_, [Row]>, RecordError> {
        let mut rows = self.store.rows(&self.moments[k])?;
        if self.factors != [1.0; 3] || self.taken_off != [0.0; 3] {
            for row in rows.to_mut() {
                row.position = self.place(row.position);
                row.velocity = scaled(row.velocity, self.factors);
            }
        }
        if !self.has_velocities && rows.iter().any(is_without_velocity) {
            self.differences(k, rows.to_mut())?;
        }
        Ok(rows)
    }

    /// A position of the file, as it is here.
    fn place(&self, position: [f64; 3]) -> [f64; 3] {
        scaled(std::array::from_fn(|axis| position[axis] - self.taken_off[axis]), self.factors)
    }

    /// Velocities of the rows of a frame that have none yet: central differences inside unbroken
    /// stretches, one-sided ones at their ends, NaN for positions between two gaps.
    fn differences(&self, k: usize, rows: &mut [Row]) -> Result<(), RecordError> {
        let beside = |other: Option<usize>| {
            let moment = other.and_then(|other| self.moments.get(other));
            let follows = |moment: &&FrameRange| {
                (moment.number - self.moments[k].number).abs() == self.frame_step
            };
            moment.filter(follows).map_or(Ok(Cow::default()), |moment| self.store.rows(moment))
        };
        let (before, after) = (beside(k.checked_sub(1))?, beside(Some(k + 1))?);
        let (mut before, mut after) = (before.iter().peekable(), after.iter().peekable());
        for row in rows {
            let here = *row;
            // All are by ascending id.
            let at = |side: &mut std::iter::Peekable<std::slice::Iter<'_, Row>>| {
                while side.next_if(|other| other.id < here.id).is_some() {}
                let other = side.peek().filter(|other| other.id == here.id)?;
                Some((other.frame, self.place(other.position)))
            };
            let (from, to) = (at(&mut before), at(&mut after));
            let (from, to) = (
                from.unwrap_or((here.frame, here.position)),
                to.unwrap_or((here.frame, here.position)),
            );
            let seconds = (to.0 - from.0) as f64 / self.fps;
            if !is_without_velocity(row) {
                continue;
            }
            let way = if self.edges.is_periodic() {
                // Each of the two by itself: together they may be longer than half a side.
                let [one, other] =
                    [self.edges.way(from.1, here.position), self.edges.way(here.position, to.1)];
                std::array::from_fn(|a| one[a] + other[a])
            } else {
                self.edges.way(from.1, to.1)
            };
            row.velocity = way.map(|way| if seconds > 0.0 { way / seconds } else { f64::NAN });
        }
        Ok(())
    }
}

fn is_without_velocity(row: &Row) -> bool {
    row.velocity.iter().any(|v| v.is_nan())
}

/// A vector in other units; of 0 that changes its sign, 0 is left.
fn scaled(vector: [f64; 3], factors: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|axis| vector[axis] * factors[axis] + 0.0)
}

/// What single precision takes from positions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rounded {
    /// Positions with more digits.
    pub positions: u64,
    /// The largest error of a coordinate.
    pub most: f64,
}

/// Whether a number read as an f64 is an f32 as text: the shortest, or one of nine digits.
fn means_single(x: f64) -> bool {
    let single = x as f32;
    (f64::from(single) - x).abs() <= x.abs() * 1e-8 || exact(single).parse() == Ok(x)
}

/// Copies rows into columns, in single precision, and notes what had to be rounded.
#[inline(never)]
pub fn narrow(
    rows: &[Row],
    dimensions: usize,
    species: &SpeciesById,
    now: &mut Snapshot,
    rounded: &mut Rounded,
) {
    now.ids.clear();
    now.species.clear();
    now.columns_mut().for_each(Vec::clear);
    for row in rows {
        now.ids.push(row.id);
        // Nothing where there are no species, else one for each.
        now.species.extend(species.of(row.id));
        let mut exact = true;
        for a in 0..dimensions {
            now.positions[a].push(row.position[a] as f32);
            now.velocities[a].push(row.velocity[a] as f32);
            let error = (f64::from(row.position[a] as f32) - row.position[a]).abs();
            let is_exact = error == 0.0 || means_single(row.position[a]);
            rounded.most = if is_exact { rounded.most } else { rounded.most.max(error) };
            exact &= is_exact;
        }
        rounded.positions += u64::from(!exact);
    }
}
