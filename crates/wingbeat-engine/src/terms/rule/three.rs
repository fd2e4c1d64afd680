//! Separation, alignment and cohesion: the sums of the loop over candidates. The responses to
//! them are in responses.rs.
//!
//! One loop, compiled in three forms:
//!
//! ```text
//! SHARED: the rules share one field of view, as in most flocks
//!     ahead ← offset · heading ≥ cos(half the field of view) · d
//!                               all round: no test, and no root where no push needs one
//!     separation += offset · f(d)                       where ahead and d² ≤ its radius²
//!     alignment += velocity or heading, cohesion += offset, count += 1
//!                                                       where ahead and d² ≤ radius²
//! OWN: each rule has a range and a field of view of its own, and separation may flee
//!     each sum += its term      where the candidate is in the rule's range and sight
//! EXACT: as OWN; coincident boids are told apart, and limits by rank obeyed
//! ```
//!
//! Separation's f is `1/d − c` for two falloffs, linear (c = 1/r) and inverse (c = 0): one form,
//! and lanes of both kinds in one block. Where few candidates are within separation's radius,
//! SHARED defers it: it keeps the slots of those that are, in order, and adds up their pushes in a
//! second loop over them alone, with offset, root and quotient computed again. The sums keep their
//! order and bits.
//!
//! In the first two, coincident boids are only detected, by the smallest squared distance; the rare
//! block that has such a pair runs again under the third.

use wingbeat_steer::{AlignmentOf, Falloff, Params, Perception, Response, Rules, math};

use crate::neighbors::{
    BlockLanes, Candidate, CandidateVisitor, NearestLimit, NearestLimits, NearestTest,
};
use crate::simd::{Float, Mask, Simd, Sum, Vectors};
use crate::terms::rule::perception::{PreparedPerception, SightLanes};

/// Forms of the loop.
pub(crate) const SHARED: u8 = 0;
pub(crate) const OWN: u8 = 1;
pub(crate) const EXACT: u8 = 2;

/// What separation adds up, which all lanes of a loop share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum SeparationForm {
    /// o·(1/d − c), with c = 1/r or 0 by lane: the linear falloff and the inverse.
    Divided,
    /// o·max(1 − d·(1/r), 0).
    Soft,
    /// o·(1/d²).
    InverseSquare,
    /// Whole velocities away, however far.
    Flee,
}

/// The forms of separation that [`SHARED`] has, for its loop a number known when it is compiled.
pub(crate) const DIVIDED: u8 = 0;
pub(crate) const SOFT: u8 = 1;
pub(crate) const INVERSE_SQUARE: u8 = 2;

/// The view and falloff of [`SHARED`], the same for all species.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SharedForm {
    pub separation: SeparationForm,
    /// No rule of any species has a field of view.
    pub all_round: bool,
    /// Separation waits for a second loop. In three dimensions only: in two it gains nothing.
    pub deferred: bool,
}

/// The three rules prepared for the loop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ThreeSights {
    /// Of separation, alignment and cohesion; [`NONE`](PreparedPerception::NONE) of a rule that is
    /// absent.
    pub of_rule: [PreparedPerception; 3],
    /// `None` without separation.
    pub separation: Option<SeparationForm>,
    /// The c of [`SeparationForm::Divided`]: 1/r, or 0 where the falloff is inverse. 1 without
    /// separation, so that an infinite distance times it is infinite.
    per_separation_radius: f32,
    max_speed: f32,
    /// What alignment averages.
    pub aligned: AlignmentOf,
}

/// The same in lanes, each lane with the numbers of its species.
#[derive(Clone, Copy)]
pub(crate) struct ThreeLanes<S: Simd> {
    of_rule: [SightLanes<S>; 3],
    separation: SeparationForm,
    per_separation_radius: S::F,
    max_speed: S::F,
    aligned: AlignmentOf,
}

/// Running sums of the three rules. A rule that is absent leaves its own untouched.
#[derive(Clone, Copy)]
pub(crate) struct ThreeSums<S: Simd, const D: usize> {
    pub separation: Vectors<S, D>,
    pub alignment: Vectors<S, D>,
    pub cohesion: Vectors<S, D>,
    pub alignment_count: S::F,
    pub cohesion_count: S::F,
    /// Lanes that coincide with a boid that separation sees; known under [`EXACT`].
    pub coincident: S::M,
    /// The smallest squared distance to any candidate; known under the other forms.
    pub closest_sq: S::F,
}

