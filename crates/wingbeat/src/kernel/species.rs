//! Room 2 for flocks of several species: the same blocks and candidates; each lane has the numbers of its own species, and a
//! candidate that a lane's rules do not count is out of that lane's range.
#![forbid(unsafe_code)]

use wingbeat_steer::MAX_SPECIES;

use super::candidates::Block;
use super::chosen::Listed;
use super::eyes::{Eyes, SharedEyes};
use super::kinds::{Kind, Kinds, Loops, Present};
use super::world::{List, Scratch, World};
use super::{Found, look_everywhere, look_through, store, surrounded};
use crate::combine::Terms;
use crate::drive::{Gaze, Moods};
use crate::grid::{Images, Run};
use crate::rule::nearest::Choice;
use crate::rule::own_sights::{OwnSights, OwnSightsLanes, OwnSightsSums};
use crate::rule::shared::{Shared, SharedLanes, SharedSums};
use crate::rule::three::{Three, ThreeSums};
use crate::rule::{Other, Own};
use crate::simd::{Float, Level, Mask, Simd, Vectors, Work, dispatch};

mod picks;

use picks::{ChaseEyes, Chasing, Nobody, Picks, chase};

/// What the kernel reads of species.
pub(crate) struct Society<'a> {
    pub kinds: &'a Kinds,
    /// Species of every slot, as whole numbers.
    pub species: &'a [f32],
    /// 1 for who rests, where anybody may.
    pub resting: Option<&'a [f32]>,
    /// Boids' own maximum speeds, NaN for who has none.
    pub max_speed: Option<&'a [f32]>,
}

/// What it writes beside steering, for flocks that chase: the slot of the captured, as bits, and who is busy.
pub(crate) const CAPTURE: usize = 0;
pub(crate) const BUSY: usize = 1;

/// Of the latter: has somebody in range, and captures somebody; 0 for the others.
const BUSY_ONLY: f32 = 1.0;
pub(crate) const CAPTURES: f32 = 2.0;

/// Steers the slots from `first` on, as many as the columns of `out` are long.
#[inline(never)]
pub(crate) fn steer<const D: usize>(
    level: Level,
    society: &Society<'_>,
    world: &World<'_, D>,
    first: usize,
    out: [&mut [f32]; D],
    notes: [&mut [f32]; D],
    scratch: &mut Scratch<D>,
) {
    dispatch(level, Batch { society, world, first, out, notes, scratch });
}

struct Batch<'a, const D: usize> {
    society: &'a Society<'a>,
    world: &'a World<'a, D>,
    first: usize,
    out: [&'a mut [f32]; D],
    notes: [&'a mut [f32]; D],
    scratch: &'a mut Scratch<D>,
}

impl<const D: usize> Work for Batch<'_, D> {
    #[inline(always)]
    fn run<S: Simd>(mut self, s: S) {
        let (world, kinds) = (self.world, self.society.kinds);
        let end = self.first + self.out[0].len();
        let (mut at, mut row_end) = (self.first, self.first);
        while at < end {
            if at == row_end {
                row_end = world.grid.row_end(world.columns.position(at)).min(end);
            }
            let mut block = Block::load(s, world, &self.scratch.active, at, S::LANES.min(row_end - at));
            let resting = self.society.resting.map_or(s.mask(0), |column| s.load(column, at).gt(s.splat(0.0)));
            self.scratch.present.find(s, kinds, self.society.species, at, block.count, resting.bits());
            let own = block.own;
            let looks = world.drives.as_ref().filter(|driving| driving.looks);
            if let Some(driving) = looks {
                // Who looks at a leader does so whomever it chases.
                let moods = Moods { resting, ..Moods::alike(s, driving.max_speed) };
                s.outline(Gaze { driving, world, block: &mut block, moods: &moods });
            }
            let images = world.grid.search(world.columns, block.low, block.high, &mut self.scratch.runs);
            let fast = if images == Images::PerLane { Loops::Each } else { kinds.loops };
            let mut picks = Picks::none(s);
            let sums = match fast {
                Loops::Shared if kinds.chases == 0 => {
                    let sums = self.look_shared(s, &block, Nobody).0;
                    (!coincident(s, kinds, sums.closest_sq, &block)).then(|| sums.split(s))
                }
                Loops::Shared => {
                    let none = Picks::of(s, kinds, &self.scratch.present);
                    let sums;
                    (sums, picks) = self.look_shared(s, &block, none);
                    (!coincident(s, kinds, sums.closest_sq, &block)).then(|| sums.split(s))
                }
                Loops::OwnSights => {
                    let none = Picks::of(s, kinds, &self.scratch.present);
                    let sums;
                    (sums, picks) = self.look_own(s, &block, none);
                    (!coincident(s, kinds, sums.closest_sq, &block)).then(|| sums.split(s))
                }
                Loops::Each => None,
            };
            if sums.is_none() && kinds.chases > 0 {
                picks = self.pick(s, &block, images);
            }
            let lanes = Lanes::new(s, self.society, &self.scratch.present, &block);
            let weighted = match (&sums, &kinds.alike) {
                (Some(sums), Some(three)) => three.weighted_by(s, sums, &own, lanes.weights, lanes.common_speed),
                _ => self.weighted(s, &block, &own, sums, images),
            };
            // Only eyes were turned.
            block.own = own;
            self.decide(s, &block, (&lanes, resting), &weighted, &picks);
            at += block.count;
        }
    }
}

