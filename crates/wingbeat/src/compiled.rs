//! The engine of one dimension as machine code of this very crate, for builds with `--cfg wingbeat_only="plane"` or `"space"`.
//!
//! A generic function is compiled by the crate that says for which dimension, and is optimized as that crate is. In the web module the
//! crates that read scenes are made as small as can be, and this one as fast as can be: so what runs in every step is compiled here, and
//! the others take it from here (`-Z share-generics`, which crates/wingbeat-web/build sets). What only builds a flock is not listed.

use std::sync::Arc;

use wingbeat_steer::{Model, ParamError};

use crate::kernel::{self, BatchLooker};
use crate::{Flock, TimeStep};

#[cfg(wingbeat_only = "plane")]
const D: usize = 2;
#[cfg(wingbeat_only = "space")]
const D: usize = 3;

/// A step, and all that it calls.
pub static STEP: fn(&mut Flock<D>, TimeStep) = Flock::step;

/// The models' loops, which a flock chooses from when it is built.
pub static MODELS: fn(&Model) -> Result<Arc<dyn BatchLooker<D>>, ParamError> = kernel::model;
