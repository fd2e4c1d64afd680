//! What hosts in other languages ask of a flock: many boids in one call, as arrays lie in their
//! memory.
//!
//! Arrays are rows: as many numbers for each boid as the flock has dimensions, one boid after the
//! other.

#[cfg(doc)]
use wingbeat::Flock;
use wingbeat::steer::ParamError;
use wingbeat::steer::obstacle::Pose;
use wingbeat::{BoidId, FlockError, frame::VectorColumns, steer::Traits};
use wingbeat_record::checkpoint::AnyCheckpoint;
#[cfg(not(target_family = "wasm"))]
use wingbeat_record::{RecordError, Recorder};

use crate::AnyFlock;
use crate::flock::either;

impl AnyFlock {
    /// Positions of all boids in slot order, without copying; see [`VectorColumns`].
    pub fn shared_positions(&self) -> VectorColumns {
        either!(self, flock => flock.frame().shared_positions())
    }

    /// The same of velocities.
    pub fn shared_velocities(&self) -> VectorColumns {
        either!(self, flock => flock.frame().shared_velocities())
    }

    /// Ids of all boids, in slot order.
    pub fn ids(&self) -> Vec<u64> {
        either!(self, flock => flock.frame().ids().map(BoidId::get).collect())
    }

    /// Ids of all boids, ascending.
    pub fn living(&self) -> &[BoidId] {
        either!(self, flock => flock.frame().living())
    }

    /// Places of the slots' ids among the [living](Self::living), in slot order.
    pub fn ranks(&self) -> &[u32] {
        either!(self, flock => flock.frame().ranks())
    }

    /// Species of all boids, in slot order: places in the scene's list. Empty in flocks without
    /// species.
    pub fn species(&self) -> &[u32] {
        either!(self, flock => flock.frame().species())
    }

    /// Moves many boids, all or none; see [`Flock::set_positions`].
    ///
    /// # Errors
    /// When there are not as many rows as ids, an id is unknown or a position not accepted; nothing
    /// is changed then.
    pub fn set_positions(&mut self, ids: &[u64], rows: &[f32]) -> Result<(), FlockError> {
        either!(self, flock => flock.set_positions(&named("positions", ids, rows)?))
    }

    /// Changes the velocities of many boids, all or none; see [`Flock::set_velocities`].
    ///
    /// # Errors
    /// As [`set_positions`](Self::set_positions).
    pub fn set_velocities(&mut self, ids: &[u64], rows: &[f32]) -> Result<(), FlockError> {
        either!(self, flock => flock.set_velocities(&named("velocities", ids, rows)?))
    }

    /// Moves every boid: rows by ascending id; see [`Flock::set_state`].
    ///
    /// # Errors
    /// When there are not as many rows as boids, or one is not accepted; nothing is changed then.
    pub fn set_state(&mut self, positions: &[f32], velocities: &[f32]) -> Result<(), FlockError> {
        either!(self, flock => flock
            .set_state(&rows("positions", positions)?, &rows("velocities", velocities)?))
    }

    /// Gives many boids goals of their own, all or none; without rows it takes them away. See
    /// [`Flock::set_goals`].
    ///
    /// # Errors
    /// When there are not as many rows as ids, an id is unknown or a goal outside the domain's box;
    /// nothing is changed then.
    pub fn set_goals(&mut self, ids: &[u64], rows: Option<&[f32]>) -> Result<(), FlockError> {
        let Some(rows) = rows else {
            return either!(self, flock => flock
                .set_goals(&ids.iter().map(|&id| (BoidId::new(id), None)).collect::<Vec<_>>()));
        };
        either!(self, flock => {
            let goals = named("goals", ids, rows)?;
            flock.set_goals(
                &goals.into_iter().map(|(id, goal)| (id, Some(goal))).collect::<Vec<_>>()
            )
        })
    }

    /// A boid's own goal, as many coordinates as there are dimensions; see [`Flock::goal`].
    ///
    /// # Errors
    /// When the id is unknown.
    pub fn goal(&self, id: u64) -> Result<Option<Vec<f32>>, FlockError> {
        either!(self, flock => Ok(flock.goal(BoidId::new(id))?.map(Vec::from)))
    }

    /// What is a boid's own; see [`Flock::traits`].
    ///
    /// # Errors
    /// When the id is unknown.
    pub fn traits(&self, id: u64) -> Result<Traits, FlockError> {
        either!(self, flock => flock.traits(BoidId::new(id)))
    }

    /// Changes what is a boid's own; see [`Flock::set_traits`].
    ///
    /// # Errors
    /// As [`Flock::set_traits`].
    pub fn set_traits(&mut self, id: u64, traits: Traits) -> Result<(), FlockError> {
        either!(self, flock => flock.set_traits(BoidId::new(id), traits))
    }

