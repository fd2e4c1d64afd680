//! The manager's behaviors that aim at a place or change the pace. Each method adds the pure
//! function's force as a term of the method's name.

use crate::agents::behavior::{self, Path, Wander};
use crate::{Steering, Vector};

impl<V: Vector> Steering<V> {
    /// Seeks a point, slowing within the manager's slowing radius (default 20, the source's).
    ///
    /// Formula: [`behavior::arrive`]; with slowing radius 0 Reynolds' [`behavior::seek`].
    ///
    /// ```
    /// # use wingbeat_steer::{Body, Steering};
    /// # let ship = Body::new([0.0, 0.0], [0.0, 0.0], 4.0, 1.0)?;
    /// # let mut steering = Steering::new(&ship, 100.0)?;
    /// steering.seek([10.0, 0.0]);
    /// assert_eq!(steering.force(), [2.0, 0.0]); // half the radius away: half the speed
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    #[inline]
    pub fn seek(&mut self, target: V) -> &mut Self {
        self.add(
            "seek",
            behavior::arrive(
                self.position,
                self.velocity,
                target,
                self.max_speed,
                self.slowing_radius,
            ),
        )
    }

    /// Seeks a point and stops there: [`behavior::arrive`].
    ///
    /// ```
    /// # use wingbeat_steer::{Body, Steering};
    /// # let ship = Body::new([0.0, 0.0], [0.0, 0.0], 4.0, 1.0)?;
    /// # let mut steering = Steering::new(&ship, 100.0)?;
    /// steering.arrive([5.0, 0.0], 10.0);
    /// assert_eq!(steering.force(), [2.0, 0.0]);
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    #[inline]
    pub fn arrive(&mut self, target: V, slowing_radius: f32) -> &mut Self {
        self.add(
            "arrive",
            behavior::arrive(self.position, self.velocity, target, self.max_speed, slowing_radius),
        )
    }

    /// Flees a point: [`behavior::flee`] (Reynolds 1999).
    ///
    /// ```
    /// # use wingbeat_steer::{Body, Steering};
    /// # let ship = Body::new([0.0, 0.0], [0.0, 0.0], 4.0, 1.0)?;
    /// # let mut steering = Steering::new(&ship, 100.0)?;
    /// steering.flee([5.0, 0.0]);
    /// assert_eq!(steering.force(), [-4.0, 0.0]);
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    #[inline]
    pub fn flee(&mut self, target: V) -> &mut Self {
        self.add("flee", behavior::flee(self.position, self.velocity, target, self.max_speed))
    }

    /// The source's flee, seek turned round: [`behavior::flee_negated_seek`].
    ///
    /// ```
    /// # use wingbeat_steer::{Body, Steering};
    /// # let ship = Body::new([0.0, 0.0], [0.0, 0.0], 4.0, 1.0)?;
    /// # let mut steering = Steering::new(&ship, 100.0)?;
    /// steering.flee_negated_seek([5.0, 0.0]);
    /// assert_eq!(steering.force(), [-4.0, 0.0]);
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    #[inline]
    pub fn flee_negated_seek(&mut self, target: V) -> &mut Self {
        self.add(
            "flee_negated_seek",
            behavior::flee_negated_seek(self.position, self.velocity, target, self.max_speed),
        )
    }

    /// Wanders, and moves the wander on by `dt`: [`Wander`].
    ///
    /// ```
    /// # use wingbeat_steer::{Body, Steering};
    /// # let ship = Body::new([0.0, 0.0], [0.0, 0.0], 4.0, 1.0)?;
    /// # let mut steering = Steering::new(&ship, 100.0)?;
    /// # use wingbeat_steer::{Jitter, Wander, WanderParameters};
    /// let mut wander = Wander::new(WanderParameters::default(), Jitter::owned(1, 0))?;
    /// steering.wander(&mut wander, 1.0);
    /// assert_eq!(steering.force(), [5.0, 0.0]);
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    #[inline]
    pub fn wander(&mut self, wander: &mut Wander<V>, dt: f32) -> &mut Self {
        self.add("wander", wander.steer(self.velocity, dt))
    }

    /// Comes back when farther than `length` from an anchor: [`behavior::tether`].
    ///
    /// ```
    /// # use wingbeat_steer::{Body, Steering};
    /// # let ship = Body::new([0.0, 0.0], [0.0, 0.0], 4.0, 1.0)?;
    /// # let mut steering = Steering::new(&ship, 100.0)?;
    /// steering.tether([9.0, 0.0], 5.0);
    /// assert_eq!(steering.force(), [4.0, 0.0]);
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    #[inline]
    pub fn tether(&mut self, anchor: V, length: f32) -> &mut Self {
        self.add(
            "tether",
            behavior::tether(self.position, self.velocity, anchor, length, self.max_speed),
        )
    }

