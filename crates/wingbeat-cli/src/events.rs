//! Events of a run: arrivals, captures, boids that entered and that left by each exit, and how long
//! it took.

use std::collections::HashSet;
use std::io::Write;

use serde::{Deserialize, Serialize};
use wingbeat::Event;
use wingbeat_record::exact_f64;
use wingbeat_render::text::grouped;
use wingbeat_scene::AnyFlock;

use crate::units::Units;

/// What happened, counted as the flock steps.
#[derive(Serialize, Deserialize)]
pub struct EventCounter {
    start: usize,
    /// Who has arrived somewhere, left or been captured.
    done: HashSet<u64>,
    arrived: HashSet<u64>,
    arrivals: u64,
    captured: u64,
    squeezed: HashSet<u64>,
    entered: usize,
    /// When each of those that are done was, in time.
    done_at: Vec<f64>,
    exits: Vec<String>,
    exited: Vec<Exited>,
}

/// A boid that left by an exit.
#[derive(Serialize, Deserialize)]
struct Exited {
    id: u64,
    time: f64,
    /// Its place among the scene's.
    exit: usize,
}

/// The same as a report has it: counts are 0 where nothing happened, times `null` where they were
/// not reached.
#[derive(Debug, Serialize)]
pub struct EventReport {
    /// Boids at the start.
    pub boids: usize,
    /// Boids that came from sources.
    pub entered: usize,
    /// Boids that are left.
    pub remaining: usize,
    /// Boids that arrived at some goal, each counted once.
    pub arrived: usize,
    /// Arrivals, each boid and goal counted once.
    pub arrivals: u64,
    pub captured: u64,
    /// Boids that are gone and were not captured.
    pub left: usize,
    /// Boids whose bodies an obstacle that moves overlapped at some time, each counted once.
    pub squeezed: usize,
    /// Time until half of all boids that there have been had arrived, left or been captured.
    pub time_to_50: Option<f64>,
    pub time_to_90: Option<f64>,
    pub time_to_100: Option<f64>,
    /// Boids by time through all exits together, from the first of them to the last; `null` where
    /// fewer than two left so.
    pub flow: Option<f64>,
    /// Each exit of the scene, in its order.
    pub exits: Vec<ExitReport>,
}

/// An exit in a report.
#[derive(Debug, Serialize)]
pub struct ExitReport {
    pub name: String,
    /// Boids that left by it.
    pub left: usize,
    pub first_s: Option<f64>,
    pub last_s: Option<f64>,
    pub flow: Option<f64>,
}

impl EventCounter {
    /// Nothing yet.
    pub fn new(flock: &AnyFlock) -> Self {
        Self {
            start: flock.len(),
            done: HashSet::new(),
            arrived: HashSet::new(),
            arrivals: 0,
            captured: 0,
            squeezed: HashSet::new(),
            entered: 0,
            done_at: Vec::new(),
            exits: flock.exits(),
            exited: Vec::new(),
        }
    }

    /// Counts what the last step brought; it ended at `time`.
    pub fn count(&mut self, events: &[Event], time: f64) {
        for event in events {
            match *event {
                Event::Arrived { boid, .. } => {
                    self.arrivals += 1;
                    self.arrived.insert(boid.get());
                    self.done.insert(boid.get());
                }
                Event::Captured { prey, .. } => {
                    self.captured += 1;
                    self.done.insert(prey.get());
                }
                Event::Left { boid } => {
                    self.done.insert(boid.get());
                }
                Event::Exited { boid, exit } => {
                    self.exited.push(Exited { id: boid.get(), time, exit: exit.get() });
                    self.done.insert(boid.get());
                }
                Event::Entered { .. } => self.entered += 1,
                Event::Squeezed { boid } => {
                    self.squeezed.insert(boid.get());
                }
                _ => {}
            }
        }
        self.done_at.resize(self.done.len(), time);
    }

    /// The account, also where nothing happened: a program that asks how many left is to read 0.
    pub fn report(&self, flock: &AnyFlock) -> EventReport {
        let remaining = flock.len();
        let all = self.start + self.entered;
        let gone = all.saturating_sub(remaining);
        let time_to = |part: f64| {
            self.done_at.get(((part * all as f64).ceil() as usize).checked_sub(1)?).copied()
        };
        EventReport {
            boids: self.start,
            entered: self.entered,
            remaining,
            arrived: self.arrived.len(),
            arrivals: self.arrivals,
            captured: self.captured,
            left: gone - usize::try_from(self.captured).map_or(gone, |captured| captured.min(gone)),
            squeezed: self.squeezed.len(),
            time_to_50: time_to(0.5),
            time_to_90: time_to(0.9),
            time_to_100: time_to(1.0),
            flow: flow(self.exited.iter()),
            exits: (0..self.exits.len()).map(|exit| self.exit(exit)).collect(),
        }
    }

