//! Drives: terms of a boid's force that do not come from its neighbours.
//!
//! Kinds, formulas and ranges are those of [`steer::drive`](crate::steer::drive), whose types are found here too. This module
//! evaluates them in lanes:
//!
//! ```text
//! before steering   where the points of wanders and the leaders are                                  (progress.rs)
//! steering          for each block, after its rules: force of every drive · weight → a term           (lanes.rs)
//! after moving      wanders go on, waypoints are taken, arrivals noted, those who are to leave do     (progress.rs)
//! ```
//!
//! What boids remember are columns that travel with them (carried.rs).
#![forbid(unsafe_code)]

use std::sync::Arc;

pub use wingbeat_steer::drive::*;

use crate::Level;
use crate::boids::Columns;
use crate::carried::Carried;
use crate::event::Event;
use crate::parallel::Workers;

mod lanes;
mod leaders;
mod own;
mod progress;

pub(crate) use lanes::{DriveBlock, Gaze, Moods};
use leaders::Leaders;
pub(crate) use own::{Lanes, Named};
pub use own::{Now, OwnDrive};
pub(crate) use progress::Passed;

/// The drives of a flock, and what boids remember of them.
pub(crate) struct Drives<const D: usize> {
    list: Vec<wingbeat_steer::Drive<[f32; D]>>,
    ready: Vec<Ready<D>>,
    /// The host's own, after the others.
    own: Arc<[Named<D>]>,
    /// Memories: of each drive the columns from [`Ready::column`] on.
    carried: Carried,
    /// Own goals, a column an axis, NaN where a boid has none; empty until the first is set.
    goals: Carried,
    leavers: Vec<crate::BoidId>,
}

/// What a block needs to be driven.
pub(crate) struct Driving<'a, const D: usize> {
    pub drives: &'a Drives<D>,
    /// The boids in slot order, whatever order those of the world are in.
    pub boids: &'a Columns<D>,
    pub max_speed: f32,
    /// Boids' own, NaN for who has none.
    pub own_max_speed: Option<&'a [f32]>,
    /// Species of every slot, where there are any.
    pub species: Option<&'a [f32]>,
    pub time: f64,
    pub level: Level,
    /// Whether boids look at whom they follow.
    pub looks: bool,
}

/// A drive as the lanes want it.
struct Ready<const D: usize> {
    weight: f32,
    /// Its first column.
    column: usize,
    kind: Kind<D>,
}

enum Kind<const D: usize> {
    Goal { target: Option<[f32; D]>, slowing_radius: f32, range_sq: f32 },
    Wander { parameters: WanderParameters, points: [Vec<f32>; D] },
    Leader { leaders: Leaders<D>, distance: Option<f32>, looks: bool },
    Waypoints { points: Vec<[f32; D]>, slowing: Vec<f32> },
    Road,
    Flow,
    Wind(Wind<[f32; D]>),
    Speed(Speed),
    Tether(Tether<[f32; D]>),
    Noise { size: f32, stream: u32 },
}

impl<const D: usize> Drives<D> {
    /// Drives that are already checked.
    pub fn new(list: Vec<wingbeat_steer::Drive<[f32; D]>>, own: Arc<[Named<D>]>, slots: usize) -> Self {
        let (mut ready, mut usual) = (Vec::new(), Vec::new());
        for (place, drive) in list.iter().enumerate() {
            let column = usual.len();
            usual.extend(memory(drive));
            ready.push(Ready { weight: drive.weight, column, kind: Kind::new(place, drive) });
        }
        Self { list, ready, own, carried: Carried::new(usual, slots), goals: Carried::default(), leavers: Vec::new() }
    }

    /// Other drives from now on; what boids remember stays where it is of use.
    pub fn replace(&mut self, list: Vec<wingbeat_steer::Drive<[f32; D]>>, slots: usize) {
        let mut next = Self::new(list, Arc::clone(&self.own), slots);
        for (place, (now, then)) in next.list.iter().zip(&self.list).enumerate() {
            if now.goes_on_from(then) {
                let (to, from) = (next.ready[place].column, self.ready[place].column);
                for i in 0..memory(now).len() {
                    next.carried.column_mut(to + i).copy_from_slice(self.carried.column(from + i));
                }
            }
        }
        next.goals = std::mem::take(&mut self.goals);
        *self = next;
    }

    pub fn list(&self) -> &[wingbeat_steer::Drive<[f32; D]>] {
        &self.list
    }

    /// Number of terms.
    pub fn count(&self) -> usize {
        self.list.len() + self.own.len()
    }

    pub fn own(&self) -> &[Named<D>] {
        &self.own
    }

    /// A boid's own goal.
    pub fn goal(&self, slot: usize) -> Option<[f32; D]> {
        if self.goals.count() == 0 {
            return None;
        }
        let goal: [f32; D] = std::array::from_fn(|a| self.goals.column(a)[slot]);
        (!goal[0].is_nan()).then_some(goal)
    }

