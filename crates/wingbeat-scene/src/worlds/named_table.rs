//! One named table of a scene.

use wingbeat::steer::parameters::{Kinds, Parameters};
use wingbeat::{Domain, SpeciesId, steer::Boundary};

use crate::SceneError;
use crate::document::Document;

/// A named table of a checked document.
#[derive(Clone, Copy)]
pub(crate) struct NamedTable<'a> {
    pub document: &'a Document,
    /// Dotted name of the table: `drive.north`.
    pub path: &'a str,
}

impl<'a> NamedTable<'a> {
    /// All tables of a family, in the order of the file.
    pub fn all(document: &'a Document, family: &str) -> impl Iterator<Item = Self> {
        document.tables(family).into_iter().map(move |path| Self { document, path })
    }

    /// Dotted name of one of its keys: `drive.north.weight`.
    pub fn key(&self, key: &str) -> String {
        format!("{}.{key}", self.path)
    }

    /// The name that the user chose: `north`.
    pub fn name(&self) -> &'a str {
        self.path.rsplit_once('.').map_or(self.path, |(_, name)| name)
    }

    /// The word of its kind.
    pub fn kind(&self) -> &'a str {
        self.document.kind_of(self.path).unwrap_or_default()
    }

    pub fn has(&self, key: &str) -> bool {
        self.document.has(&self.key(key))
    }

    /// What is set in it, over what holds where it says nothing.
    pub fn read<P: Parameters>(&self, usual: P) -> P {
        self.document.read(self.path, usual)
    }

    /// What it is, where its kind is one of these.
    pub fn read_kind<K: Kinds>(&self) -> Option<K> {
        let mut value = K::of_kind(self.kind())?;
        let of_kind = K::KINDS.iter().find(|kind| kind.word == self.kind())?;
        for (key, given) in self.document.settings_in(self.path, of_kind.settings) {
            value.choose(key, given);
        }
        Some(value)
    }

    /// The species that it names, by number.
    pub fn species(&self) -> Result<Option<SpeciesId>, SceneError> {
        let Some(name) = self.document.text(&self.key("species")) else { return Ok(None) };
        let known = self.document.tables("species");
        let names: Vec<&str> =
            known.iter().filter_map(|path| path.strip_prefix("species.")).collect();
        match names.iter().position(|known| *known == name) {
            Some(place) => Ok(Some(SpeciesId::new(place))),
            None if names.is_empty() => {
                Err(self.refuse("species", "left out: the scene has no [species.NAME]"))
            }
            None => Err(self.refuse("species", &names.join(", "))),
        }
    }

    /// The box from `min` to `max`, or the domain's where they are left out.
    pub fn region<const D: usize>(
        &self,
        min: Option<[f32; D]>,
        max: Option<[f32; D]>,
        domain: &Domain<[f32; D]>,
    ) -> Result<([f32; D], [f32; D]), SceneError> {
        let open = domain.boundary == Boundary::Open;
        let corner = |key, given: Option<[f32; D]>, usual| match given {
            None if open => Err(self.refuse(key, "a point: the domain is open and has no box")),
            given => Ok(given.unwrap_or(usual)),
        };
        let (min, max) = (corner("min", min, domain.min)?, corner("max", max, domain.max)?);
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
