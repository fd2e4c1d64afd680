//! A flock's obstacles, between steps.

use std::sync::Arc;

use wingbeat_steer::obstacle::Pose;
use wingbeat_steer::{ObstacleId, ObstacleSet, Obstacles, ParamError};

use super::Flock;
use crate::FlockError;
use crate::flock::parts::kernel_tables;
use crate::motion::obstacle::ObstacleIndex;

impl<const D: usize> Flock<D> {
    /// The obstacles as they are now: poses, distances, whether a place is
    /// [blocked](ObstacleSet::blocked). `None` without any.
    pub fn obstacles(&self) -> Option<&ObstacleSet<[f32; D]>> {
        self.state.course.as_ref().map(|course| &course.course)
    }

    /// Other obstacles from the next step on, at the places their motions have at the flock's time.
    /// Boids that are inside one of them are outside after the next step.
    ///
    /// # Errors
    /// As [`Obstacles::check`]; nothing is changed then.
    pub fn set_obstacles(
        &mut self,
        obstacles: impl Into<Obstacles<[f32; D]>>,
    ) -> Result<(), FlockError> {
        self.replace_obstacles(obstacles.into())
    }

    #[inline(never)]
    pub(crate) fn replace_obstacles(
        &mut self,
        obstacles: Obstacles<[f32; D]>,
    ) -> Result<(), FlockError> {
        self.state.course =
            ObstacleIndex::new(&obstacles, &self.settings.domain, self.state.time)?.map(Box::new);
        let settings = Arc::make_mut(&mut self.settings);
        settings.obstacles = obstacles;
        self.derived.kernel = kernel_tables(settings, &self.host, &self.machine);
        Ok(())
    }

    /// Where an obstacle with the motion `Host` goes in the next step. It gets there in a straight
    /// line and pushes along the boids it meets; a turn of it is made before it goes. After that
    /// step it rests until it is set again.
    ///
    /// ```
    /// use wingbeat::steer::{Obstacle, ObstacleMotion, ObstacleShape, obstacle::Pose};
    /// use wingbeat::{Flock2, TimeStep};
    /// let shape = ObstacleShape::Sphere { center: [0.0, 0.0], radius: 1.0 };
    /// let ball = Obstacle { name: "ball".into(), shape, motion: ObstacleMotion::Host };
    /// let mut flock =
    ///     Flock2::builder().obstacles(vec![ball]).boids(&[[2.0, 0.0]], &[[0.0, 0.0]]).build()?;
    /// let tree = flock.obstacle_named("ball")?;
    /// flock.set_obstacle_pose(tree, Pose { position: [1.5, 0.0], angle: 0.0 })?;
    /// flock.step(TimeStep::new(0.5)?);
    /// assert!(flock.frame().boid(0).position[0] > 2.5);
    /// assert_eq!(flock.obstacles().map(|course| course.pose(tree).position), Some([1.5, 0.0]));
    /// # Ok::<(), wingbeat::FlockError>(())
    /// ```
    ///
    /// # Errors
    /// When there is no such obstacle, its motion is another, or the pose is out of range; nothing
    /// is changed then.
    #[inline(never)]
    pub fn set_obstacle_pose(
        &mut self,
        obstacle: ObstacleId,
        pose: Pose<[f32; D]>,
    ) -> Result<(), FlockError> {
        let none = || ParamError::new("obstacle", obstacle, "none: the flock has no obstacle");
        let course = self.state.course.as_mut().ok_or_else(none)?;
        Ok(course.set_pose(obstacle, pose)?)
    }

    /// The obstacle of this name.
    ///
    /// # Errors
    /// Names those that there are.
    #[inline(never)]
    pub fn obstacle_named(&self, name: &str) -> Result<ObstacleId, FlockError> {
        Ok(self.settings.obstacles.named(name)?)
    }
}
