//! Ctrl-C, and a terminal that is closed: the first asks a run to stop after its step, the second
//! ends it at once.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

#[cfg(unix)]
use signal_hook::consts::SIGHUP;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use crate::failure::Failure;

static REQUESTED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// From here on Ctrl-C only sets a flag, and long work has to ask [`requested`].
pub fn listen() -> Result<(), Failure> {
    for signal in signals() {
        // Registered first, so that it sees what an earlier signal has set.
        flag::register_conditional_shutdown(signal, 130, Arc::clone(&REQUESTED))
            .and_then(|_| flag::register(signal, Arc::clone(&REQUESTED)))
            .map_err(|error| Failure::Other(format!("cannot listen for Ctrl-C: {error}")))?;
    }
    Ok(())
}

#[cfg(unix)]
fn signals() -> Vec<i32> {
    if ignores_hangups() { vec![SIGINT, SIGTERM] } else { vec![SIGINT, SIGTERM, SIGHUP] }
}

/// Ctrl-Break of a Windows console: the C library's number of it, which `signal_hook` does not
/// name.
#[cfg(not(unix))]
const SIGBREAK: i32 = 21;

#[cfg(not(unix))]
fn signals() -> Vec<i32> {
    vec![SIGINT, SIGTERM, SIGBREAK]
}

/// Whether the process that started the command wants it to outlive its terminal, as `nohup` does.
/// Systems that do not say are taken not to.
#[cfg(unix)]
fn ignores_hangups() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status
        .lines()
        .find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    // The lowest bit is that of signal 1.
    ignored.is_some_and(|ignored| ignored >> (SIGHUP - 1) & 1 == 1)
}

/// Whether a signal has come.
pub fn requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}
