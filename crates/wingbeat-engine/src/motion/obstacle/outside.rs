//! The end of a step, in lanes: the domain's rule for all, and the definition's projection for
//! boids that may touch an obstacle.
//!
//! ```text
//! store every lane where the domain puts it
//! unless the box of the register's ways lies in the box last searched:
//!     obstacles (and images) that may meet a box around the boids from here on, ascending
//!         (tree.rs, stretch.rs)
//! for each of these that meets the box of the register's ways:
//!     near |= lanes whose way may come within a skin of it
//! for each lane of `near`:
//!     position, velocity ← the definition's projection, over the obstacles near it
//! ```

use wingbeat_steer::anticipation::Wall;
use wingbeat_steer::body::Bound;
use wingbeat_steer::obstacle::{BodyReach, Kept, Near};

use crate::domain::settle_bodies;
use crate::motion::obstacle::stretch::Stretch;
use crate::motion::obstacle::tree::{ObstacleTree, TreeHits, index};
use crate::motion::obstacle::{Lists, ObstacleIndex};
use crate::simd::{Float, MAX_LANES, Mask, Outlined, Simd, Vectors, store_part};

/// Boids around which obstacles are searched at once.
const STRETCH: usize = 128;

/// How much longer than those of the first register ways may be before there is another search.
const LONGER: f32 = 2.0;

/// How far a body reaches, in radii: a little more than one, for the skin that it has of its own.
const BODY: f32 = 1.0 + 1.0 / 4096.0;

/// The box of a block's ways.
type About<const D: usize> = ([f64; D], [f64; D]);

/// What a block's boids would do without obstacles.
pub(crate) struct KeepOutside<'a, 'b, S: Simd, const D: usize> {
    pub course: &'a ObstacleIndex<D>,
    pub lists: &'a mut Lists,
    pub old: Vectors<S, D>,
    pub moved: Vectors<S, D>,
    pub limited: Vectors<S, D>,
    /// The largest radius of a body, and those of these boids; `None` where boids are points.
    pub radii: Option<(f32, &'a [f32])>,
    pub dt: f32,
    pub at: usize,
    pub live: usize,
    pub position: &'a mut [&'b mut [f32]; D],
    pub velocity: &'a mut [&'b mut [f32]; D],
    /// 1 for boids that an obstacle overlaps afterwards.
    pub squeezed: &'a mut [u32],
}

impl<S: Simd, const D: usize> Outlined<S> for KeepOutside<'_, '_, S, D> {
    #[inline(always)]
    fn run(mut self, s: S) {
        let domain = self.course.course.domain();
        let live = s.first(self.live);
        let radius = self.radii.map_or(s.splat(0.0), |(_, radii)| s.load(radii, 0));
        // Lanes without a boid stand where the first does.
        let (mut start, mut end) = ([0.0; D], [0.0; D]);
        let (mut low, mut high) = (self.old, self.old);
        for a in 0..D {
            let (x, v) =
                settle_bodies(s, domain, radius, a, (self.moved[a], self.limited[a]), self.live);
            store_part(s, x, &mut *self.position[a], self.at, self.live);
            store_part(s, v, &mut *self.velocity[a], self.at, self.live);
            // The way is straight: through the face of a periodic box, and in others to where the
            // domain put it.
            let seen = if domain.is_periodic() { self.moved[a] } else { x };
            (low[a], high[a]) = (self.old[a].min(seen), self.old[a].max(seen));
            start[a] = live.select(low[a], s.splat(f32::INFINITY)).reduce_min();
            end[a] = live.select(high[a], s.splat(f32::NEG_INFINITY)).reduce_max();
        }
        let tree = &self.course.solids;
        let body = f64::from(self.largest() * BODY);
        let about = (start.map(|x| f64::from(x) - body), end.map(|x| f64::from(x) + body));
        if self.at == 0 || !self.lists.ways.covers(&start, &end) {
            self.search(s, (low, high), (start, end));
        }
        // That of the box searched: no less than that of any box in it.
        let slack = self.lists.ways.slack;
        let (mut from, mut to) = ([0.0; D], [0.0; D]);
        for a in 0..D {
            (from[a], to[a]) = ((start[a] - slack).next_down(), (end[a] + slack).next_up());
        }
        let count = self.lists.ways.stretch.meeting(s, &from, &to);
        // The definition shortens ways longer than a periodic box.
        let mut near = s.mask(0);
        for a in 0..D {
            if domain.is_periodic() {
                near = near | (live & (high[a] - low[a]).gt(s.splat(domain.side(a) * 0.999)));
            }
        }
        if count == 0 && !near.any() {
            return;
        }
        let pad = s.splat(slack);
        // A body that stood nearer to a face than its radius goes further than it moves.
        let gone = high - low;
        let way = gone.dot(gone).sqrt();
        for k in 0..count {
            let place = self.lists.ways.stretch.near(k);
            let (below, above) = self.lists.ways.stretch.ends::<D>(place);
            let mut meets = live;
            for a in 0..D {
                meets = meets
                    & (low[a] - pad).le(s.splat(above[a]))
                    & s.splat(below[a]).le(high[a] + pad);
            }
            // No boid gets further than its way is long.
            let ball = tree.ball(self.lists.ways.stretch.hits.list[place]);
            if ball < f32::INFINITY {
                let mut away = self.old;
                for a in 0..D {
                    away[a] = self.old[a] - s.splat(0.5 * below[a] + 0.5 * above[a]);
                }
                let reach = (way + s.splat(ball + 2.0 * slack)) * s.splat(1.0001);
                meets = meets & !away.dot(away).gt(reach * reach);
            }
            near = near | meets;
        }
        if near.any() {
            let Lists { solids, ways, .. } = &mut *self.lists;
            solids.clear();
            solids.extend((0..count).map(|k| ways.stretch.hits.list[ways.stretch.near(k)]));
            self.keep(s, near.bits(), about);
        }
    }
}

