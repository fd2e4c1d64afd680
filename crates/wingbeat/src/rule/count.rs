//! Counting neighbours, as a rule: how the mean number of neighbours is measured.
#![forbid(unsafe_code)]

use wingbeat_steer::{Perception, Vector, View};

use super::{Declared, Seen};
use crate::kernel::Steer;
use crate::pair_rule;
use crate::simd::Vectors;

/// Everyone within the radius counts one; the "force" is the count along x.
struct Count {
    radius: f32,
}

pair_rule! {
    impl<S, D> Rule for Count {
        type Sum = S::F;
        fn perception(&self) -> Perception { Perception { radius: self.radius, view: View::All, near_radius: 0.0 } }
        fn term(&self, s, own, pair) { s.splat(1.0) }
        fn force(&self, s, own, sum) {
            let mut along_x = Vectors::zero(s);
            along_x[0] = sum;
            along_x
        }
    }
}

/// The counting rule, ready for the kernel.
pub(crate) fn rule<const D: usize>(radius: f32) -> impl Steer<D>
where
    [f32; D]: Vector,
{
    let perception = Perception { radius, view: View::All, near_radius: 0.0 };
    ((), Declared { rule: Count { radius }, seen: Seen::new(&perception), perception })
}
