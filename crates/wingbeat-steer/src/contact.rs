//! Solid bodies: no two overlap, whatever the density, speed, time step or rules.
//!
//! Boid i is a disc or ball of radius R about its position. Let u be the displacement that a step
//! would make of it, after limits, obstacles and faces. For every other body j, with the gap g = d
//! − (Rᵢ + Rⱼ) and the direction n = o/d to it,
//!
//! ```text
//! u·n ≤ s·max(g, 0)          s = ½, or by priority: sᵢⱼ + sⱼᵢ = 1
//! ```
//!
//! If both keep it, their distance along n after the step is at least d − sᵢⱼ·g − sⱼᵢ·g = Rᵢ + Rⱼ,
//! and a distance is never less than its projection. u = 0 always keeps it. What one body does
//! depends on where all were when the step began, and on nothing else. Faces and obstacles that
//! stand still are the same with s = 1 and the half-space at their nearest point.
//!
//! 1. **Slide**: up to [`SLIDES`] rounds over these bounds, each taking out of u what goes beyond
//!    it.
//! 2. **Shorten**: u ← t·u with the largest t ≤ 1 that keeps all of them, 0 if none does. This
//!    alone is the guarantee.
//!
//! Positions round: a bound is lessened by a *slack* of 2⁻²⁰ of the largest number involved
//! (coordinate, distance, way), twice that while sliding, so that what slides need not be
//! shortened. That covers all rounding of a step, so the gap of two bodies never falls below 0 as
//! exact arithmetic on the `f32` positions finds it; two that press against each other come to rest
//! about four slacks apart. Nor does that to an obstacle that stands still, measured in `f64`.
//! Faces are min + R and max − R as `f32` rounds them, so a body may reach half a unit in the last
//! place of these into a face. All that is of bodies that began apart: start.rs refuses others, or
//! settle.rs moves them apart first.

use alloc::format;
use alloc::vec::Vec;

use crate::schema::parameter_info::{NONE, Parameters};
use crate::{Domain, ParamError, Vector, math};

parameters! {
    /// Bodies that never overlap (`[body]`), of all boids of the flock. How it is kept:
    /// docs/MODEL.md, *Bodies*.
    ///
    /// ```
    /// use wingbeat_steer::{Params, SolidBody};
    /// let params = Params {
    ///     body: Some(SolidBody { radius: 0.2, ..Default::default() }),
    ///     ..Default::default()
    /// };
    /// assert!(params.check().is_ok());
    /// ```
    pub struct SolidBody in "body." {
        radius: f32 = 0.25, "length", 1e-9 => 1e9, "Radius of the disc or ball about a boid's \
            position that no other body overlaps; in a box at most an eighth of its shortest \
            side.", "bodies of more room, and jams at wider doors";
        margin: f32 = 0.1, "1", 0.0 => 10.0, "Anticipation sees radii larger by this part, so that \
            bodies seldom touch.", "more room between bodies, earlier evasion";
        share: f32 = 0.75, "1", 0.5 => 0.9, "What the body of higher priority may use of the gap \
            between two; the other has the rest, equals half each.", "those of higher priority \
                push through more readily";
    }
    settings {
        settle: bool = false, "Whether bodies that overlap at the start are moved apart before \
            the first step, in from faces and out of obstacles that stand still; otherwise such a \
            start is refused.";
    }
}

parameters! {
    /// What the bodies of one species have of their own.
    pub struct SpeciesBody in "body." {
        radius: Option<f32> = NONE, "length", 1e-9 => 1e9, "Radius of its bodies, where it is not \
            that of the flock.", "bodies of more room";
        priority: f32 = 0.0, "1", -1e6 => 1e6, "Who has the larger one takes body.share of the gap \
            between two bodies.", "others make way more readily";
    }
}

/// Rounds of sliding: of 100 people against 100 in the open all get through with eight, at four
/// some stay wedged for minutes.
pub const SLIDES: usize = 8;

