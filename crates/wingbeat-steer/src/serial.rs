//! How what cannot be read field by field is written and read (feature `serde`).

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use alloc::{collections::BTreeMap, format};

use serde::{Deserialize, Serialize};

use crate::drive::{FlowField, Outside};
use crate::knobs::Knob;
use crate::{Anticipation, Model, ParamError, Vector, behavior};

/// A model as in a scene file: its name, and its parameters by their keys. What is left out is as
/// usual.
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
            parameters: model.knobs().iter().filter_map(|knob| given(knob.key)).collect(),
        }
    }
}

impl TryFrom<Named> for Model {
    type Error = ParamError;

    fn try_from(named: Named) -> Result<Self, ParamError> {
        let names =
            || crate::model::models().map(|model| model.name()).collect::<Vec<_>>().join(", ");
        let mut model = Self::named(&named.name)
            .ok_or_else(|| ParamError::new("model.name", &named.name, names()))?;
        let knobs = model.knobs();
        set_all("model", knobs, &named.parameters, |key, value| model.set(key, value))?;
        Ok(model)
    }
}

/// Sets parameters by their keys; refuses a key that there is not.
fn set_all(
    section: &str,
    knobs: &[Knob],
    parameters: &BTreeMap<String, f32>,
    mut set: impl FnMut(&str, f32) -> bool,
) -> Result<(), ParamError> {
    parameters.iter().try_for_each(|(key, &value)| {
        if set(key, value) {
            return Ok(());
        }
        let keys: Vec<_> = knobs.iter().map(|knob| knob.name()).collect();
        Err(ParamError::new(
            format!("{section}.{key}"),
            value,
            format!("left out: keys are {}", keys.join(", ")),
        ))
    })
}

/// A model of anticipation as in a scene file: its kind, and its parameters by their keys. What is
/// left out is as usual.
#[derive(Serialize, Deserialize)]
pub(crate) struct Kind {
    kind: String,
    #[serde(flatten)]
    parameters: BTreeMap<String, f32>,
}

impl From<Anticipation> for Kind {
    fn from(model: Anticipation) -> Self {
        let given = |key: &str| Some((key.to_string(), model.get(key)?));
        Self {
            kind: model.name().to_string(),
            parameters: model.knobs().iter().filter_map(|knob| given(knob.name())).collect(),
        }
    }
}

impl TryFrom<Kind> for Anticipation {
    type Error = ParamError;

    fn try_from(kind: Kind) -> Result<Self, ParamError> {
        let names = || {
            crate::anticipation::anticipations()
                .map(|model| model.name())
                .collect::<Vec<_>>()
                .join(", ")
        };
        let mut model = Self::named(&kind.kind)
            .ok_or_else(|| ParamError::new("anticipation.kind", &kind.kind, names()))?;
        let knobs = model.knobs();
        set_all("anticipation", knobs, &kind.parameters, |key, value| model.set(key, value))?;
        Ok(model)
    }
}

/// A path by its points.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Road<V> {
    points: Vec<V>,
    radius: f32,
    #[serde(default)]
    looped: bool,
}

impl<V: Vector> From<behavior::Path<V>> for Road<V> {
    fn from(path: behavior::Path<V>) -> Self {
        Self { points: path.waypoints().to_vec(), radius: path.radius(), looped: path.is_looped() }
    }
}

impl<V: Vector> TryFrom<Road<V>> for behavior::Path<V> {
    type Error = ParamError;

    fn try_from(Road { points, radius, looped }: Road<V>) -> Result<Self, ParamError> {
        if looped { Self::looped(points, radius) } else { Self::open(points, radius) }
    }
}

/// A field by its grid.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Grid<V> {
    min: V,
    max: V,
    /// Nodes along each axis.
    shape: Vec<usize>,
    values: Vec<V>,
    #[serde(default)]
    outside: Outside,
}

impl<V: Vector> From<FlowField<V>> for Grid<V> {
    fn from(field: FlowField<V>) -> Self {
        let (min, max) = field.bounds();
        let shape = field.shape()[..V::DIMENSIONS].to_vec();
        Self { min, max, shape, values: field.values().to_vec(), outside: field.beyond() }
    }
}

impl<V: Vector> TryFrom<Grid<V>> for FlowField<V> {
    type Error = ParamError;

    fn try_from(grid: Grid<V>) -> Result<Self, ParamError> {
        Ok(Self::new(grid.min, grid.max, grid.shape, grid.values)?.outside(grid.outside))
    }
}

/// No upper bound.
pub(crate) fn no_bound() -> f32 {
    f32::INFINITY
}

/// A time that never comes.
pub(crate) fn never() -> f64 {
    f64::INFINITY
}

/// Such a time is left out, since JSON has no infinity.
pub(crate) fn is_never(time: &f64) -> bool {
    *time == f64::INFINITY
}

/// A bound that may be infinite: written as nothing then, since JSON and others have no infinity.
pub(crate) mod bound {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(bound: &f32, to: S) -> Result<S::Ok, S::Error> {
        Some(*bound).filter(|bound| bound.is_finite()).serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<f32, D::Error> {
        Ok(Option::deserialize(from)?.unwrap_or(f32::INFINITY))
    }
}
