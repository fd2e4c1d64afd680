//! A scene file as it was written: dotted keys with their values, each remembering where it came from.

use std::collections::BTreeMap;

use toml::Spanned;
use toml::de::{DeTable, DeValue};
use wingbeat::Model;

use crate::SceneError;
use crate::keys::{self, Kind, SECTIONS};
use crate::nearest;
use crate::number::plain;
use crate::overrides::Override;

/// A TOML value, as far as scenes use them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Whole(i64),
    Number(f64),
    Flag(bool),
    Text(String),
    List(Vec<Leaf>),
    /// Something no key takes: a date, or a whole number beyond 64 bits.
    Unfit,
}

/// Where a value came from.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Origin {
    /// A line of the scene file.
    Line(usize),
    /// A flag of the command line, or `--set`.
    Flag(String),
}

/// A value, how it was written, and where.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Leaf {
    pub value: Value,
    pub shown: String,
    pub origin: Origin,
}

/// A whole scene file with overrides applied, every key known and every value within its range.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    /// The file's path as given, or the preset's name.
    name: String,
    leaves: BTreeMap<String, Leaf>,
    /// Sections that are present, even if empty: `[cohesion]` alone switches the rule on.
    sections: BTreeMap<String, Origin>,
}

impl Document {
    /// Parses a text, applies the overrides and checks every key.
    pub fn parse(name: &str, text: &str, overrides: &[Override]) -> Result<Self, SceneError> {
        let table = DeTable::parse(text).map_err(|error| {
            let place = error.span().map_or_else(|| name.to_string(), |span| format!("{name}:{}", line_at(text, span.start)));
            SceneError::Syntax { place, message: error.message().to_string() }
        })?;
        let mut document = Self { name: name.to_string(), leaves: BTreeMap::new(), sections: BTreeMap::new() };
        document.insert_table("", table.get_ref(), &|offset| Origin::Line(line_at(text, offset)));
        for change in overrides {
            document.apply(change)?;
        }
        document.check()?;
        Ok(document)
    }

    fn insert_table(&mut self, path: &str, table: &DeTable<'_>, origin: &dyn Fn(usize) -> Origin) {
        for (key, value) in table {
            let path = if path.is_empty() { key.get_ref().to_string() } else { format!("{path}.{}", key.get_ref()) };
            self.insert(path, value, origin, origin(key.span().start));
        }
    }

    fn insert(&mut self, path: String, value: &Spanned<DeValue<'_>>, origin: &dyn Fn(usize) -> Origin, place: Origin) {
        if let DeValue::Table(table) = value.get_ref() {
            self.insert_table(&path, table, origin);
            self.sections.insert(path, place);
            return;
        }
        self.insert_leaf(path, leaf(value.get_ref(), place));
    }

    fn insert_leaf(&mut self, path: String, leaf: Leaf) {
        if let Some((section, _)) = path.rsplit_once('.') {
            self.sections.entry(section.to_string()).or_insert_with(|| leaf.origin.clone());
        }
        self.leaves.insert(path, leaf);
    }

    fn apply(&mut self, change: &Override) -> Result<(), SceneError> {
        let place = Origin::Flag(change.flag.clone());
        // The other way to say the same: an override of one must not meet the file's own other as a contradiction.
        for (one, other) in [("field_of_view", "cos_half_view"), ("cos_half_view", "field_of_view")] {
            if let Some(rule) = change.key.strip_suffix(one) {
                self.leaves.remove(&format!("{rule}{other}"));
            }
        }
        let text = Value::Text(change.value.clone());
        let as_text = Leaf { value: text, shown: format!("\"{}\"", change.value), origin: place.clone() };
        if change.is_text {
            self.insert_leaf(change.key.clone(), as_text);
            return Ok(());
        }
        match DeValue::parse(&change.value) {
            Ok(value) => self.insert(change.key.clone(), &value, &|_| place.clone(), place.clone()),
            Err(error) => {
                if change.value.is_empty() || change.value.contains(['"', '\'', '[', ']', '{', '}', '=', ',', '\n']) {
                    let message = format!("{} = {}: not a TOML value: {}", change.key, change.value, error.message());
                    return Err(SceneError::Syntax { place: change.flag.clone(), message });
                }
                self.insert_leaf(change.key.clone(), as_text);
            }
        }
        Ok(())
    }

    /// Refuses unknown names first, then values that do not fit.
    fn check(&self) -> Result<(), SceneError> {
        for (section, origin) in &self.sections {
            let holds_keys = self.leaves.keys().any(|key| key.strip_prefix(section.as_str()).is_some_and(|k| k.starts_with('.')));
            if !SECTIONS.contains(&section.as_str()) && !holds_keys {
                let advice = nearest::section_advice(section);
                return Err(SceneError::UnknownKey { place: self.place(origin), key: format!("[{section}]"), advice });
            }
        }
        let model = self.named_model()?;
        let mut dimensions = model.map_or(3, |model| model.usual().dimensions);
        if let Some(leaf) = self.leaves.get("flock.dimensions") {
            self.check_leaf("flock.dimensions", leaf, dimensions)?;
            dimensions = if leaf.value == Value::Whole(2) { 2 } else { 3 };
        }
        for (name, leaf) in &self.leaves {
            self.check_leaf(name, leaf, dimensions)?;
        }
        Ok(())
    }

