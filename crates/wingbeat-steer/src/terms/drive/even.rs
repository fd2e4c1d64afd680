//! Even flow fields: for a crowd that fills a room evenly and leaves it without getting denser.
//!
//! ```text
//! φ ← the solution of −∇²φ = 1 on free nodes, φ = 0 on seeds,
//!     ∂φ/∂n = 0 at what is blocked and at the edge of the grid
//! ways ← −∇φ, of length 1
//! ```
//!
//! φ is a potential flow with a source of 1 everywhere: what flows through a gap is spread over all
//! of its width, where shortest ways meet in the corner. (It is also the mean time after which a
//! random walk meets a seed.) It is solved by conjugate gradients, preconditioned by a multigrid
//! cycle: every coarser level joins 2 nodes an axis, with half of the sum of their links (so that
//! it is the same equation on the coarser grid), Gauss-Seidel forwards before and backwards after.
//! All in f64 and in one order, so that a field has the same bits everywhere.

use alloc::vec;
use alloc::vec::Vec;

use crate::terms::drive::march::{MarchGrid, lead_out, unit};

/// The residual's norm in units of the right side's at which a solution is done. Directions are
/// exact to a thousandth long before.
const TOLERANCE: f64 = 1e-7;

/// Iterations at most; some twenty are usual.
const MOST_ITERATIONS: usize = 200;

/// A level of so few nodes is not coarsened; it is solved by so many sweeps.
const FEW: usize = 32;
const SWEEPS: usize = 16;

/// A unit vector per node that leads to a seed through nodes not blocked; see
/// [`FlowField::even`](crate::terms::drive::FlowField::even).
pub(super) fn even(
    shape: [usize; 3],
    spacing: [f64; 3],
    seeds: &[usize],
    blocked: &[bool],
) -> Vec<[f64; 3]> {
    let grid = MarchGrid::reached(shape, spacing, seeds, blocked);
    let mut levels = levels(&grid, seeds);
    let potential = solve(&mut levels);
    let mut ways = vec![[0.0; 3]; blocked.len()];
    for (node, way) in ways.iter_mut().enumerate() {
        if levels[0].diagonal[node] > 0.0 {
            *way = unit(downhill(&grid, &potential, node));
        }
    }
    lead_out(&grid, blocked, &mut ways);
    ways
}

/// −∇φ by central differences, φ beyond the last free node of an axis being what it is there. Where
/// that is 0: to the lowest neighbor.
fn downhill(grid: &MarchGrid, potential: &[f64], node: usize) -> [f64; 3] {
    let around = grid.around(node).map(|neighbor| neighbor.filter(|&neighbor| grid.done[neighbor]));
    let of = |which: usize| around[which].map_or(potential[node], |neighbor| potential[neighbor]);
    let way: [f64; 3] =
        core::array::from_fn(|a| (of(2 * a) - of(2 * a + 1)) / (2.0 * grid.spacing[a]));
    if way != [0.0; 3] {
        return way;
    }
    let lowest =
        (0..6).fold(0, |lowest, which| if of(which) < of(lowest) { which } else { lowest });
    core::array::from_fn(|a| if lowest / 2 != a { 0.0 } else { [-1.0, 1.0][lowest % 2] })
}

/// The equation on one grid: diagonal·u − Σ links·u of the neighbors = right side.
struct Level {
    shape: [usize; 3],
    /// Of each axis: between a node and the next along it.
    links: [Vec<f64>; 3],
    /// The sum of a node's links, those to seeds too; 0 where there is no unknown.
    diagonal: Vec<f64>,
    u: Vec<f64>,
    right: Vec<f64>,
}

impl Level {
    fn new(shape: [usize; 3]) -> Self {
        let zeros = || vec![0.0; shape.iter().product()];
        Self {
            shape,
            links: core::array::from_fn(|_| zeros()),
            diagonal: zeros(),
            u: zeros(),
            right: zeros(),
        }
    }

    fn strides(&self) -> [usize; 3] {
        [1, self.shape[0], self.shape[0] * self.shape[1]]
    }

    /// Σ links·values of a node's neighbors.
    #[inline]
    fn neighbor_sum(&self, strides: [usize; 3], values: &[f64], node: usize) -> f64 {
        let mut sum = 0.0;
        for (links, stride) in self.links.iter().zip(strides) {
            // A link along a row's end is 0, so that what lies there does not matter.
            if node >= stride {
                sum += links[node - stride] * values[node - stride];
            }
            if node + stride < values.len() {
                sum += links[node] * values[node + stride];
            }
        }
        sum
    }

    fn relax(&mut self, strides: [usize; 3], node: usize) {
        if self.diagonal[node] > 0.0 {
            self.u[node] = (self.right[node] + self.neighbor_sum(strides, &self.u, node))
                / self.diagonal[node];
        }
    }

    fn sweep(&mut self, forwards: bool) {
        let (strides, nodes) = (self.strides(), self.u.len());
        if forwards {
            (0..nodes).for_each(|node| self.relax(strides, node));
        } else {
            (0..nodes).rev().for_each(|node| self.relax(strides, node));
        }
    }

    /// The operator on values, at a node.
    fn applied(&self, strides: [usize; 3], values: &[f64], node: usize) -> f64 {
        self.diagonal[node] * values[node] - self.neighbor_sum(strides, values, node)
    }

