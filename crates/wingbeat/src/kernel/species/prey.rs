//! Prey: the nearest boid of each chase, kept while candidates pass, and the force towards or away from it.

use wingbeat_steer::{FARSIGHT, MAX_CHASES, MAX_SPECIES};

use crate::block::{Block, Eyes, Other, Own};
use crate::kernel::kinds::{Kinds, SpeciesInBlock};
use crate::kernel::world::World;
use crate::simd::{Float, MAX_LANES, Mask, Simd, Vectors};

/// Notes the kernel writes beside steering in flocks that chase. Columns are f32, so the slot of the captured boid is stored as its
/// bits.
pub(crate) const CAPTURE: usize = 0;
pub(crate) const BUSY: usize = 1;

/// Values of the latter: a chase has prey in range, and one captures it; 0 for the others.
const BUSY_ONLY: f32 = 1.0;
pub(crate) const CAPTURES: f32 = 2.0;

/// Looks for prey, and nothing else.
#[derive(Clone, Copy)]
pub(super) struct ChaseEyes<'a, S: Simd, const D: usize> {
    pub species: &'a [f32],
    pub present: &'a SpeciesInBlock,
    pub prey: ChosenPrey<S, D>,
}

impl<S: Simd, const D: usize> Eyes<S, D> for ChaseEyes<'_, S, D> {
    #[inline(always)]
    fn visit(&mut self, s: S, _own: &Own<S, D>, other: &Other<S, D>) {
        let species = self.species[other.slot] as usize % MAX_SPECIES;
        self.prey.visit(s, self.present, species, other);
    }
}

/// What keeps the nearest prey while candidates pass.
pub(super) trait PreyWatch<S: Simd, const D: usize>: Copy {
    /// Whether no species chases, so that nothing is kept.
    const NONE: bool = false;

    /// A candidate, of whatever species.
    fn visit(&mut self, s: S, present: &SpeciesInBlock, species: usize, other: &Other<S, D>);
}

/// For flocks in which no species chases.
#[derive(Clone, Copy)]
pub(super) struct NoPrey;

impl<S: Simd, const D: usize> PreyWatch<S, D> for NoPrey {
    const NONE: bool = true;

    #[inline(always)]
    fn visit(&mut self, _s: S, _present: &SpeciesInBlock, _species: usize, _other: &Other<S, D>) {}
}

/// The nearest so far of each chase, lane by lane.
#[derive(Clone, Copy)]
pub(super) struct ChosenPrey<S: Simd, const D: usize>([Chosen<S>; MAX_CHASES]);

#[derive(Clone, Copy)]
pub(super) struct Chosen<S: Simd> {
    /// Prey must be nearer than this, squared: just beyond the radius; −1 for lanes without such a chase.
    beyond_sq: S::F,
    /// The squared distance of the nearest found so far; at first `beyond_sq`.
    distance_sq: S::F,
    /// Its slot, as bits.
    slot: S::F,
}

impl<S: Simd, const D: usize> ChosenPrey<S, D> {
    #[inline(always)]
    pub fn none(s: S) -> Self {
        let never = s.splat(-1.0);
        Self([Chosen { beyond_sq: never, distance_sq: never, slot: s.splat(0.0) }; MAX_CHASES])
    }

    /// None found yet, and how far each lane looks.
    #[inline(always)]
    pub fn of(s: S, kinds: &Kinds, present: &SpeciesInBlock) -> Self {
        let mut prey = Self::none(s);
        if present.chased == 0 {
            return prey;
        }
        for &(kind, who) in present.kinds() {
            for nth in 0..MAX_CHASES {
                if let Some(chase) = &kinds.list[kind].chases[nth] {
                    let chosen = &mut prey.0[nth];
                    chosen.beyond_sq = s.mask(who).select(s.splat(chase.radius_sq.next_up()), chosen.beyond_sq);
                    chosen.distance_sq = chosen.beyond_sq;
                }
            }
        }
        prey
    }
}

