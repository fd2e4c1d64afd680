//! Doors: what every user of a flock needs is compiled here, for two dimensions and for three, and nowhere else.
//!
//! A generic function is compiled anew by each crate that calls it, unless it is `#[inline(never)]` and the crate that defines it has
//! compiled it already: then rustc links it. So every public method of more than a few lines is `#[inline(never)]`, and this table
//! names them all for both dimensions. A program of 60 lines that embeds the engine took 79 CPU seconds after an edit without
//! doors, and 1 with them. `.ci/doors` looks at the symbols of such a program and fails if a method is missing here.
//!
//! Methods that are called once a boid (a frame's accessors) stay inlined. A host's own rules are compiled by the host.
#![forbid(unsafe_code)]

use crate::flock::Plan;
use crate::kernel::Kernel;
use crate::{Flock, FlockBuilder, Frame, Spawn, observe};

macro_rules! doors {
    ($name:ident, $d:literal) => {
        /// Never called: to name a function is to have it compiled.
        #[doc(hidden)]
        pub fn $name() -> Vec<*const ()> {
            vec![
                // In
                <FlockBuilder<$d> as Default>::default as *const (),
                Plan::<$d>::build as *const (),
                <() as Kernel<$d>>::erase as *const (),
                Spawn::<$d>::check as *const (),
                Spawn::<$d>::place as *const (),
                // Steps
                Flock::<$d>::step as *const (),
                Flock::<$d>::sort as *const (),
                Flock::<$d>::steer as *const (),
                Flock::<$d>::integrate as *const (),
                <Flock<$d> as Clone>::clone as *const (),
                // Changes
                Flock::<$d>::set_params as *const (),
                Flock::<$d>::set_steer_every as *const (),
                Flock::<$d>::add as *const (),
                Flock::<$d>::remove as *const (),
                Flock::<$d>::set_position as *const (),
                Flock::<$d>::set_velocity as *const (),
                Flock::<$d>::set_positions as *const (),
                Flock::<$d>::set_velocities as *const (),
                Flock::<$d>::set_state as *const (),
                Flock::<$d>::set_drives as *const (),
                Flock::<$d>::set_goal as *const (),
                Flock::<$d>::set_goals as *const (),
                Flock::<$d>::set_traits as *const (),
                Flock::<$d>::replace_obstacles as *const (),
                Flock::<$d>::set_obstacle_pose as *const (),
                // Out
                Flock::<$d>::mean_neighbors as *const (),
                Flock::<$d>::explain as *const (),
                Flock::<$d>::goal as *const (),
                Flock::<$d>::traits as *const (),
                Frame::<$d>::find as *const (),
                observe::polarization::<$d> as *const (),
                observe::milling::<$d> as *const (),
                observe::mean_speed::<$d> as *const (),
                observe::mean_position::<$d> as *const (),
                observe::nearest_neighbor_distance::<$d> as *const (),
                observe::observables::<$d> as *const (),
                observe::measure::<$d> as *const (),
                observe::State::<$d>::new as *const (),
                observe::State::<$d>::of_columns as *const (),
                observe::State::<$d>::groups as *const (),
                observe::State::<$d>::velocity_correlation as *const (),
                observe::state_hash::<$d> as *const (),
            ]
        }
    };
}
doors!(doors_2, 2);
doors!(doors_3, 3);
