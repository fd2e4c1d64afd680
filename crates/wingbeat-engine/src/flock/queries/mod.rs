//! Questions about places: which boids are near a point, what a segment meets first, and whether
//! there is room for a body.
//!
//! They are about the flock as it is now, between steps, and change nothing: see
//! [`index`](index) for how they find boids. Distances are those that a step computes: nearest
//! images in a periodic box, in `f32`, each operation rounded once.

use wingbeat_steer::body::{OtherBody, domain_of, overlaps_any};
use wingbeat_steer::{Vector, math};

use super::{Flock, checks};
use crate::columns::neighbor::Neighbor;
use crate::grid::{Images, Reach};
use crate::simd::with_default_rounding;
use crate::{BoidId, FlockError};

mod first_hit;
mod index;

pub use first_hit::{Hit, HitTarget};
pub(crate) use index::{FoundBoid, Indexed, QueryCache, QueryIndex, QueryScratch};

/// The boids that a query found, one after the other.
pub struct Neighbors<'a, const D: usize> {
    query: Query<'a, D>,
    scratch: QueryScratch<D>,
    next: usize,
}

impl<const D: usize> Iterator for Neighbors<'_, D> {
    type Item = Neighbor<D>;

    fn next(&mut self) -> Option<Neighbor<D>> {
        let found = *self.scratch.found.get(self.next)?;
        self.next += 1;
        Some(self.query.neighbor(found))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let rest = self.scratch.found.len() - self.next;
        (rest, Some(rest))
    }
}

impl<const D: usize> ExactSizeIterator for Neighbors<'_, D> {}

impl<const D: usize> Drop for Neighbors<'_, D> {
    fn drop(&mut self) {
        self.query.flock.workspace.queries.keep_scratch(std::mem::take(&mut self.scratch));
    }
}

impl<const D: usize> std::fmt::Debug for Neighbors<'_, D> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Neighbors").field("rest", &self.len()).finish_non_exhaustive()
    }
}

/// A search goes at least so far: squares of lengths below are rounded by more than its margin.
const LEAST_REACH: f32 = 1e-18;

/// How many boids a search for the nearest expects within the flock's radius. A guess: it decides
/// how long that takes, never what it finds.
const USUAL: f32 = 20.0;

/// Which boids a query counts; all of them without.
type Filter<'a, const D: usize> = Option<&'a mut dyn FnMut(&Neighbor<D>) -> bool>;

