//! Time slicing: which boids steer at a step, and the forces that the others hold.

use alloc::vec::Vec;

use crate::schema::limit;
use crate::{ParamError, Vector};

/// Whether the boid `id` has its turn at `step` where everyone steers once in `every` steps: (id +
/// step) mod every = 0.
///
/// A boid's first step is a turn besides; that is for the caller to know. Needs `every` of at
/// least 1.
///
/// ```
/// use wingbeat_steer::has_turn;
/// let turns: Vec<u64> = (0..9).filter(|&step| has_turn(1, step, 4)).collect();
/// assert_eq!(turns, [3, 7]);
/// ```
pub const fn has_turn(id: u64, step: u64, every: u32) -> bool {
    let every = every as u64;
    // Of the sum of remainders, since id + step may not fit.
    (id % every + step % every).is_multiple_of(every)
}

/// Refuses a `steer_every` outside its range.
///
/// # Errors
/// Names the value and the range.
pub fn check_steer_every(every: u32) -> Result<(), ParamError> {
    if (1..=limit::STEER_EVERY).contains(&every) {
        return Ok(());
    }
    Err(ParamError::new("steer_every", every, format_args!("1 to {}", limit::STEER_EVERY)))
}

/// What a [`TextbookFlock`](crate::TextbookFlock) holds between turns, by id: what
/// [`steering`](crate::TextbookFlock::steering) was at a boid's last turn, and whether the boid was
/// busy then.
///
/// ```
/// use wingbeat_steer::{Cohesion, Domain, HeldForces, Params, TextbookBoid, TextbookFlock};
/// let boid = |id, x| TextbookBoid { id, position: [x, 0.0], velocity: [0.0, 0.0] };
/// let mut flock = TextbookFlock {
///     params: Params { rules: Cohesion::default().into(), ..Default::default() },
///     domain: Domain::open(), seed: 1, step: 1, boids: vec![boid(0, 0.0), boid(1, 0.5)],
///     ..Default::default()
/// };
/// let mut forces = HeldForces::new(2)?;
/// flock.step_holding(0.5, &mut forces); // the first step of both
/// flock.step_holding(0.5, &mut forces); // the turn of boid 0: (0 + 2) mod 2 = 0
/// assert_eq!(forces.of(0), Some([0.25, 0.0]));
/// assert_eq!(forces.of(1), Some([-0.5, 0.0])); // held
/// # Ok::<(), wingbeat_steer::ParamError>(())
/// ```
#[derive(Clone, Debug)]
pub struct HeldForces<V> {
    every: u32,
    /// Ascending by id: the force, and whether the boid was busy.
    held: Vec<(u64, V, bool)>,
}

impl<V: Vector> HeldForces<V> {
    /// No boid holds anything yet, so all steer in the first step.
    ///
    /// # Errors
    /// When `every` is out of range: 1 to 1000.
    pub fn new(every: u32) -> Result<Self, ParamError> {
        check_steer_every(every)?;
        Ok(Self { every, held: Vec::new() })
    }

    /// The force the boid `id` holds, if it has steered before.
    pub fn of(&self, id: u64) -> Option<V> {
        self.place(id).ok().map(|place| self.held[place].1)
    }

    /// Whether the boid `id` steers at `step`: in its turn, and in its first step.
    pub(crate) fn is_due(&self, id: u64, step: u64) -> bool {
        has_turn(id, step, self.every) || self.place(id).is_err()
    }

    /// Whether the boid `id` was busy at its last turn: whether one of its interactions had
    /// a boid in range.
    pub fn is_busy(&self, id: u64) -> bool {
        self.place(id).is_ok_and(|place| self.held[place].2)
    }

    pub(crate) fn hold(&mut self, id: u64, force: V, busy: bool) {
        match self.place(id) {
            Ok(place) => self.held[place] = (id, force, busy),
            Err(place) => self.held.insert(place, (id, force, busy)),
        }
    }

    /// Drops the forces of boids that left.
    pub(crate) fn keep(&mut self, living: impl ExactSizeIterator<Item = u64>) {
        if self.held.len() > living.len() {
            let mut ids: Vec<u64> = living.collect();
            ids.sort_unstable();
            self.held.retain(|(id, ..)| ids.binary_search(id).is_ok());
        }
    }

    fn place(&self, id: u64) -> Result<usize, usize> {
        self.held.binary_search_by_key(&id, |&(id, ..)| id)
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    #[test]
    fn everyone_has_one_turn_in_n_steps_however_large_id_and_step() {
        for every in [1, 2, 3, 7, 1000] {
            for id in [0, 1, 41, u64::MAX - 1, u64::MAX] {
                for first in [0, 5, u64::MAX - 2000] {
                    let turns =
                        (first..first + u64::from(every)).filter(|&step| has_turn(id, step, every));
                    let sum = |step: u64| u128::from(id) + u128::from(step);
                    assert!(
                        turns.map(sum).eq([sum(first).next_multiple_of(u128::from(every))]),
                        "{id} {first} {every}"
                    );
                }
            }
        }
    }

    #[test]
    fn turns_outside_the_range_are_refused() {
        for every in [0, 1001, u32::MAX] {
            let refused = HeldForces::<[f32; 2]>::new(every).unwrap_err().to_string();
            assert_eq!(refused, alloc::format!("steer_every = {every}: allowed is 1 to 1000"));
        }
        assert!(
            HeldForces::<[f32; 2]>::new(1).is_ok() && HeldForces::<[f32; 2]>::new(1000).is_ok()
        );
    }
}
