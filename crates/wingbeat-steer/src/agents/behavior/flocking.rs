//! Separation, alignment and cohesion for one agent and a list of neighbors.
//!
//! The tutorials' formulas, for single agents; a flock's rules are defined in reference/rules.rs
//! and need not agree with these.
//!
//! The list holds **others only** (told apart by identity, not by distance); choose them with
//! [`in_sight`].

use crate::space::boid::COINCIDENT;
use crate::terms::behavior::geometry::heading;
use crate::terms::behavior::seek::{flee_negated_seek, seek};
use crate::{ParamError, Vector, check_range, math};

/// Whether an agent sees another: within `radius` and within the cone around its heading.
///
/// Formula: d² ≤ r² and (the agent rests, or d² ≤ r²·2⁻⁴⁰ (coincident), or `o·h ≥
/// cos_half_view·d`), o the offset to the other. Radius in world units, 1e-9…1e12; larger sees
/// farther. `cos_half_view` from [`cos_half_view`](crate::math::cos_half_view): −1 sees all round,
/// 0 the front half, larger is narrower.
///
/// ```
/// use wingbeat_steer::behavior::in_sight;
/// assert!(in_sight([0.0, 0.0], [1.0, 0.0], [3.0, 3.0], 5.0, 0.0)); // ahead to the left
/// assert!(!in_sight([0.0, 0.0], [1.0, 0.0], [-3.0, 3.0], 5.0, 0.0)); // behind
/// ```
/// Source: Reynolds 1987 (the neighborhood).
#[inline]
pub fn in_sight<V: Vector>(
    position: V,
    forward: V,
    other: V,
    radius: f32,
    cos_half_view: f32,
) -> bool {
    let offset = other.minus(position);
    let distance_sq = offset.norm_sq();
    let reach_sq = radius * radius;
    if distance_sq > reach_sq {
        return false;
    }
    cos_half_view <= -1.0
        || forward == V::origin()
        || distance_sq <= reach_sq * COINCIDENT
        || offset.inner(forward) >= cos_half_view * math::sqrt(distance_sq)
}

/// How strongly separation pushes at a distance: the factor f(d) of the offset in `S = −Σ f(d)·o`.
pub mod falloff {
    use crate::math;

    /// `1/d − 1/radius`: a push of `1 − d/radius`, strongest at contact, nothing at the radius.
    ///
    /// ```
    /// use wingbeat_steer::behavior::falloff;
    /// assert_eq!(falloff::linear(4.0)(1.0), 0.75);
    /// assert_eq!(falloff::linear(4.0)(2.0) * 2.0, 0.5); // the push at half the radius
    /// ```
    /// Source: the linear spring of soft spheres in contact (Durian 1995).
    pub fn linear(radius: f32) -> impl Fn(f32) -> f32 {
        let inverse = 1.0 / radius;
        move |distance| 1.0 / distance - inverse
    }

    /// `max(1 − d/radius, 0)`: a push of `d·(1 − d/radius)`, nothing at contact, strongest at half
    /// the radius. Agents that also cohere pile up on points under it.
    ///
    /// ```
    /// use wingbeat_steer::behavior::falloff;
    /// assert_eq!(falloff::soft(4.0)(1.0), 0.75);
    /// ```
    /// Source: the vision-cone flock.
    pub fn soft(radius: f32) -> impl Fn(f32) -> f32 {
        let inverse = 1.0 / radius;
        move |distance| math::max(1.0 - distance * inverse, 0.0)
    }

    /// `1/d`: every neighbor pushes equally hard, with a unit vector.
    ///
    /// ```
    /// use wingbeat_steer::behavior::falloff;
    /// assert_eq!(falloff::inverse(4.0), 0.25);
    /// ```
    /// Source: Shiffman 2012, "The Nature of Code".
    pub fn inverse(distance: f32) -> f32 {
        1.0 / distance
    }

    /// `1/d²`: the push of a neighbor falls with its distance.
    ///
    /// ```
    /// use wingbeat_steer::behavior::falloff;
    /// assert_eq!(falloff::inverse_square(4.0), 0.0625);
    /// ```
    /// Source: Reynolds 1999 ("a 1/r weighting"), OpenSteer.
    pub fn inverse_square(distance: f32) -> f32 {
        1.0 / (distance * distance)
    }
}

/// Pushes an agent away from neighbors that are too close.
///
/// Formula: `S = −Σ f(d)·o` over the others with d² ≤ r², o the offset to them, f from [`falloff`].
/// Radius in world units, 1e-9…1e12; larger keeps more room. Neighbors on the same point (d² ≤
/// r²·2⁻⁴⁰) have no direction: they add nothing here; give them one with
/// [`noise::direction`](crate::math::noise::direction).
///
/// ```
/// use wingbeat_steer::behavior::{falloff, separation};
/// let push = separation([0.0, 0.0], [[2.0, 0.0], [0.0, 9.0]], 4.0, falloff::linear(4.0));
/// assert_eq!(push, [-0.5, 0.0]); // half of the push at contact; the other is out of reach
/// ```
/// Source: Reynolds 1999.
pub fn separation<V: Vector>(
    position: V,
    others: impl IntoIterator<Item = V>,
    radius: f32,
    falloff: impl Fn(f32) -> f32,
) -> V {
    let reach_sq = radius * radius;
    let mut sum = V::origin();
    for other in others {
        let offset = other.minus(position);
        let distance_sq = offset.norm_sq();
        if distance_sq <= reach_sq && distance_sq > reach_sq * COINCIDENT {
            sum = sum.plus(offset.times(-falloff(math::sqrt(distance_sq))));
        }
    }
    sum
}

