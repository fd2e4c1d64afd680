//! Values of a scene file: what they are, how they were written, and where.

use toml::de::DeValue;
use wingbeat::steer::parameters::{SettingKind, SettingValue};

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
pub(crate) struct KeyValue {
    /// `None` of what no key takes: a date, a whole number beyond 64 bits, a table in a list.
    pub value: Option<SettingValue>,
    pub shown: String,
    pub origin: Origin,
}

impl KeyValue {
    /// The same with numbers so many times as large, in lists too: another value of the same kind.
    pub fn scaled(&self, factor: f64) -> Self {
        fn scaled(value: &SettingValue, factor: f64) -> SettingValue {
            match value {
                SettingValue::List(items) => {
                    SettingValue::List(items.iter().map(|item| scaled(item, factor)).collect())
                }
                other => other
                    .number()
                    .map_or_else(|| other.clone(), |x| SettingValue::Number(x * factor)),
            }
        }
        let value = self.value.as_ref().map(|value| scaled(value, factor));
        Self { value, ..self.clone() }
    }

    /// The value as a key of this kind has it: whole numbers are numbers where any number is taken.
    pub fn of_kind(&self, kind: &SettingKind) -> Option<SettingValue> {
        fn as_numbers(value: &SettingValue) -> SettingValue {
            match value {
                SettingValue::Whole(whole) => SettingValue::Number(*whole as f64),
                SettingValue::List(items) => {
                    SettingValue::List(items.iter().map(as_numbers).collect())
                }
                other => other.clone(),
            }
        }
        let value = self.value.as_ref()?;
        Some(match kind {
            SettingKind::Whole { .. } | SettingKind::Pairs => value.clone(),
            _ => as_numbers(value),
        })
    }
}

/// A value as it was written.
pub(crate) fn leaf(value: &DeValue<'_>, origin: Origin) -> KeyValue {
    let (value, shown) = written(value);
    KeyValue { value, shown, origin }
}

fn written(value: &DeValue<'_>) -> (Option<SettingValue>, String) {
    match value {
        DeValue::String(text) => {
            (Some(SettingValue::Text(text.to_string())), format!("\"{text}\""))
        }
        DeValue::Boolean(flag) => (Some(SettingValue::Flag(*flag)), flag.to_string()),
        DeValue::Integer(digits) => {
            let whole = i64::from_str_radix(digits.as_str(), digits.radix());
            (whole.ok().map(SettingValue::Whole), digits.to_string())
        }
        DeValue::Float(digits) => {
            let number = digits.as_str().parse();
            (number.ok().map(SettingValue::Number), digits.as_str().to_string())
        }
        DeValue::Array(items) => {
            let (values, shown): (Vec<_>, Vec<_>) =
                items.iter().map(|item| written(item.get_ref())).unzip();
            let list = values.into_iter().collect::<Option<_>>().map(SettingValue::List);
            (list, format!("[{}]", shown.join(", ")))
        }
        DeValue::Datetime(date) => (None, date.to_string()),
        DeValue::Table(_) => (None, "{…}".to_string()),
    }
}
