//! Groups: connected components of "within a radius of each other".

use std::collections::HashMap;

use wingbeat_steer::{Domain, Vector};

use super::individuals::Individuals;
use super::vectors::{norm, offset};

/// As far as cells are counted one by one: beyond it, rounding or saturation may put into one cell who is far apart, and
/// everybody in it is compared with everybody.
const MOST_CELLS: f64 = (1u64 << 50) as f64;

/// Sizes of the groups, largest first.
///
/// ```text
/// cells so small that whoever shares one is within the radius (side a little under radius/√D)
/// for each cell:               all of it are one group
///     for each cell in reach:  if not in one group yet, look for one pair within the radius
/// ```
pub(super) fn sizes<const D: usize>(individuals: &Individuals<'_, D>, domain: &Domain<[f32; D]>, radius: f64) -> Vec<usize> {
    let mut parents = Parents((0..individuals.len()).collect());
    if radius > 0.0 && radius.is_finite() {
        connect(individuals, domain, radius, &mut parents);
    }
    let mut sizes = vec![0; individuals.len()];
    for i in 0..individuals.len() {
        sizes[parents.root(i)] += 1;
    }
    sizes.retain(|&size| size > 0);
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    sizes
}

fn connect<const D: usize>(individuals: &Individuals<'_, D>, domain: &Domain<[f32; D]>, radius: f64, parents: &mut Parents) {
    let cells = Cells::new(domain, radius);
    let within = |i: usize, j: usize| norm(offset(&individuals.position(i), &individuals.position(j), domain)) <= radius;
    let mut members: HashMap<[i64; D], Vec<usize>> = HashMap::new();
    let mut order = Vec::new();
    // By place: which of a group are connected first does not change its size.
    for i in 0..individuals.len() {
        let cell = cells.of(&individuals.position(i));
        let here = members.entry(cell).or_default();
        match here.first() {
            None => order.push(cell),
            Some(&first) if cells.is_small(&cell) => parents.unite(first, i),
            Some(_) => here.iter().filter(|&&j| within(j, i)).for_each(|&j| parents.unite(j, i)),
        }
        here.push(i);
    }
    for cell in &order {
        let here = &members[cell];
        for other in cells.around(*cell) {
            let Some(there) = members.get(&other).filter(|_| other != *cell) else { continue };
            let one_pair_will_do = cells.is_small(cell) && cells.is_small(&other);
            if one_pair_will_do && parents.root(here[0]) == parents.root(there[0]) {
                continue;
            }
            let mut pairs = here.iter().flat_map(|&i| there.iter().map(move |&j| (i, j))).filter(|&(i, j)| within(i, j));
            if one_pair_will_do {
                pairs.next().into_iter().for_each(|(i, j)| parents.unite(i, j));
            } else {
                pairs.for_each(|(i, j)| parents.unite(i, j));
            }
        }
    }
}

struct Cells<const D: usize> {
    min: [f64; D],
    size: [f64; D],
    /// How many along each side of a periodic box.
    count: Option<[i64; D]>,
    reach: [i64; D],
}

impl<const D: usize> Cells<D> {
    fn new(domain: &Domain<[f32; D]>, radius: f64) -> Self {
        // A little under, so that rounding cannot bring the diagonal above the radius.
        let size = 0.999 * radius / (D as f64).sqrt();
        if !domain.is_periodic() {
            return Self { min: [0.0; D], size: [size; D], count: None, reach: [2; D] };
        }
        let mut cells = Self { min: [0.0; D], size: [size; D], count: Some([1; D]), reach: [1; D] };
        let mut counts = [1; D];
        for a in 0..D {
            let side = f64::from(domain.side(a));
            let count = (side / size).ceil();
            let count = if count < MOST_CELLS { count } else { MOST_CELLS };
            counts[a] = if count > 1.0 { count as i64 } else { 1 };
            cells.min[a] = f64::from(domain.min.axis(a));
            cells.size[a] = side / counts[a] as f64;
            // 4 cells are beyond the radius, or once around, whatever the rounding above made of the cells.
            let reach = (radius / cells.size[a] * (1.0 + 1e-9)).ceil();
            cells.reach[a] = (if reach < 4.0 { reach as i64 } else { 4 }).min(counts[a]);
        }
        cells.count = Some(counts);
        cells
    }

    fn of(&self, position: &[f64; D]) -> [i64; D] {
        let mut cell = [0; D];
        for a in 0..D {
            // Saturating: whoever is beyond 2^63 cells shares the last one.
            let index = ((position[a] - self.min[a]) / self.size[a]).floor() as i64;
            cell[a] = self.count.map_or(index, |count| index.rem_euclid(count[a]));
        }
        cell
    }

    /// Whether everybody in this cell is within the radius of everybody else in it: not where cells are as many as floats can
    /// tell apart, or more.
    fn is_small(&self, cell: &[i64; D]) -> bool {
        let most = MOST_CELLS as i64;
        self.count.as_ref().unwrap_or(cell).iter().all(|index| (-most + 1..most).contains(index))
    }

    /// Half of the cells that may hold somebody within the radius of somebody in this one: for the other half, this one is
    /// around them.
    fn around(&self, home: [i64; D]) -> impl Iterator<Item = [i64; D]> {
        let total = self.reach.iter().fold(1, |product, reach| product * (2 * reach + 1));
        (total / 2 + 1..total).map(move |index| {
            let mut rest = index;
            let mut cell = home;
            for a in 0..D {
                let width = 2 * self.reach[a] + 1;
                cell[a] = cell[a].saturating_add(rest % width - self.reach[a]);
                rest /= width;
                if let Some(count) = self.count {
                    cell[a] = cell[a].rem_euclid(count[a]);
                }
            }
            cell
        })
    }
}

/// Disjoint sets: each points towards the one that stands for its group.
struct Parents(Vec<usize>);

impl Parents {
    fn root(&mut self, mut i: usize) -> usize {
        while self.0[i] != i {
            self.0[i] = self.0[self.0[i]];
            i = self.0[i];
        }
        i
    }

    /// The lower index stands for both, so that the trees do not depend on the order of cells.
    fn unite(&mut self, i: usize, j: usize) {
        let (i, j) = (self.root(i), self.root(j));
        let (low, high) = if i < j { (i, j) } else { (j, i) };
        self.0[high] = low;
    }
}
