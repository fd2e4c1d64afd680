//! A block: the boids that share a register.

use crate::columns::axes::Axes;
use crate::columns::extra::ExtraColumns;
use crate::neighbors::{BlockLanes, DueSlots, LaneAssignment, SortedFlock};
use crate::simd::{Float, MAX_LANES, Mask, Simd, Vectors};

/// Boids of one row, one per lane, and their bounding box.
pub(crate) struct Block<S: Simd, const D: usize> {
    pub count: usize,
    pub lane_slots: LaneAssignment<S>,
    pub own: BlockLanes<S, D>,
    pub low: [f32; D],
    pub high: [f32; D],
}

impl<S: Simd, const D: usize> Block<S, D> {
    /// No boid.
    #[inline(always)]
    pub fn empty(s: S) -> Self {
        let (nothing, no_lane) = (Vectors::zero(s), s.mask(0));
        let own = BlockLanes {
            position: nothing,
            velocity: nothing,
            heading: nothing,
            at_rest: no_lane,
            live: no_lane,
        };
        Self { count: 0, lane_slots: LaneAssignment::Row(0), own, low: [0.0; D], high: [0.0; D] }
    }

    /// The block that [`take`](Self::take) makes.
    #[inline(always)]
    pub fn load(
        s: S,
        flock: &SortedFlock<'_, D>,
        due: &DueSlots,
        slots: (usize, usize),
        looking: bool,
    ) -> Self {
        let mut block = Self::empty(s);
        block.take(s, flock, due, slots, looking);
        block
    }

    /// The same in flocks in which all steer in every step.
    #[inline(always)]
    pub fn of_row(s: S, flock: &SortedFlock<'_, D>, slots: (usize, usize), looking: bool) -> Self {
        let mut block = Self::empty(s);
        block.take_row(s, flock, slots, looking);
        block
    }

    /// Becomes the block of `count` slots from `first` on, or where not all steer, at the place
    /// `first` of those that do. Headings are computed only where a term reads them: they
    /// are a root and a division.
    #[inline(always)]
    pub fn take(
        &mut self,
        s: S,
        flock: &SortedFlock<'_, D>,
        due: &DueSlots,
        (first, count): (usize, usize),
        looking: bool,
    ) {
        if flock.turns.is_none() {
            return self.take_row(s, flock, (first, count), looking);
        }
        let (lane_slots, slots) = due.lane_slots(s, first, count);
        self.lane_slots = lane_slots;
        let columns = flock.columns;
        self.hold(
            s,
            count,
            collect(s, &columns.position, &slots),
            collect(s, &columns.velocity, &slots),
            looking,
        );
    }

    #[inline(always)]
    fn take_row(
        &mut self,
        s: S,
        flock: &SortedFlock<'_, D>,
        (first, count): (usize, usize),
        looking: bool,
    ) {
        self.lane_slots = LaneAssignment::Row(first);
        let columns = flock.columns;
        // Lanes beyond the block read on into the next slots or the padding: stale, never stored.
        self.hold(
            s,
            count,
            Vectors::load(s, &columns.position.each_ref(), first),
            Vectors::load(s, &columns.velocity.each_ref(), first),
            looking,
        );
    }

    #[inline(always)]
    fn hold(
        &mut self,
        s: S,
        count: usize,
        position: Vectors<S, D>,
        velocity: Vectors<S, D>,
        looking: bool,
    ) {
        let (heading, at_rest) =
            if looking { velocity.heading(s) } else { (Vectors::zero(s), s.mask(0)) };
        self.own = BlockLanes { position, velocity, heading, at_rest, live: s.first(count) };
        self.count = count;
    }

    /// Finds the bounding box.
    #[inline(always)]
    pub fn bound(&mut self, s: S, flock: &SortedFlock<'_, D>) {
        // Lanes beyond the block stand where the first boid stands.
        let first = Vectors::splat(s, flock.columns.position(self.lane_slots.slot(0)));
        let inside = Vectors::select(self.own.live, self.own.position, first);
        for a in 0..D {
            (self.low[a], self.high[a]) = (inside[a].reduce_min(), inside[a].reduce_max());
        }
    }
}

/// Extra columns in lanes.
impl<S: Simd, const D: usize> Block<S, D> {
    /// Lanes that regain stamina.
    #[inline(always)]
    pub fn resting(&self, s: S, flock: &SortedFlock<'_, D>, extra: &ExtraColumns<D>) -> S::M {
        let no_lane = s.mask(0);
        extra.resting.get().map_or(no_lane, |column| {
            self.lane_slots.numbers(s, flock, column, self.count).gt(s.splat(0.0))
        })
    }

    /// A column of numbers of their own, or in lanes without one (NaN there) the usual.
    #[inline(always)]
    pub fn own_or(
        &self,
        s: S,
        flock: &SortedFlock<'_, D>,
        column: Option<&[f32]>,
        usual: S::F,
    ) -> S::F {
        let Some(column) = column else { return usual };
        let own = self.lane_slots.column(s, flock, column, self.count);
        own.ge(s.splat(0.0)).select(own, usual)
    }
}

/// The given slots of every column, one a lane.
#[inline(always)]
fn collect<S: Simd, const D: usize>(
    s: S,
    columns: &Axes<D>,
    slots: &[u32; MAX_LANES],
) -> Vectors<S, D> {
    let mut lanes = [[0.0; MAX_LANES]; D];
    for a in 0..D {
        for lane in 0..S::LANES {
            lanes[a][lane] = columns[a][slots[lane] as usize];
        }
    }
    Vectors::load(s, &lanes, 0)
}
