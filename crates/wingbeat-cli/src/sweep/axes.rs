//! What `--set` means to a sweep: which keys take which values, and all their combinations.

use wingbeat_scene::Override;

use super::args::SweepArgs;
use super::axis::{Axis, MOST_RUNS, SEED, SYNTAX};
use super::continued::{Continued, DIRECTION};
use crate::failure::Failure;
use crate::options::full_name;

/// All that was given, in its order, the seed apart.
#[derive(Debug)]
pub struct Axes {
    /// Swept keys but the seed; the last changes fastest.
    pub swept: Vec<Axis>,
    /// The seed's values, if it is swept.
    pub seeds: Option<Axis>,
    /// Values that hold for all runs.
    pub fixed: Vec<Axis>,
    /// How many combinations are run.
    pub combinations: usize,
    /// Which of all combinations those are; `None`: all.
    pub kept: Option<Vec<usize>>,
    /// The one along which runs go on from each other, if any.
    pub continued: Option<Continued>,
}

impl Axes {
    pub fn parse(args: &SweepArgs) -> Result<Self, Failure> {
        let mut all = Vec::new();
        for assignment in &args.set {
            let given = assignment.split_once('=').filter(|(key, _)| !key.trim().is_empty());
            let (key, text) = given.ok_or_else(|| Failure::value("--set", assignment, SYNTAX))?;
            all.push(Axis::parse("--set", &full_name(key.trim()), text.trim())?);
        }
        for (option, key, text) in args.flock.numbers(args.steps.steps.as_ref()) {
            all.push(Axis::parse(option, key, text)?);
        }
        let file = |path: &String| Axis {
            flag: "--initial".into(),
            key: "initial.file".into(),
            values: vec![path.clone()],
            swept: false,
            is_text: true,
        };
        all.extend(args.flock.initial.as_ref().map(file));
        for (i, axis) in all.iter().enumerate() {
            if let Some(earlier) = all[..i].iter().find(|earlier| earlier.key == axis.key) {
                let message = format!(
                    "{}: {} is given twice, first by {}: allowed is once",
                    axis.flag, axis.key, earlier.flag
                );
                return Err(Failure::BadInput(message));
            }
        }
        let (swept, fixed): (Vec<_>, Vec<_>) = all.into_iter().partition(|axis| axis.swept);
        let (seeds, swept): (Vec<_>, Vec<_>) = swept.into_iter().partition(|axis| axis.key == SEED);
        let seeds = seeds.into_iter().next();
        let (swept, continued) = Continued::plan(args, swept)?;
        let count = |axes: &[Axis]| {
            axes.iter().try_fold(1_usize, |product, axis| product.checked_mul(axis.values.len()))
        };
        let combinations = count(&swept);
        let runs = combinations.and_then(|count| {
            count.checked_mul(seeds.as_ref().map_or(1, |seeds| seeds.values.len()))
        });
        match (combinations, runs) {
            (Some(combinations), Some(runs)) if runs <= MOST_RUNS => {
                let mut axes = Self { swept, seeds, fixed, combinations, kept: None, continued };
                axes.keep(&args.conditions)?;
                Ok(axes)
            }
            _ => {
                let sizes = swept
                    .iter()
                    .chain(&seeds)
                    .map(|axis| format!("{} of {}", axis.values.len(), axis.key));
                let sizes = sizes.collect::<Vec<_>>().join(" times ");
                Err(Failure::BadInput(format!(
                    "--set: {sizes} are too many runs: allowed are {MOST_RUNS}"
                )))
            }
        }
    }

    /// Runs in a combination.
    pub fn seed_count(&self) -> usize {
        self.seeds.as_ref().map_or(1, |seeds| seeds.values.len())
    }

    /// For each swept key, which of its values a combination has.
    pub fn places(&self, combination: usize) -> Vec<usize> {
        let mut rest = self.kept.as_ref().map_or(combination, |kept| kept[combination]);
        let mut places = vec![0; self.swept.len()];
        for (place, axis) in places.iter_mut().zip(&self.swept).rev() {
            *place = rest % axis.values.len();
            rest /= axis.values.len();
        }
        places
    }

    /// A combination's values, one for each swept key but the seed.
    pub fn values(&self, combination: usize) -> Vec<&str> {
        self.places(combination)
            .into_iter()
            .zip(&self.swept)
            .map(|(i, axis)| axis.values[i].as_str())
            .collect()
    }

    /// What tells a run from all others: the values of a combination, and the seed where it is
    /// swept.
    pub fn names(&self, combination: usize, seed: usize) -> Vec<String> {
        let seed = self.seeds.as_ref().map(|seeds| seeds.values[seed].as_str());
        self.values(combination).into_iter().chain(seed).map(str::to_string).collect()
    }

    /// The keys of these values.
    pub fn keys(&self) -> Vec<&str> {
        self.swept.iter().chain(&self.seeds).map(|axis| axis.key.as_str()).collect()
    }

    /// A run's overrides of the scene.
    pub fn overrides(&self, combination: usize, seed: usize) -> Vec<Override> {
        let keys = self
            .places(combination)
            .into_iter()
            .zip(&self.swept)
            .filter(|(_, axis)| axis.key != DIRECTION);
        let swept = keys.map(|(i, axis)| axis.set(i));
        let seed = self.seeds.iter().map(|seeds| seeds.set(seed));
        self.fixed.iter().map(|axis| axis.set(0)).chain(swept).chain(seed).collect()
    }
}
