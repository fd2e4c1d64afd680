//! States and scenes, taken out and put back.

use std::ffi::c_char;

use super::FLOCKS;
use crate::raw::Caller;
use crate::status::{WingbeatStatus, answer};
use crate::types::WingbeatFlock;

/// Writes a checkpoint: everything that a later step depends on, as bytes with a checksum, which
/// another flock of the same scene goes on from in the same bits, on any machine.
///
/// *needed is told how many bytes there are; with bytes NULL and capacity 0 nothing else is done.
/// Either of bytes and needed may be NULL, not both.
///
/// Errors: WINGBEAT_ERROR_SIZE if capacity is less than that; nothing is written to bytes then.
// SAFETY: no other function of the library has this name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wingbeat_checkpoint(
    flock: WingbeatFlock,
    bytes: *mut u8,
    capacity: usize,
    needed: *mut usize,
) -> WingbeatStatus {
    // SAFETY: these are the pointers of one call, and the header asks its caller for what `Caller`
    // says.
    let caller = unsafe { Caller::promises() };
    answer(|| {
        caller.write_all(&FLOCKS.with(flock, |host| host.checkpoint())?, bytes, capacity, needed)
    })
}

/// Goes on from a checkpoint of a flock of the same scene.
///
/// Errors: WINGBEAT_ERROR_INVALID if the bytes are no whole checkpoint, or one of a flock of other
/// dimensions; nothing is changed then.
// SAFETY: no other function of the library has this name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wingbeat_restore(
    flock: WingbeatFlock,
    bytes: *const u8,
    size: usize,
) -> WingbeatStatus {
    // SAFETY: these are the pointers of one call, and the header asks its caller for what `Caller`
    // says.
    let caller = unsafe { Caller::promises() };
    answer(|| {
        let bytes = caller.array("bytes", bytes, size)?;
        FLOCKS.with(flock, |host| host.restore(bytes))
    })
}

/// Writes the scene with all changes, as TOML with a final NUL.
///
/// *needed is told how many bytes there are, the NUL among them; with text NULL and capacity 0
/// nothing else is done. Either of text and needed may be NULL, not both.
///
/// Errors: WINGBEAT_ERROR_SIZE if capacity is less than that; nothing is written to text then.
// SAFETY: no other function of the library has this name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wingbeat_toml(
    flock: WingbeatFlock,
    text: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> WingbeatStatus {
    // SAFETY: these are the pointers of one call, and the header asks its caller for what `Caller`
    // says.
    let caller = unsafe { Caller::promises() };
    answer(|| {
        caller.write_text(&FLOCKS.with(flock, |host| Ok(host.toml()))?, text, capacity, needed)
    })
}
