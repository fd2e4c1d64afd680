//! Steering ahead of obstacles, in lanes: `wingbeat_steer`'s `Piece::threat`.
//!
//! A boid rarely has anything ahead, and of sixteen boids two or three have, each something else.
//! So boids and pieces are matched first, by tests that cost little, and only matched pairs, packed
//! into full registers, go through the formula.
//!
//! ```text
//! for each stretch of boids of one row:
//!     for each register: the box of its paths, position … position + velocity·horizon
//!     pieces (and images) that may meet the box of all of them, ascending    (tree.rs, stretch.rs)
//!     for each register, each piece that meets its box:
//!         mask ← lanes whose own box meets the piece's, less those a ball can be seen not to
//!                concern
//!         pairs ← pairs, and (lane's boid, piece) for each lane of the mask
//! for each register of pairs:
//!     how soon the path comes too near, how deep the boid is already
//!     push ← (aside·urgency + outward·depth)·weight
//!     for each lane: where that is more urgent than what its boid had before, keep it
//! ```

use std::ops::Range;

use wingbeat_steer::obstacle::{Core, PARALLEL, Piece};
use wingbeat_steer::{Avoidance, BEHIND};

use crate::motion::obstacle::tree::index;
use crate::motion::obstacle::{Lists, ObstacleIndex};
use crate::neighbors::{Block, DueSlots, SortedFlock};
use crate::simd::{Float, MAX_LANES, Mask, Outlined, Simd, Vectors};

/// Most boids for which the tree is searched once: a row at twenty neighbors in range.
const STRETCH: usize = 256;

/// Pairs that go through the formula before more are sought: more than a batch has where obstacles
/// are few.
const PAIRS: usize = 1024;

/// The term of a batch: the `rows` boids from slot `first` on, or of those whose turn it is all.
pub(crate) struct Avoid<'a, const D: usize> {
    pub course: &'a ObstacleIndex<D>,
    pub lists: &'a mut Lists,
    pub flock: &'a SortedFlock<'a, D>,
    pub due: &'a DueSlots,
    pub first: usize,
    pub rows: usize,
}

/// A boid, as its row, and a piece that may concern it, as the tree found it.
pub(super) type PairToJudge = (u32, u64);

/// The boxes of the paths of a register.
struct Paths<S: Simd, const D: usize> {
    position: Vectors<S, D>,
    velocity: Vectors<S, D>,
    low: Vectors<S, D>,
    high: Vectors<S, D>,
    live: S::M,
}

impl<S: Simd, const D: usize> Outlined<S> for Avoid<'_, D> {
    #[inline(always)]
    fn run(mut self, s: S) {
        let rows = self.rows;
        self.lists.forces.clear::<D>(rows);
        let Some(avoidance) = self.course.course.obstacles().avoidance else { return };
        let mut row = 0;
        while row < rows {
            let end = self.row_end(row).min(row + STRETCH).min(rows);
            self.match_stretch(s, &avoidance, row..end);
            row = end;
            // In one place, so that the formula is compiled once.
            if self.lists.pairs.len() >= PAIRS || row == rows {
                self.judge(s, &avoidance);
            }
        }
    }
}

