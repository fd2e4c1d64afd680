//! Rules of a host's own: the force of a boid's neighbors.
//!
//! A rule is a sum over the neighbors seen, and a force made of the sum. The engine finds the
//! neighbors, tests range and sight, and does the summing, in slot order and under the mask; a
//! rule only says what one neighbor contributes ([`Rule::term`]) and what becomes of the sum
//! ([`Rule::force`]). So a rule **cannot** forget a mask, count itself, or depend on the order of
//! threads.

use wingbeat_steer::{Perception, RuleId};

pub use crate::neighbors::{BlockLanes, Pair};
use crate::simd::{Simd, Sum, Vectors};

mod declared;
mod perception;
pub(crate) mod lane_rule;
pub(crate) mod responses;
pub(crate) mod three;
pub(crate) mod topological;
#[cfg(debug_assertions)]
mod unfused;

macro_rules! lane_rules {
    (
        ($d:tt)
        fused { $($fused_file:ident::$fused:ident),* $(,)? }
        passes { $($file:ident::$rule:ident),* $(,)? }
    ) => {
        $(mod $file;)*

        /// Rules that have a pass of their own, beside the loop of the three.
        pub(crate) const PASSES: &[RuleId] = &[$(RuleId::$rule),*];

        /// `with_lane_rule!(rules, id, rule => expression)`: the expression of the rule `id`,
        /// which has its own type in it; `None` where the rule does not exist, or has no pass.
        macro_rules! with_lane_rule {
            ($d rules:expr, $d id:expr, $d rule:ident => $d of:expr) => {
                match $d id {
                    $(RuleId::$rule => $d rules.$file.as_ref().map(|$d rule| $d of),)*
                    $(
                        #[cfg(debug_assertions)]
                        RuleId::$fused => $d rules.$fused_file.as_ref().map(|$d rule| $d of),
                    )*
                    _ => None,
                }
            };
        }
        pub(crate) use with_lane_rule;
    };
}
wingbeat_steer::for_each_rule!(lane_rules);

#[doc(hidden)]
pub use declared::{Declared, DeclaredRules};
pub(crate) use perception::{PreparedPerception, SightLanes};

