//! Topological neighbourhoods: which rules look at their nearest alone, and up to whom each boid looks.
#![forbid(unsafe_code)]

use wingbeat_steer::{Params, Perception, knobs::limit, math};

use super::own_sights::Sight;
use super::{Other, Seen};
use crate::combine::MAX_DECLARED;
use crate::simd::{Float, Simd};

/// Most neighbours of such a rule.
pub(crate) const MOST: usize = limit::NEAREST as usize;

/// The host's own rules follow the three.
pub(crate) const FIRST_DECLARED: usize = 3;
const RULES: usize = FIRST_DECLARED + MAX_DECLARED;

/// The rules of a flock that look at their nearest alone; made anew whenever parameters change.
#[derive(Clone, Debug)]
pub(crate) struct Nearest {
    /// Searches that the fast loops make: the three rules', shared where they can be.
    pub groups: Vec<Group>,
    /// The search of each of the three rules, or its squared radius where it looks at everybody (−1: no such rule).
    pub of_rule: [Result<usize, f32>; 3],
    /// Every rule by itself, as the general loop does it.
    pub ranked: Vec<Ranked>,
    /// Whether all rules of the flock are among them.
    pub all: bool,
    pub widest: Widest,
}

/// Beyond this all rules are blind: as wide as the widest of their views.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Widest {
    /// Negative infinity when one of them sees all round.
    pub cos_half: f32,
    /// Square of the distance up to which some rule sees all round, because boids are near or coincide.
    pub round_sq: f32,
    /// No pair further apart is coincident for any rule.
    pub coincident_sq: f32,
    /// About how many lie as near as the last of the nearest, seen or not.
    pub about: f32,
}

/// The k nearest under one sight.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    perception: Perception,
    pub sight: Sight,
    pub k: usize,
}

/// The k nearest of one rule.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ranked {
    pub rule: usize,
    pub seen: Seen,
    pub k: usize,
}

impl Nearest {
    /// `None` where every rule looks at everybody.
    pub fn new(params: &Params, declared: &[Perception]) -> Option<Self> {
        let three = [
            params.separation.map(|r| r.perception),
            params.alignment.map(|r| r.perception),
            params.cohesion.map(|r| r.perception),
        ];
        let three = three.map(|perception| perception.map(|p| params.capped(p)));
        let declared = declared.iter().map(|&p| Some(params.capped(p)));
        let perceptions: Vec<Option<Perception>> = three.into_iter().chain(declared).collect();
        let ranked: Vec<Ranked> = perceptions
            .iter()
            .enumerate()
            .filter_map(|(rule, p)| Some(Ranked { rule, seen: Seen::new(p.as_ref()?), k: p.as_ref()?.nearest? as usize }))
            .collect();
        if ranked.is_empty() {
            return None;
        }
        let mut groups: Vec<Group> = Vec::new();
        let of_rule = three.map(|p| match p {
            None => Err(-1.0),
            Some(p) => p.nearest.map(|k| join(&mut groups, p, k as usize)).ok_or(p.radius * p.radius),
        });
        let all = perceptions.iter().flatten().count() == ranked.len();
        Some(Self { groups, of_rule, widest: Widest::new(&ranked), ranked, all })
    }
}

impl Widest {
    fn new(ranked: &[Ranked]) -> Self {
        let mut widest = Self { cos_half: f32::INFINITY, round_sq: 0.0, coincident_sq: 0.0, about: 0.0 };
        for Ranked { seen, k, .. } in ranked {
            widest.cos_half = math::min(widest.cos_half, seen.cos_half.unwrap_or(f32::NEG_INFINITY));
            widest.coincident_sq = math::max(widest.coincident_sq, seen.coincident_sq);
            widest.round_sq = math::max(widest.round_sq, math::max(seen.near_sq, seen.coincident_sq));
            // The part of a sphere that is in view; a narrow view is left to further rings.
            let part = seen.cos_half.map_or(1.0, |cos_half| math::clamp((1.0 - cos_half) * 0.5, 0.125, 1.0));
            widest.about = math::max(widest.about, *k as f32 / part);
        }
        widest
    }
}

/// The place of the search that serves a rule. Rules that differ in the radius alone share one of the larger radius: whoever is
/// among the k nearest of many and in range is among the k nearest of those in range.
fn join(groups: &mut Vec<Group>, perception: Perception, k: usize) -> usize {
    let alike = |g: &Group| (g.k, g.perception.view, g.perception.near_radius) == (k, perception.view, perception.near_radius);
    let place = groups.iter().position(alike).unwrap_or(groups.len());
    let group = Group { perception, sight: Sight::new(Some(perception)), k };
    match groups.get_mut(place) {
        Some(found) if found.perception.radius >= perception.radius => {}
        Some(found) => *found = group,
        None => groups.push(group),
    }
    place
}