    /// Gives a boid a goal of its own, which it has not arrived at.
    pub fn set_goal(&mut self, slot: usize, goal: Option<[f32; D]>, slots: usize) {
        if self.goals.count() == 0 {
            self.goals = Carried::new(vec![f32::NAN; D], slots);
        }
        for a in 0..D {
            self.goals.column_mut(a)[slot] = goal.map_or(f32::NAN, |goal| goal[a]);
        }
        for (drive, ready) in self.list.iter().zip(&self.ready) {
            if matches!(&drive.kind, DriveKind::Goal(goal) if goal.arrival_radius > 0.0) {
                self.carried.column_mut(ready.column)[slot] = 0.0;
            }
        }
    }

    /// What a boid remembers of a drive, as the definition has it.
    pub fn memory(&self, place: usize, slot: usize) -> Memory<[f32; D]> {
        let (drive, column) = (&self.list[place], self.ready[place].column);
        let value = |i: usize| self.carried.column(column + i)[slot];
        match drive.begin() {
            Memory::Arrived(_) if !memory(drive).is_empty() => Memory::Arrived(value(0) > 0.0),
            Memory::Next(_) if !memory(drive).is_empty() => Memory::Next(value(0) as usize),
            Memory::Stroll(usual) if D == 2 => Memory::Stroll(Stroll { angle: value(0), ..usual }),
            Memory::Stroll(usual) => Memory::Stroll(Stroll { start: std::array::from_fn(value), ..usual }),
            usual => usual,
        }
    }

    /// Whether boids look at whom they follow.
    pub fn looks(&self) -> bool {
        self.ready.iter().any(|ready| matches!(ready.kind, Kind::Leader { looks: true, .. }))
    }

    /// Whether boids carry anything that must follow them.
    pub fn remembers(&self) -> bool {
        self.carried.count() + self.goals.count() > 0
    }

    /// Who is to leave since the last step; to be put back, so that it need not be allocated again.
    pub fn take_leavers(&mut self) -> Vec<crate::BoidId> {
        std::mem::take(&mut self.leavers)
    }

    pub fn put_leavers(&mut self, leavers: Vec<crate::BoidId>) {
        self.leavers = leavers;
    }

    /// Takes memories along to where a sort has put their boids.
    pub fn follow<T: Default + Send>(&mut self, order: &[u32], workers: &Workers<T>) {
        self.carried.follow(order, workers);
        self.goals.follow(order, workers);
    }

    /// A boid in the last slot.
    pub fn add(&mut self) {
        self.carried.add();
        self.goals.add();
        self.forget_leaders();
    }

    /// What a boid remembers goes to a slot that is free.
    pub fn moved(&mut self, from: usize, to: usize) {
        self.carried.moved(from, to);
        self.goals.moved(from, to);
    }

    /// The slots left after a removal.
    pub fn keep(&mut self, slots: usize) {
        self.carried.keep(slots);
        self.goals.keep(slots);
        self.forget_leaders();
    }

    fn forget_leaders(&mut self) {
        for ready in &mut self.ready {
            if let Kind::Leader { leaders, .. } = &mut ready.kind {
                leaders.forget();
            }
        }
    }
}

impl<const D: usize> Kind<D> {
    fn new(place: usize, drive: &wingbeat_steer::Drive<[f32; D]>) -> Self {
        match &drive.kind {
            DriveKind::Goal(goal) => {
                let range_sq = goal.range * goal.range;
                Self::Goal { target: goal.target, slowing_radius: goal.slowing_radius, range_sq }
            }
            &DriveKind::Wander(parameters) => Self::Wander { parameters, points: std::array::from_fn(|_| Vec::new()) },
            DriveKind::Leader(leader) => {
                Self::Leader { leaders: Leaders::default(), distance: leader.distance, looks: leader.looks }
            }
            DriveKind::Path(path) if path.follow == Follow::Waypoints => {
                let points = path.road.waypoints().to_vec();
                let slowing = (0..points.len()).map(|next| path.slowing_at(next)).collect();
                Self::Waypoints { points, slowing }
            }
            DriveKind::Path(_) => Self::Road,
            DriveKind::Flow(_) => Self::Flow,
            &DriveKind::Wind(wind) => Self::Wind(wind),
            &DriveKind::Speed(speed) => Self::Speed(speed),
            &DriveKind::Tether(tether) => Self::Tether(tether),
            DriveKind::Noise(noise) => Self::Noise { size: noise.size, stream: Noise::stream(place) },
        }
    }
}

/// Usual values of the columns that hold what boids remember of a drive.
fn memory<const D: usize>(drive: &wingbeat_steer::Drive<[f32; D]>) -> Vec<f32> {
    match &drive.kind {
        DriveKind::Goal(goal) if goal.arrival_radius > 0.0 => vec![0.0],
        DriveKind::Path(path) if path.follow == Follow::Waypoints => vec![0.0],
        DriveKind::Wander(_) if D == 2 => vec![0.0],
        DriveKind::Wander(_) => vec![1.0, 0.0, 0.0],
        _ => Vec::new(),
    }
}

/// Who arrived where is told by id, then by drive.
pub(crate) fn arrival(boid: crate::BoidId, drive: usize) -> Event {
    Event::Arrived { boid, drive }
}
