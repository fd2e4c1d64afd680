//! A key with the values it takes in a sweep.

use std::collections::HashSet;

use wingbeat_scene::{KeyKind, Override, known_key};

use crate::failure::Failure;

/// More runs than this are taken for a typing error.
pub const MOST_RUNS: usize = 1_000_000;

/// The key whose values are averaged over.
pub const SEED: &str = "flock.seed";

pub const SYNTAX: &str = "KEY=A..B:N (N evenly spaced values), KEY=A..B (whole numbers), KEY=A,B,C \
    (a list) or KEY=VALUE";

/// A key with the values it takes, as text.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    pub flag: String,
    pub key: String,
    pub values: Vec<String>,
    /// Given as a range or list, if only of one value.
    pub swept: bool,
    /// A path, which is no TOML.
    pub is_text: bool,
}

impl Axis {
    /// Reads what was given for a key.
    pub fn parse(flag: &str, key: &str, text: &str) -> Result<Self, Failure> {
        let axis = |values, swept| Self {
            flag: flag.into(),
            key: key.into(),
            values,
            swept,
            is_text: false,
        };
        let refused = |allowed: &str| Failure::value(&format!("{flag}: {key}"), text, allowed);
        let items = split(text);
        let Some(known) = known_key(key) else {
            // The scene refuses an unknown key, naming the nearest; it only needs a value that can
            // be parsed.
            let plain = items.len() == 1 && !text.contains("..");
            return Ok(axis(vec![if plain { text.into() } else { "0".into() }], false));
        };
        if text.contains(char::is_control) || items.iter().any(|item| item.is_empty()) {
            return Err(refused(SYNTAX));
        }
        let numeric = matches!(known.kind, KeyKind::Number { .. } | KeyKind::Whole { .. });
        let is_range = |item: &&str| numeric && item.contains("..");
        let swept = items.len() > 1 || items.iter().any(is_range);
        let mut values = Vec::new();
        for item in &items {
            if is_range(item) {
                values.extend(range(item).map_err(|allowed| refused(&allowed))?);
            } else {
                values.push(item.to_string());
            }
        }
        if values.len() > MOST_RUNS {
            return Err(refused(&format!("at most {MOST_RUNS} values")));
        }
        let mut seen = HashSet::new();
        if let Some(twice) = values.iter().find(|value| !seen.insert(canonical(value))) {
            return Err(refused(&format!("values that differ ({twice} is there twice)")));
        }
        Ok(axis(values, swept))
    }

    /// What tells runs apart beside the scene's keys.
    pub fn beside(name: &str, values: &[&str]) -> Self {
        let values = values.iter().map(|value| value.to_string()).collect();
        Self { flag: String::new(), key: name.into(), values, swept: true, is_text: true }
    }

    /// The value at this place, as an override of the scene's own.
    pub fn set(&self, i: usize) -> Override {
        let make = if self.is_text { Override::text } else { Override::flag };
        make(&self.flag, &self.key, &self.values[i])
    }

    /// The values as numbers, if all are.
    pub fn numbers(&self) -> Option<Vec<f64>> {
        self.values.iter().map(|value| value.parse().ok().filter(|x: &f64| x.is_finite())).collect()
    }
}

/// A text apart at the commas outside brackets, braces and quotes.
fn split(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth, mut quote) = (Vec::new(), 0, 0_i32, None);
    for (i, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '[' | '{') => depth += 1,
            (None, ']' | '}') => depth -= 1,
            (None, ',') if depth == 0 => {
                parts.push(text[start..i].trim());
                start = i + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts
}

/// The same text for 1, 1.0 and +1.
fn canonical(value: &str) -> String {
    match (value.parse::<i64>(), value.parse::<f64>()) {
        (Ok(whole), _) => whole.to_string(),
        (_, Ok(number)) if number == number.trunc() && number.abs() < 9e15 => {
            (number as i64).to_string()
        }
        (_, Ok(number)) => number.to_string(),
        _ => value.to_string(),
    }
}

