//! The forces of drives in lanes: `wingbeat_steer::drive`, operation by operation.

use wingbeat_steer::drive::When;
use wingbeat_steer::noise;

use crate::identity::Identity;
use crate::neighbors::{Block, Keyed, LaneAssignment, SortedFlock};
use crate::simd::{Float, Outlined, Simd, Vectors};
use crate::terms::combine::Terms;
use crate::terms::drive::own::{BlockState, Now};
use crate::terms::drive::{DriveLanes, Driving, LaneDrive, LaneKind, Timing, each_lanes};

/// What drives ask about the boids of a block.
#[derive(Clone, Copy)]
pub(crate) struct DriveState<S: Simd> {
    /// Lanes that flee, pursue or evade another boid.
    pub busy: S::M,
    /// Lanes that regain stamina.
    pub resting: S::M,
    /// Maximum speeds of their species; a boid's own takes their place.
    pub max_speed: S::F,
}

/// All drives of a block: a term each.
pub(crate) struct DriveBlock<'a, 'b, S: Simd, const D: usize> {
    pub driving: &'a Driving<'a, D>,
    pub flock: &'a SortedFlock<'a, D>,
    pub block: &'a Block<S, D>,
    pub state: &'a DriveState<S>,
    pub terms: &'a mut Terms<'b, S, D>,
}

impl<S: Simd, const D: usize> Outlined<S> for DriveBlock<'_, '_, S, D> {
    #[inline(always)]
    fn run(self, s: S) {
        let Self { driving, flock, block, state, terms } = self;
        let drives = driving.drives;
        for (place, (drive, ready)) in driving.list.iter().zip(&drives.ready).enumerate() {
            let at = DriveLanes { driving, flock, block, state, place };
            // Weighted at the end: as in the textbook, a negative weight makes −0 of a drive that
            // does not apply.
            let weight = s.splat(drive.weight);
            if ready.timing == Timing::Off {
                terms.push(Vectors::zero(s) * weight);
                continue;
            }
            let force = each_lanes!(&ready.kind, kind => {
                let force = kind.lane_force(s, &at);
                match ready.timing.drawn() {
                    None => force,
                    Some(part) => {
                        Vectors::select(at.has_set_off(s, part), force, kind.waiting(s, &at))
                    }
                }
            });
            terms.push(force.or_zero(s, at.applies(s, drive)) * weight);
        }
        if driving.own.is_empty() {
            return;
        }
        let now = Now::new(flock.identity.step, driving.time);
        let lanes = BlockState::of(&block.own);
        for (_, drive) in driving.own {
            let force = drive.block(driving.level, &lanes, &now);
            terms.push(Vectors::load(s, &force, 0));
        }
    }
}

/// Makes the boids of a block look at their leaders: their headings become the directions there.
pub(crate) struct SightDirection<'a, S: Simd, const D: usize> {
    pub driving: &'a Driving<'a, D>,
    pub flock: &'a SortedFlock<'a, D>,
    pub block: &'a mut Block<S, D>,
    pub state: &'a DriveState<S>,
}

impl<S: Simd, const D: usize> Outlined<S> for SightDirection<'_, S, D> {
    #[inline(always)]
    fn run(self, s: S) {
        let Self { driving, flock, block, state } = self;
        let (mut turned, mut heading) = (s.first(0), block.own.heading);
        let drives = driving.drives;
        for (place, (drive, ready)) in driving.list.iter().zip(&drives.ready).enumerate() {
            let LaneKind::Leader(leader) = &ready.kind else { continue };
            if !leader.looks() {
                continue;
            }
            let at = DriveLanes { driving, flock, block, state, place };
            let (position, _, has) = leader.parents(s, &at);
            let direction = at.way_to(s, position).unit(s);
            let mut turns =
                has & at.applies(s, drive) & direction.largest().gt(s.splat(0.0)) & !turned;
            match ready.timing {
                Timing::Off => continue,
                Timing::On => {}
                Timing::Drawn(part) => turns = turns & at.has_set_off(s, part),
            }
            heading = Vectors::select(turns, direction, heading);
            turned = turned | turns;
        }
        block.own.heading = heading;
        block.own.at_rest = block.own.at_rest & !turned;
    }
}

/// Lanes whose boids do not wait any more: of their delays, drawn as in `Delay::of`, those below
/// `part` are over.
#[inline(always)]
pub(super) fn has_set_off<S: Simd>(
    s: S,
    identity: &Identity<'_>,
    lane_slots: &LaneAssignment<S>,
    part: f32,
) -> S::M {
    let key = Keyed::new(s, &Identity { step: 0, ..*identity }, lane_slots);
    key.uniform(s, noise::stream::DELAY).lt(s.splat(part))
}

impl<S: Simd, const D: usize> DriveLanes<'_, S, D> {
    /// Lanes whose draw is below this: their delay is over.
    #[inline(always)]
    fn has_set_off(&self, s: S, part: f32) -> S::M {
        has_set_off(s, &self.flock.identity, &self.block.lane_slots, part)
    }

    /// Lanes that a drive acts on now, as far as it is not a matter of time.
    #[inline(always)]
    fn applies(&self, s: S, drive: &wingbeat_steer::Drive<[f32; D]>) -> S::M {
        let applies = match drive.when {
            When::Always => s.first(S::LANES),
            When::Idle => !(self.state.busy | self.state.resting),
            When::Busy => self.state.busy,
            When::Resting => self.state.resting,
        };
        let (Some(wanted), Some(species)) = (drive.species, self.driving.extra.species.get())
        else {
            return applies;
        };
        let (wanted, species) = (
            s.splat(wanted.get() as f32),
            self.block.lane_slots.numbers(s, self.flock, species, self.block.count),
        );
        applies & species.le(wanted) & wanted.le(species)
    }
}
