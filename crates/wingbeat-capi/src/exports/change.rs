//! What a host changes between steps.

use std::ffi::c_char;
use std::ptr;

use super::{FLOCKS, tell};
use crate::host::Change;
use crate::raw::Caller;
use crate::status::{Failure, WingbeatStatus, answer};
use crate::types::{WingbeatFlock, WingbeatTrait};

/// Changes a key of the scene from the next step on, for example "cohesion.weight" to "0.5"; the
/// value is written as in TOML, and a bare word is a text.
///
/// Errors: WINGBEAT_ERROR_INVALID for a key or value that is not accepted, or that takes effect
/// only when a flock is opened; nothing is changed then.
// SAFETY: no other function of the library has this name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wingbeat_set(
    flock: WingbeatFlock,
    key: *const c_char,
    value: *const c_char,
) -> WingbeatStatus {
    // SAFETY: these are the pointers of one call, and the header asks its caller for what `Caller`
    // says.
    let caller = unsafe { Caller::promises() };
    answer(|| {
        let (key, value) = (caller.text("key", key)?, caller.text("value", value)?);
        FLOCKS.with(flock, |host| host.set(key, value))
    })
}

/// Moves many boids, all or none: rows has as many numbers for each id as there are dimensions, one
/// boid after the other, in the scene's units. numbers is how many it has. Of an id that is named
/// twice the last row counts.
///
/// Errors: WINGBEAT_ERROR_SIZE if numbers is not count times dimensions, WINGBEAT_ERROR_ID for an
/// id of no living boid, WINGBEAT_ERROR_INVALID for a number that is not accepted; nothing is
/// changed then.
// SAFETY: no other function of the library has this name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wingbeat_set_positions(
    flock: WingbeatFlock,
    ids: *const u64,
    count: usize,
    rows: *const f32,
    numbers: usize,
) -> WingbeatStatus {
    // SAFETY: these are the pointers of one call, and the header asks its caller for what `Caller`
    // says.
    let caller = unsafe { Caller::promises() };
    set_rows(&caller, flock, Change::Positions, (ids, count), (rows, numbers))
}

/// Changes the velocities of many boids, all or none, as wingbeat_set_positions does positions.
// SAFETY: no other function of the library has this name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wingbeat_set_velocities(
    flock: WingbeatFlock,
    ids: *const u64,
    count: usize,
    rows: *const f32,
    numbers: usize,
) -> WingbeatStatus {
    // SAFETY: these are the pointers of one call, and the header asks its caller for what `Caller`
    // says.
    let caller = unsafe { Caller::promises() };
    set_rows(&caller, flock, Change::Velocities, (ids, count), (rows, numbers))
}

/// Gives many boids goals of their own, all or none, as wingbeat_set_positions does positions; the
/// scene's drives of the kind goal lead there. With rows NULL and numbers 0 they have none of their
/// own any more.
// SAFETY: no other function of the library has this name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wingbeat_set_goals(
    flock: WingbeatFlock,
    ids: *const u64,
    count: usize,
    rows: *const f32,
    numbers: usize,
) -> WingbeatStatus {
    // SAFETY: these are the pointers of one call, and the header asks its caller for what `Caller`
    // says.
    let caller = unsafe { Caller::promises() };
    if rows.is_null() && numbers == 0 {
        return answer(|| {
            let ids = caller.array("ids", ids, count)?;
            FLOCKS.with(flock, |host| host.forget_goals(ids))
        });
    }
    set_rows(&caller, flock, Change::Goals, (ids, count), (rows, numbers))
}

fn set_rows(
    caller: &Caller,
    flock: WingbeatFlock,
    what: Change,
    (ids, count): (*const u64, usize),
    (rows, numbers): (*const f32, usize),
) -> WingbeatStatus {
    answer(|| {
        let (ids, rows) = (caller.array("ids", ids, count)?, caller.array("rows", rows, numbers)?);
        FLOCKS.with(flock, |host| host.set_rows(what, ids, rows))
    })
}

/// Moves every boid at once: rows by ascending id, as many numbers in each array as boids times
/// dimensions.
///
/// Errors: as wingbeat_set_positions.
// SAFETY: no other function of the library has this name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wingbeat_set_state(
    flock: WingbeatFlock,
    positions: *const f32,
    velocities: *const f32,
    numbers: usize,
) -> WingbeatStatus {
    // SAFETY: these are the pointers of one call, and the header asks its caller for what `Caller`
    // says.
    let caller = unsafe { Caller::promises() };
    answer(|| {
        let positions = caller.array("positions", positions, numbers)?;
        let velocities = caller.array("velocities", velocities, numbers)?;
        FLOCKS.with(flock, |host| host.set_state(positions, velocities))
    })
}

