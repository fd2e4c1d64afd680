//! What a fit found: a summary for people, one JSON object for programs, the fitted scene.

use std::path::Path;
use std::time::Duration;

use serde::Serialize;
use serde_json::{Map, Value, json};
use wingbeat_scene::Scene;

use super::plan::FitPlan;
use super::target::objective;
use super::vary::numbers;
use crate::measure::short;
use crate::report::grouped;
use crate::statistics::Estimate;

/// What was found.
pub struct Fitted {
    /// As a scene has them.
    pub values: Vec<String>,
    /// Where each search ended.
    pub searches: Vec<Vec<f64>>,
    /// Where each search for the standard errors ended.
    pub refits: Vec<Vec<f64>>,
    /// The scene as it was, where it has values of all keys.
    pub before: Option<JudgedFit>,
    pub after: JudgedFit,
    /// The fitted scene against each run of itself that stood for a recording.
    pub own: Vec<JudgedFit>,
}

/// A scene on fresh seeds, over runs.
#[derive(Clone, Debug, Serialize)]
pub struct JudgedFit {
    pub objective: Estimate,
    /// Distance of each column.
    columns: Vec<Estimate>,
}

impl JudgedFit {
    /// Of each run's distances.
    pub fn of(runs: &[Vec<f64>]) -> Self {
        let columns = runs.first().map_or(0, Vec::len);
        let column = |i: usize| Estimate::of(&runs.iter().map(|run| run[i]).collect::<Vec<_>>());
        let objectives: Vec<f64> = runs.iter().map(|run| objective(run)).collect();
        Self { objective: Estimate::of(&objectives), columns: (0..columns).map(column).collect() }
    }
}

impl Fitted {
    /// √(Σ(refit − fit)²/n), key by key: how far searches for a known scene come out from it.
    fn errors(&self) -> Option<Vec<f64>> {
        let count = Some(self.refits.len() as f64).filter(|&count| count > 0.0)?;
        let values = numbers(&self.values);
        let error = |key: usize| {
            let squares = self
                .refits
                .iter()
                .map(|refit| (refit[key] - values[key]) * (refit[key] - values[key]));
            (squares.sum::<f64>() / count).sqrt()
        };
        Some((0..values.len()).map(error).collect())
    }

    /// Mean objective of runs of the fitted scene against each other.
    fn own_objective(&self) -> Option<f64> {
        let means: Vec<f64> = self.own.iter().filter_map(|judged| judged.objective.mean).collect();
        Estimate::of(&means).mean
    }

    pub fn json(&self, plan: &FitPlan<'_>) -> Value {
        let errors = self.errors();
        let key = |(i, varied): (usize, &super::vary::Varied)| {
            let all = |found: &[Vec<f64>]| found.iter().map(|values| values[i]).collect::<Vec<_>>();
            let value = json!({
                "low": varied.low, "high": varied.high,
                "before": plan.own.as_ref().map(|own| numbers(own)[i]),
                "fitted": numbers(&self.values)[i],
                "standard_error": errors.as_ref().map(|errors| errors[i]),
                "searches": all(&self.searches), "refits": all(&self.refits),
            });
            (varied.key.clone(), value)
        };
        let keys: Map<String, Value> = plan.varied.iter().enumerate().map(key).collect();
        let column = |(i, name): (usize, &str)| {
            let of = |judged: &JudgedFit| json!(judged.columns[i]);
            (
                name.to_string(),
                json!({ "before": self.before.as_ref().map(of), "fitted": of(&self.after) }),
            )
        };
        let columns: Map<String, Value> =
            plan.columns.names().into_iter().enumerate().map(column).collect();
        json!({
            "scene": plan.args.scene, "recording": plan.args.to, "fitted_scene": plan.args.out,
            "keys": keys,
            "objective": {
                "before": self.before.as_ref().map(|judged| judged.objective),
                "fitted": self.after.objective,
                "fitted_to_itself": self.own_objective(),
            },
            "distances": columns,
            "recording_covers": plan.covers[0], "runs_cover": plan.covers[1],
            "time_unit": plan.time_unit,
        })
    }

