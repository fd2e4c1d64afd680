//! The manager's behaviors that aim at other agents. Each method adds the pure function's force as
//! a term of the method's name.

use crate::agents::behavior;
use crate::{Agent, Steering, Vector};

impl<V: Vector> Steering<V> {
    /// Chases another agent where it will be: [`behavior::pursue`].
    ///
    /// ```
    /// # use wingbeat_steer::{Body, Steering};
    /// # let ship = Body::new([0.0, 0.0], [0.0, 0.0], 4.0, 1.0)?;
    /// # let mut steering = Steering::new(&ship, 100.0)?;
    /// let quarry = Body::new([0.0, 8.0], [0.0, 0.0], 1.0, 1.0)?;
    /// steering.pursue(&quarry);
    /// assert_eq!(steering.force(), [0.0, 4.0]);
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    #[inline]
    pub fn pursue(&mut self, other: &impl Agent<V>) -> &mut Self {
        self.add(
            "pursue",
            behavior::pursue(
                self.position,
                self.velocity,
                other.position(),
                other.velocity(),
                self.max_speed,
            ),
        )
    }

    /// Heads for where it will meet another agent that keeps its velocity: [`behavior::intercept`].
    ///
    /// ```
    /// # use wingbeat_steer::{Body, Steering};
    /// # let ship = Body::new([0.0, 0.0], [0.0, 0.0], 4.0, 1.0)?;
    /// # let mut steering = Steering::new(&ship, 100.0)?;
    /// let quarry = Body::new([0.0, 8.0], [0.0, 0.0], 1.0, 1.0)?;
    /// steering.intercept(&quarry);
    /// assert_eq!(steering.force(), [0.0, 4.0]);
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    #[inline]
    pub fn intercept(&mut self, other: &impl Agent<V>) -> &mut Self {
        self.add(
            "intercept",
            behavior::intercept(
                self.position,
                self.velocity,
                other.position(),
                other.velocity(),
                self.max_speed,
            ),
        )
    }

    /// Flees another agent where it will be: [`behavior::evade`].
    ///
    /// ```
    /// # use wingbeat_steer::{Body, Steering};
    /// # let ship = Body::new([0.0, 0.0], [0.0, 0.0], 4.0, 1.0)?;
    /// # let mut steering = Steering::new(&ship, 100.0)?;
    /// let hunter = Body::new([0.0, 8.0], [0.0, 0.0], 1.0, 1.0)?;
    /// steering.evade(&hunter);
    /// assert_eq!(steering.force(), [0.0, -4.0]);
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    #[inline]
    pub fn evade(&mut self, other: &impl Agent<V>) -> &mut Self {
        self.add(
            "evade",
            behavior::evade(
                self.position,
                self.velocity,
                other.position(),
                other.velocity(),
                self.max_speed,
            ),
        )
    }

    /// Keeps a place in formation: [`behavior::offset_pursuit`].
    ///
    /// ```
    /// # use wingbeat_steer::{Body, Steering};
    /// # let ship = Body::new([0.0, 0.0], [0.0, 0.0], 4.0, 1.0)?;
    /// # let mut steering = Steering::new(&ship, 100.0)?;
    /// let captain = Body::new([2.0, 0.0], [1.0, 0.0], 1.0, 1.0)?;
    /// steering.offset_pursuit(&captain, [-2.0, 0.0], 5.0);
    /// assert_eq!(steering.force(), [1.0, 0.0]); // in place: take up its velocity
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    #[inline]
    pub fn offset_pursuit(
        &mut self,
        other: &impl Agent<V>,
        local_offset: V,
        slowing_radius: f32,
    ) -> &mut Self {
        self.add(
            "offset_pursuit",
            behavior::offset_pursuit(
                self.position,
                self.velocity,
                (other.position(), other.velocity()),
                local_offset,
                self.max_speed,
                slowing_radius,
            ),
        )
    }

    /// Steers between two others: [`behavior::interpose`].
    ///
    /// ```
    /// # use wingbeat_steer::{Body, Steering};
    /// # let ship = Body::new([0.0, 0.0], [0.0, 0.0], 4.0, 1.0)?;
    /// # let mut steering = Steering::new(&ship, 100.0)?;
    /// let left = Body::new([-1.0, 8.0], [0.0, 0.0], 1.0, 1.0)?;
    /// let right = Body::new([1.0, 8.0], [0.0, 0.0], 1.0, 1.0)?;
    /// steering.interpose(&left, &right, 16.0);
    /// assert_eq!(steering.force(), [0.0, 2.0]);
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    #[inline]
    pub fn interpose(
        &mut self,
        first: &impl Agent<V>,
        second: &impl Agent<V>,
        slowing_radius: f32,
    ) -> &mut Self {
        self.add(
            "interpose",
            behavior::interpose(
                self.position,
                self.velocity,
                (first.position(), first.velocity()),
                (second.position(), second.velocity()),
                self.max_speed,
                slowing_radius,
            ),
        )
    }

    /// Follows a leader, and steps out of its way: [`behavior::follow_leader`].
    ///
    /// ```
    /// # use wingbeat_steer::{Body, Steering};
    /// # let ship = Body::new([0.0, 0.0], [0.0, 0.0], 4.0, 1.0)?;
    /// # let mut steering = Steering::new(&ship, 100.0)?;
    /// let leader = Body::new([2.0, 0.0], [1.0, 0.0], 1.0, 1.0)?;
    /// steering.follow_leader(&leader, 2.0, 5.0);
    /// assert_eq!(steering.force(), [0.0, 0.0]); // in place
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    #[inline]
    pub fn follow_leader(
        &mut self,
        leader: &impl Agent<V>,
        distance_behind: f32,
        slowing_radius: f32,
    ) -> &mut Self {
        self.add(
            "follow_leader",
            behavior::follow_leader(
                self.position,
                self.velocity,
                (leader.position(), leader.velocity()),
                distance_behind,
                self.max_speed,
                slowing_radius,
            ),
        )
    }

    /// Takes up another agent's velocity: [`behavior::match_velocity`].
    ///
    /// ```
    /// # use wingbeat_steer::{Body, Steering};
    /// # let ship = Body::new([0.0, 0.0], [0.0, 0.0], 4.0, 1.0)?;
    /// # let mut steering = Steering::new(&ship, 100.0)?;
    /// let other = Body::new([2.0, 0.0], [1.0, 1.0], 2.0, 1.0)?;
    /// steering.match_velocity(&other);
    /// assert_eq!(steering.force(), [1.0, 1.0]);
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    #[inline]
    pub fn match_velocity(&mut self, other: &impl Agent<V>) -> &mut Self {
        self.add("match_velocity", behavior::match_velocity(self.velocity, other.velocity()))
    }
}
