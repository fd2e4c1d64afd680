//! A scene file as it was written: dotted keys with their values, each remembering where it came
//! from.

use std::collections::BTreeMap;

use toml::Spanned;
use toml::de::{DeTable, DeValue};
use wingbeat::steer::Anticipation;
use wingbeat::steer::parameters::{ParameterInfo, Parameters, Setting, SettingInfo, SettingValue};
use wingbeat::steer::{Model, ParamError};
use wingbeat_record::shortened;

use crate::SceneError;
use crate::lists;
use crate::named::{self, FAMILIES};
use crate::overrides::Override;
use crate::value::{KeyValue, Origin, leaf};

/// A scene file with overrides applied. [`check`](Self::check) says whether every key is known and
/// every value within its range.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    /// The file's path as given, or the preset's name.
    name: String,
    leaves: BTreeMap<String, KeyValue>,
    /// Sections that are present, even if empty: `[cohesion]` alone switches the rule on.
    sections: BTreeMap<String, Section>,
}

/// A section that is present.
#[derive(Clone, Debug)]
struct Section {
    origin: Origin,
    /// Its place in the order of the file, in which drives are summed and species numbered.
    rank: usize,
}

/// What a value is read from.
enum Source<'a> {
    /// A file, by the offsets at which its lines begin.
    File(&'a [usize]),
    /// A flag, and its rank: flags come after everything in the file, in the order given.
    Flag(&'a str, usize),
}

impl Source<'_> {
    fn origin(&self, offset: usize) -> Origin {
        match self {
            Self::File(starts) => Origin::Line(starts.partition_point(|&start| start <= offset)),
            Self::Flag(flag, _) => Origin::Flag((*flag).to_string()),
        }
    }

    fn rank(&self, offset: usize) -> usize {
        match *self {
            Self::File(_) => offset,
            Self::Flag(_, rank) => rank,
        }
    }
}

impl Document {
    /// Parses a text and applies the overrides. Nothing is checked yet but the TOML itself.
    pub fn parse(name: &str, text: &str, overrides: &[Override]) -> Result<Self, SceneError> {
        let breaks =
            text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n').map(|(at, _)| at + 1);
        let starts: Vec<usize> = std::iter::once(0).chain(breaks).collect();
        let source = Source::File(&starts);
        let place =
            |offset: usize| format!("{name}:{}", starts.partition_point(|&start| start <= offset));
        lists::check(text, place)?;
        let table = DeTable::parse(text).map_err(|error| {
            let place = error.span().map_or_else(|| name.to_string(), |span| place(span.start));
            let mut message = error.message().to_string();
            // A path as Windows has it, between double quotes.
            if message.contains("escaped value") || message.contains("unicode value") {
                message += "; between single quotes a backslash stands for itself";
            }
            SceneError::Syntax { place, message }
        })?;
        let mut document =
            Self { name: name.to_string(), leaves: BTreeMap::new(), sections: BTreeMap::new() };
        document.insert_table("", table.get_ref(), &source);
        for (i, change) in overrides.iter().enumerate() {
            document.apply(change, text.len() + i)?;
        }
        Ok(document)
    }

    fn insert_table(&mut self, path: &str, table: &DeTable<'_>, source: &Source<'_>) {
        for (key, value) in table {
            let path = if path.is_empty() {
                key.get_ref().to_string()
            } else {
                format!("{path}.{}", key.get_ref())
            };
            self.insert(path, value, source, key.span().start);
        }
    }

    fn insert(
        &mut self,
        path: String,
        value: &Spanned<DeValue<'_>>,
        source: &Source<'_>,
        offset: usize,
    ) {
        let origin = source.origin(offset);
        if let DeValue::Table(table) = value.get_ref() {
            self.insert_table(&path, table, source);
            // Keys of it that a flag gives come later than the section in its file.
            let rank = self
                .sections
                .get(&path)
                .map_or(usize::MAX, |section| section.rank)
                .min(source.rank(offset));
            self.sections.insert(path, Section { origin, rank });
            return;
        }
        self.insert_leaf(path, leaf(value.get_ref(), origin), source.rank(offset));
    }

