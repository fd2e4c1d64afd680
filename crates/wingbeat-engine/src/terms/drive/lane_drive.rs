//! One kind of drive in lanes, and what its lanes may ask about a block.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use wingbeat_steer::Domain;
use wingbeat_steer::drive::{Memory, OnArrival};

use crate::columns::boids::{Boids, Columns};
use crate::columns::extra::ExtraColumns;
use crate::domain::nearest_images;
use crate::identity::Identity;
use crate::neighbors::{Block, Keyed, LaneAssignment, SortedFlock};
use crate::parallel::Workers;
use crate::simd::{Float, Mask, Simd, Vectors, Whole};
use crate::terms::drive::progress::{ARRIVED, DriveMembers, JUST_NOW};
use crate::terms::drive::{DriveState, Driving, Interval, has_set_off};

/// Most numbers that a boid remembers of one drive.
pub(crate) const MOST_NUMBERS: usize = 3;

/// The columns of what boids of a batch remember of one drive; columns that it has not are empty.
pub(crate) type Numbers<'a> = [&'a mut [f32]; MOST_NUMBERS];

/// One kind of drive in lanes: `DriveDefinition`, operation by operation.
pub(crate) trait LaneDrive<const D: usize> {
    /// Usual values of the columns that hold what boids remember of it, at most [`MOST_NUMBERS`].
    fn columns(&self) -> &'static [f32] {
        &[]
    }

    /// What the columns of a boid hold, of a drive that has any.
    fn memory(&self, usual: Memory<[f32; D]>, _value: &dyn Fn(usize) -> f32) -> Memory<[f32; D]> {
        usual
    }

    /// Refuses a number that a column cannot hold: the error says what is allowed. Numbers that are
    /// not finite are refused in any case.
    fn check(&self, _number: f32) -> Result<(), String> {
        Ok(())
    }

    /// Finds what one step needs, before steering.
    fn begin_step<T: Default + Send>(
        &mut self,
        _boids: &Boids<D>,
        _time: f64,
        _workers: &Workers<T>,
    ) {
    }

    /// The force, not yet weighted.
    fn lane_force<S: Simd>(&self, s: S, lanes: &DriveLanes<'_, S, D>) -> Vectors<S, D>;

    /// The force on a boid that waits: where the drive would have it take a velocity, it is to
    /// stand.
    #[inline(always)]
    fn waiting<S: Simd>(&self, s: S, _lanes: &DriveLanes<'_, S, D>) -> Vectors<S, D> {
        Vectors::zero(s)
    }

    /// What becomes of boids that arrive, where boids can: the first column is a mark then,
    /// [`JUST_NOW`] in the step in which they do.
    fn arrival(&self) -> Option<OnArrival> {
        None
    }

    /// Whether what boids remember may change in a step.
    fn progresses(&self, _passed: &Interval) -> bool {
        false
    }

    /// What boids remember after they have moved: those at some places of a batch, at most a block
    /// of them.
    #[inline(always)]
    fn progress<S: Simd>(
        &self,
        _s: S,
        _moved: &MovedLanes<'_, D>,
        _numbers: &mut Numbers<'_>,
        _places: Range<usize>,
    ) {
    }
}

/// A block and one of its drives.
pub(crate) struct DriveLanes<'a, S: Simd, const D: usize> {
    pub driving: &'a Driving<'a, D>,
    pub flock: &'a SortedFlock<'a, D>,
    pub block: &'a Block<S, D>,
    pub state: &'a DriveState<S>,
    /// The drive's place among the flock's.
    pub place: usize,
}

impl<S: Simd, const D: usize> DriveLanes<'_, S, D> {
    /// Maximum speeds.
    #[inline(always)]
    pub fn max_speed(&self, s: S) -> S::F {
        self.block.own_or(s, self.flock, self.driving.extra.max_speed.get(), self.state.max_speed)
    }

    /// One of a boid's columns.
    #[inline(always)]
    pub fn load(&self, s: S, column: &[f32]) -> S::F {
        self.block.lane_slots.column(s, self.flock, column, self.block.count)
    }

    /// What boids remember, number `which`.
    #[inline(always)]
    pub fn memory(&self, s: S, which: usize) -> S::F {
        let column = self.driving.drives.ready[self.place].column;
        self.load(s, self.driving.extra.memories[column + which].values())
    }

    /// The boids' keyed noise of a draw.
    #[inline(always)]
    pub fn keyed(&self, s: S, draw: u64) -> Keyed<S> {
        let identity = Identity { step: draw, ..self.flock.identity };
        Keyed::new(s, &identity, &self.block.lane_slots)
    }

    /// The way to points, through the nearest image.
    #[inline(always)]
    pub fn way_to(&self, s: S, points: Vectors<S, D>) -> Vectors<S, D> {
        nearest_images(s, self.flock.domain, points - self.block.own.position)
    }

    /// The force that stops the boids: 0 less their velocities.
    #[inline(always)]
    pub fn stop(&self, s: S) -> Vectors<S, D> {
        Vectors::zero(s) - self.block.own.velocity
    }

    /// `behavior::arrive` along a way.
    #[inline(always)]
    pub fn arrive(&self, s: S, way: Vectors<S, D>, slowing_radius: S::F) -> Vectors<S, D> {
        let max_speed = self.max_speed(s);
        let (distance, direction) = way.length_and_direction(s);
        let slowing = slowing_radius.gt(s.splat(0.0)) & distance.le(slowing_radius);
        let speed = slowing.select(max_speed * (distance / slowing_radius), max_speed);
        direction * speed - self.block.own.velocity
    }
}

/// Some boids that have moved, and one drive.
pub(crate) struct MovedLanes<'a, const D: usize> {
    pub columns: &'a Columns<D>,
    pub extra: &'a ExtraColumns<D>,
    pub identity: Identity<'a>,
    pub domain: &'a Domain<[f32; D]>,
    pub passed: Interval,
    pub members: DriveMembers<'a>,
    /// The first slot.
    pub first: usize,
    /// Whether any boid arrives.
    pub arrivals: &'a AtomicBool,
}

impl<const D: usize> MovedLanes<'_, D> {
    /// The boids' keyed noise of a draw.
    #[inline(always)]
    pub fn keyed<S: Simd>(&self, s: S, draw: u64, at: usize) -> Keyed<S> {
        let identity = Identity { step: draw, ..self.identity };
        Keyed::new(s, &identity, &LaneAssignment::Row(self.first + at))
    }

    /// Lanes that are driven.
    #[inline(always)]
    pub fn driven<S: Simd>(&self, s: S, at: usize) -> S::M {
        let mut driven = s.first(S::LANES);
        if let Some(part) = self.members.drawn {
            let lane_slots = LaneAssignment::Row(self.first + at);
            driven = driven & has_set_off(s, &self.identity, &lane_slots, part);
        }
        if let Some((wanted, species)) = self.members.species {
            let species = s.load_whole(&species[self.first + at..]).to_float();
            let wanted = s.splat(wanted as f32);
            driven = driven & species.le(wanted) & wanted.le(species);
        }
        driven
    }

    /// Marks after the lanes of `there` have arrived; `None` where all of them had before.
    #[inline(always)]
    pub fn marked<S: Simd>(&self, s: S, marks: S::F, there: S::M) -> Option<S::F> {
        let new = there & marks.lt(s.splat(ARRIVED));
        if !new.any() {
            return None;
        }
        self.arrivals.store(true, Ordering::Relaxed);
        Some(new.select(s.splat(JUST_NOW), marks))
    }
}