    /// The node of the next coarser level that a node is part of.
    fn joined(&self, node: usize, coarser: [usize; 3]) -> usize {
        let [x, y, _] = self.shape;
        let at = [node % x, node / x % y, node / (x * y)].map(|i| i / 2);
        at[0] + coarser[0] * (at[1] + coarser[1] * at[2])
    }

    fn coarser(&self) -> Self {
        let mut coarse = Self::new(self.shape.map(|nodes| nodes.div_ceil(2)));
        let strides = self.strides();
        let mut to_seeds = vec![0.0; coarse.u.len()];
        for node in (0..self.u.len()).filter(|&node| self.diagonal[node] > 0.0) {
            let here = self.joined(node, coarse.shape);
            let mut sink = self.diagonal[node];
            for (a, stride) in strides.into_iter().enumerate() {
                if node >= stride {
                    sink -= self.links[a][node - stride];
                }
                let link = self.links[a][node];
                sink -= link;
                if link > 0.0 && self.joined(node + stride, coarse.shape) != here {
                    coarse.links[a][here] += 0.5 * link;
                }
            }
            // Rounding alone makes less than 0 of none.
            to_seeds[here] += if sink > 1e-9 * self.diagonal[node] { 0.5 * sink } else { 0.0 };
        }
        coarse.sum_up(&to_seeds);
        coarse
    }

    /// The diagonal, from the links and those to seeds.
    fn sum_up(&mut self, to_seeds: &[f64]) {
        let strides = self.strides();
        for node in 0..self.u.len() {
            let before = strides.into_iter().enumerate().filter(|(_, stride)| node >= *stride);
            let before: f64 = before.map(|(a, stride)| self.links[a][node - stride]).sum();
            let after: f64 = self.links.iter().map(|links| links[node]).sum();
            self.diagonal[node] = before + after + to_seeds[node];
        }
    }
}

/// The equation on the grid, and on coarser and coarser ones.
fn levels(grid: &MarchGrid, seeds: &[usize]) -> Vec<Level> {
    let mut finest = Level::new(grid.shape);
    let mut is_seed = vec![false; grid.done.len()];
    seeds.iter().for_each(|&seed| is_seed[seed] = true);
    let mut to_seeds = vec![0.0; grid.done.len()];
    for node in (0..grid.done.len()).filter(|&node| grid.done[node]) {
        let around = grid.around(node);
        for a in 0..3 {
            let Some(next) = around[2 * a + 1].filter(|&next| grid.done[next]) else { continue };
            let link = 1.0 / (grid.spacing[a] * grid.spacing[a]);
            match (is_seed[node], is_seed[next]) {
                (false, false) => finest.links[a][node] = link,
                (false, true) => to_seeds[node] += link,
                (true, false) => to_seeds[next] += link,
                (true, true) => {}
            }
        }
    }
    finest.sum_up(&to_seeds);
    let mut levels = vec![finest];
    while let Some(last) = levels.last().filter(|last| last.u.len() > FEW) {
        levels.push(last.coarser());
    }
    levels
}

/// A multigrid cycle, two of each coarser level in one: nearer to what solves the first level for
/// its right side.
fn cycle(levels: &mut [Level]) {
    let [level, coarser @ ..] = levels else { return };
    let Some(next) = coarser.first_mut() else {
        (0..SWEEPS).for_each(|sweep| level.sweep(sweep % 2 == 0));
        return;
    };
    level.sweep(true);
    next.right.fill(0.0);
    next.u.fill(0.0);
    let strides = level.strides();
    for node in (0..level.u.len()).filter(|&node| level.diagonal[node] > 0.0) {
        next.right[level.joined(node, next.shape)] +=
            level.right[node] - level.applied(strides, &level.u, node);
    }
    cycle(coarser);
    cycle(coarser);
    let next = &coarser[0];
    for node in (0..level.u.len()).filter(|&node| level.diagonal[node] > 0.0) {
        level.u[node] += next.u[level.joined(node, next.shape)];
    }
    level.sweep(false);
}

/// u of the first level where the right side is 1 everywhere.
fn solve(levels: &mut [Level]) -> Vec<f64> {
    let unknown: Vec<usize> =
        (0..levels[0].u.len()).filter(|&node| levels[0].diagonal[node] > 0.0).collect();
    let nodes = levels[0].u.len();
    let dot = |one: &[f64], other: &[f64]| {
        unknown.iter().map(|&node| one[node] * other[node]).sum::<f64>()
    };
    let (mut solution, mut residual) = (vec![0.0; nodes], vec![0.0; nodes]);
    unknown.iter().for_each(|&node| residual[node] = 1.0);
    let (mut direction, mut applied) = (vec![0.0; nodes], vec![0.0; nodes]);
    let (mut before, enough) = (1.0, TOLERANCE * TOLERANCE * unknown.len() as f64);
    for _ in 0..MOST_ITERATIONS {
        if dot(&residual, &residual) <= enough {
            break;
        }
        levels[0].right.copy_from_slice(&residual);
        levels[0].u.fill(0.0);
        cycle(levels);
        let (level, strides) = (&levels[0], levels[0].strides());
        let gain = dot(&level.u, &residual);
        let kept = gain / before;
        unknown.iter().for_each(|&node| direction[node] = level.u[node] + kept * direction[node]);
        unknown.iter().for_each(|&node| applied[node] = level.applied(strides, &direction, node));
        let step = gain / dot(&direction, &applied);
        for &node in &unknown {
            solution[node] += step * direction[node];
            residual[node] -= step * applied[node];
        }
        before = gain;
    }
    solution
}