/// Changes a number that boids have of their own, all or none: kind is a number of WingbeatTrait,
/// and values has one for each id. With values NULL they have that of their species again.
///
/// Errors: WINGBEAT_ERROR_ID for an id of no living boid, WINGBEAT_ERROR_INVALID for a kind or
/// number that is not accepted; nothing is changed then.
// SAFETY: no other function of the library has this name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wingbeat_set_trait(
    flock: WingbeatFlock,
    kind: u32,
    ids: *const u64,
    count: usize,
    values: *const f32,
) -> WingbeatStatus {
    // SAFETY: these are the pointers of one call, and the header asks its caller for what `Caller`
    // says.
    let caller = unsafe { Caller::promises() };
    answer(|| {
        let known = WingbeatTrait::of(kind);
        let kind = known.ok_or_else(|| {
            Failure::invalid(format!("kind = {kind}: allowed is a number of WingbeatTrait"))
        })?;
        let (ids, values) =
            (caller.array("ids", ids, count)?, caller.array_or_none("values", values, count)?);
        FLOCKS.with(flock, |host| host.set_trait(kind, ids, values))
    })
}

/// Changes the species of many boids, all or none: a place in the scene's list of species for each
/// id.
///
/// Errors: as wingbeat_set_trait.
// SAFETY: no other function of the library has this name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wingbeat_set_species(
    flock: WingbeatFlock,
    ids: *const u64,
    count: usize,
    species: *const u32,
) -> WingbeatStatus {
    // SAFETY: these are the pointers of one call, and the header asks its caller for what `Caller`
    // says.
    let caller = unsafe { Caller::promises() };
    answer(|| {
        let (ids, species) =
            (caller.array("ids", ids, count)?, caller.array("species", species, count)?);
        FLOCKS.with(flock, |host| host.set_species(ids, species))
    })
}

/// Adds many boids, all or none, in rows; numbers is how many each array has. Their ids follow one
/// another from *first_id on, which may be NULL.
///
/// Errors: WINGBEAT_ERROR_SIZE if numbers is no multiple of the dimensions, WINGBEAT_ERROR_INVALID
/// for a number that is not accepted or where there is no room; nothing is changed then.
// SAFETY: no other function of the library has this name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wingbeat_add(
    flock: WingbeatFlock,
    positions: *const f32,
    velocities: *const f32,
    numbers: usize,
    first_id: *mut u64,
) -> WingbeatStatus {
    // SAFETY: these are the pointers of one call, and the header asks its caller for what `Caller`
    // says.
    let caller = unsafe { Caller::promises() };
    let mut untold = 0;
    let first_id = if first_id.is_null() { ptr::from_mut(&mut untold) } else { first_id };
    let arrays = caller.array("positions", positions, numbers);
    let arrays = arrays
        .and_then(|positions| Ok((positions, caller.array("velocities", velocities, numbers)?)));
    tell(&caller, flock, ("first_id", first_id), |host| {
        arrays.and_then(|(positions, velocities)| host.add(positions, velocities))
    })
}

/// Removes boids, all or none.
///
/// Errors: WINGBEAT_ERROR_ID for an id that is of no living boid or named twice; nothing is changed
/// then.
// SAFETY: no other function of the library has this name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wingbeat_remove(
    flock: WingbeatFlock,
    ids: *const u64,
    count: usize,
) -> WingbeatStatus {
    // SAFETY: these are the pointers of one call, and the header asks its caller for what `Caller`
    // says.
    let caller = unsafe { Caller::promises() };
    answer(|| {
        let ids = caller.array("ids", ids, count)?;
        FLOCKS.with(flock, |host| host.remove(ids))
    })
}

/// Says where an obstacle whose motion is "host" will be after the next step: position is what is
/// added to its shape's coordinates, as many numbers as there are dimensions; angle turns the shape
/// about its origin, in degrees counterclockwise, -360 to 360, and 0 in space.
///
/// Errors: WINGBEAT_ERROR_SIZE if numbers is not the dimensions, WINGBEAT_ERROR_INVALID for an
/// obstacle that is not there or that the host does not move.
// SAFETY: no other function of the library has this name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wingbeat_set_obstacle_pose(
    flock: WingbeatFlock,
    name: *const c_char,
    position: *const f32,
    numbers: usize,
    angle: f32,
) -> WingbeatStatus {
    // SAFETY: these are the pointers of one call, and the header asks its caller for what `Caller`
    // says.
    let caller = unsafe { Caller::promises() };
    answer(|| {
        let (name, position) =
            (caller.text("name", name)?, caller.array("position", position, numbers)?);
        FLOCKS.with(flock, |host| host.set_obstacle_pose(name, position, angle))
    })
}
