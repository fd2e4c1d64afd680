//! Who is near the boids of a block: slots, offsets and distances, and whom each lane has in reach.

use std::cell::Cell;

use wingbeat_steer::anticipation::{Nearby, Program, Wall};

use crate::block::{Eyes, LIST, List, Other, Own, ROOM};
use crate::grid::Run;
use crate::simd::{Float, MAX_LANES, Mask, Simd};

/// Numbers of a candidate in the widest register in space: offsets and squared distances.
const ROW: usize = 4 * MAX_LANES;

/// What one worker thread needs to look ahead; reused in every step.
#[derive(Debug)]
pub(crate) struct NearScratch<const D: usize> {
    pub runs: Vec<Run<D>>,
    pub list: Box<List>,
    pub table: NearTable,
    /// (d², rank) and place in the table of those in reach of one lane.
    pub keys: Vec<(u64, u32)>,
    pub others: Vec<Nearby<[f32; D]>>,
    pub walls: Vec<Wall<[f32; D]>>,
    pub program: Program<[f32; D]>,
    /// How far the last block looked: the next begins there.
    pub hint: f32,
}

impl<const D: usize> Default for NearScratch<D> {
    fn default() -> Self {
        Self {
            runs: Vec::new(),
            list: Box::new([0; ROOM + MAX_LANES]),
            table: NearTable::default(),
            keys: Vec::new(),
            others: Vec::new(),
            walls: Vec::new(),
            program: Program::default(),
            hint: 0.0,
        }
    }
}

/// Candidates in reach of some lane, in slot order.
#[derive(Debug, Default)]
pub(crate) struct NearTable {
    values: Vec<f32>,
    slots: Vec<u32>,
    /// Places in this table of those in reach of each lane, one lane after the other.
    places: Vec<u32>,
    /// How many of them.
    counts: [u32; MAX_LANES],
    len: usize,
    room: usize,
}

impl NearTable {
    pub fn clear(&mut self) {
        self.len = 0;
        self.counts = [0; MAX_LANES];
    }

    /// Room for another list of candidates.
    pub fn reserve(&mut self) {
        let wanted = self.len + LIST;
        if self.room < wanted {
            let room = wanted.next_power_of_two();
            let mut places = vec![0; room * MAX_LANES];
            for lane in 0..MAX_LANES {
                let of_lane = &self.places[lane * self.room..][..self.counts[lane] as usize];
                places[lane * room..][..of_lane.len()].copy_from_slice(of_lane);
            }
            (self.places, self.room) = (places, room);
            self.values.resize(room * ROW, 0.0);
            self.slots.resize(room, 0);
        }
    }

    /// How many are in reach of a lane.
    pub fn count(&self, lane: usize) -> usize {
        self.counts[lane] as usize
    }

    /// Slot, offset and squared distance of those in reach of a lane, in slot order.
    pub fn of_lane<const D: usize>(&self, lane: usize) -> impl Iterator<Item = (u32, [f32; D], f32)> + '_ {
        (0..self.count(lane)).map(move |i| self.nth_of_lane(lane, i))
    }

    /// One of them.
    pub fn nth_of_lane<const D: usize>(&self, lane: usize, i: usize) -> (u32, [f32; D], f32) {
        let place = self.places[lane * self.room + i] as usize;
        let row = &self.values[place * ROW..][..ROW];
        (self.slots[place], std::array::from_fn(|a| row[a * MAX_LANES + lane]), row[3 * MAX_LANES + lane])
    }

    /// Eyes that fill it.
    pub fn eyes<S: Simd>(&mut self, reach_sq: S::F, lanes: S::M) -> NearEyes<'_, S> {
        NearEyes {
            values: Cell::from_mut(self.values.as_mut_slice()).as_slice_of_cells(),
            slots: Cell::from_mut(self.slots.as_mut_slice()).as_slice_of_cells(),
            places: Cell::from_mut(self.places.as_mut_slice()).as_slice_of_cells(),
            counts: Cell::from_mut(self.counts.as_mut_slice()).as_slice_of_cells(),
            room: self.room,
            len: self.len,
            reach_sq,
            lanes,
        }
    }

    pub fn set_len(&mut self, len: usize) {
        self.len = len;
    }
}

/// Notes who is in reach.
#[derive(Clone, Copy)]
pub(crate) struct NearEyes<'a, S: Simd> {
    values: &'a [Cell<f32>],
    slots: &'a [Cell<u32>],
    places: &'a [Cell<u32>],
    counts: &'a [Cell<u32>],
    room: usize,
    pub len: usize,
    reach_sq: S::F,
    lanes: S::M,
}

impl<S: Simd, const D: usize> Eyes<S, D> for NearEyes<'_, S> {
    #[inline(always)]
    fn visit(&mut self, _s: S, _own: &Own<S, D>, other: &Other<S, D>) {
        let mut bits = (other.distance_sq.le(self.reach_sq) & self.lanes).bits();
        if bits == 0 {
            return;
        }
        let row = &self.values[self.len * ROW..][..ROW];
        for a in 0..D {
            store::<S>(other.offset[a], &row[a * MAX_LANES..]);
        }
        store::<S>(other.distance_sq, &row[3 * MAX_LANES..]);
        self.slots[self.len].set(other.slot as u32);
        while bits != 0 {
            let lane = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            let count = self.counts[lane].get();
            self.places[lane * self.room + count as usize].set(self.len as u32);
            self.counts[lane].set(count + 1);
        }
        self.len += 1;
    }
}

/// Writes lanes into cells.
#[inline(always)]
fn store<S: Simd>(lanes: S::F, cells: &[Cell<f32>]) {
    let mut buffer = [0.0; MAX_LANES];
    lanes.store(&mut buffer);
    for lane in 0..S::LANES {
        cells[lane].set(buffer[lane]);
    }
}
