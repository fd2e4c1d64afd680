//! The functions of the module. They take and give numbers only; texts and columns lie in the module's memory, and a function tells where.
//!
//! Sessions are counted from 1, and a number that is of none is refused like anything else, so that no pointer of the host's is ever
//! followed: the host writes to and reads from places that it was told of, and nothing here is unsafe but the names of the functions,
//! which must be of this library alone.

use std::cell::RefCell;

use crate::Session;

/// A session with its room for bytes that come in, and the text that came out last.
#[derive(Default)]
struct Open {
    session: Session,
    input: Vec<u8>,
    output: Vec<u8>,
}

thread_local! {
    /// A module has one thread, so this is all there is.
    static SESSIONS: RefCell<Vec<Option<Open>>> = const { RefCell::new(Vec::new()) };
}

/// Does something with a session; `without` where there is none of this number.
fn with<R>(session: u32, without: R, act: impl FnOnce(&mut Open) -> R) -> R {
    SESSIONS.with_borrow_mut(|all| {
        let place = (session as usize).checked_sub(1);
        match place.and_then(|place| all.get_mut(place)?.as_mut()) {
            Some(open) => act(open),
            None => without,
        }
    })
}

/// Does something that can be refused: 0, or 1 and the reason as the text that comes out.
fn attempt(session: u32, act: impl FnOnce(&mut Open) -> Result<(), String>) -> u32 {
    with(session, 1, |open| match act(open) {
        Ok(()) => 0,
        Err(reason) => {
            open.output = reason.into_bytes();
            1
        }
    })
}

/// Which interface this is; see README.md.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn wingbeat_interface() -> u32 {
    1
}

/// Opens a session and tells its number.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn wingbeat_open() -> u32 {
    SESSIONS.with_borrow_mut(|all| {
        let place = all.iter().position(Option::is_none).unwrap_or(all.len());
        if place == all.len() {
            all.push(None);
        }
        all[place] = Some(Open::default());
        place as u32 + 1
    })
}

/// Closes a session: all of its memory is free again.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn wingbeat_close(session: u32) {
    SESSIONS.with_borrow_mut(|all| {
        let place = (session as usize).checked_sub(1);
        if let Some(open) = place.and_then(|place| all.get_mut(place)) {
            *open = None;
        }
    });
}

/// Makes room for so many bytes that come in, all 0, and tells where; 0 bytes free it. 0 if there is no such session.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn wingbeat_input(session: u32, bytes: usize) -> *mut u8 {
    with(session, std::ptr::null_mut(), |open| {
        open.input = vec![0; bytes];
        open.input.as_mut_ptr()
    })
}

/// Builds the flock of a scene. What came in is its name, of so many bytes, and then its TOML.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn wingbeat_build(session: u32, name_bytes: usize) -> u32 {
    attempt(session, |open| {
        let (name, toml) = open.input.split_at_checked(name_bytes).ok_or("the name is longer than what came in")?;
        let text = |bytes| std::str::from_utf8(bytes).map_err(|_| "the scene is not UTF-8 text");
        open.session.build(text(name)?, text(toml)?)
    })
}

/// Makes so many steps.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn wingbeat_step(session: u32, steps: u32) -> u32 {
    attempt(session, |open| open.session.step(steps))
}

/// Number of boids.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn wingbeat_boids(session: u32) -> usize {
    with(session, 0, |open| open.session.len())
}

/// 2 or 3.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn wingbeat_dimensions(session: u32) -> usize {
    with(session, 0, |open| open.session.dimensions())
}

/// Hash of the state: to JavaScript a BigInt, negative where the highest bit is set.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn wingbeat_state_hash(session: u32) -> u64 {
    with(session, 0, |open| open.session.state_hash())
}

/// Copies ids, positions, velocities and species to where the four functions below tell.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn wingbeat_read(session: u32) -> u32 {
    attempt(session, |open| open.session.read())
}

/// Where ids are, a `u32` for each boid read.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn wingbeat_ids(session: u32) -> *const u32 {
    with(session, std::ptr::null(), |open| open.session.ids().as_ptr())
}

/// Where positions are, an `f32` for each axis of each boid read.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn wingbeat_positions(session: u32) -> *const f32 {
    with(session, std::ptr::null(), |open| open.session.positions().as_ptr())
}

/// Where velocities are, likewise.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn wingbeat_velocities(session: u32) -> *const f32 {
    with(session, std::ptr::null(), |open| open.session.velocities().as_ptr())
}

/// Where species are, a `u8` for each boid read; 0 in scenes without.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn wingbeat_species(session: u32) -> *const u8 {
    with(session, std::ptr::null(), |open| match open.session.species() {
        [] => std::ptr::null(),
        species => species.as_ptr(),
    })
}

/// Puts boids where what came in has them.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn wingbeat_set_state(session: u32) -> u32 {
    attempt(session, |open| open.session.set_state(&open.input))
}

/// Says how many steps were made before.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn wingbeat_set_step(session: u32, step: u32) -> u32 {
    attempt(session, |open| open.session.set_step(step))
}

/// What the flock remembers comes out, as bytes.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn wingbeat_memory(session: u32) -> u32 {
    attempt(session, |open| {
        open.output = open.session.memory_bytes()?;
        Ok(())
    })
}

/// The flock remembers what came in.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn wingbeat_set_memory(session: u32) -> u32 {
    attempt(session, |open| open.session.set_memory(&open.input))
}

/// Why a boid goes where it goes comes out, as JSON.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn wingbeat_explain(session: u32, boid: u32) -> u32 {
    attempt(session, |open| {
        open.output = open.session.explain(boid)?.into_bytes();
        Ok(())
    })
}

/// Where the bytes are that came out last: JSON, memory, or why something was refused.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn wingbeat_output(session: u32) -> *const u8 {
    with(session, std::ptr::null(), |open| open.output.as_ptr())
}

/// How many they are.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn wingbeat_output_bytes(session: u32) -> usize {
    with(session, 0, |open| open.output.len())
}