    pub fn text(
        &self,
        plan: &FitPlan<'_>,
        (made, took): (usize, Duration),
        journal: &Path,
    ) -> String {
        let args = plan.args;
        let mut text = format!(
            "{} fitted to {}: {} searches and {} refits, {} runs made in {:.1} s\n\n",
            args.scene,
            args.to,
            self.searches.len(),
            self.refits.len(),
            grouped(made as u64),
            took.as_secs_f64()
        );
        let fresh = plan.seeds(super::plan::Seeds::Fresh).len();
        let said = |judged: &JudgedFit| {
            judged
                .objective
                .mean
                .map_or_else(String::new, |mean| with_error(mean, judged.objective.standard_error))
        };
        text += &format!("objective, over {fresh} fresh seeds: {}", said(&self.after));
        text += &self.before.as_ref().map_or_else(String::new, |before| {
            format!("; of the scene as it was {}", said(before))
        });
        text += &self.own_objective().map_or_else(String::new, |own| {
            format!("; of the fitted scene against runs of itself {}", short(own))
        });
        text += &self.keys_table(plan);
        text += &format!(
            "\n  {:<34}{:>12}{:>12}\n",
            "distance, in sd of the recording", "before", "fitted"
        );
        for (i, name) in plan.columns.names().into_iter().enumerate() {
            let of = |judged: &JudgedFit| judged.columns[i].mean.map_or_else(|| "-".into(), short);
            let before = self.before.as_ref().map_or_else(|| "-".into(), of);
            text += &format!("  {name:<34}{before:>12}{:>12}\n", of(&self.after));
        }
        let [recording, run] = plan.covers;
        let unit = &plan.time_unit;
        text += &format!("\n  {:<28}  the fitted scene\n", args.out);
        text += &format!(
            "  {:<28}  the runs; the same command goes on from here\n",
            journal.display().to_string()
        );
        if self.errors().is_some() {
            text += &format!(
                "\nstandard errors are those of recordings as long as a run, {} s; this one covers \
                    {} {unit}\n",
                short(run),
                short(recording)
            );
        }
        text
    }

    /// A row for each key that varied: before, fitted, its error, and where the searches ended.
    fn keys_table(&self, plan: &FitPlan<'_>) -> String {
        let mut text = format!(
            "\n\n  {:<34}{:>12}{:>12}{:>12}   {}\n",
            "key", "before", "fitted", "std. error", "searches ended at"
        );
        let errors = self.errors();
        for (i, varied) in plan.varied.iter().enumerate() {
            let before = plan.own.as_ref().map_or("-", |own| &own[i]);
            let error = errors.as_ref().map_or_else(|| "-".into(), |errors| short(errors[i]));
            let ends: Vec<String> = self.searches.iter().map(|values| short(values[i])).collect();
            text += &format!(
                "  {:<34}{before:>12}{:>12}{error:>12}   {}\n",
                varied.key,
                self.values[i],
                ends.join(" ")
            );
        }
        text
    }

    /// The scene with the values found, and how they were.
    pub fn toml(&self, plan: &FitPlan<'_>, scene: &Scene) -> String {
        let errors = self.errors();
        let one_line = |text: &str| text.replace(char::is_control, " ");
        let mut text = format!(
            "# {}, fitted to {} by `wingbeat fit`:\n",
            one_line(&plan.args.scene),
            one_line(&plan.args.to)
        );
        for (i, varied) in plan.varied.iter().enumerate() {
            let error = errors.as_ref().map_or_else(String::new, |errors| {
                format!(", standard error {}", short(errors[i]))
            });
            text += &format!("#   {} = {}{error}\n", varied.key, self.values[i]);
        }
        text + "\n" + &scene.to_toml()
    }
}

/// A mean with its standard error.
fn with_error(mean: f64, error: Option<f64>) -> String {
    error.map_or_else(|| short(mean), |error| format!("{} \u{b1} {}", short(mean), short(error)))
}
