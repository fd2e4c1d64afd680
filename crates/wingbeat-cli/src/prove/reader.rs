//! Reads TOML strictly: each key is asked for by name, and a key that was not asked for is refused
//! with its line.

use std::cell::RefCell;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::failure::Failure;

/// A text whose lines can be named in refusals.
pub struct SourceText<'a> {
    name: &'a str,
    text: &'a str,
}

impl<'a> SourceText<'a> {
    pub fn new(name: &'a str, text: &'a str) -> Self {
        Self { name, text }
    }

    /// The file's table.
    pub fn parse(&self) -> Result<Spanned<DeTable<'a>>, Failure> {
        DeTable::parse(self.text).map_err(|error| {
            let place =
                error.span().map_or_else(|| self.name.to_string(), |span| self.place(span.start));
            Failure::BadInput(format!("{place}: {}", error.message()))
        })
    }

    fn place(&self, offset: usize) -> String {
        let before =
            self.text.as_bytes().iter().take(offset).filter(|&&byte| byte == b'\n').count();
        format!("{}:{}", self.name, before + 1)
    }
}

/// A table of a file, and which of its keys were asked for.
pub struct ProofTable<'a> {
    source: &'a SourceText<'a>,
    /// Dotted, empty for the whole file.
    path: String,
    name: &'a str,
    /// Where it begins.
    offset: usize,
    table: &'a DeTable<'a>,
    asked: RefCell<Vec<&'static str>>,
}

impl<'a> ProofTable<'a> {
    pub fn new(source: &'a SourceText<'a>, table: &'a Spanned<DeTable<'a>>) -> Self {
        Self {
            source,
            path: String::new(),
            name: "",
            offset: table.span().start,
            table: table.get_ref(),
            asked: RefCell::default(),
        }
    }

    /// The last part of its name: of `[check.time]`, `time`.
    pub fn name(&self) -> &'a str {
        self.name
    }

    fn key(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_string() } else { format!("{}.{key}", self.path) }
    }

    fn value(&self, key: &'static str) -> Option<&'a Spanned<DeValue<'a>>> {
        self.asked.borrow_mut().push(key);
        self.table.get(key)
    }

    /// A value that reads as `T`, or what is allowed in its place.
    fn read<T>(
        &self,
        key: &'static str,
        allowed: &str,
        read: impl Fn(&DeValue<'a>) -> Option<T>,
    ) -> Result<Option<T>, Failure> {
        let Some(value) = self.value(key) else { return Ok(None) };
        read(value.get_ref()).map(Some).ok_or_else(|| self.refuse_value(key, value, allowed))
    }

    fn refuse_value(&self, key: &str, value: &Spanned<DeValue<'a>>, allowed: &str) -> Failure {
        let shown = self.source.text.get(value.span()).unwrap_or("");
        let shown: String =
            shown.chars().map(|c| if c.is_control() { ' ' } else { c }).take(60).collect();
        let place = self.source.place(value.span().start);
        Failure::BadInput(format!("{place}: {} = {}: allowed is {allowed}", self.key(key), shown))
    }

    /// A refusal of a key's value.
    pub fn refuse(&self, key: &'static str, allowed: &str) -> Failure {
        match self.table.get(key) {
            Some(value) => self.refuse_value(key, value, allowed),
            None => self.missing(key, allowed),
        }
    }

    fn missing(&self, key: &str, allowed: &str) -> Failure {
        Failure::BadInput(format!(
            "{}: {} is missing: allowed is {allowed}",
            self.source.place(self.offset),
            self.key(key)
        ))
    }

    pub fn text(&self, key: &'static str) -> Result<Option<String>, Failure> {
        self.read(key, "a text in quotes", |value| value.as_str().map(str::to_string))
    }

    pub fn required_text(&self, key: &'static str) -> Result<String, Failure> {
        self.text(key)?.ok_or_else(|| self.missing(key, "a text in quotes"))
    }

    pub fn flag(&self, key: &'static str) -> Result<Option<bool>, Failure> {
        self.read(key, "true or false", DeValue::as_bool)
    }

    pub fn number(&self, key: &'static str) -> Result<Option<f64>, Failure> {
        self.read(key, "a finite number", number)
    }

    pub fn numbers<const N: usize>(&self, key: &'static str) -> Result<Option<[f64; N]>, Failure> {
        self.read(key, &format!("{N} finite numbers in brackets"), |value| {
            let items = value.as_array()?;
            let numbers: Vec<f64> =
                items.iter().filter_map(|item| number(item.get_ref())).collect();
            if numbers.len() == items.len() { numbers.try_into().ok() } else { None }
        })
    }

    pub fn texts(&self, key: &'static str) -> Result<Option<Vec<String>>, Failure> {
        self.read(key, "texts in brackets", |value| {
            value
                .as_array()?
                .iter()
                .map(|item| item.get_ref().as_str().map(str::to_string))
                .collect()
        })
    }

    /// One of some words.
    pub fn word<T: Copy>(
        &self,
        key: &'static str,
        words: &[(&str, T)],
    ) -> Result<Option<T>, Failure> {
        let allowed = words.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(", ");
        self.read(key, &allowed, |value| {
            let given = value.as_str()?;
            words.iter().find_map(|(word, meaning)| (*word == given).then_some(*meaning))
        })
    }

    /// The named tables of a family, `[check.NAME]`, in the order of the file.
    pub fn tables(&self, family: &'static str) -> Result<Vec<ProofTable<'a>>, Failure> {
        let Some(value) = self.value(family) else { return Ok(Vec::new()) };
        let allowed = format!("tables, as [{family}.NAME]");
        let DeValue::Table(table) = value.get_ref() else {
            return Err(self.refuse_value(family, value, &allowed));
        };
        let mut tables = Vec::new();
        for (name, value) in table {
            let DeValue::Table(inner) = value.get_ref() else {
                return Err(self.refuse_value(family, value, &allowed));
            };
            let (path, offset) =
                (format!("{}.{}", self.key(family), name.get_ref()), name.span().start);
            let (name, asked) = (name.get_ref().as_ref(), RefCell::default());
            tables.push(ProofTable {
                source: self.source,
                path,
                name,
                offset,
                table: inner,
                asked,
            });
        }
        tables.sort_by_key(|table| table.offset);
        Ok(tables)
    }

    /// Refuses keys that were not asked for.
    pub fn finish(&self) -> Result<(), Failure> {
        let asked = self.asked.borrow();
        let unknown = self.table.iter().find(|(key, _)| !asked.contains(&key.get_ref().as_ref()));
        let Some((key, _)) = unknown else { return Ok(()) };
        let (place, key) = (self.source.place(key.span().start), self.key(key.get_ref()));
        Err(Failure::BadInput(format!(
            "{place}: unknown key {key}: allowed here are {}",
            asked.join(", ")
        )))
    }
}

/// A finite number; whole numbers count.
fn number(value: &DeValue<'_>) -> Option<f64> {
    match value {
        DeValue::Integer(digits) => {
            i64::from_str_radix(digits.as_str(), digits.radix()).ok().map(|whole| whole as f64)
        }
        DeValue::Float(digits) => {
            digits.as_str().parse().ok().filter(|number: &f64| number.is_finite())
        }
        _ => None,
    }
}
