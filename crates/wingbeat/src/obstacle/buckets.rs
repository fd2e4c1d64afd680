//! Boxes in buckets: which of many boxes may meet another, in proportion to those nearby.
//!
//! Space is cut into cubes; each box is listed with every cube it touches, cubes share a table by their hash, so memory depends on the
//! boxes alone, whatever the world's extent. A box that touches many cubes is looked at always.
#![forbid(unsafe_code)]

use wingbeat_steer::{Domain, Vector};

/// Cubes a box may touch before it is looked at always.
const MOST_CUBES: f64 = 64.0;

/// Cubes of one search before all boxes are looked at.
const MOST_SEARCHED: f64 = 512.0;

/// Cubes are counted within this, so that they fit in whole numbers.
const FURTHEST: f64 = 1e9;

/// Slack of positions: eight times what they are rounded by; half of it is the skin of the definition.
const SLACK: f64 = 1.0 / 1_048_576.0;

/// Of obstacles: four times what their own definition allows for.
const GRAIN: f64 = 1.0 / 35_184_372_088_832.0;

/// Cubes that a region reaches ahead: blocks of a row come one after the other.
const AHEAD: f64 = 2.0;

/// Cubes are as many times as large as boids usually look.
const CUBE: f32 = 2.0;

/// The number of the image seen directly, in one to three dimensions.
const DIRECT: [u64; 3] = [2, 12, 62];

/// What was found near the last blocks.
#[derive(Debug)]
pub(super) struct Region<const D: usize> {
    pub list: Vec<u64>,
    pub known: bool,
    low: [f64; D],
    high: [f64; D],
}

impl<const D: usize> Default for Region<D> {
    fn default() -> Self {
        Self { list: Vec::new(), known: false, low: [0.0; D], high: [0.0; D] }
    }
}

impl<const D: usize> Region<D> {
    /// Whether all that may meet the box is listed.
    pub fn covers(&self, low: [f64; D], high: [f64; D]) -> bool {
        self.known && (0..D).all(|a| self.low[a] <= low[a] && high[a] <= self.high[a])
    }
}

#[derive(Clone, Debug)]
pub(super) struct Buckets<const D: usize>
where
    [f32; D]: Vector,
{
    domain: Domain<[f32; D]>,
    side: f64,
    boxes: Vec<([f32; D], [f32; D])>,
    /// Where each bucket's boxes begin in `items`; a power of two, and one.
    starts: Vec<u32>,
    items: Vec<u32>,
    /// Boxes of many cubes.
    large: Vec<u32>,
    sizes: Vec<f32>,
    /// All of them.
    low: [f64; D],
    high: [f64; D],
}

/// Which box was found.
#[inline(always)]
pub(super) fn index(found: u64) -> usize {
    (found >> 8) as usize
}

/// And through which image: sides to shift it by. A digit of base 5 an axis, the first the lowest, so that images ascend as those of
/// the definition do.
#[inline(always)]
pub(super) fn steps<const D: usize>(found: u64) -> [f32; D] {
    let mut rest = found & 0xff;
    let mut steps = [0.0; D];
    for step in &mut steps {
        *step = (rest % 5) as f32 - 2.0;
        rest /= 5;
    }
    steps
}

/// A box in numbers of fewer digits, no smaller.
pub(super) fn outwards<const D: usize>(low: [f64; 3], high: [f64; 3]) -> ([f32; D], [f32; D]) {
    let (mut below, mut above) = ([0.0; D], [0.0; D]);
    for a in 0..D {
        let slack = low[a].abs().max(high[a].abs()) * GRAIN;
        below[a] = ((low[a] - slack) as f32).next_down();
        above[a] = ((high[a] + slack) as f32).next_up();
    }
    (below, above)
}

