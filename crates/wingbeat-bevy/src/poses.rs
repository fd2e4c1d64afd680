//! States of the last two steps, by seat, and what lies between them.

use wingbeat_scene::{AnyDomain, AnyFlock};

/// A boid's state in the scene's axes; in the plane the third numbers are 0. Aligned so that none lies across two lines of a cache.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Pose {
    pub position: [f32; 3],
    pub velocity: [f32; 3],
}

/// Where everybody was and is.
#[derive(Default)]
pub(crate) struct Poses {
    previous: Vec<Pose>,
    current: Vec<Pose>,
    /// Counts changes of what is in here.
    version: u64,
}

impl Poses {
    /// Which state of this it is: another number whenever something has changed.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// After a step: what was current is previous. `seats` by rank, in `rows` rows.
    pub fn advance(&mut self, flock: &AnyFlock, seats: &[u32], rows: usize) {
        std::mem::swap(&mut self.previous, &mut self.current);
        self.gather(flock, seats, rows);
    }

    /// Everybody is where the flock has them, and was nowhere else.
    pub fn snap(&mut self, flock: &AnyFlock, seats: &[u32], rows: usize) {
        self.gather(flock, seats, rows);
        self.previous.clone_from(&self.current);
    }

    /// Somebody is here, and was nowhere else.
    pub fn put(&mut self, seat: u32, pose: Pose) {
        self.grow(seat as usize + 1);
        self.current[seat as usize] = pose;
        self.settle(seat);
    }

    /// Somebody who is new was nowhere else.
    pub fn settle(&mut self, seat: u32) {
        self.previous[seat as usize] = self.current[seat as usize];
        self.version += 1;
    }

    pub fn current(&self, seat: u32) -> Pose {
        self.current[seat as usize]
    }

    /// Both states.
    pub fn both(&self) -> (&[Pose], &[Pose]) {
        (&self.previous, &self.current)
    }

    fn grow(&mut self, rows: usize) {
        if self.current.len() < rows {
            self.current.resize(rows, Pose::default());
        }
        if self.previous.len() < self.current.len() {
            self.previous.resize(self.current.len(), Pose::default());
        }
    }

    /// One pass over the columns in slot order, each boid written to its seat.
    fn gather(&mut self, flock: &AnyFlock, seats: &[u32], rows: usize) {
        self.grow(rows.max(self.previous.len()));
        self.version += 1;
        let (positions, velocities) = (flock.shared_positions(), flock.shared_velocities());
        let ranks = flock.ranks();
        let slots = ranks.len();
        let (x, y) = (&positions.axis(0)[..slots], &positions.axis(1)[..slots]);
        let (u, v) = (&velocities.axis(0)[..slots], &velocities.axis(1)[..slots]);
        if flock.dimensions() == 3 {
            let (z, w) = (&positions.axis(2)[..slots], &velocities.axis(2)[..slots]);
            for (slot, &rank) in ranks.iter().enumerate() {
                let pose = Pose { position: [x[slot], y[slot], z[slot]], velocity: [u[slot], v[slot], w[slot]] };
                self.current[seats[rank as usize] as usize] = pose;
            }
        } else {
            for (slot, &rank) in ranks.iter().enumerate() {
                let pose = Pose { position: [x[slot], y[slot], 0.0], velocity: [u[slot], v[slot], 0.0] };
                self.current[seats[rank as usize] as usize] = pose;
            }
        }
    }
}

/// A domain whose opposite faces are one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Period {
    min: [f32; 3],
    max: [f32; 3],
}

impl Period {
    /// `None` where no domain is periodic.
    pub fn of(flock: &AnyFlock) -> Option<Self> {
        if !flock.is_periodic() {
            return None;
        }
        Some(match flock.domain() {
            AnyDomain::Two(domain) => Self { min: widen(domain.min), max: widen(domain.max) },
            AnyDomain::Three(domain) => Self { min: domain.min, max: domain.max },
        })
    }

    /// From one coordinate to another the short way round, and back into the box.
    #[inline(always)]
    fn between(&self, axis: usize, from: f32, to: f32, share: f32) -> f32 {
        let (low, high) = (self.min[axis], self.max[axis]);
        let width = high - low;
        let offset = to - from;
        if !(offset > 0.5 * width || offset < -0.5 * width) || width <= 0.0 {
            return blend(from, to, share);
        }
        let beyond = if offset > 0.0 { to - width } else { to + width };
        let place = blend(from, beyond, share);
        if place >= high {
            place - width
        } else if place < low {
            place + width
        } else {
            place
        }
    }
}

fn widen(v: [f32; 2]) -> [f32; 3] {
    [v[0], v[1], 0.0]
}

/// Exact at both ends.
#[inline(always)]
fn blend(from: f32, to: f32, share: f32) -> f32 {
    from * (1.0 - share) + to * share
}

/// What lies between two states; `share` 0 is the first, 1 the second. Velocities are blended too, so that headings turn evenly.
#[inline(always)]
pub(crate) fn between(from: &Pose, to: &Pose, share: f32, period: Option<&Period>) -> Pose {
    let position = match period {
        Some(period) => std::array::from_fn(|a| period.between(a, from.position[a], to.position[a], share)),
        None => std::array::from_fn(|a| blend(from.position[a], to.position[a], share)),
    };
    Pose { position, velocity: std::array::from_fn(|a| blend(from.velocity[a], to.velocity[a], share)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(x: f32) -> Pose {
        Pose { position: [x, 1.0, 2.0], velocity: [x, 0.0, 0.0] }
    }

    #[test]
    fn between_two_states() {
        let (from, to) = (at(0.1), at(0.7));
        assert_eq!(between(&from, &to, 0.0, None), from);
        assert_eq!(between(&from, &to, 1.0, None), to);
        assert!((between(&from, &to, 0.5, None).position[0] - 0.4).abs() < 1e-6);
    }

    #[test]
    fn across_faces_that_are_one_it_is_the_short_way() {
        let period = Period { min: [-5.0; 3], max: [5.0; 3] };
        for (from, to, share, wanted) in [
            (4.75, -4.75, 0.25, 4.875),
            (4.75, -4.75, 0.5, -5.0),
            (4.75, -4.75, 0.75, -4.875),
            (-4.75, 4.75, 0.25, -4.875),
            (-4.75, 4.75, 0.75, 4.875),
            (-1.0, 3.0, 0.5, 1.0),
            (4.75, -4.75, 0.0, 4.75),
            (4.75, -4.75, 1.0, -4.75),
        ] {
            let place = between(&at(from), &at(to), share, Some(&period)).position[0];
            assert_eq!(place, wanted, "{from} to {to} at {share}");
        }
        // A plane has no third axis.
        let flat = Period { min: [0.0, 0.0, 0.0], max: [1.0, 1.0, 0.0] };
        assert_eq!(flat.between(2, 0.0, 0.0, 0.5), 0.0);
    }
}
