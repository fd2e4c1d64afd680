//! Room 2 for flocks of several species: the same blocks and candidates; each lane has the numbers of its own species, and a
//! candidate that a lane's rules do not count is out of that lane's range.
#![forbid(unsafe_code)]

use wingbeat_steer::{FARSIGHT, MAX_CHASES, MAX_SPECIES, Vector};

use super::candidates::Block;
use super::chosen::Listed;
use super::eyes::Eyes;
use super::kinds::{Kind, Kinds, Loops, Present};
use super::world::{Scratch, World};
use super::{Found, look_everywhere, look_through, store};
use crate::combine::{Terms, wall_force};
use crate::grid::Images;
use crate::rule::nearest::Choice;
use crate::rule::own_sights::{OwnSights, OwnSightsLanes, OwnSightsSums};
use crate::rule::shared::{Shared, SharedLanes, SharedSums};
use crate::rule::three::{Three, ThreeSums};
use crate::rule::{Other, Own};
use crate::simd::{Float, Level, MAX_LANES, Mask, Simd, Vectors, Work, dispatch};

/// What the kernel reads of species.
pub(crate) struct Society<'a> {
    pub kinds: &'a Kinds,
    /// Species of every slot, as whole numbers.
    pub species: &'a [f32],
    /// 1 for who rests.
    pub resting: &'a [f32],
    /// Boids' own maximum speeds, NaN for who has none.
    pub max_speed: Option<&'a [f32]>,
}

/// What it writes beside steering, for flocks that chase: the slot captured plus one, as bits, and 1 for who is busy.
pub(crate) const CAPTURE: usize = 0;
pub(crate) const BUSY: usize = 1;

/// Steers the slots from `first` on, as many as the columns of `out` are long.
pub(crate) fn steer<const D: usize>(
    level: Level,
    society: &Society<'_>,
    world: &World<'_, D>,
    first: usize,
    out: [&mut [f32]; D],
    notes: [&mut [f32]; D],
    scratch: &mut Scratch<D>,
) where
    [f32; D]: Vector,
{
    dispatch(level, Batch { society, world, first, out, notes, scratch });
}

struct Batch<'a, const D: usize>
where
    [f32; D]: Vector,
{
    society: &'a Society<'a>,
    world: &'a World<'a, D>,
    first: usize,
    out: [&'a mut [f32]; D],
    notes: [&'a mut [f32]; D],
    scratch: &'a mut Scratch<D>,
}

impl<const D: usize> Work for Batch<'_, D>
where
    [f32; D]: Vector,
{
    #[inline(always)]
    fn run<S: Simd>(mut self, s: S) {
        let (world, kinds) = (self.world, self.society.kinds);
        let end = self.first + self.out[0].len();
        let (mut at, mut row_end) = (self.first, self.first);
        while at < end {
            if at == row_end {
                row_end = world.grid.row_end(world.columns.position(at)).min(end);
            }
            let block = Block::load(s, world, &self.scratch.active, at, S::LANES.min(row_end - at));
            let resting = s.load(self.society.resting, at).gt(s.splat(0.0)).bits();
            let present = Present::find(kinds, self.society.species, at, block.count, resting);
            let images = world.grid.search(world.columns, block.low, block.high, &mut self.scratch.runs);
            let fast = if images == Images::PerLane { Loops::Each } else { kinds.loops };
            let mut picks = Picks::none(s);
            let sums = match fast {
                Loops::Shared => {
                    let eyes = shared_eyes(s, self.society, &block, &present);
                    let eyes = self.look(s, eyes, &block);
                    picks = eyes.picks;
                    (!coincident(s, kinds, eyes.sums.closest_sq, &block)).then(|| eyes.sums.split(s))
                }
                Loops::OwnSights => {
                    let eyes = own_eyes(s, self.society, &block, &present);
                    let eyes = self.look(s, eyes, &block);
                    picks = eyes.picks;
                    (!coincident(s, kinds, eyes.sums.closest_sq, &block)).then(|| eyes.sums.split(s))
                }
                Loops::Each => None,
            };
            if sums.is_none() && kinds.chases {
                picks = self.pick(s, &block, &present, images);
            }
            let weighted = self.weighted(s, &block, &present, sums, images);
            self.decide(s, &block, &present, &weighted, &picks);
            at += block.count;
        }
    }
}

/// Whether a boid of the block stands on somebody it counts, so that the sums mean nothing.
#[inline(always)]
fn coincident<S: Simd, const D: usize>(s: S, kinds: &Kinds, closest_sq: S::F, block: &Block<S, D>) -> bool {
    (closest_sq.le(s.splat(kinds.coincident_sq)) & block.own.live).any()
}

#[inline(always)]
fn shared_eyes<'p, S: Simd, const D: usize>(
    s: S,
    society: &'p Society<'_>,
    block: &Block<S, D>,
    present: &'p Present,
) -> KindEyes<'p, S, SharedLanes<S>, SharedSums<S, D>, D> {
    let list = &society.kinds.list;
    let mut lanes = list[present.kinds[0].0].shared.lanes(s, &block.own);
    for &(kind, who) in &present.kinds[1..present.len] {
        lanes = list[kind].shared.blend(s, &block.own, s.mask(who), &lanes);
    }
    KindEyes { species: society.species, present, lanes, sums: Shared::begin(s), picks: Picks::of(s, society.kinds, present) }
}

