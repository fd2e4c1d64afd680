//! Which people are near each other: cells of a metre, a counting sort, the nearest kept in order
//! as they are found, as RVO2 keeps them.
//!
//! dodgy_2d brings no search (its `Simulator` compares all pairs), so a program that uses it writes
//! something like this, or takes a k-d tree, which is not measured here.

/// Positions by cells.
#[derive(Clone, Debug)]
pub struct Cells {
    low: [f32; 2],
    count: [usize; 2],
    /// Where each cell begins in `places`, and where the last ends.
    start: Vec<u32>,
    /// While sorting, where the next of each cell goes.
    next: Vec<u32>,
    /// Position and index, cell by cell.
    places: Vec<([f32; 2], u32)>,
}

/// Side of a cell, metres: at one person a square metre the 10 nearest are mostly in 25 such cells.
const SIDE: f32 = 1.0;

/// Rings of cells about one's own that are looked at in any case.
const FIRST: isize = 2;

impl Cells {
    /// Sorts positions into cells. O(n + cells).
    pub fn new(positions: &[[f32; 2]]) -> Self {
        let mut cells = Self {
            low: [0.0; 2],
            count: [1; 2],
            start: Vec::new(),
            next: Vec::new(),
            places: Vec::new(),
        };
        cells.sort(positions);
        cells
    }

    /// The same again, for other positions, in the same memory.
    pub fn sort(&mut self, positions: &[[f32; 2]]) {
        for a in 0..2 {
            let (mut low, mut high) = (f32::INFINITY, f32::NEG_INFINITY);
            for position in positions {
                low = if position[a] < low { position[a] } else { low };
                high = if position[a] > high { position[a] } else { high };
            }
            (self.low[a], self.count[a]) = (low, ((high - low) / SIDE) as usize + 1);
        }
        self.start.clear();
        self.start.resize(self.count[0] * self.count[1] + 1, 0);
        for &position in positions {
            let cell = self.cell(position);
            self.start[cell + 1] += 1;
        }
        for cell in 1..self.start.len() {
            self.start[cell] += self.start[cell - 1];
        }
        self.places.resize(positions.len(), ([0.0; 2], 0));
        self.next.clone_from(&self.start);
        for (i, &position) in positions.iter().enumerate() {
            let cell = self.cell(position);
            self.places[self.next[cell] as usize] = (position, i as u32);
            self.next[cell] += 1;
        }
    }

    fn along(&self, a: usize, x: f32) -> usize {
        (((x - self.low[a]) / SIDE) as usize).min(self.count[a] - 1)
    }

    fn cell(&self, [x, y]: [f32; 2]) -> usize {
        self.along(1, y) * self.count[0] + self.along(0, x)
    }

    /// Fills `near` with (d², index) of the `most` nearest others within a distance, nearest first.
    pub fn nearest(
        &self,
        position: [f32; 2],
        own: usize,
        most: usize,
        within: f32,
        near: &mut Vec<(f32, u32)>,
    ) {
        near.clear();
        let home = [self.along(0, position[0]) as isize, self.along(1, position[1]) as isize];
        let mut limit_sq = within * within;
        let mut ring = FIRST;
        self.look(position, own, most, home, (-1, FIRST), &mut limit_sq, near);
        loop {
            // All within this distance have been looked at: to the nearest side of the square of
            // cells.
            let mut seen = f32::INFINITY;
            for a in 0..2 {
                let low = self.low[a] + (home[a] - ring) as f32 * SIDE;
                let high = self.low[a] + (home[a] + ring + 1) as f32 * SIDE;
                for side in [position[a] - low, high - position[a]] {
                    seen = if side < seen { side } else { seen };
                }
            }
            if seen * seen >= limit_sq {
                return;
            }
            self.look(position, own, most, home, (ring, ring + 1), &mut limit_sq, near);
            ring += 1;
        }
    }

    /// Looks at the cells of a square of `to` rings but for those of its inner `from`.
    #[allow(clippy::too_many_arguments)]
    fn look(
        &self,
        position: [f32; 2],
        own: usize,
        most: usize,
        home: [isize; 2],
        (from, to): (isize, isize),
        limit_sq: &mut f32,
        near: &mut Vec<(f32, u32)>,
    ) {
        let last = [self.count[0] as isize - 1, self.count[1] as isize - 1];
        for y in (home[1] - to).max(0)..=(home[1] + to).min(last[1]) {
            let whole = (y - home[1]).abs() > from;
            let sides = if whole { [(-to, to), (1, 0)] } else { [(-to, -to), (to, to)] };
            for (first, end) in sides {
                let (first, end) = ((home[0] + first).max(0), (home[0] + end).min(last[0]));
                if first > end {
                    continue;
                }
                let row = y as usize * self.count[0];
                let range = self.start[row + first as usize] as usize
                    ..self.start[row + end as usize + 1] as usize;
                for &([x, y], index) in &self.places[range] {
                    let (dx, dy) = (x - position[0], y - position[1]);
                    let d_sq = dx * dx + dy * dy;
                    if d_sq < *limit_sq && index as usize != own {
                        insert(near, most, (d_sq, index), limit_sq);
                    }
                }
            }
        }
    }
}

/// Puts one into its place among the nearest, of which at most so many are kept.
fn insert(near: &mut Vec<(f32, u32)>, most: usize, new: (f32, u32), limit_sq: &mut f32) {
    if near.len() < most {
        near.push(new);
    }
    let mut at = near.len() - 1;
    while at > 0 && near[at - 1].0 > new.0 {
        near[at] = near[at - 1];
        at -= 1;
    }
    near[at] = new;
    if near.len() == most {
        *limit_sq = near[most - 1].0;
    }
}
