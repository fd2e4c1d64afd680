//! From a block to what its eyes see: through all runs within reach, a list at a time.

use super::candidates::{Collector, Consume, DIRECT, NEAREST, SHIFTED};
use super::crowd::look_about;
use super::filter::SpeciesFilter;
use super::kinds::SpeciesInBlock;
use super::list::{List, Listed};
use super::nearest_eyes::Reach;
use super::world::World;
use crate::block::{Block, Eyes};
use crate::grid::{Images, Run};
use crate::simd::{Outlined, Simd};

/// Where candidates come from.
pub(super) struct CandidateSource<'a, const D: usize> {
    pub runs: &'a [Run<D>],
    pub list: &'a mut List,
    /// Square of how far to look.
    pub reach_sq: f32,
    /// What the list holds already, all of them; nothing if it has to be filled from the runs.
    pub listed: Listed,
}

/// Where the nearest lie within this part of the squared radius, candidates are listed anew for the sums, up to there.
const LIST_ANEW: f32 = 0.6;

impl<'a, const D: usize> CandidateSource<'a, D> {
    /// All candidates of the runs up to a distance, squared.
    #[inline(always)]
    pub fn new(runs: &'a [Run<D>], list: &'a mut List, reach_sq: f32) -> Self {
        Self { runs, list, reach_sq, listed: Listed::default() }
    }

    /// Those within reach, or within the radius where there is no reach.
    #[inline(always)]
    pub fn within<S: Simd>(runs: &'a [Run<D>], list: &'a mut List, radius_sq: f32, reach: &Option<Reach<S>>) -> Self {
        let Some(reach) = reach else { return Self::new(runs, list, radius_sq) };
        let kept = reach.listed.chosen || reach.largest_sq >= radius_sq * LIST_ANEW;
        Self { runs, list, reach_sq: reach.largest_sq, listed: if kept { reach.listed } else { Listed::default() } }
    }
}

/// What `eyes` see from the block through runs of fixed shifts, up to a distance that they may shorten; and what one list held, if
/// that was all, seen directly.
#[inline(always)]
pub(super) fn look_through<S: Simd, E: Eyes<S, D>, const D: usize>(
    s: S,
    world: &World<'_, D>,
    found: CandidateSource<'_, D>,
    mut eyes: E,
    block: &Block<S, D>,
) -> (E, Listed) {
    let CandidateSource { runs, list, reach_sq, listed } = found;
    if let Some(fine) = world.flock.fine
        && listed.len == 0
    {
        return (look_about::<S, E, false, D>(s, world, fine, runs, list, eyes, block), Listed::default());
    }
    let mut collector = Collector::new(runs, reach_sq, listed);
    let (mut lists, mut direct) = (0, Listed::default());
    while let Some(shift) = collector.fill(s, world, block, list, false) {
        let list = &list[..collector.len];
        lists += 1;
        let own = collector.own;
        direct = match lists {
            1 if !collector.shifted => Listed { len: list.len(), own, chosen: false },
            _ => Listed::default(),
        };
        if collector.shifted {
            s.outline(Consume::<S, E, SHIFTED, false, D> { world, block, list, own, shift, eyes: &mut eyes });
        } else {
            s.outline(Consume::<S, E, DIRECT, true, D> { world, block, list, own, shift, eyes: &mut eyes });
        }
        collector.reach_sq = eyes.narrow(s, &block.own, collector.reach_sq);
    }
    (eyes, direct)
}

/// The same of candidates that the boids' species count.
#[inline(always)]
pub(super) fn look_counting<S: Simd, E: Eyes<S, D>, const D: usize>(
    s: S,
    world: &World<'_, D>,
    found: CandidateSource<'_, D>,
    eyes: E,
    block: &Block<S, D>,
    present: &SpeciesInBlock,
) -> (E, Listed) {
    if world.prepared.kinds.mingles {
        return look_through(s, world, found, eyes, block);
    }
    let (counted, listed) = look_through(s, world, found, SpeciesFilter { species: world.flock.species, present, eyes }, block);
    (counted.eyes, listed)
}

/// What eyes see in any box, each lane through its own nearest images where the block sees any: for passes that are too rare for a loop of
/// their own with fixed shifts.
#[inline(always)]
pub(super) fn look_everywhere<S: Simd, E: Eyes<S, D>, const D: usize>(
    s: S,
    world: &World<'_, D>,
    found: CandidateSource<'_, D>,
    mut eyes: E,
    block: &Block<S, D>,
    images: Images,
) -> E {
    let CandidateSource { runs, list, reach_sq, .. } = found;
    let per_lane = images == Images::PerLane;
    if let Some(fine) = world.flock.fine {
        return if per_lane {
            look_about::<S, E, true, D>(s, world, fine, runs, list, eyes, block)
        } else {
            look_about::<S, E, false, D>(s, world, fine, runs, list, eyes, block)
        };
    }
    let mut collector = Collector::new(runs, reach_sq, Listed::default());
    loop {
        let mut found = None;
        s.outline(FillList { world, block, list, collector: &mut collector, per_lane, found: &mut found });
        let Some(shift) = found else { return eyes };
        let (list, own) = (&list[..collector.len], collector.own);
        if per_lane || collector.shifted {
            s.outline(Consume::<S, E, NEAREST, true, D> { world, block, list, own, shift, eyes: &mut eyes });
        } else {
            s.outline(Consume::<S, E, DIRECT, true, D> { world, block, list, own, shift, eyes: &mut eyes });
        }
        collector.reach_sq = eyes.narrow(s, &block.own, collector.reach_sq);
    }
}

/// [`Collector::fill`] as a function of its own, compiled once for all but the innermost loops of the rules.
pub(super) struct FillList<'a, 'r, S: Simd, const D: usize> {
    pub world: &'a World<'a, D>,
    pub block: &'a Block<S, D>,
    pub list: &'a mut List,
    pub collector: &'a mut Collector<'r, D>,
    pub per_lane: bool,
    pub found: &'a mut Option<[f32; D]>,
}

impl<S: Simd, const D: usize> Outlined<S> for FillList<'_, '_, S, D> {
    #[inline(always)]
    fn run(self, s: S) {
        let Self { world, block, list, collector, per_lane, found } = self;
        *found = collector.fill(s, world, block, list, per_lane);
    }
}
