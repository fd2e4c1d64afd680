//! Values of a scene file, and whether a key takes them.

use toml::de::DeValue;

use crate::keys::{FARTHEST, KeyKind};
use crate::lists::MOST_POINTS;
use crate::named::is_name;
use crate::number::plain;

/// A TOML value of a type that scenes use.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Whole(i64),
    Number(f64),
    Flag(bool),
    Text(String),
    List(Vec<KeyValue>),
    /// A value that no key takes: a date, or a whole number beyond 64 bits.
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
pub(crate) struct KeyValue {
    pub value: Value,
    pub shown: String,
    pub origin: Origin,
}

impl KeyValue {
    /// The same with numbers so many times as large, in lists too: another value of the same kind.
    pub fn scaled(&self, factor: f64) -> Self {
        let value = match &self.value {
            Value::Whole(whole) => Value::Number(*whole as f64 * factor),
            Value::Number(number) => Value::Number(number * factor),
            Value::List(items) => {
                Value::List(items.iter().map(|item| item.scaled(factor)).collect())
            }
            other => other.clone(),
        };
        Self { value, ..self.clone() }
    }
}

/// A number; whole numbers count.
pub(crate) fn as_number(value: &Value) -> Option<f64> {
    match *value {
        Value::Whole(whole) => Some(whole as f64),
        Value::Number(number) => Some(number),
        _ => None,
    }
}

/// A value as it was written.
pub(crate) fn leaf(value: &DeValue<'_>, origin: Origin) -> KeyValue {
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
            let items: Vec<KeyValue> =
                items.iter().map(|item| leaf(item.get_ref(), origin.clone())).collect();
            let shown: Vec<&str> = items.iter().map(|item| item.shown.as_str()).collect();
            let shown = format!("[{}]", shown.join(", "));
            (Value::List(items), shown)
        }
        DeValue::Datetime(date) => (Value::Unfit, date.to_string()),
        DeValue::Table(_) => (Value::Unfit, "{…}".to_string()),
    };
    KeyValue { value, shown, origin }
}

/// Whether a key takes a value.
///
/// # Errors
/// What the key takes, in words.
pub(crate) fn fits(kind: &KeyKind, value: &Value, dimensions: usize) -> Result<(), String> {
    let fits = match (kind, value) {
        (KeyKind::Number { min, max, above_min }, _) => as_number(value).is_some_and(|x| {
            // Narrowing may swallow a tiny number: 1e-60 is above 0, but not in the engine's f32.
            let above = if *above_min { x > *min && x as f32 > *min as f32 } else { x >= *min };
            above && x <= *max
        }),
        (KeyKind::Whole { min, max }, Value::Whole(whole)) => whole >= min && whole <= max,
        (KeyKind::Flag, Value::Flag(_))
        | (KeyKind::Text, Value::Text(_))
        | (KeyKind::PointOrTrue, Value::Flag(true)) => true,
        (KeyKind::Choice(words), Value::Text(word)) => words.contains(&word.as_str()),
        (KeyKind::Point(most), list) => is_point(list, dimensions, *most),
        (KeyKind::PointOrTrue, list) => is_point(list, dimensions, FARTHEST),
        (KeyKind::Points { least, most }, Value::List(items)) => {
            (*least..=MOST_POINTS).contains(&items.len())
                && items.iter().all(|item| is_point(&item.value, dimensions, *most))
        }
        (KeyKind::Pairs, Value::List(items)) => {
            items.iter().all(|item| as_pair(&item.value).is_some())
        }
        (KeyKind::Terms(terms), Value::List(items)) => items.iter().enumerate().all(|(i, item)| {
            let is_known = |term: &str| {
                terms.contains(&term) || term.strip_prefix("drive.").is_some_and(is_name)
            };
            let known = matches!(&item.value, Value::Text(term) if is_known(term));
            known && !items[..i].iter().any(|earlier| earlier.value == item.value)
        }),
        _ => false,
    };
    if fits { Ok(()) } else { Err(allowed(kind, dimensions)) }
}

/// Two whole numbers, 0 and above.
pub(crate) fn as_pair(value: &Value) -> Option<(u64, u64)> {
    let Value::List(items) = value else { return None };
    match (&items.first()?.value, &items.get(1)?.value) {
        (&Value::Whole(a), &Value::Whole(b)) if items.len() == 2 => {
            Some((a.try_into().ok()?, b.try_into().ok()?))
        }
        _ => None,
    }
}

fn is_point(value: &Value, dimensions: usize, most: f64) -> bool {
    let Value::List(items) = value else { return false };
    items.len() == dimensions
        && items.iter().all(|item| as_number(&item.value).is_some_and(|x| x.abs() <= most))
}

/// The range of a coordinate that may be so large in size.
pub(crate) fn within(most: f64) -> String {
    format!("{} to {}", plain(-most), plain(most))
}

/// What a key takes, in words.
pub(crate) fn allowed(kind: &KeyKind, dimensions: usize) -> String {
    match kind {
        KeyKind::Number { min, max, above_min: true } => {
            format!("a number above {}, at most {}", plain(*min), plain(*max))
        }
        KeyKind::Number { min, max, above_min: false } => {
            format!("a number, {} to {}", plain(*min), plain(*max))
        }
        KeyKind::Whole { min, max } => format!("a whole number, {min} to {max}"),
        KeyKind::Flag => "true or false".into(),
        KeyKind::Text => "a text in quotes".into(),
        KeyKind::Choice(words) => words.join(", "),
        KeyKind::Point(most) => {
            format!("a list of {dimensions} numbers (one per dimension), each {}", within(*most))
        }
        KeyKind::PointOrTrue => format!(
            "true, or a list of {dimensions} numbers (one per dimension), each {}",
            within(FARTHEST)
        ),
        KeyKind::Points { least, most } => {
            let each = within(*most);
            format!(
                "a list of {least} to {MOST_POINTS} points of {dimensions} numbers (one per \
                dimension), each {each}"
            )
        }
        KeyKind::Pairs => "a list of pairs of whole numbers, 0 and above".into(),
        KeyKind::Terms(terms) => {
            format!("a list of distinct terms out of {}, drive.NAME", terms.join(", "))
        }
    }
}