/// What the loops of [`SHARED`] need and add up. No more than that: it is copied for each list.
#[derive(Clone, Copy)]
pub(crate) struct SharedSums<S: Simd, const D: usize> {
    cos_half: S::F,
    separation_sq: S::F,
    radius_sq: S::F,
    per_separation_radius: S::F,
    separation: Vectors<S, D>,
    alignment: Vectors<S, D>,
    cohesion: Vectors<S, D>,
    count: S::F,
    closest_sq: S::F,
    one: S::F,
    zero: S::F,
}

/// The visitor of [`SHARED`], in the loop that is compiled for the view and falloff of all
/// species.
#[derive(Clone, Copy)]
pub(crate) struct SharedVisitor<
    S: Simd,
    const SEPARATION: u8,
    const ALL_ROUND: bool,
    const DEFERRED: bool,
    const D: usize,
>(pub SharedSums<S, D>);

/// The visitor of [`OWN`], or `EXACTLY` of [`EXACT`].
#[derive(Clone, Copy)]
pub(crate) struct OwnVisitor<'a, S: Simd, const EXACTLY: bool, const D: usize> {
    pub lanes: ThreeLanes<S>,
    pub sums: ThreeSums<S, D>,
    /// Where only the nearest count and ids decide, under [`EXACT`].
    pub limits: Option<&'a NearestLimits<S>>,
    pub rank: &'a [u32],
}

/// Square of the part of the other rules' radius up to which separation's is deferred: at 0.6 of it
/// that gains 3 %, at 0.7 it loses 1 to 3 (docs/decisions/0032).
const DEFERRED_BELOW: f32 = 0.6 * 0.6;

impl SharedForm {
    /// Of all species, whose rules share one sight; `ranked` where some rule counts only its
    /// nearest, and how far it looks is not known.
    pub fn new(sights: &[ThreeSights], separation: SeparationForm, ranked: bool) -> Self {
        let furthest = |rules: std::ops::Range<usize>| {
            sights
                .iter()
                .flat_map(|sights| &sights.of_rule[rules.clone()])
                .fold(-1.0, |most, rule| math::max(most, rule.radius_sq))
        };
        let all_round = sights
            .iter()
            .flat_map(|sights| sights.of_rule)
            .all(|rule| rule.cos_half == f32::NEG_INFINITY);
        let deferred = separation == SeparationForm::Divided
            && !ranked
            && furthest(0..1) <= furthest(1..3) * DEFERRED_BELOW;
        Self { separation, all_round, deferred }
    }
}

impl ThreeSights {
    /// Of a species with these rules and maximum speed.
    pub fn new(rules: &Rules, max_speed: f32) -> Self {
        let prepared = |perception: Option<&Perception>| {
            perception.map_or(PreparedPerception::NONE, PreparedPerception::new)
        };
        Self {
            of_rule: perceptions(rules).each_ref().map(|perception| prepared(perception.as_ref())),
            separation: rules.separation.map(|rule| match (rule.response, rule.falloff) {
                (Response::Flee, _) => SeparationForm::Flee,
                (_, Falloff::Linear | Falloff::Inverse) => SeparationForm::Divided,
                (_, Falloff::Soft) => SeparationForm::Soft,
                (_, Falloff::InverseSquare) => SeparationForm::InverseSquare,
            }),
            per_separation_radius: rules.separation.map_or(1.0, |rule| match rule.falloff {
                Falloff::Inverse => 0.0,
                _ => 1.0 / rule.perception.radius,
            }),
            max_speed,
            aligned: rules.alignment.map_or(AlignmentOf::Velocity, |rule| rule.of),
        }
    }

    /// No pair further apart is coincident for any rule.
    pub fn coincident_sq(&self) -> f32 {
        self.of_rule.iter().fold(0.0, |most, sight| math::max(most, sight.coincident_sq))
    }

