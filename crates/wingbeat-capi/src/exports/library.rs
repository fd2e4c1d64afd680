//! What there is without a flock.

use std::ffi::{CString, c_char};
use std::ptr;
use std::sync::OnceLock;

use wingbeat::Level;
use wingbeat_scene::PRESETS;

use crate::status::last_error;
use crate::types::WINGBEAT_INTERFACE;

/// Version of the library, for example "0.1.0". The text stays for as long as the program runs.
// SAFETY: no other function of the library has this name.
#[unsafe(no_mangle)]
pub extern "C" fn wingbeat_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}

/// Number of the library's interface. If it is not WINGBEAT_INTERFACE of the header that a program
/// was compiled with, they do not fit.
// SAFETY: no other function of the library has this name.
#[unsafe(no_mangle)]
pub extern "C" fn wingbeat_interface() -> u32 {
    WINGBEAT_INTERFACE
}

/// Why the last function that failed on this thread did so: one line of UTF-8, empty if none did
/// yet. The pointer is the same for as long as the thread lives, and what it points to changes when
/// the next function fails; longer texts are cut at 2047 bytes.
// SAFETY: no other function of the library has this name.
#[unsafe(no_mangle)]
pub extern "C" fn wingbeat_last_error() -> *const c_char {
    last_error()
}

/// SIMD levels that this machine has, lowest first, for example "portable, avx2". The text stays
/// for as long as the program runs.
// SAFETY: no other function of the library has this name.
#[unsafe(no_mangle)]
pub extern "C" fn wingbeat_levels() -> *const c_char {
    static LEVELS: OnceLock<CString> = OnceLock::new();
    let names = || Level::available().into_iter().map(Level::name).collect::<Vec<_>>().join(", ");
    LEVELS.get_or_init(|| CString::new(names()).unwrap_or_default()).as_ptr()
}

/// Name of a preset, counted from 0; NULL where there are no more. The text stays for as long as
/// the program runs.
// SAFETY: no other function of the library has this name.
#[unsafe(no_mangle)]
pub extern "C" fn wingbeat_preset(place: usize) -> *const c_char {
    static NAMES: OnceLock<Vec<CString>> = OnceLock::new();
    let names =
        || PRESETS.iter().map(|preset| CString::new(preset.name).unwrap_or_default()).collect();
    NAMES.get_or_init(names).get(place).map_or(ptr::null(), |name| name.as_ptr())
}
