//! Web pages of flocks: one HTML file that holds a player, and a recording to play. Nothing is
//! fetched, by its own policy.
//!
//! ```
//! use std::path::Path;
//! use wingbeat_page::{PageOptions, is_page, replay};
//! use wingbeat_record::{Frames, Options};
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("two.csv");
//! std::fs::write(&path, "frame,id,x,y\n0,1,0,0\n0,2,5,0\n1,1,0,2\n1,2,5,2\n")?;
//! let mut frames =
//!     Frames::open(&path, &Options { fps: Some(10.0), ..Options::default() }, &|_, _| true)?;
//! let page = replay(&mut frames, &PageOptions::default())?;
//! assert_eq!((page.frames, page.every), (2, 1));
//! assert!(is_page(&page.html));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Floor plan
//!
//! ```text
//! survey.rs   one look at all of them: bounds, speeds, observables
//! levels.rs   positions and velocities ◄──► 16-bit levels
//! encode.rs   frames ──► groups: differences, byte planes, deflate
//! packed.rs   bytes ──► text
//! scene.rs    what the player needs to know of the scene, as JSON
//! replay.rs   the page: which frames fit, and all parts in their order
//! pair.rs     two such pages under one timeline
//! own.rs      the page that runs a scene by itself
//! plain.rs    a page of text and tables
//! start.rs    the boids that a run started with, where its scene reads them from a file
//! command.rs  the command line that explains a boid
//! assets.rs   the player itself (assets/) and the engine for it, for a replay or for any other
//!             source of frames
//! ```
//!
//! The format of the data is described at the head of encode.rs.
#![forbid(unsafe_code)]

mod packed;
mod assets;
mod command;
mod plain;
mod scene;
mod start;
mod own;
mod survey;
mod levels;
mod encode;
mod replay;
mod pair;

pub use assets::{PlayerPage, escape, is_page, player};
pub use own::{flock_page, gallery, playground, scene_page};
pub use pair::pair;
pub use plain::plain_page;
pub use replay::{MEGABYTE, Page, PageOptions, frames_that_fit, replay, replay_watched};
pub use scene::scene_json;
