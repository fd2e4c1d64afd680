//! Flocks come and go, and step.

use std::ffi::c_char;

use super::{FLOCKS, tell};
use crate::host::{Host, Opening, Rows, Source};
use crate::raw::Caller;
use crate::status::{Failure, WingbeatStatus, answer};
use crate::types::{WingbeatFlock, WingbeatOptions, WingbeatState};

/// Opens a preset, or a scene in a file; what has an ending or a slash is a path. options may be
/// NULL: all as usual. wingbeat_free frees the flock when it is no longer needed.
///
/// Errors: WINGBEAT_ERROR_INVALID for a scene, file or option that is not accepted,
/// WINGBEAT_ERROR_MACHINE for threads that would not start; *flock is 0 then.
// SAFETY: no other function of the library has this name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wingbeat_open(
    scene: *const c_char,
    options: *const WingbeatOptions,
    flock: *mut WingbeatFlock,
) -> WingbeatStatus {
    // SAFETY: these are the pointers of one call, and the header asks its caller for what `Caller`
    // says.
    let caller = unsafe { Caller::promises() };
    open(&caller, options, flock, || Ok(Source::Place(caller.text("scene", scene)?)))
}

/// Opens a scene from its TOML text; name is what messages call it, NULL: "scene". Files that it
/// names are looked for in the working directory.
///
/// Errors: as wingbeat_open.
// SAFETY: no other function of the library has this name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wingbeat_open_toml(
    name: *const c_char,
    toml: *const c_char,
    options: *const WingbeatOptions,
    flock: *mut WingbeatFlock,
) -> WingbeatStatus {
    // SAFETY: these are the pointers of one call, and the header asks its caller for what `Caller`
    // says.
    let caller = unsafe { Caller::promises() };
    open(&caller, options, flock, || {
        Ok(Source::Text(
            caller.text_or_none("name", name)?.unwrap_or("scene"),
            caller.text("toml", toml)?,
        ))
    })
}

fn open<'a>(
    caller: &'a Caller,
    options: *const WingbeatOptions,
    flock: *mut WingbeatFlock,
    source: impl FnOnce() -> Result<Source<'a>, Failure>,
) -> WingbeatStatus {
    answer(|| {
        caller.write("flock", flock, 0)?;
        let opening = caller
            .value_or_none("options", options)?
            .map(|options| opening(caller, &options))
            .transpose()?;
        let host = Host::open(&source()?, &opening.unwrap_or_default())?;
        caller.write("flock", flock, FLOCKS.insert(host)?)
    })
}

fn opening<'a>(caller: &'a Caller, options: &WingbeatOptions) -> Result<Opening<'a>, Failure> {
    let overrides = caller.array("overrides", options.overrides, options.override_count)?;
    let overrides =
        overrides.iter().map(|&text| caller.text("overrides", text)).collect::<Result<_, _>>()?;
    let numbers = options.start_numbers;
    let start = match caller.array_or_none("start_positions", options.start_positions, numbers)? {
        Some(positions) => Some(Rows {
            positions,
            velocities: caller.array_or_none(
                "start_velocities",
                options.start_velocities,
                numbers,
            )?,
            species: caller.array_or_none(
                "start_species",
                options.start_species,
                options.start_species_count,
            )?,
        }),
        None if numbers > 0 => {
            return Err(Failure::size(format!(
                "start_numbers = {numbers}: allowed without start_positions is 0"
            )));
        }
        None => None,
    };
    Ok(Opening {
        threads: options.threads,
        level: caller.text_or_none("level", options.level)?,
        overrides,
        start,
    })
}

/// Frees a flock. All pointers to its memory (columns, ids, species, events) end with it. A number
/// that was freed, also twice, is answered.
// SAFETY: no other function of the library has this name.
#[unsafe(no_mangle)]
pub extern "C" fn wingbeat_free(flock: WingbeatFlock) -> WingbeatStatus {
    answer(|| FLOCKS.remove(flock))
}

/// Makes so many steps; see wingbeat_events for what happens in them.
// SAFETY: no other function of the library has this name.
#[unsafe(no_mangle)]
pub extern "C" fn wingbeat_step(flock: WingbeatFlock, steps: u64) -> WingbeatStatus {
    answer(|| {
        FLOCKS.with(flock, |host| {
            host.step(steps);
            Ok(())
        })
    })
}

/// Tells how things stand: steps, time, number of boids, dimensions and the like.
// SAFETY: no other function of the library has this name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wingbeat_state(
    flock: WingbeatFlock,
    state: *mut WingbeatState,
) -> WingbeatStatus {
    // SAFETY: these are the pointers of one call, and the header asks its caller for what `Caller`
    // says.
    let caller = unsafe { Caller::promises() };
    tell(&caller, flock, ("state", state), |host| Ok(host.state()))
}
