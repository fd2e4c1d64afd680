//! Room 2 for whole models from the literature: the same blocks and candidates, and a model instead of rules.
#![forbid(unsafe_code)]

use super::candidates::{Block, Collector, Consume, DIRECT, NEAREST, SHIFTED};
use super::chosen::Listed;
use super::world::{List, Scratch, World};
use super::{Steer, store};
use crate::combine::wall_force;
use crate::grid::{Images, Run};
use crate::model::{Asking, LaneModel};
use crate::simd::{Level, Piece, Simd, Work, dispatch};

/// A model as a kernel.
pub(crate) struct ModelKernel<M>(pub M);

impl<M: LaneModel<D>, const D: usize> Steer<D> for ModelKernel<M> {
    fn batch(&self, level: Level, world: &World<'_, D>, first: usize, out: [&mut [f32]; D], scratch: &mut Scratch<D>) {
        dispatch(level, Batch { model: &self.0, world, first, out, scratch });
    }
}

struct Batch<'a, M, const D: usize> {
    model: &'a M,
    world: &'a World<'a, D>,
    first: usize,
    out: [&'a mut [f32]; D],
    scratch: &'a mut Scratch<D>,
}

impl<M: LaneModel<D>, const D: usize> Work for Batch<'_, M, D> {
    #[inline(always)]
    fn run<S: Simd>(mut self, s: S) {
        let (world, model) = (self.world, self.model);
        let count = world.whose.ids.len() as f32;
        let end = self.first + self.out[0].len();
        let (mut at, mut row_end) = (self.first, self.first);
        while at < end {
            if at == row_end {
                row_end = world.grid.row_end(world.columns.position(at)).min(end);
            }
            let block = Block::load_looking(s, world, &self.scratch.active, at, S::LANES.min(row_end - at), M::LOOKS_AHEAD);
            let own = &block.own;
            let boids = Asking { own, whose: &world.whose, seats: &block.seats, count };
            let mut look = model.begin(s, &boids);
            let images = world.grid.search(world.columns, block.low, block.high, &mut self.scratch.runs);
            look_around::<S, M, D>(s, world, &self.scratch.runs, &mut self.scratch.list, &mut look, &block, images);
            let mut steering = model.finish(s, &look, &boids);
            if M::ACCELERATES {
                steering = steering + wall_force(s, world.domain, block.own.position);
            }
            store(s, steering, &mut self.out, at - self.first, block.count);
            at += block.count;
        }
    }
}

/// Shows the eyes everyone within the radius, list by list.
#[inline(always)]
fn look_around<S: Simd, M: LaneModel<D>, const D: usize>(
    s: S,
    world: &World<'_, D>,
    runs: &[Run<D>],
    list: &mut List,
    look: &mut M::Look<S>,
    block: &Block<S, D>,
    images: Images,
) {
    let per_lane = images == Images::PerLane;
    let mut collector = Collector::new(runs, world.prepared.radius_sq, Listed::default());
    loop {
        let mut found = None;
        s.outline(Fill { world, block, list, collector: &mut collector, per_lane, found: &mut found });
        let Some(shift) = found else { return };
        let (list, own) = (&list[..collector.len], collector.own);
        // Whoever includes itself meets itself at distance 0 and needs no test of identity. Through a fixed shift nobody does.
        if per_lane {
            if M::INCLUDES_SELF {
                s.outline(Consume::<S, M::Look<S>, NEAREST, false, D> { world, block, list, own, shift, eyes: look });
            } else {
                s.outline(Consume::<S, M::Look<S>, NEAREST, true, D> { world, block, list, own, shift, eyes: look });
            }
        } else if collector.shifted {
            s.outline(Consume::<S, M::Look<S>, SHIFTED, false, D> { world, block, list, own, shift, eyes: look });
        } else if M::INCLUDES_SELF {
            s.outline(Consume::<S, M::Look<S>, DIRECT, false, D> { world, block, list, own, shift, eyes: look });
        } else {
            s.outline(Consume::<S, M::Look<S>, DIRECT, true, D> { world, block, list, own, shift, eyes: look });
        }
    }
}

/// [`Collector::fill`] as a function of its own, compiled once for all models.
struct Fill<'a, 'r, S: Simd, const D: usize> {
    world: &'a World<'a, D>,
    block: &'a Block<S, D>,
    list: &'a mut List,
    collector: &'a mut Collector<'r, D>,
    per_lane: bool,
    found: &'a mut Option<[f32; D]>,
}

impl<S: Simd, const D: usize> Piece<S> for Fill<'_, '_, S, D> {
    #[inline(always)]
    fn run(self, s: S) {
        let Self { world, block, list, collector, per_lane, found } = self;
        *found =
            if per_lane { collector.fill(s, world, block, list, true) } else { collector.fill(s, world, block, list, false) };
    }
}
