//! The functions of the module. They take and give numbers only; texts and columns lie in the
//! module's memory, and a function tells where.
//!
//! Sessions are counted from 1, and a number that is of none is refused like anything else, so that
//! no pointer of the host's is ever followed: the host writes to and reads from places that the
//! module returned, and nothing here is unsafe but the names of the functions, which must be of
//! this library alone.

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

fn text(bytes: &[u8]) -> Result<&str, String> {
    std::str::from_utf8(bytes).map_err(|_| "what came in is not UTF-8 text".into())
}

/// Which interface this is; see README.md.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn wingbeat_interface() -> u32 {
    3
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

/// Makes room for so many bytes that come in, all 0, and tells where; 0 bytes free it. 0 if there
/// is no such session.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn wingbeat_input(session: u32, bytes: usize) -> *mut u8 {
    with(session, std::ptr::null_mut(), |open| {
        open.input = vec![0; bytes];
        open.input.as_mut_ptr()
    })
}

/// Builds the flock of a scene. What came in is its name, of so many bytes, its TOML, of so many
/// bytes, and then the frame it starts with, or nothing.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn wingbeat_build(session: u32, name_bytes: usize, toml_bytes: usize) -> u32 {
    attempt(session, |open| {
        let parts = open.input.split_at_checked(name_bytes);
        let parts = parts.and_then(|(name, rest)| {
            rest.split_at_checked(toml_bytes).map(|(toml, start)| (name, toml, start))
        });
        let (name, toml, start) = parts.ok_or("name and scene are longer than what came in")?;
        open.session.build(text(name)?, text(toml)?, start)
    })
}

/// Makes so many steps.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn wingbeat_step(session: u32, steps: u32) -> u32 {
    attempt(session, |open| open.session.step(steps))
}

/// Hash of the state: to JavaScript a BigInt, negative where the highest bit is set.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn wingbeat_state_hash(session: u32) -> u64 {
    with(session, 0, |open| open.session.state_hash())
}

/// A request came in, as JSON; its answer comes out.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn wingbeat_request(session: u32) -> u32 {
    attempt(session, |open| {
        open.output = open.session.request(text(&open.input)?)?.into_bytes();
        Ok(())
    })
}

/// How things stand comes out, as JSON.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn wingbeat_state(session: u32) -> u32 {
    attempt(session, |open| {
        open.output = open.session.state()?.into_bytes();
        Ok(())
    })
}

/// The scene with all changes comes out, as TOML.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn wingbeat_toml(session: u32) -> u32 {
    attempt(session, |open| {
        open.output = open.session.toml()?.into_bytes();
        Ok(())
    })
}

/// The boids come out, as a frame; observed anew unless `observe` is 0.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn wingbeat_frame(session: u32, rate: f32, observe: u32) -> u32 {
    attempt(session, |open| {
        open.output = open.session.frame(rate, observe != 0)?;
        Ok(())
    })
}

/// A checkpoint comes out.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn wingbeat_checkpoint(session: u32) -> u32 {
    attempt(session, |open| {
        open.output = open.session.checkpoint()?;
        Ok(())
    })
}

/// The flock goes on from the checkpoint that came in.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn wingbeat_restore(session: u32) -> u32 {
    attempt(session, |open| open.session.restore(&open.input))
}

/// Takes the scene that came in for its obstacles: 0 where all stand still, 1 where it is refused,
/// 2 where there are none, 3 where some move.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn wingbeat_world(session: u32) -> u32 {
    let mut told = 0;
    let refused = attempt(session, |open| {
        told = match open.session.world(text(&open.input)?)? {
            Some(moves) => {
                if moves {
                    3
                } else {
                    0
                }
            }
            None => 2,
        };
        Ok(())
    });
    refused.max(told)
}

/// Puts the obstacles where they are at a time.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn wingbeat_set_time(session: u32, time: f64) {
    with(session, (), |open| open.session.set_time(time));
}

/// Where the obstacles' edges are, six `f32` each.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn wingbeat_lines(session: u32) -> *const f32 {
    with(session, std::ptr::null(), |open| open.session.lines().as_ptr())
}

/// How many numbers they have.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn wingbeat_line_numbers(session: u32) -> usize {
    with(session, 0, |open| open.session.lines().len())
}

/// Where their surfaces are, nine `f32` each.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn wingbeat_triangles(session: u32) -> *const f32 {
    with(session, std::ptr::null(), |open| open.session.triangles().as_ptr())
}

/// How many numbers they have.
// SAFETY: no other function of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn wingbeat_triangle_numbers(session: u32) -> usize {
    with(session, 0, |open| open.session.triangles().len())
}

/// Where the bytes are that came out last: JSON, TOML, a frame, a checkpoint, or why something was
/// refused.
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
