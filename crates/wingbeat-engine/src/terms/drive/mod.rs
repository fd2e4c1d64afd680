//! Drives: terms of a boid's force that do not come from its neighbors.
//!
//! Kinds, formulas and ranges are those of [`steer::drive`](crate::steer::drive), whose types are
//! found here too. This module evaluates them in lanes, one file a kind (`LaneDrive`):
//!
//! ```text
//! before steering   begin_step: where leaders are, how far intervals of wanders have passed;
//!                   which boids have set off  (progress.rs)
//! steering          lane_force: for each block, after its rules, each drive's force times its
//!                   weight is a term  (lanes.rs)
//! after moving      progress: wanders go on, waypoints are taken, arrivals noted; boids whose goal
//!                   says so leave  (progress.rs)
//! ```
//!
//! What boids remember are columns that travel with them (extra.rs).

use wingbeat_steer::ParamError;
pub use wingbeat_steer::drive::*;

use crate::Level;
use crate::columns::boids::{Boids, Columns};
use crate::columns::extra::{Column, ExtraColumns};
use crate::simd::with_default_rounding;
use crate::terms::InLanes;
use crate::terms::drive::leader::LeaderLanes;

mod lane_drive;
mod lanes;
mod own;
mod progress;
mod settle;

pub(crate) use lane_drive::{DriveLanes, LaneDrive};
use lanes::has_set_off;
pub(crate) use lanes::{DriveBlock, DriveState, SightDirection};
pub(crate) use own::{BlockState, Named};
pub use own::{Now, OwnDrive};
pub(crate) use progress::Interval;
pub(crate) use settle::{Moved, settles};

/// What lanes make of a flock's drives, which are among its settings: methods are given these. What
/// boids remember lies in columns of [`ExtraColumns`].
#[derive(Clone)]
pub(crate) struct Drives<const D: usize> {
    ready: Vec<PreparedDrive<D>>,
    /// Room for what boids are to remember of pressing.
    pressed: Vec<f32>,
}

