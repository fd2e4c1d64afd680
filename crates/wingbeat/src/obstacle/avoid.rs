//! Steering ahead of obstacles, in lanes: `wingbeat_steer`'s `Piece::threat`, pieces broadcast one after the other.
//!
//! ```text
//! path of each lane ← position … position + velocity·horizon, and its box
//! for each piece (and image) that may meet the block's box, ascending:       (tree.rs)
//!     mask ← lanes whose box meets the piece's
//!     how soon the path comes too near, how deep the lane is already
//!     where that is more urgent than before, keep it
//! force ← (aside·urgency + outward·depth)·weight
//! ```

use wingbeat_steer::obstacle::{Core, PARALLEL, Piece};
use wingbeat_steer::{Avoidance, BEHIND};

use super::tree::index;
use super::{Course, Lists};
use crate::block::Own;
use crate::simd::{Float, Mask, Outlined, Simd, Vectors};

/// The term of a block.
pub(crate) struct Avoid<'a, S: Simd, const D: usize> {
    pub course: &'a Course<D>,
    pub lists: &'a mut Lists,
    pub own: &'a Own<S, D>,
    pub force: &'a mut Vectors<S, D>,
}

/// What lanes make of a piece.
struct Threat<S: Simd, const D: usize> {
    urgency: S::F,
    depth: S::F,
    aside: Vectors<S, D>,
    outward: Vectors<S, D>,
}

impl<S: Simd, const D: usize> Outlined<S> for Avoid<'_, S, D> {
    #[inline(always)]
    fn run(self, s: S) {
        let Some(avoidance) = self.course.course.obstacles().avoidance else { return };
        let own = self.own;
        let horizon = s.splat(avoidance.horizon);
        let (mut low, mut high) = (own.position, own.position);
        let (mut start, mut end) = ([0.0; D], [0.0; D]);
        for a in 0..D {
            let there = own.position[a] + own.velocity[a] * horizon;
            (low[a], high[a]) = (own.position[a].min(there), own.position[a].max(there));
            start[a] = own.live.select(low[a], s.splat(f32::INFINITY)).reduce_min();
            end[a] = own.live.select(high[a], s.splat(f32::NEG_INFINITY)).reduce_max();
        }
        let (found, tree) = (&mut self.lists.pieces, &self.course.pieces);
        tree.list(s, start.map(f64::from), end.map(f64::from), found);
        if found.list.is_empty() {
            return;
        }
        let path = own.velocity.dot(own.velocity).sqrt() * horizon;
        let pieces = self.course.course.pieces();
        let mut worst = Threat { urgency: s.splat(0.0), depth: s.splat(0.0), aside: Vectors::zero(s), outward: Vectors::zero(s) };
        for &found in &found.list {
            let (piece, shift) = (&pieces[index(found)], tree.shift(found));
            let mut meets = own.live;
            for a in 0..D {
                meets = meets & low[a].le(s.splat(piece.high[a] + shift[a])) & s.splat(piece.low[a] + shift[a]).le(high[a]);
            }
            if !meets.any() || harmless(s, piece, shift, own, meets, &avoidance) {
                continue;
            }
            let threat = threat(s, piece, shift, own, path, &avoidance);
            let worse = meets & (threat.urgency + threat.depth).gt(worst.urgency + worst.depth);
            worst = Threat {
                urgency: worse.select(threat.urgency, worst.urgency),
                depth: worse.select(threat.depth, worst.depth),
                aside: Vectors::select(worse, threat.aside, worst.aside),
                outward: Vectors::select(worse, threat.outward, worst.outward),
            };
        }
        let push = worst.aside.unit(s) * worst.urgency + worst.outward.unit(s) * worst.depth;
        *self.force = push * s.splat(avoidance.weight);
    }
}

/// Whether a ball that stands still concerns none of these lanes, found without a root or a division: they are outside of its
/// clearance, and go away from it or pass it by. More than any rounding is left to the formula.
#[inline(always)]
fn harmless<S: Simd, const D: usize>(
    s: S,
    piece: &Piece<[f32; D]>,
    shift: [f32; D],
    own: &Own<S, D>,
    lanes: S::M,
    avoidance: &Avoidance,
) -> bool {
    let Core::Segment { from, length: 0.0, .. } = piece.core else { return false };
    let keep = piece.radius + avoidance.clearance;
    let offset = own.position - Vectors::splat(s, shifted(from, shift));
    let (mut ahead, mut before) = (own.heading, s.splat(0.0));
    if piece.moves {
        // Not of length 1, and need not be: both sides are multiplied by its square.
        ahead = own.velocity - Vectors::splat(s, piece.velocity);
    }
    before = before + ahead.dot(offset);
    let (speed_sq, distance_sq) = (ahead.dot(ahead), offset.dot(offset));
    let near_sq = s.splat(keep * keep) + distance_sq * s.splat(1e-4) + s.splat(f32::MIN_POSITIVE);
    let outside = distance_sq.gt(near_sq);
    let passes = (distance_sq * speed_sq - before * before).gt(near_sq * speed_sq);
    let leaves = before.ge(s.splat(0.0));
    !(lanes & !(outside & (passes | leaves))).any()
}

/// How lanes stand to a piece: `aside` and `outward` not yet of length 1.
#[inline(always)]
fn threat<S: Simd, const D: usize>(
    s: S,
    piece: &Piece<[f32; D]>,
    shift: [f32; D],
    own: &Own<S, D>,
    own_path: S::F,
    avoidance: &Avoidance,
) -> Threat<S, D> {
    let (zero, one) = (s.splat(0.0), s.splat(1.0));
    let keep = s.splat(piece.radius + avoidance.clearance);
    let (mut ahead, mut path) = (own.heading, own_path);
    if piece.moves {
        let relative = own.velocity - Vectors::splat(s, piece.velocity);
        ahead = relative.heading(s).0;
        path = relative.dot(relative).sqrt() * s.splat(avoidance.horizon);
    }
    let (away, comes, until) = match piece.core {
        Core::Segment { from, axis, length } => {
            let from = shifted(from, shift);
            let offset = own.position - Vectors::splat(s, from);
            let axis = Vectors::<S, D>::splat(s, axis);
            let length = s.splat(length);
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
            (away, gap.lt(keep) & gap.lt(now), until)
        }
        Core::Block { low, high } => {
            let (low, high) = (Vectors::<S, D>::splat(s, shifted(low, shift)), Vectors::<S, D>::splat(s, shifted(high, shift)));
            let mut away = own.position;
            let (mut enter, mut leave) = (zero, path);
            let mut misses = s.mask(0);
            for a in 0..D {
                let (x, step) = (own.position[a], ahead[a]);
                away[a] = x - x.max(low[a]).min(high[a]);
                let (from_low, from_high) = ((low[a] - keep) - x, (high[a] + keep) - x);
                let still = step.le(zero) & step.ge(zero);
                misses = misses | (still & (from_low.gt(zero) | from_high.lt(zero)));
                let (near, far) = (from_low / step, from_high / step);
                enter = still.select(enter, near.min(far).max(enter));
                leave = still.select(leave, near.max(far).min(leave));
            }
            (away, !misses & enter.le(leave) & ahead.dot(away).lt(zero), enter)
        }
    };
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
    Threat { urgency, depth, aside, outward: away }
}

#[inline(always)]
fn shifted<const D: usize>(point: [f32; D], shift: [f32; D]) -> [f32; D] {
    let mut moved = point;
    for a in 0..D {
        moved[a] = point[a] + shift[a];
    }
    moved
}