/// What the lanes have of their species and of their own.
struct Lanes<S: Simd> {
    weights: [S::F; 3],
    /// Maximum speed of the species, which rules go by.
    common_speed: S::F,
    /// The boid's own maximum speed, or that of its species.
    max_speed: S::F,
    max_force: S::F,
}

impl<S: Simd> Lanes<S> {
    #[inline(always)]
    fn new<const D: usize>(s: S, society: &Society<'_>, present: &Present, block: &Block<S, D>) -> Self {
        let (zero, Kinds { list, differ, .. }, kinds) = (s.splat(0.0), society.kinds, present.kinds());
        let Kind { agent, weights, .. } = &list[kinds[0].0];
        let common_speed = s.splat(agent.max_speed);
        let mut lanes = Self { weights: [zero; 3], common_speed, max_speed: zero, max_force: s.splat(agent.max_force) };
        for rule in 0..3 {
            lanes.weights[rule] = s.splat(weights[rule]);
        }
        for &(kind, who) in &kinds[1..] {
            let (Kind { agent, weights, .. }, mask) = (&list[kind], s.mask(who));
            lanes.common_speed = mask.select(s.splat(agent.max_speed), lanes.common_speed);
            if differ.max_force {
                lanes.max_force = mask.select(s.splat(agent.max_force), lanes.max_force);
            }
            for rule in 0..3 {
                if differ.weights[rule] {
                    lanes.weights[rule] = mask.select(s.splat(weights[rule]), lanes.weights[rule]);
                }
            }
        }
        lanes.max_speed = lanes.common_speed;
        if let Some(own) = society.max_speed {
            let own = s.load(own, block.first);
            lanes.max_speed = own.ge(zero).select(own, lanes.common_speed);
        }
        lanes
    }
}

/// Whether a boid of the block stands on somebody it counts, so that the sums mean nothing.
#[inline(always)]
fn coincident<S: Simd, const D: usize>(s: S, kinds: &Kinds, closest_sq: S::F, block: &Block<S, D>) -> bool {
    (closest_sq.le(s.splat(kinds.coincident_sq)) & block.own.live).any()
}

