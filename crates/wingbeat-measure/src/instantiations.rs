//! What users call is compiled here for both dimensions, and not again in each crate that calls it:
//! see `instantiations.rs` of the engine.

use crate::{Curves, State, measure};

/// Never called.
#[doc(hidden)]
pub fn instantiations() -> Vec<*const ()> {
    [named::<2>(), named::<3>()].concat()
}

fn named<const D: usize>() -> Vec<*const ()> {
    vec![
        measure::<D> as *const (),
        State::<D>::new as *const (),
        State::<D>::of_columns as *const (),
        State::<D>::of as *const (),
        State::<D>::measure as *const (),
        State::<D>::each as *const (),
        State::<D>::groups as *const (),
        State::<D>::velocity_correlation as *const (),
        State::<D>::mean_position as *const (),
        Curves::add::<D> as *const (),
        Curves::add_frame::<D> as *const (),
    ]
}