impl<S: Simd, const D: usize> KeepOutside<'_, '_, S, D> {
    /// Finds what is near this register's ways, and near those of the boids that follow if they are
    /// not much longer.
    #[inline(always)]
    fn search(
        &mut self,
        s: S,
        (low, high): (Vectors<S, D>, Vectors<S, D>),
        about: ([f32; D], [f32; D]),
    ) {
        let live = s.first(self.live);
        let (mut start, mut end) = about;
        for a in 0..D {
            let way = live.select(high[a] - low[a], s.splat(0.0)).reduce_max() * LONGER;
            let column = &*self.position[a];
            // Whole registers only; boids beyond them may lie in the box anyway.
            let (mut least, mut most) = (s.splat(start[a] + way), s.splat(end[a] - way));
            let mut at = self.at + S::LANES;
            while at + S::LANES <= column.len() && at < self.at + STRETCH {
                let x = s.load(column, at);
                (least, most) = (least.min(x), most.max(x));
                at += S::LANES;
            }
            let (least, most) = (least.reduce_min() - way, most.reduce_max() + way);
            start[a] = if least < start[a] { least } else { start[a] };
            end[a] = if most > end[a] { most } else { end[a] };
        }
        let largest = self.largest();
        let (ways, tree) = (&mut self.lists.ways, &self.course.solids);
        let grown = |x: f32, by: f32| f64::from(x) + f64::from(by);
        let (from, to) =
            (start.map(|x| grown(x, -largest * BODY)), end.map(|x| grown(x, largest * BODY)));
        tree.list(s, from, to, &mut ways.stretch.hits);
        // A body comes to an obstacle a radius earlier.
        ways.slack = (tree.slack(from, to) as f32).next_up() + largest * BODY;
        ways.stretch.spread(|found| tree.ends(found));
        for a in 0..D {
            (ways.low[a], ways.high[a]) = (start[a], end[a]);
        }
    }

    /// The largest radius of a body.
    #[inline(always)]
    fn largest(&self) -> f32 {
        self.radii.map_or(0.0, |(largest, _)| largest)
    }

    /// The lanes of `active`, one at a time, by the definition itself.
    #[inline(always)]
    fn keep(self, _s: S, active: u32, about: About<D>) {
        let mut columns = [[[0.0; MAX_LANES]; D]; 3];
        for a in 0..D {
            self.old[a].store(&mut columns[0][a]);
            self.moved[a].store(&mut columns[1][a]);
            self.limited[a].store(&mut columns[2][a]);
        }
        for lane in 0..S::LANES {
            if active >> lane & 1 == 0 {
                continue;
            }
            let mut of = [[0.0; D]; 3];
            for (vector, columns) in of.iter_mut().zip(&columns) {
                for a in 0..D {
                    vector[a] = columns[a][lane];
                }
            }
            let body = self.radii.map_or(0.0, |(_, radii)| radii[lane]);
            let kept = keep_one(self.course, (self.lists, about), of, (body, self.dt));
            for a in 0..D {
                self.position[a][self.at + lane] = kept.position[a];
                self.velocity[a][self.at + lane] = kept.velocity[a];
            }
            self.squeezed[self.at + lane] = u32::from(kept.squeezed);
        }
    }
}

