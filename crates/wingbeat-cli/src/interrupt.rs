//! Ctrl-C: the first asks a run to stop after its step, the second ends it at once.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use crate::failure::Failure;

static REQUESTED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// From here on Ctrl-C only sets a flag, and long work has to ask [`requested`].
pub fn listen() -> Result<(), Failure> {
    for signal in [SIGINT, SIGTERM] {
        // Registered first, so that it sees what an earlier signal has set.
        flag::register_conditional_shutdown(signal, 130, Arc::clone(&REQUESTED))
            .and_then(|_| flag::register(signal, Arc::clone(&REQUESTED)))
            .map_err(|error| Failure::Other(format!("cannot listen for Ctrl-C: {error}")))?;
    }
    Ok(())
}

/// Whether a signal has come.
pub fn requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}
