//! Instantiations: what users of a flock call is compiled here, for two dimensions and for three,
//! and nowhere else.
//!
//! A generic function is compiled anew by each crate that calls it, unless it is `#[inline(never)]`
//! and the crate that defines it has compiled it already: then rustc links it. So every public
//! method of more than a few lines is `#[inline(never)]`, and this table names them all for both
//! dimensions. A program of 60 lines that embeds the engine took 79 CPU seconds after an edit
//! without them, and 1 with them. `.ci/instantiations` looks at the symbols of such a program and
//! fails if a method is missing here.
//!
//! Methods that are called once a boid (a frame's accessors) stay inlined. A host's own rules are
//! compiled by the host.

use crate::flock::FlockPlan;
use crate::kernel::HostRules;
use crate::observe::{individuals::Individuals, means};
use crate::snapshot::{Checkpoint, Snapshot, SnapshotRing};
use crate::subdomain::Subdomain;
use crate::{Flock, FlockBuilder, Frame, Spawn, observe};

/// `methods!(named, Owner: one other)`: to name a function is to have it compiled.
macro_rules! methods {
    ($named:ident, $owner:ty: $($method:ident)*) => {
        $($named.push(<$owner>::$method as *const ());)*
    };
}

macro_rules! functions {
    ($named:ident, $d:literal, $($function:ident)*) => {
        $($named.push(observe::$function::<$d> as *const ());)*
    };
}

macro_rules! instantiations {
    ($name:ident, $d:literal) => {
        /// Never called.
        #[doc(hidden)]
        pub fn $name() -> Vec<*const ()> {
            let mut named = vec![<FlockBuilder<$d> as Default>::default as *const ()];
            methods!(named, FlockPlan<$d>: build);
            named.push(<() as HostRules<$d>>::erase as *const ());
            methods!(named, Spawn<$d>: check place);
            methods!(named, Flock<$d>: step_by sort steer integrate mean_neighbors explain goal
                traits);
            methods!(named, Flock<$d>: checkpoint restore save load);
            methods!(named, Snapshot<$d>: hash);
            methods!(named, SnapshotRing<$d>: new);
            methods!(named, Flock<$d>: set_params set_steer_every set_drives set_goal set_goals
                set_traits);
            methods!(named, Flock<$d>: add_boid add_list remove place_boid set_positions send_boid
                set_velocities set_state set_boids species_named exit_named source_named
                drive_named obstacle_named);
            methods!(named, Checkpoint<$d>: add put_in_order);
            methods!(named, Subdomain<$d>: new join step into_flock state_hash whole add remove
                mean_neighbors);
            methods!(named, Flock<$d>: replace_obstacles set_obstacle_pose set_exits);
            named.push(<Flock<$d> as Clone>::clone as *const ());
            methods!(named, Frame<$d>: find shared_positions shared_velocities);
            methods!(named, Flock<$d>: replace_rule find_within find_nearest neighbors has_room
                find_first_hit);
            named.push(crate::memory::bytes_a_boid::<$d> as *const ());
            functions!(named, $d, polarization milling mean_speed mean_position order state_hash);
            methods!(named, Individuals<$d>: of of_slices of_columns);
            named.push(means::measure::<$d> as *const ());
            named.push(means::mean_position::<$d> as *const ());
            named
        }
    };
}
#[cfg(feature = "plane")]
instantiations!(instantiations_2, 2);
#[cfg(feature = "space")]
instantiations!(instantiations_3, 3);
