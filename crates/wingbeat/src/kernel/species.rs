//! The kernel of flocks of several species: each lane has the numbers of its own species, and a candidate that a lane's rules do not
//! count is put out of that lane's range.
//!
//! ```text
//! for each block of consecutive slots of one grid row:
//!     find the species in the block, and which lanes count or chase which species
//!     look: d² ← max(d², ∞ or 0 by the candidate's species); the three rules add up, the nearest prey of each chase is kept
//!     if a boid coincides with one it counts, or species differ too much for one loop: look again, species by species, exactly
//!     weigh responses by lane; chase or flee; drives, obstacles, walls; write steering and notes
//! ```

use wingbeat_steer::MAX_SPECIES;

use super::finish::{store, surrounded};
use super::kinds::{FastLoop, Kind, Kinds, SpeciesInBlock};
use super::list::List;
use super::search::{CandidateSource, look_everywhere, look_through};
use super::world::{Scratch, World};
use crate::block::{Block, Eyes, NearestTest, Other, Own};
use crate::combine::Terms;
use crate::drive::{DriveState, SightDirection};
use crate::grid::{Images, Run};
use crate::rule::own_sights::{OwnSights, OwnSightsEyes, OwnSightsSums};
use crate::rule::shared::{Shared, SharedEyes, SharedSums};
use crate::rule::three::{Three, ThreeSums};
use crate::simd::{Float, Level, Mask, Simd, Vectors, Work, dispatch};

mod prey;

pub(crate) use prey::{BUSY, CAPTURE, CAPTURES};
use prey::{ChaseEyes, ChosenPrey, NoPrey, PreyWatch, chase};

/// What the kernel reads of species.
pub(crate) struct SpeciesColumns<'a> {
    pub kinds: &'a Kinds,
    /// Species of every slot, as whole numbers.
    pub species: &'a [f32],
    /// 1 for boids that rest; `None` where no species has stamina.
    pub resting: Option<&'a [f32]>,
    /// Boids' own maximum speeds, NaN for those without.
    pub max_speed: Option<&'a [f32]>,
}

/// Steers the slots from `first` on, as many as the columns of `out` are long.
#[inline(never)]
pub(crate) fn steer<const D: usize>(
    level: Level,
    columns: &SpeciesColumns<'_>,
    world: &World<'_, D>,
    first: usize,
    out: [&mut [f32]; D],
    notes: [&mut [f32]; D],
    scratch: &mut Scratch<D>,
) {
    dispatch(level, Batch { columns, world, first, out, notes, scratch });
}

struct Batch<'a, const D: usize> {
    columns: &'a SpeciesColumns<'a>,
    world: &'a World<'a, D>,
    first: usize,
    out: [&'a mut [f32]; D],
    notes: [&'a mut [f32]; D],
    scratch: &'a mut Scratch<D>,
}

impl<const D: usize> Work for Batch<'_, D> {
    #[inline(always)]
    fn run<S: Simd>(mut self, s: S) {
        let (world, kinds) = (self.world, self.columns.kinds);
        let end = self.first + self.out[0].len();
        let (mut at, mut row_end) = (self.first, self.first);
        while at < end {
            if at == row_end {
                row_end = world.flock.grid.row_end(world.flock.columns.position(at)).min(end);
            }
            let mut block = Block::load(s, &world.flock, &self.scratch.due, at, S::LANES.min(row_end - at));
            let resting = self.columns.resting.map_or(s.mask(0), |column| s.load(column, at).gt(s.splat(0.0)));
            self.scratch.present.find(s, kinds, self.columns.species, at, block.count, resting.bits());
            let own = block.own;
            let looks = world.drives.as_ref().filter(|driving| driving.looks);
            if let Some(driving) = looks {
                // A boid looks at its leader whether it chases or not: `busy` is not known yet.
                let state = DriveState { resting, ..DriveState::alike(s, driving.max_speed) };
                s.outline(SightDirection { driving, flock: &world.flock, block: &mut block, state: &state });
            }
            let images = world.flock.grid.search(world.flock.columns, block.low, block.high, &mut self.scratch.runs);
            let fast = if images == Images::PerLane { FastLoop::Each } else { kinds.fast_loop };
            let mut prey = ChosenPrey::none(s);
            let sums = match fast {
                FastLoop::Shared if kinds.chases == 0 => {
                    let sums = self.look_shared(s, &block, NoPrey).0;
                    (!coincident(s, kinds, sums.closest_sq, &block)).then(|| sums.split(s))
                }
                FastLoop::Shared => {
                    let none = ChosenPrey::of(s, kinds, &self.scratch.present);
                    let sums;
                    (sums, prey) = self.look_shared(s, &block, none);
                    (!coincident(s, kinds, sums.closest_sq, &block)).then(|| sums.split(s))
                }
                FastLoop::OwnSights => {
                    let none = ChosenPrey::of(s, kinds, &self.scratch.present);
                    let sums;
                    (sums, prey) = self.look_own(s, &block, none);
                    (!coincident(s, kinds, sums.closest_sq, &block)).then(|| sums.split(s))
                }
                FastLoop::Each => None,
            };
            if sums.is_none() && kinds.chases > 0 {
                prey = self.find_prey(s, &block, images);
            }
            let lanes = LaneTraits::new(s, self.columns, &self.scratch.present, &block);
            let weighted = match (&sums, &kinds.alike) {
                (Some(sums), Some(three)) => three.weighted_by(s, sums, &own, lanes.weights, lanes.common_speed),
                _ => self.weighted(s, &block, &own, sums, images),
            };
            // The sight direction was for looking alone.
            block.own = own;
            self.decide(s, &block, (&lanes, resting), &weighted, &prey);
            at += block.count;
        }
    }
}

