//! `[check.NAME]`: a value of the runs, reduced over seeds, compared with what is allowed.

use super::reader::ProofTable;
use crate::columns::Columns;
use crate::failure::Failure;

/// How the numbers of several seeds become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Over {
    Mean,
    Min,
    Max,
    /// All of them: each has to be allowed.
    Each,
}

/// To what a value is compared.
#[derive(Clone, Debug, PartialEq)]
struct Relation {
    kind: CheckKind,
    /// In place of its own.
    variant: Option<usize>,
    value: String,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum CheckKind {
    Ratio,
    Difference,
    /// The power of this factor that the ratio is.
    Exponent(f64),
}

/// What is allowed.
#[derive(Clone, Debug, PartialEq)]
enum Allowed {
    /// Ends included.
    Range([f64; 2]),
    /// Each variant above the one before, at least by this part of it.
    Ascending(f64),
    Descending(f64),
}

/// What a proof claims.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    name: String,
    value: String,
    unit: String,
    /// By place.
    variants: Vec<usize>,
    over: Over,
    relation: Option<Relation>,
    allowed: Allowed,
}

/// A value of a variant by name, a number a seed; `None` where the variant was not run.
pub type Values<'a> = &'a dyn Fn(usize, &str) -> Option<Vec<Option<f64>>>;

/// A check after the runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    pub name: String,
    pub unit: String,
    pub allowed: String,
    pub holds: bool,
    /// By variant: the lowest and the highest of what was compared, the same where seeds became one
    /// number; `None` where a number is missing.
    pub measured: Vec<(String, Option<[f64; 2]>)>,
}

/// Names that checks of a proof may use.
#[derive(Clone, Debug)]
pub struct Names {
    pub variants: Vec<String>,
    pub measures: Vec<String>,
}

impl Names {
    fn variant(&self, name: &str) -> Option<usize> {
        self.variants.iter().position(|variant| variant == name)
    }
}

impl Check {
    pub fn read(table: &ProofTable<'_>, names: &Names) -> Result<Self, Failure> {
        let value = value(table, "value", names)?
            .ok_or_else(|| table.refuse("value", "a measure or a column"))?;
        let over =
            [("mean", Over::Mean), ("min", Over::Min), ("max", Over::Max), ("each", Over::Each)];
        let check = Self {
            name: table.name().to_string(),
            unit: table.text("unit")?.unwrap_or_default(),
            variants: variants(table, names)?,
            over: table.word("over", &over)?.unwrap_or(Over::Mean),
            relation: relation(table, names, &value)?,
            allowed: allowed(table)?,
            value,
        };
        let is_order = !matches!(check.allowed, Allowed::Range(_));
        if is_order && check.variants.len() < 2 {
            return Err(table.refuse("order", "nothing here: there is one variant"));
        }
        if is_order && check.over == Over::Each {
            return Err(table.refuse("over", "mean, min or max, with an order"));
        }
        table.finish()?;
        Ok(check)
    }

    /// Names of the values that it looks at.
    pub fn values(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.value.as_str())
            .chain(self.relation.iter().map(|relation| relation.value.as_str()))
    }

    /// Compares; `None` where too few variants were run. `variants` are the names of all.
    pub fn judge(&self, variants: &[&str], runs: Values<'_>) -> Option<Outcome> {
        let mut measured = Vec::new();
        for &variant in &self.variants {
            let Some(own) = runs(variant, &self.value) else { continue };
            let to = self
                .relation
                .as_ref()
                .map(|to| (to.kind, runs(to.variant.unwrap_or(variant), &to.value)));
            let numbers = match to {
                None => self.reduce(own),
                // What it is compared with was not run.
                Some((_, None)) => continue,
                Some((kind, Some(others))) => {
                    let pairs = self.reduce(own).zip(self.reduce(others));
                    pairs.and_then(|(own, others)| kind.of(&own, &others))
                }
            };
            measured.push((variants[variant].to_string(), numbers.map(|numbers| ends(&numbers))));
        }
        let is_order = !matches!(self.allowed, Allowed::Range(_));
        if measured.len() < 1 + usize::from(is_order) {
            return None;
        }
        let holds = self.allowed.hold(&measured);
        let (name, unit) = (self.name.replace('_', " "), self.unit.clone());
        Some(Outcome { name, unit, allowed: self.allowed.words(), holds, measured })
    }

    /// Of a number a seed, those that are compared; `None` where one is missing.
    fn reduce(&self, values: Vec<Option<f64>>) -> Option<Vec<f64>> {
        let values: Vec<f64> = values.into_iter().collect::<Option<_>>()?;
        let [low, high] = ends(&values);
        Some(match self.over {
            Over::Mean => vec![values.iter().sum::<f64>() / values.len() as f64],
            Over::Min => vec![low],
            Over::Max => vec![high],
            Over::Each => values,
        })
    }
}

impl CheckKind {
    /// Pair by pair; a single number is compared with all.
    fn of(self, own: &[f64], others: &[f64]) -> Option<Vec<f64>> {
        let of = |a: f64, b: f64| match self {
            Self::Ratio => a / b,
            Self::Difference => a - b,
            Self::Exponent(by) => libm::log(a / b) / libm::log(by),
        };
        let other = |i: usize| others.get(i).or(others.first()).copied();
        let numbers: Option<Vec<f64>> =
            own.iter().enumerate().map(|(i, &a)| other(i).map(|b| of(a, b))).collect();
        numbers.filter(|numbers| numbers.iter().all(|number| number.is_finite()))
    }
}