    /// Takes up a speed without turning, starting toward `start` (a unit vector) from rest:
    /// [`behavior::match_speed`].
    ///
    /// ```
    /// # use wingbeat_steer::{Body, Steering};
    /// # let ship = Body::new([0.0, 0.0], [0.0, 0.0], 4.0, 1.0)?;
    /// # let mut steering = Steering::new(&ship, 100.0)?;
    /// steering.match_speed(3.0, [0.0, 1.0]);
    /// assert_eq!(steering.force(), [0.0, 3.0]);
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    #[inline]
    pub fn match_speed(&mut self, speed: f32, start: V) -> &mut Self {
        self.add("match_speed", behavior::match_speed(self.velocity, speed, start))
    }

    /// Keeps the speed from falling below a minimum: [`behavior::minimum_speed`].
    ///
    /// ```
    /// # use wingbeat_steer::{Body, Steering};
    /// # let ship = Body::new([0.0, 0.0], [0.0, 0.0], 4.0, 1.0)?;
    /// # let mut steering = Steering::new(&ship, 100.0)?;
    /// steering.minimum_speed(3.0, [0.0, 1.0]);
    /// assert_eq!(steering.force(), [0.0, 3.0]);
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    #[inline]
    pub fn minimum_speed(&mut self, min_speed: f32, start: V) -> &mut Self {
        self.add("minimum_speed", behavior::minimum_speed(self.velocity, min_speed, start))
    }

    /// Follows a flow field: [`behavior::follow_flow`].
    ///
    /// ```
    /// # use wingbeat_steer::{Body, Steering};
    /// # let ship = Body::new([0.0, 0.0], [0.0, 0.0], 4.0, 1.0)?;
    /// # let mut steering = Steering::new(&ship, 100.0)?;
    /// steering.follow_flow(|_| [0.0, 2.0], 1.0);
    /// assert_eq!(steering.force(), [0.0, 2.0]);
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    #[inline]
    pub fn follow_flow(&mut self, field: impl Fn(V) -> V, prediction_time: f32) -> &mut Self {
        self.add(
            "follow_flow",
            behavior::follow_flow(
                self.position,
                self.velocity,
                field,
                prediction_time,
                self.max_speed,
            ),
        )
    }

    /// Follows a path in its direction: [`behavior::follow_path`].
    ///
    /// ```
    /// # use wingbeat_steer::{Body, Steering};
    /// # let ship = Body::new([0.0, 0.0], [0.0, 0.0], 4.0, 1.0)?;
    /// # let mut steering = Steering::new(&ship, 100.0)?;
    /// # use wingbeat_steer::behavior::Path;
    /// let road = Path::open([[0.0, 0.0], [100.0, 0.0]], 1.0)?;
    /// steering.follow_path(&road, 1.0);
    /// assert_eq!(steering.force(), [4.0, 0.0]);
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    #[inline]
    pub fn follow_path(&mut self, path: &Path<V>, prediction_time: f32) -> &mut Self {
        self.add(
            "follow_path",
            behavior::follow_path(
                self.position,
                self.velocity,
                path,
                prediction_time,
                self.max_speed,
            ),
        )
    }

    /// Follows a path in its direction from where the agent is on it:
    /// [`behavior::follow_path_from`], `along` being kept up to date by [`Path::progress`].
    ///
    /// ```
    /// # use wingbeat_steer::{Body, Steering};
    /// # let ship = Body::new([0.0, 0.0], [0.0, 0.0], 4.0, 1.0)?;
    /// # let mut steering = Steering::new(&ship, 100.0)?;
    /// # use wingbeat_steer::behavior::Path;
    /// let there_and_back = Path::open([[0.0, 0.0], [100.0, 0.0], [0.0, 0.0]], 1.0)?;
    /// let along = there_and_back.progress(-1.0, [0.0, 0.0]);
    /// steering.follow_path_from(&there_and_back, along, 1.0);
    /// assert_eq!(steering.force(), [4.0, 0.0]);
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    #[inline]
    pub fn follow_path_from(
        &mut self,
        path: &Path<V>,
        along: f32,
        prediction_time: f32,
    ) -> &mut Self {
        let (position, velocity, max_speed) = (self.position, self.velocity, self.max_speed);
        self.add(
            "follow_path_from",
            behavior::follow_path_from(position, velocity, path, along, prediction_time, max_speed),
        )
    }
}