/// Slack as a part of the largest number involved.
pub const SLACK: f32 = 1.0 / 1_048_576.0;

/// Once it has looked as far as its radius and what is left of the way is longer, a body looks this
/// much further.
pub const LOOK_FURTHER: f32 = 4.0;

/// Of a way that is cut to less than this part the velocity keeps the direction, so that a body
/// that is wedged in knows where it wants to go.
pub const STILL: f32 = 1.0 / 1024.0;

/// A body's radius is at most this part of the shortest side of a box with faces.
pub const LARGEST_PART: f32 = 0.125;

impl SolidBody {
    /// Refuses numbers out of range.
    ///
    /// # Errors
    /// Names the number, its value and what is allowed.
    pub fn check(&self) -> Result<(), ParamError> {
        self.check_ranges("body")
    }

    /// What a body of priority `own` may use of the gap to one of priority `other`.
    pub fn share_of(&self, own: f32, other: f32) -> f32 {
        if own > other {
            self.share
        } else if own < other {
            1.0 - self.share
        } else {
            0.5
        }
    }
}

/// Refuses a radius that a box has no room for.
///
/// # Errors
/// Names it as `field`, with what is allowed.
pub fn check_radius<V: Vector>(
    field: &str,
    radius: f32,
    domain: &Domain<V>,
) -> Result<(), ParamError> {
    let side = shortest_side(domain);
    if side < f32::INFINITY && radius > side * LARGEST_PART {
        let allowed = format!(
            "at most {}, an eighth of the shortest side of the domain",
            side * LARGEST_PART
        );
        return Err(ParamError::new(field, radius, allowed));
    }
    Ok(())
}

/// The shortest side of a box whose faces bodies meet or see through; infinite without such faces.
fn shortest_side<V: Vector>(domain: &Domain<V>) -> f32 {
    if !(domain.is_periodic() || domain.boundary.has_faces()) {
        return f32::INFINITY;
    }
    (0..V::DIMENSIONS).map(|a| domain.side(a)).fold(f32::INFINITY, math::min)
}

/// The longest way of a body in one step. It is limited in a periodic box alone, to a fifth of the
/// shortest side by the least share of a gap, so that no two images of a body need be looked at.
pub fn longest_way<V: Vector>(domain: &Domain<V>, least_share: f32) -> f32 {
    if domain.is_periodic() { shortest_side(domain) * (0.2 * least_share) } else { f32::INFINITY }
}

/// The longest way that a step tries of a body in a periodic box: a little less than
/// [`longest_way`], so that rounding does not make it longer than that.
pub fn longest_try<V: Vector>(domain: &Domain<V>, least_share: f32) -> f32 {
    longest_way(domain, least_share) * (1.0 - STILL)
}

/// The largest coordinate that has a part in where a boid is: its own, and in a periodic box that
/// of the box.
pub fn scale<V: Vector>(position: V, domain: &Domain<V>) -> f32 {
    let own = position.largest();
    if domain.is_periodic() {
        math::max(own, math::max(domain.min.largest(), domain.max.largest()))
    } else {
        own
    }
}

/// The box in which the centre of a body stays: its faces are a radius further in.
pub fn domain_of<V: Vector>(domain: &Domain<V>, radius: f32) -> Domain<V> {
    if !(domain.boundary.has_faces() && radius > 0.0) {
        return *domain;
    }
    Domain {
        boundary: domain.boundary,
        min: V::from_fn(|a| domain.min.axis(a) + radius),
        max: V::from_fn(|a| domain.max.axis(a) - radius),
    }
}

/// A bound of a way: way·normal is at most `room`, less the slack.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound<V> {
    /// Towards what is in the way, a unit vector.
    pub normal: V,
    /// How far the body may go there, length.
    pub room: f32,
    /// What covers rounding, length.
    pub slack: f32,
}