/// How far the boids of a block look: at those before this pair of (d², rank), and at itself.
#[derive(Clone, Copy)]
pub struct Limit<S: Simd> {
    pub(crate) distance_sq: S::F,
    /// The rank in two halves of 16 bits, which floats hold exactly.
    high: S::F,
    low: S::F,
}

impl<S: Simd> Limit<S> {
    /// From keys of [`key`], lane by lane.
    #[inline(always)]
    pub(crate) fn new(s: S, keys: &[u64; crate::simd::MAX_LANES]) -> Self {
        let mut lanes = [[f32::INFINITY; crate::simd::MAX_LANES]; 3];
        for lane in 0..S::LANES {
            // Fewer than k are seen: all of them.
            if keys[lane] != u64::MAX {
                let (high, low) = halves(keys[lane] as u32);
                lanes[0][lane] = f32::from_bits((keys[lane] >> 32) as u32);
                lanes[1][lane] = high;
                lanes[2][lane] = low;
            }
        }
        Self { distance_sq: s.load(&lanes[0], 0), high: s.load(&lanes[1], 0), low: s.load(&lanes[2], 0) }
    }

    /// At all nearer than this, squared.
    #[inline(always)]
    pub(crate) fn below(s: S, distance_sq: S::F) -> Self {
        Self { distance_sq, high: s.splat(-1.0), low: s.splat(-1.0) }
    }

    /// At all up to this distance, squared.
    #[inline(always)]
    pub(crate) fn up_to(s: S, distance_sq: S::F) -> Self {
        Self { distance_sq, high: s.splat(f32::INFINITY), low: s.splat(-1.0) }
    }

    /// Whether one whose rank is at least this, at this squared distance or further, may be looked at.
    #[inline(always)]
    pub(crate) fn admits(&self, s: S, distance_sq: S::F, rank: u32) -> S::M {
        let (high, low) = halves(rank);
        self.covers(distance_sq, s.splat(high), s.splat(low))
    }

    /// Where anybody at the very distance may count.
    #[inline(always)]
    pub(crate) fn inclusive(&self, s: S) -> S::M {
        self.high.ge(s.splat(0.0))
    }

    /// Where ranks decide.
    #[inline(always)]
    pub(crate) fn by_rank(&self, s: S) -> S::M {
        self.high.ge(s.splat(0.0)) & self.high.lt(s.splat(f32::INFINITY))
    }

    #[inline(always)]
    fn covers(&self, distance_sq: S::F, high: S::F, low: S::F) -> S::M {
        let before = high.lt(self.high) | (high.le(self.high) & low.le(self.low));
        distance_sq.lt(self.distance_sq) | (distance_sq.le(self.distance_sq) & before)
    }
}

/// Distance and rank as one number that orders as the pair does: the bits of floats that are not negative order as they do.
#[inline(always)]
pub(crate) fn key(distance_sq: f32, rank: u32) -> u64 {
    u64::from(distance_sq.to_bits()) << 32 | u64::from(rank)
}

#[inline(always)]
fn halves(rank: u32) -> (f32, f32) {
    ((rank >> 16) as f32, (rank & 0xffff) as f32)
}

/// The limits of every rule.
#[derive(Clone, Copy)]
pub struct Limits<S: Simd> {
    of_rule: [Limit<S>; RULES],
    /// The furthest of those of rules that look at their nearest alone.
    pub(crate) furthest: Limit<S>,
}

impl<S: Simd> Limits<S> {
    /// Everybody looks at everybody.
    #[inline(always)]
    pub(crate) fn none(s: S) -> Self {
        let none = Limit::new(s, &[u64::MAX; crate::simd::MAX_LANES]);
        Self { of_rule: [none; RULES], furthest: none }
    }

    #[inline(always)]
    pub(crate) fn set(&mut self, s: S, rule: usize, keys: &[u64; crate::simd::MAX_LANES]) {
        self.of_rule[rule] = Limit::new(s, keys);
    }
}

/// Whether a candidate is among the nearest: the limits, if there are any, and its rank.
#[derive(Clone, Copy)]
pub struct Choice<'a, S: Simd> {
    limits: Option<&'a Limits<S>>,
    high: S::F,
    low: S::F,
}

impl<'a, S: Simd> Choice<'a, S> {
    #[inline(always)]
    pub(crate) fn new(s: S, limits: Option<&'a Limits<S>>, rank: &[u32], slot: usize) -> Self {
        // The rank is of no use without limits.
        let (high, low) = if limits.is_some() { halves(rank[slot]) } else { (0.0, 0.0) };
        Self { limits, high: s.splat(high), low: s.splat(low) }
    }

    /// Of those who see the candidate, those among whose nearest it is.
    #[inline(always)]
    pub(crate) fn among<const D: usize>(&self, rule: usize, other: &Other<S, D>, seen: S::M) -> S::M {
        let Some(limits) = self.limits else { return seen };
        let limit = &limits.of_rule[rule];
        seen & limit.covers(other.distance_sq, self.high, self.low)
    }
}