    fn insert_leaf(&mut self, path: String, leaf: KeyValue, rank: usize) {
        if let Some((section, _)) = path.rsplit_once('.') {
            let origin = || leaf.origin.clone();
            self.sections
                .entry(section.to_string())
                .or_insert_with(|| Section { origin: origin(), rank });
        }
        self.leaves.insert(path, leaf);
    }

    fn apply(&mut self, change: &Override, rank: usize) -> Result<(), SceneError> {
        let origin = Origin::Flag(change.flag.clone());
        // Two keys for one thing: an override of one replaces the other, too, so that the file's
        // does not contradict it.
        for (one, other) in [("field_of_view", "cos_half_view"), ("cos_half_view", "field_of_view")]
        {
            if let Some(rule) = change.key.strip_suffix(one) {
                self.leaves.remove(&format!("{rule}{other}"));
            }
        }
        let text = Some(SettingValue::Text(change.value.clone()));
        let as_text = KeyValue { value: text, shown: format!("\"{}\"", change.value), origin };
        if change.is_text {
            self.insert_leaf(change.key.clone(), as_text, rank);
            return Ok(());
        }
        match DeValue::parse(&change.value) {
            Ok(value) => {
                self.insert(change.key.clone(), &value, &Source::Flag(&change.flag, rank), 0)
            }
            Err(error) => {
                if change.value.is_empty()
                    || change.value.contains(['"', '\'', '[', ']', '{', '}', '=', ',', '\n'])
                {
                    let message = format!(
                        "{} = {}: not a TOML value: {}",
                        change.key,
                        change.value,
                        error.message()
                    );
                    return Err(SceneError::Syntax { place: change.flag.clone(), message });
                }
                self.insert_leaf(change.key.clone(), as_text, rank);
            }
        }
        Ok(())
    }

    /// The model that is named, its parameters as usual.
    pub fn named_model(&self) -> Result<Option<Model>, SceneError> {
        self.named(("model", "model.name"), Model::named, Model::NAMES)
    }

    /// The model of anticipation that is named, its parameters as usual.
    pub fn named_anticipation(&self) -> Result<Option<Anticipation>, SceneError> {
        let keys = ("anticipation", "anticipation.kind");
        self.named(keys, Anticipation::named, Anticipation::NAMES)
    }

    /// What a section, if it is there, names by a key of it.
    fn named<T>(
        &self,
        (section, key): (&str, &str),
        of: impl FnOnce(&str) -> Option<T>,
        names: &[&str],
    ) -> Result<Option<T>, SceneError> {
        if !self.has_section(section) {
            return Ok(None);
        }
        let found = self.text(key).and_then(of);
        found.map(Some).ok_or_else(|| self.refuse(key, &names.join(", ")))
    }

    /// Named tables of a family in the order of the file: for `drive`, say `drive.north`,
    /// `drive.wind`.
    pub fn tables(&self, family: &str) -> Vec<&str> {
        let names =
            FAMILIES.iter().find(|known| known.name == family).map_or(1, |known| known.names);
        let start = format!("{family}.");
        let within =
            self.sections.range(start.clone()..).take_while(|(path, _)| path.starts_with(&start));
        // `[species.hare.cohesion]` alone makes `species.hare` a table, too.
        let mut first: BTreeMap<&str, usize> = BTreeMap::new();
        for (path, section) in within {
            if let Some(end) =
                path.match_indices('.').map(|(at, _)| at).chain([path.len()]).nth(names)
            {
                let rank = first.entry(&path[..end]).or_insert(usize::MAX);
                *rank = section.rank.min(*rank);
            }
        }
        let mut tables: Vec<(usize, &str)> =
            first.into_iter().map(|(path, rank)| (rank, path)).collect();
        tables.sort_unstable();
        tables.into_iter().map(|(_, path)| path).collect()
    }

    /// The kind of a table; `None` where it is not given.
    pub fn kind_of(&self, table: &str) -> Option<&str> {
        self.text(&format!("{table}.{}", named::tag(table)))
    }

