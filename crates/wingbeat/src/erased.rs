//! The kernels every flock may need, compiled once, in this crate.
//!
//! A generic function is compiled by whoever uses it, which would make every embedder compile the kernel again for three
//! levels. Here the two dimensions are spelled out, and generic code asks for the right one.
#![forbid(unsafe_code)]

use std::any::Any;
use std::sync::Arc;

use wingbeat_steer::Model;

use crate::drive::{self, Sweep};
use crate::integrate::{self, Motion};
use crate::kernel::species::{self, Society};
use crate::kernel::{Scratch, Steer, World, headings};
use crate::model;
use crate::obstacle::Lists;
use crate::rule::{Declared, Rule, Rules};
use crate::simd::Level;

/// What room 2 is made of, in two dimensions and in three. Not generic, so compiled here.
macro_rules! compiled_here {
    ($three_rules:ident, $species:ident, $integrate:ident, $headings:ident, $drives:ident, $d:literal) => {
        fn $three_rules() -> Arc<dyn Steer<$d>> {
            Arc::new(())
        }
        fn $species() -> Species<$d> {
            species::steer::<$d>
        }
        fn $integrate() -> Integrate<$d> {
            integrate::integrate::<$d>
        }
        fn $headings() -> Headings<$d> {
            headings::headings::<$d>
        }
        fn $drives() -> Sweep<$d> {
            drive::progress::<$d>
        }
    };
}
compiled_here!(three_rules_2, species_2, integrate_2, headings_2, drives_2, 2);
compiled_here!(three_rules_3, species_3, integrate_3, headings_3, drives_3, 3);

/// Rules and the kernel that runs them. Implemented by Wingbeat for every list of rules.
pub trait Kernel<const D: usize>: Rules<D> {
    /// The kernel, its rules forgotten: one virtual call a batch.
    #[doc(hidden)]
    fn erase(self) -> Arc<dyn Steer<D>>;
}

/// A flock without rules of its own.
impl<const D: usize> Kernel<D> for () {
    fn erase(self) -> Arc<dyn Steer<D>> {
        choose(three_rules_2, three_rules_3)
    }
}

/// Rules of one's own: compiled by whoever wrote them.
impl<R: Rules<D>, A: Rule<D>, const D: usize> Kernel<D> for (R, Declared<A>) {
    fn erase(self) -> Arc<dyn Steer<D>> {
        Arc::new(self)
    }
}

/// A batch of room 2 for flocks of several species: as [`Steer::batch`], with notes to write.
pub(crate) type Species<const D: usize> =
    fn(Level, &Society<'_>, &World<'_, D>, usize, [&mut [f32]; D], [&mut [f32]; D], &mut Scratch<D>);

/// Room 2 for species, of either dimension.
pub(crate) fn species<const D: usize>() -> Species<D> {
    choose(species_2, species_3)
}

/// A batch of room 3: level, motion, first slot, positions, velocities, room for lists.
pub(crate) type Integrate<const D: usize> = fn(Level, &Motion<'_, D>, usize, [&mut [f32]; D], [&mut [f32]; D], &mut Lists);

/// Room 3 of either dimension.
pub(crate) fn integrate<const D: usize>() -> Integrate<D> {
    choose(integrate_2, integrate_3)
}

/// A batch of headings: level, velocities, first slot, what they become.
pub(crate) type Headings<const D: usize> = fn(Level, &[Vec<f32>; D], usize, [&mut [f32]; D]);

/// Headings in either dimension.
pub(crate) fn headings<const D: usize>() -> Headings<D> {
    choose(headings_2, headings_3)
}

/// What drives do after a step, in either dimension.
pub(crate) fn drives<const D: usize>() -> Sweep<D> {
    choose(drives_2, drives_3)
}

/// A model's kernel, if a flock follows one.
pub(crate) fn model<const D: usize>(model: Option<&Model>) -> Option<Arc<dyn Steer<D>>> {
    model.map(|model| choose(|| model::in_plane(model), || model::in_space(model)))
}

/// Whichever of the two makes the wanted type.
fn choose<Two: Any, Three: Any, Wanted: Any + Clone>(two: impl Fn() -> Two, three: impl Fn() -> Three) -> Wanted {
    let found = (&two() as &dyn Any).downcast_ref::<Wanted>().cloned();
    let found = found.or_else(|| (&three() as &dyn Any).downcast_ref::<Wanted>().cloned());
    found.expect("Vector is implemented for two and three dimensions only")
}