    /// In the lanes of a block, separation in the form of those that have it.
    #[inline(always)]
    pub fn lanes<S: Simd, const FORM: u8, const D: usize>(
        &self,
        s: S,
        own: &BlockLanes<S, D>,
        separation: SeparationForm,
    ) -> ThreeLanes<S> {
        let mut of_rule = [self.of_rule[0].lanes(s, own); 3];
        if FORM == SHARED {
            // Alignment and cohesion look equally far where both exist; an absent rule's numbers
            // are below those of any other.
            let [separation, alignment, cohesion] = &self.of_rule;
            let cos_half =
                math::max(math::max(separation.cos_half, alignment.cos_half), cohesion.cos_half);
            let radius_sq = math::max(alignment.radius_sq, cohesion.radius_sq);
            of_rule[1] = PreparedPerception { cos_half, radius_sq, ..*alignment }.lanes(s, own);
        } else {
            of_rule[1] = self.of_rule[1].lanes(s, own);
            of_rule[2] = self.of_rule[2].lanes(s, own);
        }
        let (per_separation_radius, max_speed) =
            (s.splat(self.per_separation_radius), s.splat(self.max_speed));
        ThreeLanes { of_rule, separation, per_separation_radius, max_speed, aligned: self.aligned }
    }
}

/// Whether a species' rules, under the flock's neighbor cap, share one sight and separation does
/// not flee; true without rules.
pub(crate) fn share_one_sight(rules: &Rules, params: &Params) -> bool {
    let pushes = rules.separation.is_none_or(|rule| rule.response != Response::Flee);
    let [separation, alignment, cohesion] = perceptions(rules);
    let view = separation.or(alignment).or(cohesion).map(|first| first.view);
    let alike =
        |perception: Perception| Some(perception.view) == view && perception.near_radius <= 0.0;
    let reach = |perception: Perception| (perception.radius, params.capped(perception).nearest);
    let equally_far = alignment.zip(cohesion).is_none_or(|(a, c)| reach(a) == reach(c));
    pushes && equally_far && [separation, alignment, cohesion].into_iter().flatten().all(alike)
}

/// Of separation, alignment and cohesion.
pub(crate) fn perceptions(rules: &Rules) -> [Option<Perception>; 3] {
    [
        rules.separation.map(|rule| rule.perception),
        rules.alignment.map(|rule| rule.perception),
        rules.cohesion.map(|rule| rule.perception),
    ]
}

impl<S: Simd> ThreeLanes<S> {
    /// These in the lanes of `mask`, `others` elsewhere.
    #[inline(always)]
    pub fn blend(&self, mask: S::M, others: &Self) -> Self {
        let mut of_rule = self.of_rule;
        for rule in 0..3 {
            of_rule[rule] = self.of_rule[rule].blend(mask, &others.of_rule[rule]);
        }
        Self {
            of_rule,
            per_separation_radius: mask
                .select(self.per_separation_radius, others.per_separation_radius),
            max_speed: mask.select(self.max_speed, others.max_speed),
            ..*self
        }
    }

    /// Looks no further than this, squared, under each rule, nor than the rule's own radius.
    #[inline(always)]
    pub fn reach<const FORM: u8>(&mut self, of_rule: &[S::F; 3]) {
        self.of_rule[0].radius_sq = self.of_rule[0].radius_sq.min(of_rule[0]);
        if FORM == SHARED {
            self.of_rule[1].radius_sq = self.of_rule[1].radius_sq.min(of_rule[1].max(of_rule[2]));
        } else {
            self.of_rule[1].radius_sq = self.of_rule[1].radius_sq.min(of_rule[1]);
            self.of_rule[2].radius_sq = self.of_rule[2].radius_sq.min(of_rule[2]);
        }
    }

    /// One neighbor's part of separation. The branches go the same way for the whole flock.
    #[inline(always)]
    fn separation_term<const D: usize>(
        &self,
        s: S,
        own: &BlockLanes<S, D>,
        other: &Candidate<S, D>,
    ) -> Vectors<S, D> {
        let one = s.splat(1.0);
        let f = match self.separation {
            SeparationForm::Flee => {
                return own.velocity - other.offset * (self.max_speed / other.distance);
            }
            SeparationForm::Divided => one / other.distance - self.per_separation_radius,
            SeparationForm::Soft => {
                (one - other.distance * self.per_separation_radius).max(s.splat(0.0))
            }
            SeparationForm::InverseSquare => one / other.distance_sq,
        };
        other.offset * f
    }
}

/// Registers that hold sums, in two dimensions and in three.
pub(crate) const MOST_SUMS: usize = 11;

