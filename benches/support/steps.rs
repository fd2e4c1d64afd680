//! What contenders have in common: they make steps, and a table describes them.

use crate::points::State;
use crate::race::{Clock, Spent};
use crate::scalar_rules::Boid;

/// Makes steps, and can be timed.
pub trait Steps {
    /// One whole step.
    fn step(&mut self);

    /// Seconds that so many steps take.
    ///
    /// # Errors
    /// When the contender is a program of its own that does not answer as the protocol demands.
    fn timed(&mut self, steps: usize, clock: Clock) -> Spent {
        Ok(clock.seconds(|| (0..steps).for_each(|_| self.step())))
    }

    /// What it states of itself, as NAME VERSION; SETTINGS, where it is a program of its own.
    fn about(&self) -> Option<&str> {
        None
    }

    /// Why its results count for nothing from now on.
    fn failure(&self) -> Option<String> {
        None
    }
}

/// A flock that some engine moves, in steps of length [`DT`](crate::points::DT).
pub trait Stepper<const D: usize>: Steps {
    /// Puts every boid back where it was given.
    fn restart(&mut self, state: &State<D>);

    /// Ordered pairs of boids within a radius of each other as the engine's own search finds them,
    /// sight ignored.
    fn pairs(&mut self) -> u64;

    /// The boids, in any order.
    fn boids(&mut self) -> Vec<Boid<D>>;
}

/// A contender as tables describe it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// Its row.
    pub name: String,
    /// As Cargo.lock or the program itself states it.
    pub version: String,
    /// How it is used.
    pub settings: String,
}

impl About {
    /// A crate of Cargo.lock.
    pub fn of_crate(name: &str, settings: &str) -> Self {
        Self { name: name.into(), version: version_of(name), settings: settings.into() }
    }

    /// A part of Wingbeat.
    pub fn of_ours(name: impl Into<String>, settings: &str) -> Self {
        let version = env!("CARGO_PKG_VERSION").into();
        Self { name: name.into(), version, settings: settings.into() }
    }

    /// With what a program states of itself.
    pub fn stated(self, statement: Option<&str>) -> Self {
        let Some(statement) = statement else { return self };
        let (version, settings) = statement.split_once(';').unwrap_or((statement, ""));
        Self { version: version.trim().into(), settings: settings.trim().into(), ..self }
    }
}

/// The version that Cargo.lock has of a crate.
fn version_of(name: &str) -> String {
    let lock = include_str!("../../Cargo.lock");
    let entry = lock
        .split("[[package]]")
        .find(|entry| entry.lines().any(|line| line == format!("name = \"{name}\"")));
    let version = entry.and_then(|entry| {
        entry.lines().find_map(|line| line.strip_prefix("version = \"")?.strip_suffix('"'))
    });
    version.unwrap_or("unknown").into()
}
