//! ROOM 2, steer: every boid looks at its neighbours and decides.
//!
//! A register holds several **boids of one block**; candidates are broadcast one after the other. (The usual way round,
//! one boid against a register of candidates, needs horizontal sums, whose order depends on the lane width.)
//!
//! ```text
//! for each block of up to LANES consecutive slots of one grid row:
//!     own         ← positions, velocities, headings, one boid a lane
//!     [low, high] ← bounding box of the block
//!     for each run of slots within reach of the box, ascending:             (grid.rs)
//!         list ← those whose distance to the box is within the radius       (vector test, branch-free push)
//!     for each listed slot, ascending:
//!         broadcast it; offset, distance; every rule tests range and sight and adds under its mask
//!     means, responses, combination; write the block's own slots
//! ```
//!
//! The box test is built from the same operations as the pair test in the same order, and subtraction, squaring, addition
//! round monotonically: a neighbour of any lane passes. What fails a mask adds +0.0. So each lane's sum is exactly the
//! textbook's sum in slot order, whatever the block, the batch, or the number of lanes.
#![forbid(unsafe_code)]

use wingbeat_steer::{AlignmentOf, Domain, Params, Vector};

use crate::boids::{BoidId, Columns};
use crate::combine::{Combination, Terms, wall_force};
use crate::grid::{Grid, Images, Run};
use crate::rule::shared::{Shared, SharedLanes, SharedSums};
use crate::rule::three::{Three, ThreeSums};
use crate::rule::{Other, Own, Rules};
use crate::simd::{Float, Level, MAX_LANES, Mask, Simd, Vectors, Work, dispatch};

/// Candidates listed before they are summed: 4 KiB of slots stay in the first-level cache, and a clump of any size fits.
const LIST: usize = 1024;

/// A list, and room for the widest push behind its end.
type List = [u32; LIST + MAX_LANES];

/// What one worker thread needs beside the columns; reused for ever.
#[derive(Debug)]
pub struct Scratch<const D: usize> {
    pub(crate) runs: Vec<Run<D>>,
    list: Box<List>,
    /// Blocks (first slot, count) that hold a coincident pair or lie in a tiny periodic box.
    again: Vec<(usize, usize)>,
}

impl<const D: usize> Default for Scratch<D> {
    fn default() -> Self {
        Self { runs: Vec::new(), list: Box::new([0; LIST + MAX_LANES]), again: Vec::new() }
    }
}

