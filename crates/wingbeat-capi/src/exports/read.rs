//! What a flock tells.

use std::ffi::c_char;

use wingbeat_scene::NearColumns;

use super::{FLOCKS, tell};
use crate::host::Host;
use crate::raw::Caller;
use crate::status::{Failure, WingbeatStatus, answer};
use crate::types::{
    WingbeatColumns, WingbeatEvents, WingbeatFlock, WingbeatIds, WingbeatObserved, WingbeatSpecies,
};

/// Positions of all boids, without copying. The memory stays as it is, also while the flock steps
/// on, until this function is called for the flock again or the flock is freed.
///
/// Rows are in the order in which the flock keeps its boids, which changes from step to step;
/// wingbeat_ids has the id of each slot. What is asked for without a step or a change between
/// (positions, velocities, ids, species) has the same rows.
// SAFETY: no other function of the library has this name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wingbeat_positions(
    flock: WingbeatFlock,
    columns: *mut WingbeatColumns,
) -> WingbeatStatus {
    // SAFETY: these are the pointers of one call, and the header asks its caller for what `Caller`
    // says.
    let caller = unsafe { Caller::promises() };
    tell(&caller, flock, ("columns", columns), |host| Ok(host.positions()))
}

/// Velocities of all boids, as wingbeat_positions tells positions.
// SAFETY: no other function of the library has this name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wingbeat_velocities(
    flock: WingbeatFlock,
    columns: *mut WingbeatColumns,
) -> WingbeatStatus {
    // SAFETY: these are the pointers of one call, and the header asks its caller for what `Caller`
    // says.
    let caller = unsafe { Caller::promises() };
    tell(&caller, flock, ("columns", columns), |host| Ok(host.velocities()))
}

/// Who is in which row; the memory stays as that of wingbeat_positions does.
// SAFETY: no other function of the library has this name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wingbeat_ids(
    flock: WingbeatFlock,
    ids: *mut WingbeatIds,
) -> WingbeatStatus {
    // SAFETY: these are the pointers of one call, and the header asks its caller for what `Caller`
    // says.
    let caller = unsafe { Caller::promises() };
    tell(&caller, flock, ("ids", ids), |host| Ok(host.ids()))
}

/// Of which species the boid in each row is; the memory stays as that of wingbeat_positions does.
// SAFETY: no other function of the library has this name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wingbeat_species(
    flock: WingbeatFlock,
    species: *mut WingbeatSpecies,
) -> WingbeatStatus {
    // SAFETY: these are the pointers of one call, and the header asks its caller for what `Caller`
    // says.
    let caller = unsafe { Caller::promises() };
    tell(&caller, flock, ("species", species), |host| Ok(host.species()))
}

/// What happened in the steps of the last wingbeat_step; the memory stays as that of
/// wingbeat_positions does.
// SAFETY: no other function of the library has this name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wingbeat_events(
    flock: WingbeatFlock,
    events: *mut WingbeatEvents,
) -> WingbeatStatus {
    // SAFETY: these are the pointers of one call, and the header asks its caller for what `Caller`
    // says.
    let caller = unsafe { Caller::promises() };
    tell(&caller, flock, ("events", events), |host| Ok(host.events()))
}

/// Polarization, milling and mean speed.
// SAFETY: no other function of the library has this name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wingbeat_observe(
    flock: WingbeatFlock,
    observed: *mut WingbeatObserved,
) -> WingbeatStatus {
    // SAFETY: these are the pointers of one call, and the header asks its caller for what `Caller`
    // says.
    let caller = unsafe { Caller::promises() };
    tell(&caller, flock, ("observed", observed), |host| Ok(host.observed()))
}

/// Hash of positions, velocities and ids, as "wingbeat run --json" prints it: two flocks with the
/// same hash are in the same state, bit for bit.
// SAFETY: no other function of the library has this name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wingbeat_state_hash(
    flock: WingbeatFlock,
    hash: *mut u64,
) -> WingbeatStatus {
    // SAFETY: these are the pointers of one call, and the header asks its caller for what `Caller`
    // says.
    let caller = unsafe { Caller::promises() };
    tell(&caller, flock, ("hash", hash), |host| Ok(host.state_hash()))
}

