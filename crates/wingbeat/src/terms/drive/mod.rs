//! Drives: terms of a boid's force that do not come from its neighbors.
//!
//! Kinds, formulas and ranges are those of [`steer::drive`](crate::steer::drive), whose types are
//! found here too. This module evaluates them in lanes:
//!
//! ```text
//! before steering   where the leaders are, how far intervals of wanders have passed, which boids
//!                   have set off  (progress.rs)
//! steering          for each block, after its rules: force of every drive · weight → a term
//!                   (lanes.rs)
//! after moving      wanders go on, waypoints are taken, arrivals noted, boids whose goal says so
//!                   leave  (progress.rs)
//! ```
//!
//! What boids remember are columns that travel with them (extra.rs).

use std::sync::Arc;

use wingbeat_steer::ParamError;
pub use wingbeat_steer::drive::*;

use crate::Level;
use crate::columns::boids::{Boids, Columns};
use crate::columns::extra::{Column, ExtraColumns};
use crate::simd::with_default_rounding;

mod field;
mod lanes;
mod leaders;
mod own;
mod progress;
mod settle;
mod wander;

use crate::terms::drive::leaders::Leaders;
pub(crate) use lanes::{DriveBlock, DriveState, SightDirection};
pub(crate) use own::{BlockState, Named};
pub use own::{Now, OwnDrive};
pub(crate) use progress::Interval;
pub(crate) use settle::Moved;

/// The drives of a flock. What boids remember of them lies in columns of [`ExtraColumns`].
#[derive(Clone)]
pub(crate) struct Drives<const D: usize> {
    list: Vec<wingbeat_steer::Drive<[f32; D]>>,
    ready: Vec<PreparedDrive<D>>,
    /// The host's own, after the others.
    own: Arc<[Named<D>]>,
    /// Room for what boids are to remember of pressing.
    pressed: Vec<f32>,
}

/// What a block needs to be driven.
pub(crate) struct Driving<'a, const D: usize> {
    pub drives: &'a Drives<D>,
    /// The boids in slot order, whatever order those of the world are in.
    pub boids: &'a Columns<D>,
    /// What they remember, their own goals and limits, in slot order too.
    pub extra: &'a ExtraColumns<D>,
    pub time: f64,
    pub level: Level,
    /// Whether boids look at their leaders.
    pub looks: bool,
}

/// A drive as the lanes want it.
#[derive(Clone)]
struct PreparedDrive<const D: usize> {
    weight: f32,
    /// Its first column among the memories.
    column: usize,
    timing: Timing,
    kind: LaneDrive<D>,
}

/// Which boids a drive acts on in this step, as far as it is a matter of time.
#[derive(Clone, Copy, PartialEq)]
enum Timing {
    /// None: the step is outside of its window.
    Off,
    /// Those whose draw is below this; the others wait.
    Drawn(f32),
    /// All.
    On,
}

impl Timing {
    /// At a step that begins at this time. Whether a boid waits still is found once a step, not
    /// once a boid.
    fn at<const D: usize>(drive: &wingbeat_steer::Drive<[f32; D]>, time: f64) -> Self {
        if !drive.is_on(time) {
            return Self::Off;
        }
        let part = if drive.delay == Delay::None {
            1.0
        } else {
            with_default_rounding(|| drive.draws_set_off(time))
        };
        if part < 1.0 { Self::Drawn(part) } else { Self::On }
    }

    /// The part of all draws that have set off, where not all have.
    fn drawn(self) -> Option<f32> {
        if let Self::Drawn(part) = self { Some(part) } else { None }
    }
}

#[derive(Clone)]
enum LaneDrive<const D: usize> {
    Goal {
        target: Option<[f32; D]>,
        slowing_radius: f32,
        range_sq: f32,
        settles: bool,
    },
    Wander {
        parameters: WanderParameters,
        clock: WanderClock,
    },
    Leader {
        leaders: Leaders<D>,
        distance: Option<f32>,
        looks: bool,
    },
    Waypoints {
        points: Vec<[f32; D]>,
        slowing: Vec<f32>,
    },
    Road,
    Flow,
    Wind(Wind<[f32; D]>),
    Speed(Speed),
    Tether(Tether<[f32; D]>),
    /// `draw` is the number of the interval under way.
    Noise {
        size: f32,
        interval: f32,
        stream: u32,
        draw: u64,
    },
}

