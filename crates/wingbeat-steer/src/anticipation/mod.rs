//! Models of anticipation: what someone with a body does so as not to walk into others and into
//! walls.
//!
//! A model is asked with everything it may look at: the one who moves ([`Mover`]), the others near
//! it ([`Nearby`]) and the obstacles near it ([`Wall`]). Two kinds answer. [`Orca`] and
//! [`CollisionFreeSpeed`] say which velocity to take ([`Anticipation::velocity`]); [`SocialForce`]
//! and [`PowerLaw`] say a force, one more term beside the others ([`Anticipation::force`]). No
//! model promises that bodies never overlap: that is what the solid bodies themselves are for.
//! [`GettingThrough`] is what all four have in common: a turn of the wish where progress is poor,
//! and noise.
//!
//! One file a model: its parameters, its formula, its source, and what was chosen where sources
//! disagree.
//!
//! ```
//! use wingbeat_steer::anticipation::{Anticipation, Mover, Nearby, Orca};
//! let orca = Anticipation::from(Orca { time_horizon: 5.0, ..Default::default() });
//! assert!(orca.check().is_ok() && orca.is_velocity());
//! let walker = Mover { id: 0, seed: 1, step: 0, velocity: [1.0, 0.0], preferred: [1.0, 0.0], radius: 0.25, max_speed: 1.5, dt: 0.1 };
//! // Somebody comes the other way, 4 ahead: both keep to their right.
//! let other = Nearby { offset: [4.0, 0.0], distance_sq: 16.0, velocity: [-1.0, 0.0], radius: 0.25, share: 0.5 };
//! let [x, y] = orca.velocity(&walker, &[other], &[]);
//! assert!(y < -0.1 && x > 0.9);
//! ```

use crate::knobs::Knob;
use crate::{ParamError, Vector};

pub use crate::knobs::Parameters;

pub(crate) mod asked;
mod collision_free_speed;
mod getting_through;
pub mod orca;
mod power_law;
mod shared;
mod social_force;

pub(crate) use crate::anticipate::Asker;
pub use crate::anticipate::faces_near;
pub use asked::{Answer, Anticipated, Decided, Wish};
pub use collision_free_speed::CollisionFreeSpeed;
pub use getting_through::{
    COMING, GETTING_ON, GettingThrough, LARGEST_TURN, MANY, ROOT_3, WAITING, to_the_right,
    turned_right,
};
pub use orca::{Orca, Program};
pub use power_law::PowerLaw;
pub use shared::{LARGEST_EXPONENT, exponential};
pub use social_force::SocialForce;

/// The one who moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mover<V> {
    /// Its id, which its randomness is keyed by, with `seed` and `step`.
    pub id: u64,
    /// Key of the flock's randomness.
    pub seed: u64,
    /// Steps made before this one.
    pub step: u64,
    /// Velocity.
    pub velocity: V,
    /// The velocity it would choose if it were alone; 0 of one who wants to stay.
    pub preferred: V,
    /// Radius of its body, with the margin it keeps.
    pub radius: f32,
    /// Largest speed.
    pub max_speed: f32,
    /// Time the step covers.
    pub dt: f32,
}

/// Somebody near the one who moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearby<V> {
    /// The way to it, centre to centre, through the nearest image.
    pub offset: V,
    /// d², the offset's squared length.
    pub distance_sq: f32,
    /// Its velocity.
    pub velocity: V,
    /// Radius of its body, with the margin it keeps.
    pub radius: f32,
    /// The part of the avoidance that falls to the one who moves: ½ among equals, 1 if the other
    /// does not give way. [`Orca`] alone goes by it.
    pub share: f32,
}

/// The nearest point of one convex piece of an obstacle near the one who moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wall<V> {
    /// The way to it. Where it is 0 nobody can say in which direction the wall is, and every model
    /// leaves it out.
    pub offset: V,
    /// The offset's length.
    pub distance: f32,
    /// The obstacle's velocity.
    pub velocity: V,
}

