//! Which numbers of a run become columns of a table, and how a run comes to them: the same for
//! sweeps and proofs.

use wingbeat_measure::{Measurable, Observables, Wanted};
use wingbeat_scene::{AnyFlock, Built, Scene};

use crate::events::{EventCounter, EventReport};
use crate::failure::Failure;
use crate::observations::{Observations, group_radius};
use crate::run_statistics::Means;

/// The numbers asked for, by name: observables averaged over time, and what the events of a whole
/// run tell.
#[derive(Clone, Debug, PartialEq)]
pub struct Columns(Vec<String>);

impl Columns {
    /// What was typed, names apart by commas; the usual observables if nothing was.
    pub fn parse(text: Option<&String>) -> Result<Self, Failure> {
        let Some(text) = text else {
            return Ok(Self(Wanted::USUAL.names().map(String::from).collect()));
        };
        let mut names: Vec<String> = Vec::new();
        for name in text.split(',').map(str::trim) {
            if !Self::is_known(name) || names.iter().any(|known| known == name) {
                return Err(Failure::value(
                    "--columns",
                    name,
                    &format!("each once of {}", Self::known()),
                ));
            }
            names.push(name.to_string());
        }
        Ok(Self(names))
    }

    /// Columns whose names are known.
    pub fn named(names: Vec<String>) -> Self {
        Self(names)
    }

    /// Whether a column may have this name; whether a scene has the exit is another question.
    pub fn is_known(name: &str) -> bool {
        Observables::NAMES.contains(&name) || EventReport::is_column(name)
    }

    /// Names that a column may have, for messages.
    pub fn known() -> String {
        Self::kinds().join(", ")
    }

    /// What `--columns` takes, for its help.
    pub fn help() -> String {
        let [observables, events, exits] = Self::kinds();
        format!(
            "Which numbers become columns, apart by commas: means over time of the observables \
            {observables}; of the events of a run {events}; of an exit NAME {exits} [default: {}]",
            Wanted::USUAL.names().collect::<Vec<_>>().join(",")
        )
    }

    /// Names of observables, of what events tell, and of what they tell of an exit.
    fn kinds() -> [String; 3] {
        let exits = EventReport::EXIT_COLUMNS.map(|of| format!("exit.NAME.{of}"));
        [Observables::NAMES.join(", "), EventReport::COLUMNS.join(", "), exits.join(", ")]
    }

    /// Refuses the column of an exit that a scene does not have.
    pub fn check(&self, flag: &str, scene: &Scene) -> Result<(), Failure> {
        let exits = scene.exits();
        let lacks = |name: &&String| {
            EventReport::exit_of(name).is_some_and(|(exit, _)| !exits.contains(&exit))
        };
        let Some(name) = self.0.iter().find(lacks) else { return Ok(()) };
        let allowed = match exits.len() {
            0 => "no column of an exit, as the scene has none".to_string(),
            _ => format!("a column of an exit of the scene: {}", exits.join(", ")),
        };
        Err(Failure::value(flag, name, &allowed))
    }

    /// In the order asked for.
    pub fn names(&self) -> &[String] {
        &self.0
    }

    /// The observables among them: only these are measured.
    pub fn wanted(&self) -> Wanted {
        let observables = self.0.iter().filter_map(|name| name.parse().ok());
        observables.fold(Wanted::NONE, |all, one: Wanted| all | one)
    }
}

/// Which steps count.
#[derive(Clone, Copy, Debug)]
pub struct Sampling {
    /// Steps after this one.
    pub average_from: u64,
    /// Of those, multiples of this for the observables that take longer than a step.
    pub every: u64,
}

/// The columns of a run, filled step by step.
pub struct RunColumns<'a> {
    columns: &'a Columns,
    sampling: Sampling,
    observations: Observations,
    means: Means,
    counter: EventCounter,
}

impl<'a> RunColumns<'a> {
    /// Before the first step.
    pub fn new(columns: &'a Columns, sampling: Sampling, flock: &AnyFlock) -> Self {
        let observations = Observations::new("step", columns.wanted());
        Self {
            columns,
            sampling,
            observations,
            means: Means::default(),
            counter: EventCounter::new(flock),
        }
    }

    /// Takes in the step that was just made, which ended at `time`.
    pub fn add(&mut self, built: &Built, made: u64, time: f64) {
        let flock = &built.flock;
        self.counter.count(flock.events(), time);
        if made <= self.sampling.average_from {
            return;
        }
        let (wanted, each_step) = (self.columns.wanted(), Wanted::POLARIZATION | Wanted::MILLING);
        let sampled = made.is_multiple_of(self.sampling.every);
        // Asked for or not, the two cost little; the others are measured only if they are.
        let observables = flock
            .measure(if sampled { wanted | each_step } else { each_step }, group_radius(built));
        self.means.add(&observables);
        if sampled {
            self.observations.push((made as i64, time), &observables, &[]);
        }
    }

    /// The columns' values after the last step, in their order.
    pub fn values(&self, flock: &AnyFlock) -> Vec<Option<f64>> {
        let [polarization, milling] = self.means.means();
        let statistics = self.observations.statistics();
        let events = self.counter.report(flock);
        let value = |name: &String| match name.as_str() {
            "polarization" => polarization,
            "milling" => milling,
            name => match statistics.iter().find(|(known, _)| *known == name) {
                Some((_, statistics)) => statistics.map(|statistics| statistics.mean),
                None => events.column(name),
            },
        };
        self.columns.names().iter().map(value).collect()
    }
}
