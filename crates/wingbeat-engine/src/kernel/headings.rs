//! Headings of all boids, where a pass reads neighbors' headings: computed once a step, not once a
//! pair.

use crate::columns::axes::Axes;
use crate::simd::{Level, Simd, Vectors, Work, dispatch, store_part};

/// Headings of the slots from `first` on, as many as the columns of `out` are long; velocities are
/// longer by the padding.
#[inline(never)]
pub(crate) fn headings<const D: usize>(
    level: Level,
    velocity: &Axes<D>,
    first: usize,
    out: [&mut [f32]; D],
) {
    dispatch(level, HeadingBatch { velocity: velocity.each_ref(), first, out });
}

struct HeadingBatch<'a, const D: usize> {
    velocity: [&'a [f32]; D],
    first: usize,
    out: [&'a mut [f32]; D],
}

impl<const D: usize> Work for HeadingBatch<'_, D> {
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let count = self.out[0].len();
        for at in (0..count).step_by(S::LANES) {
            let (heading, _) = Vectors::<S, D>::load(s, &self.velocity, self.first + at).heading(s);
            for a in 0..D {
                store_part(s, heading[a], &mut *self.out[a], at, S::LANES.min(count - at));
            }
        }
    }
}
