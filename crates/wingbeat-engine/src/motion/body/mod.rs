//! Bodies in lanes: `wingbeat_steer::body`, operation by operation. No two overlap.
//!
//! The stage `MoveFreely` moves bodies as if there were no others, from the front columns into the
//! back ones; then each block of boids looks at the bodies near it as the step began, and takes
//! back what of its ways went too far (keep.rs).

use wingbeat_steer::body::{OtherBody, SLACK, longest_try, longest_way};
use wingbeat_steer::{Domain, Params, SolidBody, math};

use crate::columns::boids::Boids;
use crate::columns::extra::{ExtraColumns, PADDING};
use crate::parallel::Workers;
use crate::simd::{Float, Mask, Simd};

mod bounds;
mod keep;
mod start;

pub(crate) use bounds::BodyScratch;
pub(crate) use keep::{Bodies, keep_apart};
pub(crate) use start::{admit_newcomer, set_up};

/// How large bodies are and which gives way, by slot; made anew in every step.
#[derive(Clone, Debug)]
pub(crate) struct BodyColumns {
    pub body: SolidBody,
    /// Of every species.
    kinds: Vec<[f32; 2]>,
    pub radii: Vec<f32>,
    /// Empty where all are alike.
    pub priorities: Vec<f32>,
    /// Whether all are of one radius and priority.
    pub alike: bool,
    /// The largest radius there is.
    pub largest: f32,
    /// The largest that a boid of another part of the flock has of its own.
    pub elsewhere: f32,
    /// The longest way of a step.
    pub longest_way: f32,
    /// The longest that one tries.
    pub longest_try: f32,
    /// The least that a body may use of a gap.
    pub least_share: f32,
}

impl BodyColumns {
    /// `None` in a flock of points.
    pub fn new<const D: usize>(params: &Params, domain: &Domain<[f32; D]>) -> Option<Self> {
        let body = params.body?;
        let of = |species| {
            params
                .body_of(species)
                .map_or([0.0; 2], |own| [own.radius.unwrap_or(0.0), own.priority])
        };
        let least_share = params.least_share();
        Some(Self {
            body,
            kinds: params.each_species().map(of).collect(),
            radii: Vec::new(),
            priorities: Vec::new(),
            alike: true,
            largest: params.largest_body(),
            elsewhere: 0.0,
            longest_way: longest_way(domain, least_share),
            longest_try: longest_try(domain, least_share),
            least_share,
        })
    }

    /// The body of the boid in a slot, and then those of all others in slot order, for
    /// explanations.
    pub fn told<const D: usize>(&self, boids: &Boids<D>, slot: usize) -> Vec<OtherBody<[f32; D]>> {
        let others = (0..boids.len()).filter(|&other| other != slot);
        std::iter::once(slot).chain(others).map(|slot| self.body(boids, slot)).collect()
    }

    /// The body of the boid in a slot.
    pub fn body<const D: usize>(&self, boids: &Boids<D>, slot: usize) -> OtherBody<[f32; D]> {
        let (columns, extra) = (&boids.front, &boids.extra);
        let [_, priority] = self.kinds[extra.species_of(slot).get()];
        let (id, position) = (boids.ids().of(columns.rank[slot]).get(), columns.position(slot));
        let velocity = columns.velocity(slot);
        OtherBody { id, position, velocity, radius: self.radius_of(extra, slot), priority }
    }

    /// The radius of the boid in a slot as it is now.
    pub fn radius_of<const D: usize>(&self, extra: &ExtraColumns<D>, slot: usize) -> f32 {
        let own = extra.radius.get().map(|radius| radius[slot]).filter(|own| !own.is_nan());
        own.unwrap_or(self.kinds[extra.species_of(slot).get()][0])
    }

    /// How far a body with such a way looks at others at most; no less than what blocks do
    /// (keep.rs).
    pub fn furthest_look(&self, radius: f32, way: f32, scale: f32) -> f32 {
        let (reach, touch) = (math::min(way, self.longest_way), radius + self.largest);
        let slack = (scale + touch + reach) * (4.0 * SLACK);
        (touch + (reach + slack) / self.least_share) * 1.002
    }

    /// What the body in one slot may use of the gap to that in another.
    pub fn share(&self, own: usize, other: usize) -> f32 {
        if self.priorities.is_empty() {
            0.5
        } else {
            self.body.share_of(self.priorities[own], self.priorities[other])
        }
    }

    /// Whether priorities differ.
    fn ranks(&self) -> bool {
        self.kinds.iter().any(|kind| kind[1] != self.kinds[0][1])
    }

    /// Radii and priorities of boids as they are sorted now.
    pub fn refresh<T: Default + Send, const D: usize>(
        &mut self,
        boids: &Boids<D>,
        workers: &Workers<T>,
    ) {
        let slots = boids.len();
        let (species, own) = (boids.extra.species.get(), boids.extra.radius.get());
        let rows = slots + PADDING;
        let ranks = self.ranks();
        let alike = species.is_none() && own.is_none();
        self.alike = alike;
        let Self { kinds, radii, priorities, .. } = self;
        radii.resize(rows, kinds[0][0]);
        priorities.resize(if ranks { rows } else { 0 }, kinds[0][1]);
        if alike {
            return;
        }
        let kind = |slot: usize| species.map_or(0, |species| species[slot] as usize);
        let kinds = &*kinds;
        workers.sweep(slots, [[radii.as_mut_slice()]], &|first, [[radii]], _| {
            for (i, radius) in radii.iter_mut().enumerate() {
                let own = own.map(|own| own[first + i]).filter(|own| !own.is_nan());
                *radius = own.unwrap_or(kinds[kind(first + i)][0]);
            }
        });
        if ranks {
            for (slot, priority) in priorities[..slots].iter_mut().enumerate() {
                *priority = kinds[kind(slot)][1];
            }
        }
        let of_kinds = kinds.iter().fold(self.elsewhere, |most, kind| math::max(most, kind[0]));
        self.largest = match own {
            None => of_kinds,
            Some(_) => {
                self.radii[..slots].iter().fold(of_kinds, |most, &radius| math::max(most, radius))
            }
        };
    }
}

/// What each lane may use of the gap to another, by both priorities; `more` is what the boid with
/// the higher one gets.
#[inline(always)]
pub(crate) fn share<S: Simd>(s: S, own: S::F, other: S::F, more: f32) -> S::F {
    let less = own.lt(other).select(s.splat(1.0 - more), s.splat(0.5));
    own.gt(other).select(s.splat(more), less)
}