impl<const D: usize> Batch<'_, D> {
    #[inline(always)]
    fn look_shared<S: Simd, P: Chasing<S, D>>(&mut self, s: S, block: &Block<S, D>, picks: P) -> (SharedSums<S, D>, P) {
        let (society, present) = (self.society, &*self.scratch.present);
        let (kinds, list) = (present.kinds(), &society.kinds.list);
        let mut lanes = list[kinds[0].0].shared.lanes(s, &block.own);
        if society.kinds.differ.sights {
            for &(kind, who) in &kinds[1..] {
                lanes = list[kind].shared.blend(s, &block.own, s.mask(who), &lanes);
            }
        }
        if P::NOBODY && society.kinds.mingles {
            // As boids that are all alike look.
            let eyes = SharedEyes { shared: lanes, sums: Shared::begin(s) };
            return (look(s, self.world, &self.scratch.runs, &mut self.scratch.list, eyes, block).sums, picks);
        }
        let eyes = KindEyes { species: society.species, present, lanes, sums: Shared::begin(s), picks };
        let eyes = look(s, self.world, &self.scratch.runs, &mut self.scratch.list, eyes, block);
        (eyes.sums, eyes.picks)
    }

    #[inline(always)]
    fn look_own<S: Simd, P: Chasing<S, D>>(&mut self, s: S, block: &Block<S, D>, picks: P) -> (OwnSightsSums<S, D>, P) {
        let (society, present) = (self.society, &*self.scratch.present);
        let (kinds, list) = (present.kinds(), &society.kinds.list);
        let mut lanes = list[kinds[0].0].sights.lanes(s, &block.own);
        for &(kind, who) in &kinds[1..] {
            lanes = list[kind].sights.blend(s, &block.own, s.mask(who), &lanes);
        }
        let eyes = KindEyes { species: society.species, present, lanes, sums: OwnSights::begin(s), picks };
        let eyes = look(s, self.world, &self.scratch.runs, &mut self.scratch.list, eyes, block);
        (eyes.sums, eyes.picks)
    }

    /// The weighted responses of separation, alignment and cohesion, each lane under the rules of its species. Without sums every
    /// species of the block looks about by itself, coincident boids and tiny boxes included.
    #[inline(always)]
    fn weighted<S: Simd>(
        &mut self,
        s: S,
        block: &Block<S, D>,
        own: &Own<S, D>,
        sums: Option<ThreeSums<S, D>>,
        images: Images,
    ) -> [Vectors<S, D>; 3] {
        let (world, society) = (self.world, self.society);
        let mut weighted = [Vectors::zero(s); 3];
        for &(kind, who) in self.scratch.present.kinds() {
            let Kind { three, flocks, .. } = &society.kinds.list[kind];
            let sums = match &sums {
                Some(sums) => *sums,
                None => {
                    let rank = world.whose.rank;
                    let eyes = OneKindEyes { three, flocks: *flocks, species: society.species, rank, sums: Three::begin(s) };
                    let (runs, list) = (&self.scratch.runs[..], &mut self.scratch.list);
                    look_everywhere(s, world, runs, list, eyes, block, images).sums
                }
            };
            let of_kind = three.weighted(s, &sums, own, &world.whose, &block.seats);
            let mask = s.mask(who);
            for term in 0..3 {
                weighted[term] = Vectors::select(mask, of_kind[term], weighted[term]);
            }
        }
        weighted
    }

    /// Whom the lanes chase, where the fast loops do not say.
    #[inline(always)]
    fn pick<S: Simd>(&mut self, s: S, block: &Block<S, D>, images: Images) -> Picks<S, D> {
        let (world, society, present) = (self.world, self.society, &*self.scratch.present);
        let eyes = ChaseEyes { species: society.species, present, picks: Picks::of(s, society.kinds, present) };
        look_everywhere(s, world, &self.scratch.runs, &mut self.scratch.list, eyes, block, images).picks
    }

    /// Combination; writes the block's own slots.
    #[inline(always)]
    fn decide<S: Simd>(
        &mut self,
        s: S,
        block: &Block<S, D>,
        (lanes, resting): (&Lanes<S>, S::M),
        weighted: &[Vectors<S, D>; 3],
        picks: &Picks<S, D>,
    ) {
        let (world, society) = (self.world, self.society);
        let mut moods = Moods { busy: s.mask(0), resting, max_speed: lanes.common_speed };
        let mut terms = Terms::new(s, &world.prepared.combination, &mut self.scratch.terms);
        for term in 0..3 {
            terms.push(weighted[term]);
        }
        if society.kinds.chases > 0 {
            let at = block.first - self.first;
            let (force, notes) = chase(s, world, society.kinds, &self.scratch.present, block, picks, lanes.max_speed);
            terms.push(force);
            store(s, notes, &mut self.notes, at, block.count);
            moods.busy = notes[BUSY].gt(s.splat(0.0));
        }
        let terms = surrounded(s, world, block, &moods, &mut self.scratch.obstacles, terms);
        let steering = world.prepared.combination.combine_within(s, &terms, lanes.max_force);
        store(s, steering, &mut self.out, block.first - self.first, block.count);
    }
}