impl<const D: usize> Drives<D> {
    /// Drives that are already checked. What boids are to remember of them begins anew.
    pub fn new(
        list: Vec<wingbeat_steer::Drive<[f32; D]>>,
        own: Arc<[Named<D>]>,
        boids: &mut Boids<D>,
    ) -> Self {
        let (ready, usual) = prepare(&list);
        boids.extra.memories =
            usual.into_iter().map(|usual| Column::new(usual, boids.len())).collect();
        Self { list, ready, own, pressed: Vec::new() }
    }

    /// Other drives from now on; what boids remember stays where it is of use.
    pub fn replace(&mut self, list: Vec<wingbeat_steer::Drive<[f32; D]>>, boids: &mut Boids<D>) {
        let mut before = std::mem::take(&mut boids.extra.memories);
        let next = Self::new(list, Arc::clone(&self.own), boids);
        for (place, (now, then)) in next.list.iter().zip(&self.list).enumerate() {
            if now.goes_on_from(then) {
                let (to, from) = (next.ready[place].column, self.ready[place].column);
                for i in 0..memory(now).len() {
                    boids.extra.memories[to + i] = std::mem::take(&mut before[from + i]);
                }
            }
        }
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

    /// Gives a boid a goal of its own, which it has not arrived at.
    pub fn set_goal(&self, slot: usize, goal: Option<[f32; D]>, boids: &mut Boids<D>) {
        let slots = boids.len();
        for (a, column) in boids.extra.goals.iter_mut().enumerate() {
            column.used(true, slots);
            column.values_mut()[slot] = goal.map_or(f32::NAN, |goal| goal[a]);
        }
        for (drive, ready) in self.list.iter().zip(&self.ready) {
            if matches!(&drive.kind, DriveKind::Goal(goal) if goal.arrival_radius > 0.0) {
                boids.extra.memories[ready.column].values_mut()[slot] = 0.0;
            }
        }
    }

    /// What a boid remembers of a drive, as the definition has it.
    pub fn memory(&self, place: usize, slot: usize, extra: &ExtraColumns<D>) -> Memory<[f32; D]> {
        let (drive, column) = (&self.list[place], self.ready[place].column);
        let value = |i: usize| extra.memories[column + i].values()[slot];
        match drive.begin() {
            Memory::Arrived(_) if !memory(drive).is_empty() => Memory::Arrived(value(0) > 0.0),
            Memory::Next(_) if !memory(drive).is_empty() => Memory::Next(value(0) as usize),
            Memory::Settling(_) => Memory::Settling(value(0)),
            Memory::Along(_) => Memory::Along(value(0)),
            Memory::Stroll(usual) if D == 2 => Memory::Stroll(Stroll { angle: value(0), ..usual }),
            Memory::Stroll(usual) => {
                Memory::Stroll(Stroll { start: std::array::from_fn(value), ..usual })
            }
            usual => usual,
        }
    }

    /// Refuses memories that are no numbers, of a waypoint that is not, or beyond the end of a
    /// road.
    pub fn check_memory(&self, extra: &ExtraColumns<D>, slots: usize) -> Result<(), ParamError> {
        for (drive, ready) in self.list.iter().zip(&self.ready) {
            let (is_one, allowed): (Box<dyn Fn(f32) -> bool>, String) =
                match (&ready.kind, &drive.kind) {
                    (LaneDrive::Waypoints { points, .. }, _) => {
                        let count = points.len();
                        (
                            Box::new(move |x| x >= 0.0 && (x as usize) < count),
                            format!("0 to {}, a waypoint", count - 1),
                        )
                    }
                    (LaneDrive::Road, DriveKind::Path(path)) => {
                        let length = path.road.length();
                        (
                            Box::new(move |x| x <= length),
                            format!("at most {length}, the length of the road"),
                        )
                    }
                    _ => (Box::new(|_| true), "a finite number".into()),
                };
            for column in &extra.memories[ready.column..][..memory(drive).len()] {
                if let Some(value) =
                    column.values()[..slots].iter().find(|x| !x.is_finite() || !is_one(**x))
                {
                    return Err(ParamError::new(format!("drive.{}", drive.name), value, allowed));
                }
            }
        }
        Ok(())
    }

    /// What a block needs to be driven, if there are drives.
    pub fn driving<'a>(
        &'a self,
        boids: &'a Columns<D>,
        extra: &'a ExtraColumns<D>,
        time: f64,
        level: Level,
    ) -> Option<Driving<'a, D>> {
        let looks = self.looks();
        (self.count() > 0).then_some(Driving { drives: self, boids, extra, time, level, looks })
    }

    /// Whether boids look at their leaders.
    pub fn looks(&self) -> bool {
        self.ready.iter().any(|ready| matches!(ready.kind, LaneDrive::Leader { looks: true, .. }))
    }

    /// The ranks of all that are followed, ascending.
    pub fn followed(&self, boids: &Boids<D>) -> Vec<u32> {
        let leaders = self.list.iter().filter_map(|drive| {
            if let DriveKind::Leader(leader) = &drive.kind { Some(leader) } else { None }
        });
        let mut ranks: Vec<u32> =
            leaders.flat_map(|leader| leaders::followed(leader, boids)).collect();
        ranks.sort_unstable();
        ranks.dedup();
        ranks
    }

    /// A boid came or went: ranks are others.
    pub fn forget_leaders(&mut self) {
        for ready in &mut self.ready {
            if let LaneDrive::Leader { leaders, .. } = &mut ready.kind {
                leaders.forget();
            }
        }
    }
}