/// Everything a step reads, borrowed for its duration.
pub struct World<'a, const D: usize>
where
    [f32; D]: Vector,
{
    pub(crate) columns: &'a Columns<D>,
    /// What alignment averages: velocities or headings.
    pub(crate) aligned: [&'a [f32]; D],
    pub(crate) rank: &'a [u32],
    pub(crate) ids: &'a [BoidId],
    pub(crate) grid: &'a Grid<D>,
    pub(crate) domain: &'a Domain<[f32; D]>,
    pub(crate) prepared: &'a Prepared,
    pub(crate) seed: u64,
    pub(crate) step: u64,
}

/// The parameters as the kernel wants them; made anew whenever they change.
#[derive(Clone, Debug)]
pub(crate) struct Prepared {
    pub three: Three,
    pub shared: Option<Shared>,
    pub combination: Combination,
    /// Whether alignment averages headings instead of velocities.
    pub aligns_headings: bool,
    /// Square of the largest radius of any rule.
    pub radius_sq: f32,
}

impl Prepared {
    pub fn new(params: &Params, radius: f32, declared: usize) -> Self {
        Self {
            three: Three::new(params),
            shared: if declared == 0 { Shared::new(params) } else { None },
            combination: Combination::new(params, declared),
            aligns_headings: params.alignment.is_some_and(|alignment| alignment.of == AlignmentOf::Heading),
            radius_sq: radius * radius,
        }
    }
}

/// One batch of one step, whatever the rules: the one virtual call of a batch.
pub trait Steer<const D: usize>: Send + Sync
where
    [f32; D]: Vector,
{
    /// Steers the slots from `first` on, as many as the columns of `out` are long.
    fn batch(&self, level: Level, world: &World<'_, D>, first: usize, out: [&mut [f32]; D], scratch: &mut Scratch<D>);
}

impl<R: Rules<D>, const D: usize> Steer<D> for R
where
    [f32; D]: Vector,
{
    fn batch(&self, level: Level, world: &World<'_, D>, first: usize, out: [&mut [f32]; D], scratch: &mut Scratch<D>) {
        dispatch(level, Batch { rules: self, world, first, out, scratch });
    }
}

struct Batch<'a, R, const D: usize>
where
    [f32; D]: Vector,
{
    rules: &'a R,
    world: &'a World<'a, D>,
    first: usize,
    out: [&'a mut [f32]; D],
    scratch: &'a mut Scratch<D>,
}

impl<R: Rules<D>, const D: usize> Work for Batch<'_, R, D>
where
    [f32; D]: Vector,
{
    #[inline(always)]
    fn run<S: Simd>(mut self, s: S) {
        let end = self.first + self.out[0].len();
        // A flock without rules of its own, whose three share one sight, has a loop to itself.
        let shared = if R::COUNT == 0 { self.world.prepared.shared.as_ref() } else { None };
        let (mut first, mut row_end) = (self.first, self.first);
        self.scratch.again.clear();
        // One loop for all blocks, so that each of the large inlined parts below exists once.
        loop {
            let (block, shared) = if first < end {
                if first == row_end {
                    row_end = self.world.grid.row_end(self.world.columns.position(first)).min(end);
                }
                let count = S::LANES.min(row_end - first);
                let block = Block::load(s, self.world, first, count);
                first += count;
                (block, shared)
            } else {
                let Some((first, count)) = self.scratch.again.pop() else { break };
                (Block::load(s, self.world, first, count), None)
            };
            let images = self.world.grid.search(self.world.columns, block.low, block.high, &mut self.scratch.runs);
            let sums = match shared {
                Some(shared) => self.look_shared(s, shared, &block, images),
                None => Some(self.look(s, &block, images)),
            };
            match sums {
                Some((three, declared)) => self.decide(s, &block, &three, declared),
                None => self.scratch.again.push((block.first, block.count)),
            }
        }
    }
}

/// How offsets are taken, known when the loop is compiled.
const DIRECT: u8 = 0;
const SHIFTED: u8 = 1;
const NEAREST: u8 = 2;

impl<R: Rules<D>, const D: usize> Batch<'_, R, D>
where
    [f32; D]: Vector,
{
    /// What the block sees under one sight; `None` if somebody stands on somebody or the box is tiny, which only
    /// [`look`](Self::look) can handle.
    #[inline(always)]
    fn look_shared<S: Simd>(
        &mut self,
        s: S,
        shared: &Shared,
        block: &Block<S, D>,
        images: Images,
    ) -> Option<(ThreeSums<S, D>, R::Sums<S>)> {
        if images == Images::PerLane {
            return None;
        }
        let world = self.world;
        let mut eyes = SharedEyes { shared: shared.lanes(s, &block.own), sums: Shared::begin(s) };
        let mut collector = Collector::new(&self.scratch.runs);
        while let Some(shift) = collector.fill(s, world, block, &mut self.scratch.list, false) {
            let list = &self.scratch.list[..collector.len];
            if collector.shifted {
                consume::<S, SHIFTED, false, D>(s, world, block, list, shift, &mut eyes);
            } else {
                let (before, own, after) = block.partition(list);
                // A loop, so that the hot code exists once and its sums stay in registers.
                for (others, own) in [(before, own), (after, NOBODY)] {
                    consume::<S, DIRECT, false, D>(s, world, block, others, shift, &mut eyes);
                    consume::<S, DIRECT, true, D>(s, world, block, own, shift, &mut eyes);
                }
            }
        }
        let harmless = !shared.coincident(s, &eyes.sums, &block.own);
        harmless.then(|| (eyes.sums.split(s), self.rules.begin(s)))
    }

    /// What the block sees, under any rules and in any box.
    #[inline(always)]
    fn look<S: Simd>(&mut self, s: S, block: &Block<S, D>, images: Images) -> (ThreeSums<S, D>, R::Sums<S>) {
        let (world, rules) = (self.world, self.rules);
        let per_lane = images == Images::PerLane;
        let mut eyes = GeneralEyes { three: &world.prepared.three, rules, sums: Three::begin(s), declared: rules.begin(s) };
        let mut collector = Collector::new(&self.scratch.runs);
        while let Some(shift) = collector.fill(s, world, block, &mut self.scratch.list, per_lane) {
            let list = &self.scratch.list[..collector.len];
            if per_lane {
                consume::<S, NEAREST, true, D>(s, world, block, list, shift, &mut eyes);
            } else {
                consume::<S, SHIFTED, true, D>(s, world, block, list, shift, &mut eyes);
            }
        }
        (eyes.sums, eyes.declared)
    }

    /// Responses, combination; writes the block's own slots.
    #[inline(always)]
    fn decide<S: Simd>(&mut self, s: S, block: &Block<S, D>, three: &ThreeSums<S, D>, declared: R::Sums<S>) {
        let world = self.world;
        let mut terms = Terms::new(s);
        world.prepared.three.finish(s, three, &block.own, world, block.first, &mut terms);
        self.rules.finish(s, declared, &block.own, &mut terms);
        terms.push(wall_force(s, world.domain, block.own.position));
        let steering = world.prepared.combination.combine(s, &terms);
        let at = block.first - self.first;
        for a in 0..D {
            let out = &mut self.out[a][at..at + block.count];
            if block.count == S::LANES {
                steering[a].store(out);
            } else {
                let mut buffer = [0.0; MAX_LANES];
                steering[a].store(&mut buffer);
                out.copy_from_slice(&buffer[..block.count]);
            }
        }
    }
}

/// Whoever looks at candidates. A trait, not a closure: closures cannot be told to inline, and one that is called from
/// several loops loses the level's instructions.
trait Eyes<S: Simd, const D: usize> {
    fn visit(&mut self, s: S, own: &Own<S, D>, other: &Other<S, D>);
}

/// The three rules with one sight.
struct SharedEyes<S: Simd, const D: usize> {
    shared: SharedLanes<S>,
    sums: SharedSums<S, D>,
}

impl<S: Simd, const D: usize> Eyes<S, D> for SharedEyes<S, D> {
    #[inline(always)]
    fn visit(&mut self, _s: S, own: &Own<S, D>, other: &Other<S, D>) {
        self.shared.visit(&mut self.sums, own, other);
    }
}

/// Any rules.
struct GeneralEyes<'a, S: Simd, R: Rules<D>, const D: usize> {
    three: &'a Three,
    rules: &'a R,
    sums: ThreeSums<S, D>,
    declared: R::Sums<S>,
}

impl<S: Simd, R: Rules<D>, const D: usize> Eyes<S, D> for GeneralEyes<'_, S, R, D> {
    #[inline(always)]
    fn visit(&mut self, s: S, own: &Own<S, D>, other: &Other<S, D>) {
        self.three.visit(s, &mut self.sums, own, other);
        self.rules.visit(s, &mut self.declared, own, other);
    }
}

/// Consecutive boids of one row, one per lane, and their bounding box.
struct Block<S: Simd, const D: usize> {
    first: usize,
    count: usize,
    own: Own<S, D>,
    low: [f32; D],
    high: [f32; D],
}

impl<S: Simd, const D: usize> Block<S, D>
where
    [f32; D]: Vector,
{
    #[inline(always)]
    fn load(s: S, world: &World<'_, D>, first: usize, count: usize) -> Self {
        let columns = world.columns;
        // Lanes beyond the block read on into the next slots or the padding; nothing of theirs is kept.
        let position = Vectors::load(s, &columns.position, first);
        let velocity = Vectors::load(s, &columns.velocity, first);
        let (heading, at_rest) = velocity.heading(s);
        let live = s.first(count);
        let own = Own { position, velocity, heading, at_rest, live };
        // In the box such lanes stand where the first boid stands.
        let inside = Vectors::select(live, position, Vectors::splat(s, columns.position(first)));
        let (mut low, mut high) = ([0.0; D], [0.0; D]);
        for a in 0..D {
            (low[a], high[a]) = (inside[a].reduce_min(), inside[a].reduce_max());
        }
        Self { first, count, own, low, high }
    }

    /// The list before, within and after the block's own slots: only there a boid can meet itself.
    #[inline(always)]
    fn partition<'l>(&self, list: &'l [u32]) -> (&'l [u32], &'l [u32], &'l [u32]) {
        let own = list.partition_point(|&slot| (slot as usize) < self.first);
        let after = list.partition_point(|&slot| (slot as usize) < self.first + self.count);
        (&list[..own], &list[own..after], &list[after..])
    }
}

