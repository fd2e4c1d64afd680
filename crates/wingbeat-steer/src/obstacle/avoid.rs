//! Steering ahead of obstacles: the formula, one boid and one piece of an obstacle at a time.

use super::Avoidance;
use crate::terms::steering_kind::{BEHIND, perpendicular};
use crate::{Domain, Vector, heading, math};

/// Paths this parallel to a segment meet it nowhere in particular.
pub const PARALLEL: f32 = 1e-6;

/// The core of a piece, from which its surface is a radius away.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Core<V> {
    /// A segment, from a point along a unit vector; a point where the length is 0.
    Segment {
        /// Its beginning.
        from: V,
        /// Where it goes, a unit vector; 0 of a point.
        axis: V,
        /// How far.
        length: f32,
    },
    /// A box with faces across the axes.
    Block {
        /// Lowest corner.
        low: V,
        /// Highest corner.
        high: V,
    },
}

/// What is avoided: a sphere, a capsule, a wall or a box is one piece, a polygon or a turned box
/// one for each edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece<V> {
    /// What its surface lies about.
    pub core: Core<V>,
    /// How far from that.
    pub radius: f32,
    /// The obstacle's velocity.
    pub velocity: V,
    /// Whether that is not 0.
    pub moves: bool,
    /// A path whose box does not meet `low`…`high` is not looked at.
    pub low: V,
    /// The other corner.
    pub high: V,
    /// Place of the obstacle in its list.
    pub obstacle: usize,
}

impl<V: Vector> Core<V> {
    /// The same, shifted.
    #[must_use]
    pub fn shifted(self, shift: V) -> Self {
        match self {
            Self::Segment { from, axis, length } => {
                Self::Segment { from: from.plus(shift), axis, length }
            }
            Self::Block { low, high } => {
                Self::Block { low: low.plus(shift), high: high.plus(shift) }
            }
        }
    }
}

/// What a boid makes of a piece.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Threat<V> {
    /// Place of the obstacle in its list.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub obstacle: usize,
    /// 1 less the part of the path until the clearance is reached; 0 if it is not.
    pub urgency: f32,
    /// How deep the boid is in the clearance, as a part of that.
    pub depth: f32,
    /// Across the heading, a unit vector.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub aside: V,
    /// Away from the core, a unit vector.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub outward: V,
}

impl<V: Vector> Threat<V> {
    /// The push: (aside·urgency + outward·depth)·weight.
    pub fn force(&self, avoidance: &Avoidance) -> V {
        self.aside.times(self.urgency).plus(self.outward.times(self.depth)).times(avoidance.weight)
    }
}

/// Shifts of the images that are looked at: of a periodic box all that surround it, the lowest
/// first; otherwise none but 0.
pub fn images<V: Vector>(domain: &Domain<V>) -> impl Iterator<Item = V> {
    let periodic = domain.is_periodic();
    let sides = V::from_fn(|a| domain.side(a));
    let count = if periodic { 3_usize.pow(V::DIMENSIONS as u32) } else { 1 };
    (0..count).map(move |number| {
        if !periodic {
            return V::origin();
        }
        let mut rest = number;
        V::from_fn(|a| {
            let step = rest % 3;
            rest /= 3;
            [-sides.axis(a), 0.0, sides.axis(a)][step]
        })
    })
}

impl<V: Vector> Piece<V> {
    pub(crate) fn threat(
        &self,
        position: V,
        velocity: V,
        shift: V,
        avoidance: &Avoidance,
    ) -> Threat<V> {
        let keep = self.radius + avoidance.clearance;
        let relative = if self.moves { velocity.minus(self.velocity) } else { velocity };
        let ahead = heading(relative);
        let path = relative.norm_plain() * avoidance.horizon;
        // `away`: from the core to the boid now; `part`: how much of the path there is to go, if it
        // comes too near.
        let (away, part) = match self.core.shifted(shift) {
            Core::Segment { from, axis, length } => {
                let offset = position.minus(from);
                let (along, before) = (axis.inner(offset), ahead.inner(offset));
                let away = offset.minus(axis.times(math::clamp(along, 0.0, length)));
                let slope = ahead.inner(axis);
                let apart = 1.0 - slope * slope;
                let meet = if apart > PARALLEL { (slope * along - before) / apart } else { 0.0 };
                let on_core =
                    math::clamp(slope * math::clamp(meet, 0.0, path) + along, 0.0, length);
                let walked = math::clamp(slope * on_core - before, 0.0, path);
                let gap = offset.plus(ahead.times(walked)).minus(axis.times(on_core)).norm_plain();
                let now = away.norm_plain();
                // The distance along a line is convex, so it falls to `keep` no later than this.
                let until = if now > keep { walked * (now - keep) / (now - gap) } else { 0.0 };
                (away, (gap < keep && gap < now).then_some(until))
            }
            Core::Block { low, high } => {
                let away = V::from_fn(|a| {
                    position.axis(a) - math::clamp(position.axis(a), low.axis(a), high.axis(a))
                });
                let (mut enter, mut leave) = (0.0, path);
                let mut misses = false;
                for a in 0..V::DIMENSIONS {
                    let (x, step) = (position.axis(a), ahead.axis(a));
                    let (from_low, from_high) =
                        ((low.axis(a) - keep) - x, (high.axis(a) + keep) - x);
                    if step == 0.0 {
                        misses = misses || from_low > 0.0 || from_high < 0.0;
                    } else {
                        let (one, other) = (from_low / step, from_high / step);
                        enter = math::max(math::min(one, other), enter);
                        leave = math::min(math::max(one, other), leave);
                    }
                }
                (away, (!misses && enter <= leave && ahead.inner(away) < 0.0).then_some(enter))
            }
        };
        let urgency = match part {
            Some(until) if until < path => 1.0 - until / path,
            _ => 0.0,
        };
        let now = away.norm_plain();
        let depth = if now < keep && avoidance.clearance > 0.0 {
            math::min((keep - now) / avoidance.clearance, 1.0)
        } else {
            0.0
        };
        let across = away.minus(ahead.times(ahead.inner(away)));
        let side = if across.norm_plain() > now * BEHIND { across } else { perpendicular(ahead) };
        Threat { obstacle: self.obstacle, urgency, depth, aside: side.unit(), outward: away.unit() }
    }
}
