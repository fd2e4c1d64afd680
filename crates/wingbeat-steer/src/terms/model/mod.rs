//! Whole models from the literature: a model takes the place of rules, combination and integration.
//!
//! Everything else a flock may have goes with a model: species, drives, obstacles, walls that push,
//! the host's own rules, a cap on neighbors, time slicing. How their terms are joined to what the
//! model says: [`TermSum`](crate::TermSum).
//!
//! One file a model: its parameters, and its formula as the textbook runs it
//! ([`Definition::steering`]). The engine's lanes do the same, bit for bit. Adding one is a file
//! here and its line in `models!` below, and as much in the engine's `model`.

// How to add a whole model (`name`). Its formula in MODEL.md. Here name.rs: `parameters!` (scene
// keys and docs/SCENES.md follow) and `impl Definition` with the formula as `steering`; a line in
// `models!`. If no `Advance` fits the meaning of its steering: a variant in terms/steering_kind.rs
// and its arm in the engine's motion/integrate.rs.
//
// In the engine terms/model/name.rs: running sums that implement `CandidateVisitor`, and `impl
// LaneModel`, operation by operation as the definition; `Candidate::aligned` is the neighbor's
// heading if `LOOKS_AT_HEADINGS`. A line in `model` of kernel/models.rs. A candidate that does not
// count comes with an infinite `distance_sq`, so all that `visit` adds must depend on a test of it.
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

macro_rules! models {
    ($($file:ident :: $name:ident),* $(,)?) => {
        $(mod $file; pub use $file::$name;)*

        /// A whole model from the literature, with its parameters.
        ///
        /// ```
        /// use wingbeat_steer::{Model, Params, model::Vicsek1995};
        /// let model = Model::from(Vicsek1995 { noise: 2.0, ..Default::default() });
        /// let params = Params { model: Some(model), ..Default::default() };
        /// assert!(params.check().is_ok());
        /// assert_eq!((model.name(), params.largest_radius()), ("vicsek1995", 1.0));
        /// ```
        #[non_exhaustive]
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(try_from = "serial::Named", into = "serial::Named"))]
        pub enum Model {
            $(
                #[doc = concat!("See [`", stringify!($name), "`].")]
                $name($name),
            )*
        }

        $(
            impl From<$name> for Model {
                fn from(model: $name) -> Self {
                    Self::$name(model)
                }
            }
        )*

        /// Every model with its usual parameters, in the order they are listed.
        pub fn models() -> impl ExactSizeIterator<Item = Model> {
            [$(Model::$name($name::default())),*].into_iter()
        }

        impl Model {
            /// Its name, as a scene file has it.
            pub fn name(&self) -> &'static str {
                match self { $(Self::$name(_) => $name::NAME,)* }
            }

            /// What it is, in one sentence.
            pub fn about(&self) -> &'static str {
                match self { $(Self::$name(_) => $name::ABOUT,)* }
            }

            /// Its parameters, in the order of a scene file.
            pub fn parameters(&self) -> &'static [ParameterInfo] {
                match self { $(Self::$name(_) => $name::PARAMETERS,)* }
            }

            /// The parameter `key`; `None` where it is left out or there is none of this name.
            pub fn get(&self, key: &str) -> Option<f32> {
                match self { $(Self::$name(model) => model.get(key),)* }
            }

            /// Sets the parameter `key`; false where there is none of this name. Nothing is checked
            /// yet.
            pub fn set(&mut self, key: &str, value: f32) -> bool {
                match self { $(Self::$name(model) => model.set(key, value),)* }
            }

            /// How far a boid looks; `None`: at everyone.
            pub fn radius(&self) -> Option<f32> {
                match self { $(Self::$name(model) => model.radius(),)* }
            }

            /// The parameter that says how far a boid looks.
            pub fn radius_key(&self) -> &'static str {
                match self { $(Self::$name(_) => $name::RADIUS_KEY,)* }
            }

            /// How its steering moves a boid.
            pub fn advance(&self) -> Advance {
                match self { $(Self::$name(model) => model.advance(),)* }
            }

            /// What its scenes have unless told otherwise.
            pub fn usual(&self) -> SceneDefaults {
                match self { $(Self::$name(model) => model.usual(),)* }
            }

            /// Whether it exists in the plane only.
            pub fn is_planar(&self) -> bool {
                match self { $(Self::$name(_) => $name::PLANAR,)* }
            }

            /// Whether a boid is among its own neighbors.
            pub fn includes_self(&self) -> bool {
                match self { $(Self::$name(_) => $name::INCLUDES_SELF,)* }
            }

            /// Whether it looks at its neighbors' headings.
            pub fn looks_at_headings(&self) -> bool {
                match self { $(Self::$name(_) => $name::LOOKS_AT_HEADINGS,)* }
            }

            fn check_itself(&self) -> Result<(), ParamError> {
                match self { $(Self::$name(model) => model.check(),)* }
            }

            /// What a boid makes of all that it sees, in slot order.
            pub(crate) fn steering<V: Vector>(
                &self,
                own: &FocalBoid<V>,
                neighbors: &[Neighbor<V>]
            ) -> V {
                match self { $(Self::$name(model) => model.steering(own, neighbors),)* }
            }
        }
    };
}

