//! Means over everybody: one walk for all of them, and a second for what turns about the mean position.

use wingbeat_steer::{Domain, Vector};

use super::individuals::Individuals;
use super::vectors::{add, cross, norm, offset, unit};
use super::{Observables, Wanted};
use crate::parallel::{Divide, Pool};

/// Individuals whose terms are computed together before they are added: enough to be shared among threads, or what fits the first cache.
const SHARED: usize = 1 << 14;
const ALONE: usize = 128;

/// Fills in whatever of the means is wanted.
///
/// ```text
/// for each by id:   position into the mean position, if somebody turns about it;  heading, speed
/// for each by id:   arm = way from the mean position;  r̂ × h,  r × v
/// ```
///
/// What each adds is computed on all threads; the additions are made by one, in the order of ids.
pub(super) fn measure<const D: usize>(
    individuals: &Individuals<'_, D>,
    domain: &Domain<[f32; D]>,
    pool: &Pool,
    wanted: Wanted,
    found: &mut Observables,
) {
    let [polarization, mean_speed, milling, angular_momentum] =
        [Wanted::POLARIZATION, Wanted::MEAN_SPEED, Wanted::MILLING, Wanted::ANGULAR_MOMENTUM].map(|one| wanted.contains(one));
    let (ahead, around) = (polarization || mean_speed, milling || angular_momentum);
    if !ahead && !around {
        return;
    }
    let mut middle = Middle::default();
    let (mut headings, mut speeds, mut count) = ([0.0; D], 0.0, 0);
    let first = |place: usize| {
        let velocity = individuals.velocity(place);
        let known = ahead && !velocity.iter().any(|c| c.is_nan());
        let at = around.then(|| Middle::of_one(individuals.position(place), domain));
        First { at, ahead: known.then(|| (unit(velocity), norm(velocity))) }
    };
    each_in_order(individuals, pool, &first, First { at: None, ahead: None }, |one| {
        if let Some(at) = &one.at {
            middle.add(at);
        }
        if let Some((heading, speed)) = one.ahead {
            add(&mut headings, heading);
            speeds += speed;
            count += 1;
        }
    });
    found.polarization = mean(norm(headings), count).filter(|_| polarization);
    found.mean_speed = mean(speeds, count).filter(|_| mean_speed);
    if !around {
        return;
    }
    let middle = middle.of(individuals.len(), domain);
    let (mut turning, mut momentum, mut count) = ([0.0; 3], [0.0; 3], 0);
    let second = |place: usize| {
        let velocity = individuals.velocity(place);
        if velocity.iter().any(|c| c.is_nan()) {
            return None;
        }
        let arm = offset(&middle, &individuals.position(place), domain);
        let turn = if milling { cross(unit(arm), unit(velocity)) } else { [0.0; 3] };
        Some((turn, if angular_momentum { cross(arm, velocity) } else { [0.0; 3] }))
    };
    each_in_order(individuals, pool, &second, None, |one| {
        if let Some((turn, moment)) = *one {
            add(&mut turning, turn);
            add(&mut momentum, moment);
            count += 1;
        }
    });
    found.milling = mean(norm(turning), count).filter(|_| milling);
    found.angular_momentum = mean(norm(momentum), count).filter(|_| angular_momentum);
}

/// What somebody adds on the first walk.
#[derive(Clone)]
struct First<const D: usize> {
    at: Option<Middle<D>>,
    /// Heading and speed.
    ahead: Option<([f64; D], f64)>,
}

pub(super) fn mean_position<const D: usize>(
    individuals: &Individuals<'_, D>,
    domain: &Domain<[f32; D]>,
    pool: &Pool,
) -> [f64; D] {
    let mut middle = Middle::default();
    let of = |place: usize| Middle::of_one(individuals.position(place), domain);
    each_in_order(individuals, pool, &of, Middle::default(), |one| middle.add(one));
    middle.of(individuals.len(), domain)
}

/// Computes `of` for every place on all threads, and hands it to `take` in the order of sums.
fn each_in_order<V: Clone + Send, const D: usize>(
    individuals: &Individuals<'_, D>,
    pool: &Pool,
    of: &(impl Fn(usize) -> V + Sync),
    any: V,
    take: impl FnMut(&V),
) {
    let together = if pool.is_caller() { ALONE } else { SHARED };
    let (count, mut take) = (individuals.len(), take);
    let mut values = vec![any; together.min(count)];
    for first in (0..count).step_by(together.max(1)) {
        let values = &mut values[..together.min(count - first)];
        pool.divide(Terms { individuals, of, first, values: &mut *values });
        values.iter().for_each(&mut take);
    }
}

/// What some add, those from one turn on in the order of sums.
struct Terms<'a, V, F, const D: usize> {
    individuals: &'a Individuals<'a, D>,
    of: &'a F,
    first: usize,
    values: &'a mut [V],
}

impl<V: Send, F: Fn(usize) -> V + Sync, const D: usize> Divide for Terms<'_, V, F, D> {
    fn halve(self) -> Result<(Self, Self), Self> {
        if self.values.len() <= 2 * ALONE {
            return Err(self);
        }
        let Self { individuals, of, first, values } = self;
        let half = values.len() / 2;
        let (left, right) = values.split_at_mut(half);
        Ok((Self { individuals, of, first, values: left }, Self { individuals, of, first: first + half, values: right }))
    }

    fn run(self) {
        let places = self.individuals.some_in_order(self.first..self.first + self.values.len());
        for (value, place) in self.values.iter_mut().zip(places) {
            *value = (self.of)(place);
        }
    }
}

/// The sums of a mean position: of coordinates, or of unit vectors round a periodic axis.
#[derive(Clone)]
struct Middle<const D: usize> {
    sum: [f64; D],
    /// The sines, where `sum` holds the cosines.
    sines: [f64; D],
}

impl<const D: usize> Default for Middle<D> {
    fn default() -> Self {
        Self { sum: [0.0; D], sines: [0.0; D] }
    }
}

impl<const D: usize> Middle<D> {
    /// What one position adds.
    fn of_one(position: [f64; D], domain: &Domain<[f32; D]>) -> Self {
        let mut one = Self { sum: position, sines: [0.0; D] };
        if domain.is_periodic() {
            for a in 0..D {
                let (min, side) = (f64::from(domain.min.axis(a)), f64::from(domain.side(a)));
                (one.sines[a], one.sum[a]) = libm::sincos(std::f64::consts::TAU * (position[a] - min) / side);
            }
        }
        one
    }

    fn add(&mut self, one: &Self) {
        add(&mut self.sum, one.sum);
        add(&mut self.sines, one.sines);
    }

    fn of(&self, count: usize, domain: &Domain<[f32; D]>) -> [f64; D] {
        if !domain.is_periodic() {
            return self.sum.map(|sum| sum / count.max(1) as f64);
        }
        std::array::from_fn(|a| {
            let (min, side) = (f64::from(domain.min.axis(a)), f64::from(domain.side(a)));
            // Of the images of the mean, the one in the box.
            let turns = libm::atan2(self.sines[a], self.sum[a]) / std::f64::consts::TAU;
            min + side * if turns < 0.0 { turns + 1.0 } else { turns }
        })
    }
}

fn mean(sum: f64, count: usize) -> Option<f64> {
    (count > 0).then(|| sum / count as f64)
}
