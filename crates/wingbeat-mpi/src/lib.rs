//! Wingbeat's flocks on several machines: the same bits on any number of MPI processes.
//!
//! [`DistributedFlock`] is a [`wingbeat::Flock`] in [parts](wingbeat::subdomain::Subdomain), one
//! for each rank of an MPI communicator. A host with an MPI program of its own steps it there; the
//! program `wingbeat-mpi run SCENE` does so for scenes, with the options of `wingbeat run`:
//!
//! ```text
//! mpirun -n 4 wingbeat-mpi run murmuration --boids 1000000 --json
//! ```
//!
//! How it works and what it costs is in the crate's README.md.
//!
//! ```no_run
//! use mpi::topology::SimpleCommunicator;
//! use wingbeat::{Domain, Flock2, Params, Shape, Spawn, TimeStep};
//! use wingbeat_mpi::DistributedFlock;
//! let universe = mpi::initialize().expect("MPI was not initialized before");
//! let spawn = Spawn { shape: Shape::Box { min: [0.0; 2], max: [100.0; 2] }, ..Spawn::default() };
//! let flock = Flock2::builder()
//!     .domain(Domain::periodic([0.0; 2], [100.0; 2]))
//!     .spawn(10_000, spawn)
//!     .threads(1)
//!     .build()?;
//! let mut flock = DistributedFlock::new(flock, &universe.world())?;
//! let dt = TimeStep::new(0.02)?;
//! for _ in 0..100 {
//!     flock.step(dt)?;
//! }
//! println!("{:016x}", flock.state_hash()?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod ranks;
mod distributed;
mod watch;
#[doc(hidden)]
pub mod program;

pub use distributed::DistributedFlock;
pub use ranks::Ranks;
