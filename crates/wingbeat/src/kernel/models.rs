//! Whole models from the literature look at their neighbours.

use std::any::Any;
use std::sync::Arc;

use wingbeat_steer::{Model, ParamError};

use super::blocks::{Looker, Outlook};
use super::candidates::{Collector, Consume, DIRECT, NEAREST, SHIFTED};
use super::filter::Filter;
use super::list::Listed;
use super::search::{CandidateSource, FillList, look_everywhere};
use super::world::{BatchLooker, Scratch};
use crate::grid::Images;
use crate::model::{LaneModel, ModelBlock, circles, couzin2002, cucker_smale, mason, mesa, netlogo, unity, vicsek1995};
use crate::simd::Simd;

/// A model as what boids look for.
///
/// # Errors
/// When the model has none in this dimension.
pub(crate) fn model<const D: usize>(model: &Model) -> Result<Arc<dyn BatchLooker<D>>, ParamError> {
    model.check_dimensions(D)?;
    Ok(match *model {
        Model::Vicsek1995(model) => planar(vicsek1995::Lanes(model)),
        Model::Couzin2002(model) => Arc::new(ModelLooks(couzin2002::Lanes::new(model))),
        Model::CuckerSmale(model) => Arc::new(ModelLooks(cucker_smale::Lanes::new(model))),
        Model::Circles(model) => Arc::new(ModelLooks(circles::Lanes(model))),
        Model::NetLogo(model) => planar(netlogo::Lanes::new(model)),
        Model::Mesa(model) => Arc::new(ModelLooks(mesa::Lanes::from(model))),
        Model::AgentsJl(model) => Arc::new(ModelLooks(mesa::Lanes::from(model))),
        Model::Mason(model) => Arc::new(ModelLooks(mason::Lanes(model))),
        Model::Unity(model) => Arc::new(ModelLooks(unity::Lanes::from(model))),
        Model::UnityFixed(model) => Arc::new(ModelLooks(unity::Lanes::from(model))),
        _ => return Err(ParamError::new("model.name", model.name(), "a model that this engine has a kernel for")),
    })
}

/// A model that exists in the plane only.
fn planar<M: LaneModel<2>, const D: usize>(model: M) -> Arc<dyn BatchLooker<D>> {
    let looker: Arc<dyn BatchLooker<2>> = Arc::new(ModelLooks(model));
    let looker: Box<dyn Any> = Box::new(looker);
    *looker.downcast().expect("planar models in space are refused before")
}

/// A model as what boids look for.
struct ModelLooks<M>(M);

impl<M: LaneModel<D>, const D: usize> Looker<D> for ModelLooks<M> {
    const LOOKS_AHEAD: bool = M::LOOKS_AHEAD;
    const GAZES: bool = false;

    #[inline(always)]
    fn look<S: Simd>(&self, s: S, from: &mut Outlook<'_, S, D>) -> bool {
        let (world, block, model) = (from.world, from.block, &self.0);
        let count = world.flock.identity.ids.len() as f32;
        let boids = ModelBlock { own: &block.own, identity: &world.flock.identity, seats: &block.seats, count };
        let mut look = model.begin(s, &boids);
        if world.prepared.kinds.mingles && world.prepared.kinds.list[0].ranked.is_empty() {
            look_around::<S, M, D>(s, from, &mut look);
        } else {
            let Some(seen) = look_filtered::<S, M, D>(s, from, look) else { return false };
            look = seen;
        }
        from.store(s, 0, &model.finish(s, &look, &boids).0);
        true
    }
}

/// Shows the eyes all candidates within the radius, list by list.
#[inline(always)]
fn look_around<S: Simd, M: LaneModel<D>, const D: usize>(s: S, from: &mut Outlook<'_, S, D>, look: &mut M::Look<S>) {
    let (world, block, per_lane) = (from.world, from.block, from.images == Images::PerLane);
    let Scratch { runs, list, .. } = &mut *from.scratch;
    let mut collector = Collector::new(runs, world.prepared.kinds.reach_sq, Listed::default());
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

/// Shows the eyes the candidates that the boids' species count, and under a cap on neighbours only the nearest of these; `None` where ids
/// must decide and the block has not come again.
#[inline(always)]
fn look_filtered<S: Simd, M: LaneModel<D>, const D: usize>(
    s: S,
    from: &mut Outlook<'_, S, D>,
    look: M::Look<S>,
) -> Option<M::Look<S>> {
    let mut reach_sq = None;
    let exactly = from.exactly || from.images == Images::PerLane;
    if !exactly && let Some(reach) = from.nearest(s) {
        if reach.tied {
            return None;
        }
        reach_sq = Some(reach.of_rule[0]);
    }
    let (world, block, images, kinds) = (from.world, from.block, from.images, &from.world.prepared.kinds);
    let limits = if exactly { from.ranked(s, &kinds.list[0].ranked, kinds.reach_sq) } else { None };
    let Scratch { runs, list, present, .. } = &mut *from.scratch;
    let species = (!kinds.mingles).then_some((world.flock.species, &**present));
    let itself = M::INCLUDES_SELF.then_some(&block.seats);
    let eyes = Filter { species, reach_sq, limits: limits.as_ref(), itself, rank: world.flock.identity.rank, eyes: look };
    let source = CandidateSource::new(runs, list, kinds.reach_sq);
    Some(look_everywhere(s, world, source, eyes, block, images).eyes)
}
