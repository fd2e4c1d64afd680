//! Contacts in lanes: displacements are cut to what other bodies leave.
//!
//! ```text
//! for each block of consecutive slots of a row:
//!     way ← from where it was to where it would be, cut to what a periodic box allows
//!     look ← its radius
//!     until every lane's way is no longer than its look, or has been looked at whole:
//!         bounds ← bodies about the block, as they were when the step began:
//!                  those below min(way, look) in some lane
//!         where a way goes beyond one: with faces and obstacles, slide, then shorten
//!         look ← four times as far
//!     position, velocity ← what is left of those ways
//! ```

use wingbeat_steer::body::{LOOK_FURTHER, SLACK, SLIDES, STILL, scale};
use wingbeat_steer::obstacle::BodyReach;
use wingbeat_steer::{Advance, math};

use crate::domain::{nearest_images, settle};
use crate::motion::body::bounds::{BodyScratch, BodyVisitor, LaneBound};
use crate::motion::body::{BodyColumns, share};
use crate::motion::obstacle::{Lists, ObstacleIndex};
use crate::neighbors::{Block, LIST, SortedFlock, Surroundings};
use crate::simd::{
    Float, Level, MAX_LANES, Mask, Simd, Vectors, Work, dispatch, load_part, store_part,
};

/// What keeping bodies apart reads.
pub(crate) struct Bodies<'a, const D: usize> {
    /// As it was when the step began.
    pub flock: SortedFlock<'a, D>,
    pub columns: &'a BodyColumns,
    pub course: Option<&'a ObstacleIndex<D>>,
    pub advance: Advance,
    pub dt: f32,
}

/// What boids of a block look at others for.
pub(super) struct Looking<'a, S: Simd, const D: usize> {
    pub way: Vectors<S, D>,
    pub radius: S::F,
    pub scale: S::F,
    /// How long ways are at most.
    pub reach: S::F,
    /// Lanes that look.
    pub lanes: S::M,
    /// Bounds of others further away, squared, are beyond the reach.
    pub near_sq: S::F,
    priority: S::F,
    pub radii: &'a [f32],
    priorities: &'a [f32],
    more: f32,
}

impl<S: Simd, const D: usize> Looking<'_, S, D> {
    /// What each lane may use of the gap to another.
    #[inline(always)]
    pub fn share(&self, s: S, slot: usize) -> S::F {
        if self.priorities.is_empty() {
            return s.splat(0.5);
        }
        share(s, self.priority, s.splat(self.priorities[slot]), self.more)
    }
}

/// Keeps the bodies of a batch apart that begins at slot `first`: what they would do is in
/// `position` and `velocity`. `squeezed` becomes 1 for those that an obstacle overlaps; it is empty
/// without obstacles.
pub(crate) fn keep_apart<const D: usize>(
    level: Level,
    bodies: &Bodies<'_, D>,
    first: usize,
    (position, velocity, squeezed): ([&mut [f32]; D], [&mut [f32]; D], &mut [u32]),
    (scratch, lists): (&mut BodyScratch<D>, &mut Lists),
) {
    dispatch(level, ContactBatch { bodies, first, position, velocity, squeezed, scratch, lists });
}

