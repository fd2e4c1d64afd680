//! Builds that hold one dimension only.
//!
//! A web page shows one flock, and so needs the engine for the plane or for space: half of the
//! machine code. The compiler's flag `--cfg wingbeat_only="plane"` or `"space"` leaves the other
//! half out. It is no cargo feature: features of all dependants add up, and so can only ever bring
//! more in. Without the flag nothing here changes anything.
//!
//! Two things do it, and no match on [`AnyFlock`](crate::AnyFlock) anywhere has to know of them:
//! the flock of the dimension that is left out is a type without values, so that the compiler drops
//! every arm that asks for one; and the places that make something of a scene's dimension ask
//! [`by_dimension!`].

use crate::{Scene, SceneError};

/// The value for a scene of the plane, or for one of space; scenes of a dimension that was left out
/// are refused. Both must be results.
macro_rules! by_dimension {
    ($scene:expr, $plane:expr, $space:expr $(,)?) => {
        match $scene.dimensions() {
            #[cfg(not(wingbeat_only = "space"))]
            2 => $plane,
            #[cfg(not(wingbeat_only = "plane"))]
            3 => $space,
            _ => Err($crate::dimension::refuse($scene)),
        }
    };
}
pub(crate) use by_dimension;

/// The refusal of a scene of another dimension than this build holds.
pub(crate) fn refuse(scene: &Scene) -> SceneError {
    let held = match () {
        () if cfg!(wingbeat_only = "plane") => "2: flocks of space were left out of this build",
        () if cfg!(wingbeat_only = "space") => "3: flocks of the plane were left out of this build",
        () => "2 or 3",
    };
    SceneError::Value {
        place: scene.document.place_of("flock.dimensions"),
        key: "flock.dimensions".to_string(),
        value: scene.dimensions().to_string(),
        allowed: held.to_string(),
    }
}