/// Walks the runs of a search, listing who passes the box test, a list at a time; one list holds one shift.
struct Collector<'r, const D: usize> {
    runs: &'r [Run<D>],
    /// Where to go on within the first of `runs`.
    next: usize,
    len: usize,
    /// Whether the list is seen through an image.
    shifted: bool,
}

impl<'r, const D: usize> Collector<'r, D>
where
    [f32; D]: Vector,
{
    #[inline(always)]
    fn new(runs: &'r [Run<D>]) -> Self {
        Self { runs, next: runs.first().map_or(0, |run| run.first as usize), len: 0, shifted: false }
    }

    /// Fills the list and tells the shift it is seen through; `None` when all runs are done.
    #[inline(always)]
    fn fill<S: Simd>(
        &mut self,
        s: S,
        world: &World<'_, D>,
        block: &Block<S, D>,
        list: &mut List,
        per_lane: bool,
    ) -> Option<[f32; D]> {
        self.len = 0;
        let shift = self.runs.first()?.shift;
        self.shifted = shift != [0.0; D];
        let (low, high) = (Vectors::<S, D>::splat(s, block.low), Vectors::<S, D>::splat(s, block.high));
        let shifts = Vectors::<S, D>::splat(s, shift);
        let radius_sq = s.splat(world.prepared.radius_sq);
        // Cut to one length, so that one bounds check serves all axes.
        let rows = world.rank.len();
        let mut columns = [NONE; D];
        for a in 0..D {
            columns[a] = &world.columns.position[a][..rows];
        }
        while let Some(run) = self.runs.first() {
            if run.shift != shift && !per_lane {
                break;
            }
            let end = run.end as usize;
            while self.next < end {
                if self.len > LIST - MAX_LANES {
                    return Some(shift);
                }
                let position = Vectors::load(s, &columns, self.next);
                let mut gap = Vectors::<S, D>::zero(s);
                for a in 0..D {
                    let (above, below) = (position[a] - high[a], low[a] - position[a]);
                    gap[a] = if per_lane {
                        gap_nearest(s, above, below, world.domain.side(a))
                    } else if self.shifted {
                        (above - shifts[a]).max(below + shifts[a]).max(s.splat(0.0))
                    } else {
                        above.max(below).max(s.splat(0.0))
                    };
                }
                let near = gap.dot(gap).le(radius_sq) & s.first(S::LANES.min(end - self.next));
                self.len = s.push_slots(list, self.len, self.next as u32, near);
                self.next += S::LANES;
            }
            self.runs = &self.runs[1..];
            self.next = self.runs.first().map_or(0, |run| run.first as usize);
        }
        Some(shift)
    }
}

