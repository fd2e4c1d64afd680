//! Whether a document is a scene: every name is known, and every value is one its key takes.

use wingbeat::Model;
use wingbeat::steer::Anticipation;

use crate::SceneError;
use crate::advice;
use crate::document::Document;
use crate::keys::{self, Key, KeyKind, SECTIONS};
use crate::named::{self, FAMILIES, Family};
use crate::value::{KeyValue, Origin};

impl Document {
    /// Refuses unknown sections first, then unknown keys and values that do not fit.
    pub fn check(&self) -> Result<(), SceneError> {
        for (section, origin) in self.origins() {
            if let Some(family) = named::family(section) {
                self.check_table_name(section, origin, family)?;
            } else if !SECTIONS.contains(&section) && !self.holds_keys(section) {
                let advice = advice::section_advice(section);
                return Err(SceneError::UnknownKey {
                    place: self.place(origin),
                    key: format!("[{section}]"),
                    advice,
                });
            }
        }
        for family in &FAMILIES {
            self.check_tables(family)?;
        }
        let model = self.named_model()?;
        let mut dimensions = model.map_or(3, |model| model.usual().dimensions);
        if let Some(leaf) = self.leaf("flock.dimensions") {
            self.check_leaf("flock.dimensions", leaf, dimensions)?;
            dimensions = if self.whole("flock.dimensions") == Some(2) { 2 } else { 3 };
        }
        for (name, leaf) in self.leaves() {
            self.check_leaf(name, leaf, dimensions)?;
        }
        // Last, so that a slip in a key that a table must have is told as a slip.
        for family in &FAMILIES {
            self.tables(family.name)
                .into_iter()
                .try_for_each(|table| self.check_complete(table, family))?;
        }
        Ok(())
    }

    /// Refuses a table whose name `--set` and messages could not carry.
    fn check_table_name(
        &self,
        section: &str,
        origin: &Origin,
        family: &Family,
    ) -> Result<(), SceneError> {
        let names: Vec<&str> = section.split('.').skip(1).collect();
        let table = |value: &str, allowed: String| SceneError::Value {
            place: self.place(origin),
            key: format!("[{section}]"),
            value: value.into(),
            allowed,
        };
        if names.len() > family.names && !family.is_part(section)
            || names.iter().any(|name| !named::is_name(name))
        {
            let parts = match family.parts {
                [] => String::new(),
                parts => format!(" (and within it {})", parts.join(", ")),
            };
            let allowed = format!("{}{parts}, names of letters, digits, _ and -", family.shown);
            return Err(table("a table", allowed));
        }
        let has_tables = names.len() >= family.names
            || self.tables(family.name).iter().any(|path| path.starts_with(section));
        if has_tables {
            Ok(())
        } else {
            Err(table("a table", format!("tables with names: {}", family.shown)))
        }
    }

    /// Refuses too many tables of a family, and tables without their kind.
    fn check_tables(&self, family: &Family) -> Result<(), SceneError> {
        let tables = self.tables(family.name);
        if tables.len() > family.most {
            return Err(SceneError::Value {
                place: self.place_of_section(tables[family.most]),
                key: family.shown.into(),
                value: format!("{} tables", tables.len()),
                allowed: format!("at most {}", family.most),
            });
        }
        let Some(key) = keys::kind_key(family) else { return Ok(()) };
        tables.iter().try_for_each(|table| self.check_kind(table, key, &tables))
    }

    /// Refuses a table that does not say which kind it is.
    fn check_kind(&self, table: &str, key: &Key, tables: &[&str]) -> Result<(), SceneError> {
        let name = format!("{table}.kind");
        if let Some(leaf) = self.leaf(&name) {
            return self.check_value(&name, leaf, key, 3);
        }
        let KeyKind::Choice(kinds) = key.kind else { return Ok(()) };
        let others: Vec<&str> =
            tables.iter().filter(|other| self.kind_of(other).is_some()).copied().collect();
        let known = if others.is_empty() {
            String::new()
        } else {
            format!(" (the scene has {})", others.join(", "))
        };
        Err(self.lacks(table, &name, &format!("given: {}{known}", kinds.join(", "))))
    }

    /// A refusal of a table without a required key, placed where the table is.
    fn lacks(&self, table: &str, key: &str, allowed: &str) -> SceneError {
        let place = self.place_of_section(table);
        SceneError::Value {
            place,
            key: key.to_string(),
            value: "nothing".into(),
            allowed: allowed.to_string(),
        }
    }

