//! Whom lanes chase: the nearest of each chase, kept in mind while candidates pass, and what becomes of it.
#![forbid(unsafe_code)]

use wingbeat_steer::{FARSIGHT, MAX_CHASES, MAX_SPECIES};

use super::{BUSY, BUSY_ONLY, CAPTURE, CAPTURES};
use crate::kernel::candidates::Block;
use crate::kernel::eyes::Eyes;
use crate::kernel::kinds::{Kinds, Present};
use crate::kernel::world::World;
use crate::rule::{Other, Own};
use crate::simd::{Float, MAX_LANES, Mask, Simd, Vectors};

/// Looks for those that lanes chase, and nothing else.
#[derive(Clone, Copy)]
pub(super) struct ChaseEyes<'a, S: Simd, const D: usize> {
    pub species: &'a [f32],
    pub present: &'a Present,
    pub picks: Picks<S, D>,
}

impl<S: Simd, const D: usize> Eyes<S, D> for ChaseEyes<'_, S, D> {
    #[inline(always)]
    fn visit(&mut self, s: S, _own: &Own<S, D>, other: &Other<S, D>) {
        let species = self.species[other.slot] as usize % MAX_SPECIES;
        self.picks.visit(s, self.present, species, other);
    }
}

/// Whoever keeps an eye on those that lanes chase.
pub(super) trait Chasing<S: Simd, const D: usize>: Copy {
    /// Whether nobody is ever chased.
    const NOBODY: bool = false;

    /// A candidate, of whatever species.
    fn visit(&mut self, s: S, present: &Present, species: usize, other: &Other<S, D>);
}

/// Of flocks in which nobody chases.
#[derive(Clone, Copy)]
pub(super) struct Nobody;

impl<S: Simd, const D: usize> Chasing<S, D> for Nobody {
    const NOBODY: bool = true;

    #[inline(always)]
    fn visit(&mut self, _s: S, _present: &Present, _species: usize, _other: &Other<S, D>) {}
}

/// The nearest so far of each chase, lane by lane.
#[derive(Clone, Copy)]
pub(super) struct Picks<S: Simd, const D: usize>([Pick<S>; MAX_CHASES]);

#[derive(Clone, Copy)]
pub(super) struct Pick<S: Simd> {
    /// Who is found must be nearer than this, squared: just beyond the radius; −1 for lanes without such a chase.
    beyond_sq: S::F,
    /// The same, and the nearest found.
    distance_sq: S::F,
    /// Its slot, as bits.
    slot: S::F,
}

impl<S: Simd, const D: usize> Picks<S, D> {
    #[inline(always)]
    pub fn none(s: S) -> Self {
        let never = s.splat(-1.0);
        Self([Pick { beyond_sq: never, distance_sq: never, slot: s.splat(0.0) }; MAX_CHASES])
    }

    /// Nobody yet, and how far each lane looks.
    #[inline(always)]
    pub fn of(s: S, kinds: &Kinds, present: &Present) -> Self {
        let mut picks = Self::none(s);
        if present.chased == 0 {
            return picks;
        }
        for &(kind, who) in present.kinds() {
            for nth in 0..MAX_CHASES {
                if let Some(chase) = &kinds.list[kind].chases[nth] {
                    let pick = &mut picks.0[nth];
                    pick.beyond_sq = s.mask(who).select(s.splat(chase.radius_sq.next_up()), pick.beyond_sq);
                    pick.distance_sq = pick.beyond_sq;
                }
            }
        }
        picks
    }
}

impl<S: Simd, const D: usize> Chasing<S, D> for Picks<S, D> {
    #[inline(always)]
    fn visit(&mut self, s: S, present: &Present, species: usize, other: &Other<S, D>) {
        if present.chased >> species & 1 == 0 {
            return;
        }
        let slot = s.splat(f32::from_bits(other.slot as u32));
        for nth in 0..present.most {
            let pick = &mut self.0[nth % MAX_CHASES];
            let distance_sq = other.distance_sq.max(s.load(&present.chases[nth % MAX_CHASES][species], 0));
            pick.slot = distance_sq.lt(pick.distance_sq).select(slot, pick.slot);
            pick.distance_sq = pick.distance_sq.min(distance_sq);
        }
    }
}

/// What the lanes make of those they picked, and the notes on it: [`CAPTURE`] and [`BUSY`].
#[inline(always)]
pub(super) fn chase<S: Simd, const D: usize>(
    s: S,
    world: &World<'_, D>,
    kinds: &Kinds,
    present: &Present,
    block: &Block<S, D>,
    picks: &Picks<S, D>,
    max_speed: S::F,
) -> (Vectors<S, D>, Vectors<S, D>) {
    let zero = s.splat(0.0);
    let (mut force, mut notes) = (Vectors::zero(s), Vectors::<S, D>::zero(s));
    let mut captors = s.mask(0);
    for nth in 0..kinds.chases {
        let pick = &picks.0[nth];
        let found = pick.distance_sq.lt(pick.beyond_sq) & block.own.live;
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
        let (offset, velocity) = picked(s, world, block, pick.slot, found.bits());
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
        let catches = found & pick.distance_sq.le(capture_sq) & !captors;
        notes[BUSY] = catches.select(s.splat(CAPTURES), notes[BUSY]);
        notes[CAPTURE] = catches.select(pick.slot, notes[CAPTURE]);
        captors = captors | catches;
    }
    (force, notes)
}

/// The way to the boids in the slots (as bits) that the given lanes picked, and their velocities; zero elsewhere. Picks are few.
#[inline(always)]
fn picked<S: Simd, const D: usize>(
    s: S,
    world: &World<'_, D>,
    block: &Block<S, D>,
    slots: S::F,
    lanes: u32,
) -> (Vectors<S, D>, Vectors<S, D>) {
    let mut picked = [0.0; MAX_LANES];
    slots.store(&mut picked);
    let (mut offsets, mut velocities) = ([[0.0; MAX_LANES]; D], [[0.0; MAX_LANES]; D]);
    for lane in 0..S::LANES {
        if lanes >> lane & 1 == 1 {
            let (own, slot) = (block.first + lane, picked[lane].to_bits() as usize);
            for a in 0..D {
                let position = &world.columns.position[a];
                // Through whichever image it was found, the definition has the same.
                offsets[a][lane] = world.domain.image(a, position[slot] - position[own]);
                velocities[a][lane] = world.columns.velocity[a][slot];
            }
        }
    }
    (Vectors::load(s, &offsets, 0), Vectors::load(s, &velocities, 0))
}