impl Allowed {
    fn hold(&self, measured: &[(String, Option<[f64; 2]>)]) -> bool {
        let numbers: Option<Vec<[f64; 2]>> = measured.iter().map(|(_, numbers)| *numbers).collect();
        let Some(numbers) = numbers else { return false };
        match *self {
            Self::Range([low, high]) => {
                numbers.iter().all(|ends| ends[0] >= low && ends[1] <= high)
            }
            Self::Ascending(by) => {
                numbers.windows(2).all(|pair| pair[1][0] > pair[0][0] + by * pair[0][0].abs())
            }
            Self::Descending(by) => {
                numbers.windows(2).all(|pair| pair[1][0] < pair[0][0] - by * pair[0][0].abs())
            }
        }
    }

    fn words(&self) -> String {
        match *self {
            Self::Range([low, high]) if high == f64::INFINITY => format!("at least {low}"),
            Self::Range([low, high]) if low == f64::NEG_INFINITY => format!("at most {high}"),
            Self::Range([low, high]) => format!("{} to {}", digits(low), digits(high)),
            Self::Ascending(_) => "rising".into(),
            Self::Descending(_) => "falling".into(),
        }
    }
}

/// A number as people read it: four digits.
pub fn digits(value: f64) -> String {
    wingbeat_record::significant(value, if value.abs() >= 1000.0 { 5 } else { 3 }).to_string()
}

/// The lowest and the highest.
fn ends(numbers: &[f64]) -> [f64; 2] {
    numbers.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], &number| {
        [if number < low { number } else { low }, if number > high { number } else { high }]
    })
}

/// The name of a measure of the file, or of a column.
fn value(
    table: &ProofTable<'_>,
    key: &'static str,
    names: &Names,
) -> Result<Option<String>, Failure> {
    let Some(name) = table.text(key)? else { return Ok(None) };
    if names.measures.contains(&name) || Columns::is_known(&name) {
        return Ok(Some(name));
    }
    let measures = names.measures.iter().map(|measure| format!("{measure}, ")).collect::<String>();
    Err(table.refuse(key, &format!("a measure or a column: {measures}{}", Columns::known())))
}

fn variants(table: &ProofTable<'_>, of: &Names) -> Result<Vec<usize>, Failure> {
    let Some(names) = table.texts("variants")? else { return Ok((0..of.variants.len()).collect()) };
    let known = of.variants.iter().map(String::as_str).filter(|name| !name.is_empty());
    let known = known.collect::<Vec<_>>().join(", ");
    let allowed = if known.is_empty() {
        "nothing: there are no variants".into()
    } else {
        format!("variants of {known}")
    };
    let places: Option<Vec<usize>> = names.iter().map(|name| of.variant(name)).collect();
    places.filter(|places| !places.is_empty()).ok_or_else(|| table.refuse("variants", &allowed))
}

fn relation(table: &ProofTable<'_>, names: &Names, own: &str) -> Result<Option<Relation>, Failure> {
    let kinds = [
        ("ratio", CheckKind::Ratio),
        ("difference", CheckKind::Difference),
        ("exponent", CheckKind::Exponent(0.0)),
    ];
    let kind = table.word("relative", &kinds)?;
    let (to, by) = (table.text("to_variant")?, table.number("by")?);
    let value = value(table, "to_value", names)?;
    let Some(kind) = kind else {
        let given =
            [("to_variant", to.is_some()), ("to_value", value.is_some()), ("by", by.is_some())];
        let idle = given.into_iter().find_map(|(key, is_given)| is_given.then_some(key));
        return idle.map_or(Ok(None), |key| Err(table.refuse(key, "nothing without `relative`")));
    };
    let kind = match (kind, by) {
        (CheckKind::Exponent(_), Some(by)) if by > 0.0 && by != 1.0 => CheckKind::Exponent(by),
        (CheckKind::Exponent(_), _) => {
            return Err(
                table.refuse("by", "a factor above 0 and not 1, with relative = \"exponent\"")
            );
        }
        (_, Some(_)) => return Err(table.refuse("by", "nothing without relative = \"exponent\"")),
        (kind, None) => kind,
    };
    if to.is_none() && value.is_none() {
        return Err(table.refuse("to_variant", "a variant, or `to_value` a measure or a column"));
    }
    let place = |name: &String| {
        names.variant(name).ok_or_else(|| table.refuse("to_variant", "the name of a variant"))
    };
    let variant = to.as_ref().map(place).transpose()?;
    Ok(Some(Relation { kind, variant, value: value.unwrap_or_else(|| own.to_string()) }))
}

fn allowed(table: &ProofTable<'_>) -> Result<Allowed, Failure> {
    let (low, high) = (table.number("at_least")?, table.number("at_most")?);
    let (target, within) = (table.number("target")?, table.number("within")?);
    let order = [("rising", true), ("falling", false)];
    let (order, by) = (table.word("order", &order)?, table.number("by_part")?);
    if by.is_some() && order.is_none() {
        return Err(table.refuse("by_part", "nothing without `order`"));
    }
    let by = by.unwrap_or(0.0);
    match (order, target, within, low.or(high)) {
        (Some(true), None, None, None) => Ok(Allowed::Ascending(by)),
        (Some(false), None, None, None) => Ok(Allowed::Descending(by)),
        (None, Some(target), Some(within), None) if within >= 0.0 => {
            Ok(Allowed::Range([target - within, target + within]))
        }
        (None, None, None, Some(_)) => {
            Ok(Allowed::Range([low.unwrap_or(f64::NEG_INFINITY), high.unwrap_or(f64::INFINITY)]))
        }
        _ => Err(table.refuse(
            "at_least",
            "one of `order`, `target` with `within`, and `at_least` or `at_most` or both",
        )),
    }
}
