//! The end of a step, in lanes: the domain's rule for all, and the definition's projection for boids that may touch an obstacle.
//!
//! ```text
//! store every lane where the domain puts it
//! for each obstacle (and image) that may meet the box of the block's ways, ascending:       (tree.rs)
//!     near |= lanes whose way may come within a skin of it
//! for each lane of `near`: position, velocity ← the definition's projection, over the obstacles near it
//! ```

use wingbeat_steer::obstacle::Near;

use super::tree::{Tree, TreeHits, index};
use super::{Course, Lists};
use crate::domain::settle;
use crate::simd::{Float, MAX_LANES, Mask, Outlined, Simd, Vectors, store_part};

/// The box of a block's ways.
type About<const D: usize> = ([f64; D], [f64; D]);

/// What a block's boids would do without obstacles.
pub(crate) struct KeepOutside<'a, 'b, S: Simd, const D: usize> {
    pub course: &'a Course<D>,
    pub lists: &'a mut Lists,
    pub old: Vectors<S, D>,
    pub moved: Vectors<S, D>,
    pub limited: Vectors<S, D>,
    pub dt: f32,
    pub at: usize,
    pub live: usize,
    pub position: &'a mut [&'b mut [f32]; D],
    pub velocity: &'a mut [&'b mut [f32]; D],
}

impl<S: Simd, const D: usize> Outlined<S> for KeepOutside<'_, '_, S, D> {
    #[inline(always)]
    fn run(self, s: S) {
        let domain = self.course.course.domain();
        let live = s.first(self.live);
        // Lanes without a boid stand where the first does.
        let (mut start, mut end) = ([0.0; D], [0.0; D]);
        let (mut low, mut high) = (self.old, self.old);
        for a in 0..D {
            let (x, v) = settle(s, domain, a, self.moved[a], self.limited[a], self.live);
            store_part(s, x, &mut *self.position[a], self.at, self.live);
            store_part(s, v, &mut *self.velocity[a], self.at, self.live);
            // The way is straight: through the face of a periodic box, and in others to where the domain put it.
            let seen = if domain.is_periodic() { self.moved[a] } else { x };
            (low[a], high[a]) = (self.old[a].min(seen), self.old[a].max(seen));
            start[a] = live.select(low[a], s.splat(f32::INFINITY)).reduce_min();
            end[a] = live.select(high[a], s.splat(f32::NEG_INFINITY)).reduce_max();
        }
        let (found, tree) = (&mut self.lists.solids, &self.course.solids);
        let about = (start.map(f64::from), end.map(f64::from));
        tree.list(s, about.0, about.1, found);
        // The definition shortens ways longer than a periodic box.
        let mut near = s.mask(0);
        for a in 0..D {
            if domain.is_periodic() {
                near = near | (live & (high[a] - low[a]).gt(s.splat(domain.side(a) * 0.999)));
            }
        }
        if found.list.is_empty() && !near.any() {
            return;
        }
        let slack = (tree.slack(about.0, about.1) as f32).next_up();
        let pad = s.splat(slack);
        let gone = self.moved - self.old;
        let way = gone.dot(gone).sqrt();
        for &found in &found.list {
            let (below, above) = tree.ends(found);
            let mut meets = live;
            for a in 0..D {
                meets = meets & (low[a] - pad).le(s.splat(above[a])) & s.splat(below[a]).le(high[a] + pad);
            }
            // No boid gets further than its way is long.
            let ball = tree.ball(found);
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
            self.keep(s, near.bits(), about);
        }
    }
}

impl<S: Simd, const D: usize> KeepOutside<'_, '_, S, D> {
    /// The lanes of `who`, one at a time, by the definition itself.
    #[inline(always)]
    fn keep(self, _s: S, who: u32, about: About<D>) {
        let mut columns = [[[0.0; MAX_LANES]; D]; 3];
        for a in 0..D {
            self.old[a].store(&mut columns[0][a]);
            self.moved[a].store(&mut columns[1][a]);
            self.limited[a].store(&mut columns[2][a]);
        }
        for lane in 0..S::LANES {
            if who >> lane & 1 == 0 {
                continue;
            }
            let mut of = [[0.0; D]; 3];
            for (vector, columns) in of.iter_mut().zip(&columns) {
                for a in 0..D {
                    vector[a] = columns[a][lane];
                }
            }
            let (position, velocity) = keep_one(self.course, (self.lists, about), of, self.dt);
            for a in 0..D {
                self.position[a][self.at + lane] = position[a];
                self.velocity[a][self.at + lane] = velocity[a];
            }
        }
    }
}

/// Scalar code, which has no use for a level's instructions.
#[inline(never)]
fn keep_one<const D: usize>(
    course: &Course<D>,
    (lists, about): (&mut Lists, About<D>),
    of: [[f32; D]; 3],
    dt: f32,
) -> ([f32; D], [f32; D]) {
    let [old, moved, limited] = of;
    let mut near = InTree { solids: &course.solids, block: &lists.solids.list, about, found: &mut lists.near };
    let kept = course.course.keep_outside_with(old, moved, limited, dt, &mut near, &mut lists.list);
    (kept.position, kept.velocity)
}

/// Obstacles by their tree.
struct InTree<'a, const D: usize> {
    solids: &'a Tree<D>,
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
            (start[a], end[a]) = (((from[a] - slack) as f32).next_down(), ((to[a] + slack) as f32).next_up());
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