    /// Changes what many boids have of their own, all or none: `change` is called with what each
    /// has.
    ///
    /// # Errors
    /// When an id is unknown or something is not accepted; nothing is changed then.
    pub fn change_traits(
        &mut self,
        ids: &[u64],
        mut change: impl FnMut(usize, &mut Traits),
    ) -> Result<(), FlockError> {
        let mut before = Vec::with_capacity(ids.len());
        for (place, &id) in ids.iter().enumerate() {
            let changed = self.traits(id).and_then(|was| {
                let mut now = was;
                change(place, &mut now);
                self.set_traits(id, now).map(|()| was)
            });
            match changed {
                Ok(was) => before.push(was),
                Err(refusal) => {
                    // What they had before was accepted once.
                    ids.iter()
                        .zip(before)
                        .rev()
                        .try_for_each(|(&id, was)| self.set_traits(id, was))?;
                    return Err(refusal);
                }
            }
        }
        Ok(())
    }

    /// Adds many boids, all or none, and tells their ids, which follow each other; see
    /// [`Flock::add_all`].
    ///
    /// # Errors
    /// When there are not as many velocities as positions, a state is not accepted or there is no
    /// room; nothing is changed then.
    pub fn add_all(
        &mut self,
        positions: &[f32],
        velocities: &[f32],
    ) -> Result<std::ops::Range<u64>, FlockError> {
        either!(self, flock => {
            let (positions, velocities) =
                (rows("positions", positions)?, rows("velocities", velocities)?);
            if positions.len() != velocities.len() {
                return Err(FlockError::Lengths {
                    positions: positions.len(), velocities: velocities.len()
                });
            }
            let ids = flock.add_all(positions.into_iter().zip(velocities))?;
            let first = ids.first().map_or(0, |id| id.get());
            Ok(first..first + ids.len() as u64)
        })
    }

    /// Removes boids, all or none; see [`Flock::remove`].
    ///
    /// # Errors
    /// When an id is not of a living boid, or is named twice.
    pub fn remove(&mut self, ids: &[u64]) -> Result<(), FlockError> {
        let ids: Vec<BoidId> = ids.iter().map(|&id| BoidId::new(id)).collect();
        either!(self, flock => flock.remove(&ids))
    }

    /// Where an obstacle that the host moves goes in the next step; see
    /// [`Flock::set_obstacle_pose`].
    ///
    /// # Errors
    /// When the position has another number of coordinates, or as [`Flock::set_obstacle_pose`].
    pub fn set_obstacle_pose(
        &mut self,
        name: &str,
        position: &[f32],
        angle: f32,
    ) -> Result<(), FlockError> {
        either!(self, flock => {
            let position = only("position", position)?;
            let obstacle = flock.obstacle_named(name)?;
            flock.set_obstacle_pose(obstacle, Pose { position, angle })
        })
    }

    /// Hands the present state to a recorder; see [`Recorder::capture`].
    ///
    /// # Errors
    /// As [`Recorder::capture`].
    #[cfg(not(target_family = "wasm"))]
    pub fn record(&self, recorder: &mut Recorder) -> Result<(), RecordError> {
        either!(self, flock => recorder.capture(&flock.frame()))
    }

    /// Everything that a later step depends on; see [`Flock::checkpoint`].
    pub fn checkpoint(&self) -> AnyCheckpoint {
        match self {
            Self::Two(flock) => AnyCheckpoint::Two(Box::new(flock.checkpoint())),
            Self::Three(flock) => AnyCheckpoint::Three(Box::new(flock.checkpoint())),
        }
    }

    /// Goes on from a checkpoint; see [`Flock::restore`].
    ///
    /// # Errors
    /// When it is of other dimensions, or as [`Flock::restore`].
    pub fn restore(&mut self, checkpoint: &AnyCheckpoint) -> Result<(), FlockError> {
        match (self, checkpoint) {
            (Self::Two(flock), AnyCheckpoint::Two(checkpoint)) => flock.restore(checkpoint),
            (Self::Three(flock), AnyCheckpoint::Three(checkpoint)) => flock.restore(checkpoint),
            (flock, _) => {
                let here = flock.dimensions();
                Err(ParamError::new(
                    "checkpoint",
                    format!("of a flock of {} dimensions", 5 - here),
                    format!("one of {here}"),
                )
                .into())
            }
        }
    }
}

/// Rows of as many numbers as there are dimensions.
pub(crate) fn rows<const D: usize>(
    what: &str,
    numbers: &[f32],
) -> Result<Vec<[f32; D]>, FlockError> {
    if !numbers.len().is_multiple_of(D) {
        return Err(ParamError::new(
            what,
            format!("{} numbers", numbers.len()),
            format!("{D} for each boid"),
        )
        .into());
    }
    Ok(numbers.chunks_exact(D).map(|row| std::array::from_fn(|a| row[a])).collect())
}

/// One row.
fn only<const D: usize>(what: &str, numbers: &[f32]) -> Result<[f32; D], FlockError> {
    <[f32; D]>::try_from(numbers).map_err(|_| {
        ParamError::new(what, format!("{} numbers", numbers.len()), format!("{D}")).into()
    })
}

/// A row for each id.
fn named<const D: usize>(
    what: &str,
    ids: &[u64],
    numbers: &[f32],
) -> Result<Vec<(BoidId, [f32; D])>, FlockError> {
    let rows = rows(what, numbers)?;
    if rows.len() != ids.len() {
        return Err(ParamError::new(
            what,
            format!("{} rows", rows.len()),
            format!("one for each of {} ids", ids.len()),
        )
        .into());
    }
    Ok(ids.iter().map(|&id| BoidId::new(id)).zip(rows).collect())
}