/// Scalar code, which has no use for a level's instructions.
#[inline(never)]
fn keep_one<const D: usize>(
    course: &ObstacleIndex<D>,
    (lists, about): (&mut Lists, About<D>),
    of: [[f32; D]; 3],
    (body, dt): (f32, f32),
) -> Kept<[f32; D]> {
    let [old, moved, limited] = of;
    let mut near =
        InTree { solids: &course.solids, block: &lists.solids, about, found: &mut lists.near };
    course.course.keep_body_outside(old, moved, limited, body, dt, &mut near, &mut lists.list)
}

impl<const D: usize> ObstacleIndex<D> {
    /// What obstacles leave of the way of a boid:
    /// [`ObstacleSet::bounds_of_way`](wingbeat_steer::ObstacleSet::bounds_of_way).
    pub fn bounds_of_way(
        &self,
        body: &BodyReach<[f32; D]>,
        lists: &mut Lists,
        bounds: &mut Vec<Bound<[f32; D]>>,
    ) {
        let mut near =
            InTree { solids: &self.solids, block: &[], about: nowhere(), found: &mut lists.near };
        self.course.bounds_of_way(body, &mut near, &mut lists.list, bounds);
    }

    /// Obstacles near a place:
    /// [`ObstacleSet::walls_near`](wingbeat_steer::ObstacleSet::walls_near).
    pub fn walls_near(
        &self,
        position: [f32; D],
        reach: f32,
        lists: &mut Lists,
        walls: &mut Vec<Wall<[f32; D]>>,
    ) {
        let mut near =
            InTree { solids: &self.solids, block: &[], about: nowhere(), found: &mut lists.near };
        self.course.walls_near(position, reach, &mut near, &mut lists.list, walls);
    }

    /// Where the definition finds obstacles near a boid.
    pub fn near<'a>(&'a self, lists: &'a mut Lists) -> impl Near + 'a {
        InTree { solids: &self.solids, block: &[], about: nowhere(), found: &mut lists.near }
    }

    /// Whether an obstacle that moves overlaps a body.
    pub fn squeezes(&self, body: &BodyReach<[f32; D]>, lists: &mut Lists) -> bool {
        let mut near =
            InTree { solids: &self.solids, block: &[], about: nowhere(), found: &mut lists.near };
        self.course.squeezes(body, &mut near, &mut lists.list)
    }
}

/// The obstacles near a stretch of boids, and the box that was searched.
#[derive(Debug, Default)]
pub(crate) struct ObstaclesNear {
    stretch: Stretch,
    low: [f32; 3],
    high: [f32; 3],
    /// Of that box.
    slack: f32,
}

impl ObstaclesNear {
    /// Whether all that may meet this box has been found.
    #[inline(always)]
    fn covers<const D: usize>(&self, low: &[f32; D], high: &[f32; D]) -> bool {
        let mut covers = true;
        for a in 0..D {
            covers &= self.low[a] <= low[a] && high[a] <= self.high[a];
        }
        covers
    }
}

/// A box that holds no other.
fn nowhere<const D: usize>() -> About<D> {
    ([f64::INFINITY; D], [f64::NEG_INFINITY; D])
}

/// Obstacles by their tree.
struct InTree<'a, const D: usize> {
    solids: &'a ObstacleTree<D>,
    /// What is near the block, and the box around that.
    block: &'a [u64],
    about: About<D>,
    found: &'a mut TreeHits,
}

impl<const D: usize> Near for InTree<'_, D> {
    fn list(&mut self, low: [f64; 3], high: [f64; 3], list: &mut Vec<u32>) {
        let (mut from, mut to) = ([0.0; D], [0.0; D]);
        let mut covered = true;
        for a in 0..D {
            (from[a], to[a]) = (low[a], high[a]);
            covered = covered && self.about.0[a] <= from[a] && to[a] <= self.about.1[a];
        }
        if !covered {
            self.solids.list_plainly(from, to, self.found);
            return list_indices(self.found.list.iter().copied(), list);
        }
        let slack = self.solids.slack(from, to);
        let (mut start, mut end) = ([0.0; D], [0.0; D]);
        for a in 0..D {
            (start[a], end[a]) =
                (((from[a] - slack) as f32).next_down(), ((to[a] + slack) as f32).next_up());
        }
        let near = self.block.iter().copied().filter(|&found| {
            let (below, above) = self.solids.ends(found);
            (0..D).all(|a| below[a] <= end[a] && start[a] <= above[a])
        });
        list_indices(near, list);
    }
}

/// Obstacles, whichever their images.
fn list_indices(near: impl Iterator<Item = u64>, list: &mut Vec<u32>) {
    list.clear();
    for found in near {
        let i = index(found) as u32;
        // Images of one come together.
        if list.last() != Some(&i) {
            list.push(i);
        }
    }
}
