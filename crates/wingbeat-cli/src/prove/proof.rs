//! A proof as its file says it.

use super::check::{Check, Names};
use super::measure::Measure;
use super::reader::{ProofTable, SourceText};
use crate::columns::Columns;
use crate::failure::Failure;

/// Suites in the order of the table.
pub const SUITES: [&str; 10] = [
    "rimea",
    "nist",
    "imo",
    "iso",
    "symmetry",
    "vicsek",
    "couzin",
    "cucker_smale",
    "rvo2",
    "recorded",
];

/// The verdict that a file expects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    Pass,
    Fail,
    NotBuilt,
}

impl Expected {
    /// As its file has it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::NotBuilt => "not_built",
        }
    }
}

/// What is compared with what was published.
#[derive(Debug)]
pub struct Proof {
    pub name: String,
    pub title: String,
    pub suite: String,
    /// Other suites that ask for the same.
    pub also: Vec<String>,
    /// Where the definition and the numbers come from.
    pub source: String,
    pub published: String,
    pub expected: Expected,
    /// Why it fails on purpose, or is not built.
    pub why: Option<String>,
    /// Whether it has a part in --quick.
    pub in_quick: bool,
    /// None where it is not built.
    pub variants: Vec<Variant>,
    pub seeds: u64,
    pub quick_seeds: u64,
    /// Observables are averaged over the steps after this time.
    pub from: f64,
    /// Whether a run ends when all have left.
    pub until_empty: bool,
    pub measures: Vec<Measure>,
    pub checks: Vec<Check>,
    /// Columns among the checks' values.
    pub columns: Columns,
}

/// One of the runs that are compared.
#[derive(Debug)]
pub struct Variant {
    pub name: String,
    pub subject: Subject,
    pub in_quick: bool,
}

/// What is measured.
#[derive(Debug)]
pub enum Subject {
    Scene {
        /// A preset's name or a file; of a text in the proof, what it is called in refusals.
        name: String,
        text: String,
        set: Vec<String>,
        /// Overrides of --quick, after the others.
        quick_set: Vec<String>,
    },
    Recording {
        file: String,
        fps: Option<f64>,
        scale: Option<f64>,
    },
}

impl Subject {
    /// Whether it takes the folder of recordings.
    pub fn takes_data(&self) -> bool {
        match self {
            Self::Recording { .. } => true,
            Self::Scene { set, .. } => set.iter().any(|set| set.contains(DATA)),
        }
    }
}

/// Stands for the folder of recordings in values of `set`.
pub const DATA: &str = "{data}";

/// Sections of a preset that are its people.
const PEOPLE: [&str; 4] = ["agent", "body", "avoidance", "anticipation"];

impl Proof {
    /// Whether a suite asks for it: its own, or another one.
    pub fn is_of(&self, suite: &str) -> bool {
        self.suite == suite || self.also.iter().any(|also| also == suite)
    }

    /// Reads a proof; `shown` is how refusals call its file.
    pub fn parse(name: &str, shown: &str, text: &str) -> Result<Self, Failure> {
        let source = SourceText::new(shown, text);
        let table = source.parse()?;
        Self::read(name, &ProofTable::new(&source, &table))
    }

    fn read(name: &str, table: &ProofTable<'_>) -> Result<Self, Failure> {
        let expected = [Expected::Pass, Expected::Fail, Expected::NotBuilt]
            .map(|verdict| (verdict.word(), verdict));
        let expected = table
            .word("expected", &expected)?
            .ok_or_else(|| table.refuse("expected", "pass, fail, not_built"))?;
        let why = table.text("why")?;
        if why.is_none() == (expected != Expected::Pass) {
            let allowed = "a text with expected = \"fail\" or \"not_built\", and nothing \
                with \"pass\"";
            return Err(table.refuse("why", allowed));
        }
        let suite = table.word("suite", &SUITES.map(|suite| (suite, suite)))?;
        let suite = suite.ok_or_else(|| table.refuse("suite", &SUITES.join(", ")))?;
        let is_built = expected != Expected::NotBuilt;
        let mut proof = Self {
            name: name.to_string(),
            title: table.required_text("title")?,
            suite: suite.to_string(),
            also: also(table)?,
            source: table.required_text("source")?,
            published: table.required_text("published")?,
            expected,
            why,
            in_quick: table.flag("quick")?.unwrap_or(true),
            variants: if is_built { variants(name, table)? } else { Vec::new() },
            seeds: seeds(table, "seeds")?,
            quick_seeds: seeds(table, "quick_seeds")?,
            from: table.number("from")?.unwrap_or(0.0),
            until_empty: table.word("until", &[("empty", true)])?.unwrap_or(false),
            measures: table
                .tables("measure")?
                .iter()
                .map(Measure::read)
                .collect::<Result<_, _>>()?,
            checks: Vec::new(),
            columns: Columns::named(Vec::new()),
        };
        let names = Names {
            variants: proof.variants.iter().map(|variant| variant.name.clone()).collect(),
            measures: proof.measures.iter().map(|measure| measure.name.clone()).collect(),
        };
        proof.checks = table
            .tables("check")?
            .iter()
            .map(|table| Check::read(table, &names))
            .collect::<Result<_, _>>()?;
        if is_built && proof.checks.is_empty() {
            return Err(table.refuse("check", "tables, as [check.NAME]"));
        }
        proof.columns = proof.columns_of_checks();
        table.finish()?;
        Ok(proof)
    }

