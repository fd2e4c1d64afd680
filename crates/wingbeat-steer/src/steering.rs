//! The manager's behaviours: each method adds the pure function's force as a term of the method's name.

use crate::behavior::{self, Path, Shape, Wander};
use crate::{Agent, Steering, Vector};

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
    /// # Ok::<(), wingbeat_steer::BehaviorError>(())
    /// ```
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
    /// # Ok::<(), wingbeat_steer::BehaviorError>(())
    /// ```
    pub fn arrive(&mut self, target: V, slowing_radius: f32) -> &mut Self {
        self.add(
            "arrive",
            behavior::arrive(
                self.position,
                self.velocity,
                target,
                self.max_speed,
                slowing_radius,
            ),
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
    /// # Ok::<(), wingbeat_steer::BehaviorError>(())
    /// ```
    pub fn flee(&mut self, target: V) -> &mut Self {
        self.add(
            "flee",
            behavior::flee(self.position, self.velocity, target, self.max_speed),
        )
    }

    /// The source's flee, seek turned round: [`behavior::flee_negated_seek`].
    ///
    /// ```
    /// # use wingbeat_steer::{Body, Steering};
    /// # let ship = Body::new([0.0, 0.0], [0.0, 0.0], 4.0, 1.0)?;
    /// # let mut steering = Steering::new(&ship, 100.0)?;
    /// steering.flee_negated_seek([5.0, 0.0]);
    /// assert_eq!(steering.force(), [-4.0, 0.0]);
    /// # Ok::<(), wingbeat_steer::BehaviorError>(())
    /// ```
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
    /// # Ok::<(), wingbeat_steer::BehaviorError>(())
    /// ```
    pub fn wander(&mut self, wander: &mut Wander<V>, dt: f32) -> &mut Self {
        self.add("wander", wander.steer(self.velocity, dt))
    }

    /// Chases another agent where it will be: [`behavior::pursue`].
    ///
    /// ```
    /// # use wingbeat_steer::{Body, Steering};
    /// # let ship = Body::new([0.0, 0.0], [0.0, 0.0], 4.0, 1.0)?;
    /// # let mut steering = Steering::new(&ship, 100.0)?;
    /// let quarry = Body::new([0.0, 8.0], [0.0, 0.0], 1.0, 1.0)?;
    /// steering.pursue(&quarry);
    /// assert_eq!(steering.force(), [0.0, 4.0]);
    /// # Ok::<(), wingbeat_steer::BehaviorError>(())
    /// ```
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
    /// # Ok::<(), wingbeat_steer::BehaviorError>(())
    /// ```
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
    /// # Ok::<(), wingbeat_steer::BehaviorError>(())
    /// ```
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
    /// # Ok::<(), wingbeat_steer::BehaviorError>(())
    /// ```
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
    /// # Ok::<(), wingbeat_steer::BehaviorError>(())
    /// ```
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
    /// # Ok::<(), wingbeat_steer::BehaviorError>(())
    /// ```
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
    /// # Ok::<(), wingbeat_steer::BehaviorError>(())
    /// ```
    pub fn match_velocity(&mut self, other: &impl Agent<V>) -> &mut Self {
        self.add(
            "match_velocity",
            behavior::match_velocity(self.velocity, other.velocity()),
        )
    }

    /// Takes up a speed without turning, starting toward `start` (a unit vector) from rest: [`behavior::match_speed`].
    ///
    /// ```
    /// # use wingbeat_steer::{Body, Steering};
    /// # let ship = Body::new([0.0, 0.0], [0.0, 0.0], 4.0, 1.0)?;
    /// # let mut steering = Steering::new(&ship, 100.0)?;
    /// steering.match_speed(3.0, [0.0, 1.0]);
    /// assert_eq!(steering.force(), [0.0, 3.0]);
    /// # Ok::<(), wingbeat_steer::BehaviorError>(())
    /// ```
    pub fn match_speed(&mut self, speed: f32, start: V) -> &mut Self {
        self.add(
            "match_speed",
            behavior::match_speed(self.velocity, speed, start),
        )
    }

    /// Keeps the speed from falling below a minimum: [`behavior::minimum_speed`].
    ///
    /// ```
    /// # use wingbeat_steer::{Body, Steering};
    /// # let ship = Body::new([0.0, 0.0], [0.0, 0.0], 4.0, 1.0)?;
    /// # let mut steering = Steering::new(&ship, 100.0)?;
    /// steering.minimum_speed(3.0, [0.0, 1.0]);
    /// assert_eq!(steering.force(), [0.0, 3.0]);
    /// # Ok::<(), wingbeat_steer::BehaviorError>(())
    /// ```
    pub fn minimum_speed(&mut self, min_speed: f32, start: V) -> &mut Self {
        self.add(
            "minimum_speed",
            behavior::minimum_speed(self.velocity, min_speed, start),
        )
    }

    /// Comes back when farther than `length` from an anchor: [`behavior::tether`].
    ///
    /// ```
    /// # use wingbeat_steer::{Body, Steering};
    /// # let ship = Body::new([0.0, 0.0], [0.0, 0.0], 4.0, 1.0)?;
    /// # let mut steering = Steering::new(&ship, 100.0)?;
    /// steering.tether([9.0, 0.0], 5.0);
    /// assert_eq!(steering.force(), [4.0, 0.0]);
    /// # Ok::<(), wingbeat_steer::BehaviorError>(())
    /// ```
    pub fn tether(&mut self, anchor: V, length: f32) -> &mut Self {
        self.add(
            "tether",
            behavior::tether(self.position, self.velocity, anchor, length, self.max_speed),
        )
    }

    /// Turns aside before running into a shape; pushes with `force` at most: [`behavior::avoid_obstacles`].
    ///
    /// ```
    /// # use wingbeat_steer::{Body, Steering};
    /// # let ship = Body::new([0.0, 0.0], [0.0, 0.0], 4.0, 1.0)?;
    /// # let mut steering = Steering::new(&ship, 100.0)?;
    /// # use wingbeat_steer::behavior::Sphere;
    /// let trees = [Sphere::new([0.0, 2.0], 1.5)?];
    /// steering.avoid_obstacles(&trees, 1.0, 10.0, 6.0);
    /// assert_eq!(steering.force(), [0.0, -6.0]); // already touching: straight out
    /// # Ok::<(), wingbeat_steer::BehaviorError>(())
    /// ```
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
    /// # Ok::<(), wingbeat_steer::BehaviorError>(())
    /// ```
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
    /// # Ok::<(), wingbeat_steer::BehaviorError>(())
    /// ```
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
    /// # Ok::<(), wingbeat_steer::BehaviorError>(())
    /// ```
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
    /// # Ok::<(), wingbeat_steer::BehaviorError>(())
    /// ```
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

    /// Follows a flow field: [`behavior::follow_flow`].
    ///
    /// ```
    /// # use wingbeat_steer::{Body, Steering};
    /// # let ship = Body::new([0.0, 0.0], [0.0, 0.0], 4.0, 1.0)?;
    /// # let mut steering = Steering::new(&ship, 100.0)?;
    /// steering.follow_flow(|_| [0.0, 2.0], 1.0);
    /// assert_eq!(steering.force(), [0.0, 2.0]);
    /// # Ok::<(), wingbeat_steer::BehaviorError>(())
    /// ```
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

    /// Keeps away from others that are too close: [`behavior::separation`]. Give the others' positions, without the agent itself.
    ///
    /// ```
    /// # use wingbeat_steer::{Body, Steering};
    /// # let ship = Body::new([0.0, 0.0], [0.0, 0.0], 4.0, 1.0)?;
    /// # let mut steering = Steering::new(&ship, 100.0)?;
    /// # use wingbeat_steer::behavior::falloff;
    /// steering.separate([[2.0, 0.0]], 4.0, falloff::inverse);
    /// assert_eq!(steering.force(), [-1.0, 0.0]);
    /// # Ok::<(), wingbeat_steer::BehaviorError>(())
    /// ```
    pub fn separate(
        &mut self,
        others: impl IntoIterator<Item = V>,
        radius: f32,
        falloff: impl Fn(f32) -> f32,
    ) -> &mut Self {
        self.add(
            "separate",
            behavior::separation(self.position, others, radius, falloff),
        )
    }

    /// Takes up the others' mean velocity: [`behavior::alignment`].
    ///
    /// ```
    /// # use wingbeat_steer::{Body, Steering};
    /// # let ship = Body::new([0.0, 0.0], [0.0, 0.0], 4.0, 1.0)?;
    /// # let mut steering = Steering::new(&ship, 100.0)?;
    /// steering.align([[2.0, 0.0], [0.0, 2.0]]);
    /// assert_eq!(steering.force(), [1.0, 1.0]);
    /// # Ok::<(), wingbeat_steer::BehaviorError>(())
    /// ```
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
    /// # Ok::<(), wingbeat_steer::BehaviorError>(())
    /// ```
    pub fn cohere(&mut self, others: impl IntoIterator<Item = V>) -> &mut Self {
        self.add("cohere", behavior::cohesion(self.position, others))
    }

    /// Gives way to moving others, given as (position, velocity); pushes with `force` at most: [`behavior::avoid_collisions`].
    ///
    /// ```
    /// # use wingbeat_steer::{Body, Steering};
    /// # let ship = Body::new([0.0, 0.0], [0.0, 0.0], 4.0, 1.0)?;
    /// # let mut steering = Steering::new(&ship, 100.0)?;
    /// # let mut ship = Body::new([0.0, 0.0], [1.0, 0.0], 4.0, 1.0)?;
    /// # steering.observe(&ship);
    /// steering.avoid_collisions([([10.0, 1.0], [-1.0, 0.0])], 2.0, 10.0, 3.0);
    /// assert_eq!(steering.force(), [0.0, -3.0]);
    /// # Ok::<(), wingbeat_steer::BehaviorError>(())
    /// ```
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

    /// Brakes behind others, given as (position, velocity), that are ahead and slower: [`behavior::queue`].
    ///
    /// ```
    /// # use wingbeat_steer::{Body, Steering};
    /// # let ship = Body::new([0.0, 0.0], [0.0, 0.0], 4.0, 1.0)?;
    /// # let mut steering = Steering::new(&ship, 100.0)?;
    /// # let mut cart = Body::new([0.0, 0.0], [3.0, 0.0], 4.0, 1.0)?;
    /// # steering.observe(&cart);
    /// steering.queue([([2.0, 0.0], [0.0, 0.0])], 1.0, 2.0, 6.0);
    /// assert_eq!(steering.force(), [-3.0, 0.0]);
    /// # Ok::<(), wingbeat_steer::BehaviorError>(())
    /// ```
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