/// Turns an agent toward its neighbors' mean velocity.
///
/// Formula: `A = mean(v_j) − v`; zero without neighbors. To align headings instead, pass
/// [`heading`]s.
///
/// ```
/// use wingbeat_steer::behavior::alignment;
/// assert_eq!(alignment([1.0, 0.0], [[0.0, 2.0], [0.0, 4.0]]), [-1.0, 3.0]);
/// ```
/// Source: Reynolds 1987 and 1999.
pub fn alignment<V: Vector>(velocity: V, others: impl IntoIterator<Item = V>) -> V {
    mean(others).map_or(V::origin(), |mean| mean.minus(velocity))
}

/// Draws an agent toward the middle of its neighbors.
///
/// Formula: `C = mean(x_j − x)`; zero without neighbors. (Seek `x + C` for the seeking form.)
/// Averaging offsets rather than positions keeps all digits far from the origin.
///
/// ```
/// use wingbeat_steer::behavior::cohesion;
/// assert_eq!(cohesion([1.0, 0.0], [[3.0, 2.0], [3.0, -4.0]]), [2.0, -1.0]);
/// ```
/// Source: Reynolds 1987 and 1999.
pub fn cohesion<V: Vector>(position: V, others: impl IntoIterator<Item = V>) -> V {
    mean(others.into_iter().map(|other| other.minus(position))).unwrap_or_else(V::origin)
}

/// Mean of the items, `None` if there are none: the sum times 1/n.
fn mean<V: Vector>(items: impl IntoIterator<Item = V>) -> Option<V> {
    let (mut sum, mut count) = (V::origin(), 0.0_f32);
    for item in items {
        sum = sum.plus(item);
        count += 1.0;
    }
    (count > 0.0).then(|| sum.times(1.0 / count))
}

/// The seek-flee flock: one loop in which an agent seeks, flees and aligns. `SeekFlee::default()`
/// has the source's numbers.
///
/// | parameter | unit | default | range | larger |
/// |---|---|---|---|---|
/// | sight | world units | 200 | 1e-9…1e12 | bigger, tighter groups |
/// | cos_half_view | cosine | 0 (front half plane) | −1…1 | a narrower view |
/// | too_close | world units | 60 | 1e-9…1e12 | more room between agents |
///
/// ```
/// use wingbeat_steer::behavior::SeekFlee;
/// assert_eq!(SeekFlee::default(), SeekFlee::new(200.0, 0.0, 60.0)?);
/// # Ok::<(), wingbeat_steer::ParamError>(())
/// ```
/// Source: the third of the five source systems.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SeekFlee {
    sight: f32,
    cos_half_view: f32,
    too_close: f32,
}

impl Default for SeekFlee {
    fn default() -> Self {
        Self { sight: 200.0, cos_half_view: 0.0, too_close: 60.0 }
    }
}

impl SeekFlee {
    /// How far an agent sees, the cosine of half its field of view, and the distance below which it
    /// flees.
    ///
    /// # Errors
    /// A parameter outside its range (see the table above).
    ///
    /// ```
    /// # use wingbeat_steer::behavior::SeekFlee;
    /// assert_eq!(SeekFlee::new(-1.0, 0.0, 60.0).unwrap_err().field, "seek_flee.sight");
    /// ```
    pub fn new(sight: f32, cos_half_view: f32, too_close: f32) -> Result<Self, ParamError> {
        check_range("seek_flee.sight", sight, 1e-9, 1e12)?;
        check_range("seek_flee.cos_half_view", cos_half_view, -1.0, 1.0)?;
        check_range("seek_flee.too_close", too_close, 1e-9, 1e12)?;
        Ok(Self { sight, cos_half_view, too_close })
    }

    /// The whole flock in one loop: seek the middle of those seen, flee (the source's way) those
    /// too close, align.
    ///
    /// Formula: `seek(mean position of those seen) + Σ over too close of (v − max_speed·unit(o)) +
    /// (v + Σv_j)/(n + 1) − v`; zero if no boid is seen. `agent` and the others are (position,
    /// velocity) pairs, the others without the agent itself.
    ///
    /// ```
    /// use wingbeat_steer::behavior::SeekFlee;
    /// let flock = SeekFlee::default();
    /// let others = [([100.0, 0.0], [0.0, 2.0])];
    /// // Seek is met; half of the alignment.
    /// assert_eq!(flock.steer(([0.0, 0.0], [2.0, 0.0]), others, 2.0), [-1.0, 1.0]);
    /// ```
    /// Source: the seek-flee flock, as its text says it (its listing divides by the wrong counts).
    pub fn steer<V: Vector>(
        &self,
        agent: (V, V),
        others: impl IntoIterator<Item = (V, V)>,
        max_speed: f32,
    ) -> V {
        let (position, velocity) = agent;
        let forward = heading(velocity);
        let (mut offsets, mut velocities, mut fleeing, mut count) =
            (V::origin(), velocity, V::origin(), 0.0_f32);
        for (other, other_velocity) in others {
            if !in_sight(position, forward, other, self.sight, self.cos_half_view) {
                continue;
            }
            let offset = other.minus(position);
            offsets = offsets.plus(offset);
            velocities = velocities.plus(other_velocity);
            count += 1.0;
            let distance_sq = offset.norm_sq();
            let near_sq = self.too_close * self.too_close;
            if distance_sq <= near_sq && distance_sq > near_sq * COINCIDENT {
                fleeing = fleeing.plus(flee_negated_seek(V::origin(), velocity, offset, max_speed));
            }
        }
        if count == 0.0 {
            return V::origin();
        }
        let middle = offsets.times(1.0 / count);
        let aligned = velocities.times(1.0 / (count + 1.0)).minus(velocity);
        seek(V::origin(), velocity, middle, max_speed).plus(fleeing).plus(aligned)
    }
}
