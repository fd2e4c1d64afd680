//! The manager's behaviors among many others. Each method adds the pure function's force as a term
//! of the method's name.

use crate::agents::behavior;
use crate::{Steering, Vector};

impl<V: Vector> Steering<V> {
    /// Keeps away from others that are too close: [`behavior::separation`]. Give the others'
    /// positions, without the agent itself.
    ///
    /// ```
    /// # use wingbeat_steer::{Body, Steering};
    /// # let ship = Body::new([0.0, 0.0], [0.0, 0.0], 4.0, 1.0)?;
    /// # let mut steering = Steering::new(&ship, 100.0)?;
    /// # use wingbeat_steer::behavior::falloff;
    /// steering.separate([[2.0, 0.0]], 4.0, falloff::inverse);
    /// assert_eq!(steering.force(), [-1.0, 0.0]);
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    #[inline]
    pub fn separate(
        &mut self,
        others: impl IntoIterator<Item = V>,
        radius: f32,
        falloff: impl Fn(f32) -> f32,
    ) -> &mut Self {
        self.add("separate", behavior::separation(self.position, others, radius, falloff))
    }

    /// Takes up the others' mean velocity: [`behavior::alignment`].
    ///
    /// ```
    /// # use wingbeat_steer::{Body, Steering};
    /// # let ship = Body::new([0.0, 0.0], [0.0, 0.0], 4.0, 1.0)?;
    /// # let mut steering = Steering::new(&ship, 100.0)?;
    /// steering.align([[2.0, 0.0], [0.0, 2.0]]);
    /// assert_eq!(steering.force(), [1.0, 1.0]);
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    #[inline]
    pub fn align(&mut self, velocities: impl IntoIterator<Item = V>) -> &mut Self {
        self.add("align", behavior::alignment(self.velocity, velocities))
    }

    /// Moves to the middle of others: [`behavior::cohesion`].
    ///
    /// ```
    /// # use wingbeat_steer::{Body, Steering};
    /// # let ship = Body::new([0.0, 0.0], [0.0, 0.0], 4.0, 1.0)?;
    /// # let mut steering = Steering::new(&ship, 100.0)?;
    /// steering.cohere([[2.0, 0.0], [0.0, 2.0]]);
    /// assert_eq!(steering.force(), [1.0, 1.0]);
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    #[inline]
    pub fn cohere(&mut self, others: impl IntoIterator<Item = V>) -> &mut Self {
        self.add("cohere", behavior::cohesion(self.position, others))
    }

    /// Gives way to moving others, given as (position, velocity); pushes with `force` at most:
    /// [`behavior::avoid_collisions`].
    ///
    /// ```
    /// # use wingbeat_steer::{Body, Steering};
    /// # let ship = Body::new([0.0, 0.0], [0.0, 0.0], 4.0, 1.0)?;
    /// # let mut steering = Steering::new(&ship, 100.0)?;
    /// # let mut ship = Body::new([0.0, 0.0], [1.0, 0.0], 4.0, 1.0)?;
    /// # steering.observe(&ship);
    /// steering.avoid_collisions([([10.0, 1.0], [-1.0, 0.0])], 2.0, 10.0, 3.0);
    /// assert_eq!(steering.force(), [0.0, -3.0]);
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    #[inline]
    pub fn avoid_collisions(
        &mut self,
        others: impl IntoIterator<Item = (V, V)>,
        clearance: f32,
        horizon: f32,
        force: f32,
    ) -> &mut Self {
        self.add(
            "avoid_collisions",
            behavior::avoid_collisions(
                self.position,
                self.velocity,
                others,
                clearance,
                horizon,
                force,
            ),
        )
    }

    /// Brakes behind others, given as (position, velocity), that are ahead and slower:
    /// [`behavior::queue`].
    ///
    /// ```
    /// # use wingbeat_steer::{Body, Steering};
    /// # let ship = Body::new([0.0, 0.0], [0.0, 0.0], 4.0, 1.0)?;
    /// # let mut steering = Steering::new(&ship, 100.0)?;
    /// # let mut cart = Body::new([0.0, 0.0], [3.0, 0.0], 4.0, 1.0)?;
    /// # steering.observe(&cart);
    /// steering.queue([([2.0, 0.0], [0.0, 0.0])], 1.0, 2.0, 6.0);
    /// assert_eq!(steering.force(), [-3.0, 0.0]);
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    #[inline]
    pub fn queue(
        &mut self,
        others: impl IntoIterator<Item = (V, V)>,
        width: f32,
        gap: f32,
        look_ahead: f32,
    ) -> &mut Self {
        self.add(
            "queue",
            behavior::queue(self.position, self.velocity, others, width, gap, look_ahead),
        )
    }
}
