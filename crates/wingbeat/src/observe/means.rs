//! Means over everybody: one walk for all of them, and a second for what turns about the mean position.

use wingbeat_steer::{Domain, Vector};

use super::individuals::Individuals;
use super::vectors::{add, cross, norm, offset, unit};
use super::{Observables, Wanted};

/// Fills in whatever of the means is wanted.
///
/// ```text
/// for each by id:   position into the mean position, if somebody turns about it;  heading, speed
/// for each by id:   arm = way from the mean position;  r̂ × h,  r × v
/// ```
pub(super) fn measure<const D: usize>(
    individuals: &Individuals<'_, D>,
    domain: &Domain<[f32; D]>,
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
    for place in individuals.in_order() {
        if around {
            middle.add(individuals.position(place), domain);
        }
        let velocity = individuals.velocity(place);
        if ahead && !velocity.iter().any(|c| c.is_nan()) {
            add(&mut headings, unit(velocity));
            speeds += norm(velocity);
            count += 1;
        }
    }
    found.polarization = mean(norm(headings), count).filter(|_| polarization);
    found.mean_speed = mean(speeds, count).filter(|_| mean_speed);
    if !around {
        return;
    }
    let middle = middle.of(individuals.len(), domain);
    let (mut turning, mut momentum, mut count) = ([0.0; 3], [0.0; 3], 0);
    for place in individuals.with_velocity() {
        let (arm, velocity) = (offset(&middle, &individuals.position(place), domain), individuals.velocity(place));
        if milling {
            add(&mut turning, cross(unit(arm), unit(velocity)));
        }
        if angular_momentum {
            add(&mut momentum, cross(arm, velocity));
        }
        count += 1;
    }
    found.milling = mean(norm(turning), count).filter(|_| milling);
    found.angular_momentum = mean(norm(momentum), count).filter(|_| angular_momentum);
}

pub(super) fn mean_position<const D: usize>(individuals: &Individuals<'_, D>, domain: &Domain<[f32; D]>) -> [f64; D] {
    let mut middle = Middle::default();
    for place in individuals.in_order() {
        middle.add(individuals.position(place), domain);
    }
    middle.of(individuals.len(), domain)
}

/// The sums of a mean position: of coordinates, or of unit vectors round a periodic axis.
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
    fn add(&mut self, position: [f64; D], domain: &Domain<[f32; D]>) {
        if !domain.is_periodic() {
            return add(&mut self.sum, position);
        }
        for a in 0..D {
            let (min, side) = (f64::from(domain.min.axis(a)), f64::from(domain.side(a)));
            let (sin, cos) = libm::sincos(std::f64::consts::TAU * (position[a] - min) / side);
            self.sum[a] += cos;
            self.sines[a] += sin;
        }
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