struct ContactBatch<'a, 'b, const D: usize> {
    bodies: &'a Bodies<'a, D>,
    first: usize,
    position: [&'b mut [f32]; D],
    velocity: [&'b mut [f32]; D],
    squeezed: &'b mut [u32],
    scratch: &'a mut BodyScratch<D>,
    lists: &'a mut Lists,
}

/// What becomes of a block's ways.
struct BlockWays<S: Simd, const D: usize> {
    way: Vectors<S, D>,
    /// Lanes whose way is not what it was.
    changed: S::M,
}

impl<const D: usize> Work for ContactBatch<'_, '_, D> {
    #[inline(always)]
    fn run<S: Simd>(mut self, s: S) {
        let flock = &self.bodies.flock;
        let (mut slot, end) = (self.first, self.first + self.position[0].len());
        let mut row_end = slot;
        while slot < end {
            if slot == row_end {
                row_end = flock.grid.row_end(flock.columns.position(slot)).min(end);
            }
            let count = S::LANES.min(row_end - slot);
            self.keep_block(s, slot, count);
            slot += count;
        }
    }
}

impl<const D: usize> ContactBatch<'_, '_, D> {
    #[inline(always)]
    fn keep_block<S: Simd>(&mut self, s: S, slot: usize, count: usize) {
        let Bodies { flock, columns, advance, dt, .. } = self.bodies;
        let at = slot - self.first;
        let mut block = Block::<S, D>::of_row(s, flock, (slot, count), false);
        block.bound(s, flock);
        let (old, live) = (block.own.position, block.own.live);
        let (mut position, mut velocity) = (Vectors::<S, D>::zero(s), Vectors::<S, D>::zero(s));
        for a in 0..D {
            position[a] = load_part(s, &*self.position[a], at);
            velocity[a] = load_part(s, &*self.velocity[a], at);
        }
        let wanted = nearest_images(s, flock.domain, position - old);
        let (size, most) = (wanted.dot(wanted).sqrt(), s.splat(columns.longest_way));
        let cut = size.gt(most) & live;
        let way = Vectors::select(cut, wanted * (most / size), wanted);
        let BlockWays { way, changed } =
            self.kept(s, &block, slot, BlockWays { way, changed: cut });
        if !changed.any() {
            return;
        }
        let still = way.dot(way).sqrt().le(size * s.splat(STILL));
        let velocity = match advance {
            Advance::Replace { move_with_old: true, .. } => velocity,
            Advance::Displace => Vectors::select(
                still & changed,
                velocity * s.splat(STILL),
                Vectors::select(changed, way, velocity),
            ),
            _ => {
                let mut paced = velocity;
                for a in 0..D {
                    paced[a] = changed.select(
                        still.select(velocity[a] * s.splat(STILL), way[a] / s.splat(*dt)),
                        velocity[a],
                    );
                }
                paced
            }
        };
        let moved = old + way;
        for a in 0..D {
            let (x, _) = settle(s, flock.domain, a, moved[a], s.splat(0.0), count);
            position[a] = changed.select(x, position[a]);
            store_part(s, position[a], &mut *self.position[a], at, count);
            store_part(s, velocity[a], &mut *self.velocity[a], at, count);
        }
        if let Some(course) = self.bodies.course.filter(|course| course.moves()) {
            self.mark_squeezed(s, course, slot, (changed & live).bits());
        }
    }

    /// What others leave of the ways of a block.
    #[inline(always)]
    fn kept<S: Simd>(
        &mut self,
        s: S,
        block: &Block<S, D>,
        slot: usize,
        ways: BlockWays<S, D>,
    ) -> BlockWays<S, D> {
        let columns = self.bodies.columns;
        let BlockWays { way, changed: cut } = ways;
        let radius = s.load(&columns.radii, slot);
        let priority = if columns.priorities.is_empty() {
            s.splat(0.0)
        } else {
            s.load(&columns.priorities, slot)
        };
        let whole = way.dot(way).sqrt();
        let mut look = radius;
        let mut lanes = block.own.live;
        let mut kept = BlockWays { way, changed: cut };
        loop {
            let reach = whole.lt(look).select(whole, look);
            let scale = self.scales(s, block.own.position);
            let more = columns.body.share;
            let (radii, priorities) = (&columns.radii[..], &columns.priorities[..]);
            // A bound is below the reach up to a gap of (reach + 2·slack)/share; a little more, for
            // rounding.
            let touch = radius + s.splat(columns.largest);
            let slack = (scale + touch + reach) * s.splat(4.0 * SLACK);
            let near =
                (touch + (reach + slack) * s.splat(1.0 / columns.least_share)) * s.splat(1.001);
            let near_sq = near * near;
            let looking = Looking {
                way,
                radius,
                scale,
                reach,
                lanes,
                near_sq,
                priority,
                radii,
                priorities,
                more,
            };
            // A way that is cut only now has been pushed there: none has looked at obstacles for
            // it.
            let hindered = self.look(s, block, &looking) | (cut & lanes);
            let left = if hindered.any() { self.slide(s, block, &looking, hindered) } else { way };
            let done = (reach.ge(whole) | left.dot(left).sqrt().le(look)) & lanes;
            kept.way = Vectors::select(done & hindered, left, kept.way);
            kept.changed = kept.changed | (done & hindered);
            lanes = lanes & !done;
            if !lanes.any() {
                return kept;
            }
            look = look * s.splat(LOOK_FURTHER);
        }
    }

    /// The largest coordinate that has a part in where a boid is.
    #[inline(always)]
    fn scales<S: Simd>(&self, s: S, position: Vectors<S, D>) -> S::F {
        let (domain, own) = (self.bodies.flock.domain, position.largest());
        if !domain.is_periodic() {
            return own;
        }
        let largest = |corner: [f32; D]| {
            corner.iter().fold(0.0f32, |most, x| if x.abs() > most { x.abs() } else { most })
        };
        own.max(s.splat(math::max(largest(domain.min), largest(domain.max))))
    }

    /// Fills the table with the bounds of bodies that matter to some lane; lanes whose way goes
    /// beyond one.
    #[inline(always)]
    fn look<S: Simd>(&mut self, s: S, block: &Block<S, D>, looking: &Looking<'_, S, D>) -> S::M {
        let flock = &self.bodies.flock;
        let BodyScratch { look: scratch, bounds, .. } = &mut *self.scratch;
        bounds.clear();
        let near_sq = looking.lanes.select(looking.near_sq, s.splat(-1.0));
        let radius = math::sqrt(near_sq.reduce_max()) * 1.001;
        let mut surroundings = Surroundings::new(flock, block, radius, scratch);
        let mut hindered = s.mask(0);
        while surroundings.list_more(s) {
            bounds.reserve(LIST);
            let len = bounds.len();
            let mut visitor = BodyVisitor { looking, cells: bounds.cells(), len, hindered };
            surroundings.show_near(s, near_sq, &mut visitor);
            let len = visitor.len;
            hindered = visitor.hindered;
            bounds.set_len(len);
        }
        hindered
    }

    /// Slides and shortens the ways of the given lanes.
    #[inline(always)]
    fn slide<S: Simd>(
        &mut self,
        s: S,
        block: &Block<S, D>,
        looking: &Looking<'_, S, D>,
        active: S::M,
    ) -> Vectors<S, D> {
        self.add_faces(s, block, looking);
        self.add_obstacles(s, block, looking, active.bits());
        let BodyScratch { bounds: all, packed: bounds, .. } = &mut *self.scratch;
        bounds.pack::<S, D>(s, all, active);
        let (mut way, zero) = (looking.way, s.splat(0.0));
        for _ in 0..SLIDES {
            let mut slid = s.mask(0);
            for place in 0..bounds.len() {
                let bound: LaneBound<S, D> = bounds.load(s, place);
                let beyond = way.dot(bound.normal) - bound.while_sliding;
                let goes_beyond = beyond.gt(zero) & active;
                way = Vectors::select(goes_beyond, way - bound.normal * beyond, way);
                slid = slid | goes_beyond;
            }
            if !slid.any() {
                break;
            }
        }
        let (mut part, mut least) = (s.splat(1.0), zero);
        for place in 0..bounds.len() {
            let bound: LaneBound<S, D> = bounds.load(s, place);
            let (ahead, most) = (way.dot(bound.normal), bound.at_last);
            let left = most.gt(zero).select(most / ahead, zero);
            let goes_beyond = ahead.gt(most);
            part = (goes_beyond & left.lt(part) & active).select(left, part);
            let away = most / ahead;
            least = (!goes_beyond & most.lt(zero) & away.gt(least)).select(away, least);
        }
        way * part.lt(least).select(zero, part)
    }

    /// Bounds by the faces of a box that bodies do not pass.
    #[inline(always)]
    fn add_faces<S: Simd>(&mut self, s: S, block: &Block<S, D>, looking: &Looking<'_, S, D>) {
        let domain = self.bodies.flock.domain;
        if !domain.boundary.has_faces() {
            return;
        }
        let zero = s.splat(0.0);
        let slack = (looking.scale + looking.reach) * s.splat(SLACK);
        for a in 0..D {
            let x = block.own.position[a];
            let gaps = [
                (x - s.splat(domain.min[a])) - looking.radius,
                (s.splat(domain.max[a]) - x) - looking.radius,
            ];
            for (sign, gap) in [(-1.0, gaps[0]), (1.0, gaps[1])] {
                let room = gap.gt(zero).select(gap, zero);
                let mut normal = Vectors::<S, D>::zero(s);
                normal[a] = s.splat(sign);
                let bound = LaneBound {
                    normal,
                    while_sliding: room - (slack + slack),
                    at_last: room - slack,
                };
                self.scratch.bounds.push(&bound);
            }
        }
    }

    /// Bounds by obstacles, lane by lane, by the definition itself.
    #[inline(always)]
    fn add_obstacles<S: Simd>(
        &mut self,
        _s: S,
        block: &Block<S, D>,
        looking: &Looking<'_, S, D>,
        active: u32,
    ) {
        let Some(course) = self.bodies.course else { return };
        let (mut scales, mut reaches) = ([0.0; MAX_LANES], [0.0; MAX_LANES]);
        looking.scale.store(&mut scales);
        looking.reach.store(&mut reaches);
        let begun = self.scratch.bounds.len();
        for lane in 0..S::LANES {
            if active >> lane & 1 == 0 {
                continue;
            }
            let slot = block.lane_slots.slot(lane);
            let (position, radius) =
                (self.bodies.flock.columns.position(slot), looking.radii[slot]);
            let body = BodyReach { position, radius, scale: scales[lane], reach: reaches[lane] };
            add_of_lane(course, &body, (self.scratch, self.lists), (begun, lane));
        }
    }

    #[inline(always)]
    fn mark_squeezed<S: Simd>(
        &mut self,
        _s: S,
        course: &ObstacleIndex<D>,
        slot: usize,
        lanes: u32,
    ) {
        for lane in 0..S::LANES {
            if lanes >> lane & 1 == 1 {
                let at = slot - self.first + lane;
                let mut position = [0.0; D];
                for a in 0..D {
                    position[a] = self.position[a][at];
                }
                let flock = &self.bodies.flock;
                let (radius, reach) = (self.bodies.columns.radii[slot + lane], 0.0);
                let body = BodyReach {
                    position,
                    radius,
                    scale: scale(flock.columns.position(slot + lane), flock.domain),
                    reach,
                };
                self.squeezed[at] |= u32::from(course.squeezes(&body, self.lists));
            }
        }
    }
}

/// Scalar code, which has no use for a level's instructions.
#[inline(never)]
fn add_of_lane<const D: usize>(
    course: &ObstacleIndex<D>,
    body: &BodyReach<[f32; D]>,
    (scratch, lists): (&mut BodyScratch<D>, &mut Lists),
    (begun, lane): (usize, usize),
) {
    let BodyScratch { bounds, of_obstacles, .. } = scratch;
    of_obstacles.clear();
    course.bounds_of_way(body, lists, of_obstacles);
    bounds.open::<D>(begun + of_obstacles.len());
    for (i, bound) in of_obstacles.iter().enumerate() {
        bounds.set_lane(begun + i, lane, bound);
    }
}
