//! From runs to verdicts.

use serde::Serialize;

use super::check::{Outcome, digits};
use super::proof::{Expected, Proof};
use super::runs::ProofRun;

/// What came of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    Pass,
    Fail,
    NotBuilt,
    /// Its recording is not there.
    Skipped,
    /// It has no part in --quick.
    LeftOut,
}

impl Verdict {
    pub fn words(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::NotBuilt => "not built",
            Self::Skipped => "skipped",
            Self::LeftOut => "left out",
        }
    }
}

/// A proof with its verdict.
pub struct JudgedProof<'a> {
    pub proof: &'a Proof,
    pub verdict: Verdict,
    pub outcomes: Vec<Outcome>,
    /// Runs that were made.
    pub runs: usize,
    /// What they took together, each on the threads that it was given.
    pub seconds: f64,
}

/// Runs of a proof: variant, seed, and what came of it.
pub type Runs = Vec<(usize, u64, ProofRun)>;

impl<'a> JudgedProof<'a> {
    /// A proof that is not run.
    pub fn without_runs(proof: &'a Proof, verdict: Verdict) -> Self {
        Self { proof, verdict, outcomes: Vec::new(), runs: 0, seconds: 0.0 }
    }

    /// Judges the runs of a proof.
    pub fn of(proof: &'a Proof, mut runs: Runs) -> Self {
        runs.sort_by_key(|(variant, seed, _)| (*variant, *seed));
        let columns = proof.columns.names();
        let place = |name: &str| {
            let column = columns.iter().position(|column| column == name);
            let measure = proof.measures.iter().position(|measure| measure.name == name);
            measure.map(|measure| columns.len() + measure).or(column)
        };
        let values = |variant: usize, name: &str| {
            let place = place(name)?;
            let of_variant = runs.iter().filter(|(own, ..)| *own == variant);
            let values: Vec<Option<f64>> = of_variant
                .map(|(.., finished)| finished.values.get(place).copied().flatten())
                .collect();
            (!values.is_empty()).then_some(values)
        };
        let variants: Vec<&str> =
            proof.variants.iter().map(|variant| variant.name.as_str()).collect();
        let outcomes: Vec<Outcome> =
            proof.checks.iter().filter_map(|check| check.judge(&variants, &values)).collect();
        let holds = !outcomes.is_empty() && outcomes.iter().all(|outcome| outcome.holds);
        let verdict = if holds { Verdict::Pass } else { Verdict::Fail };
        Self {
            proof,
            verdict,
            outcomes,
            runs: runs.len(),
            seconds: runs.iter().map(|(.., finished)| finished.seconds).sum(),
        }
    }

    /// Whether the verdict is the one in the file.
    pub fn is_as_expected(&self) -> bool {
        match self.verdict {
            Verdict::Pass => self.proof.expected == Expected::Pass,
            Verdict::Fail => self.proof.expected == Expected::Fail,
            Verdict::NotBuilt | Verdict::Skipped | Verdict::LeftOut => true,
        }
    }

    /// The verdict; where it is not the one in the file, both.
    pub fn words(&self) -> String {
        let wanted = self.proof.expected.word().replace('_', " ");
        if self.is_as_expected() {
            self.verdict.words().into()
        } else {
            format!("{}, not {wanted}", self.verdict.words())
        }
    }

    /// What was measured, a check after the other.
    pub fn measured(&self) -> String {
        self.outcomes.iter().map(words).collect::<Vec<_>>().join("; ")
    }
}

/// A check in words; what is allowed stands there where it does not hold.
pub fn words(outcome: &Outcome) -> String {
    let number = |numbers: &Option<[f64; 2]>| match numbers {
        Some([low, high]) if low == high => digits(*low),
        Some([low, high]) => format!("{} to {}", digits(*low), digits(*high)),
        None => "not reached".to_string(),
    };
    let mut numbers: Vec<(&str, String)> = outcome
        .measured
        .iter()
        .map(|(variant, numbers)| (variant.as_str(), number(numbers)))
        .collect();
    // What is the same of all variants is said once.
    if numbers.iter().all(|(_, text)| *text == numbers[0].1) {
        numbers.truncate(1);
        numbers.iter_mut().for_each(|(variant, _)| *variant = "");
    }
    let numbers = numbers.into_iter().map(|(variant, number)| match variant {
        "" => number,
        _ => format!("{}: {number}", variant.replace('_', " ")),
    });
    let numbers = numbers.collect::<Vec<_>>().join(", ");
    let unit = if outcome.unit.is_empty() { String::new() } else { format!(" {}", outcome.unit) };
    let not = if outcome.holds { String::new() } else { format!(" (wanted: {})", outcome.allowed) };
    format!("{} {numbers}{unit}{not}", outcome.name)
}
