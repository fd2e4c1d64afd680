//! Instantiations: what users of a flock call is compiled here, for two dimensions and for three,
//! or, where it is called seldom, in the crate `wingbeat`, and nowhere else.
//!
//! A generic function is compiled anew by each crate that calls it, unless it is `#[inline(never)]`
//! and a crate below has compiled it already: then rustc links it. So every public method of more
//! than a few lines is `#[inline(never)]`, and these tables name them all for both dimensions. A
//! program of 60 lines that embeds the engine took 79 CPU seconds after an edit without them, and 1
//! with them. `.ci/instantiations` looks at the symbols of such a program and fails if a method is
//! missing here.
//!
//! Two tables, because a profile sets the optimization of a whole crate and a crate takes five
//! times as long to compile optimized as not. What works through all boids in a step or in a
//! query is hot; what is called once for a flock, or once for a boid that comes or goes, is not.
//!
//! Methods that are called once a boid (a frame's accessors) stay inlined. A host's own rules are
//! compiled by the host.

use crate::columns::boids::Boids;
#[cfg(feature = "serde")]
use crate::flock::bytes;
use crate::flock::parts::Derived;
use crate::flock::{FlockPlan, builder, checks};
use crate::kernel::{HostRules, OwnRules};
use crate::motion::body;
use crate::motion::obstacle::ObstacleIndex;
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
            let mut named = vec![<() as HostRules<$d>>::erase as *const ()];
            methods!(named, Spawn<$d>: place);
            methods!(named, Flock<$d>: step_by sort steer integrate mean_neighbors);
            methods!(named, Flock<$d>: save load restore);
            methods!(named, Snapshot<$d>: hash);
            named.push(<Flock<$d> as Clone>::clone as *const ());
            methods!(named, Flock<$d>: add_boid add_list remove place_boid set_positions
                set_velocities set_state set_boids send_boid set_goal set_goals set_obstacle_pose);
            methods!(named, Frame<$d>: find shared_positions shared_velocities);
            methods!(named, Flock<$d>: find_within find_nearest neighbors has_room find_first_hit);
            named.push(crate::kernel::model::<$d> as *const ());
            methods!(named, OwnRules<$d>: after);
            methods!(named, Subdomain<$d>: step state_hash mean_neighbors);
            functions!(named, $d, polarization milling mean_speed mean_position order state_hash);
            methods!(named, Individuals<$d>: of of_slices of_columns);
            // The loops over all boids of what is else called seldom.
            methods!(named, Flock<$d>: set_species welcome_all boids_by_id record scatter
                check_columns);
            methods!(named, Boids<$d>: new);
            methods!(named, Derived<$d>: new);
            methods!(named, ObstacleIndex<$d>: new admit_all);
            named.push(builder::numbered::<$d> as *const ());
            named.push(checks::admit_all::<$d> as *const ());
            named.push(checks::distinct_ids::<$d> as *const ());
            named.push(body::set_up::<$d> as *const ());
            #[cfg(feature = "serde")]
            named.push(bytes::boids::packed::<$d> as *const ());
            #[cfg(feature = "serde")]
            named.push(bytes::boids::unpacked::<$d> as *const ());
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

/// What is called seldom: instantiated by the crate `wingbeat`. Never called.
#[doc(hidden)]
pub fn seldom<const D: usize>() -> Vec<*const ()> {
    let mut named = vec![<FlockBuilder<D> as Default>::default as *const ()];
    methods!(named, FlockPlan<D>: build);
    methods!(named, Spawn<D>: check);
    methods!(named, Flock<D>: explain goal traits checkpoint);
    methods!(named, SnapshotRing<D>: new);
    methods!(named, Flock<D>: set_params set_steer_every set_drives set_traits);
    methods!(named, Flock<D>: species_named exit_named source_named drive_named obstacle_named);
    methods!(named, Checkpoint<D>: add put_in_order);
    methods!(named, Subdomain<D>: new join into_flock whole add remove);
    methods!(named, Flock<D>: replace_obstacles set_exits replace_rule);
    named.push(crate::memory::bytes_a_boid::<D> as *const ());
    named
}