impl<const D: usize> Buckets<D>
where
    [f32; D]: Vector,
{
    pub fn new(domain: &Domain<[f32; D]>) -> Self {
        Self {
            domain: *domain,
            side: 1.0,
            boxes: Vec::new(),
            starts: Vec::new(),
            items: Vec::new(),
            large: Vec::new(),
            sizes: Vec::new(),
            low: [0.0; D],
            high: [0.0; D],
        }
    }

    /// Takes these boxes; nothing is allocated once it has held as many.
    pub fn fill(&mut self, count: usize, usual: f32, get: impl Fn(usize) -> ([f32; D], [f32; D])) {
        self.boxes.clear();
        self.boxes.extend((0..count).map(get));
        self.sizes.clear();
        (self.low, self.high) = ([f64::INFINITY; D], [f64::NEG_INFINITY; D]);
        for (low, high) in &self.boxes {
            let mut longest = 0.0_f32;
            for a in 0..D {
                longest = if high[a] - low[a] > longest { high[a] - low[a] } else { longest };
                self.low[a] = if f64::from(low[a]) < self.low[a] { f64::from(low[a]) } else { self.low[a] };
                self.high[a] = if f64::from(high[a]) > self.high[a] { f64::from(high[a]) } else { self.high[a] };
            }
            self.sizes.push(longest);
        }
        if count == 0 {
            return;
        }
        let middle = *self.sizes.select_nth_unstable_by(count / 2, f32::total_cmp).1;
        let usual = CUBE * usual;
        self.side = f64::from(if middle > usual { middle } else { usual }).max(1e-9);
        self.large.clear();
        let buckets = (2 * count).next_power_of_two();
        self.starts.clear();
        self.starts.resize(buckets + 2, 0);
        let mut listed = 0;
        // Count, add up, place: from the back, so that each start ends where its bucket begins.
        for i in 0..count {
            match self.cubes(i) {
                None => self.large.push(i as u32),
                Some((first, last)) => {
                    let starts = &mut self.starts;
                    for_cubes(first, last, |cube| {
                        starts[hash(cube, buckets) + 1] += 1;
                        listed += 1;
                    });
                }
            }
        }
        for bucket in 0..=buckets {
            self.starts[bucket + 1] += self.starts[bucket];
        }
        self.items.clear();
        self.items.resize(listed, 0);
        for i in (0..count).rev() {
            if let Some((first, last)) = self.cubes(i) {
                let (starts, items) = (&mut self.starts, &mut self.items);
                for_cubes(first, last, |cube| {
                    let end = &mut starts[hash(cube, buckets) + 1];
                    *end -= 1;
                    items[*end as usize] = i as u32;
                });
            }
        }
    }

    /// The boxes.
    pub fn boxes(&self) -> &[([f32; D], [f32; D])] {
        &self.boxes
    }

    /// How far from a box a boid with coordinates up to `boid` may be that comes within a skin of it: positions are rounded by no more
    /// where both can be.
    pub fn slack(&self, boid: f64) -> f64 {
        let mut most = 0.0;
        for a in 0..D {
            most = self.low[a].abs().max(self.high[a].abs()).max(most);
        }
        if self.domain.is_periodic() {
            for a in 0..D {
                most += 2.0 * f64::from(self.domain.side(a));
            }
        }
        most.min(boid) * SLACK
    }

    fn cube(&self, x: f64) -> i64 {
        (x / self.side).floor().clamp(-FURTHEST, FURTHEST) as i64
    }

    /// The cubes a box touches; `None` if they are many.
    fn cubes(&self, i: usize) -> Option<([i64; D], [i64; D])> {
        let (low, high) = &self.boxes[i];
        self.cubes_of(low.map(f64::from), high.map(f64::from), MOST_CUBES)
    }

    fn cubes_of(&self, low: [f64; D], high: [f64; D], most: f64) -> Option<([i64; D], [i64; D])> {
        let (first, last) = (low.map(|x| self.cube(x)), high.map(|x| self.cube(x)));
        let count = (0..D).fold(1.0, |product, a| product * (last[a] - first[a] + 1) as f64);
        (count <= most).then_some((first, last))
    }

    /// Lists, ascending by box and then image, all that may meet the box `low`…`high` or come within a skin of it. More may be
    /// listed, none twice.
    pub fn list(&self, low: [f64; D], high: [f64; D], found: &mut Vec<u64>) {
        found.clear();
        let mut most = 0.0;
        for a in 0..D {
            most = low[a].abs().max(high[a].abs()).max(most);
        }
        let slack = self.slack(most);
        let (mut from, mut to) = (low, high);
        let (mut first, mut last) = ([0; D], [0; D]);
        for a in 0..D {
            let periodic = self.domain.is_periodic();
            (from[a], to[a]) = (low[a] - slack, high[a] + slack);
            if periodic {
                // Seen through the image k, what is at x is at x + k·L.
                let side = f64::from(self.domain.side(a));
                first[a] = ((from[a] - self.high[a]) / side).ceil().clamp(-2.0, 2.0) as i64;
                last[a] = ((to[a] - self.low[a]) / side).floor().clamp(-2.0, 2.0) as i64;
            }
        }
        let images = (0..D).any(|a| first[a] != last[a]);
        let mut step = first;
        'images: loop {
            self.list_image(from, to, step, found);
            if !images {
                break;
            }
            for a in 0..D {
                if step[a] < last[a] {
                    step[a] += 1;
                    continue 'images;
                }
                step[a] = first[a];
            }
            break;
        }
        found.sort_unstable();
        found.dedup();
    }

    /// Makes `region` hold all that may meet the box, if it does not yet. It then reaches further along the first axis, where the next
    /// blocks of a row are.
    pub fn cover(&self, low: [f32; D], high: [f32; D], region: &mut Region<D>) {
        let (low, mut high) = (low.map(f64::from), high.map(f64::from));
        if region.covers(low, high) {
            return;
        }
        high[0] += AHEAD * self.side;
        self.list(low, high, &mut region.list);
        (region.low, region.high, region.known) = (low, high, true);
    }

    /// Whether a box met the box found, seen directly or through its image.
    #[inline(always)]
    pub fn meets(&self, found: u64, low: [f32; D], high: [f32; D]) -> bool {
        let (below, above) = &self.boxes[index(found)];
        if found & 0xff == DIRECT[D - 1] {
            for a in 0..D {
                if high[a] < below[a] || low[a] > above[a] {
                    return false;
                }
            }
            return true;
        }
        let step = steps::<D>(found);
        for a in 0..D {
            let shift = step[a] * self.domain.side(a);
            if high[a] < below[a] + shift || low[a] > above[a] + shift {
                return false;
            }
        }
        true
    }

    fn list_image(&self, from: [f64; D], to: [f64; D], step: [i64; D], found: &mut Vec<u64>) {
        let (mut low, mut high) = ([0.0; D], [0.0; D]);
        let mut code = 0;
        for a in (0..D).rev() {
            code = code * 5 + (step[a] + 2) as u64;
        }
        for a in 0..D {
            let shift = if step[a] == 0 { 0.0 } else { step[a] as f64 * f64::from(self.domain.side(a)) };
            (low[a], high[a]) = (from[a] - shift, to[a] - shift);
            if low[a] > self.high[a] || high[a] < self.low[a] {
                return;
            }
        }
        let ends = (low.map(|x| (x as f32).next_down()), high.map(|x| (x as f32).next_up()));
        let mut look = |i: u32| {
            let (below, above) = &self.boxes[i as usize];
            if (0..D).all(|a| ends.0[a] <= above[a] && below[a] <= ends.1[a]) {
                found.push(u64::from(i) << 8 | code);
            }
        };
        let Some((first, last)) = self.cubes_of(low, high, MOST_SEARCHED) else {
            (0..self.boxes.len() as u32).for_each(look);
            return;
        };
        self.large.iter().for_each(|&i| look(i));
        let buckets = self.starts.len() - 2;
        for_cubes(first, last, |cube| {
            let bucket = hash(cube, buckets);
            let (start, end) = (self.starts[bucket + 1] as usize, self.starts[bucket + 2] as usize);
            self.items[start..end].iter().for_each(|&i| look(i));
        });
    }
}

fn for_cubes<const D: usize>(first: [i64; D], last: [i64; D], mut visit: impl FnMut([i64; D])) {
    let mut cube = first;
    loop {
        visit(cube);
        let mut a = 0;
        while a < D && cube[a] == last[a] {
            cube[a] = first[a];
            a += 1;
        }
        if a == D {
            return;
        }
        cube[a] += 1;
    }
}

#[inline]
fn hash<const D: usize>(cube: [i64; D], buckets: usize) -> usize {
    let mut mixed = 0_u64;
    for x in cube {
        mixed = (mixed ^ x as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^= mixed >> 29;
    }
    mixed as usize & (buckets - 1)
}
