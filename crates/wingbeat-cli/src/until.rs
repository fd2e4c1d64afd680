//! `--until`: what ends a run before all its steps are made.

use serde::{Deserialize, Serialize};
use wingbeat_scene::AnyFlock;

use crate::values::{OneOf, Word};

/// Steps in a row in which no boid moves, after which a flock is settled.
const STILL_STEPS: u32 = 100;

/// Below this part of the largest maximum speed no boid moves.
const STILL: f32 = 1e-3;

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Ended {
    /// All steps were made.
    Steps,
    /// No boid was left, and no boid was to come.
    Empty,
    /// No boid moved any more.
    Settled,
    /// The user stopped it.
    Interrupted,
}

impl Ended {
    /// For people, after the number of steps; nothing where that was as planned.
    pub fn words(self) -> &'static str {
        match self {
            Self::Steps => "",
            Self::Empty => ", until none was left",
            Self::Settled => ", until no boid moved",
            Self::Interrupted => ", then stopped",
        }
    }
}

/// What `--until` takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum UntilWord {
    Empty,
    Settled,
}

impl Word for UntilWord {
    const WORDS: &[(&str, Self)] = &[("empty", Self::Empty), ("settled", Self::Settled)];
}

/// Watches a flock for the end that was asked for.
#[derive(Clone, Serialize, Deserialize)]
pub struct Until {
    is_watched: bool,
    /// Whether a flock in which no boid moves ends the run, too.
    is_rest_enough: bool,
    /// Steps in a row in which no boid moved.
    still_steps: u32,
}

impl Until {
    /// As the option says; without one only the steps end a run.
    pub fn new(until: Option<OneOf<UntilWord>>) -> Self {
        let is_rest_enough = until == Some(OneOf(UntilWord::Settled));
        Self { is_watched: until.is_some(), is_rest_enough, still_steps: 0 }
    }

    /// Whether a flock without boids may end the run.
    pub fn is_watched(&self) -> bool {
        self.is_watched
    }

    /// Whether it has to look at how fast boids are.
    pub fn watches_speed(&self) -> bool {
        self.is_rest_enough
    }

    /// Whether the flock has come to that end. To be asked before the first step and after every
    /// one.
    pub fn end(&mut self, flock: &AnyFlock) -> Option<Ended> {
        if self.is_watched && flock.is_empty() && !flock.awaits_others() {
            return Some(Ended::Empty);
        }
        if self.is_rest_enough {
            let params = flock.params();
            let speeds =
                params.each_species().map(|species| params.common_limits(species).max_speed);
            let most = speeds.fold(0.0, |most, speed| if speed > most { speed } else { most });
            // The first time is before the first step.
            let is_still = flock.steps() > 0 && flock.largest_speed() <= STILL * most;
            self.still_steps = if is_still { self.still_steps + 1 } else { 0 };
        }
        (self.still_steps >= STILL_STEPS && !flock.awaits_others()).then_some(Ended::Settled)
    }
}
