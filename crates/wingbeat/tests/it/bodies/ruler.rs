//! Least gaps of bodies, by a search that shares nothing with the engine's.

use super::cases::side_of;
use wingbeat::steer::*;
use wingbeat::*;

/// Least gaps, in f64: below 0 they overlap.
#[derive(Clone, Copy, Debug)]
pub struct Gaps {
    pub bodies: f64,
    pub faces: f64,
    pub obstacles: f64,
}

impl Gaps {
    pub const NONE: Self =
        Self { bodies: f64::INFINITY, faces: f64::INFINITY, obstacles: f64::INFINITY };

    pub fn and(self, other: Self) -> Self {
        Self {
            bodies: self.bodies.min(other.bodies),
            faces: self.faces.min(other.faces),
            obstacles: self.obstacles.min(other.obstacles),
        }
    }
}

/// Cells at least as long as the largest diameter, with who is in each.
#[derive(Default)]
pub struct Ruler {
    begin: Vec<u32>,
    order: Vec<u32>,
    cells: Vec<u32>,
}

impl Ruler {
    /// The least gap of two bodies that are nearer than the largest diameter.
    fn least<const D: usize>(
        &mut self,
        places: &[[f64; D]],
        radii: &[f64],
        domain: &Domain<[f32; D]>,
    ) -> f64 {
        let longest = 2.0 * radii.iter().copied().fold(0.0, f64::max) * 1.01;
        let (mut low, mut high) = ([f64::INFINITY; D], [f64::NEG_INFINITY; D]);
        for place in places {
            for a in 0..D {
                (low[a], high[a]) = (low[a].min(place[a]), high[a].max(place[a]));
            }
        }
        let wraps = domain.is_periodic();
        if wraps {
            (low, high) = (domain.min.map(f64::from), domain.max.map(f64::from));
        }
        let most = 2.0 * f64::from(side_of::<D>(places.len() as f32)) + 1.0;
        let counts: [usize; D] =
            std::array::from_fn(|a| ((high[a] - low[a]) / longest).min(most).max(1.0) as usize);
        let cell = |place: &[f64; D]| -> [usize; D] {
            std::array::from_fn(|a| {
                let part = (place[a] - low[a]) / (high[a] - low[a]).max(1e-30);
                ((part * counts[a] as f64) as usize).min(counts[a] - 1)
            })
        };
        let place_of = |cell: [usize; D]| (0..D).rev().fold(0, |at, a| at * counts[a] + cell[a]);
        self.begin.clear();
        self.begin.resize(counts.iter().product::<usize>() + 1, 0);
        self.cells.clear();
        for place in places {
            let at = place_of(cell(place));
            self.cells.push(at as u32);
            self.begin[at + 1] += 1;
        }
        for at in 1..self.begin.len() {
            self.begin[at] += self.begin[at - 1];
        }
        self.order.resize(places.len(), 0);
        let mut next = self.begin.clone();
        for (i, &at) in self.cells.iter().enumerate() {
            self.order[next[at as usize] as usize] = i as u32;
            next[at as usize] += 1;
        }
        let sides: [f64; D] = std::array::from_fn(|a| f64::from(domain.side(a)));
        let mut least = f64::INFINITY;
        for i in 0..places.len() {
            let (place, own) = (places[i], cell(&places[i]));
            'next: for step in 0..3usize.pow(D as u32) {
                let mut there = own;
                for a in 0..D {
                    let way = step / 3usize.pow(a as u32) % 3;
                    // Of fewer than three cells each is visited once.
                    if counts[a] < 3 && way > counts[a] - 1 {
                        continue 'next;
                    }
                    there[a] = match way {
                        _ if counts[a] < 3 => way,
                        0 => own[a],
                        1 if own[a] + 1 < counts[a] => own[a] + 1,
                        2 if own[a] > 0 => own[a] - 1,
                        _ if !wraps => continue 'next,
                        1 => 0,
                        _ => counts[a] - 1,
                    };
                }
                let at = place_of(there);
                for &j in &self.order[self.begin[at] as usize..self.begin[at + 1] as usize] {
                    let j = j as usize;
                    if j >= i {
                        continue;
                    }
                    let mut sum = 0.0;
                    for a in 0..D {
                        let mut way = (places[j][a] - place[a]).abs();
                        if wraps {
                            way = way.min(sides[a] - way);
                        }
                        sum += way * way;
                    }
                    let reach = longest.min(radii[i] + radii[j] + least);
                    if sum < reach * reach {
                        least = least.min(sum.sqrt() - (radii[i] + radii[j]));
                    }
                }
            }
        }
        least
    }

    /// All gaps there are, of bodies whose radii are told by id.
    pub fn measure<const D: usize>(&mut self, flock: &Flock<D>, radii: &[f32]) -> Gaps {
        let (mut places, mut own) =
            (Vec::with_capacity(flock.len()), Vec::with_capacity(flock.len()));
        let mut gaps = Gaps::NONE;
        let (domain, mut list) = (flock.domain(), Vec::new());
        let faces = matches!(domain.boundary, Boundary::Walled { .. } | Boundary::Reflecting);
        for boid in flock.frame().by_slot() {
            let (place, radius) =
                (boid.position.map(f64::from), f64::from(radii[boid.id.get() as usize]));
            for a in 0..if faces { D } else { 0 } {
                let inside =
                    (place[a] - f64::from(domain.min[a])).min(f64::from(domain.max[a]) - place[a]);
                gaps.faces = gaps.faces.min(inside - radius);
            }
            if let Some(course) = flock.obstacles() {
                let at = std::array::from_fn(|a| if a < D { place[a] } else { 0.0 });
                let near = course.standing_within(at, radius * 1.5, &mut course.all(), &mut list);
                gaps.obstacles = near.map_or(gaps.obstacles, |(_, distance, _)| {
                    gaps.obstacles.min(distance - radius)
                });
            }
            places.push(place);
            own.push(radius);
        }
        gaps.bodies = self.least(&places, &own, domain);
        gaps
    }
}