/// An interaction of one's own, run at full SIMD speed beside (or instead of) separation, alignment
/// and cohesion.
///
/// Write it with [`pair_rule!`](crate::pair_rule), which adds the `#[inline(always)]` that every
/// method needs: without it the bits are the same and AVX2 is thirty times slower, because
/// instructions do not follow a call.
///
/// ```
/// use wingbeat::simd::Vectors;
/// use wingbeat::{Flock2, Perception, pair_rule};
///
/// /// A spring of rest length `length` to every neighbor seen.
/// struct Spring {
///     stiffness: f32,
///     length: f32,
///     radius: f32,
/// }
///
/// pair_rule! {
///     impl<S, D> Rule for Spring {
///         type Sum = Vectors<S, D>;
///         fn perception(&self) -> Perception {
///             Perception { radius: self.radius, ..Default::default() }
///         }
///         fn term(&self, s, own, pair) {
///             let stretch = pair.distance - s.splat(self.length);
///             pair.direction(s) * stretch
///         }
///         fn force(&self, s, own, sum) { sum * s.splat(self.stiffness) }
///     }
/// }
///
/// let flock = Flock2::builder()
///     .rule(Spring { stiffness: 0.5, length: 1.0, radius: 2.0 })
///     .boids(&[[0.0, 0.0], [1.5, 0.0]], &[[0.0; 2]; 2])
///     .build()?;
/// # Ok::<(), wingbeat::FlockError>(())
/// ```
///
/// A condition is a mask: `pair.distance.lt(s.splat(1.0))`, with `le`, `gt`, `ge`; a mask chooses,
/// `mask.select(yes, no)`, and masks go together by `&`, `|` and `!`. There is no `if` in lanes:
/// all of them do both sides.
///
/// ```
/// use wingbeat::simd::Vectors;
/// use wingbeat::{Flock2, Perception, TimeStep, pair_rule};
///
/// /// Pushes from what is nearer than `room`, and from nothing else.
/// struct Shy {
///     room: f32,
/// }
///
/// pair_rule! {
///     impl<S, D> Rule for Shy {
///         type Sum = Vectors<S, D>;
///         fn perception(&self) -> Perception { Perception::from(2.0) }
///         fn term(&self, s, own, pair) {
///             let is_near = pair.distance.lt(s.splat(self.room));
///             pair.direction(s) * is_near.select(s.splat(-1.0), s.splat(0.0))
///         }
///         fn force(&self, s, own, sum) { sum }
///     }
/// }
///
/// let mut flock = Flock2::builder()
///     .rule(Shy { room: 1.0 })
///     .boids(&[[0.0, 0.0], [0.5, 0.0], [2.0, 0.0]], &[[0.0; 2]; 3])
///     .build()?;
/// flock.step(TimeStep::new(0.1)?);
/// let pushed: Vec<bool> = flock.frame().by_id().map(|boid| boid.velocity[0] != 0.0).collect();
/// assert_eq!(pushed, [true, true, false]);
/// # Ok::<(), wingbeat::FlockError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no rule of a flock of {D} dimensions",
    label = "this is no `Rule`",
    note = "a closure over the neighbors is given by `.own_rule(radius, |boid, neighbors| force)`",
    note = "at full speed: `pair_rule! {{ impl<S, D> Rule for {Self} {{ … }} }}`, and `.rule(…)`"
)]
pub trait Rule<const D: usize>: Send + Sync + 'static {
    /// What is summed over neighbors: `S::F`, [`Vectors`], arrays and tuples of these.
    type Sum<S: Simd>: Sum<S>;

    /// The neighbors the rule sees. Read once, when the flock is built.
    fn perception(&self) -> Perception;

    /// What one neighbor contributes. Avoid `array::map` and closures here (calls, see above).
    /// Lanes that do not see it are ignored by the engine, so NaN there is harmless.
    fn term<S: Simd>(&self, s: S, own: &BlockLanes<S, D>, pair: &Pair<S, D>) -> Self::Sum<S>;

    /// The force made of the sum over all neighbors seen, zero if there were none. The rule's
    /// weight is its own affair.
    fn force<S: Simd>(&self, s: S, own: &BlockLanes<S, D>, sum: Self::Sum<S>) -> Vectors<S, D>;
}

/// Writes a [`Rule`] for 2-D and 3-D with `#[inline(always)]` on every method.
///
/// The form is that of the example at [`Rule`]: `S` and `D` name the SIMD token's type and the
/// number of dimensions, and the signatures are filled in
/// (`s: S, own: &BlockLanes<S, D>, pair: &Pair<S, D>`, `sum: Self::Sum<S>`).
#[macro_export]
macro_rules! pair_rule {
    (
        impl<$s:ident, $d:ident> Rule for $rule:ty {
            type Sum = $sum:ty;
            fn perception(&$self0:ident) -> Perception $perception:block
            fn term(&$self1:ident, $s1:ident, $own1:ident, $pair:ident) $term:block
            fn force(&$self2:ident, $s2:ident, $own2:ident, $sum2:ident) $force:block
        }
    ) => {
        impl<const $d: usize> $crate::rule::Rule<$d> for $rule {
            type Sum<$s: $crate::simd::Simd> = $sum;

            #[inline(always)]
            fn perception(&$self0) -> $crate::Perception $perception

            #[inline(always)]
            #[allow(unused_variables)]
            fn term<$s: $crate::simd::Simd>(
                &$self1,
                $s1: $s,
                $own1: &$crate::rule::BlockLanes<$s, $d>,
                $pair: &$crate::rule::Pair<$s, $d>,
            ) -> Self::Sum<$s> {
                #[allow(unused_imports)]
                use $crate::simd::{Float as _, Mask as _};
                $term
            }

            #[inline(always)]
            #[allow(unused_variables)]
            fn force<$s: $crate::simd::Simd>(
                &$self2, $s2: $s, $own2: &$crate::rule::BlockLanes<$s, $d>, $sum2: Self::Sum<$s>,
            ) -> $crate::simd::Vectors<$s, $d> {
                #[allow(unused_imports)]
                use $crate::simd::{Float as _, Mask as _};
                $force
            }
        }
    };
}
