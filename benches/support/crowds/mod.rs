//! A crowd that avoids itself by ORCA, by Wingbeat and by dodgy_2d: the same people, goals and
//! numbers.
//!
//! One person a square metre in an open square, each person on the way to a place of its own
//! somewhere in it. Both avoid the 10 nearest within 5 m for 3 s, both may be a quarter faster than
//! they like while they avoid, and both see bodies of 0.25 m with a tenth more about them.

#[cfg(feature = "peers")]
mod dodgy;
mod near;
mod wingbeat;

#[cfg(feature = "peers")]
pub use dodgy::Dodgy;
pub use near::Cells;
pub use wingbeat::Wingbeat;

use crate::steps::Steps;

/// How many others each avoids, the nearest.
pub const NEIGHBORS: usize = 10;
/// How far away these are at most, metres.
pub const DISTANCE: f32 = 5.0;
/// No touch for this long, seconds.
pub const TIME_HORIZON: f32 = 3.0;
/// Radius of a body, metres.
pub const RADIUS: f32 = 0.25;
/// Part of the radius that ORCA adds.
pub const MARGIN: f32 = 0.1;
/// Preferred speed of each person, metres a second.
pub const SPEED: f32 = 1.33;
/// Largest speed while avoiding, in speeds that people like.
pub const HASTE: f32 = 1.25;
/// Time step, seconds.
pub const DT: f32 = 0.1;
/// Within this distance of the goal the wanted speed falls in proportion, metres.
pub const SLOWING: f32 = 1.0;

/// Where people are and where they want to be, by id; they stand at the start.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Metres.
    pub positions: Vec<[f32; 2]>,
    /// Metres; of as many.
    pub goals: Vec<[f32; 2]>,
}

impl Scene {
    /// As many people as fill a square of so many metres, neighbors in space beside each other in
    /// memory.
    pub fn square(side: usize) -> Self {
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        let mut draw = || {
            // SplitMix64's step and finish.
            state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let z = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            ((z ^ (z >> 31)) >> 40) as f32 / 16_777_216.0
        };
        let place = |i: usize, draw: &mut dyn FnMut() -> f32| {
            let (x, y) = ((i % side) as f32, (i / side) as f32);
            [x + 0.3 + 0.4 * draw(), y + 0.3 + 0.4 * draw()]
        };
        let positions = (0..side * side).map(|i| place(i, &mut draw)).collect();
        let goals =
            (0..side * side).map(|_| [draw() * side as f32, draw() * side as f32]).collect();
        Self { positions, goals }
    }
}

/// A crowd that some library moves, in steps of [`DT`].
pub trait Crowd: Steps {
    /// Positions and velocities, in any order.
    fn people(&mut self) -> Vec<([f32; 2], [f32; 2])>;
}

/// What a crowd is like, so that no candidate is quick by doing something else.
#[derive(Clone, Copy, Debug)]
pub struct Likeness {
    /// Mean speed, metres a second.
    pub speed: f64,
    /// Smallest distance of two, metres.
    pub nearest: f64,
    /// Mean over people of the distance of the nearest other, metres.
    pub mean_nearest: f64,
}

impl Likeness {
    /// Holds it against another crowd's.
    ///
    /// # Errors
    /// When mean speeds or mean distances of the nearest differ by more than this part.
    pub fn resembles(&self, other: &Self, part: f64) -> Result<(), String> {
        let pairs = [
            ("mean speed", self.speed, other.speed),
            ("mean distance of the nearest", self.mean_nearest, other.mean_nearest),
        ];
        for (name, own, first) in pairs {
            let difference = (own / first - 1.0).abs();
            if difference.is_nan() || difference > part {
                return Err(format!(
                    "its crowd has a {name} of {own:.3}, the first one's {first:.3}: a difference \
                    of {part} of it is allowed"
                ));
            }
        }
        Ok(())
    }
}

/// Looks at a crowd.
pub fn likeness(crowd: &mut dyn Crowd) -> Likeness {
    let people = crowd.people();
    let count = people.len() as f64;
    let speed_of = |[x, y]: [f64; 2]| (x * x + y * y).sqrt();
    let speed =
        people.iter().fold(0.0, |sum, (_, velocity)| sum + speed_of(velocity.map(f64::from)))
            / count;
    let positions: Vec<[f32; 2]> = people.iter().map(|(position, _)| *position).collect();
    let cells = Cells::new(&positions);
    let mut near = Vec::new();
    let (mut nearest, mut sum) = (f64::INFINITY, 0.0);
    for (i, &position) in positions.iter().enumerate() {
        cells.nearest(position, i, 1, DISTANCE, &mut near);
        let d = near.first().map_or(f64::from(DISTANCE), |&(d_sq, _)| f64::from(d_sq).sqrt());
        nearest = if d < nearest { d } else { nearest };
        sum += d;
    }
    Likeness { speed, nearest, mean_nearest: sum / count }
}