/// All boids within a radius of a point, at exactly the radius included: their ids, and in
/// distances, unless that is NULL, how far each is from the point, through the nearest image in a
/// periodic box. point has as many numbers as the scene has dimensions. They come in an order that
/// is the same on every machine.
///
/// Room for capacity of them is at ids, and at distances as well. *needed is told how many there
/// are; with ids NULL and capacity 0 nothing else is done. Either of ids and needed may be NULL,
/// not both.
///
/// Errors: WINGBEAT_ERROR_SIZE if capacity is less than that, and nothing is written to ids and
/// distances then; WINGBEAT_ERROR_INVALID for a point that is not finite, or a radius that is below
/// 0 or not finite.
// SAFETY: no other function of the library has this name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wingbeat_within(
    flock: WingbeatFlock,
    point: *const f32,
    radius: f32,
    ids: *mut u64,
    distances: *mut f32,
    capacity: usize,
    needed: *mut usize,
) -> WingbeatStatus {
    // SAFETY: these are the pointers of one call, and the header asks its caller for what `Caller`
    // says.
    let caller = unsafe { Caller::promises() };
    tell_found(&caller, flock, point, (ids, distances, capacity, needed), |host, point| {
        host.within(point, radius)
    })
}

/// The count boids nearest to a point, the nearest first; all of them where there are fewer. point,
/// ids, distances, capacity and needed are as in wingbeat_within.
///
/// Errors: WINGBEAT_ERROR_SIZE if capacity is less than how many there are; WINGBEAT_ERROR_INVALID
/// for a point that is not finite.
// SAFETY: no other function of the library has this name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wingbeat_nearest(
    flock: WingbeatFlock,
    point: *const f32,
    count: usize,
    ids: *mut u64,
    distances: *mut f32,
    capacity: usize,
    needed: *mut usize,
) -> WingbeatStatus {
    // SAFETY: these are the pointers of one call, and the header asks its caller for what `Caller`
    // says.
    let caller = unsafe { Caller::promises() };
    tell_found(&caller, flock, point, (ids, distances, capacity, needed), |host, point| {
        host.nearest(point, count)
    })
}

/// Asks about a point and writes ids and distances of what is found, both or neither.
fn tell_found(
    caller: &Caller,
    flock: WingbeatFlock,
    point: *const f32,
    (ids, distances, capacity, needed): (*mut u64, *mut f32, usize, *mut usize),
    ask: impl FnOnce(&Host, &[f32]) -> Result<NearColumns, Failure>,
) -> WingbeatStatus {
    answer(|| {
        let found = FLOCKS
            .with(flock, |host| ask(host, caller.array("point", point, host.dimensions())?))?;
        if !distances.is_null() {
            caller.can_write("distances", distances)?;
        }
        caller.write_all(&found.id, ids, capacity, needed)?;
        if distances.is_null() || ids.is_null() {
            return Ok(());
        }
        caller.write_all(&found.distance, distances, capacity, std::ptr::null_mut())
    })
}

/// Whether a body of a radius has room at a point: in the domain, off its walls and all obstacles
/// by the radius, and overlapping no boid's body; in a flock of points no boid may be nearer than
/// the radius. *is_free is told. point is as in wingbeat_within.
///
/// Errors: WINGBEAT_ERROR_INVALID as wingbeat_within.
// SAFETY: no other function of the library has this name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wingbeat_is_free(
    flock: WingbeatFlock,
    point: *const f32,
    radius: f32,
    is_free: *mut bool,
) -> WingbeatStatus {
    // SAFETY: these are the pointers of one call, and the header asks its caller for what `Caller`
    // says.
    let caller = unsafe { Caller::promises() };
    tell(&caller, flock, ("is_free", is_free), |host| {
        host.is_free(caller.array("point", point, host.dimensions())?, radius)
    })
}

/// Why a boid goes where it goes in the next step, as JSON: the text of "wingbeat explain --json",
/// which boids it sees, every term, what they come to. The flock is sorted for it as its next step
/// would, which changes rows and nothing else. text, capacity and needed are as in wingbeat_toml.
///
/// Errors: WINGBEAT_ERROR_ID for an id of no living boid, WINGBEAT_ERROR_INVALID in scenes whose
/// boids move one after the other.
// SAFETY: no other function of the library has this name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wingbeat_explain(
    flock: WingbeatFlock,
    id: u64,
    text: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> WingbeatStatus {
    // SAFETY: these are the pointers of one call, and the header asks its caller for what `Caller`
    // says.
    let caller = unsafe { Caller::promises() };
    answer(|| {
        caller.write_text(&FLOCKS.with(flock, |host| host.explain(id))?, text, capacity, needed)
    })
}

/// What is accepted but unlikely to be meant, and what was done to the initial state: one line
/// each, empty if there is nothing to tell. text, capacity and needed are as in wingbeat_toml.
// SAFETY: no other function of the library has this name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wingbeat_notes(
    flock: WingbeatFlock,
    text: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> WingbeatStatus {
    // SAFETY: these are the pointers of one call, and the header asks its caller for what `Caller`
    // says.
    let caller = unsafe { Caller::promises() };
    answer(|| {
        caller.write_text(&FLOCKS.with(flock, |host| Ok(host.notes()))?, text, capacity, needed)
    })
}