    /// The columns that checks look at; other values are measures.
    fn columns_of_checks(&self) -> Columns {
        let mut names: Vec<String> = Vec::new();
        for name in self.checks.iter().flat_map(Check::values) {
            if !names.iter().any(|known| known == name) && !self.has_measure(name) {
                names.push(name.to_string());
            }
        }
        Columns::named(names)
    }

    pub fn has_measure(&self, name: &str) -> bool {
        self.measures.iter().any(|measure| measure.name == name)
    }

    /// Seeds of each scene: 1 to this.
    pub fn seed_count(&self, quick: bool) -> u64 {
        if quick { self.quick_seeds } else { self.seeds }
    }
}

/// Other suites that ask for the same.
fn also(table: &ProofTable<'_>) -> Result<Vec<String>, Failure> {
    let suites = table.texts("also")?.unwrap_or_default();
    let is_known = |suite: &String| SUITES.contains(&suite.as_str());
    if suites.iter().all(is_known) {
        Ok(suites)
    } else {
        Err(table.refuse("also", &SUITES.join(", ")))
    }
}

/// A number of seeds.
fn seeds(table: &ProofTable<'_>, key: &'static str) -> Result<u64, Failure> {
    let Some(seeds) = table.number(key)? else { return Ok(1) };
    let is_right = seeds.fract() == 0.0 && (1.0..=1000.0).contains(&seeds);
    if is_right { Ok(seeds as u64) } else { Err(table.refuse(key, "a whole number, 1 to 1000")) }
}

/// The runs that are compared: one without a name where the file has no variants.
fn variants(name: &str, table: &ProofTable<'_>) -> Result<Vec<Variant>, Failure> {
    let (shown, text) = scene(name, table)?;
    let text = text.map(|text| Ok::<_, Failure>(text + &people(table)?)).transpose()?;
    let overrides = |table: &ProofTable<'_>| {
        let [set, quick_set] =
            [table.texts("set")?, table.texts("quick_set")?].map(Option::unwrap_or_default);
        Ok::<_, Failure>([set, quick_set])
    };
    let [set, quick_set] = overrides(table)?;
    let subject = |add: &str, [more, quick_more]: [Vec<String>; 2]| {
        let text = text.as_ref().ok_or_else(|| {
            table.refuse("scene", "a text, where there is no `preset` and no `file`")
        })?;
        let set = set.iter().cloned().chain(more).collect();
        let quick_set = quick_set.iter().cloned().chain(quick_more).collect();
        Ok::<_, Failure>(Subject::Scene {
            name: shown.clone(),
            text: format!("{text}\n{add}"),
            set,
            quick_set,
        })
    };
    let mut variants = Vec::new();
    for table in table.tables("variant")? {
        let subject = match table.text("recording")? {
            Some(file) => Subject::Recording {
                file,
                fps: table.number("fps")?,
                scale: table.number("scale")?,
            },
            None => subject(&table.text("add")?.unwrap_or_default(), overrides(&table)?)?,
        };
        let in_quick = table.flag("quick")?.unwrap_or(true);
        variants.push(Variant { name: table.name().to_string(), subject, in_quick });
        table.finish()?;
    }
    if variants.is_empty() {
        variants.push(Variant {
            name: String::new(),
            subject: subject("", [Vec::new(), Vec::new()])?,
            in_quick: true,
        });
    }
    Ok(variants)
}