    /// Refuses a table without a key that its kind must have.
    fn check_complete(&self, table: &str, family: &Family) -> Result<(), SceneError> {
        let kind = self.kind_of(table).unwrap_or_default();
        for key in keys::of_kind(family, kind).filter(|key| key.default == "required") {
            let name = named::in_table(&key.name, table);
            if !self.has(&name) {
                return Err(self.lacks(table, &name, &format!("given: {}", key.about)));
            }
        }
        Ok(())
    }

    /// The refusal of a key that tables of this kind do not have.
    fn not_of_kind(&self, name: &str, family: &Family) -> SceneError {
        let table = name.rsplit_once('.').map_or("", |(table, _)| table);
        let pattern = named::pattern(name);
        let kind = self.kind_of(table).unwrap_or_default();
        let owners: Vec<&str> = keys::keys()
            .iter()
            .filter(|key| key.name == pattern)
            .flat_map(|key| key.kinds)
            .copied()
            .collect();
        if owners.is_empty() || kind.is_empty() {
            return SceneError::UnknownKey {
                place: self.place_of(name),
                key: name.to_string(),
                advice: advice::advice_in_table(name, table, family, kind),
            };
        }
        let section = pattern.rsplit_once('.').map_or("", |(section, _)| section);
        let own = keys::of_kind(family, kind)
            .filter(|key| key.name.rsplit_once('.').is_some_and(|(known, _)| known == section));
        let own: Vec<&str> = own.map(|key| keys::last(&key.name)).collect();
        let allowed = format!(
            "left out: kind = {kind} has {} (it is a key of {})",
            own.join(", "),
            owners.join(", ")
        );
        self.refuse(name, &allowed)
    }

    /// The model that a key may be one of, by name, and the keys it has: that of the flock, or that
    /// of anticipation.
    fn owner_of(&self, name: &str) -> Option<(&'static str, Vec<&'static str>)> {
        if name.starts_with("anticipation.") {
            let model = Anticipation::named(self.text("anticipation.kind")?)?;
            return Some((
                model.name(),
                model.parameters().iter().map(|parameter| parameter.name()).collect(),
            ));
        }
        let model = self.text("model.name").and_then(Model::named)?;
        Some((model.name(), model.parameters().iter().map(|parameter| parameter.key).collect()))
    }

    /// The refusal of a key that this model does not have.
    fn not_of_model(&self, name: &str, owner: &str, keys: &[&str]) -> SceneError {
        let own = format!("{owner} has {}", keys.join(", "));
        let owners: Vec<&str> =
            keys::keys().iter().filter(|key| key.name == name).map(|key| key.model).collect();
        if owners.is_empty() {
            let advice = format!("{}; {own}", advice::advice_among(name, keys));
            return SceneError::UnknownKey {
                place: self.place_of(name),
                key: name.to_string(),
                advice,
            };
        }
        self.refuse(name, &format!("left out: {own} (it is a key of {})", owners.join(", ")))
    }

    fn check_leaf(&self, name: &str, leaf: &KeyValue, dimensions: usize) -> Result<(), SceneError> {
        if SECTIONS.contains(&name) {
            return Err(self.refuse(name, &format!("a table: [{name}]")));
        }
        if let Some(family) = named::family(name) {
            if name.split('.').count() <= family.names + 1 {
                return Err(self.refuse(name, &format!("a table: {}", family.shown)));
            }
            let table = name.rsplit_once('.').map_or("", |(table, _)| table);
            if family.is_part(name) {
                return Err(self.refuse(name, &format!("a table: [{name}]")));
            }
            let key = keys::find_in(name, self.kind_of(table))
                .ok_or_else(|| self.not_of_kind(name, family))?;
            return self.check_value(name, leaf, key, dimensions);
        }
        let owner = self.owner_of(name);
        let Some(key) = keys::find(name, owner.as_ref().map(|owner| owner.0)) else {
            if let Some((owner, own)) =
                owner.filter(|_| name.starts_with("model.") || name.starts_with("anticipation."))
            {
                return Err(self.not_of_model(name, owner, &own));
            }
            let place = self.place(&leaf.origin);
            return Err(SceneError::UnknownKey {
                place,
                key: name.to_string(),
                advice: advice::advice(name),
            });
        };
        self.check_value(name, leaf, key, dimensions)
    }

    /// Refuses a value that its key does not take.
    pub fn check_value(
        &self,
        name: &str,
        leaf: &KeyValue,
        key: &Key,
        dimensions: usize,
    ) -> Result<(), SceneError> {
        let takes = leaf.value.as_ref().is_some_and(|value| key.kind.takes(value, dimensions));
        if takes { Ok(()) } else { Err(self.refuse(name, &key.kind.allowed(dimensions))) }
    }
}
