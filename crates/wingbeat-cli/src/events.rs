//! Events of a run: arrivals, captures, leavers, and how long it took.

use std::collections::HashSet;

use serde::Serialize;
use wingbeat::Event;
use wingbeat_render::text::grouped;
use wingbeat_scene::AnyFlock;

/// What happened, counted as the flock steps.
pub struct EventCounter {
    start: usize,
    /// Who has arrived somewhere, left or been captured.
    done: HashSet<u64>,
    arrived: HashSet<u64>,
    arrivals: u64,
    captured: u64,
    squeezed: HashSet<u64>,
    /// When half, nine tenths and all of them had.
    times: [Option<f64>; 3],
}

/// The same as a report has it: counts are 0 where nothing happened, times `null` where they were not reached.
#[derive(Debug, Serialize)]
pub struct EventReport {
    /// Boids at the start.
    pub boids: usize,
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
    /// Time until half of the boids had arrived, left or been captured.
    pub time_to_50: Option<f64>,
    pub time_to_90: Option<f64>,
    pub time_to_100: Option<f64>,
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
            times: [None; 3],
        }
    }

    /// Counts what the last step brought; it ended at `time`.
    pub fn count(&mut self, flock: &AnyFlock, time: f64) {
        for event in flock.events() {
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
                Event::Squeezed { boid } => {
                    self.squeezed.insert(boid.get());
                }
                _ => {}
            }
        }
        for (reached, part) in self.times.iter_mut().zip([0.5, 0.9, 1.0]) {
            if reached.is_none() && self.start > 0 && self.done.len() as f64 >= part * self.start as f64 {
                *reached = Some(time);
            }
        }
    }

    /// The account, also where nothing happened: a program that asks how many left is to read 0.
    pub fn report(&self, flock: &AnyFlock) -> EventReport {
        let remaining = flock.len();
        let gone = self.start.saturating_sub(remaining);
        let [time_to_50, time_to_90, time_to_100] = self.times;
        EventReport {
            boids: self.start,
            remaining,
            arrived: self.arrived.len(),
            arrivals: self.arrivals,
            captured: self.captured,
            left: gone - usize::try_from(self.captured).map_or(gone, |captured| captured.min(gone)),
            squeezed: self.squeezed.len(),
            time_to_50,
            time_to_90,
            time_to_100,
        }
    }
}

impl EventReport {
    /// Names of the numbers that a sweep's table may have.
    pub const COLUMNS: [&str; 9] = ["arrived", "arrivals", "captured", "left", "remaining", "squeezed", "t50", "t90", "t100"];

    /// One of them by name; `None` also for a time that was not reached.
    pub fn column(&self, name: &str) -> Option<f64> {
        match name {
            "arrived" => Some(self.arrived as f64),
            "arrivals" => Some(self.arrivals as f64),
            "captured" => Some(self.captured as f64),
            "left" => Some(self.left as f64),
            "remaining" => Some(self.remaining as f64),
            "squeezed" => Some(self.squeezed as f64),
            "t50" => self.time_to_50,
            "t90" => self.time_to_90,
            "t100" => self.time_to_100,
            _ => None,
        }
    }

    /// For people: a name and a value a line.
    pub fn lines(&self) -> Vec<(&'static str, String)> {
        let mut lines = Vec::new();
        let of = |count: usize| format!("{} of {}", grouped(count as u64), grouped(self.boids as u64));
        if self.arrived > 0 {
            lines.push(("arrived", of(self.arrived)));
        }
        if self.captured > 0 {
            lines.push(("captured", of(self.captured as usize)));
        }
        if self.left > 0 {
            lines.push(("left", of(self.left)));
        }
        if self.squeezed > 0 {
            lines.push(("squeezed", of(self.squeezed)));
        }
        let times = [("half", self.time_to_50), ("90 %", self.time_to_90), ("all", self.time_to_100)];
        let reached: Vec<String> =
            times.iter().filter_map(|(part, time)| time.map(|time| format!("{part} by {time:.2}"))).collect();
        if !reached.is_empty() {
            lines.push(("times", reached.join(", ")));
        }
        lines
    }
}