models! {
    vicsek1995::Vicsek1995,
    couzin2002::Couzin2002,
    cucker_smale::CuckerSmale,
    circles::Circles,
    netlogo::NetLogo,
    mesa::Mesa,
    agents_jl::AgentsJl,
    mason::Mason,
    unity::Unity,
    unity_fixed::UnityFixed,
}

impl Model {
    /// The model of this name with its usual parameters.
    pub fn named(name: &str) -> Option<Self> {
        models().find(|model| model.name() == name)
    }

    /// The parameter `key`'s parameter.
    pub fn parameter(&self, key: &str) -> Option<&'static ParameterInfo> {
        self.parameters().iter().find(|parameter| parameter.key == key)
    }

    /// How far a boid looks in fact: its radius, or [`EVERYONE`].
    pub fn reach(&self) -> f32 {
        self.radius().unwrap_or(EVERYONE)
    }

    /// Refuses parameters outside their ranges.
    ///
    /// # Errors
    /// Names the first offending parameter as `model.…`, its value and what is allowed.
    pub fn check(&self) -> Result<(), ParamError> {
        for parameter in self.parameters() {
            if let Some(value) = self.get(parameter.key) {
                parameter.check(format_args!("model.{}", parameter.key), value)?;
            }
        }
        self.check_itself()
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

/// Reading and writing with serde.
#[cfg(feature = "serde")]
mod serial {
    use alloc::{
        collections::BTreeMap,
        string::{String, ToString},
        vec::Vec,
    };

    use serde::{Deserialize, Serialize};

    use crate::ParamError;
    use crate::schema::serial::set_all;
    use crate::terms::model::{Model, models};

    /// A model as in a scene file: its name, and its parameters by their keys. What is left out is
    /// as usual.
    #[derive(Serialize, Deserialize)]
    pub(crate) struct Named {
        name: String,
        #[serde(flatten)]
        parameters: BTreeMap<String, f32>,
    }

    impl From<Model> for Named {
        fn from(model: Model) -> Self {
            let given = |key: &str| Some((key.to_string(), model.get(key)?));
            Self {
                name: model.name().to_string(),
                parameters: model
                    .parameters()
                    .iter()
                    .filter_map(|parameter| given(parameter.key))
                    .collect(),
            }
        }
    }

    impl TryFrom<Named> for Model {
        type Error = ParamError;

        fn try_from(named: Named) -> Result<Self, ParamError> {
            let names = || models().map(|model| model.name()).collect::<Vec<_>>().join(", ");
            let mut model = Self::named(&named.name)
                .ok_or_else(|| ParamError::new("model.name", &named.name, names()))?;
            let parameters = model.parameters();
            set_all("model", parameters, &named.parameters, |key, value| model.set(key, value))?;
            Ok(model)
        }
    }
}
