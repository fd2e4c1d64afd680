//! Fast marching: arrival times on a grid, and the way that leads back along them.

use alloc::collections::BinaryHeap;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;

/// A unit vector per node that leads to the nearest seed through nodes not blocked; see
/// [`FlowField::toward`](crate::terms::drive::FlowField::toward).
///
/// ```text
/// queue ← seeds at T = 0
/// while the queue has a node, take the one of least (T, number); if it is not final yet:
///     it is final; its way is −∇T of the differences its T was made of
///     for each free neighbor that is not final:
///         T ← the upwind solution of |∇T| = 1 from final neighbors; into the queue if it is less
/// then the same once more from all final nodes into the blocked ones, each led to the neighbors
///     nearer to what is free, and on as they are
/// ```
pub(super) fn march(
    shape: [usize; 3],
    spacing: [f64; 3],
    seeds: &[usize],
    blocked: &[bool],
) -> Vec<[f64; 3]> {
    let mut grid = MarchGrid {
        shape,
        spacing,
        times: vec![f64::INFINITY; blocked.len()],
        done: vec![false; blocked.len()],
    };
    let mut ways = vec![[0.0; 3]; blocked.len()];
    let mut queue = BinaryHeap::new();
    for &seed in seeds {
        grid.times[seed] = 0.0;
        queue.push(Reverse((0, seed)));
    }
    while let Some(Reverse((_, node))) = queue.pop() {
        if core::mem::replace(&mut grid.done[node], true) {
            continue;
        }
        if grid.times[node] > 0.0 {
            ways[node] = unit(grid.upwind(node).1);
        }
        for neighbor in grid.around(node).into_iter().flatten() {
            if blocked[neighbor] || grid.done[neighbor] {
                continue;
            }
            let time = grid.upwind(neighbor).0;
            if time < grid.times[neighbor] {
                grid.times[neighbor] = time;
                queue.push(Reverse((key(time), neighbor)));
            }
        }
    }
    lead_out(&grid, blocked, &mut ways);
    ways
}

/// A vector, the same everywhere, for every node to which [`march`] gives a way.
pub(super) fn flood(
    shape: [usize; 3],
    spacing: [f64; 3],
    seeds: &[usize],
    blocked: &[bool],
) -> Vec<[f64; 3]> {
    let mut grid = MarchGrid::reached(shape, spacing, seeds, blocked);
    grid.flood((0..blocked.len()).filter(|&node| grid.done[node]).collect(), |node| blocked[node]);
    seeds.iter().for_each(|&seed| grid.done[seed] = false);
    grid.done.into_iter().map(|led| if led { [1.0, 0.0, 0.0] } else { [0.0; 3] }).collect()
}

/// Times are not negative, so their bits are in the same order.
fn key(time: f64) -> u64 {
    time.to_bits()
}

pub(super) struct MarchGrid {
    pub shape: [usize; 3],
    pub spacing: [f64; 3],
    times: Vec<f64>,
    /// The nodes that are final.
    pub done: Vec<bool>,
}

impl MarchGrid {
    /// A grid whose final nodes are those that can be reached from the seeds through nodes not
    /// blocked.
    pub fn reached(
        shape: [usize; 3],
        spacing: [f64; 3],
        seeds: &[usize],
        blocked: &[bool],
    ) -> Self {
        let mut grid = Self { shape, spacing, times: Vec::new(), done: vec![false; blocked.len()] };
        seeds.iter().for_each(|&seed| grid.done[seed] = true);
        grid.flood(seeds.to_vec(), |node| !blocked[node]);
        grid
    }

    /// Makes final what can be reached from nodes through those that are open.
    fn flood(&mut self, mut next: Vec<usize>, open: impl Fn(usize) -> bool) {
        while let Some(node) = next.pop() {
            for neighbor in self.around(node).into_iter().flatten() {
                if open(neighbor) && !self.done[neighbor] {
                    self.done[neighbor] = true;
                    next.push(neighbor);
                }
            }
        }
    }

    fn coordinates(&self, node: usize) -> [usize; 3] {
        let [x, y, _] = self.shape;
        [node % x, node / x % y, node / (x * y)]
    }

