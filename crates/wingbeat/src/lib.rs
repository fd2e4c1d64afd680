//! A flocking and crowd-steering engine: boids in columns, bucketed by a grid, steered in parallel
//! SIMD batches.
//!
//! # What it promises, in this order
//!
//! 1. **Right.** A step equals the textbook's double loop bit for bit ([`steer::TextbookFlock`]);
//!    every rule has one written definition.
//! 2. **The same everywhere.** Same flock, same seed, same bits: at any SIMD level, thread count
//!    and build profile.
//! 3. **Fast.** AVX-512, AVX2 or portable SIMD, chosen when the program runs. No RUSTFLAGS needed.
//! 4. **Practical.** Positions are plain `[f32; D]`; boids come, go and keep their ids; whatever is
//!    refused is refused before the first step, with the parameter, the value and what is allowed.
//!
//! # Example
//!
//! ```
//! use wingbeat::prelude::*;
//!
//! let (min, max) = ([0.0; 3], [10.0; 3]);
//! let mut flock = Flock3::builder()
//!     .params(Params::boids(1.0)) // separation, alignment and cohesion within a radius
//!     .domain(Domain::periodic(min, max))
//!     .seed(1)
//!     .spawn(1_000, Shape::Box { min, max })
//!     .build()?;
//! let dt = TimeStep::new(0.02)?;
//! for _ in 0..100 {
//!     flock.step(dt);
//! }
//! for boid in flock.frame().by_id().take(3) {
//!     println!("{} is at {:?}", boid.id, boid.position);
//! }
//! let near = flock.within([5.0, 5.0, 5.0], 1.0).count();
//! println!("{near} near the middle, polarization {:.2}", observe::polarization(&flock.frame()));
//! # Ok::<(), wingbeat::FlockError>(())
//! ```
//!
//! docs/GAMES.md leads from here to a game.
//!
//! # Floor plan
//!
//! ```text
//! FlockBuilder ──► Flock ── step(dt): ── sort       boids into slot order, so that neighbors are
//! (refuses)          │                              neighbors in memory
//!                    │                   steer      every boid looks at its neighbors and decides
//!                    │                   integrate  from steering to velocity to position
//!                    │                   conclude   stamina, captures, arrivals, exits, sources
//!                    ▼
//!                  Frame ──► observe     polarization, milling, mean speed, state_hash
//! ```
//!
//! * [`Params`] says what a flock does: [`Separation`], [`Alignment`], [`Cohesion`],
//!   [`AgentLimits`], [`Combine`](steer::Combine). Every parameter with unit, default, range and
//!   effect is in [`steer::parameters`].
//! * [`Species`] and [`Interaction`](steer::Interaction) make several kinds of agents; a
//!   [`Model`](steer::Model) takes the three rules' place. These, and all that is named here, can
//!   be combined.
//! * [`Domain`] says what lies at the edges, [`Spawn`] where boids start.
//! * [`FlockBuilder::own_rule`] adds an interaction of your own as a closure;
//!   [`Rule`](rule::Rule) and [`pair_rule!`] one at full speed.
//! * [`Drive`](steer::Drive) adds what does not come from neighbors: goals, wander, leaders, paths,
//!   flow fields; [`OwnDrive`](drive::OwnDrive) and [`own_drive!`] one of your own.
//!   [`Flock::events`] lists arrivals.
//! * [`Exit`](steer::Exit)s let boids out of the flock while it runs, [`Source`](steer::Source)s
//!   let others in.
//! * [`Flock::add`], [`Flock::remove`], [`Flock::edit_params`] and their like change a flock
//!   between steps.
//! * [`Flock::within`], [`Flock::nearest`], [`Flock::first_hit`] and [`Flock::is_free`] answer
//!   about places; [`Flock::explain`] says why a boid steers as it does, number by number.
//! * [`prelude`] brings the names a first program needs; [`steer`] has all settings; [`rule`] and
//!   [`simd`] what a rule of one's own is written with.
//! * [`Level`] tells which instructions are used, and can be forced.
//! * Single agents, without a flock, are steered by the crate `wingbeat-steer`, here [`steer`].
//!
//! # Features
//!
//! `plane` and `space`, both on by default: flocks of two dimensions and of three. With one alone
//! (`default-features = false, features = ["plane"]`) the engine takes half as long to compile.
//!
//! `serde`: what a user sets ([`Params`], [`Domain`], [`Spawn`], all settings in [`steer`]) and
//! what a flock tells ([`Boid`], [`Event`]) can be written and read. What is read is checked where
//! a flock is built of it.
//!
//! # The contract
//!
//! Neighbors are summed in **slot order**: the lexicographic order of (cell z, cell y, cell x,
//! id), which depends on parameters and positions only ([`steer::Cells`]). All arithmetic is IEEE
//! single precision, each operation rounded once, nothing fused or estimated, no sum across lanes.
//! So boids out of range never change results, and [`observe::state_hash`] of two runs tells
//! whether they were the same. Calls that change a flock are part of its history. Not promised:
//! hosts that change the rounding mode of the calling thread, and equal bits across versions before
//! 1.0.
//!
//! # Speed in debug builds
//!
//! Without optimisation a step is about 300 times slower. In your own workspace, set
//!
//! ```toml
//! [profile.dev]
//! opt-level = 1        # rules of your own are compiled in your crate
//!
//! [profile.dev.package.wingbeat-engine]
//! opt-level = 3
//! debug = false        # these two: it compiles in less time
//! codegen-units = 1
//! ```
#![forbid(unsafe_code)]

#[cfg(feature = "plane")]
#[doc(inline)]
pub use wingbeat_engine::Flock2;
#[cfg(feature = "space")]
#[doc(inline)]
pub use wingbeat_engine::Flock3;
pub use wingbeat_engine::{
    AgentLimits, Alignment, Cohesion, Domain, Params, Perception, Rules, Separation, Species,
    SpeciesId, TimeStep, prelude, steer,
};
#[doc(inline)]
pub use wingbeat_engine::{
    Boid, BoidId, Event, Flock, FlockBuilder, FlockError, FocalBoid, Frame, HostRules, Level,
    Neighbor, Shape, Spawn, drive, frame, memory, observe, own_drive, pair_rule, query, rule, simd,
    snapshot, subdomain,
};
#[doc(hidden)]
pub use wingbeat_engine::{Brake, Crowds, Storage, measuring};

/// Never called: to name a function is to have it compiled.
#[cfg(feature = "plane")]
#[doc(hidden)]
pub fn seldom_2() -> Vec<*const ()> {
    wingbeat_engine::seldom::<2>()
}

/// Never called.
#[cfg(feature = "space")]
#[doc(hidden)]
pub fn seldom_3() -> Vec<*const ()> {
    wingbeat_engine::seldom::<3>()
}