#[inline(always)]
fn own_eyes<'p, S: Simd, const D: usize>(
    s: S,
    society: &'p Society<'_>,
    block: &Block<S, D>,
    present: &'p Present,
) -> KindEyes<'p, S, OwnSightsLanes<S>, OwnSightsSums<S, D>, D> {
    let list = &society.kinds.list;
    let mut lanes = list[present.kinds[0].0].sights.lanes(s, &block.own);
    for &(kind, who) in &present.kinds[1..present.len] {
        lanes = list[kind].sights.blend(s, &block.own, s.mask(who), &lanes);
    }
    KindEyes { species: society.species, present, lanes, sums: OwnSights::begin(s), picks: Picks::of(s, society.kinds, present) }
}

impl<const D: usize> Batch<'_, D>
where
    [f32; D]: Vector,
{
    /// What `eyes` see from the block where images are fixed.
    #[inline(always)]
    fn look<S: Simd, E: Eyes<S, D>>(&mut self, s: S, eyes: E, block: &Block<S, D>) -> E {
        let reach_sq = self.world.prepared.radius_sq;
        let (runs, list) = (&self.scratch.runs[..], &mut *self.scratch.list);
        look_through(s, self.world, Found { runs, list, reach_sq, listed: Listed::default() }, eyes, block).0
    }

    /// The weighted responses of separation, alignment and cohesion, each lane under the rules of its species. Without sums every
    /// species of the block looks about by itself, coincident boids and tiny boxes included.
    #[inline(always)]
    fn weighted<S: Simd>(
        &mut self,
        s: S,
        block: &Block<S, D>,
        present: &Present,
        sums: Option<ThreeSums<S, D>>,
        images: Images,
    ) -> [Vectors<S, D>; 3] {
        let (world, society) = (self.world, self.society);
        let mut weighted = [Vectors::zero(s); 3];
        for &(kind, who) in &present.kinds[..present.len] {
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
            let of_kind = three.weighted(s, &sums, &block.own, &world.whose, &block.seats);
            let mask = s.mask(who);
            for term in 0..3 {
                weighted[term] = Vectors::select(mask, of_kind[term], weighted[term]);
            }
        }
        weighted
    }

    /// Whom the lanes chase, where the fast loops do not say.
    #[inline(always)]
    fn pick<S: Simd>(&mut self, s: S, block: &Block<S, D>, present: &Present, images: Images) -> Picks<S, D> {
        let (world, society) = (self.world, self.society);
        let eyes = ChaseEyes { species: society.species, present, picks: Picks::of(s, society.kinds, present) };
        look_everywhere(s, world, &self.scratch.runs, &mut self.scratch.list, eyes, block, images).picks
    }

    /// Combination; writes the block's own slots.
    #[inline(always)]
    fn decide<S: Simd>(
        &mut self,
        s: S,
        block: &Block<S, D>,
        present: &Present,
        weighted: &[Vectors<S, D>; 3],
        picks: &Picks<S, D>,
    ) {
        let (world, society) = (self.world, self.society);
        let mut terms = Terms::new(s, &world.prepared.combination, &mut self.scratch.terms);
        for term in 0..3 {
            terms.push(weighted[term]);
        }
        let mut limits: OwnLimits<S> = OwnLimits { max_speed: s.splat(0.0), max_force: s.splat(0.0) };
        for &(kind, who) in &present.kinds[..present.len] {
            let (agent, mask) = (&society.kinds.list[kind].agent, s.mask(who));
            limits.max_speed = mask.select(s.splat(agent.max_speed), limits.max_speed);
            limits.max_force = mask.select(s.splat(agent.max_force), limits.max_force);
        }
        if let Some(own) = society.max_speed {
            let own = s.load(own, block.first);
            limits.max_speed = own.ge(s.splat(0.0)).select(own, limits.max_speed);
        }
        if society.kinds.chases {
            let at = block.first - self.first;
            let (force, notes) = chase(s, world, society.kinds, present, block, picks, limits.max_speed);
            terms.push(force);
            store(s, notes, &mut self.notes, at, block.count);
        }
        terms.push(wall_force(s, world.domain, block.own.position));
        let steering = world.prepared.combination.combine_within(s, &terms, limits.max_force);
        store(s, steering, &mut self.out, block.first - self.first, block.count);
    }
}