    /// Whether keys were given in a section or in a section of it.
    pub fn holds_keys(&self, section: &str) -> bool {
        let start = format!("{section}.");
        self.leaves.range(start.clone()..).next().is_some_and(|(key, _)| key.starts_with(&start))
    }

    /// The model with the parameters given; of a checked document.
    pub fn model(&self) -> Option<Model> {
        let mut model = self.text("model.name").and_then(Model::named)?;
        for (key, value) in self.numbers_in("model", model.parameters()) {
            model.set(key, value);
        }
        Some(model)
    }

    /// The `domain.kind` of a scene that does not say it.
    pub fn usual_domain(&self) -> &'static str {
        match self.model() {
            // No boid leaves a floor, and flow fields want a box.
            _ if self.has_section("floor") => "reflecting",
            Some(model) if model.usual().periodic => "periodic",
            _ => "open",
        }
    }

    /// A refusal of a key's value, placed where the value was given.
    pub fn refuse(&self, key: &str, allowed: &str) -> SceneError {
        let leaf = self.leaves.get(key);
        // A list may be as long as its file.
        let shown = |leaf: &KeyValue| {
            if leaf.shown.starts_with('[') { shortened(&leaf.shown) } else { leaf.shown.clone() }
        };
        let value = leaf.map_or_else(|| "nothing".to_string(), shown);
        SceneError::Value {
            place: self.place_of(key),
            key: key.to_string(),
            value,
            allowed: allowed.to_string(),
        }
    }

    /// A refusal of the engine's, placed where its key was given.
    pub fn refuse_param(&self, refusal: ParamError) -> SceneError {
        // The engine names an axis (`domain.max[1]`); the file has the whole point.
        let key = refusal.field.split('[').next().unwrap_or(&refusal.field);
        // What a species was refused for may be what it inherits.
        let key = named::inherited(key)
            .filter(|common| !self.has(key) && self.has(common))
            .unwrap_or(key);
        // Of a list of points it names the one that is wrong.
        let shown = self.shown(key).filter(|shown| !shown.starts_with("[["));
        let value = shown.map_or(refusal.value, str::to_string);
        let is_section = !self.has(key) && self.has_section(key);
        let place = if is_section { self.place_of_section(key) } else { self.place_of(key) };
        SceneError::Value { place, key: refusal.field, value, allowed: refusal.allowed }
    }

    /// Where a section was given first.
    pub fn place_of_section(&self, section: &str) -> String {
        let start = format!("{section}.");
        // A flag may have brought in only a table within it.
        let within = self
            .sections
            .range(start.clone()..)
            .next()
            .filter(|(path, _)| path.starts_with(&start));
        let found = self.sections.get(section).or(within.map(|(_, section)| section));
        found.map_or_else(|| self.name.clone(), |section| self.place(&section.origin))
    }

    /// Where a key was given; the scene's name if it was not.
    pub fn place_of(&self, key: &str) -> String {
        let section = key.rsplit_once('.').and_then(|(section, _)| self.sections.get(section));
        // A key that is missing is missing from the file: a section that only a flag brought in is
        // not its place.
        let header = section
            .map(|section| &section.origin)
            .filter(|origin| matches!(origin, Origin::Line(_)));
        let origin = self.leaves.get(key).map(|leaf| &leaf.origin).or(header);
        origin.map_or_else(|| self.name.clone(), |origin| self.place(origin))
    }

    /// A place in words.
    pub fn place(&self, origin: &Origin) -> String {
        match origin {
            Origin::Line(line) => format!("{}:{line}", self.name),
            Origin::Flag(flag) => flag.clone(),
        }
    }

    /// The file's path as given, or the preset's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// All keys that were given, with their values.
    pub fn leaves(&self) -> impl Iterator<Item = (&str, &KeyValue)> {
        self.leaves.iter().map(|(path, leaf)| (path.as_str(), leaf))
    }

    /// All sections that are present.
    pub fn sections(&self) -> impl Iterator<Item = &str> {
        self.sections.keys().map(String::as_str)
    }

    /// All sections with where they were given first.
    pub fn origins(&self) -> impl Iterator<Item = (&str, &Origin)> {
        self.sections.iter().map(|(path, section)| (path.as_str(), &section.origin))
    }

    /// A key's value, how it was written, and where.
    pub fn leaf(&self, key: &str) -> Option<&KeyValue> {
        self.leaves.get(key)
    }

    /// A key's value.
    pub fn value(&self, key: &str) -> Option<&SettingValue> {
        self.leaves.get(key)?.value.as_ref()
    }

    /// Whether a key was given.
    pub fn has(&self, key: &str) -> bool {
        self.leaves.contains_key(key)
    }

    /// Whether a section was given, with keys or without.
    pub fn has_section(&self, section: &str) -> bool {
        self.sections.contains_key(section)
    }

    /// Whether a key was given on the command line rather than in the file.
    pub fn is_override(&self, key: &str) -> bool {
        self.leaves.get(key).is_some_and(|leaf| matches!(leaf.origin, Origin::Flag(_)))
    }

    /// How a key's value was written.
    pub fn shown(&self, key: &str) -> Option<&str> {
        self.leaves.get(key).map(|leaf| leaf.shown.as_str())
    }

    /// A number; whole numbers count.
    pub fn number(&self, key: &str) -> Option<f64> {
        self.value(key)?.number()
    }

    /// A number as the engine's `f32`; finite, because ranges are checked before.
    pub fn narrow(&self, key: &str) -> Option<f32> {
        self.number(key).map(|x| x as f32)
    }

    /// A whole number.
    pub fn whole(&self, key: &str) -> Option<i64> {
        self.value(key)?.whole()
    }

    /// `true` or `false`.
    pub fn flag(&self, key: &str) -> Option<bool> {
        self.value(key)?.flag()
    }

    /// A text or one of a choice.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.value(key)?.text()
    }

    /// What is set in a table, over what holds where it says nothing.
    pub fn read<P: Parameters>(&self, at: &str, mut usual: P) -> P {
        for (key, value) in self.numbers_in(at, P::PARAMETERS) {
            usual.set(key, value);
        }
        for (key, value) in self.settings_in(at, P::SETTINGS) {
            usual.choose(key, value);
        }
        usual
    }

    /// The numbers of these that a table gives, by their keys.
    pub fn numbers_in(&self, at: &str, rows: &[ParameterInfo]) -> Vec<(&'static str, f32)> {
        let given =
            |row: &ParameterInfo| Some((row.name(), self.narrow(&format!("{at}.{}", row.name()))?));
        rows.iter().filter_map(given).collect()
    }

    /// The settings of these that a table gives, by their keys.
    pub fn settings_in(
        &self,
        at: &str,
        rows: &[SettingInfo],
    ) -> Vec<(&'static str, &SettingValue)> {
        let given = |row: &SettingInfo| Some((row.key, self.value(&format!("{at}.{}", row.key))?));
        rows.iter().filter_map(given).collect()
    }

    /// Gives a text by another key than it was given by.
    pub fn rename_text(&mut self, from: &str, to: &str, text: String) {
        if let Some(leaf) = self.leaves.remove(from) {
            let leaf = KeyValue {
                shown: format!("\"{text}\""),
                value: Some(SettingValue::Text(text)),
                origin: leaf.origin,
            };
            self.leaves.insert(to.to_string(), leaf);
        }
    }

    /// Gives a key a value, in place of what was given for it.
    pub fn put(&mut self, key: &str, leaf: KeyValue) {
        // A section that this brings in comes after all others.
        self.insert_leaf(key.to_string(), leaf, usize::MAX);
    }

    /// Forgets what was given for a key.
    pub fn forget(&mut self, key: &str) {
        self.leaves.remove(key);
    }

    /// A point of `D` numbers.
    pub fn point<const D: usize>(&self, key: &str) -> Option<[f64; D]> {
        Setting::from_value(self.value(key)?)
    }
}
