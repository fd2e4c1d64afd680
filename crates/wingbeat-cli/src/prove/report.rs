//! The table: as text, as JSON, as Markdown.

use serde_json::{Value, json};

use super::proof::{Expected, Proof, SUITES};
use super::verdict::JudgedProof;

/// Widths of the columns name, published, measured, verdict.
const WIDTHS: [usize; 4] = [22, 44, 52, 10];

/// What suites are called.
pub fn suite_title(suite: &str) -> &str {
    match suite {
        "rimea" => "RiMEA 4.1.1",
        "nist" => "NIST TN 1822",
        "imo" => "IMO MSC.1/Circ.1533",
        "iso" => "ISO 20414",
        "symmetry" => "Symmetries",
        "vicsek" => "Vicsek et al. 1995",
        "couzin" => "Couzin et al. 2002",
        "cucker_smale" => "Cucker and Smale 2007",
        "rvo2" => "RVO2",
        "recorded" => "Recordings",
        other => other,
    }
}

/// Each suite of the table with its proofs.
pub fn by_suite<'a, 'b>(
    judged: &'b [JudgedProof<'a>],
) -> impl Iterator<Item = (&'static str, Vec<&'b JudgedProof<'a>>)> {
    let of = |suite: &'static str| {
        (suite, judged.iter().filter(|one| one.proof.suite == suite).collect::<Vec<_>>())
    };
    SUITES.into_iter().map(of).filter(|(_, proofs)| !proofs.is_empty())
}

/// The table for people.
pub fn text(judged: &[JudgedProof<'_>], quick: bool, seconds: f64) -> String {
    let mut text = String::new();
    for (suite, proofs) in by_suite(judged) {
        text += &format!("\n{}\n", suite_title(suite));
        text += &row(["", "published", "measured", "verdict"].map(String::from), "seconds");
        for one in proofs {
            let seconds = if one.runs > 0 { format!("{:7.1}", one.seconds) } else { String::new() };
            let measured = if one.runs > 0 {
                one.measured()
            } else {
                one.proof.why.clone().unwrap_or_default()
            };
            text += &row(
                [one.proof.name.clone(), one.proof.published.clone(), measured, one.words()],
                &seconds,
            );
        }
    }
    text += &format!("\n{}", total(judged, quick, seconds));
    text
}

/// The last line.
pub fn total(judged: &[JudgedProof<'_>], quick: bool, seconds: f64) -> String {
    let count = |verdict: &str| judged.iter().filter(|one| one.verdict.words() == verdict).count();
    let parts = ["pass", "fail", "not built", "skipped", "left out"]
        .map(|verdict| (count(verdict), verdict));
    let parts = parts
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, verdict)| format!("{count} {verdict}"));
    let differ: Vec<&str> = judged
        .iter()
        .filter(|one| !one.is_as_expected())
        .map(|one| one.proof.name.as_str())
        .collect();
    let differ = if differ.is_empty() {
        "all as expected".into()
    } else {
        format!("not as expected: {}", differ.join(", "))
    };
    let how = if quick { ", quick" } else { "" };
    format!(
        "{} proofs in {seconds:.0} s{how}: {}; {differ}\n",
        judged.len(),
        parts.collect::<Vec<_>>().join(", ")
    )
}

/// A row whose cells are wrapped.
fn row(cells: [String; 4], seconds: &str) -> String {
    let cells: Vec<Vec<String>> =
        cells.iter().zip(WIDTHS).map(|(cell, width)| wrapped(cell, width)).collect();
    let lines = cells.iter().map(Vec::len).max().unwrap_or(0);
    let mut text = String::new();
    for i in 0..lines {
        let mut line = String::from("  ");
        for (cell, width) in cells.iter().zip(WIDTHS) {
            line += &format!("{:<width$}  ", cell.get(i).map_or("", String::as_str));
        }
        if i == 0 {
            line += seconds;
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
}

/// A text in lines of at most this many characters, as far as its words allow.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.len() - 1;
        if !lines[last].is_empty() && lines[last].chars().count() + 1 + word.chars().count() > width
        {
            lines.push(word.to_string());
        } else {
            let space = if lines[last].is_empty() { "" } else { " " };
            lines[last] += &format!("{space}{word}");
        }
    }
    lines
}

