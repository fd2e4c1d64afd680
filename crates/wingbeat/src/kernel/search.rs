//! From a block to what its eyes see: through all runs within reach, a list at a time.

use super::candidates::{Collector, Consume, DIRECT, NEAREST, SHIFTED};
use super::crowd::look_about;
use super::list::{List, Listed};
use super::world::World;
use crate::block::{Block, Eyes};
use crate::grid::{Images, Run};
use crate::simd::Simd;

/// Where candidates come from.
pub(super) struct CandidateSource<'a, const D: usize> {
    pub runs: &'a [Run<D>],
    pub list: &'a mut List,
    /// Square of how far to look.
    pub reach_sq: f32,
    /// What the list holds already, all of them; nothing if it has to be filled from the runs.
    pub listed: Listed,
}

impl<'a, const D: usize> CandidateSource<'a, D> {
    /// All candidates of the runs up to a distance, squared.
    #[inline(always)]
    pub fn new(runs: &'a [Run<D>], list: &'a mut List, reach_sq: f32) -> Self {
        Self { runs, list, reach_sq, listed: Listed::default() }
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

/// The same in any box, all the way to the radius.
#[inline(always)]
pub(super) fn look_everywhere<S: Simd, E: Eyes<S, D>, const D: usize>(
    s: S,
    world: &World<'_, D>,
    runs: &[Run<D>],
    list: &mut List,
    mut eyes: E,
    block: &Block<S, D>,
    images: Images,
) -> E {
    let radius_sq = world.prepared.radius_sq;
    if images != Images::PerLane {
        return look_through(s, world, CandidateSource::new(runs, list, radius_sq), eyes, block).0;
    }
    if let Some(fine) = world.flock.fine {
        return look_about::<S, E, true, D>(s, world, fine, runs, list, eyes, block);
    }
    let mut collector = Collector::new(runs, radius_sq, Listed::default());
    while let Some(shift) = collector.fill(s, world, block, list, true) {
        let list = &list[..collector.len];
        let own = collector.own;
        s.outline(Consume::<S, _, NEAREST, true, D> { world, block, list, own, shift, eyes: &mut eyes });
    }
    eyes
}