impl<const D: usize> Avoid<'_, D> {
    /// Where the boids end that lie in the same row of cells: those of several rows lie in a box
    /// that many obstacles meet.
    fn row_end(&self, row: usize) -> usize {
        if self.flock.turns.is_some() {
            let slots = &self.due.slots;
            let end = self.flock.grid.row_end(self.flock.columns.position(slots[row] as usize));
            return row + slots[row..].partition_point(|&slot| (slot as usize) < end);
        }
        self.flock.grid.row_end(self.flock.columns.position(self.first + row)) - self.first
    }

    #[inline(always)]
    fn paths<S: Simd>(&self, s: S, row: usize, end: usize, horizon: f32) -> Paths<S, D> {
        let at = if self.flock.turns.is_some() { row } else { self.first + row };
        let own =
            Block::<S, D>::load(s, self.flock, self.due, (at, S::LANES.min(end - row)), false).own;
        let (mut low, mut high) = (own.position, own.position);
        for a in 0..D {
            let there = own.position[a] + own.velocity[a] * s.splat(horizon);
            (low[a], high[a]) = (own.position[a].min(there), own.position[a].max(there));
        }
        Paths { position: own.position, velocity: own.velocity, low, high, live: own.live }
    }

    /// Finds which boids each piece may concern.
    #[inline(always)]
    fn match_stretch<S: Simd>(&mut self, s: S, avoidance: &Avoidance, rows: Range<usize>) {
        let (mut low, mut high) = ([f32::INFINITY; D], [f32::NEG_INFINITY; D]);
        let mut boxes = [([0.0; D], [0.0; D]); STRETCH / 4];
        for (register, row) in rows.clone().step_by(S::LANES).enumerate() {
            let paths = self.paths(s, row, rows.end, avoidance.horizon);
            let (below, above) = &mut boxes[register];
            for a in 0..D {
                below[a] = paths.live.select(paths.low[a], s.splat(f32::INFINITY)).reduce_min();
                above[a] =
                    paths.live.select(paths.high[a], s.splat(f32::NEG_INFINITY)).reduce_max();
                low[a] = if below[a] < low[a] { below[a] } else { low[a] };
                high[a] = if above[a] > high[a] { above[a] } else { high[a] };
            }
        }
        let (tree, pieces) = (&self.course.pieces, self.course.course.pieces());
        let stretch = &mut self.lists.pieces;
        tree.list(s, low.map(f64::from), high.map(f64::from), &mut stretch.hits);
        if stretch.hits.list.is_empty() {
            return;
        }
        stretch.spread(|found| {
            let (piece, shift) = (&pieces[index(found)], tree.shift(found));
            (shifted(piece.low, shift), shifted(piece.high, shift))
        });
        for (register, row) in rows.clone().step_by(S::LANES).enumerate() {
            let (low, high) = &boxes[register];
            let near = self.lists.pieces.meeting(s, low, high);
            if near == 0 {
                continue;
            }
            let paths = self.paths(s, row, rows.end, avoidance.horizon);
            for k in 0..near {
                let place = self.lists.pieces.near(k);
                let (low, high) = self.lists.pieces.ends::<D>(place);
                let mut meets = paths.live;
                for a in 0..D {
                    meets = meets
                        & paths.low[a].le(s.splat(high[a]))
                        & s.splat(low[a]).le(paths.high[a]);
                }
                if !meets.any() {
                    continue;
                }
                let found = self.lists.pieces.hits.list[place];
                let piece = &pieces[index(found)];
                if let Core::Segment { from, length: 0.0, .. } = piece.core {
                    let keep = piece.radius + avoidance.clearance;
                    let center = shifted(from, tree.shift(found));
                    meets = meets & !harmless(s, &paths, center, keep, piece);
                }
                let mut lanes = meets.bits();
                while lanes != 0 {
                    self.lists.pairs.push((row as u32 + lanes.trailing_zeros(), found));
                    lanes &= lanes - 1;
                }
            }
        }
    }

    /// What comes of the pairs that wait.
    #[inline(always)]
    fn judge<S: Simd>(&mut self, s: S, avoidance: &Avoidance) {
        let (turns, due, first) = (self.flock.turns.is_some(), self.due, self.first);
        let slot =
            |row: u32| if turns { due.slots[row as usize] as usize } else { first + row as usize };
        let Lists { pairs, forces, .. } = &mut *self.lists;
        let columns = self.flock.columns;
        for pairs in pairs.chunks(S::LANES) {
            let mut table = Pairs::<D>::new();
            for (lane, &(row, found)) in pairs.iter().enumerate() {
                let (piece, shift) =
                    (&self.course.course.pieces()[index(found)], self.course.pieces.shift(found));
                let slot = slot(row);
                for a in 0..D {
                    table.position[a][lane] = columns.position[a][slot];
                    table.velocity[a][lane] = columns.velocity[a][slot];
                }
                table.set(lane, piece, shift, avoidance);
            }
            let (score, push) = threat(s, &table, avoidance);
            let mut lanes = [[0.0; MAX_LANES]; D];
            let mut scores = [0.0; MAX_LANES];
            score.store(&mut scores);
            for a in 0..D {
                push[a].store(&mut lanes[a]);
            }
            for (lane, &(row, _)) in pairs.iter().enumerate() {
                let row = row as usize;
                if scores[lane] > forces.worst[row] {
                    forces.worst[row] = scores[lane];
                    for a in 0..D {
                        forces.push[a][row] = lanes[a][lane];
                    }
                }
            }
        }
        pairs.clear();
    }
}