    /// The model that is named, its parameters as usual.
    fn named_model(&self) -> Result<Option<Model>, SceneError> {
        if !self.sections.contains_key("model") {
            return Ok(None);
        }
        let name = self.text("model.name");
        name.and_then(Model::named).map(Some).ok_or_else(|| self.refuse("model.name", &keys::model_names().join(", ")))
    }

    /// The model with the parameters given; of a checked document.
    pub fn model(&self) -> Option<Model> {
        let mut model = self.text("model.name").and_then(Model::named)?;
        for knob in model.knobs() {
            if let Some(value) = self.narrow(&format!("model.{}", knob.key)) {
                model.set(knob.key, value);
            }
        }
        Some(model)
    }

    /// Why a key of `[model]` is none of the model's own.
    fn foreign(&self, name: &str, model: Model) -> SceneError {
        let keys: Vec<&str> = model.knobs().iter().map(|knob| knob.key).collect();
        let own = format!("{} has {}", model.name(), keys.join(", "));
        let owners: Vec<&str> = keys::keys().iter().filter(|key| key.name == name).map(|key| key.model).collect();
        if owners.is_empty() {
            let advice = format!("{}; {own}", nearest::advice_for_model(name, &model));
            return SceneError::UnknownKey { place: self.place_of(name), key: name.to_string(), advice };
        }
        self.refuse(name, &format!("left out: {own} (it is a key of {})", owners.join(", ")))
    }

    fn check_leaf(&self, name: &str, leaf: &Leaf, dimensions: usize) -> Result<(), SceneError> {
        if SECTIONS.contains(&name) {
            return Err(self.refuse(name, &format!("a table: [{name}]")));
        }
        let model = self.text("model.name").and_then(Model::named);
        let Some(key) = keys::find(name, model.map(|model| model.name())) else {
            if let (Some(model), true) = (model, name.starts_with("model.")) {
                return Err(self.foreign(name, model));
            }
            let place = self.place(&leaf.origin);
            return Err(SceneError::UnknownKey { place, key: name.to_string(), advice: nearest::advice(name) });
        };
        fits(&key.kind, &leaf.value, dimensions).map_err(|allowed| self.refuse(name, &allowed))
    }

    /// A refusal of a key's value, placed where the value was given.
    pub fn refuse(&self, key: &str, allowed: &str) -> SceneError {
        let leaf = self.leaves.get(key);
        let value = leaf.map_or_else(|| "nothing".to_string(), |leaf| leaf.shown.clone());
        SceneError::Value { place: self.place_of(key), key: key.to_string(), value, allowed: allowed.to_string() }
    }

    /// Where a section was given first.
    pub fn place_of_section(&self, section: &str) -> String {
        self.sections.get(section).map_or_else(|| self.name.clone(), |origin| self.place(origin))
    }

    /// Where a key was given; the scene's name if it was not.
    pub fn place_of(&self, key: &str) -> String {
        let section = key.rsplit_once('.').and_then(|(section, _)| self.sections.get(section));
        // A section that a flag brought in is no place where this key is missing.
        let header = section.filter(|origin| matches!(origin, Origin::Line(_)));
        let origin = self.leaves.get(key).map(|leaf| &leaf.origin).or(header);
        origin.map_or_else(|| self.name.clone(), |origin| self.place(origin))
    }

