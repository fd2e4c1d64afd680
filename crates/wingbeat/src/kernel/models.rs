//! The kernel of whole models from the literature.
//!
//! ```text
//! for each block of consecutive slots of one grid row:
//!     look ← the model's running sums
//!     for each candidate of the search, ascending: look.visit(candidate)
//!     write the model's steering, and walls where it accelerates
//! ```

use std::any::Any;
use std::sync::Arc;

use wingbeat_steer::{Model, ParamError};

use super::candidates::{Collector, Consume, DIRECT, NEAREST, SHIFTED};
use super::finish::store;
use super::list::{List, Listed};
use super::world::{Scratch, Steer, World};
use crate::block::Block;
use crate::domain::wall_force;
use crate::grid::{Images, Run};
use crate::model::{LaneModel, ModelBlock, circles, couzin2002, cucker_smale, mason, mesa, netlogo, unity, vicsek1995};
use crate::simd::{Level, Outlined, Simd, Work, dispatch};

/// The kernel of a model.
///
/// # Errors
/// When the model has none in this dimension.
pub(crate) fn kernel<const D: usize>(model: &Model) -> Result<Arc<dyn Steer<D>>, ParamError> {
    model.check_dimensions(D)?;
    Ok(match *model {
        Model::Vicsek1995(model) => planar(vicsek1995::Lanes(model)),
        Model::Couzin2002(model) => Arc::new(ModelKernel(couzin2002::Lanes::new(model))),
        Model::CuckerSmale(model) => Arc::new(ModelKernel(cucker_smale::Lanes::new(model))),
        Model::Circles(model) => Arc::new(ModelKernel(circles::Lanes(model))),
        Model::NetLogo(model) => planar(netlogo::Lanes::new(model)),
        Model::Mesa(model) => Arc::new(ModelKernel(mesa::Lanes::from(model))),
        Model::AgentsJl(model) => Arc::new(ModelKernel(mesa::Lanes::from(model))),
        Model::Mason(model) => Arc::new(ModelKernel(mason::Lanes(model))),
        Model::Unity(model) => Arc::new(ModelKernel(unity::Lanes::from(model))),
        Model::UnityFixed(model) => Arc::new(ModelKernel(unity::Lanes::from(model))),
        _ => return Err(ParamError::new("model.name", model.name(), "a model that this engine has a kernel for")),
    })
}

/// The kernel of a model that exists in the plane only.
fn planar<M: LaneModel<2>, const D: usize>(model: M) -> Arc<dyn Steer<D>> {
    let kernel: Arc<dyn Steer<2>> = Arc::new(ModelKernel(model));
    let kernel: Box<dyn Any> = Box::new(kernel);
    *kernel.downcast().expect("planar models in space are refused before")
}

/// A model as a kernel.
struct ModelKernel<M>(M);

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
        let count = world.flock.identity.ids.len() as f32;
        let end = self.first + self.out[0].len();
        let (mut at, mut row_end) = (self.first, self.first);
        while at < end {
            if at == row_end {
                row_end = world.flock.grid.row_end(world.flock.columns.position(at)).min(end);
            }
            let block = Block::load_looking(s, &world.flock, &self.scratch.due, at, S::LANES.min(row_end - at), M::LOOKS_AHEAD);
            let own = &block.own;
            let boids = ModelBlock { own, identity: &world.flock.identity, seats: &block.seats, count };
            let mut look = model.begin(s, &boids);
            let images = world.flock.grid.search(world.flock.columns, block.low, block.high, &mut self.scratch.runs);
            look_around::<S, M, D>(s, world, &self.scratch.runs, &mut self.scratch.list, &mut look, &block, images);
            let mut steering = model.finish(s, &look, &boids);
            if M::ACCELERATES {
                steering = steering + wall_force(s, world.flock.domain, block.own.position);
            }
            store(s, steering, &mut self.out, at - self.first, block.count);
            at += block.count;
        }
    }
}

/// Shows the eyes all candidates within the radius, list by list.
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
        s.outline(FillList { world, block, list, collector: &mut collector, per_lane, found: &mut found });
        let Some(shift) = found else { return };
        let (list, own) = (&list[..collector.len], collector.own);
        // A model that includes the boid itself meets it at distance 0 and needs no test of identity; no boid is its own image
        // through a fixed shift.
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
struct FillList<'a, 'r, S: Simd, const D: usize> {
    world: &'a World<'a, D>,
    block: &'a Block<S, D>,
    list: &'a mut List,
    collector: &'a mut Collector<'r, D>,
    per_lane: bool,
    found: &'a mut Option<[f32; D]>,
}

impl<S: Simd, const D: usize> Outlined<S> for FillList<'_, '_, S, D> {
    #[inline(always)]
    fn run(self, s: S) {
        let Self { world, block, list, collector, per_lane, found } = self;
        *found =
            if per_lane { collector.fill(s, world, block, list, true) } else { collector.fill(s, world, block, list, false) };
    }
}