/// What comes of the batch, a row each.
#[derive(Debug, Default)]
pub(crate) struct Forces {
    /// Urgency and depth of what is most urgent.
    worst: Vec<f32>,
    push: [Vec<f32>; 3],
}

impl Forces {
    fn clear<const D: usize>(&mut self, rows: usize) {
        self.worst.clear();
        self.worst.resize(rows, 0.0);
        for push in &mut self.push[..D] {
            push.clear();
            push.resize(rows + MAX_LANES, 0.0);
        }
    }

    /// The forces of the rows from `row` on.
    #[inline(always)]
    pub fn load<S: Simd, const D: usize>(&self, s: S, row: usize) -> Vectors<S, D> {
        let mut force = Vectors::zero(s);
        for a in 0..D {
            force[a] = s.load(&self.push[a], row);
        }
        force
    }
}

/// Lanes that a ball does not concern, found without a root or a division: they are outside of its
/// clearance, and go away from it or pass it by. More than any rounding is left to the formula.
#[inline(always)]
fn harmless<S: Simd, const D: usize>(
    s: S,
    paths: &Paths<S, D>,
    center: [f32; D],
    keep: f32,
    piece: &Piece<[f32; D]>,
) -> S::M {
    let offset = paths.position - Vectors::splat(s, center);
    // Not of length 1, and need not be: both sides are multiplied by its square.
    let mut ahead = paths.velocity;
    if piece.moves {
        ahead = paths.velocity - Vectors::splat(s, piece.velocity);
    }
    let before = ahead.dot(offset);
    let (speed_sq, distance_sq) = (ahead.dot(ahead), offset.dot(offset));
    let near_sq = s.splat(keep * keep) + distance_sq * s.splat(1e-4) + s.splat(f32::MIN_POSITIVE);
    let outside = distance_sq.gt(near_sq);
    let passes = (distance_sq * speed_sq - before * before).gt(near_sq * speed_sq);
    let leaves = before.ge(s.splat(0.0));
    outside & (passes | leaves)
}

/// A register of pairs in columns.
struct Pairs<const D: usize> {
    position: [[f32; MAX_LANES]; D],
    velocity: [[f32; MAX_LANES]; D],
    /// Of the pieces; 0 of those that stand still.
    drift: [[f32; MAX_LANES]; D],
    /// Where segments begin, or the lowest corners of blocks.
    from: [[f32; MAX_LANES]; D],
    /// The axes of segments, or the highest corners of blocks.
    to: [[f32; MAX_LANES]; D],
    length: [f32; MAX_LANES],
    /// Radius and clearance.
    keep: [f32; MAX_LANES],
    /// Lanes whose piece is a block.
    blocks: u32,
    /// Whether any segment has a length.
    long: bool,
}

