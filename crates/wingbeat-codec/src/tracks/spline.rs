//! Gaps filled by a cubic spline through the known positions beside them.
//!
//! Between p₁ at frame t₁ and p₂ at t₂ = t₁ + h, with u = (t − t₁)/h, cubic Hermite interpolation:
//!
//! ```text
//! p(u) = (2u³ − 3u² + 1) p₁ + (u³ − 2u² + u) h m₁ + (3u² − 2u³) p₂ + (u³ − u²) h m₂
//! ```
//!
//! mᵢ is the slope at pᵢ of the parabola through pᵢ and the known positions before and after it,
//! whatever frames these are of. That is the spline of Catmull & Rom 1974 with its knots at the
//! times (Barry & Goldman 1988). Where a track begins or ends beside the gap the missing slope is
//! that of the parabola through both positions with the other slope; a track of two positions is a
//! straight line.

use std::io;

use super::{Mended, Mending};
use crate::row::Row;

/// Takes the known positions of each track in order, and hands them on with what was missing.
pub(super) struct Filler {
    most: u64,
    step: i64,
    /// Velocities count per second, slopes per frame; `None` where velocities are not told.
    fps: Option<f64>,
    /// The last known position that was handed on, and the one before it.
    before: Option<Row>,
    from: Option<Row>,
    /// The newest, which waits for the one behind it.
    to: Option<Row>,
}

impl Filler {
    pub fn new(mending: &Mending) -> Self {
        let fps = mending.has_velocities.then_some(mending.fps);
        Self {
            most: mending.fill_gaps,
            step: mending.frame_step,
            fps,
            before: None,
            from: None,
            to: None,
        }
    }

    /// Takes the next known position, by id and frame; none at the end.
    pub fn take(
        &mut self,
        row: Option<Row>,
        mended: &mut Mended,
        mut each: impl FnMut(Row, &mut Mended) -> io::Result<()>,
    ) -> io::Result<()> {
        let Some(to) = self.to else {
            self.to = row;
            return Ok(());
        };
        let after = row.filter(|row| row.id == to.id);
        if let Some(from) = self.from {
            self.fill([self.before, Some(from), Some(to), after], mended, &mut each)?;
        }
        each(to, mended)?;
        (self.before, self.from) =
            if after.is_some() { (self.from, Some(to)) } else { (None, None) };
        self.to = row;
        Ok(())
    }

    /// What is missing between the two in the middle.
    fn fill(
        &self,
        [before, from, to, after]: [Option<Row>; 4],
        mended: &mut Mended,
        each: &mut impl FnMut(Row, &mut Mended) -> io::Result<()>,
    ) -> io::Result<()> {
        let (Some(from), Some(to)) = (from, to) else { return Ok(()) };
        let frames = to.frame - from.frame;
        let missing = (frames / self.step) as u64 - 1;
        // Frames that are no multiple of the usual distance apart have no even steps between them.
        if missing == 0 || missing > self.most || frames % self.step != 0 {
            return Ok(());
        }
        mended.gaps_filled += 1;
        mended.positions_filled += missing;
        let span = frames as f64;
        let curves: [Curve; 3] = std::array::from_fn(|axis| {
            let known = |row: &Row| ((row.frame - from.frame) as f64, row.position[axis]);
            Curve::through(
                before.as_ref().map(known),
                (from.position[axis], span, to.position[axis]),
                after.as_ref().map(known),
            )
        });
        (1..=missing as i64).try_for_each(|k| {
            let u = (k * self.step) as f64 / span;
            let position = std::array::from_fn(|axis| curves[axis].at(u));
            let velocity = self.fps.map_or([f64::NAN; 3], |fps| {
                std::array::from_fn(|axis| curves[axis].slope(u) * fps)
            });
            each(Row { frame: from.frame + k * self.step, id: from.id, position, velocity }, mended)
        })
    }
}

/// Along one axis, over u from 0 to 1.
struct Curve {
    ends: [f64; 2],
    /// Per unit of u.
    slopes: [f64; 2],
    span: f64,
}

impl Curve {
    /// `before` and `after` are times since the gap's start, with the coordinates then.
    fn through(
        before: Option<(f64, f64)>,
        (from, span, to): (f64, f64, f64),
        after: Option<(f64, f64)>,
    ) -> Self {
        let chord = (to - from) / span;
        // The slope in the middle of three: of the two chords' slopes, each counts by the length of
        // the other.
        let middle = |(time, slope): (f64, f64)| (span * slope + time * chord) / (span + time);
        let first = before.map(|(time, place)| middle((-time, (from - place) / -time)));
        let last = after.map(|(time, place)| middle((time - span, (place - to) / (time - span))));
        // The slopes at the ends of a parabola have the chord's as their mean.
        let [first, last] = match (first, last) {
            (Some(first), Some(last)) => [first, last],
            (Some(first), None) => [first, 2.0 * chord - first],
            (None, Some(last)) => [2.0 * chord - last, last],
            (None, None) => [chord, chord],
        };
        Self { ends: [from, to], slopes: [first * span, last * span], span }
    }

    fn at(&self, u: f64) -> f64 {
        let ([from, to], [first, last]) = (self.ends, self.slopes);
        let (square, cube) = (u * u, u * u * u);
        // From one end on, so that a standing individual stands still to the last bit.
        from + (3.0 * square - 2.0 * cube) * (to - from)
            + (cube - 2.0 * square + u) * first
            + (cube - square) * last
    }

    /// Length per frame.
    fn slope(&self, u: f64) -> f64 {
        let ([from, to], [first, last]) = (self.ends, self.slopes);
        let square = u * u;
        let along = 6.0 * (u - square) * (to - from)
            + (3.0 * square - 4.0 * u + 1.0) * first
            + (3.0 * square - 2.0 * u) * last;
        along / self.span
    }
}