impl<const D: usize> Flock<D> {
    /// All boids within a radius of a point, at exactly the radius included; in slot order, which
    /// is the same on every machine. [`Iterator::filter`] chooses among them.
    ///
    /// ```
    /// use wingbeat::{Domain, Flock2};
    /// let flock = Flock2::builder()
    ///     .domain(Domain::periodic([0.0; 2], [10.0; 2]))
    ///     .boids(&[[1.0, 5.0], [9.5, 5.0], [5.0, 5.0]], &[[0.0; 2]; 3])
    ///     .build()?;
    /// let mut near: Vec<(u64, f32)> =
    ///     flock.within([0.5, 5.0], 1.0).map(|boid| (boid.id.get(), boid.distance)).collect();
    /// near.sort_by(|a, b| a.1.total_cmp(&b.1));
    /// assert_eq!(near, [(0, 0.5), (1, 1.0)]); // the second through the edge of the box
    /// # Ok::<(), wingbeat::FlockError>(())
    /// ```
    ///
    /// The first query after boids have moved finds their order, O(n), which the next step then
    /// need not find; others cost what is near: at 20 boids within the radius less than a
    /// microsecond. Nothing is allocated once buffers have grown. In a periodic box the point may
    /// lie outside; a radius beyond half a side finds each boid once, at its nearest image. A point
    /// or a radius that is NaN or infinite, or a radius below 0, finds no boid.
    pub fn within(&self, point: impl Into<[f32; D]>, radius: f32) -> Neighbors<'_, D> {
        self.find_within(point.into(), radius)
    }

    #[inline(never)]
    pub(crate) fn find_within(&self, point: [f32; D], radius: f32) -> Neighbors<'_, D> {
        let mut found = self.query(point);
        if found.query.may_find(radius) {
            found.query.search(radius, &mut found.scratch);
        }
        found
    }

    /// The boid nearest to a point; of equally near ones that with the lowest id. `None` in a flock
    /// without boids, and of a point that is not finite.
    ///
    /// ```
    /// use wingbeat::Flock2;
    /// let flock = Flock2::builder().boids(&[[1.0, 0.0], [4.0, 0.0]], &[[0.0; 2]; 2]).build()?;
    /// assert_eq!(flock.nearest([3.0, 0.0]).map(|boid| boid.distance), Some(1.0));
    /// # Ok::<(), wingbeat::FlockError>(())
    /// ```
    pub fn nearest(&self, point: impl Into<[f32; D]>) -> Option<Neighbor<D>> {
        self.find_nearest(point.into(), 1, None).next()
    }

    /// The nearest of the boids for which `is_wanted` holds; it may be asked of a boid more than
    /// once, and of boids that are further away.
    ///
    /// ```
    /// use wingbeat::Flock2;
    /// let flock = Flock2::builder().boids(&[[1.0, 0.0], [4.0, 0.0]], &[[0.0; 2]; 2]).build()?;
    /// let other = flock.nearest_where([1.0, 0.0], |boid| boid.id.get() != 0);
    /// assert_eq!(other.map(|boid| boid.distance), Some(3.0));
    /// # Ok::<(), wingbeat::FlockError>(())
    /// ```
    pub fn nearest_where(
        &self,
        point: impl Into<[f32; D]>,
        mut is_wanted: impl FnMut(&Neighbor<D>) -> bool,
    ) -> Option<Neighbor<D>> {
        self.find_nearest(point.into(), 1, Some(&mut is_wanted)).next()
    }

    /// The `count` boids nearest to a point, the nearest first, equally near ones by id; all of
    /// them where there are fewer.
    ///
    /// ```
    /// use wingbeat::Flock2;
    /// let flock = Flock2::builder()
    ///     .boids(&[[1.0, 0.0], [4.0, 0.0], [2.0, 0.0]], &[[0.0; 2]; 3])
    ///     .build()?;
    /// let ids: Vec<u64> = flock.nearest_n([0.0, 0.0], 2).map(|boid| boid.id.get()).collect();
    /// assert_eq!(ids, [0, 2]);
    /// # Ok::<(), wingbeat::FlockError>(())
    /// ```
    pub fn nearest_n(&self, point: impl Into<[f32; D]>, count: usize) -> Neighbors<'_, D> {
        self.find_nearest(point.into(), count, None)
    }

    /// The same of the boids for which `is_wanted` holds; see
    /// [`nearest_where`](Self::nearest_where).
    pub fn nearest_n_where(
        &self,
        point: impl Into<[f32; D]>,
        count: usize,
        mut is_wanted: impl FnMut(&Neighbor<D>) -> bool,
    ) -> Neighbors<'_, D> {
        self.find_nearest(point.into(), count, Some(&mut is_wanted))
    }

    #[inline(never)]
    pub(crate) fn find_nearest(
        &self,
        point: [f32; D],
        count: usize,
        is_wanted: Filter<'_, D>,
    ) -> Neighbors<'_, D> {
        let mut found = self.query(point);
        if count > 0 && found.query.may_find(0.0) {
            found.query.nearest(count, &mut found.scratch, is_wanted);
        }
        found
    }

    /// The others within the flock's largest radius of perception of a boid, its own rules'
    /// included; in slot order. What a rule counted in the last step, with its cone and its
    /// species, [`explain`](Self::explain) tells.
    ///
    /// ```
    /// use wingbeat::{Cohesion, Flock2, Params, Rules};
    /// let rules = Rules { cohesion: Some(Cohesion::default()), ..Rules::default() };
    /// let flock = Flock2::builder()
    ///     .params(Params { rules, ..Params::default() })
    ///     .boids(&[[0.0, 0.0], [0.5, 0.0], [9.0, 0.0]], &[[0.0; 2]; 3])
    ///     .build()?;
    /// let id = flock.frame().boid(0).id;
    /// assert_eq!(flock.neighbors(id)?.map(|other| other.id.get()).collect::<Vec<_>>(), [1]);
    /// # Ok::<(), wingbeat::FlockError>(())
    /// ```
    ///
    /// # Errors
    /// When no living boid has this id.
    #[inline(never)]
    pub fn neighbors(&self, id: BoidId) -> Result<Neighbors<'_, D>, FlockError> {
        let slot = self.state.boids.slot_of(id)?;
        let mut found =
            self.find_within(self.state.boids.front.position(slot), self.derived.kernel.radius);
        if self.derived.kernel.radius == 0.0 {
            found.scratch.found.clear();
        }
        let index = found.query.index;
        found.scratch.found.retain(|other| index.slot(other.place) != slot);
        Ok(found)
    }

    /// Whether a body of a radius has room at a point: in the domain, its radius away from the
    /// faces of a walled or reflecting one, outside of all obstacles as they are now by its radius,
    /// and overlapping no boid's body. In a flock of points no boid may be nearer than the radius.
    /// Two bodies may touch. A point or radius that is not finite, or a radius below 0, has no
    /// room. Where it is true, [`add`](Self::add) accepts a body of that radius.
    ///
    /// ```
    /// use wingbeat::Flock2;
    /// let flock = Flock2::builder().boids(&[[0.0, 0.0]], &[[0.0; 2]]).build()?;
    /// assert!(flock.is_free([1.0, 0.0], 1.0) && !flock.is_free([0.9, 0.0], 1.0));
    /// # Ok::<(), wingbeat::FlockError>(())
    /// ```
    pub fn is_free(&self, point: impl Into<[f32; D]>, radius: f32) -> bool {
        self.has_room(point.into(), radius)
    }

    #[inline(never)]
    pub(crate) fn has_room(&self, point: [f32; D], radius: f32) -> bool {
        if !(radius >= 0.0 && radius.is_finite() && point.all_finite()) {
            return false;
        }
        with_default_rounding(|| {
            let domain = &self.settings.domain;
            let position = checks::settled(point, domain);
            let body = OtherBody { id: 0, position, velocity: [0.0; D], radius, priority: 0.0 };
            let has_faces = domain.boundary.has_faces();
            domain.contains(position)
                && (!has_faces || domain_of(domain, radius).contains(position))
                && self.is_free_of_obstacles(position, radius)
                && self.is_free_of_bodies(&body)
        })
    }

    /// Whether a place is outside of all obstacles by a radius.
    fn is_free_of_obstacles(&self, position: [f32; D], radius: f32) -> bool {
        let Some(course) = &self.state.course else { return true };
        let mut scratch = self.workspace.queries.scratch();
        let is_free = course.has_room(position, radius, &mut scratch.lists);
        self.workspace.queries.keep_scratch(scratch);
        is_free
    }

    /// Whether a body overlaps no boid's, by the definition, of those that are near enough.
    fn is_free_of_bodies(&self, body: &OtherBody<[f32; D]>) -> bool {
        if self.is_empty() {
            return true;
        }
        let mut near = self.query(body.position);
        let Neighbors { query, scratch, .. } = &mut near;
        // A little more than the sum of radii: the definition decides, in f64.
        let reach = (body.radius + query.index.largest_body) * (1.0 + 1.0 / 65_536.0);
        query.candidates(reach, scratch);
        let bodies = self.derived.bodies.as_ref();
        let others = scratch.runs.iter().flat_map(|run| run.first..run.end).map(|place| {
            let slot = query.index.slot(place);
            match bodies {
                Some(bodies) => bodies.body(&self.state.boids, slot),
                None => OtherBody {
                    position: self.state.boids.front.position(slot),
                    radius: 0.0,
                    ..*body
                },
            }
        });
        !overlaps_any(body, others, &self.settings.domain)
    }

    /// A query about a point.
    fn query(&self, point: [f32; D]) -> Neighbors<'_, D> {
        let queries = &self.workspace.queries;
        let Self { state, derived, machine, .. } = self;
        let index = queries.index(&self.workspace.grid, Indexed { state, derived, machine });
        let point = checks::settled(point, &self.settings.domain);
        let mut scratch = queries.scratch();
        scratch.found.clear();
        Neighbors { query: Query { flock: self, index, point }, scratch, next: 0 }
    }
}

