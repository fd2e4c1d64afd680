//! The manager's behaviors around shapes. Each method adds the pure function's force as a term of
//! the method's name.

use crate::agents::behavior::{self, Shape};
use crate::{Agent, Steering, Vector};

impl<V: Vector> Steering<V> {
    /// Turns aside before running into a shape; pushes with `force` at most:
    /// [`behavior::avoid_obstacles`].
    ///
    /// ```
    /// # use wingbeat_steer::{Body, Steering};
    /// # let ship = Body::new([0.0, 0.0], [0.0, 0.0], 4.0, 1.0)?;
    /// # let mut steering = Steering::new(&ship, 100.0)?;
    /// # use wingbeat_steer::behavior::Sphere;
    /// let trees = [Sphere::new([0.0, 2.0], 1.5)?];
    /// steering.avoid_obstacles(&trees, 1.0, 10.0, 6.0);
    /// assert_eq!(steering.force(), [0.0, -6.0]); // already touching: straight out
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    #[inline]
    pub fn avoid_obstacles<'a, S: Shape<V> + ?Sized + 'a>(
        &mut self,
        shapes: impl IntoIterator<Item = &'a S>,
        body_radius: f32,
        look_ahead: f32,
        force: f32,
    ) -> &mut Self {
        self.add(
            "avoid_obstacles",
            behavior::avoid_obstacles(
                self.position,
                self.velocity,
                body_radius,
                look_ahead,
                force,
                shapes,
            ),
        )
    }

    /// Hides behind shapes from another agent: [`behavior::hide`].
    ///
    /// ```
    /// # use wingbeat_steer::{Body, Steering};
    /// # let ship = Body::new([0.0, 0.0], [0.0, 0.0], 4.0, 1.0)?;
    /// # let mut steering = Steering::new(&ship, 100.0)?;
    /// # use wingbeat_steer::behavior::Sphere;
    /// let trees = [Sphere::new([10.0, 0.0], 2.0)?];
    /// let hunter = Body::new([20.0, 0.0], [0.0, 0.0], 1.0, 1.0)?;
    /// steering.hide(&hunter, &trees, 1.0, 0.0);
    /// assert_eq!(steering.force(), [4.0, 0.0]); // behind the tree, at x = 7
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    #[inline]
    pub fn hide<'a, S: Shape<V> + ?Sized + 'a>(
        &mut self,
        threat: &impl Agent<V>,
        shapes: impl IntoIterator<Item = &'a S>,
        clearance: f32,
        slowing_radius: f32,
    ) -> &mut Self {
        self.add(
            "hide",
            behavior::hide(
                self.position,
                self.velocity,
                (threat.position(), threat.velocity()),
                shapes,
                clearance,
                (self.max_speed, slowing_radius),
            ),
        )
    }

    /// Goes along a wall at a distance: [`behavior::follow_wall`].
    ///
    /// ```
    /// # use wingbeat_steer::{Body, Steering};
    /// # let ship = Body::new([0.0, 0.0], [0.0, 0.0], 4.0, 1.0)?;
    /// # let mut steering = Steering::new(&ship, 100.0)?;
    /// # use wingbeat_steer::behavior::AxisBox;
    /// let wall = AxisBox::new([-9.0, -2.0], [9.0, -1.0])?;
    /// steering.follow_wall(&wall, 3.0, 1.0);
    /// assert_eq!(steering.force(), [0.0, 4.0]); // too near: away
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    #[inline]
    pub fn follow_wall(
        &mut self,
        wall: &(impl Shape<V> + ?Sized),
        offset: f32,
        prediction_time: f32,
    ) -> &mut Self {
        self.add(
            "follow_wall",
            behavior::follow_wall(
                self.position,
                self.velocity,
                wall,
                offset,
                prediction_time,
                self.max_speed,
            ),
        )
    }

    /// Stays inside a region: [`behavior::contain`].
    ///
    /// ```
    /// # use wingbeat_steer::{Body, Steering};
    /// # let ship = Body::new([0.0, 0.0], [0.0, 0.0], 4.0, 1.0)?;
    /// # let mut steering = Steering::new(&ship, 100.0)?;
    /// # use wingbeat_steer::behavior::Sphere;
    /// let yard = Sphere::new([0.0, 9.0], 8.0)?;
    /// steering.contain(&yard, 1.0);
    /// assert_eq!(steering.force(), [0.0, 4.0]); // outside: in
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    #[inline]
    pub fn contain(
        &mut self,
        region: &(impl Shape<V> + ?Sized),
        prediction_time: f32,
    ) -> &mut Self {
        self.add(
            "contain",
            behavior::contain(
                self.position,
                self.velocity,
                region,
                prediction_time,
                self.max_speed,
            ),
        )
    }
}