/// What a model of anticipation is, besides its parameters.
trait Definition: Parameters + Copy + Default {
    /// Its name, as a scene file has it.
    const NAME: &'static str;
    /// One sentence.
    const ABOUT: &'static str;
    /// Whether it answers with a velocity; otherwise with a force.
    const IS_VELOCITY: bool;
    /// How far it looks, centre to centre.
    fn distance(&self) -> f32;
    /// How many of those it looks at; `None`: all.
    fn nearest(&self) -> Option<usize> {
        None
    }
    /// Refuses parameters whose ranges do not say everything.
    ///
    /// # Errors
    /// Names the parameter, its value and what is allowed.
    fn check(&self) -> Result<(), ParamError> {
        Ok(())
    }
    /// The velocity or force; `program` is room to work in.
    fn answer<V: Vector>(
        &self,
        program: &mut Program<V>,
        mover: &Mover<V>,
        others: &[Nearby<V>],
        walls: &[Wall<V>],
    ) -> V;
}

macro_rules! anticipations {
    ($($name:ident),* $(,)?) => {
        /// A model of anticipation, with its parameters.
        #[non_exhaustive]
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(try_from = "crate::serial::Kind", into = "crate::serial::Kind"))]
        pub enum Anticipation {
            $(
                #[doc = concat!("See [`", stringify!($name), "`].")]
                $name($name),
            )*
        }

        $(
            impl From<$name> for Anticipation {
                fn from(model: $name) -> Self {
                    Self::$name(model)
                }
            }
        )*

        /// Every model of anticipation with its usual parameters, in the order they are listed.
        pub fn anticipations() -> impl ExactSizeIterator<Item = Anticipation> {
            [$(Anticipation::$name($name::default())),*].into_iter()
        }

        impl Anticipation {
            /// Its name, as a scene file has it.
            pub fn name(&self) -> &'static str {
                match self { $(Self::$name(_) => <$name as Definition>::NAME,)* }
            }

            /// What it is, in one sentence.
            pub fn about(&self) -> &'static str {
                match self { $(Self::$name(_) => <$name as Definition>::ABOUT,)* }
            }

            /// Its parameters, in the order of a scene file.
            pub fn knobs(&self) -> &'static [Knob] {
                match self { $(Self::$name(_) => <$name as Parameters>::KNOBS,)* }
            }

            /// The parameter `key`; `None` where there is none of this name.
            pub fn get(&self, key: &str) -> Option<f32> {
                match self { $(Self::$name(model) => model.get(key),)* }
            }

            /// Sets the parameter `key`; false where there is none of this name. Nothing is checked
            /// yet.
            pub fn set(&mut self, key: &str, value: f32) -> bool {
                match self { $(Self::$name(model) => model.set(key, value),)* }
            }

            /// Whether it answers with a velocity ([`velocity`](Self::velocity)); otherwise with a
            /// [`force`](Self::force).
            pub fn is_velocity(&self) -> bool {
                match self { $(Self::$name(_) => <$name as Definition>::IS_VELOCITY,)* }
            }

            /// How many it looks at, the nearest by (d², id); `None`: everyone within
            /// [`reach`](Self::reach).
            pub fn nearest(&self) -> Option<usize> {
                match self { $(Self::$name(model) => model.nearest(),)* }
            }

            fn distance(&self) -> f32 {
                match self { $(Self::$name(model) => model.distance(),)* }
            }

            /// Refuses parameters outside their ranges.
            ///
            /// # Errors
            /// Names the first offending parameter as `anticipation.…`, its value and what is
            /// allowed.
            pub fn check(&self) -> Result<(), ParamError> {
                match self {
                    $(Self::$name(model) => {
                        model.check_ranges("anticipation")?;
                        Definition::check(model)
                    })*
                }
            }

            fn answer<V: Vector>(&self, program: &mut Program<V>, mover: &Mover<V>, others: &[Nearby<V>], walls: &[Wall<V>]) -> V {
                match self { $(Self::$name(model) => model.answer(program, mover, others, walls),)* }
            }
        }
    };
}

anticipations! { Orca, SocialForce, CollisionFreeSpeed, PowerLaw }

impl Anticipation {
    /// The model of this name with its usual parameters.
    pub fn named(name: &str) -> Option<Self> {
        anticipations().find(|model| model.name() == name)
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