/// Weights and limits of the lanes: of their species, or a boid's own.
struct LaneTraits<S: Simd> {
    weights: [S::F; 3],
    /// Maximum speed of the species, which rules go by.
    common_speed: S::F,
    /// The boid's own maximum speed, or that of its species.
    max_speed: S::F,
    max_force: S::F,
}

impl<S: Simd> LaneTraits<S> {
    #[inline(always)]
    fn new<const D: usize>(s: S, columns: &SpeciesColumns<'_>, present: &SpeciesInBlock, block: &Block<S, D>) -> Self {
        let (zero, Kinds { list, differ, .. }, kinds) = (s.splat(0.0), columns.kinds, present.kinds());
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
        if let Some(own) = columns.max_speed {
            let own = s.load(own, block.first);
            lanes.max_speed = own.ge(zero).select(own, lanes.common_speed);
        }
        lanes
    }
}

/// Whether a boid of the block coincides with one it counts: the sums are not to be used then.
#[inline(always)]
fn coincident<S: Simd, const D: usize>(s: S, kinds: &Kinds, closest_sq: S::F, block: &Block<S, D>) -> bool {
    (closest_sq.le(s.splat(kinds.coincident_sq)) & block.own.live).any()
}

impl<const D: usize> Batch<'_, D> {
    #[inline(always)]
    fn look_shared<S: Simd, P: PreyWatch<S, D>>(&mut self, s: S, block: &Block<S, D>, prey: P) -> (SharedSums<S, D>, P) {
        let (columns, present) = (self.columns, &*self.scratch.present);
        let (kinds, list) = (present.kinds(), &columns.kinds.list);
        let mut lanes = list[kinds[0].0].shared.lanes(s, &block.own);
        if columns.kinds.differ.sights {
            for &(kind, who) in &kinds[1..] {
                lanes = list[kind].shared.blend(s, &block.own, s.mask(who), &lanes);
            }
        }
        let rules = SharedEyes { lanes, sums: Shared::begin(s) };
        if P::NONE && columns.kinds.mingles {
            // One loop for all lanes, as in flocks without species.
            return (look(s, self.world, &self.scratch.runs, &mut self.scratch.list, rules, block).sums, prey);
        }
        let eyes = KindEyes { species: columns.species, present, rules, prey };
        let eyes = look(s, self.world, &self.scratch.runs, &mut self.scratch.list, eyes, block);
        (eyes.rules.sums, eyes.prey)
    }

    #[inline(always)]
    fn look_own<S: Simd, P: PreyWatch<S, D>>(&mut self, s: S, block: &Block<S, D>, prey: P) -> (OwnSightsSums<S, D>, P) {
        let (columns, present) = (self.columns, &*self.scratch.present);
        let (kinds, list) = (present.kinds(), &columns.kinds.list);
        let mut lanes = list[kinds[0].0].sights.lanes(s, &block.own);
        for &(kind, who) in &kinds[1..] {
            lanes = list[kind].sights.blend(s, &block.own, s.mask(who), &lanes);
        }
        let rules = OwnSightsEyes { lanes, sums: OwnSights::begin(s) };
        let eyes = KindEyes { species: columns.species, present, rules, prey };
        let eyes = look(s, self.world, &self.scratch.runs, &mut self.scratch.list, eyes, block);
        (eyes.rules.sums, eyes.prey)
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
        let (world, columns) = (self.world, self.columns);
        let mut weighted = [Vectors::zero(s); 3];
        for &(kind, who) in self.scratch.present.kinds() {
            let Kind { three, flocks, .. } = &columns.kinds.list[kind];
            let sums = match &sums {
                Some(sums) => *sums,
                None => {
                    let rank = world.flock.identity.rank;
                    let eyes = OneKindEyes { three, flocks: *flocks, species: columns.species, rank, sums: Three::begin(s) };
                    let (runs, list) = (&self.scratch.runs[..], &mut self.scratch.list);
                    look_everywhere(s, world, runs, list, eyes, block, images).sums
                }
            };
            let of_kind = three.weighted(s, &sums, own, &world.flock.identity, &block.seats);
            let mask = s.mask(who);
            for term in 0..3 {
                weighted[term] = Vectors::select(mask, of_kind[term], weighted[term]);
            }
        }
        weighted
    }

    /// The prey of the lanes, where no fast loop has found it.
    #[inline(always)]
    fn find_prey<S: Simd>(&mut self, s: S, block: &Block<S, D>, images: Images) -> ChosenPrey<S, D> {
        let (world, columns, present) = (self.world, self.columns, &*self.scratch.present);
        let eyes = ChaseEyes { species: columns.species, present, prey: ChosenPrey::of(s, columns.kinds, present) };
        look_everywhere(s, world, &self.scratch.runs, &mut self.scratch.list, eyes, block, images).prey
    }

    /// Combination; writes the block's own slots.
    #[inline(always)]
    fn decide<S: Simd>(
        &mut self,
        s: S,
        block: &Block<S, D>,
        (lanes, resting): (&LaneTraits<S>, S::M),
        weighted: &[Vectors<S, D>; 3],
        prey: &ChosenPrey<S, D>,
    ) {
        let (world, columns) = (self.world, self.columns);
        let mut state = DriveState { busy: s.mask(0), resting, max_speed: lanes.common_speed };
        let mut terms = Terms::new(s, &world.prepared.combination, &mut self.scratch.terms);
        for term in 0..3 {
            terms.push(weighted[term]);
        }
        if columns.kinds.chases > 0 {
            let at = block.first - self.first;
            let (force, notes) = chase(s, world, columns.kinds, &self.scratch.present, block, prey, lanes.max_speed);
            terms.push(force);
            store(s, notes, &mut self.notes, at, block.count);
            state.busy = notes[BUSY].gt(s.splat(0.0));
        }
        let terms = surrounded(s, world, block, &state, &mut self.scratch.obstacles, terms);
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
    let found = CandidateSource::new(runs, list, world.prepared.radius_sq);
    look_through(s, world, found, eyes, block).0
}

/// Eyes of the three rules for lanes of several species, and their prey.
#[derive(Clone, Copy)]
struct KindEyes<'a, E, P> {
    species: &'a [f32],
    present: &'a SpeciesInBlock,
    rules: E,
    prey: P,
}

impl<S: Simd, E: Eyes<S, D>, P: PreyWatch<S, D>, const D: usize> Eyes<S, D> for KindEyes<'_, E, P> {
    #[inline(always)]
    fn visit(&mut self, s: S, own: &Own<S, D>, other: &Other<S, D>) {
        let species = self.species[other.slot] as usize % MAX_SPECIES;
        let mut seen = *other;
        seen.distance_sq = other.distance_sq.max(s.load(&self.present.flocks[species], 0));
        self.rules.visit(s, own, &seen);
        self.prey.visit(s, self.present, species, other);
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
            let nearest = NearestTest::new(s, None, self.rank, other.slot);
            self.three.visit(s, &mut self.sums, own, other, &nearest);
        }
    }
}
