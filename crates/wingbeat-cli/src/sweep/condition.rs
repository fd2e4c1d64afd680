//! `--where`: which combinations are run.

use wingbeat_scene::known_key;

use super::axes::Axes;
use super::axis::{Axis, SEED};
use crate::failure::Failure;
use crate::options::full_name;

const SYNTAX: &str = "KEY<VALUE or KEY<KEY, with one of < <= > >= = !=, for example \
    'separation.weight<alignment.weight'";

/// The longer first, so that `<=` is not taken for `<`.
const COMPARISONS: [(&str, Operator); 7] = [
    ("<=", Operator::AtMost),
    (">=", Operator::AtLeast),
    ("!=", Operator::Differs),
    ("==", Operator::Same),
    ("<", Operator::Below),
    (">", Operator::Above),
    ("=", Operator::Same),
];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Operator {
    Below,
    AtMost,
    Above,
    AtLeast,
    Same,
    Differs,
}

/// One side of a comparison.
#[derive(Clone, Debug, PartialEq)]
enum Side {
    /// The value of a swept key, by its place.
    Swept(usize),
    /// A value as text.
    Value(String),
}

/// A comparison that a combination meets or does not.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    left: Side,
    comparison: Operator,
    right: Side,
}

impl Condition {
    /// Reads what was typed, for these swept and fixed keys.
    pub fn parse(text: &str, swept: &[Axis], fixed: &[Axis]) -> Result<Self, Failure> {
        let refused = |allowed: &str| Failure::value("--where", text, allowed);
        let found = text.char_indices().find_map(|(at, _)| {
            let (sign, comparison) =
                COMPARISONS.into_iter().find(|(sign, _)| text[at..].starts_with(sign))?;
            Some((text[..at].trim(), comparison, text[at + sign.len()..].trim()))
        });
        let (left, comparison, right) = found.ok_or_else(|| refused(SYNTAX))?;
        if [left, right].iter().any(|side| side.is_empty() || side.contains(['<', '>', '=', '!'])) {
            return Err(refused(SYNTAX));
        }
        let side = |typed: &str| {
            let key = full_name(typed);
            if let Some(place) = swept.iter().position(|axis| axis.key == key) {
                return Side::Swept(place);
            }
            let constant = fixed.iter().find(|axis| axis.key == key);
            Side::Value(unquoted(constant.map_or(typed, |axis| &axis.values[0])).to_string())
        };
        if [left, right].iter().any(|side| full_name(side) == SEED) {
            return Err(refused("a comparison without the seed, over which rows are averages"));
        }
        let condition = Self { left: side(left), comparison, right: side(right) };
        let names = || swept.iter().map(|axis| axis.key.as_str()).collect::<Vec<_>>().join(", ");
        if let Side::Value(_) = condition.left {
            let allowed = if swept.is_empty() {
                "nothing here: no key but the seed is swept".into()
            } else {
                names()
            };
            return Err(Failure::value(&format!("--where {text}"), left, &allowed));
        }
        let is_given = |axis: &Axis| axis.key == full_name(right);
        let is_key = swept.iter().chain(fixed).any(is_given);
        if !is_key && known_key(&full_name(right)).is_some() {
            let allowed =
                format!("a number, a text, or a key that is swept or given by --set: {}", names());
            return Err(Failure::value(&format!("--where {text}"), right, &allowed));
        }
        let is_ordered = !matches!(comparison, Operator::Same | Operator::Differs);
        let is_number = |side: &Side| match side {
            Side::Swept(place) => swept[*place].numbers().is_some(),
            Side::Value(value) => number(value).is_some(),
        };
        if is_ordered && ![&condition.left, &condition.right].into_iter().all(is_number) {
            return Err(refused("a comparison of numbers; texts can be compared by = and !="));
        }
        // Of a number and a text, and of a text that was mistyped, != would be true of every
        // combination.
        if let (Side::Swept(place), Side::Value(value), false) =
            (&condition.left, &condition.right, is_key)
            && !is_number(&condition.left)
        {
            let axis = &swept[*place];
            if !axis.values.iter().any(|known| unquoted(known) == value) {
                let allowed = format!("one of its values, {}", axis.values.join(", "));
                return Err(Failure::value(&format!("--where {}", axis.key), right, &allowed));
            }
        } else if is_number(&condition.left) != is_number(&condition.right) {
            return Err(refused("a comparison of two numbers, or of two texts"));
        }
        Ok(condition)
    }