/// Limits of the lanes.
struct OwnLimits<S: Simd> {
    max_speed: S::F,
    max_force: S::F,
}

/// What the lanes make of those they picked, and the notes on it: [`CAPTURE`] and [`BUSY`].
#[inline(always)]
fn chase<S: Simd, const D: usize>(
    s: S,
    world: &World<'_, D>,
    kinds: &Kinds,
    present: &Present,
    block: &Block<S, D>,
    picks: &Picks<S, D>,
    max_speed: S::F,
) -> (Vectors<S, D>, Vectors<S, D>)
where
    [f32; D]: Vector,
{
    let zero = s.splat(0.0);
    let (mut force, mut notes) = (Vectors::zero(s), Vectors::<S, D>::zero(s));
    let mut captors = s.mask(0);
    for nth in 0..MAX_CHASES {
        let pick = &picks.0[nth];
        let found = pick.distance_sq.lt(s.splat(f32::INFINITY)) & block.own.live;
        if !found.any() {
            continue;
        }
        let (mut sign, mut ahead, mut weight, mut capture_sq) = (zero, zero, zero, s.splat(-1.0));
        for &(kind, who) in &present.kinds[..present.len] {
            if let Some(chase) = &kinds.list[kind].chases[nth] {
                let mask = s.mask(who);
                sign = mask.select(s.splat(chase.sign), sign);
                ahead = mask.select(s.splat(chase.ahead), ahead);
                weight = mask.select(s.splat(chase.weight), weight);
                capture_sq = mask.select(s.splat(chase.capture_sq), capture_sq);
            }
        }
        let velocity = velocities(s, world, pick.slot, found.bits());
        let time = pick.offset.dot(pick.offset).sqrt() / max_speed;
        let far = s.splat(FARSIGHT);
        let time = time.lt(far).select(time, far) * ahead;
        let moving = max_speed.gt(zero);
        let place = Vectors::select(moving, pick.offset + velocity * time, pick.offset);
        let direction = place.unit(s);
        let somewhere = found & direction.largest().gt(zero);
        let wanted = direction * (sign * max_speed) - block.own.velocity;
        force = Vectors::select(found, force + wanted.or_zero(s, somewhere) * weight, force);
        notes[BUSY] = found.select(s.splat(1.0), notes[BUSY]);
        let catches = found & pick.distance_sq.le(capture_sq) & !captors;
        notes[CAPTURE] = catches.select(pick.slot, notes[CAPTURE]);
        captors = captors | catches;
    }
    (force, notes)
}