/// A question about a point.
#[derive(Clone, Copy)]
struct Query<'a, const D: usize> {
    flock: &'a Flock<D>,
    index: &'a QueryIndex<D>,
    /// In the box, where that is periodic.
    point: [f32; D],
}

impl<const D: usize> Query<'_, D> {
    /// Whether there is anything to find.
    fn may_find(&self, radius: f32) -> bool {
        radius >= 0.0 && radius.is_finite() && self.point.all_finite() && !self.flock.is_empty()
    }

    /// Runs of the boids that may be within a radius.
    fn candidates(&self, radius: f32, scratch: &mut QueryScratch<D>) -> Images {
        let domain = &self.flock.settings.domain;
        let (index, reach) = (self.index, Reach::new(radius, domain));
        let (low, high) = (&self.point, &self.point);
        index.grid.search_within(&reach, &index.position, low, high, &mut scratch.runs)
    }

    /// All boids within a radius. How many were looked at.
    fn search(&self, radius: f32, scratch: &mut QueryScratch<D>) -> usize {
        with_default_rounding(|| {
            let images = self.candidates(math::max(radius, LEAST_REACH), scratch);
            scratch.found.clear();
            let (domain, radius_sq) = (&self.flock.settings.domain, radius * radius);
            // Without images in reach an offset is the nearest one as it is.
            if images == Images::None {
                self.look(radius_sq, scratch, |_, offset| offset)
            } else {
                self.look(radius_sq, scratch, |a, offset| domain.image(a, offset))
            }
        })
    }

    /// Adds the boids of all runs that are near enough. How many there are in the runs.
    #[inline(always)]
    fn look(
        &self,
        radius_sq: f32,
        scratch: &mut QueryScratch<D>,
        image: impl Fn(usize, f32) -> f32,
    ) -> usize {
        let (axes, mut looked) = (self.index.position.each_ref(), 0);
        for run in &scratch.runs {
            let slots = run.first as usize..run.end as usize;
            looked += slots.len();
            let axes = axes.map(|axis| &axis[slots.clone()]);
            for (i, place) in (run.first..run.end).enumerate() {
                let offset: [f32; D] =
                    crate::arrays::from_fn(|a| image(a, axes[a][i] - self.point[a]));
                let distance_sq = offset.norm_sq();
                if distance_sq <= radius_sq {
                    scratch.found.push(FoundBoid { distance_sq, place });
                }
            }
        }
        looked
    }

    /// The nearest so many that are wanted, in order.
    fn nearest(&self, count: usize, scratch: &mut QueryScratch<D>, mut is_wanted: Filter<'_, D>) {
        // How much further so many are than so few, where boids are spread evenly.
        let further = |count: usize, found: f32| {
            let times = count as f32 / found;
            if D == 2 { math::sqrt(times) } else { libm::cbrtf(times) }
        };
        let mut radius = 1.3 * self.index.grid.cell_size() * further(count, USUAL);
        loop {
            let looked = self.search(radius, scratch);
            let found_all = scratch.found.len() == self.index.len();
            if let Some(is_wanted) = &mut is_wanted {
                scratch.found.retain(|&found| is_wanted(&self.neighbor(found)));
            }
            if scratch.found.len() >= count || found_all {
                break;
            }
            // Where all were looked at, all the rest is one more look.
            radius = if looked == self.index.len() {
                f32::MAX
            } else {
                let found = scratch.found.len() as f32;
                radius * math::clamp(1.1 * further(count, found), 1.2, 2.0)
            };
        }
        let rank = |found: &FoundBoid| self.index.rank[found.place as usize];
        let order = |a: &FoundBoid, b: &FoundBoid| {
            a.distance_sq.total_cmp(&b.distance_sq).then_with(|| rank(a).cmp(&rank(b)))
        };
        if count < scratch.found.len() {
            scratch.found.select_nth_unstable_by(count - 1, order);
            scratch.found.truncate(count);
        }
        scratch.found.sort_unstable_by(order);
    }

    /// The boid that was found.
    #[inline(never)]
    fn neighbor(&self, found: FoundBoid) -> Neighbor<D> {
        let (boids, slot) = (&self.flock.state.boids, self.index.slot(found.place));
        let domain = &self.flock.settings.domain;
        let position = self.index.position.at(found.place as usize);
        with_default_rounding(|| Neighbor {
            id: boids.ids().of(self.index.rank[found.place as usize]),
            position,
            velocity: boids.front.velocity(slot),
            species: boids.extra.species_of(slot),
            offset: crate::arrays::from_fn(|a| domain.image(a, position[a] - self.point[a])),
            distance: math::sqrt(found.distance_sq),
        })
    }
}