impl<V: Vector> Bound<V> {
    /// By a body that is `offset` away, where ways are as long as `reach`; `None` on the very place
    /// of the other.
    pub fn of_body(offset: V, radii: f32, share: f32, scale: f32, reach: f32) -> Option<Self> {
        let distance = offset.norm_plain();
        if distance == 0.0 {
            return None;
        }
        let gap = distance - radii;
        let room = share * math::max(gap, 0.0);
        Some(Self {
            normal: offset.times(1.0 / distance),
            room,
            slack: (scale + (distance + reach)) * SLACK,
        })
    }

    /// By the lower (−1) or the upper (+1) face across an axis, `gap` away from the body.
    pub fn of_face(axis: usize, sign: f32, gap: f32, scale: f32, reach: f32) -> Self {
        let normal = V::from_fn(|a| if a == axis { sign } else { 0.0 });
        Self { normal, room: math::max(gap, 0.0), slack: (scale + reach) * SLACK }
    }

    /// How far a way may go that slides along it.
    pub fn while_sliding(&self) -> f32 {
        self.room - (self.slack + self.slack)
    }

    /// How far any way may go.
    pub fn at_last(&self) -> f32 {
        self.room - self.slack
    }
}

/// What is left of a way.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct KeptWay<V> {
    /// The way.
    pub way: V,
    /// Rounds of sliding until nothing was in the way, at most [`SLIDES`].
    pub slides: usize,
    /// The part of the slid way that is left, 0 to 1.
    pub part: f32,
}

/// Slides a way along bounds and shortens it until it keeps all of them.
///
/// ```
/// use wingbeat_steer::body::{Bound, kept_way};
/// // A wall ahead, 0.5 away: what goes into it is taken out, the rest goes on along it.
/// let wall = Bound { normal: [1.0, 0.0], room: 0.5, slack: 0.0 };
/// assert_eq!(kept_way([2.0, 1.0], &[wall]).way, [0.5, 1.0]);
/// // In a corner there is no going on.
/// let other = Bound { normal: [0.0, 1.0], room: 0.0, slack: 0.0 };
/// assert_eq!(kept_way([2.0, 1.0], &[wall, other]).way, [0.5, 0.0]);
/// ```
pub fn kept_way<V: Vector>(way: V, bounds: &[Bound<V>]) -> KeptWay<V> {
    let (mut way, mut slides) = (way, 0);
    while slides < SLIDES {
        let mut slid = false;
        for bound in bounds {
            let beyond = way.inner(bound.normal) - bound.while_sliding();
            if beyond > 0.0 {
                way = way.minus(bound.normal.times(beyond));
                slid = true;
            }
        }
        if !slid {
            break;
        }
        slides += 1;
    }
    let (mut part, mut least) = (1.0, 0.0);
    for bound in bounds {
        let (ahead, most) = (way.inner(bound.normal), bound.at_last());
        if ahead > most {
            part = math::min(part, if most > 0.0 { most / ahead } else { 0.0 });
        } else if most < 0.0 {
            // Nearer than the slack a body goes away by so much, or stays: less may be rounded to a
            // way towards the other.
            least = math::max(least, most / ahead);
        }
    }
    let part = if part < least { 0.0 } else { part };
    KeptWay { way: way.times(part), slides, part }
}

/// What other bodies left of a boid's way.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Blocked<V> {
    /// Those in whose bounds the way went, by id, in slot order; none where it was only too long
    /// for the box.
    pub by: Vec<u64>,
    /// The way that it wanted, length.
    pub wanted: V,
    /// What became of it.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub kept: KeptWay<V>,
    /// Whether an obstacle overlaps the boid after the step.
    pub squeezed: bool,
}

/// A body as others see it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OtherBody<V> {
    /// Who.
    pub id: u64,
    /// Where it was when the step began, length.
    pub position: V,
    /// How it moved then, length/time.
    pub velocity: V,
    /// Its radius, length.
    pub radius: f32,
    /// Who has the larger one takes more of the gap between two.
    pub priority: f32,
}
