//! Contenders that are programs of their own, by the protocol of docs/CONTENDERS.md.

mod pipe;
mod serve;

use std::fmt::Write as _;
use std::time::Instant;

pub use serve::serve;

use self::pipe::Pipe;
use crate::crowds::{self, Crowd};
use crate::points::{DT, RADIUS, REACH, State};
use crate::race::{Clock, Spent};
use crate::scalar_rules::{Boid, ScalarRules};
use crate::steps::{Stepper, Steps};

/// First line of the header.
const GREETING: &str = "wingbeat-contender 1";

/// Reported seconds are refused when they are less than this part of those that the benchmark
/// waited: a busy machine may take most of a program's time, and what it does beside a step is not
/// in its report.
const LEAST_REPORTED: f64 = 0.1;

/// Why a program takes no part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It says that the point is not for it.
    Declined(String),
    /// It does not follow the protocol, or is not there.
    Fault(String),
}

/// A program at one point.
pub struct Outside {
    pipe: Pipe,
    boids: usize,
    dimension: usize,
    threads: usize,
    failure: Option<String>,
    reported: f64,
    waited: f64,
    about: String,
}

impl Outside {
    /// Starts a program for a flock.
    ///
    /// # Errors
    /// When the program declines the point or does not follow the protocol.
    pub fn flock<const D: usize>(
        command: &str,
        state: &State<D>,
        threads: usize,
    ) -> Result<Self, Refusal> {
        let rules = ScalarRules::new(&state.params);
        let mut header = String::new();
        let mut say = |key: &str, value: f32| _ = writeln!(header, "{key} {value}");
        say("box", state.domain.side(0));
        say("dt", DT);
        say("radius", RADIUS);
        say("reach", REACH);
        say("cos_half_view", rules.cos_half.unwrap_or(-2.0));
        say("separation_radius", RADIUS * 0.5);
        for (key, weight) in ["separation", "alignment", "cohesion"].iter().zip(rules.weights) {
            say(key, weight);
        }
        say("max_force", rules.max_force);
        say("max_speed", rules.max_speed);
        let columns = columns(&state.boids);
        Self::start(command, ("flock", D, threads), state.boids.len(), &header, columns)
    }

    /// Starts a program for a crowd.
    ///
    /// # Errors
    /// When the program declines the point or does not follow the protocol.
    pub fn crowd(command: &str, scene: &crowds::Scene, threads: usize) -> Result<Self, Refusal> {
        let mut header = String::new();
        let mut say = |key: &str, value: f32| _ = writeln!(header, "{key} {value}");
        say("dt", crowds::DT);
        say("neighbors", crowds::NEIGHBORS as f32);
        say("distance", crowds::DISTANCE);
        say("time_horizon", crowds::TIME_HORIZON);
        say("body_radius", crowds::RADIUS * (1.0 + crowds::MARGIN));
        say("speed", crowds::SPEED);
        say("max_speed", crowds::SPEED * crowds::HASTE);
        say("slowing", crowds::SLOWING);
        let people = scene.positions.iter().zip(&scene.goals);
        let people: Vec<_> =
            people.map(|(&position, &velocity)| Boid { position, velocity }).collect();
        Self::start(command, ("crowd", 2, threads), people.len(), &header, columns(&people))
    }

    fn start(
        command: &str,
        (kind, dimension, threads): (&str, usize, usize),
        boids: usize,
        header: &str,
        columns: Vec<u8>,
    ) -> Result<Self, Refusal> {
        let clock = if Clock::of(threads) == Clock::Cpu { "cpu" } else { "wall" };
        let head = format!(
            "{GREETING}\nkind {kind}\nboids {boids}\ndimension {dimension}\nthreads {threads}\n\
            clock {clock}\n{header}data {}\n",
            columns.len()
        );
        let mut pipe = Pipe::start(command).map_err(Refusal::Fault)?;
        pipe.send(head.into_bytes());
        pipe.send(columns);
        let answer = pipe.line().map_err(Refusal::Fault)?;
        match answer.split_once(' ') {
            Some(("ready", about)) => Ok(Self {
                pipe,
                boids,
                dimension,
                threads,
                failure: None,
                reported: 0.0,
                waited: 0.0,
                about: about.replace('|', "/"),
            }),
            Some(("decline", reason)) => Err(Refusal::Declined(reason.into())),
            _ => Err(Refusal::Fault(format!(
                "answers \"{answer}\" to the header: allowed is ready NAME VERSION; SETTINGS or \
                decline REASON"
            ))),
        }
    }