impl<const D: usize> LaneDrive<D> {
    /// `None` for a kind that has no lanes here.
    fn new(place: usize, drive: &wingbeat_steer::Drive<[f32; D]>) -> Option<Self> {
        Some(match &drive.kind {
            DriveKind::Goal(goal) => {
                let range_sq = goal.range * goal.range;
                Self::Goal {
                    target: goal.target,
                    slowing_radius: goal.slowing_radius,
                    range_sq,
                    settles: goal.settles(),
                }
            }
            &DriveKind::Wander(parameters) => {
                Self::Wander { parameters, clock: WanderClock::at(0.0, parameters.interval) }
            }
            DriveKind::Leader(leader) => Self::Leader {
                leaders: Leaders::default(),
                distance: leader.distance,
                looks: leader.looks,
            },
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
            DriveKind::Noise(noise) => Self::Noise {
                size: noise.size,
                interval: noise.interval,
                stream: Noise::stream(place),
                draw: 0,
            },
            _ => return None,
        })
    }
}

impl<const D: usize> ExtraColumns<D> {
    /// A boid's own goal.
    pub fn goal(&self, slot: usize) -> Option<[f32; D]> {
        if !self.goals[0].in_use() {
            return None;
        }
        let goal = self.goals.each_ref().map(|column| column.values()[slot]);
        (!goal[0].is_nan()).then_some(goal)
    }
}

/// The drives as the lanes want them, and usual values of all columns that hold what boids
/// remember.
fn prepare<const D: usize>(
    list: &[wingbeat_steer::Drive<[f32; D]>],
) -> (Vec<PreparedDrive<D>>, Vec<f32>) {
    let (mut ready, mut usual) = (Vec::new(), Vec::new());
    for (place, drive) in list.iter().enumerate() {
        let column = usual.len();
        usual.extend(memory(drive));
        let kind = LaneDrive::new(place, drive).expect("a kind without lanes was refused");
        ready.push(PreparedDrive {
            weight: drive.weight,
            column,
            timing: Timing::at(drive, 0.0),
            kind,
        });
    }
    (ready, usual)
}

/// Whether the engine knows how to run a drive.
pub(crate) fn has_lanes<const D: usize>(drive: &wingbeat_steer::Drive<[f32; D]>) -> bool {
    LaneDrive::new(0, drive).is_some()
}

/// How many numbers each boid remembers of drives.
pub(crate) fn remembered<const D: usize>(list: &[wingbeat_steer::Drive<[f32; D]>]) -> usize {
    list.iter().map(|drive| memory(drive).len()).sum()
}

/// Usual values of the columns that hold what boids remember of a drive.
fn memory<const D: usize>(drive: &wingbeat_steer::Drive<[f32; D]>) -> Vec<f32> {
    match &drive.kind {
        DriveKind::Goal(goal) if goal.arrival_radius > 0.0 => vec![0.0],
        DriveKind::Path(path) if path.follow == Follow::Waypoints => vec![0.0],
        // Nowhere on it yet.
        DriveKind::Path(_) => vec![-1.0],
        DriveKind::Wander(_) if D == 2 => vec![0.0],
        DriveKind::Wander(_) => vec![1.0, 0.0, 0.0],
        _ => Vec::new(),
    }
}