    /// Whether a combination of these values meets it.
    pub fn is_met(&self, values: &[&str]) -> bool {
        let of = |side: &'_ Side| match side {
            Side::Swept(place) => unquoted(values[*place]).to_string(),
            Side::Value(value) => value.clone(),
        };
        let (left, right) = (of(&self.left), of(&self.right));
        let (a, b) = match (number(&left), number(&right)) {
            (Some(a), Some(b)) => (a, b),
            // Texts: the same, or not.
            _ => (0.0, f64::from(u8::from(left != right))),
        };
        match self.comparison {
            Operator::Below => a < b,
            Operator::AtMost => a <= b,
            Operator::Above => a > b,
            Operator::AtLeast => a >= b,
            Operator::Same => a == b,
            Operator::Differs => a != b,
        }
    }
}

/// A text without the quotes that TOML has around it.
fn unquoted(text: &str) -> &str {
    let inner = |quote: char| text.strip_prefix(quote).and_then(|text| text.strip_suffix(quote));
    inner('"').or_else(|| inner('\'')).unwrap_or(text)
}

fn number(text: &str) -> Option<f64> {
    text.parse().ok().filter(|x: &f64| x.is_finite())
}

impl Axes {
    /// Leaves only the combinations that meet all conditions.
    pub fn keep(&mut self, conditions: &[String]) -> Result<(), Failure> {
        if conditions.is_empty() {
            return Ok(());
        }
        let parse = |text: &String| Condition::parse(text, &self.swept, &self.fixed);
        let parsed = conditions.iter().map(parse).collect::<Result<Vec<_>, _>>()?;
        let meets = |&combination: &usize| {
            let values = self.values(combination);
            parsed.iter().all(|condition| condition.is_met(&values))
        };
        let kept: Vec<usize> = (0..self.combinations).filter(meets).collect();
        if kept.is_empty() {
            let message = format!(
                "--where: none of {} combinations meets {}",
                self.combinations,
                conditions.join(" and ")
            );
            return Err(Failure::BadInput(format!(
                "{message}: allowed are conditions that some meet"
            )));
        }
        self.combinations = kept.len();
        self.kept = Some(kept);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_compare_as_numbers_and_texts_as_texts() {
        let axes = [("a.weight", &["1", "2", "10"][..]), ("domain.kind", &["open", "periodic"])];
        let swept = axes.map(|(name, values)| Axis::beside(name, values));
        let met = |text: &str, values: [&str; 2]| {
            Condition::parse(text, &swept, &[]).expect("read").is_met(&values)
        };
        for (text, a, b) in [
            ("a.weight<10", true, false),
            ("a.weight <= 2", true, false),
            ("a.weight>2.5", false, true),
            ("a.weight>=10.0", false, true),
            ("a.weight=2.0", true, false),
            ("a.weight==2", true, false),
            ("a.weight!=2", false, true),
            ("domain.kind=open", true, false),
            ("domain.kind != open", false, true),
            ("domain.kind = \"open\"", true, false),
            ("domain.kind='periodic'", false, true),
        ] {
            assert_eq!((met(text, ["2", "open"]), met(text, ["10", "periodic"])), (a, b), "{text}");
        }
        for text in [
            "",
            "a.weight",
            "a.weight<",
            "<2",
            "a.weight<<2",
            "a.weight<=>2",
            "1<2",
            "b.weight<2",
            "domain.kind<2",
            "a.weight<x",
            "seed<3",
            // A typing error, a key that is not swept, and texts where numbers are.
            "a.weight!=1o",
            "a.weight='2'x",
            "a.weight!=domain.kind",
            "a.weight!=separation.weight",
            "domain.kind!=opne",
            "domain.kind!=3",
        ] {
            assert!(Condition::parse(text, &swept, &[]).is_err(), "{text}");
        }
    }
}