    /// Neighbors along the axes: before and after along the first, the second, the third.
    pub fn around(&self, node: usize) -> [Option<usize>; 6] {
        let at = self.coordinates(node);
        let strides = [1, self.shape[0], self.shape[0] * self.shape[1]];
        core::array::from_fn(|which| {
            let (a, after) = (which / 2, which % 2 == 1);
            match after {
                false => (at[a] > 0).then(|| node - strides[a]),
                true => (at[a] + 1 < self.shape[a]).then(|| node + strides[a]),
            }
        })
    }

    /// The arrival time at a node that its final neighbors make, and the way back, −∇T.
    fn upwind(&self, node: usize) -> (f64, [f64; 3]) {
        let around = self.around(node);
        // Of each axis the earlier neighbor, and on which side it is.
        let mut sides: [(f64, usize, f64); 3] = core::array::from_fn(|a| {
            let time = |which: usize| {
                around[which].filter(|&n| self.done[n]).map_or(f64::INFINITY, |n| self.times[n])
            };
            let (before, after) = (time(2 * a), time(2 * a + 1));
            if before <= after { (before, a, -1.0) } else { (after, a, 1.0) }
        });
        sides.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
        // Σ((T − tₐ)/hₐ)² = 1 over the earliest axes, one more as long as T comes out later than
        // the next.
        let (mut time, mut used) = (f64::INFINITY, 0);
        let (mut aa, mut bb, mut cc) = (0.0, 0.0, -1.0);
        for &(t, a, _) in &sides {
            if t == f64::INFINITY || (used > 0 && time <= t) {
                break;
            }
            let w = 1.0 / (self.spacing[a] * self.spacing[a]);
            (aa, bb, cc) = (aa + w, bb + w * t, cc + w * t * t);
            let root = bb * bb - aa * cc;
            let solved = (bb + libm::sqrt(if root > 0.0 { root } else { 0.0 })) / aa;
            (time, used) = (solved, used + 1);
        }
        let mut way = [0.0; 3];
        for &(t, a, side) in &sides[..used] {
            way[a] = side * (time - t) / self.spacing[a];
        }
        (time, way)
    }
}

/// Blocked nodes lead to where they touch what is free, and on from there: to all neighbors that
/// are nearer to it, each by the direction to it and its own way. With the first alone, a boid at a
/// corner between a node that leads round it and one that leads back would go nowhere.
pub(super) fn lead_out(grid: &MarchGrid, blocked: &[bool], ways: &mut [[f64; 3]]) {
    let mut queue = BinaryHeap::new();
    for (node, &done) in grid.done.iter().enumerate() {
        // Distance from free cells, and the cell each was reached from.
        if done {
            queue.push(Reverse((0, node, node)));
        }
    }
    let mut distances: Vec<Option<f64>> = vec![None; grid.done.len()];
    while let Some(Reverse((bits, node, from))) = queue.pop() {
        if distances[node].is_some() {
            continue;
        }
        let distance = f64::from_bits(bits);
        distances[node] = Some(distance);
        if node != from {
            ways[node] = way_out(grid, node, from, &distances, ways);
        }
        for (which, neighbor) in grid.around(node).into_iter().enumerate() {
            if let Some(neighbor) = neighbor
                && blocked[neighbor]
                && distances[neighbor].is_none()
            {
                queue.push(Reverse((key(distance + grid.spacing[which / 2]), neighbor, node)));
            }
        }
    }
}

/// The way of a blocked node that was reached from another.
fn way_out(
    grid: &MarchGrid,
    node: usize,
    from: usize,
    distances: &[Option<f64>],
    ways: &[[f64; 3]],
) -> [f64; 3] {
    let mut sum = [0.0; 3];
    for (which, neighbor) in grid.around(node).into_iter().enumerate() {
        let nearer = |&neighbor: &usize| {
            distances[neighbor].zip(distances[node]).is_some_and(|(one, own)| one < own)
        };
        let Some(neighbor) = neighbor.filter(nearer) else { continue };
        sum[which / 2] += if which % 2 == 1 { 1.0 } else { -1.0 };
        (0..3).for_each(|a| sum[a] += ways[neighbor][a]);
    }
    let (here, there) = (grid.coordinates(node), grid.coordinates(from));
    // Ways that cancel: to the one it was reached from.
    let back = core::array::from_fn(|a| (there[a] as f64 - here[a] as f64) * grid.spacing[a]);
    unit(if sum == [0.0; 3] { back } else { sum })
}

pub(super) fn unit(way: [f64; 3]) -> [f64; 3] {
    let length = libm::sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
    if length > 0.0 { way.map(|x| x / length) } else { way }
}