/// What a block needs to be driven.
pub(crate) struct Driving<'a, const D: usize> {
    pub list: &'a [Drive<[f32; D]>],
    /// The host's own, after those listed.
    pub own: &'a [Named<D>],
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
    /// Its first column among the memories.
    column: usize,
    timing: Timing,
    kind: LaneKind<D>,
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
    fn at<const D: usize>(drive: &Drive<[f32; D]>, time: f64) -> Self {
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

macro_rules! lane_drives {
    (($d:tt) $($(#[$doc:meta])* $file:ident: $kind:ident($of:ty),)*) => {
        $(mod $file;)*

        /// A kind of drive, and what its lanes find once.
        #[derive(Clone)]
        pub(crate) enum LaneKind<const D: usize> {
            $($(#[$doc])* $kind(<$of as InLanes>::Lanes),)*
        }

        impl<const D: usize> LaneKind<D> {
            fn new(kind: &DriveKind<[f32; D]>) -> Self {
                match kind {
                    $(DriveKind::$kind(drive) => Self::$kind(drive.clone().in_lanes()),)*
                    _ => unreachable!("the list of kinds is the definitions'"),
                }
            }
        }

        /// The expression of the lanes of whatever kind it is.
        macro_rules! each_lanes {
            ($d kind:expr, $d lanes:ident => $d of:expr) => {
                match $d kind { $(LaneKind::$kind($d lanes) => $d of,)* }
            };
        }
        use each_lanes;
    };
}
wingbeat_steer::for_each_drive!(lane_drives, [f32; D]);

impl<const D: usize> LaneKind<D> {
    fn columns(&self) -> &'static [f32] {
        each_lanes!(self, kind => LaneDrive::<D>::columns(kind))
    }

    fn arrival(&self) -> Option<OnArrival> {
        each_lanes!(self, kind => LaneDrive::<D>::arrival(kind))
    }

    fn progresses(&self, passed: &Interval) -> bool {
        each_lanes!(self, kind => LaneDrive::<D>::progresses(kind, passed))
    }
}

impl<const D: usize> Drives<D> {
    /// Drives that are already checked. What boids are to remember of them begins anew.
    pub fn new(list: &[Drive<[f32; D]>], boids: &mut Boids<D>) -> Self {
        let (ready, usual) = prepare(list);
        boids.extra.memories =
            usual.into_iter().map(|usual| Column::new(usual, boids.len())).collect();
        Self { ready, pressed: Vec::new() }
    }

    /// Other drives from now on; what boids remember stays where it is of use.
    pub fn replace(&mut self, [then, now]: [&[Drive<[f32; D]>]; 2], boids: &mut Boids<D>) {
        let mut before = std::mem::take(&mut boids.extra.memories);
        let next = Self::new(now, boids);
        for (place, (now, then)) in now.iter().zip(then).enumerate() {
            if now.continues(then) {
                let (to, from) = (next.ready[place].column, self.ready[place].column);
                for i in 0..next.ready[place].kind.columns().len() {
                    boids.extra.memories[to + i] = std::mem::take(&mut before[from + i]);
                }
            }
        }
        *self = next;
    }

    /// Gives a boid a goal of its own, which it has not arrived at.
    pub fn set_goal(&self, slot: usize, goal: Option<[f32; D]>, boids: &mut Boids<D>) {
        let slots = boids.len();
        for (a, column) in boids.extra.goals.iter_mut().enumerate() {
            column.be_used(true, slots);
            column.values_mut()[slot] = goal.map_or(f32::NAN, |goal| goal[a]);
        }
        for ready in &self.ready {
            if ready.kind.arrival().is_some() {
                boids.extra.memories[ready.column].values_mut()[slot] = 0.0;
            }
        }
    }

    /// What a boid remembers of a drive, as the definition has it.
    pub fn memory(
        &self,
        (place, drive): (usize, &Drive<[f32; D]>),
        slot: usize,
        extra: &ExtraColumns<D>,
    ) -> Memory<[f32; D]> {
        let (usual, ready) = (drive.begin(), &self.ready[place]);
        if ready.kind.columns().is_empty() {
            return usual;
        }
        let value = |i: usize| extra.memories[ready.column + i].values()[slot];
        each_lanes!(&ready.kind, kind => kind.memory(usual, &value))
    }

    /// Refuses memories that are no numbers, of a waypoint that is not, or beyond the end of a
    /// road.
    pub fn check_memory(
        &self,
        list: &[Drive<[f32; D]>],
        extra: &ExtraColumns<D>,
        slots: usize,
    ) -> Result<(), ParamError> {
        for (drive, ready) in list.iter().zip(&self.ready) {
            let check = |number: f32| -> Result<(), String> {
                each_lanes!(&ready.kind, kind => LaneDrive::<D>::check(kind, number))?;
                number.is_finite().then_some(()).ok_or_else(|| "a finite number".into())
            };
            for column in &extra.memories[ready.column..][..ready.kind.columns().len()] {
                for &number in &column.values()[..slots] {
                    check(number).map_err(|allowed| {
                        ParamError::new(format!("drive.{}", drive.name), number, allowed)
                    })?;
                }
            }
        }
        Ok(())
    }

    /// What a block needs to be driven, if there are drives.
    pub fn driving<'a>(
        &'a self,
        (list, own): (&'a [Drive<[f32; D]>], &'a [Named<D>]),
        (boids, extra): (&'a Columns<D>, &'a ExtraColumns<D>),
        time: f64,
        level: Level,
    ) -> Option<Driving<'a, D>> {
        let looks = self.looks();
        let driving = Driving { list, own, drives: self, boids, extra, time, level, looks };
        (list.len() + own.len() > 0).then_some(driving)
    }

    /// Whether boids look at their leaders.
    pub fn looks(&self) -> bool {
        self.leaders().any(LeaderLanes::looks)
    }

    fn leaders(&self) -> impl Iterator<Item = &LeaderLanes> {
        self.ready.iter().filter_map(|ready| {
            if let LaneKind::Leader(leader) = &ready.kind { Some(leader) } else { None }
        })
    }

    /// The ranks of all that are followed, ascending.
    pub fn followed(&self, boids: &Boids<D>) -> Vec<u32> {
        let mut ranks: Vec<u32> =
            self.leaders().flat_map(|leader| leader.followed(boids)).collect();
        ranks.sort_unstable();
        ranks.dedup();
        ranks
    }

    /// A boid came or went: ranks are others.
    pub fn forget_leaders(&mut self) {
        for ready in &mut self.ready {
            if let LaneKind::Leader(leader) = &mut ready.kind {
                leader.leaders.forget();
            }
        }
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
fn prepare<const D: usize>(list: &[Drive<[f32; D]>]) -> (Vec<PreparedDrive<D>>, Vec<f32>) {
    let (mut ready, mut usual) = (Vec::new(), Vec::new());
    for drive in list {
        let column = usual.len();
        let kind = LaneKind::new(&drive.kind);
        usual.extend(kind.columns());
        ready.push(PreparedDrive { column, timing: Timing::at(drive, 0.0), kind });
    }
    (ready, usual)
}

/// How many numbers each boid remembers of drives.
pub(crate) fn remembered<const D: usize>(list: &[Drive<[f32; D]>]) -> usize {
    list.iter().map(|drive| LaneKind::new(&drive.kind).columns().len()).sum()
}
