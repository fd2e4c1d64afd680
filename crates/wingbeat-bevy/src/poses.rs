//! States of the last two steps, by seat, and what lies between them.

use wingbeat::Frame;
use wingbeat_scene::{AnyDomain, AnyFlock};

/// A boid's state in the scene's axes; in the plane the third numbers are 0. Aligned so that none
/// lies across two lines of a cache.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Pose {
    pub position: [f32; 3],
    pub velocity: [f32; 3],
}

/// Where every boid was and is.
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

    /// Every boid is where the flock has them, and was nowhere else.
    pub fn snap(&mut self, flock: &AnyFlock, seats: &[u32], rows: usize) {
        self.gather(flock, seats, rows);
        self.previous.clone_from(&self.current);
    }

    /// The boids that are here when the next step begins. What was before is forgotten by that
    /// step.
    pub fn put(&mut self, seat: u32, pose: Pose) {
        self.grow(seat as usize + 1);
        self.current[seat as usize] = pose;
    }

    /// A new boid was nowhere else.
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

    fn gather(&mut self, flock: &AnyFlock, seats: &[u32], rows: usize) {
        self.grow(rows.max(self.previous.len()));
        self.version += 1;
        match flock {
            AnyFlock::Two(flock) => scatter(&flock.frame(), seats, &mut self.current),
            AnyFlock::Three(flock) => scatter(&flock.frame(), seats, &mut self.current),
        }
    }
}

/// One pass over the flock's columns, in slot order as they lie; each boid is written to its seat.
fn scatter<const D: usize>(frame: &Frame<'_, D>, seats: &[u32], rows: &mut [Pose]) {
    let (positions, velocities): ([&[f32]; D], [&[f32]; D]) =
        (std::array::from_fn(|a| frame.positions(a)), std::array::from_fn(|a| frame.velocities(a)));
    for (slot, &rank) in frame.ranks().iter().enumerate() {
        let mut pose = Pose::default();
        for a in 0..D {
            pose.position[a] = positions[a][slot];
            pose.velocity[a] = velocities[a][slot];
        }
        rows[seats[rank as usize] as usize] = pose;
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

    /// From one coordinate to another the short way round, and back into the box. All selects and
    /// no branches, as it is done for many.
    #[inline(always)]
    pub(crate) fn between(&self, axis: usize, from: f32, to: f32, share: f32) -> f32 {
        let (low, high) = (self.min[axis], self.max[axis]);
        let width = high - low;
        let (offset, half) = (to - from, 0.5 * width);
        let image = if offset > half { to - width } else { to };
        let image = if offset < -half { to + width } else { image };
        let place = blend(from, image, share);
        let below = if place >= high { place - width } else { place };
        if place < low { place + width } else { below }
    }
}

fn widen(v: [f32; 2]) -> [f32; 3] {
    [v[0], v[1], 0.0]
}

/// What lies between two numbers: at a share of 0 exactly the first, of 1 the second.
#[inline(always)]
pub(crate) fn blend(from: f32, to: f32, share: f32) -> f32 {
    from * (1.0 - share) + to * share
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn between_two_numbers() {
        assert_eq!((blend(0.1, 0.7, 0.0), blend(0.1, 0.7, 1.0)), (0.1, 0.7));
        assert!((blend(0.1, 0.7, 0.5) - 0.4).abs() < 1e-6);
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
            let place = period.between(0, from, to, share);
            assert_eq!(place, wanted, "{from} to {to} at {share}");
        }
    }
}