/// The gap to the box through whichever image is nearest: never more than any lane's own offset.
#[inline(always)]
fn gap_nearest<S: Simd>(s: S, above: S::F, below: S::F, side: f32) -> S::F {
    let side = s.splat(side);
    let direct = above.max(below);
    let up = (above - side).max(below + side);
    let down = (above + side).max(below - side);
    direct.min(up).min(down).max(s.splat(0.0))
}

/// Broadcasts each listed slot to the block and hands it to the `eyes`.
#[inline(always)]
fn consume<S: Simd, const IMAGES: u8, const OWN: bool, const D: usize>(
    s: S,
    world: &World<'_, D>,
    block: &Block<S, D>,
    list: &[u32],
    shift: [f32; D],
    eyes: &mut impl Eyes<S, D>,
) where
    [f32; D]: Vector,
{
    // All columns cut to one length, so that one bounds check serves them all.
    let rows = world.rank.len();
    let (mut position, mut velocity, mut aligned) = ([NONE; D], [NONE; D], [NONE; D]);
    for a in 0..D {
        position[a] = &world.columns.position[a][..rows];
        velocity[a] = &world.columns.velocity[a][..rows];
        aligned[a] = &world.aligned[a][..rows];
    }
    let shifts = Vectors::<S, D>::splat(s, shift);
    for &slot in list {
        let slot = slot as usize;
        let mut offset = row(s, &position, slot) - block.own.position;
        for a in 0..D {
            offset[a] = match IMAGES {
                DIRECT => offset[a],
                SHIFTED => offset[a] - shifts[a],
                _ => nearest_image(s, offset[a], world.domain.side(a)),
            };
        }
        let mut distance_sq = offset.dot(offset);
        if OWN {
            let lane = slot.wrapping_sub(block.first);
            let itself = s.mask(if lane < S::LANES { 1 << lane } else { 0 });
            distance_sq = itself.select(s.splat(f32::INFINITY), distance_sq);
        }
        let other = Other {
            offset,
            distance_sq,
            distance: distance_sq.sqrt(),
            velocity: row(s, &velocity, slot),
            aligned: row(s, &aligned, slot),
        };
        eyes.visit(s, &block.own, &other);
    }
}

/// An empty list.
const NOBODY: &[u32] = &[];

/// A column not yet known.
const NONE: &[f32] = &[];

/// One slot of every column, broadcast.
#[inline(always)]
fn row<S: Simd, const D: usize>(s: S, columns: &[&[f32]; D], slot: usize) -> Vectors<S, D> {
    let mut row = Vectors::zero(s);
    for a in 0..D {
        row[a] = s.splat(columns[a][slot]);
    }
    row
}

/// o − L where o > L/2, o + L where o < −L/2.
#[inline(always)]
fn nearest_image<S: Simd>(s: S, offset: S::F, side: f32) -> S::F {
    let (half, whole) = (s.splat(side * 0.5), s.splat(side));
    let too_far = offset.gt(half).select(offset - whole, offset);
    offset.lt(-half).select(offset + whole, too_far)
}
