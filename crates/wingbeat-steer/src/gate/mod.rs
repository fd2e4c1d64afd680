//! Gates: exits by which boids leave a flock, and sources from which others come to it.
//!
//! | what | where |
//! |---|---|
//! | a boid ending a step inside an open exit leaves by it, at a turnstile one by one | exit.rs |
//! | which boid is due when, where it enters, and whether there is room | source.rs |

use alloc::format;

use crate::ParamError;

mod exit;
mod source;

pub use exit::{Exit, ExitMemory, Exits};
pub use source::{Entrance, MAX_TRIES, Source, SourceMemory, Sources};

/// Most exits of a flock, and most sources.
pub const MAX_GATES: usize = 64;

/// Refuses more than [`MAX_GATES`], and names that are empty or given twice. `kind` is what they
/// are: `exit`.
fn check_names<'a>(
    kind: &str,
    names: impl ExactSizeIterator<Item = &'a str> + Clone,
) -> Result<(), ParamError> {
    if names.len() > MAX_GATES {
        return Err(ParamError::new(
            format!("{kind}s"),
            names.len(),
            format!("at most {MAX_GATES}"),
        ));
    }
    for (place, name) in names.clone().enumerate() {
        if name.is_empty() {
            return Err(ParamError::new(kind, "without a name", "a name of at least one letter"));
        }
        if names.clone().take(place).any(|other| other == name) {
            return Err(ParamError::new(
                format!("{kind}.{name}"),
                "given twice",
                "every name once",
            ));
        }
    }
    Ok(())
}
