//! What runs are compared with, and how far a run is from it.

use crate::distances::wasserstein;
use crate::failure::Failure;
use crate::observations::Observations;
use crate::sample::Sample;

/// What a run is away, in standard deviations, where only one of the two has any value.
const MISSING: f64 = 100.0;

/// Values over moments of some observables, of a recording or of a run that is taken for one.
pub struct FitTarget {
    /// What tells it from others in the journal.
    pub name: String,
    /// In ascending order; empty where there are none.
    values: Vec<Vec<f64>>,
    /// What distances are measured in, of the recording.
    units: Vec<f64>,
}

/// The columns of a recording that a scene can be fitted to, and their samples.
pub struct TargetColumns(pub Vec<(&'static str, Sample)>);

impl TargetColumns {
    /// Those that have values and a unit to measure by; the others are told. Refuses to go on with
    /// none.
    pub fn of(
        file: &str,
        observations: &Observations,
    ) -> Result<(Self, Vec<&'static str>), Failure> {
        let (mut columns, mut without) = (Vec::new(), Vec::new());
        for (name, values) in observations.answers() {
            match Sample::of(&[values]).filter(|sample| sample.unit() > 0.0) {
                Some(sample) => columns.push((name, sample)),
                None => without.push(name),
            }
        }
        if columns.is_empty() {
            let message = format!(
                "{file}: no values of {}: allowed is one column with some",
                without.join(", ")
            );
            return Err(Failure::BadInput(message));
        }
        Ok((Self(columns), without))
    }

    pub fn names(&self) -> Vec<&'static str> {
        self.0.iter().map(|(name, _)| *name).collect()
    }

    /// The recording itself.
    pub fn recording(&self) -> FitTarget {
        let values = self.0.iter().map(|(_, sample)| sample.values.clone()).collect();
        FitTarget { name: "recording".into(), values, units: self.units() }
    }

    /// A run in its place, known by its last state.
    pub fn run(&self, run: &Observations, state_hash: u64) -> FitTarget {
        FitTarget {
            name: format!("{state_hash:016x}"),
            values: self.sorted(run),
            units: self.units(),
        }
    }

    fn units(&self) -> Vec<f64> {
        self.0.iter().map(|(_, sample)| sample.unit()).collect()
    }

    fn sorted(&self, run: &Observations) -> Vec<Vec<f64>> {
        let of = |(name, _): &(&'static str, Sample)| {
            let column = run.answers().find(|(known, _)| known == name);
            let mut values = column.map(|(_, values)| values).unwrap_or_default();
            values.sort_by(f64::total_cmp);
            values
        };
        self.0.iter().map(of).collect()
    }

    /// How far a run is from a target, column by column.
    pub fn distances(&self, target: &FitTarget, run: &Observations) -> Vec<f64> {
        let pairs = target.values.iter().zip(self.sorted(run)).zip(&target.units);
        let distance = |((target, run), unit): ((&Vec<f64>, Vec<f64>), &f64)| match (
            target.is_empty(),
            run.is_empty(),
        ) {
            (false, false) => wasserstein(target, &run) / unit,
            (true, true) => 0.0,
            _ => MISSING,
        };
        pairs.map(distance).collect()
    }
}

/// What is made smaller: the root mean square of a run's distances.
pub fn objective(distances: &[f64]) -> f64 {
    (distances.iter().map(|distance| distance * distance).sum::<f64>() / distances.len() as f64)
        .sqrt()
}
