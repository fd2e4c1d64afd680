//! Prey: the nearest boid of each species that a boid flees, pursues or evades, and the force it
//! makes.
//!
//! ```text
//! for each candidate of a species that some lane chases, ascending: keep it where it is nearer
//! for each interaction, in lanes that found one: a force toward or away from its place, now or
//!     ahead
//! write which boids are busy, and the slot of the prey within capture range
//! ```

use wingbeat_steer::{FARSIGHT, MAX_CHASES, MAX_SPECIES};

use super::blocks::PassContext;
use crate::kernel::input::StepInput;
use crate::neighbors::{Block, BlockLanes, Candidate, CandidateVisitor};
use crate::simd::{Float, MAX_LANES, Mask, Outlined, Simd, Vectors, Whole};
use crate::terms::species_table::{
    LaneDistances, LaneTraits, SpeciesInBlock, SpeciesRow, SpeciesTable,
};

/// No slot: the prey of a boid that captures no boid.
pub(crate) const NO_PREY: u32 = u32::MAX;

/// The prey that the lanes of a block search.
#[derive(Debug)]
pub(super) struct PreyFilter {
    /// By the n-th interaction and the candidate's species, a lower bound of its squared distance:
    /// infinite in lanes that do not chase it, 0 elsewhere.
    lanes: [[LaneDistances; MAX_SPECIES]; MAX_CHASES],
    /// Species that some lane chases, a bit each.
    species: u64,
}

impl PreyFilter {
    pub fn new() -> Self {
        Self { lanes: [[[0.0; MAX_LANES]; MAX_SPECIES]; MAX_CHASES], species: 0 }
    }

    /// Lanes that rest search none.
    #[inline(always)]
    fn find<S: Simd>(
        &mut self,
        s: S,
        kinds: &SpeciesTable,
        present: &SpeciesInBlock,
        resting: u32,
    ) {
        self.species = 0;
        for other in 0..kinds.list.len() {
            for nth in 0..kinds.chases {
                let is_after = |kind: &SpeciesRow| {
                    kind.chases.get(nth).is_some_and(|chase| chase.other == other)
                };
                let after = present.lanes_where(kinds, is_after) & !resting;
                s.mask(after)
                    .select(s.splat(0.0), s.splat(f32::INFINITY))
                    .store(&mut self.lanes[nth][other]);
                self.species |= u64::from(after != 0) << other;
            }
        }
    }
}

/// The nearest so far of one interaction, lane by lane.
#[derive(Clone, Copy)]
struct ChosenPrey<S: Simd> {
    /// Prey must be nearer than this, squared: just beyond the radius; −1 for lanes without such an
    /// interaction.
    beyond_sq: S::F,
    /// The squared distance of the nearest found so far; at first `beyond_sq`.
    distance_sq: S::F,
    /// Its slot, as bits.
    slot: S::F,
}

impl<S: Simd> ChosenPrey<S> {
    /// Nothing found yet, for each interaction, and how far the lanes look.
    #[inline(always)]
    fn nothing_found(s: S, kinds: &SpeciesTable, present: &SpeciesInBlock) -> [Self; MAX_CHASES] {
        let never = s.splat(-1.0);
        let mut chosen =
            [Self { beyond_sq: never, distance_sq: never, slot: s.splat(0.0) }; MAX_CHASES];
        for &(kind, members) in present.kinds() {
            for (chosen, chase) in chosen.iter_mut().zip(&kinds.list[kind].chases) {
                chosen.beyond_sq =
                    s.mask(members).select(s.splat(chase.radius_sq.next_up()), chosen.beyond_sq);
                chosen.distance_sq = chosen.beyond_sq;
            }
        }
        chosen
    }
}

/// The visitor that finds the nearest prey.
#[derive(Clone, Copy)]
struct ChaseVisitor<'a, S: Simd> {
    species: &'a [u32],
    prey: &'a PreyFilter,
    interactions: usize,
    chosen: [ChosenPrey<S>; MAX_CHASES],
}

impl<S: Simd, const D: usize> CandidateVisitor<S, D> for ChaseVisitor<'_, S> {
    const ANY_BOX: bool = true;

    #[inline(always)]
    fn visit(&mut self, s: S, _own: &BlockLanes<S, D>, other: &Candidate<S, D>) {
        let species = self.species[other.slot] as usize % MAX_SPECIES;
        if self.prey.species >> species & 1 == 0 {
            return;
        }
        let slot = s.splat_whole(other.slot as u32).as_float();
        for nth in 0..self.interactions {
            let chosen = &mut self.chosen[nth % MAX_CHASES];
            let distance_sq =
                other.distance_sq.max(s.load(&self.prey.lanes[nth % MAX_CHASES][species], 0));
            chosen.slot = distance_sq.lt(chosen.distance_sq).select(slot, chosen.slot);
            chosen.distance_sq = chosen.distance_sq.min(distance_sq);
        }
    }
}

/// Finds prey of a block, as a function of its own, and writes the force, busy marks
/// and captures.
pub(super) struct FindPrey<'a, 'b, S: Simd, const D: usize> {
    pub context: &'a mut PassContext<'b, S, D>,
    pub prey: &'a mut PreyFilter,
}