/// The values of `A..B` or `A..B:N`; what is allowed, if it is neither.
fn range(text: &str) -> Result<Vec<String>, String> {
    let (low, rest) = text.split_once("..").unwrap_or((text, ""));
    let (high, count) =
        rest.split_once(':').map_or((rest, None), |(high, count)| (high, Some(count.trim())));
    let (low, high) = (low.trim(), high.trim());
    match count {
        Some(count) => {
            let finite = |end: &str| end.parse().ok().filter(|x: &f64| x.is_finite());
            let (Some(a), Some(b)) = (finite(low), finite(high)) else {
                return Err("A..B:N with two numbers A and B".into());
            };
            let count = count.parse().ok().filter(|count| (2..=MOST_RUNS).contains(count));
            let count =
                count.ok_or_else(|| format!("A..B:N with N a whole number, 2 to {MOST_RUNS}"))?;
            if a >= b {
                return Err("A..B:N with A below B".into());
            }
            let whole = low.parse::<i64>().is_ok() && high.parse::<i64>().is_ok();
            Ok((0..count).map(|i| spaced(a, b, i, count, whole)).collect())
        }
        None => {
            let (Ok(a), Ok(b)) = (low.parse::<i64>(), high.parse::<i64>()) else {
                return Err("A..B with two whole numbers A and B, or A..B:N for N evenly spaced \
                    values"
                    .into());
            };
            if a > b {
                return Err("A..B with A at most B".into());
            }
            if b.abs_diff(a) >= MOST_RUNS as u64 {
                return Err(format!("at most {MOST_RUNS} values"));
            }
            Ok((a..=b).map(|whole| whole.to_string()).collect())
        }
    }
}

/// The i-th of `count` values from a to b, rounded to 15 digits: 0.3 rather than
/// 0.30000000000000004.
fn spaced(a: f64, b: f64, i: usize, count: usize, whole: bool) -> String {
    let (part, parts) = (i as f64, (count - 1) as f64);
    let value = match i {
        0 => a,
        _ if i == count - 1 => b,
        _ => format!("{:.14e}", a * ((parts - part) / parts) + b * (part / parts))
            .parse()
            .unwrap_or(a),
    };
    if whole && value == value.trunc() && value.abs() < 9e15 {
        return (value as i64).to_string();
    }
    let size = value.abs();
    if size == 0.0 || (1e-5..1e15).contains(&size) {
        format!("{value}")
    } else {
        format!("{value:e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(key: &str, text: &str) -> Vec<String> {
        Axis::parse("--set", key, text).expect("accepted").values
    }

    #[test]
    fn ranges_hold_both_ends_and_short_numbers() {
        assert_eq!(values("alignment.weight", "0..1:11")[..5], ["0", "0.1", "0.2", "0.3", "0.4"]);
        assert_eq!(values("alignment.weight", "0.1..0.7:3"), ["0.1", "0.4", "0.7"]);
        assert_eq!(values("alignment.weight", "-1e-9..1e-9:3"), ["-1e-9", "0", "1e-9"]);
        assert_eq!(values("flock.boids", "100..400:4"), ["100", "200", "300", "400"]);
        assert_eq!(values(SEED, "3..5"), ["3", "4", "5"]);
        assert_eq!(values(SEED, "9223372036854775806..9223372036854775807").len(), 2);
        assert_eq!(values(SEED, "1..3,10,20..21"), ["1", "2", "3", "10", "20", "21"]);
        let thirds = values("cohesion.weight", "1..2:4");
        assert_eq!(thirds, ["1", "1.33333333333333", "1.66666666666667", "2"]);
    }

    #[test]
    fn lists_are_apart_by_commas_outside_brackets_and_quotes() {
        assert_eq!(split("1, 2,3"), ["1", "2", "3"]);
        assert_eq!(split("[1, 2],[3, 4]"), ["[1, 2]", "[3, 4]"]);
        assert_eq!(split("\"a,b\",'c'"), ["\"a,b\"", "'c'"]);
        assert_eq!(values("domain.max", "[10, 10]"), ["[10, 10]"]);
        assert_eq!(values("domain.kind", "periodic,open"), ["periodic", "open"]);
        // A path may hold what a range of numbers has.
        assert_eq!(values("initial.file", "../a.csv"), ["../a.csv"]);
    }
}
