//! Whole models from the literature, in lanes: what `wingbeat_steer::model` defines, bit for bit.
//!
//! One file a model: what its boids see of a candidate ([`Eyes`]), and what becomes of it ([`LaneModel::finish`]). Adding one is
//! a file here, and its lines in [`in_plane`] and [`in_space`]. The loop that runs them is kernel/models.rs.
#![forbid(unsafe_code)]

use std::any::Any;
use std::sync::Arc;

use wingbeat_steer::{Model, ParamError};

use crate::boids::Whose;
use crate::kernel::{Eyes, ModelKernel, Seats, Steer};
use crate::rule::Own;
use crate::simd::{Mask, Simd, Vectors};

mod circles;
mod couzin2002;
mod cucker_smale;
mod mason;
mod mesa;
mod netlogo;
pub(crate) mod noise;
mod unity;
mod vicsek1995;

use noise::Keyed;

/// A model in lanes.
pub(crate) trait LaneModel<const D: usize>: Send + Sync + 'static {
    /// Whether a boid is among its own neighbours, at distance 0.
    const INCLUDES_SELF: bool = false;
    /// Whether the push of walls is added to what it makes.
    const ACCELERATES: bool = false;
    /// Whether it needs headings of the boids that look, `Own::heading` and `Own::at_rest`.
    const LOOKS_AHEAD: bool = false;
    /// What the boids of a block see: running sums, and the parameters in lanes.
    type Look<S: Simd>: Eyes<S, D>;

    /// Before the first candidate. What does not depend on candidates is best done here: long chains of arithmetic, such as
    /// a hash, then run beside the search.
    fn begin<S: Simd>(&self, s: S, boids: &Asking<'_, S, D>) -> Self::Look<S>;

    /// The steering, after the last one.
    fn finish<S: Simd>(&self, s: S, look: &Self::Look<S>, boids: &Asking<'_, S, D>) -> Vectors<S, D>;
}

/// The boids of a block, as a model knows them.
pub(crate) struct Asking<'a, S: Simd, const D: usize> {
    pub own: &'a Own<S, D>,
    pub whose: &'a Whose<'a>,
    pub seats: &'a Seats<S>,
    /// Boids of the flock.
    pub count: f32,
}

impl<S: Simd, const D: usize> Asking<'_, S, D> {
    /// Their keyed noise of this step.
    #[inline(always)]
    fn noise(&self, s: S) -> Keyed<S> {
        Keyed::new(s, self.whose, self.seats)
    }

    /// Headings along sums; where a sum is zero (as a velocity at rest is), the own heading, or for a boid at rest where its hash sends it.
    #[inline(always)]
    fn direction_or_heading(&self, s: S, sum: Vectors<S, D>) -> Vectors<S, D> {
        let (unit, nothing) = sum.heading(s);
        let nothing = nothing & self.own.live;
        if !nothing.any() {
            return unit;
        }
        let (heading, at_rest) = self.own.velocity.heading(s);
        let hashed = self.whose.directions(s, (nothing & at_rest).bits(), self.seats, 0);
        Vectors::select(nothing, Vectors::select(at_rest, hashed, heading), unit)
    }

    /// Their headings; of those at rest, where their hashes send them.
    #[inline(always)]
    fn heading_or_hash(&self, s: S) -> Vectors<S, D> {
        let (heading, at_rest) = self.own.velocity.heading(s);
        let lost = at_rest & self.own.live;
        if !lost.any() {
            return heading;
        }
        Vectors::select(lost, self.whose.directions(s, lost.bits(), self.seats, 0), heading)
    }

    /// Where the boids of the given lanes go that stand on another.
    #[inline(always)]
    fn parting(&self, s: S, lanes: S::M) -> Vectors<S, D> {
        self.whose.directions(s, (lanes & self.own.live).bits(), self.seats, self.whose.step)
    }
}

/// The kernel of a model, in the plane or in space.
///
/// # Errors
/// When the model has no kernel in this dimension.
pub(crate) fn kernel<const D: usize>(model: &Model) -> Result<Arc<dyn Steer<D>>, ParamError> {
    let kernel: Box<dyn Any> = if D == 2 { Box::new(in_plane(model)) } else { Box::new(in_space(model)) };
    let kernel: Box<Option<Arc<dyn Steer<D>>>> = kernel.downcast().expect("a flock has two or three dimensions");
    let missing = || match model.check_dimensions(D) {
        Err(refusal) => refusal,
        Ok(()) => ParamError::new("model.name", model.name(), "a model that this engine has a kernel for"),
    };
    kernel.ok_or_else(missing)
}

/// The kernel of a model in the plane, if it has one.
fn in_plane(model: &Model) -> Option<Arc<dyn Steer<2>>> {
    Some(match *model {
        Model::Vicsek1995(model) => Arc::new(ModelKernel(vicsek1995::Lanes(model))),
        Model::Couzin2002(model) => Arc::new(ModelKernel(couzin2002::Lanes::new(model))),
        Model::CuckerSmale(model) => Arc::new(ModelKernel(cucker_smale::Lanes::new(model))),
        Model::Circles(model) => Arc::new(ModelKernel(circles::Lanes(model))),
        Model::NetLogo(model) => Arc::new(ModelKernel(netlogo::Lanes::new(model))),
        Model::Mesa(model) => Arc::new(ModelKernel(mesa::Lanes::from(model))),
        Model::AgentsJl(model) => Arc::new(ModelKernel(mesa::Lanes::from(model))),
        Model::Mason(model) => Arc::new(ModelKernel(mason::Lanes(model))),
        Model::Unity(model) => Arc::new(ModelKernel(unity::Lanes::from(model))),
        Model::UnityFixed(model) => Arc::new(ModelKernel(unity::Lanes::from(model))),
        _ => return None,
    })
}

/// The kernel of a model in space, if it has one: some exist in the plane only.
fn in_space(model: &Model) -> Option<Arc<dyn Steer<3>>> {
    Some(match *model {
        Model::Couzin2002(model) => Arc::new(ModelKernel(couzin2002::Lanes::new(model))),
        Model::CuckerSmale(model) => Arc::new(ModelKernel(cucker_smale::Lanes::new(model))),
        Model::Circles(model) => Arc::new(ModelKernel(circles::Lanes(model))),
        Model::Mesa(model) => Arc::new(ModelKernel(mesa::Lanes::from(model))),
        Model::AgentsJl(model) => Arc::new(ModelKernel(mesa::Lanes::from(model))),
        Model::Mason(model) => Arc::new(ModelKernel(mason::Lanes(model))),
        Model::Unity(model) => Arc::new(ModelKernel(unity::Lanes::from(model))),
        Model::UnityFixed(model) => Arc::new(ModelKernel(unity::Lanes::from(model))),
        _ => return None,
    })
}
