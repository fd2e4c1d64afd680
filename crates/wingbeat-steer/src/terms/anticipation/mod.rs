//! Anticipation models: how bodies avoid others and walls ahead.
//!
//! A model is asked with everything it may look at: the one that moves ([`Mover`]), the others near
//! it ([`Nearby`]) and the obstacles near it ([`Wall`]). Two kinds answer. [`Orca`] and
//! [`CollisionFreeSpeed`] say which velocity to take ([`Anticipation::velocity`]); [`SocialForce`]
//! and [`PowerLaw`] say a force, which is added to the combined steering after `max_force` has cut
//! it ([`Anticipation::force`]); it is no [`Term`](crate::Term). No model promises that bodies
//! never overlap: that is what the solid bodies themselves are for.
//! [`GettingThrough`] is what all four have in common: a turn of the wish where progress is poor,
//! and noise.
//!
//! "Model" means an anticipation model in this module, and in `step/` beside it; a
//! [`Model`](crate::Model) is a whole flock's.
//!
//! One file a model: its parameters, its formula, its source, and what was chosen where sources
//! disagree.
//!
//! ```
//! use wingbeat_steer::anticipation::{Anticipation, Mover, Nearby, Orca};
//! let orca = Anticipation::from(Orca { time_horizon: 5.0, ..Default::default() });
//! assert!(orca.check().is_ok() && orca.is_velocity());
//! let walker = Mover {
//!     id: 0,
//!     seed: 1,
//!     step: 0,
//!     velocity: [1.0, 0.0],
//!     preferred: [1.0, 0.0],
//!     radius: 0.25,
//!     max_speed: 1.5,
//!     dt: 0.1,
//! };
//! // A boid comes the other way, 4 ahead: both keep to their right.
//! let other = Nearby {
//!     offset: [4.0, 0.0],
//!     distance_sq: 16.0,
//!     velocity: [-1.0, 0.0],
//!     radius: 0.25,
//!     share: 0.5,
//! };
//! let [x, y] = orca.velocity(&walker, &[other], &[]);
//! assert!(y < -0.1 && x > 0.9);
//! ```

// How to add an anticipation model. A file here with `parameters!` and `impl
// AnticipationDefinition`, and a line in `catalogue!`. The engine calls the
// definition itself (motion/anticipate/), keys and sliders follow from the parameters. Formula and
// source in MODEL.md; small cases by hand in tests/it/anticipation.rs; combinations.rs draws it
// from `anticipations()`. Then `WINGBEAT_WRITE_DOCS=1 cargo test -p wingbeat-scene`.

use crate::terms::anticipation::definition::AnticipationDefinition;

use crate::schema::parameter_info::ParameterInfo;
use crate::{ParamError, Vector};

pub use crate::schema::parameter_info::Parameters;

pub(crate) mod answer;
pub(crate) mod definition;
pub(crate) mod getting_through;
pub(crate) mod program;
mod shared;

pub use crate::space::right::{to_the_right, turned_right};
pub use answer::{Answer, Anticipated, Decided, Wish};
pub use definition::{Mover, Nearby, Wall, faces_near};
pub use getting_through::{
    COMING, GETTING_ON, GettingThrough, LARGEST_TURN, MANY, ROOT_3, WAITING,
};
pub use program::Program;
pub use shared::{LARGEST_EXPONENT, exponential};

catalogue! {
    ($)
    /// A model of anticipation, with its parameters.
    pub enum Anticipation of AnticipationDefinition:
        each_anticipation, anticipations, "anticipation", "kind" {
        pub orca::Orca,
        social_force::SocialForce,
        collision_free_speed::CollisionFreeSpeed,
        power_law::PowerLaw,
    }
}

impl Anticipation {
    /// Whether it answers with a velocity ([`velocity`](Self::velocity)); otherwise with a
    /// [`force`](Self::force).
    pub fn is_velocity(&self) -> bool {
        each_anticipation!(self, _model: Entry => Entry::IS_VELOCITY)
    }

    /// How many it looks at, the nearest by (d², id); `None`: everyone within
    /// [`reach`](Self::reach).
    pub fn nearest(&self) -> Option<usize> {
        each_anticipation!(self, model => model.nearest())
    }

    fn distance(&self) -> f32 {
        each_anticipation!(self, model => model.distance())
    }

    fn answer<V: Vector>(
        &self,
        program: &mut Program<V>,
        mover: &Mover<V>,
        others: &[Nearby<V>],
        walls: &[Wall<V>],
    ) -> V {
        each_anticipation!(self, model => model.answer(program, mover, others, walls))
    }

    /// How far it looks, centre to centre (d² ≤ reach²): its `distance`, and never less than where
    /// two of the largest bodies touch.
    pub fn reach(&self, largest_radius: f32) -> f32 {
        crate::math::max(self.distance(), 2.0 * largest_radius)
    }

    /// The velocity to take, of a model that says one; of another the preferred velocity.
    ///
    /// `others` are those within [`reach`](Self::reach), in slot order; where only the
    /// [`nearest`](Self::nearest) count those alone, in the order of (d², id). `walls` are in the
    /// order of obstacles, pieces and images. The answer is finite for any finite input, and no
    /// longer than `max_speed` but for rounding.
    pub fn velocity<V: Vector>(
        &self,
        mover: &Mover<V>,
        others: &[Nearby<V>],
        walls: &[Wall<V>],
    ) -> V {
        if self.is_velocity() {
            self.answer(&mut Program::default(), mover, others, walls)
        } else {
            mover.preferred
        }
    }

    /// The force to add, of a model that says one; of another 0. Finite for any finite input; the
    /// arguments are those of [`velocity`](Self::velocity).
    pub fn force<V: Vector>(&self, mover: &Mover<V>, others: &[Nearby<V>], walls: &[Wall<V>]) -> V {
        if self.is_velocity() {
            V::origin()
        } else {
            self.answer(&mut Program::default(), mover, others, walls)
        }
    }
}

impl Anticipation {
    /// Turns and bends the wish of one boid by `through` and asks the model, worked out in
    /// `program`, which may be used again and then allocates nothing. To the force of a model the
    /// force of the turn is added: (asked − preferred)·mass/response.
    pub fn decide<V: Vector>(
        &self,
        through: &GettingThrough,
        program: &mut Program<V>,
        wish: &Wish<V>,
        others: &[Nearby<V>],
        walls: &[Wall<V>],
    ) -> Decided<V> {
        let preferred = wish.mover.preferred;
        let (asked, blocked) =
            through.asks_with(&wish.mover, others, wish.blocked, wish.part, wish.draw);
        let said = self.answer(program, &Mover { preferred: asked, ..wish.mover }, others, walls);
        let answer = if self.is_velocity() {
            Answer::Velocity(said)
        } else {
            Answer::Force(said.plus(asked.minus(preferred).times(wish.mass / through.response)))
        };
        Decided { asked, blocked, answer }
    }
}
