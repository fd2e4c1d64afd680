//! The structs and numbers of the header.

use std::ffi::c_char;

/// A flock: a number that the library gives. 0 is never one, and a number is never given twice, so
/// that a flock that was freed is answered with WINGBEAT_ERROR_HANDLE wherever it is used.
pub type WingbeatFlock = u64;

/// Number of this interface: functions and structs of headers with the same number fit together.
/// wingbeat_interface tells the library's.
pub const WINGBEAT_INTERFACE: u32 = 1;

/// In WingbeatEvents.other: there is nothing else to tell.
pub const WINGBEAT_NOTHING_ELSE: u64 = u64::MAX;

/// How a flock is opened. All zeros is the usual: WingbeatOptions options = {0}; set what differs.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WingbeatOptions {
    /// Threads that step the flock, 1 to 1024, started for it alone; 1: the calling thread, and
    /// none is started. 0: as many as the machine has, which all flocks of the program share. No
    /// result depends on it.
    pub threads: u32,
    /// Name of a SIMD level of wingbeat_levels; NULL: the best that the machine has. No result
    /// depends on it.
    pub level: *const c_char,
    /// Keys of the scene that are changed before the flock is built, each "KEY=VALUE" with a TOML
    /// value, for example "flock.boids=500".
    pub overrides: *const *const c_char,
    /// How many there are.
    pub override_count: usize,
    /// Where boids start, in rows: as many numbers for each as the scene has dimensions. They get
    /// the ids 0, 1, 2 and so on. NULL: as the scene says.
    pub start_positions: *const f32,
    /// Their velocities, in rows. NULL with start_positions: all at rest.
    pub start_velocities: *const f32,
    /// How many numbers start_positions has, and start_velocities: boids times dimensions.
    pub start_numbers: usize,
    /// Their species, as places in the scene's list. NULL: as the scene deals them out.
    pub start_species: *const u32,
    /// How many start_species has: as many as there are boids.
    pub start_species_count: usize,
}

/// How things stand with a flock.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WingbeatState {
    /// Steps made.
    pub steps: u64,
    /// Time passed, in the scene's unit.
    pub time: f64,
    /// Time of one step, in the scene's unit.
    pub dt: f64,
    /// Number of boids.
    pub count: usize,
    /// 2 or 3.
    pub dimensions: u32,
    /// Threads that step it.
    pub threads: u32,
    /// Name of its SIMD level; the text stays for as long as the program runs.
    pub level: *const c_char,
}

/// What can be said of a flock as a whole; NaN where a flock of no boid has no such number.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WingbeatObserved {
    /// Length of the mean direction: 1 where all go one way, about 0 where they go anywhere.
    pub polarization: f64,
    /// How far they go round a common middle: 1 is a mill.
    pub milling: f64,
    /// Mean speed, in the scene's units.
    pub mean_speed: f64,
}

/// Positions or velocities of all boids at one moment, an axis after the other: component a of the
/// boid in row i is data[a * stride + i].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WingbeatColumns {
    /// The numbers; NULL where there are none. The memory is the flock's.
    pub data: *const f32,
    /// Numbers from one component of a boid to its next, at least count.
    pub stride: usize,
    /// Number of boids.
    pub count: usize,
    /// 2 or 3.
    pub dimensions: u32,
}

/// Who is in which row.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WingbeatIds {
    /// An id for each row; NULL where there is no boid. The memory is the flock's.
    pub data: *const u64,
    /// Number of boids.
    pub count: usize,
}

/// Of which species the boid in each row is.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WingbeatSpecies {
    /// Places in the scene's list of species; NULL where the scene has none. The memory is the
    /// flock's.
    pub data: *const u32,
    /// Number of boids; 0 where the scene has no species.
    pub count: usize,
}

/// What happened in the steps of the last wingbeat_step, in columns of as many rows, in the order
/// in which it happened.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WingbeatEvents {
    /// In which step: the first of a flock is 1. All four are NULL where nothing happened; the
    /// memory is the flock's.
    pub step: *const u64,
    /// What: numbers of WingbeatEvent.
    pub kind: *const u8,
    /// To which; of a capture, the captor.
    pub boid: *const u64,
    /// Which boids it captured, or the place of the drive, exit or source in the scene;
    /// WINGBEAT_NOTHING_ELSE where there is none.
    pub other: *const u64,
    /// How many events.
    pub count: usize,
}

/// cbindgen:prefix-with-name
/// Kinds of events.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WingbeatEvent {
    /// A boid caught its prey, which has left the flock.
    Captured = 0,
    /// A boid has come to a goal.
    Arrived = 1,
    /// A boid has left the flock by an exit.
    Exited = 2,
    /// A moving obstacle overlaps a body that has no room to give way.
    Squeezed = 3,
    /// A boid has left an absorbing domain, and so the flock.
    Left = 4,
    /// A boid has come from a source.
    Entered = 5,
}

/// cbindgen:prefix-with-name
/// What wingbeat_set_trait changes.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WingbeatTrait {
    /// Maximum speed.
    MaxSpeed = 0,
    /// Mass.
    Mass = 1,
    /// Radius of the body, in flocks with bodies.
    Radius = 2,
}

impl WingbeatTrait {
    /// The trait of a number that C sent, which may be any.
    pub(crate) fn of(number: u32) -> Option<Self> {
        [Self::MaxSpeed, Self::Mass, Self::Radius].into_iter().find(|&known| known as u32 == number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wingbeat_session::{EVENT_KINDS, NOTHING_ELSE};

    #[test]
    fn events_have_the_numbers_of_other_hosts() {
        use WingbeatEvent::*;
        let all = [Captured, Arrived, Exited, Squeezed, Left, Entered];
        assert_eq!(all.map(|kind| format!("{kind:?}").to_lowercase()), EVENT_KINDS);
        assert!(all.iter().enumerate().all(|(number, &kind)| kind as usize == number));
        assert_eq!(WINGBEAT_NOTHING_ELSE, NOTHING_ELSE);
    }

    #[test]
    fn numbers_of_no_trait_are_none() {
        assert_eq!(
            [0, 1, 2, 3, u32::MAX].map(|number| WingbeatTrait::of(number).is_some()),
            [true, true, true, false, false]
        );
    }
}