impl<const D: usize> Pairs<D> {
    #[inline(always)]
    fn new() -> Self {
        let columns = [[0.0; MAX_LANES]; D];
        Self {
            position: columns,
            velocity: columns,
            drift: columns,
            from: columns,
            to: columns,
            length: [0.0; MAX_LANES],
            keep: [0.0; MAX_LANES],
            blocks: 0,
            long: false,
        }
    }

    /// The piece of a lane.
    #[inline(always)]
    fn set(
        &mut self,
        lane: usize,
        piece: &Piece<[f32; D]>,
        shift: [f32; D],
        avoidance: &Avoidance,
    ) {
        self.keep[lane] = piece.radius + avoidance.clearance;
        let (from, to) = match piece.core {
            Core::Segment { from, axis, length } => {
                self.length[lane] = length;
                self.long |= length != 0.0;
                (shifted(from, shift), axis)
            }
            Core::Block { low, high } => {
                self.blocks |= 1 << lane;
                (shifted(low, shift), shifted(high, shift))
            }
        };
        for a in 0..D {
            (self.from[a][lane], self.to[a][lane]) = (from[a], to[a]);
            if piece.moves {
                self.drift[a][lane] = piece.velocity[a];
            }
        }
    }
}

/// How a boid stands to the core of a piece.
struct Approach<S: Simd, const D: usize> {
    /// From the core to the boid.
    away: Vectors<S, D>,
    /// Lanes that come too near.
    comes: S::M,
    /// After how much of the path.
    until: S::F,
}

/// Boids on their way.
struct MovingLanes<S: Simd, const D: usize> {
    position: Vectors<S, D>,
    ahead: Vectors<S, D>,
    path: S::F,
    keep: S::F,
}

/// How urgent each pair is, and what the boid does about it.
#[inline(always)]
fn threat<S: Simd, const D: usize>(
    s: S,
    pairs: &Pairs<D>,
    avoidance: &Avoidance,
) -> (S::F, Vectors<S, D>) {
    let (zero, one) = (s.splat(0.0), s.splat(1.0));
    // x − 0 is x, also of −0: what stands still needs no way of its own.
    let relative = Vectors::load(s, &pairs.velocity, 0) - Vectors::load(s, &pairs.drift, 0);
    let ahead: Vectors<S, D> = relative.heading(s).0;
    let path = relative.dot(relative).sqrt() * s.splat(avoidance.horizon);
    let keep = s.load(&pairs.keep, 0);
    let movers = MovingLanes { position: Vectors::load(s, &pairs.position, 0), ahead, path, keep };
    let all = s.first(S::LANES).bits();
    let mut approach =
        if !pairs.long { to_ball(s, pairs, &movers) } else { to_segment(s, pairs, &movers) };
    if pairs.blocks & all != 0 {
        let (to, blocks) = (to_block(s, pairs, &movers), s.mask(pairs.blocks));
        approach = Approach {
            away: Vectors::select(blocks, to.away, approach.away),
            comes: (blocks & to.comes) | (!blocks & approach.comes),
            until: blocks.select(to.until, approach.until),
        };
    }
    let Approach { away, comes, until } = approach;
    let urgency = (comes & until.lt(path)).select(one - until / path, zero);
    let now = away.dot(away).sqrt();
    let mut depth = zero;
    if avoidance.clearance > 0.0 {
        let part = ((keep - now) / s.splat(avoidance.clearance)).min(one);
        depth = now.lt(keep).select(part, zero);
    }
    let across = away - ahead * ahead.dot(away);
    let sideways = across.dot(across).sqrt().gt(now * s.splat(BEHIND));
    let aside = Vectors::select(sideways, across, ahead.perpendicular(s));
    let push = aside.unit(s) * urgency + away.unit(s) * depth;
    (urgency + depth, push * s.splat(avoidance.weight))
}

