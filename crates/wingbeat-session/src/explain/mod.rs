//! Explanations of a [flock's](wingbeat) decisions in scenes of either dimension: what `wingbeat
//! explain --json` prints and the live view answers with.
//!
//! ```
//! use wingbeat_session::explain::SceneExplanation;
//! use wingbeat_scene::{Machine, Override, Scene};
//! let scene = Scene::load("shoal", &[Override::set("flock.boids=100")?])?;
//! let mut built = scene.build(&Machine::default())?;
//! let why = SceneExplanation::of(&mut built.flock, 17, scene.name(), scene.dt(), &built.origin)?;
//! assert!(why.json()?.starts_with("{\n  \"scene\": \"shoal\",\n  \"sentence\": "));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Keys of the JSON
//!
//! Each number has enough digits to give the same `f32` when it is read. All neighbors are listed,
//! for each rule, in the order in which the engine adds them (slot order), each with the part that
//! it `adds` to the rule's sum.
//!
//! * `scene`, `boid`, `step`, `dt`: what was asked; `step` counts the steps made before
//! * `position`, `velocity`, `heading`, `at_rest`: the boid before the step; positions are the
//!   engine's, `origin` added to them gives the scene's
//! * `sentence`: the first line of the text, without its subject
//! * `species`, `stamina`: name of the boid's species; `left`, `capacity` and `resting`. Left out
//!   where there is none
//! * `turn`: `kind`: `every_step`; `due` with `every`; or `holds` with `every`, `force` and
//!   `steps_left`
//! * `decision`: `kind` `terms`: `combine`, `terms`, `sum`, `cut_to` (max_force where it cut),
//!   `steering`; `kind` `model`: `name`, `sees`, `wanted` (what the model says), `terms` (further
//!   ones, none if the flock has none), `walls` (the one of them that is their push), `sum` of
//!   both, `joined` (`alone`, `sum`, `direction`, `velocity` or `kept`) and `speed` (under
//!   `velocity`), `steering`
//! * `terms[]`: `term` (`separation`, `alignment`, `cohesion`, `formation`, `interactions`,
//!   `drive[N]`, `rule[N]`, `obstacles` or `walls`), `name` and `kind` in the scene (of drives),
//!   `sees`, `rule` (of the first four), `weighted`; `budget`, `served` (1: all of it), `taken`
//!   under `prioritized`
//! * `drive`: of drives only: `applies` (whether it is for the boid's species and state),
//!   `target`, `offset` and `distance` (where it leads, and the way there), `desired` (the
//!   velocity it would have the boid take), `waypoint` (counted from 1) of `waypoints`, `leader`
//!   (an id), `arrived`, `waits` (its delay is not over), `force`, `weight`; what does not apply
//!   to the kind is left out
//! * `interactions[]`: of the term `interactions` only: `kind` (`flee`, `pursue`, `evade`),
//!   `species`, `radius`, `neighbor` (`null`: no boid, or the boid rests), `force`, `weight`,
//!   `weighted`
//! * `obstacle`: of the term `obstacles` only, where one is in the way: `name`, `urgency`,
//!   `depth`
//! * `sees`: `radius` (`null`: all boids), `cos_half_view` (`null`: all round), `near_radius`,
//!   `nearest`, `out_of_sight`, `beyond_cap`, `neighbors[]`: `id`, `species` (where the flock has
//!   some), `offset`, `distance`, `angle`, `velocity`, `coincident`, `only_near`, `adds`
//! * `rule`: `sum`, `included`, `mean`, `subtracted`, `parting`, `wanted`, `response_kind`,
//!   `response`, `weight`; `null` where a rule has no such part
//! * `steering`: what counts in the step
//! * `advance`: `anticipation` (of flocks that have some), `acceleration`, `wanted_velocity`,
//!   `limit` and `limit_value`, `limited_velocity`, `moved_to`, `met_edge` for each axis, `edge`
//!   (`wraps`, `reflects`, `stops` or `lets_out`; left out where it does nothing), `obstacle`
//!   (name of one that kept the boid outside), `hindered` (where others were in its way),
//!   `squeezed` (true where an obstacle overlaps the boid after the step), `position`, `velocity`
//! * `anticipation`: `model`, `preferred` (the velocity it would choose by its steering alone),
//!   `asked` (that after noise and the turn), `blocked` (the angle of that turn to the right,
//!   radians), `others` (ids of those it looks at), `walls` (how many), `velocity` or `force`
//!   (what the model says)
//! * `hindered`: `by` (ids of those in its way), `wanted` and `way` (wanted, and left of it),
//!   `slides`, `part` (of the slid way), `squeezed`
//!
//! `limit` is `none`, `max_speed`, `min_speed`, `min_speed_onwards` (it wanted rest, and goes on
//! the way it went), `min_speed_from_rest` (it was at rest too, and sets off by hash),
//! `smoothing`, `kept` (no direction: the velocity stays), `range`, `turning_rate`, `leaning` or
//! `anticipation` (the velocity is the model's).
//!
//! # In a program
//!
//! `Flock::explain(id, dt)` returns the numbers; with the feature `serde` they are written with the
//! keys above.
//!
//! ```
//! use wingbeat::steer::Decision;
//! use wingbeat::{Alignment, Flock2, Params, Rules, Separation, Shape, Spawn, TimeStep};
//!
//! let params = Params {
//!     rules: Rules {
//!         separation: Some(Separation::default()),
//!         alignment: Some(Alignment::default()),
//!         ..Default::default()
//!     },
//!     ..Default::default()
//! };
//! let spawn = Spawn { shape: Shape::Box { min: [0.0; 2], max: [5.0; 2] }, ..Spawn::default() };
//! let mut flock = Flock2::builder().params(params).seed(1).spawn(100, spawn).build()?;
//! let (dt, id) = (TimeStep::new(0.05)?, flock.frame().boid(17).id);
//!
//! let why = flock.explain(id, dt)?;
//! if let Decision::Terms(combined) = &why.decision {
//!     for part in &combined.terms {
//!         let seen = part.sees.as_ref().map_or(0, |sees| sees.neighbors.len());
//!         println!("{:?}: {:?} from {seen} neighbors", part.term, part.weighted);
//!     }
//! }
//! let velocity = why.advance.velocity;
//! flock.step(dt);
//! assert_eq!(flock.frame().find(id)?.velocity, velocity);
//! # Ok::<(), wingbeat::FlockError>(())
//! ```
//!
//! The flock is sorted for this if it is not yet, once however many boids are explained; that
//! changes no result. The candidates are then those of the flock's own grid, not all boids. A rule
//! of the host's own has no scalar form to take apart: its term has the neighbors that the rule
//! sees and its force, for which the kernel itself is run on that boid alone.
//! `TextbookFlock::explain` of `wingbeat-steer` gives the same without an engine, over all boids.

