//! What wingbeat-measure, which is a crate so that programs without measures do not compile any, is
//! built on. No part of the public interface: it may change in any version.

pub use crate::median::{Bounds, MedianOrder, MedianRule};
pub use crate::observe::individuals::Individuals;
pub use crate::observe::{means, mix, vectors};
pub use crate::parallel::Pool;
pub use crate::simd::{Level, Simd, Work, dispatch};

/// The threads of a flock.
pub fn pool<'a, const D: usize>(frame: &crate::Frame<'a, D>) -> &'a Pool {
    frame.pool()
}
