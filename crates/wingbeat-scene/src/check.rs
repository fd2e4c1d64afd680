//! Whether a document is a scene: every name is known, and every value is one its key takes.

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
        let tables = FAMILIES.each_ref().map(|family| self.tables(family.name));
        for (family, tables) in FAMILIES.iter().zip(&tables) {
            self.check_tables(family, tables)?;
        }
        // Which keys there are depends on these.
        self.named_anticipation()?;
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
        let mut all = FAMILIES.iter().zip(&tables);
        all.try_for_each(|(family, tables)| {
            tables.iter().try_for_each(|table| self.check_complete(table, family))
        })
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
    fn check_tables(&self, family: &Family, tables: &[&str]) -> Result<(), SceneError> {
        if tables.len() > family.most {
            return Err(SceneError::Value {
                place: self.place_of_section(tables[family.most]),
                key: family.shown.into(),
                value: format!("{} tables", tables.len()),
                allowed: format!("at most {}", family.most),
            });
        }
        let Some(key) = keys::kind_key(family) else { return Ok(()) };
        tables.iter().try_for_each(|table| self.check_kind(table, key, tables))
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

    /// The refusal of a key that there is not, or that tables of this kind do not have.
    fn unknown(&self, name: &str) -> SceneError {
        let (table, _) = name.rsplit_once('.').unwrap_or(("", name));
        let (pattern, kind) = (named::pattern(name), self.kind_of(table));
        let namesakes = keys::keys().iter().filter(|key| key.name == pattern);
        let owners: Vec<&str> = namesakes.flat_map(|key| key.kinds).copied().collect();
        let own = keys::in_table(table, kind).collect::<Vec<_>>().join(", ");
        if let Some(kind) = kind.filter(|_| !owners.is_empty()) {
            let (tag, owners) = (named::tag(table), owners.join(", "));
            let allowed = format!("left out: {tag} = {kind} has {own} (it is a key of {owners})");
            return self.refuse(name, &allowed);
        }
        let mut advice = advice::advice(name, kind);
        let kind = kind.filter(|kind| keys::has_own(table, kind) && !table.contains('.'));
        advice.extend(kind.map(|kind| format!("; {kind} has {own}")));
        SceneError::UnknownKey { place: self.place_of(name), key: name.to_string(), advice }
    }

    fn check_leaf(&self, name: &str, leaf: &KeyValue, dimensions: usize) -> Result<(), SceneError> {
        if SECTIONS.contains(&name) {
            return Err(self.refuse(name, &format!("a table: [{name}]")));
        }
        let (table, _) = name.rsplit_once('.').unwrap_or(("", name));
        if let Some(family) = named::family(name) {
            if name.split('.').count() <= family.names + 1 {
                return Err(self.refuse(name, &format!("a table: {}", family.shown)));
            }
            if family.is_part(name) {
                return Err(self.refuse(name, &format!("a table: [{name}]")));
            }
        }
        let key = keys::find(name, self.kind_of(table)).ok_or_else(|| self.unknown(name))?;
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