impl<S: Simd, const D: usize> PreyWatch<S, D> for ChosenPrey<S, D> {
    #[inline(always)]
    fn visit(&mut self, s: S, present: &SpeciesInBlock, species: usize, other: &Other<S, D>) {
        if present.chased >> species & 1 == 0 {
            return;
        }
        let slot = s.splat(f32::from_bits(other.slot as u32));
        for nth in 0..present.most {
            let chosen = &mut self.0[nth % MAX_CHASES];
            let distance_sq = other.distance_sq.max(s.load(&present.chases[nth % MAX_CHASES][species], 0));
            chosen.slot = distance_sq.lt(chosen.distance_sq).select(slot, chosen.slot);
            chosen.distance_sq = chosen.distance_sq.min(distance_sq);
        }
    }
}

/// The force towards or away from the prey, and the notes on it: [`CAPTURE`] and [`BUSY`].
#[inline(always)]
pub(super) fn chase<S: Simd, const D: usize>(
    s: S,
    world: &World<'_, D>,
    kinds: &Kinds,
    present: &SpeciesInBlock,
    block: &Block<S, D>,
    prey: &ChosenPrey<S, D>,
    max_speed: S::F,
) -> (Vectors<S, D>, Vectors<S, D>) {
    let zero = s.splat(0.0);
    let (mut force, mut notes) = (Vectors::zero(s), Vectors::<S, D>::zero(s));
    let mut captors = s.mask(0);
    for nth in 0..kinds.chases {
        let chosen = &prey.0[nth];
        let found = chosen.distance_sq.lt(chosen.beyond_sq) & block.own.live;
        if !found.any() {
            continue;
        }
        let (mut sign, mut ahead, mut weight, mut capture_sq) = (zero, zero, zero, s.splat(-1.0));
        for &(kind, who) in present.kinds() {
            if let Some(chase) = &kinds.list[kind].chases[nth] {
                let mask = s.mask(who);
                sign = mask.select(s.splat(chase.sign), sign);
                ahead = mask.select(s.splat(chase.ahead), ahead);
                weight = mask.select(s.splat(chase.weight), weight);
                capture_sq = mask.select(s.splat(chase.capture_sq), capture_sq);
            }
        }
        let (offset, velocity) = way_to_prey(s, world, block, chosen.slot, found.bits());
        let time = offset.dot(offset).sqrt() / max_speed;
        let far = s.splat(FARSIGHT);
        let time = time.lt(far).select(time, far) * ahead;
        let moving = max_speed.gt(zero);
        let place = Vectors::select(moving, offset + velocity * time, offset);
        let direction = place.unit(s);
        let somewhere = found & direction.largest().gt(zero);
        let wanted = direction * (sign * max_speed) - block.own.velocity;
        force = Vectors::select(found, force + wanted.or_zero(s, somewhere) * weight, force);
        notes[BUSY] = found.select(notes[BUSY].max(s.splat(BUSY_ONLY)), notes[BUSY]);
        let catches = found & chosen.distance_sq.le(capture_sq) & !captors;
        notes[BUSY] = catches.select(s.splat(CAPTURES), notes[BUSY]);
        notes[CAPTURE] = catches.select(chosen.slot, notes[CAPTURE]);
        captors = captors | catches;
    }
    (force, notes)
}

/// The way to the prey in the given slots (as bits) of the given lanes, and its velocity; zero elsewhere. Few lanes have prey, so one
/// lane at a time.
#[inline(always)]
fn way_to_prey<S: Simd, const D: usize>(
    s: S,
    world: &World<'_, D>,
    block: &Block<S, D>,
    slots: S::F,
    lanes: u32,
) -> (Vectors<S, D>, Vectors<S, D>) {
    let mut found = [0.0; MAX_LANES];
    slots.store(&mut found);
    let (mut offsets, mut velocities) = ([[0.0; MAX_LANES]; D], [[0.0; MAX_LANES]; D]);
    for lane in 0..S::LANES {
        if lanes >> lane & 1 == 1 {
            let (own, slot) = (block.first + lane, found[lane].to_bits() as usize);
            for a in 0..D {
                let position = &world.flock.columns.position[a];
                // The nearest image, as in the definition, whichever image it was found through.
                offsets[a][lane] = world.flock.domain.image(a, position[slot] - position[own]);
                velocities[a][lane] = world.flock.columns.velocity[a][slot];
            }
        }
    }
    (Vectors::load(s, &offsets, 0), Vectors::load(s, &velocities, 0))
}