/// The scene's name and text: a preset's, a file's or the proof's own.
fn scene(name: &str, table: &ProofTable<'_>) -> Result<(String, Option<String>), Failure> {
    let (own, preset, file) = (table.text("scene")?, table.text("preset")?, table.text("file")?);
    match (own, preset, file) {
        (Some(text), None, None) => Ok((format!("scene of {name}"), Some(text))),
        (None, Some(preset), None) => {
            let known = wingbeat_scene::preset(&preset)
                .ok_or_else(|| table.refuse("preset", "a name of wingbeat presets"))?;
            Ok((preset, Some(known.text.to_string())))
        }
        (None, None, Some(file)) => crate::source::text(&file).map(|text| (file, Some(text))),
        (None, None, None) => Ok((String::new(), None)),
        (own, ..) => {
            let key = if own.is_some() { "scene" } else { "preset" };
            Err(table.refuse(key, "one of `scene`, `preset` and `file`"))
        }
    }
}

/// The people that `people` names, as TOML: those sections of the preset.
fn people(table: &ProofTable<'_>) -> Result<String, Failure> {
    let Some(name) = table.text("people")? else { return Ok(String::new()) };
    let preset = wingbeat_scene::preset(&name)
        .ok_or_else(|| table.refuse("people", "a name of wingbeat presets"))?;
    let (mut text, mut taken) = (String::from("\n"), false);
    for line in preset.text.lines() {
        if let Some(section) = line.trim().strip_prefix('[').and_then(|rest| rest.split(']').next())
        {
            taken = PEOPLE.contains(&section.split('.').next().unwrap_or(section));
        }
        if taken {
            text += line;
            text.push('\n');
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "title = 't'\nsuite = 'nist'\nsource = 's'\npublished = 'p'\n\
        expected = 'pass'\n";

    #[track_caller]
    fn refused(rest: &str) -> String {
        match Proof::parse("p", "p.toml", &format!("{HEAD}{rest}")) {
            Err(Failure::BadInput(message)) => message,
            other => panic!("{rest}: {other:?}"),
        }
    }

    #[test]
    fn unknown_keys_and_values_are_refused_by_line() {
        let scene = "preset = 'shoal'\n[check.order]\nvalue = 'polarization'\nat_least = 0.5\n";
        assert!(Proof::parse("p", "p.toml", &format!("{HEAD}{scene}")).is_ok());
        let message = refused(&format!("sedes = 3\n{scene}"));
        assert!(message.starts_with("p.toml:6: unknown key sedes: allowed here are"), "{message}");
        assert!(
            refused(&format!("{scene}at_mots = 1\n"))
                .starts_with("p.toml:10: unknown key check.order.at_mots")
        );
        assert!(
            refused(&format!("seeds = 0\n{scene}"))
                .starts_with("p.toml:6: seeds = 0: allowed is a whole number")
        );
        assert!(
            refused(&format!("why = 'x'\n{scene}"))
                .contains("why = 'x': allowed is a text with expected")
        );
        assert!(
            refused("[check.order]\nvalue = 'polarization'\nat_least = 1\n")
                .contains("scene is missing")
        );
        assert!(
            refused(&scene.replace("polarization", "polarisation"))
                .contains("value = 'polarisation': allowed is")
        );
        assert!(
            refused(&scene.replace("at_least = 0.5", "variants = ['a']"))
                .contains("variants = ['a']: allowed")
        );
        assert!(
            refused(&scene.replace("shoal", "shaol"))
                .contains("preset = 'shaol': allowed is a name")
        );
        assert!(refused("preset = 'shoal'\n").contains("check is missing: allowed is tables"));
    }

    #[test]
    fn people_are_those_of_the_preset() {
        let text = format!(
            "{HEAD}people = 'fundamental_diagram'\nscene = 'x'\n[check.order]\n\
                value = 'polarization'\nat_least = 0.5\n"
        );
        let proof = Proof::parse("p", "p.toml", &text).expect("a proof");
        let Subject::Scene { text, .. } = &proof.variants[0].subject else { panic!("a scene") };
        assert!(PEOPLE.iter().all(|section| text.contains(&format!("\n[{section}]\n"))), "{text}");
        assert!(
            text.contains("\nmax_speed = ")
                && !text.contains("[drive.on]")
                && !text.contains("[domain]"),
            "{text}"
        );
    }
}
