//! Blending: how several forces become one.

use crate::agents::behavior::time_step;
use crate::{Vector, math};

/// How a [`Steering`](crate::Steering) makes one force of its terms.
///
/// ```
/// use wingbeat_steer::{Blend, Body, Steering};
/// let bird = Body::new([0.0, 0.0], [0.0, 0.0], 4.0, 1.0)?;
/// let steering = Steering::new(&bird, 2.0)?.with_blend(Blend::Prioritized);
/// # let _ = steering;
/// # Ok::<(), wingbeat_steer::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Blend {
    /// All terms count, by their weights: [`weighted_sum`].
    #[default]
    Weighted,
    /// Terms called first are served first until max_force is spent: [`prioritized`].
    Prioritized,
}

/// The sum of weighted forces, in the order given.
///
/// Formula: `Σ weight·force`, from +0. Weights within ±1e9; larger wins.
///
/// ```
/// use wingbeat_steer::blend::weighted_sum;
/// assert_eq!(weighted_sum([(2.0, [1.0, 0.0]), (0.5, [0.0, 4.0])]), [2.0, 2.0]);
/// ```
/// Source: Reynolds 1999.
pub fn weighted_sum<V: Vector>(terms: impl IntoIterator<Item = (f32, V)>) -> V {
    terms.into_iter().fold(V::origin(), |sum, (weight, force)| sum.plus(force.times(weight)))
}

/// Serves forces in order from a budget, so that the urgent ones come first.
///
/// Formula: budget B = `max_force`; for a force of size m: if m ≤ B it is added and B −= m; else
/// force·(B/m) is added and the rest go unserved. Sizes are added up, not `max_force − ‖sum‖`:
/// opposite forces both use up budget.
///
/// ```
/// use wingbeat_steer::blend::prioritized;
/// let terms = [[3.0, 0.0], [0.0, 4.0], [9.0, 9.0]];
/// assert_eq!(prioritized(terms, 5.0), [3.0, 2.0]);
/// ```
/// Source: Reynolds 1987 (prioritized acceleration allocation).
pub fn prioritized<V: Vector>(forces: impl IntoIterator<Item = V>, max_force: f32) -> V {
    crate::terms::budget::prioritize(forces.into_iter(), max_force)
}

/// The `direction` combination: only the direction of the summed forces counts, and the velocity is
/// eased toward it.
///
/// Formula: u = unit(force); if u = 0 the velocity is unchanged; else `v + (u·speed − v)·t` with
/// t = `1 − exp(−smoothing_rate·dt)`, or 1 if the rate is 0 (no smoothing). `speed` 0…1e9;
/// `smoothing_rate` per unit of time, 0…1e9: larger turns more sharply. The same time gives the
/// same turn at every frame rate.
///
/// ```
/// use wingbeat_steer::blend::toward_direction;
/// assert_eq!(toward_direction([1.0, 0.0], [0.0, 9.0], 2.0, 0.0, 0.1), [0.0, 2.0]);
/// ```
/// Source: the vision-cone flock, the fifth of the five source systems.
pub fn toward_direction<V: Vector>(
    velocity: V,
    force: V,
    speed: f32,
    smoothing_rate: f32,
    dt: f32,
) -> V {
    let direction = force.unit();
    if direction == V::origin() {
        return velocity;
    }
    let part =
        if smoothing_rate > 0.0 { math::approach(smoothing_rate, time_step(dt)) } else { 1.0 };
    velocity.plus(direction.times(speed).minus(velocity).times(part))
}