    fn exit(&self, exit: usize) -> ExitReport {
        let of = || self.exited.iter().filter(move |exited| exited.exit == exit);
        let time = |exited: &Exited| exited.time;
        ExitReport {
            name: self.exits[exit].clone(),
            left: of().count(),
            first_s: of().next().map(time),
            last_s: of().next_back().map(time),
            flow: flow(of()),
        }
    }

    /// Every boid that left by an exit, in time: id, time, and the exit's name.
    pub fn write_exits(&self, out: &mut dyn Write) -> std::io::Result<()> {
        writeln!(out, "id,time,exit")?;
        // Steps are f32: the last digits of their sum mean nothing.
        self.exited.iter().try_for_each(|exited| {
            let time = (exited.time * 1e4).round() / 1e4;
            writeln!(out, "{},{},{}", exited.id, exact_f64(time), self.exits[exited.exit])
        })
    }
}

/// Intervals between the first and the last of them, by time.
fn flow<'a>(mut exited: impl Iterator<Item = &'a Exited>) -> Option<f64> {
    let first = exited.next()?.time;
    let (intervals, last) =
        exited.fold((0, first), |(intervals, _), exited| (intervals + 1, exited.time));
    (last > first).then(|| f64::from(intervals) / (last - first))
}

impl EventReport {
    /// Names of the numbers that a sweep's table may have.
    pub const COLUMNS: [&str; 11] = [
        "arrived",
        "arrivals",
        "captured",
        "entered",
        "flow",
        "left",
        "remaining",
        "squeezed",
        "t50",
        "t90",
        "t100",
    ];

    /// Names of the numbers of one exit, after `exit.NAME.`.
    pub const EXIT_COLUMNS: [&str; 3] = ["left", "flow", "last"];

    /// Whether a column has this name, whatever exits there are.
    pub fn is_column(name: &str) -> bool {
        Self::COLUMNS.contains(&name) || Self::exit_of(name).is_some()
    }

    /// The exit of a column `exit.NAME.left`, and which of [`EXIT_COLUMNS`](Self::EXIT_COLUMNS) it
    /// is.
    pub fn exit_of(name: &str) -> Option<(&str, &str)> {
        let (exit, of) = name.strip_prefix("exit.")?.rsplit_once('.')?;
        (!exit.is_empty() && Self::EXIT_COLUMNS.contains(&of)).then_some((exit, of))
    }

    /// One of them by name; `None` also for a time that was not reached.
    pub fn column(&self, name: &str) -> Option<f64> {
        if let Some((exit, of)) = Self::exit_of(name) {
            let exit = self.exits.iter().find(|report| report.name == exit)?;
            return match of {
                "left" => Some(exit.left as f64),
                "flow" => exit.flow,
                _ => exit.last_s,
            };
        }
        match name {
            "arrived" => Some(self.arrived as f64),
            "arrivals" => Some(self.arrivals as f64),
            "captured" => Some(self.captured as f64),
            "entered" => Some(self.entered as f64),
            "flow" => self.flow,
            "left" => Some(self.left as f64),
            "remaining" => Some(self.remaining as f64),
            "squeezed" => Some(self.squeezed as f64),
            "t50" => self.time_to_50,
            "t90" => self.time_to_90,
            "t100" => self.time_to_100,
            _ => None,
        }
    }

    /// For people: a name and a value a line, times in these units.
    pub fn lines(&self, units: &Units) -> Vec<(&'static str, String)> {
        let mut lines = Vec::new();
        let of = |count: usize| {
            format!("{} of {}", grouped(count as u64), grouped((self.boids + self.entered) as u64))
        };
        if self.entered > 0 {
            lines.push(("entered", grouped(self.entered as u64)));
        }
        if self.arrived > 0 {
            lines.push(("arrived", of(self.arrived)));
        }
        if self.captured > 0 {
            lines.push(("captured", of(self.captured as usize)));
        }
        if self.left > 0 {
            lines.push(("left", of(self.left)));
        }
        for exit in &self.exits {
            let flow = exit
                .flow
                .map_or(String::new(), |flow| format!(", {}", units.rate(&format!("{flow:.2}"))));
            lines.push(("exit", format!("{}: {}{flow}", exit.name, grouped(exit.left as u64))));
        }
        if self.squeezed > 0 {
            lines.push(("squeezed", of(self.squeezed)));
        }
        let times =
            [("half", self.time_to_50), ("90 %", self.time_to_90), ("all", self.time_to_100)];
        let reached: Vec<String> = times
            .iter()
            .filter_map(|(part, time)| Some((part, (*time)?)))
            .map(|(part, time)| format!("{part} by {time:.2}{}", units.after("time")))
            .collect();
        if !reached.is_empty() {
            lines.push(("times", reached.join(", ")));
        }
        lines
    }
}
