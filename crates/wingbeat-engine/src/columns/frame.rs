//! A frame: a read-only view of a flock between two steps.

use crate::columns::boids::Boids;
use crate::columns::extra::Column;
use crate::columns::vector_columns::VectorColumns;
use crate::parallel::Pool;
use crate::{Boid, BoidId, FlockError};

/// So few boids the calling thread looks at alone.
const FEW: usize = 4096;

/// A borrowed, read-only view of a flock. Recorders, pictures and bindings see only this.
///
/// Columns come in slot order (neighbors in space are neighbors in memory; the order changes at
/// every step); [`by_id`](Frame::by_id) walks the boids by ascending id.
///
/// ```
/// use wingbeat::{Flock2, Params};
/// let flock = Flock2::builder()
///     .params(Params::default())
///     .boids(&[[1.0, 2.0], [3.0, 4.0]], &[[0.0; 2]; 2])
///     .build()?;
/// let frame = flock.frame();
/// assert_eq!(frame.len(), 2);
/// assert_eq!(frame.by_id().map(|b| b.position[0]).sum::<f32>(), 4.0);
/// # Ok::<(), wingbeat::FlockError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a, const D: usize> {
    pub(crate) boids: &'a Boids<D>,
    pub(crate) step: u64,
    pub(crate) steering: Option<&'a [Column<f32>; D]>,
    /// The flock's threads.
    pub(crate) pool: &'a Pool,
}

impl<'a, const D: usize> Frame<'a, D> {
    /// The threads, where the flock is large enough to wake them.
    pub(crate) fn pool(&self) -> &'a Pool {
        if self.len() > FEW { self.pool } else { Pool::CALLER }
    }

    /// Number of boids.
    pub fn len(&self) -> usize {
        self.boids.len()
    }

    /// Whether there is no boid.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Steps made so far.
    #[inline(never)]
    pub fn step(&self) -> u64 {
        self.step
    }

    /// Coordinates along `axis`, in slot order.
    ///
    /// # Panics
    /// If `axis` is not below `D`.
    pub fn positions(&self, axis: usize) -> &'a [f32] {
        &self.boids.front.position[axis][..self.len()]
    }

    /// Velocity components along `axis`, in slot order.
    ///
    /// # Panics
    /// If `axis` is not below `D`.
    pub fn velocities(&self, axis: usize) -> &'a [f32] {
        &self.boids.front.velocity[axis][..self.len()]
    }

    /// Positions of all boids, for a host that keeps them while the flock steps on; see
    /// [`VectorColumns`].
    #[inline(never)]
    pub fn shared_positions(&self) -> VectorColumns {
        self.boids.front.position.share(self.len())
    }

    /// The same of velocities.
    #[inline(never)]
    pub fn shared_velocities(&self) -> VectorColumns {
        self.boids.front.velocity.share(self.len())
    }

    /// What the last step's steering wanted along `axis`, in slot order: the combined force, or
    /// under `direction` the unit vector to go, under a model what its
    /// [`Advance`](crate::steer::Advance) says. Empty before the first step and after boids were
    /// added or removed.
    pub fn steering(&self, axis: usize) -> &'a [f32] {
        self.steering.map_or(&[], |columns| &columns[axis].values()[..self.len()])
    }

    /// Ids, in slot order.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = BoidId> + 'a {
        let (boids, ids) = (self.boids, self.boids.ids());
        boids.front.rank[..boids.len()].iter().map(move |&rank| ids.of(rank))
    }

    /// Places of the slots' ids among the [living](Frame::living), in slot order: what puts a copy
    /// of the columns in id order.
    pub fn ranks(&self) -> &'a [u32] {
        &self.boids.front.rank[..self.len()]
    }

    /// Species, in slot order: places in [`Params::species`](crate::Params::species). Empty in
    /// flocks without species.
    pub fn species(&self) -> &'a [u32] {
        self.boids.extra.species.get().map_or(&[], |species| &species[..self.len()])
    }

    /// Ids of all boids, ascending.
    pub fn living(&self) -> &'a [BoidId] {
        &self.boids.ids
    }

    /// The boid in a slot.
    ///
    /// # Panics
    /// If `slot` is not below [`len`](Frame::len).
    pub fn boid(&self, slot: usize) -> Boid<D> {
        let columns = &self.boids.front;
        Boid {
            id: self.boids.ids().of(columns.rank[..self.len()][slot]),
            position: columns.position(slot),
            velocity: columns.velocity(slot),
        }
    }

    /// All boids in slot order.
    pub fn by_slot(&self) -> impl ExactSizeIterator<Item = Boid<D>> + 'a {
        let frame = *self;
        (0..self.len()).map(move |slot| frame.boid(slot))
    }

    /// All boids by ascending id. Allocates four bytes a boid.
    pub fn by_id(&self) -> impl ExactSizeIterator<Item = Boid<D>> + 'a {
        let frame = *self;
        self.boids.slots_by_id().into_iter().map(move |slot| frame.boid(slot as usize))
    }

    /// The boid with this id, in constant time if no id is missing, else by bisection. Its slot is
    /// found by a scan in the first few calls after boids changed slots, then from an index.
    ///
    /// # Errors
    /// When no living boid has this id.
    #[inline(never)]
    pub fn find(&self, id: BoidId) -> Result<Boid<D>, FlockError> {
        Ok(self.boid(self.boids.slot_of(id)?))
    }
}
