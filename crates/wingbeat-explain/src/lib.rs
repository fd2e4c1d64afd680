//! Explanations of a [flock's](wingbeat) decisions as plain data without a dimension: what `wingbeat explain --json` prints and the
//! live view answers. docs/EXPLAIN.md says what each key holds.
//!
//! ```
//! use wingbeat_explain::Page;
//! use wingbeat_scene::{Machine, Override, Scene};
//! let scene = Scene::load("shoal", &[Override::set("flock.boids=100")?])?;
//! let mut built = scene.build(&Machine::default())?;
//! let page = Page::of(&mut built.flock, 17, scene.name(), scene.dt(), &built.origin)?;
//! assert!(page.json()?.starts_with("{\n  \"scene\": \"shoal\",\n  \"boid\": 17,"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod page;

pub use page::{AdvanceOf, DecisionOf, NeighborOf, Page, RuleOf, SeesOf, TermOf, TurnOf};
