//! The end of a step of a body: other bodies, faces and obstacles bound its displacement.

use alloc::vec::Vec;

use crate::contact::{
    Blocked, Bound, KeptWay, LOOK_FURTHER, OtherBody, STILL, SolidBody, kept_way, longest_way,
    scale,
};
use crate::obstacle::{BodyReach, ObstacleSet};
use crate::step::integrate::Integrated;
use crate::terms::steering_kind::Advance;
use crate::{Domain, Params, Vector, math};

/// What a body moves among.
#[derive(Clone, Copy)]
pub(crate) struct NearbyBodies<'a, V> {
    pub params: &'a Params,
    pub domain: &'a Domain<V>,
    pub obstacles: &'a ObstacleSet<V>,
    /// All that may be near, in slot order, without itself.
    pub others: &'a [OtherBody<V>],
    /// The largest radius of the flock.
    pub largest: f32,
}

impl<V: Vector> NearbyBodies<'_, V> {
    /// The end of a body's step: what the others leave of its way. `from` is the body as it was.
    pub fn keep_apart(&self, from: &OtherBody<V>, advanced: &mut Integrated<V>, dt: f32) {
        let Self { params, domain, obstacles, .. } = *self;
        let Some(body) = params.body else { return };
        let wanted =
            V::from_fn(|a| domain.image(a, advanced.position.axis(a) - from.position.axis(a)));
        let most = longest_way(domain, params.least_share());
        let size = wanted.norm_plain();
        let way = if size > most { wanted.times(most / size) } else { wanted };
        let reach = way.norm_plain();
        let mut at = BodyReach {
            position: from.position,
            radius: from.radius,
            scale: scale(from.position, domain),
            reach,
        };
        let mut look = from.radius;
        let (by, kept) = loop {
            at.reach = math::min(reach, look);
            let bounds = self.bounds(&body, from, &at);
            let in_the_way =
                |(_, bound): &&(u64, Bound<V>)| way.inner(bound.normal) > bound.while_sliding();
            let by: Vec<u64> = bounds.iter().filter(in_the_way).map(|(id, _)| *id).collect();
            let mut kept = KeptWay { way, slides: 0, part: 1.0 };
            if !by.is_empty() || size > most {
                let mut all: Vec<Bound<V>> = bounds.iter().map(|(_, bound)| *bound).collect();
                faces(domain, &at, &mut all);
                obstacles.bounds_of_way(&at, &mut obstacles.all(), &mut Vec::new(), &mut all);
                kept = kept_way(way, &all);
            }
            if at.reach >= reach || kept.way.norm_plain() <= look {
                break (by, kept);
            }
            look *= LOOK_FURTHER;
        };
        if by.is_empty() && size <= most {
            let size = advanced.way.norm_plain();
            if size > most {
                // Cut before it was tried.
                let kept = KeptWay { way, slides: 0, part: reach / size };
                let (wanted, squeezed) = (advanced.way, advanced.squeezed);
                advanced.hindered = Some(Blocked { by, wanted, kept, squeezed });
            }
            return;
        }
        let still = kept.way.norm_plain() <= size * STILL;
        advanced.velocity = match advanced.advance {
            Advance::Replace { move_with_old: true, .. } => advanced.velocity,
            _ if still => advanced.velocity.times(STILL),
            Advance::Displace => kept.way,
            _ => V::from_fn(|a| kept.way.axis(a) / dt),
        };
        let moved = from.position.plus(kept.way);
        advanced.position = V::from_fn(|a| domain.settle(a, moved.axis(a), 0.0).0);
        let there = BodyReach { position: advanced.position, ..at };
        advanced.squeezed |= obstacles.squeezes(&there, &mut obstacles.all(), &mut Vec::new());
        let squeezed = advanced.squeezed;
        advanced.hindered = Some(Blocked { by, wanted, kept, squeezed });
    }

    /// Bounds by other bodies that a way of at most this reach may meet.
    fn bounds(
        &self,
        body: &SolidBody,
        from: &OtherBody<V>,
        at: &BodyReach<V>,
    ) -> Vec<(u64, Bound<V>)> {
        let bound = |other: &OtherBody<V>| {
            let raw = other.position.minus(from.position);
            let offset = V::from_fn(|a| self.domain.image(a, raw.axis(a)));
            let share = body.share_of(from.priority, other.priority);
            let bound =
                Bound::of_body(offset, from.radius + other.radius, share, at.scale, at.reach)?;
            (bound.while_sliding() < at.reach).then_some((other.id, bound))
        };
        self.others.iter().filter_map(bound).collect()
    }
}

/// Bounds by the faces of a box that bodies do not pass.
fn faces<V: Vector>(domain: &Domain<V>, at: &BodyReach<V>, bounds: &mut Vec<Bound<V>>) {
    if !domain.boundary.has_faces() {
        return;
    }
    for a in 0..V::DIMENSIONS {
        let x = at.position.axis(a);
        let (below, above) =
            ((x - domain.min.axis(a)) - at.radius, (domain.max.axis(a) - x) - at.radius);
        bounds.push(Bound::of_face(a, -1.0, below, at.scale, at.reach));
        bounds.push(Bound::of_face(a, 1.0, above, at.scale, at.reach));
    }
}
