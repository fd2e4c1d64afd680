//! Reading and writing with serde what is not read field by field: parameters by key, infinite
//! bounds.

use alloc::string::String;
use alloc::vec::Vec;
use alloc::{collections::BTreeMap, format};

use crate::ParamError;
use crate::schema::parameter_info::ParameterInfo;

/// Sets parameters by their keys; refuses a key that there is not.
pub(crate) fn set_all(
    section: &str,
    known: &[ParameterInfo],
    parameters: &BTreeMap<String, f32>,
    mut set: impl FnMut(&str, f32) -> bool,
) -> Result<(), ParamError> {
    parameters.iter().try_for_each(|(key, &value)| {
        if set(key, value) {
            return Ok(());
        }
        let keys: Vec<_> = known.iter().map(|parameter| parameter.name()).collect();
        Err(ParamError::new(
            format!("{section}.{key}"),
            value,
            format!("left out: keys are {}", keys.join(", ")),
        ))
    })
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

/// Writes values under their keys: a struct of fields that are computed, flattened or not.
macro_rules! write_keys {
    ($to:expr, $($key:literal: $value:expr),+) => {{
        use serde::ser::SerializeMap;
        let mut keys = $to.serialize_map(None)?;
        $(keys.serialize_entry($key, &$value)?;)+
        keys.end()
    }};
}