/// Velocities of the boids in the slots of the given lanes (plus one, as bits), zero elsewhere. Picks are few.
#[inline(always)]
fn velocities<S: Simd, const D: usize>(s: S, world: &World<'_, D>, slots: S::F, lanes: u32) -> Vectors<S, D>
where
    [f32; D]: Vector,
{
    let (mut picked, mut columns) = ([0.0; MAX_LANES], [[0.0; MAX_LANES]; D]);
    slots.store(&mut picked);
    for lane in 0..S::LANES {
        if lanes >> lane & 1 == 1 {
            let slot = picked[lane].to_bits() as usize - 1;
            for a in 0..D {
                columns[a][lane] = world.columns.velocity[a][slot];
            }
        }
    }
    Vectors::load(s, &columns, 0)
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
struct KindEyes<'a, S: Simd, L, Sums, const D: usize> {
    species: &'a [f32],
    present: &'a Present,
    lanes: L,
    sums: Sums,
    picks: Picks<S, D>,
}

impl<S: Simd, L: Rules<S, Sums, D>, Sums: Copy, const D: usize> Eyes<S, D> for KindEyes<'_, S, L, Sums, D> {
    #[inline(always)]
    fn visit(&mut self, s: S, own: &Own<S, D>, other: &Other<S, D>) {
        let species = self.species[other.slot] as usize % MAX_SPECIES;
        let counted = s.mask(self.present.flocks[species]);
        let mut seen = *other;
        seen.distance_sq = counted.select(other.distance_sq, s.splat(f32::INFINITY));
        self.lanes.visit(&mut self.sums, own, &seen);
        if self.present.chased >> species & 1 == 1 {
            self.picks.visit(s, self.present, species, other);
        }
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

/// Looks for those that lanes chase, and nothing else.
#[derive(Clone, Copy)]
struct ChaseEyes<'a, S: Simd, const D: usize> {
    species: &'a [f32],
    present: &'a Present,
    picks: Picks<S, D>,
}

impl<S: Simd, const D: usize> Eyes<S, D> for ChaseEyes<'_, S, D> {
    #[inline(always)]
    fn visit(&mut self, s: S, _own: &Own<S, D>, other: &Other<S, D>) {
        let species = self.species[other.slot] as usize % MAX_SPECIES;
        if self.present.chased >> species & 1 == 1 {
            self.picks.visit(s, self.present, species, other);
        }
    }
}

/// The nearest so far of each chase, lane by lane.
#[derive(Clone, Copy)]
struct Picks<S: Simd, const D: usize>([Pick<S, D>; MAX_CHASES]);

#[derive(Clone, Copy)]
struct Pick<S: Simd, const D: usize> {
    /// How far lanes look; −1 for those without such a chase.
    radius_sq: S::F,
    /// Infinite where nobody was found.
    distance_sq: S::F,
    offset: Vectors<S, D>,
    /// Its slot plus one, as bits.
    slot: S::F,
}

impl<S: Simd, const D: usize> Picks<S, D> {
    #[inline(always)]
    fn none(s: S) -> Self {
        let (radius_sq, distance_sq) = (s.splat(-1.0), s.splat(f32::INFINITY));
        Self([Pick { radius_sq, distance_sq, offset: Vectors::zero(s), slot: s.splat(0.0) }; MAX_CHASES])
    }

    /// Nobody yet, and how far each lane looks.
    #[inline(always)]
    fn of(s: S, kinds: &Kinds, present: &Present) -> Self {
        let mut picks = Self::none(s);
        if present.chased == 0 {
            return picks;
        }
        for &(kind, who) in &present.kinds[..present.len] {
            for nth in 0..MAX_CHASES {
                if let Some(chase) = &kinds.list[kind].chases[nth] {
                    let pick = &mut picks.0[nth];
                    pick.radius_sq = s.mask(who).select(s.splat(chase.radius_sq), pick.radius_sq);
                }
            }
        }
        picks
    }

    /// A candidate of a species that somebody in the block chases.
    #[inline(always)]
    fn visit(&mut self, s: S, present: &Present, species: usize, other: &Other<S, D>) {
        for nth in 0..MAX_CHASES {
            let who = present.chases[nth][species];
            if who == 0 {
                continue;
            }
            let pick = &mut self.0[nth];
            let nearer = s.mask(who) & other.distance_sq.le(pick.radius_sq) & other.distance_sq.lt(pick.distance_sq);
            pick.distance_sq = nearer.select(other.distance_sq, pick.distance_sq);
            pick.offset = Vectors::select(nearer, other.offset, pick.offset);
            pick.slot = nearer.select(s.splat(f32::from_bits(other.slot as u32 + 1)), pick.slot);
        }
    }
}
