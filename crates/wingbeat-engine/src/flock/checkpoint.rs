//! Checkpoint: settings and state of a flock, serializable, to resume from elsewhere.

use wingbeat_steer::ParamError;

use super::{Flock, Settings, StateRecord};
use crate::{Boid, FlockError};

/// A flock's boids, what it remembers, and its settings: all that a later step depends on.
/// [`Flock::checkpoint`] tells it, [`Flock::restore`] goes on from it, at whatever level and on
/// whatever threads, in the same bits. With the feature `serde` it can be written and read;
/// `wingbeat_record::checkpoint` does so, with a checksum.
///
/// Of a host's own rules and drives it holds what [`HostState`](crate::snapshot::HostState) says;
/// they themselves are given to the flock that goes on.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(
        serialize = "[f32; D]: serde::Serialize",
        deserialize = "[f32; D]: serde::Deserialize<'de>"
    ))
)]
#[non_exhaustive]
pub struct Checkpoint<const D: usize> {
    /// What the host has set.
    pub settings: Settings<D>,
    /// The key of the randomness inside steps.
    pub seed: u64,
    /// All boids by ascending id.
    #[cfg_attr(feature = "serde", serde(with = "super::bytes::boids"))]
    pub boids: Vec<Boid<D>>,
    /// What the flock remembers beside.
    pub state: StateRecord,
}

impl<const D: usize> Checkpoint<D> {
    /// The boids of another part of the same flock, too. [`put_in_order`](Self::put_in_order) is to
    /// follow.
    ///
    /// # Errors
    /// When it is of another moment, or its boids remember something else.
    #[inline(never)]
    pub fn add(&mut self, part: Self) -> Result<(), FlockError> {
        let (mine, theirs) = (&mut self.state, part.state);
        if theirs.step != mine.step {
            let allowed = format!("{}, as the others have it", mine.step);
            return Err(ParamError::new("memory.step", theirs.step, allowed).into());
        }
        if !mine
            .columns
            .iter()
            .map(|column| &column.name)
            .eq(theirs.columns.iter().map(|column| &column.name))
        {
            return Err(ParamError::new(
                "memory.columns",
                theirs.columns.len(),
                "what the boids of the other parts remember",
            )
            .into());
        }
        for (to, from) in mine.columns.iter_mut().zip(theirs.columns) {
            to.bits.extend(from.bits);
        }
        self.boids.extend(part.boids);
        Ok(())
    }

    /// Boids, and what they remember, by ascending id.
    #[inline(never)]
    pub fn put_in_order(&mut self) {
        if self.boids.is_sorted_by_key(|boid| boid.id) {
            return;
        }
        let mut order: Vec<usize> = (0..self.boids.len()).collect();
        order.sort_by_key(|&place| self.boids[place].id);
        self.boids = order.iter().map(|&place| self.boids[place]).collect();
        for column in &mut self.state.columns {
            // One that does not fit is refused when a flock is given it.
            column.bits =
                order.iter().filter_map(|&place| column.bits.get(place).copied()).collect();
        }
    }

    /// The same without any boids: what all parts of a flock have in common.
    pub fn without_boids(mut self) -> Self {
        self.boids.clear();
        self.state.columns.iter_mut().for_each(|column| column.bits.clear());
        self
    }
}

impl<const D: usize> Flock<D> {
    /// Everything that a later step depends on; O(n).
    ///
    /// ```
    /// use wingbeat::{Domain, Flock2, Shape, Spawn, TimeStep, observe};
    /// let spawn =
    ///     Spawn { shape: Shape::Box { min: [0.0; 2], max: [20.0; 2] }, ..Spawn::default() };
    /// let mut flock = Flock2::builder()
    ///     .domain(Domain::periodic([0.0; 2], [20.0; 2]))
    ///     .seed(5)
    ///     .spawn(200, spawn)
    ///     .build()?;
    /// let dt = TimeStep::new(0.02)?;
    /// flock.step(dt);
    /// let checkpoint = flock.checkpoint();
    ///
    /// let mut other = Flock2::builder().threads(2).build()?;
    /// other.restore(&checkpoint)?;
    /// [&mut flock, &mut other].map(|flock| flock.step(dt));
    /// assert_eq!(observe::state_hash(&flock.frame()), observe::state_hash(&other.frame()));
    /// # Ok::<(), wingbeat::FlockError>(())
    /// ```
    #[inline(never)]
    pub fn checkpoint(&self) -> Checkpoint<D> {
        Checkpoint {
            settings: (*self.settings).clone(),
            seed: self.state.seed,
            boids: self.boids_by_id(),
            state: self.record(),
        }
    }

    #[inline(never)]
    pub(crate) fn boids_by_id(&self) -> Vec<Boid<D>> {
        self.frame().by_id().collect()
    }

    /// Goes on from a checkpoint, whatever this flock was before: its level, threads, and the
    /// host's own rules and drives are all that stays. O(n·log n).
    ///
    /// # Errors
    /// When something in it is not accepted, or not what a flock of its settings and these rules
    /// and drives remembers; nothing is changed then.
    #[inline(never)]
    pub fn restore(&mut self, checkpoint: &Checkpoint<D>) -> Result<(), FlockError> {
        let settings = std::sync::Arc::new(checkpoint.settings.clone());
        let mut flock = self.with_settings(&settings, checkpoint.seed)?;
        flock.set_boids(&checkpoint.boids)?;
        flock.restore_record(&checkpoint.state)?;
        *self = flock;
        Ok(())
    }
}
