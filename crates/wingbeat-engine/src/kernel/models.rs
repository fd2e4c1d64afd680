//! The pass of whole models from the literature.

use std::any::Any;
use std::sync::Arc;

use wingbeat_steer::{Model, ParamError};

use super::blocks::{NeighborPass, PassContext};
use super::filter::Conditions;
use crate::grid::Images;
use crate::kernel::input::BatchPass;
use crate::kernel::nearest_visitor::FastReach;
use crate::simd::Simd;
use crate::terms::model::{InLanes, LaneModel, ModelBlock};

/// The pass of a model.
///
/// # Errors
/// When the model has none in this dimension.
#[inline(never)]
pub(crate) fn model<const D: usize>(model: &Model) -> Result<Arc<dyn BatchPass<D>>, ParamError> {
    model.check_dimensions(D)?;
    macro_rules! pass {
        (($d:tt) $($file:ident::$model:ident [$space:ident $lanes:ident])*) => {
            match *model {
                $(Model::$model(model) => Ok(pass!($space model.in_lanes())),)*
                _ => Err(ParamError::new(
                    "model.name",
                    model.name(),
                    "a model that this engine has a kernel for",
                )),
            }
        };
        (planar $lanes:expr) => {
            planar($lanes)
        };
        (any $lanes:expr) => {
            Arc::new(ModelPass($lanes))
        };
    }
    wingbeat_steer::for_each_model!(pass)
}

/// A model that exists in the plane only.
fn planar<M: LaneModel<2>, const D: usize>(model: M) -> Arc<dyn BatchPass<D>> {
    // A constant: nothing of the plane is compiled for space.
    if D != 2 {
        unreachable!("planar models in space are refused before");
    }
    let pass: Arc<dyn BatchPass<2>> = Arc::new(ModelPass(model));
    let pass: Box<dyn Any> = Box::new(pass);
    *pass.downcast().expect("the same type")
}

/// The pass of a model.
struct ModelPass<M>(M);

impl<M: LaneModel<D>, const D: usize> NeighborPass<D> for ModelPass<M> {
    const NEEDS_HEADINGS: bool = M::NEEDS_HEADINGS;
    const HAS_SIGHT: bool = false;
    const WIDE: bool = M::WIDE;

    #[inline(always)]
    fn run<S: Simd>(&self, s: S, context: &mut PassContext<'_, S, D>) -> bool {
        let (input, block, model) = (context.input, context.block, &self.0);
        let (kinds, count) = (&input.prepared.kinds, input.flock.identity.ids.len() as f32);
        let boids = ModelBlock {
            own: &block.own,
            identity: &input.flock.identity,
            lane_slots: &block.lane_slots,
            count,
        };
        let mut visitor = model.begin(s, &boids);
        let (per_lane, ranked) =
            (context.candidates.images == Images::PerLane, &kinds.list[0].ranked);
        if kinds.all_count_all && ranked.is_empty() && !per_lane {
            visitor = context.candidates.look(s, kinds.reach_sq, visitor);
        } else {
            let exactly = context.exactly || per_lane;
            let reach = if exactly { None } else { context.nearest(s) };
            if matches!(reach, Some(FastReach { tied: true, .. })) {
                return false;
            }
            let limits = if exactly { context.ranked(s, ranked, kinds.reach_sq) } else { None };
            let conditions = Conditions {
                reach_sq: reach.map(|reach| reach.of_rule[0]),
                limits: limits.as_ref(),
            };
            visitor = context.candidates.look_under(s, conditions, kinds.reach_sq, visitor);
        }
        context.store(s, 0, &model.finish(s, &visitor, &boids).0);
        true
    }
}