/// `to_segment` where the length is 0 and the axis with it: slope and the place on the core are 0
/// then, and a zero added to what is walked or to the gap changes neither, but for the sign of a
/// zero, which is squared or compared. Only `away` goes on into the force, and is found as there to
/// the last sign.
#[inline(always)]
fn to_ball<S: Simd, const D: usize>(
    s: S,
    pairs: &Pairs<D>,
    movers: &MovingLanes<S, D>,
) -> Approach<S, D> {
    let zero = s.splat(0.0);
    let MovingLanes { position, ahead, path, keep } = *movers;
    let offset = position - Vectors::load(s, &pairs.from, 0);
    let axis = Vectors::<S, D>::load(s, &pairs.to, 0);
    let away = offset - axis * axis.dot(offset).max(zero).min(s.load(&pairs.length, 0));
    let walked = (zero - ahead.dot(offset)).max(zero).min(path);
    let gap_way = offset + ahead * walked;
    let gap = gap_way.dot(gap_way).sqrt();
    let now = away.dot(away).sqrt();
    let until = now.gt(keep).select(walked * (now - keep) / (now - gap), zero);
    Approach { away, comes: gap.lt(keep) & gap.lt(now), until }
}

#[inline(always)]
fn to_segment<S: Simd, const D: usize>(
    s: S,
    pairs: &Pairs<D>,
    movers: &MovingLanes<S, D>,
) -> Approach<S, D> {
    let (zero, one) = (s.splat(0.0), s.splat(1.0));
    let MovingLanes { position, ahead, path, keep } = *movers;
    let offset = position - Vectors::load(s, &pairs.from, 0);
    let axis = Vectors::<S, D>::load(s, &pairs.to, 0);
    let length = s.load(&pairs.length, 0);
    let (along, before) = (axis.dot(offset), ahead.dot(offset));
    let away = offset - axis * along.max(zero).min(length);
    let slope = ahead.dot(axis);
    let apart = one - slope * slope;
    let meet = apart.gt(s.splat(PARALLEL)).select((slope * along - before) / apart, zero);
    let on_core = (slope * meet.max(zero).min(path) + along).max(zero).min(length);
    let walked = (slope * on_core - before).max(zero).min(path);
    let gap_way = (offset + ahead * walked) - axis * on_core;
    let gap = gap_way.dot(gap_way).sqrt();
    let now = away.dot(away).sqrt();
    let until = now.gt(keep).select(walked * (now - keep) / (now - gap), zero);
    Approach { away, comes: gap.lt(keep) & gap.lt(now), until }
}

#[inline(always)]
fn to_block<S: Simd, const D: usize>(
    s: S,
    pairs: &Pairs<D>,
    movers: &MovingLanes<S, D>,
) -> Approach<S, D> {
    let zero = s.splat(0.0);
    let MovingLanes { position, ahead, path, keep } = *movers;
    let (low, high) =
        (Vectors::<S, D>::load(s, &pairs.from, 0), Vectors::<S, D>::load(s, &pairs.to, 0));
    let mut away = position;
    let (mut enter, mut leave) = (zero, path);
    let mut misses = s.mask(0);
    for a in 0..D {
        let (x, step) = (position[a], ahead[a]);
        away[a] = x - x.max(low[a]).min(high[a]);
        let (from_low, from_high) = ((low[a] - keep) - x, (high[a] + keep) - x);
        let still = step.le(zero) & step.ge(zero);
        misses = misses | (still & (from_low.gt(zero) | from_high.lt(zero)));
        let (near, far) = (from_low / step, from_high / step);
        enter = still.select(enter, near.min(far).max(enter));
        leave = still.select(leave, near.max(far).min(leave));
    }
    Approach { away, comes: !misses & enter.le(leave) & ahead.dot(away).lt(zero), until: enter }
}

#[inline(always)]
fn shifted<const D: usize>(point: [f32; D], shift: [f32; D]) -> [f32; D] {
    let mut moved = point;
    for a in 0..D {
        moved[a] = point[a] + shift[a];
    }
    moved
}