impl<S: Simd, const D: usize> ThreeSums<S, D> {
    /// Three vectors and two counts, one register after the other.
    #[inline(always)]
    pub fn columns(&self, s: S) -> [S::F; MOST_SUMS] {
        let mut columns = [s.splat(0.0); MOST_SUMS];
        for a in 0..D {
            (columns[a], columns[D + a], columns[2 * D + a]) =
                (self.separation[a], self.alignment[a], self.cohesion[a]);
        }
        (columns[3 * D], columns[3 * D + 1]) = (self.alignment_count, self.cohesion_count);
        columns
    }

    /// The sums that columns hold.
    #[inline(always)]
    pub fn of_columns(s: S, columns: &[S::F; MOST_SUMS]) -> Self {
        let mut sums = Self::begin(s);
        for a in 0..D {
            (sums.separation[a], sums.alignment[a], sums.cohesion[a]) =
                (columns[a], columns[D + a], columns[2 * D + a]);
        }
        (sums.alignment_count, sums.cohesion_count) = (columns[3 * D], columns[3 * D + 1]);
        sums
    }

    #[inline(always)]
    pub fn begin(s: S) -> Self {
        Self {
            separation: Vectors::zero(s),
            alignment: Vectors::zero(s),
            cohesion: Vectors::zero(s),
            alignment_count: s.splat(0.0),
            cohesion_count: s.splat(0.0),
            coincident: s.mask(0),
            closest_sq: s.splat(f32::INFINITY),
        }
    }
}

impl<S: Simd, const D: usize> SharedSums<S, D> {
    #[inline(always)]
    pub fn new(s: S, lanes: &ThreeLanes<S>) -> Self {
        let ([inner, outer, _], nothing) = (&lanes.of_rule, Vectors::zero(s));
        Self {
            cos_half: outer.cos_half,
            separation_sq: inner.radius_sq,
            radius_sq: outer.radius_sq,
            per_separation_radius: lanes.per_separation_radius,
            separation: nothing,
            alignment: nothing,
            cohesion: nothing,
            count: s.splat(0.0),
            closest_sq: s.splat(f32::INFINITY),
            one: s.splat(1.0),
            zero: s.splat(0.0),
        }
    }

    /// The limit of each lane.
    #[inline(always)]
    pub fn limit(&self, s: S) -> NearestLimit<S> {
        NearestLimit::up_to(s, self.separation_sq.max(self.radius_sq))
    }

    /// The sums as the other forms have them.
    #[inline(always)]
    pub fn sums(&self, s: S) -> ThreeSums<S, D> {
        ThreeSums {
            separation: self.separation,
            alignment: self.alignment,
            cohesion: self.cohesion,
            alignment_count: s.counted(self.count),
            cohesion_count: s.counted(self.count),
            coincident: s.mask(0),
            closest_sq: self.closest_sq,
        }
    }
}

impl<S: Simd, const SEPARATION: u8, const ALL_ROUND: bool, const DEFERRED: bool, const D: usize>
    SharedVisitor<S, SEPARATION, ALL_ROUND, DEFERRED, D>
{
    /// Lanes that see the candidate, and lanes to which it is close enough to be pushed away from.
    #[inline(always)]
    fn tests(&self, own: &BlockLanes<S, D>, other: &Candidate<S, D>) -> (S::M, S::M) {
        if ALL_ROUND {
            return (
                other.distance_sq.le(self.0.radius_sq),
                other.distance_sq.le(self.0.separation_sq),
            );
        }
        let ahead = other.offset.dot(own.heading).ge(self.0.cos_half * other.distance);
        (
            other.distance_sq.le_within(self.0.radius_sq, ahead),
            other.distance_sq.le_within(self.0.separation_sq, ahead),
        )
    }

    /// The candidate's f, 0 in lanes to which it is not close where masks cost an operation: it is
    /// one for f then, and what is added is 0 of either sign, which changes no sum begun at +0.
    #[inline(always)]
    fn falloff(&self, other: &Candidate<S, D>, close: S::M) -> S::F {
        let f = match SEPARATION {
            DIVIDED => self.0.one / other.distance - self.0.per_separation_radius,
            SOFT => (self.0.one - other.distance * self.0.per_separation_radius).max(self.0.zero),
            _ => self.0.one / other.distance_sq,
        };
        if S::ADDS_UNDER_MASKS { f } else { f.or_zero(close) }
    }

    #[inline(always)]
    fn push_apart(&mut self, axis: usize, other: &Candidate<S, D>, f: S::F, close: S::M) {
        let (sum, apart) = (self.0.separation[axis], other.offset[axis] * f);
        self.0.separation[axis] =
            if S::ADDS_UNDER_MASKS { Float::add_where(sum, close, apart) } else { sum + apart };
    }
}