    fn place(&self, origin: &Origin) -> String {
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
    pub fn leaves(&self) -> impl Iterator<Item = (&str, &Leaf)> {
        self.leaves.iter().map(|(path, leaf)| (path.as_str(), leaf))
    }

    /// All sections that are present.
    pub fn sections(&self) -> impl Iterator<Item = &str> {
        self.sections.keys().map(String::as_str)
    }

    /// A key's value, how it was written, and where.
    pub fn leaf(&self, key: &str) -> Option<&Leaf> {
        self.leaves.get(key)
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
        self.leaves.get(key).and_then(|leaf| as_number(&leaf.value))
    }

    /// A number as the engine takes it. Ranges were checked before narrowing, so that it stays finite.
    pub fn narrow(&self, key: &str) -> Option<f32> {
        self.number(key).map(|x| x as f32)
    }

    /// A whole number.
    pub fn whole(&self, key: &str) -> Option<i64> {
        match self.leaves.get(key)?.value {
            Value::Whole(whole) => Some(whole),
            _ => None,
        }
    }

    /// `true` or `false`.
    pub fn flag(&self, key: &str) -> Option<bool> {
        match self.leaves.get(key)?.value {
            Value::Flag(flag) => Some(flag),
            _ => None,
        }
    }

    /// A text or one of a choice.
    pub fn text(&self, key: &str) -> Option<&str> {
        match &self.leaves.get(key)?.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The texts of a list.
    pub fn texts(&self, key: &str) -> Vec<&str> {
        let Some(Leaf { value: Value::List(items), .. }) = self.leaves.get(key) else { return Vec::new() };
        items.iter().filter_map(|item| if let Value::Text(text) = &item.value { Some(text.as_str()) } else { None }).collect()
    }

    /// A point of `D` numbers.
    pub fn point<const D: usize>(&self, key: &str) -> Option<[f64; D]> {
        let Value::List(items) = &self.leaves.get(key)?.value else { return None };
        let numbers: Vec<f64> = items.iter().filter_map(|item| as_number(&item.value)).collect();
        numbers.try_into().ok()
    }
}

fn as_number(value: &Value) -> Option<f64> {
    match *value {
        Value::Whole(whole) => Some(whole as f64),
        Value::Number(number) => Some(number),
        _ => None,
    }
}

/// A value as it was written.
pub(crate) fn leaf(value: &DeValue<'_>, origin: Origin) -> Leaf {
    let (value, shown) = match value {
        DeValue::String(text) => (Value::Text(text.to_string()), format!("\"{text}\"")),
        DeValue::Boolean(flag) => (Value::Flag(*flag), flag.to_string()),
        DeValue::Integer(digits) => {
            let whole = i64::from_str_radix(digits.as_str(), digits.radix());
            (whole.map_or(Value::Unfit, Value::Whole), digits.to_string())
        }
        DeValue::Float(digits) => {
            let number = digits.as_str().parse();
            (number.map_or(Value::Unfit, Value::Number), digits.as_str().to_string())
        }
        DeValue::Array(items) => {
            let items: Vec<Leaf> = items.iter().map(|item| leaf(item.get_ref(), origin.clone())).collect();
            let shown: Vec<&str> = items.iter().map(|item| item.shown.as_str()).collect();
            let shown = format!("[{}]", shown.join(", "));
            (Value::List(items), shown)
        }
        DeValue::Datetime(date) => (Value::Unfit, date.to_string()),
        DeValue::Table(_) => (Value::Unfit, "{…}".to_string()),
    };
    Leaf { value, shown, origin }
}

/// Whether a value is what a key takes; if not, what it takes in words.
fn fits(kind: &Kind, value: &Value, dimensions: usize) -> Result<(), String> {
    let fits = match (kind, value) {
        (Kind::Number { min, max, above_min }, _) => as_number(value).is_some_and(|x| {
            // Narrowing may swallow a tiny number: 1e-60 is above 0, but not in the engine's f32.
            let above = if *above_min { x > *min && x as f32 > *min as f32 } else { x >= *min };
            above && x <= *max
        }),
        (Kind::Whole { min, max }, Value::Whole(whole)) => whole >= min && whole <= max,
        (Kind::Flag, Value::Flag(_)) | (Kind::Text, Value::Text(_)) | (Kind::PointOrTrue, Value::Flag(true)) => true,
        (Kind::Choice(words), Value::Text(word)) => words.contains(&word.as_str()),
        (Kind::Point | Kind::PointOrTrue, Value::List(items)) => {
            items.len() == dimensions && items.iter().all(|item| as_number(&item.value).is_some_and(|x| x.abs() <= 1e30))
        }
        (Kind::Terms(terms), Value::List(items)) => items.iter().enumerate().all(|(i, item)| {
            let known = matches!(&item.value, Value::Text(term) if terms.contains(&term.as_str()));
            known && !items[..i].iter().any(|earlier| earlier.value == item.value)
        }),
        _ => false,
    };
    if fits { Ok(()) } else { Err(allowed(kind, dimensions)) }
}

/// What a key takes, in words.
pub(crate) fn allowed(kind: &Kind, dimensions: usize) -> String {
    match kind {
        Kind::Number { min, max, above_min: true } => format!("a number above {}, at most {}", plain(*min), plain(*max)),
        Kind::Number { min, max, above_min: false } => format!("a number, {} to {}", plain(*min), plain(*max)),
        Kind::Whole { min, max } => format!("a whole number, {min} to {max}"),
        Kind::Flag => "true or false".into(),
        Kind::Text => "a text in quotes".into(),
        Kind::Choice(words) => words.join(", "),
        Kind::Point => format!("a list of {dimensions} numbers (one per dimension), each -1e30 to 1e30"),
        Kind::PointOrTrue => format!("true, or a list of {dimensions} numbers (one per dimension), each -1e30 to 1e30"),
        Kind::Terms(terms) => format!("a list of distinct terms out of {}", terms.join(", ")),
    }
}

fn line_at(text: &str, offset: usize) -> usize {
    text.as_bytes().iter().take(offset).filter(|&&byte| byte == b'\n').count() + 1
}
