//! Drives of the host's own.

use std::sync::Arc;

use wingbeat_steer::Vector;

use crate::neighbors::BlockLanes;
use crate::simd::{Float, Level, MAX_LANES, Mask, Simd, Vectors, Work, dispatch};

/// A drive of one's own, run at full SIMD speed beside the built-in ones: a force made of a boid's
/// own state, of all lanes of a block at once.
///
/// As a closure, and not as fast, the same is an [`own_rule`](crate::FlockBuilder::own_rule) that
/// does not look at its neighbors.
///
/// Write it with [`own_drive!`](crate::own_drive), which adds the `#[inline(always)]` that the
/// method needs: without it the bits are the same and AVX2 is many times slower, because
/// instructions do not follow a call.
///
/// ```
/// use wingbeat::{Flock2, TimeStep, own_drive};
///
/// /// Drag in proportion to velocity, and a tide along x that grows with y and turns every 100
/// /// steps.
/// struct Tide { drag: f32, strength: f32 }
///
/// own_drive! {
///     impl<S, D> OwnDrive for Tide {
///         fn force(&self, s, own, now) {
///             let mut force = own.velocity * s.splat(-self.drag);
///             let strength = if now.step / 100 % 2 == 0 { self.strength } else { -self.strength };
///             force[0] = force[0] + own.position[1] * s.splat(strength);
///             force
///         }
///     }
/// }
///
/// let mut flock = Flock2::builder()
///     .own_drive("tide", Tide { drag: 0.5, strength: 0.1 })
///     .boids(&[[0.0, 10.0]], &[[0.0, 0.0]])
///     .build()?;
/// flock.step(TimeStep::new(0.1)?);
/// assert_eq!(flock.frame().boid(0).velocity, [0.1, 0.0]);
/// # Ok::<(), wingbeat::FlockError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no drive of a flock of {D} dimensions",
    label = "this is no `OwnDrive`",
    note = "write it with `own_drive! {{ impl<S, D> OwnDrive for {Self} {{ … }} }}`",
    note = "a closure goes in as `.own_rule(0.1, |boid, _| …)`"
)]
pub trait OwnDrive<const D: usize>: Send + Sync + 'static {
    /// The force on the boids of a block, one a lane. Its weight is its own affair. It must be
    /// finite: what is not goes into the boid's state. Avoid `array::map` and closures here (calls,
    /// see above).
    fn force<S: Simd>(&self, s: S, own: &BlockLanes<S, D>, now: &Now) -> Vectors<S, D>;
}

/// When it is.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Now {
    /// Steps made before.
    pub step: u64,
    /// Time passed before: the lengths of all steps, added up.
    pub time: f64,
}

impl Now {
    pub(crate) fn new(step: u64, time: f64) -> Self {
        Self { step, time }
    }
}

/// The boids of a block in memory, for code whose type is forgotten: a lane a place.
pub struct BlockState<const D: usize> {
    position: [[f32; MAX_LANES]; D],
    velocity: [[f32; MAX_LANES]; D],
    heading: [[f32; MAX_LANES]; D],
    at_rest: u32,
    live: u32,
}

impl<const D: usize> BlockState<D> {
    #[inline(always)]
    pub(crate) fn of<S: Simd>(own: &BlockLanes<S, D>) -> Self {
        let mut lanes = Self {
            position: [[0.0; MAX_LANES]; D],
            velocity: [[0.0; MAX_LANES]; D],
            heading: [[0.0; MAX_LANES]; D],
            at_rest: own.at_rest.bits(),
            live: own.live.bits(),
        };
        for a in 0..D {
            own.position[a].store(&mut lanes.position[a]);
            own.velocity[a].store(&mut lanes.velocity[a]);
            own.heading[a].store(&mut lanes.heading[a]);
        }
        lanes
    }

    /// One boid, in the first lane.
    pub(crate) fn alone(position: [f32; D], velocity: [f32; D]) -> Self {
        let first = |x: f32| crate::arrays::from_fn(|lane| if lane == 0 { x } else { 0.0 });
        let heading = wingbeat_steer::heading(velocity);
        // Lanes without a boid are at rest.
        let at_rest =
            if velocity.norm_plain() < wingbeat_steer::REST_SPEED { u32::MAX } else { !1 };
        Self {
            position: position.map(first),
            velocity: velocity.map(first),
            heading: heading.map(first),
            at_rest,
            live: 1,
        }
    }
}

/// A drive whose type is forgotten: one virtual call a block.
pub trait Erased<const D: usize>: Send + Sync {
    /// Its force in every lane.
    fn block(&self, level: Level, block: &BlockState<D>, now: &Now) -> [[f32; MAX_LANES]; D];
}

/// A drive of the host's own under a name.
pub(crate) type Named<const D: usize> = (String, Arc<dyn Erased<D>>);

impl<A: OwnDrive<D>, const D: usize> Erased<D> for A {
    fn block(&self, level: Level, block: &BlockState<D>, now: &Now) -> [[f32; MAX_LANES]; D] {
        let mut out = [[0.0; MAX_LANES]; D];
        dispatch(level, Call { drive: self, block, now, out: &mut out });
        out
    }
}

struct Call<'a, A, const D: usize> {
    drive: &'a A,
    block: &'a BlockState<D>,
    now: &'a Now,
    out: &'a mut [[f32; MAX_LANES]; D],
}

impl<A: OwnDrive<D>, const D: usize> Work for Call<'_, A, D> {
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let block = self.block;
        let own = BlockLanes {
            position: Vectors::load(s, &block.position, 0),
            velocity: Vectors::load(s, &block.velocity, 0),
            heading: Vectors::load(s, &block.heading, 0),
            at_rest: s.mask(block.at_rest),
            live: s.mask(block.live),
        };
        let force = self.drive.force(s, &own, self.now);
        for a in 0..D {
            force[a].store(&mut self.out[a]);
        }
    }
}

/// Writes an [`OwnDrive`](crate::drive::OwnDrive) for 2-D and 3-D with `#[inline(always)]` on its
/// method.
///
/// The form is that of the example at [`OwnDrive`](crate::drive::OwnDrive): `S` and `D` name the
/// SIMD token's type and the number of dimensions, and the signature is filled in (`s: S, own:
/// &Own<S, D>, now: &Now`).
#[macro_export]
macro_rules! own_drive {
    (
        impl<$s:ident, $d:ident> OwnDrive for $drive:ty {
            fn force(&$self:ident, $token:ident, $own:ident, $now:ident) $force:block
        }
    ) => {
        impl<const $d: usize> $crate::drive::OwnDrive<$d> for $drive {
            #[inline(always)]
            #[allow(unused_variables)]
            fn force<$s: $crate::simd::Simd>(
                &$self, $token: $s, $own: &$crate::rule::BlockLanes<$s, $d>,
                $now: &$crate::drive::Now,
            ) -> $crate::simd::Vectors<$s, $d> {
                #[allow(unused_imports)]
                use $crate::simd::{Float as _, Mask as _};
                $force
            }
        }
    };
}