    /// Asks, and expects an answer that begins with a word; the first failure is kept.
    fn ask(&mut self, request: &str, word: &str) -> Result<String, String> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        let answer = self.pipe.ask(request).and_then(|answer| {
            let (first, rest) = answer.split_once(' ').unwrap_or((&answer, ""));
            if first == word {
                Ok(rest.to_owned())
            } else {
                Err(format!("answers \"{answer}\" to \"{request}\": allowed is {word} …"))
            }
        });
        answer.inspect_err(|reason| self.failure = Some(reason.clone()))
    }

    fn fail<T>(&mut self, reason: String) -> Result<T, String> {
        self.failure = Some(reason.clone());
        Err(reason)
    }

    fn times(&mut self, steps: usize) -> Spent {
        let start = Instant::now();
        let answer = self.ask(&format!("step {steps}"), "times")?;
        self.waited += start.elapsed().as_secs_f64();
        let times: Vec<f64> = answer.split(' ').filter_map(|ns| ns.parse().ok()).collect();
        let sound = |&ns: &f64| ns.is_finite() && ns >= 0.0;
        if times.len() != steps || !times.iter().all(sound) {
            return self.fail(format!(
                "gives times \"{answer}\" for {steps} steps: as many numbers \
                of nanoseconds are allowed"
            ));
        }
        let seconds = times.iter().fold(0.0, |sum, ns| sum + ns) / 1e9;
        self.reported += seconds;
        let most = self.waited * self.threads as f64 * 1.1 + 0.05;
        if self.waited > 0.1 && self.reported < LEAST_REPORTED * self.waited || self.reported > most
        {
            return self.fail(format!(
                "reports {:.4} s of steps, and {:.4} s passed: at least {LEAST_REPORTED} of them \
                and no more than all are allowed",
                self.reported, self.waited
            ));
        }
        Ok(seconds)
    }

    fn state<const D: usize>(&mut self) -> Result<Vec<Boid<D>>, String> {
        let due = self.boids * self.dimension * 2 * size_of::<f32>();
        let said = self.ask("state", "state")?;
        if said.parse() != Ok(due) {
            return self.fail(format!("gives a state of {said} bytes: {due} are due"));
        }
        let bytes = self.pipe.bytes(due);
        match bytes {
            Ok(bytes) => Ok(rows(&bytes, self.boids)),
            Err(reason) => self.fail(reason),
        }
    }
}

impl Steps for Outside {
    fn step(&mut self) {
        // What fails is kept, and found by `failure`.
        let _ = self.ask("step 1", "times");
    }

    fn timed(&mut self, steps: usize, _: Clock) -> Spent {
        self.times(steps)
    }

    fn about(&self) -> Option<&str> {
        Some(&self.about)
    }

    fn failure(&self) -> Option<String> {
        self.failure.clone()
    }
}

impl<const D: usize> Stepper<D> for Outside {
    fn restart(&mut self, _: &State<D>) {
        let _ = self.ask("restart", "done");
    }

    fn pairs(&mut self) -> u64 {
        let Ok(answer) = self.ask("pairs", "pairs") else { return 0 };
        answer.parse().unwrap_or_else(|_| {
            let _ = self.fail::<()>(format!("finds \"{answer}\" pairs: a whole number is allowed"));
            0
        })
    }

    fn boids(&mut self) -> Vec<Boid<D>> {
        self.state().unwrap_or_default()
    }
}

impl Crowd for Outside {
    fn people(&mut self) -> Vec<([f32; 2], [f32; 2])> {
        let people = self.state::<2>().unwrap_or_default();
        people.iter().map(|person| (person.position, person.velocity)).collect()
    }
}

/// Positions and velocities, a column for each coordinate.
fn columns<const D: usize>(boids: &[Boid<D>]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(boids.len() * 2 * D * size_of::<f32>());
    for a in 0..D {
        bytes.extend(boids.iter().flat_map(|boid| boid.position[a].to_le_bytes()));
    }
    for a in 0..D {
        bytes.extend(boids.iter().flat_map(|boid| boid.velocity[a].to_le_bytes()));
    }
    bytes
}

/// What [`columns`] were made of.
fn rows<const D: usize>(bytes: &[u8], count: usize) -> Vec<Boid<D>> {
    let number = |column: usize, i: usize| {
        let at = (column * count + i) * size_of::<f32>();
        f32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
    };
    (0..count)
        .map(|i| Boid {
            position: std::array::from_fn(|a| number(a, i)),
            velocity: std::array::from_fn(|a| number(D + a, i)),
        })
        .collect()
}