use serde::Serialize;
use wingbeat::{BoidId, FlockError, TimeStep, query::Explanation};
use wingbeat_scene::AnyFlock;

mod movement;
mod sentence;

use sentence::sentence;

/// Why one boid of a scene goes where it goes in one step. Numbers are written with enough digits
/// to give the same `f32` when they are read; scripts rely on the keys.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct SceneExplanation {
    /// Name of the scene.
    pub scene: String,
    /// The answer in one sentence without its subject: what the boid does in the step, and what
    /// contributes most to that.
    pub sentence: String,
    /// Where the scene's zero lies in the world: positions are the engine's, and this added to them
    /// gives the scene's.
    pub origin: Vec<f64>,
    /// The decision and the step.
    #[serde(flatten)]
    pub explanation: AnyExplanation,
}

/// An explanation of either dimension.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum AnyExplanation {
    /// In the plane.
    Two(Explanation<2>),
    /// In space.
    Three(Explanation<3>),
}

impl SceneExplanation {
    /// Explains what a boid of a scene's flock will do in the next step; `origin` is where the
    /// scene's zero lies in the world.
    ///
    /// # Errors
    /// When there is no boid of this id.
    pub fn of(
        flock: &mut AnyFlock,
        id: u64,
        scene: &str,
        dt: TimeStep,
        origin: &[f64],
    ) -> Result<Self, FlockError> {
        let id = BoidId::new(id);
        let (sentence, explanation) = match flock {
            AnyFlock::Two(flock) => {
                let why = flock.explain(id, dt)?;
                (sentence(&why), AnyExplanation::Two(why))
            }
            AnyFlock::Three(flock) => {
                let why = flock.explain(id, dt)?;
                (sentence(&why), AnyExplanation::Three(why))
            }
        };
        Ok(Self { scene: scene.to_string(), sentence, origin: origin.to_vec(), explanation })
    }

    /// One JSON object, on many lines.
    ///
    /// # Errors
    /// None in practice: numbers and texts can always be written.
    pub fn json(&self) -> serde_json::Result<String> {
        serde_json::to_string_pretty(self).map(|text| text + "\n")
    }
}
