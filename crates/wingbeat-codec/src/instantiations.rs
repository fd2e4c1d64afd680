//! What has a dimension and is called by other crates, compiled here for two and for three.
//!
//! A generic function is compiled by the crate that calls it, unless it is `#[inline(never)]` and a
//! crate below has compiled it already: the callers of these are not optimized.

use crate::snapshot::Slots;
use crate::states::{admit_states, scale_states};

/// Never called: to name a function is to have it compiled. Not inlined: that would compile it
/// where it is called alone.
#[doc(hidden)]
#[inline(never)]
pub fn instantiations() -> [*const (); 6] {
    [
        Slots::copy::<2> as *const (),
        Slots::copy::<3> as *const (),
        scale_states::<2> as *const (),
        scale_states::<3> as *const (),
        admit_states::<2> as *const (),
        admit_states::<3> as *const (),
    ]
}
