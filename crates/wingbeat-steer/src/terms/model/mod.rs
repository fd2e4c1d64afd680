//! Whole models from the literature: a model takes the place of rules, combination and integration.
//!
//! Everything else a flock may have goes with a model: species, drives, obstacles, walls that push,
//! the host's own rules, a cap on neighbors, time slicing. How their terms are joined to what the
//! model says: [`TermSum`](crate::TermSum).
//!
//! One file a model: its parameters, and its formula as the textbook runs it
//! ([`Definition::steering`]). The engine's lanes do the same, bit for bit. Adding one is a file
//! here and its line below, and as much in the engine's `model`.

// How to add a whole model (`name`). Its formula in MODEL.md. Here name.rs: `parameters!` (scene
// keys and docs/KEYS.md follow) and `impl Definition` with the formula as `steering`; a line in
// `for_each_model!` below. If no `Advance` fits the meaning of its steering: a variant in
// terms/steering_kind.rs and its arm in the engine's motion/integrate.rs.
//
// In the engine terms/model/name.rs: running sums that implement `CandidateVisitor`, and `impl
// LaneModel`, operation by operation as the definition; `Candidate::aligned` is the neighbor's
// heading if `LOOKS_AT_HEADINGS`; `impl InLanes`. A candidate that does not count comes with an
// infinite `distance_sq`, so all that `visit` adds must depend on a test of it.
//
// Its name in `drawn` of the engine's tests/it/models.rs, what it is known for in
// tests/it/model_physics.rs, a state computed by hand in this crate's tests/it/models_by_hand.rs, a
// preset with its golden hash, and `WINGBEAT_WRITE_DOCS=1 cargo test -p wingbeat-scene`.

use alloc::format;
use core::fmt::Debug;

use crate::schema::parameter_info::ParameterInfo;
use crate::{Advance, Domain, ParamError, Vector};

pub(crate) mod definition;

pub use definition::{Definition, FocalBoid, Neighbor, SceneDefaults};

pub use crate::schema::parameter_info::{NONE, Parameter, Parameters};

/// How far a boid looks that looks at everyone: the square of it is barely within an `f32`.
pub const EVERYONE: f32 = 1.8e19;

/// Calls a macro with the list of all models, each as `module::Type [space lanes]`: whether it is
/// defined in the plane only (`planar`) or in `any` space, and whether its lanes are in a file of
/// its `own` in the engine or in that of a model that it is `shared` with.
#[doc(hidden)]
#[macro_export]
macro_rules! for_each_model {
    ($callback:ident) => {
        $callback! {
            ($)
            vicsek1995::Vicsek1995 [planar own]
            couzin2002::Couzin2002 [any own]
            cucker_smale::CuckerSmale [any own]
            circles::Circles [any own]
            netlogo::NetLogo [planar own]
            mesa::Mesa [any own]
            agents_jl::AgentsJl [any shared]
            mason::Mason [any own]
            unity::Unity [any own]
            unity_fixed::UnityFixed [any shared]
        }
    };
}

macro_rules! catalogue_of_models {
    (($d:tt) $($file:ident::$model:ident [$space:ident $lanes:ident])*) => {
        catalogue! {
            ($d)
            /// A whole model from the literature, with its parameters.
            ///
            /// ```
            /// use wingbeat_steer::{Model, Params, model::Vicsek1995};
            /// let model = Model::from(Vicsek1995 { noise: 2.0, ..Default::default() });
            /// let params = Params { model: Some(model), ..Default::default() };
            /// assert!(params.check().is_ok());
            /// assert_eq!((model.name(), params.largest_radius()), ("vicsek1995", 1.0));
            /// ```
            pub enum Model of Definition: each_model, models, "model", "name" {
                $($file::$model,)*
            }
        }
    };
}
for_each_model!(catalogue_of_models);

impl Model {
    /// How far a boid looks; `None`: at everyone.
    pub fn radius(&self) -> Option<f32> {
        each_model!(self, model => model.radius())
    }

    /// The parameter that says how far a boid looks.
    pub fn radius_key(&self) -> &'static str {
        each_model!(self, _model: Entry => Entry::RADIUS_KEY)
    }

    /// How its steering moves a boid.
    pub fn advance(&self) -> Advance {
        each_model!(self, model => model.advance())
    }

    /// What its scenes have unless told otherwise.
    pub fn usual(&self) -> SceneDefaults {
        each_model!(self, model => model.usual())
    }

    /// Whether it exists in the plane only.
    pub fn is_planar(&self) -> bool {
        each_model!(self, _model: Entry => Entry::PLANAR)
    }

    /// Whether a boid is among its own neighbors.
    pub fn includes_self(&self) -> bool {
        each_model!(self, _model: Entry => Entry::INCLUDES_SELF)
    }

    /// Whether it looks at its neighbors' headings.
    pub fn looks_at_headings(&self) -> bool {
        each_model!(self, _model: Entry => Entry::LOOKS_AT_HEADINGS)
    }

    /// What a boid makes of all that it sees, in slot order.
    pub(crate) fn steering<V: Vector>(&self, own: &FocalBoid<V>, neighbors: &[Neighbor<V>]) -> V {
        each_model!(self, model => model.steering(own, neighbors))
    }

    /// The parameter `key`'s parameter.
    pub fn parameter(&self, key: &str) -> Option<&'static ParameterInfo> {
        self.parameters().iter().find(|parameter| parameter.key == key)
    }

    /// How far a boid looks in fact: its radius, or [`EVERYONE`].
    pub fn reach(&self) -> f32 {
        self.radius().unwrap_or(EVERYONE)
    }

    /// Refuses space for a model that exists in the plane only.
    ///
    /// # Errors
    /// Names the model and the dimensions it has.
    pub fn check_dimensions(&self, dimensions: usize) -> Result<(), ParamError> {
        if self.is_planar() && dimensions != 2 {
            let allowed =
                format!("2 with model.name = {}, which is defined in the plane only", self.name());
            return Err(ParamError::new("flock.dimensions", dimensions, allowed));
        }
        Ok(())
    }

    /// Refuses a world the model does not go with: of other dimensions, or with a periodic side
    /// shorter than twice its radius.
    ///
    /// # Errors
    /// Names what does not fit and what is allowed.
    pub fn check_world<V: Vector>(&self, domain: &Domain<V>) -> Result<(), ParamError> {
        self.check_dimensions(V::DIMENSIONS)?;
        match self.radius() {
            Some(radius) => domain.check(radius).map_err(|refusal| self.too_far(radius, refusal)),
            None => Ok(()),
        }
    }

    /// A refusal of how far boids look, by the parameter that says so.
    fn too_far(&self, radius: f32, refusal: ParamError) -> ParamError {
        let field = format!("model.{}", self.radius_key());
        match self.get(self.radius_key()) {
            Some(value) if value == radius => ParamError { field, ..refusal },
            Some(value) => {
                let allowed =
                    format!("such that boids look {}; they look {radius} far", refusal.allowed);
                ParamError::new(field, value, allowed)
            }
            // Its radius is a sum of several keys.
            None => {
                let allowed = format!("one whose radius, {radius} in all, is {}", refusal.allowed);
                ParamError::new("model.name", self.name(), allowed)
            }
        }
    }
}