impl<S: Simd, const SEPARATION: u8, const ALL_ROUND: bool, const DEFERRED: bool, const D: usize>
    CandidateVisitor<S, D> for SharedVisitor<S, SEPARATION, ALL_ROUND, DEFERRED, D>
{
    const DEFERS: bool = DEFERRED;

    #[inline(always)]
    fn visit(&mut self, s: S, own: &BlockLanes<S, D>, other: &Candidate<S, D>) {
        self.visit_or_defer(s, own, other);
    }

    #[inline(always)]
    fn visit_or_defer(&mut self, s: S, own: &BlockLanes<S, D>, other: &Candidate<S, D>) -> bool {
        let (seen, close) = self.tests(own, other);
        self.0.closest_sq = self.0.closest_sq.min(other.distance_sq);
        let f = if DEFERRED { self.0.zero } else { self.falloff(other, close) };
        self.0.count = s.count_where(self.0.count, seen);
        // Axis by axis: no more than AVX2 has registers for is needed at a time.
        for a in 0..D {
            if !DEFERRED {
                self.push_apart(a, other, f, close);
            }
            self.0.cohesion[a] = Float::add_where(self.0.cohesion[a], seen, other.offset[a]);
            self.0.alignment[a] = Float::add_where(self.0.alignment[a], seen, other.aligned[a]);
        }
        DEFERRED && close.any()
    }

    #[inline(always)]
    fn visit_deferred(&mut self, _s: S, own: &BlockLanes<S, D>, other: &Candidate<S, D>) {
        let (_, close) = self.tests(own, other);
        let f = self.falloff(other, close);
        for a in 0..D {
            self.push_apart(a, other, f, close);
        }
    }
}

impl<S: Simd, const EXACTLY: bool, const D: usize> CandidateVisitor<S, D>
    for OwnVisitor<'_, S, EXACTLY, D>
{
    const HOT: bool = !EXACTLY;

    #[inline(always)]
    fn visit(&mut self, s: S, own: &BlockLanes<S, D>, other: &Candidate<S, D>) {
        let ahead = other.offset.dot(own.heading);
        let nearest =
            NearestTest::new(s, if EXACTLY { self.limits } else { None }, self.rank, other.slot);
        let (sums, lanes) = (&mut self.sums, &self.lanes);
        let mut seen = [s.mask(0); 3];
        for rule in 0..3 {
            seen[rule] = lanes.of_rule[rule].seen(other, ahead);
            if EXACTLY {
                // Who coincides has no direction, and is seen.
                let coincident = other.distance_sq.le(lanes.of_rule[rule].coincident_sq);
                seen[rule] = nearest.among(rule, other, seen[rule] | coincident);
            }
        }
        if EXACTLY {
            let coincident = other.distance_sq.le(lanes.of_rule[0].coincident_sq) & seen[0];
            sums.coincident = sums.coincident | coincident;
            seen[0] = seen[0] & !coincident;
        } else {
            sums.closest_sq = sums.closest_sq.min(other.distance_sq);
        }
        sums.separation = sums.separation.add_where(seen[0], lanes.separation_term(s, own, other));
        // Species that average velocities among others that average headings look one species at a
        // time.
        let velocity = EXACTLY && lanes.aligned == AlignmentOf::Velocity;
        sums.alignment = sums
            .alignment
            .add_where(seen[1], if velocity { other.velocity } else { other.aligned });
        sums.alignment_count = Float::add_where(sums.alignment_count, seen[1], s.splat(1.0));
        sums.cohesion = sums.cohesion.add_where(seen[2], other.offset);
        sums.cohesion_count = Float::add_where(sums.cohesion_count, seen[2], s.splat(1.0));
    }

    #[inline(always)]
    fn limit(&mut self, s: S) -> NearestLimit<S> {
        match self.limits {
            Some(limits) if EXACTLY => limits.furthest,
            _ => {
                let [separation, alignment, cohesion] = &self.lanes.of_rule;
                NearestLimit::up_to(
                    s,
                    separation.radius_sq.max(alignment.radius_sq).max(cohesion.radius_sq),
                )
            }
        }
    }
}