impl<S: Simd, const D: usize> Outlined<S> for FindPrey<'_, '_, S, D> {
    #[inline(always)]
    fn run(self, s: S) {
        let Self { context, prey } = self;
        let (input, block, kinds) = (context.input, context.block, &context.input.prepared.kinds);
        let resting = block.resting(s, &input.flock, input.extra);
        prey.find(s, kinds, context.present, resting.bits());
        let mut chosen = ChosenPrey::nothing_found(s, kinds, context.present);
        if prey.species != 0 {
            let reach =
                chosen.iter().fold(s.splat(0.0), |reach, chosen| reach.max(chosen.beyond_sq));
            let visitor = ChaseVisitor {
                species: input.flock.species,
                prey,
                interactions: kinds.chases,
                chosen,
            };
            chosen = context.candidates.look(s, reach.reduce_max(), visitor).chosen;
        }
        let max_speed = LaneTraits::new(s, kinds, context.present).max_speed;
        let max_speed = block.own_or(s, &input.flock, input.extra.max_speed.get(), max_speed);
        let force = context.decide(s, &chosen, max_speed);
        context.store(s, input.prepared.layout.chase, &force.0);
    }
}

impl<S: Simd, const D: usize> PassContext<'_, S, D> {
    /// The force toward or away from the prey; writes busy marks and captures.
    #[inline(always)]
    fn decide(
        &mut self,
        s: S,
        all: &[ChosenPrey<S>; MAX_CHASES],
        max_speed: S::F,
    ) -> Vectors<S, D> {
        let (input, block, kinds) = (self.input, self.block, &self.input.prepared.kinds);
        let zero = s.splat(0.0);
        let (mut force, mut busy, mut captors) = (Vectors::zero(s), s.mask(0), s.mask(0));
        let mut prey = s.splat(0.0);
        for (nth, chosen) in all.iter().enumerate().take(kinds.chases) {
            let found = chosen.distance_sq.lt(chosen.beyond_sq) & block.own.live;
            if !found.any() {
                continue;
            }
            let (mut sign, mut ahead, mut weight, mut capture_sq) =
                (zero, zero, zero, s.splat(-1.0));
            for &(kind, members) in self.present.kinds() {
                if let Some(chase) = kinds.list[kind].chases.get(nth) {
                    let mask = s.mask(members);
                    sign = mask.select(s.splat(chase.sign), sign);
                    ahead = mask.select(s.splat(chase.ahead), ahead);
                    weight = mask.select(s.splat(chase.weight), weight);
                    capture_sq = mask.select(s.splat(chase.capture_sq), capture_sq);
                }
            }
            let (offset, velocity) = way_to_prey(s, input, block, chosen.slot, found.bits());
            let distance = offset.dot(offset).sqrt();
            let closing = zero - offset.dot(velocity) / distance;
            let speed = max_speed + closing.gt(zero).select(closing, zero);
            // Evasion predicts no further ahead than the other needs to get here.
            let others = sign.lt(zero).select(velocity.dot(velocity).sqrt(), zero);
            let time = distance / others.gt(speed).select(others, speed);
            let far = s.splat(FARSIGHT);
            let time = time.lt(far).select(time, far) * ahead;
            let place = Vectors::select(max_speed.gt(zero), offset + velocity * time, offset);
            let direction = place.unit(s);
            let somewhere = found & direction.largest().gt(zero);
            let wanted = direction * (sign * max_speed) - block.own.velocity;
            force = Vectors::select(found, force + wanted.or_zero(s, somewhere) * weight, force);
            busy = busy | found;
            let catches = found & chosen.distance_sq.le(capture_sq) & !captors;
            prey = catches.select(chosen.slot, prey);
            captors = captors | catches;
        }
        self.store_chase(busy.bits(), captors.bits(), prey);
        force
    }
}

/// The way to the prey in the given slots (as bits) of the given lanes, and its velocity; zero
/// elsewhere. Few lanes have prey, so one lane at a time.
#[inline(always)]
fn way_to_prey<S: Simd, const D: usize>(
    s: S,
    input: &StepInput<'_, D>,
    block: &Block<S, D>,
    slots: S::F,
    lanes: u32,
) -> (Vectors<S, D>, Vectors<S, D>) {
    let mut found = [0.0; MAX_LANES];
    slots.store(&mut found);
    let (mut offsets, mut velocities) = ([[0.0; MAX_LANES]; D], [[0.0; MAX_LANES]; D]);
    for lane in 0..S::LANES {
        if lanes >> lane & 1 == 1 {
            let (own, slot) = (block.lane_slots.slot(lane), found[lane].to_bits() as usize);
            for a in 0..D {
                let position = &input.flock.columns.position[a];
                // The nearest image, as in the definition, whichever image it was found through.
                offsets[a][lane] = input.flock.domain.image(a, position[slot] - position[own]);
                velocities[a][lane] = input.flock.columns.velocity[a][slot];
            }
        }
    }
    (Vectors::load(s, &offsets, 0), Vectors::load(s, &velocities, 0))
}