/// One object for programs.
pub fn json(judged: &[JudgedProof<'_>], quick: bool, seconds: f64) -> Value {
    let proof = |one: &JudgedProof<'_>| {
        json!({
            "name": one.proof.name, "suite": one.proof.suite, "title": one.proof.title,
            "source": one.proof.source, "published": one.proof.published,
            "expected": one.proof.expected.word(), "why": one.proof.why,
            "verdict": one.verdict, "as_expected": one.is_as_expected(), "measured": one.measured(),
            "checks": one.outcomes.iter().map(check).collect::<Vec<_>>(),
            "runs": one.runs, "seconds": one.seconds,
        })
    };
    let proofs: Vec<Value> = judged.iter().map(proof).collect();
    let differ = judged.iter().filter(|one| !one.is_as_expected()).count();
    json!({
        "quick": quick, "seconds": seconds, "as_expected": differ == 0, "differ": differ,
        "proofs": proofs
    })
}

fn check(outcome: &super::check::Outcome) -> Value {
    let variant = |(name, numbers): &(String, Option<[f64; 2]>)| {
        json!({
            "variant": name,
            "low": numbers.map(|ends| ends[0]), "high": numbers.map(|ends| ends[1])
        })
    };
    let measured: Vec<Value> = outcome.measured.iter().map(variant).collect();
    json!({
        "name": outcome.name, "unit": outcome.unit, "allowed": outcome.allowed,
        "holds": outcome.holds, "measured": measured
    })
}

/// Names, suites and what was published.
pub fn list(proofs: &[Proof]) -> String {
    let mut text = String::new();
    for suite in SUITES {
        let of_suite: Vec<&Proof> = proofs.iter().filter(|proof| proof.suite == suite).collect();
        if of_suite.is_empty() {
            continue;
        }
        text += &format!("{suite}: {}\n", suite_title(suite));
        for proof in of_suite {
            let expected = proof.expected.word().replace('_', " ");
            text += &format!("  {:<22}  {expected:<9}  {}\n", proof.name, proof.title);
        }
    }
    text
}

/// The same for programs.
pub fn list_json(proofs: &[Proof]) -> Value {
    let proof = |proof: &Proof| {
        json!({
            "name": proof.name, "suite": proof.suite, "title": proof.title, "source": proof.source,
            "published": proof.published, "expected": proof.expected.word(), "why": proof.why,
        })
    };
    json!({ "proofs": proofs.iter().map(proof).collect::<Vec<_>>() })
}

/// The table as a page in Markdown. Without seconds, which are the machine's: the same proofs give
/// the same bytes.
pub fn markdown(judged: &[JudgedProof<'_>], quick: bool) -> String {
    let mut text = overview(judged);
    let cell = |text: &str| text.replace('|', "\\|").replace('\n', " ");
    for (suite, proofs) in by_suite(judged) {
        text += &format!(
            "## {}\n\n| proof | verdict | published | measured |\n|---|---|---|---|\n",
            suite_title(suite)
        );
        for one in &proofs {
            let verdict =
                if one.verdict.words() == "fail" { "**fail**".to_string() } else { one.words() };
            let title = format!("`{}`: {}", one.proof.name, one.proof.title);
            let measured = one.measured();
            text += &format!(
                "| {} | {verdict} | {} | {} |\n",
                cell(&title),
                cell(&one.proof.published),
                cell(&measured)
            );
        }
        text.push('\n');
        for one in &proofs {
            let why = one.proof.why.as_ref().map(|why| {
                format!(
                    ". {}: {why}",
                    if one.proof.expected == Expected::Fail { "Fails" } else { "Not built" }
                )
            });
            text += &format!(
                "* `{}`: {}{}\n",
                one.proof.name,
                one.proof.source,
                why.unwrap_or_default()
            );
        }
        text.push('\n');
    }
    let how = if quick { "wingbeat prove --quick" } else { "wingbeat prove" };
    text + &format!("Written by `{how} --out`.\n")
}

/// How many proofs of each suite have which verdict, and the names of those that do not pass. What
/// two suites ask for counts in both.
fn overview(judged: &[JudgedProof<'_>]) -> String {
    let mut text = "## At a glance\n\n".to_string();
    text += "| | pass | fail | not built |\n|---|---|---|---|\n";
    for (suite, _) in by_suite(judged) {
        let of = |verdict: &str| -> Vec<String> {
            let of_suite = judged.iter().filter(|one| one.proof.is_of(suite));
            let names = of_suite.filter(|one| one.verdict.words() == verdict);
            names.map(|one| format!("`{}`", one.proof.name)).collect()
        };
        let named = |verdict: &str| match &of(verdict)[..] {
            [] => String::new(),
            names => format!("{}: {}", names.len(), names.join(", ")),
        };
        text += &format!(
            "| {} | {} | {} | {} |\n",
            suite_title(suite),
            of("pass").len(),
            named("fail"),
            named("not built")
        );
    }
    text + "\n"
}