/// What `eyes` see from the block where images are fixed.
#[inline(always)]
fn look<S: Simd, E: Eyes<S, D>, const D: usize>(
    s: S,
    world: &World<'_, D>,
    runs: &[Run<D>],
    list: &mut List,
    eyes: E,
    block: &Block<S, D>,
) -> E {
    let found = Found { runs, list, reach_sq: world.prepared.radius_sq, listed: Listed::default() };
    look_through(s, world, found, eyes, block).0
}

/// The loops of the three rules in lanes.
trait Rules<S: Simd, Sums, const D: usize>: Copy {
    fn visit(&self, sums: &mut Sums, own: &Own<S, D>, other: &Other<S, D>);
}

impl<S: Simd, const D: usize> Rules<S, SharedSums<S, D>, D> for SharedLanes<S> {
    #[inline(always)]
    fn visit(&self, sums: &mut SharedSums<S, D>, own: &Own<S, D>, other: &Other<S, D>) {
        SharedLanes::visit(self, sums, own, other);
    }
}

impl<S: Simd, const D: usize> Rules<S, OwnSightsSums<S, D>, D> for OwnSightsLanes<S> {
    #[inline(always)]
    fn visit(&self, sums: &mut OwnSightsSums<S, D>, own: &Own<S, D>, other: &Other<S, D>) {
        OwnSightsLanes::visit(self, sums, own, other);
    }
}

/// Lanes of several species under one loop, and whom they chase.
#[derive(Clone, Copy)]
struct KindEyes<'a, L, Sums, P> {
    species: &'a [f32],
    present: &'a Present,
    lanes: L,
    sums: Sums,
    picks: P,
}

impl<S: Simd, L: Rules<S, Sums, D>, Sums: Copy, P: Chasing<S, D>, const D: usize> Eyes<S, D> for KindEyes<'_, L, Sums, P> {
    #[inline(always)]
    fn visit(&mut self, s: S, own: &Own<S, D>, other: &Other<S, D>) {
        let species = self.species[other.slot] as usize % MAX_SPECIES;
        let mut seen = *other;
        seen.distance_sq = other.distance_sq.max(s.load(&self.present.flocks[species], 0));
        self.lanes.visit(&mut self.sums, own, &seen);
        self.picks.visit(s, self.present, species, other);
    }
}

/// Any rules of one species: in all lanes, of which its own count.
#[derive(Clone, Copy)]
struct OneKindEyes<'a, S: Simd, const D: usize> {
    three: &'a Three,
    flocks: u64,
    species: &'a [f32],
    rank: &'a [u32],
    sums: ThreeSums<S, D>,
}

impl<S: Simd, const D: usize> Eyes<S, D> for OneKindEyes<'_, S, D> {
    #[inline(always)]
    fn visit(&mut self, s: S, own: &Own<S, D>, other: &Other<S, D>) {
        if self.flocks >> (self.species[other.slot] as usize % MAX_SPECIES) & 1 == 1 {
            let choice = Choice::new(s, None, self.rank, other.slot);
            self.three.visit(s, &mut self.sums, own, other, &choice);
        }
    }
}
