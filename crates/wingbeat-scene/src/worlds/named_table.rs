//! Reading one named table by its keys.

use wingbeat::{Boundary, Domain};

use crate::SceneError;
use crate::document::Document;
use crate::value::{Value, as_number, as_pair};

/// A named table of a checked document.
#[derive(Clone, Copy)]
pub(crate) struct NamedTable<'a> {
    pub document: &'a Document,
    /// Dotted name of the table: `drive.north`.
    pub path: &'a str,
}

impl<'a> NamedTable<'a> {
    /// Dotted name of one of its keys: `drive.north.weight`.
    pub fn key(&self, key: &str) -> String {
        format!("{}.{key}", self.path)
    }

    /// The name that the user chose: `north`.
    pub fn name(&self) -> &'a str {
        self.path.rsplit_once('.').map_or(self.path, |(_, name)| name)
    }

    pub fn has(&self, key: &str) -> bool {
        self.document.has(&self.key(key))
    }

    pub fn number(&self, key: &str) -> Option<f64> {
        self.document.number(&self.key(key))
    }

    /// A number as the engine's `f32`; `usual` where it is left out.
    pub fn narrow(&self, key: &str, usual: f32) -> f32 {
        self.document.narrow(&self.key(key)).unwrap_or(usual)
    }

    pub fn whole(&self, key: &str) -> Option<u64> {
        self.document.whole(&self.key(key)).and_then(|whole| u64::try_from(whole).ok())
    }

    pub fn flag(&self, key: &str) -> bool {
        self.document.flag(&self.key(key)).unwrap_or(false)
    }

    pub fn text(&self, key: &str) -> Option<&'a str> {
        self.document.text(&self.key(key))
    }

    /// The species that it names, by number.
    pub fn species(&self) -> Result<Option<usize>, SceneError> {
        let Some(name) = self.text("species") else { return Ok(None) };
        let known = self.document.tables("species");
        let names: Vec<&str> =
            known.iter().filter_map(|path| path.strip_prefix("species.")).collect();
        match names.iter().position(|known| *known == name) {
            Some(place) => Ok(Some(place)),
            None if names.is_empty() => {
                Err(self.refuse("species", "left out: the scene has no [species.NAME]"))
            }
            None => Err(self.refuse("species", &names.join(", "))),
        }
    }

    pub fn point<const D: usize>(&self, key: &str) -> Option<[f32; D]> {
        self.document.point::<D>(&self.key(key)).map(|point| point.map(|x| x as f32))
    }

    /// A point that may not be left out; a refusal says what it is for.
    pub fn needed<const D: usize>(&self, key: &str, why: &str) -> Result<[f32; D], SceneError> {
        self.point(key).ok_or_else(|| self.refuse(key, &format!("a point: {why}")))
    }

    /// A list of points; empty where it is left out.
    pub fn points<const D: usize>(&self, key: &str) -> Vec<[f32; D]> {
        let point = |value: &Value| -> Option<[f32; D]> {
            let Value::List(items) = value else { return None };
            let numbers: Vec<f32> =
                items.iter().filter_map(|item| as_number(&item.value)).map(|x| x as f32).collect();
            numbers.try_into().ok()
        };
        self.items(key).filter_map(point).collect()
    }

    /// A list of pairs; empty where it is left out.
    pub fn pairs(&self, key: &str) -> Vec<(u64, u64)> {
        self.items(key).filter_map(as_pair).collect()
    }

    fn items(&self, key: &str) -> impl Iterator<Item = &'a Value> {
        let items = match self.document.leaf(&self.key(key)).map(|leaf| &leaf.value) {
            Some(Value::List(items)) => items.as_slice(),
            _ => &[],
        };
        items.iter().map(|item| &item.value)
    }

    /// The box from `min` to `max`, or the domain's where they are left out.
    pub fn region<const D: usize>(
        &self,
        domain: &Domain<[f32; D]>,
    ) -> Result<([f32; D], [f32; D]), SceneError> {
        let open = domain.boundary == Boundary::Open;
        let corner = |key, usual| match self.point(key) {
            None if open => Err(self.refuse(key, "a point: the domain is open and has no box")),
            given => Ok(given.unwrap_or(usual)),
        };
        let (min, max) = (corner("min", domain.min)?, corner("max", domain.max)?);
        for a in 0..D {
            if max[a] <= min[a] {
                let key = if self.has("max") { "max" } else { "min" };
                let allowed =
                    format!("max above min on every axis: {} and {} on axis {a}", max[a], min[a]);
                return Err(self.refuse(key, &allowed));
            }
        }
        Ok((min, max))
    }

    /// A refusal of a key's value, placed where it was given, or where it is missing.
    pub fn refuse(&self, key: &str, allowed: &str) -> SceneError {
        self.document.refuse(&self.key(key), allowed)
    }
}
