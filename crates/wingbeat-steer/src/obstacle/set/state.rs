//! The state of obstacles that the host moves; all others follow from the time.

use alloc::format;
use alloc::vec::Vec;

use crate::obstacle::range::OBSTACLE_LIMIT;
use crate::obstacle::set::{ObstacleSet, Place, Point};
use crate::obstacle::{Obstacle, ObstacleMotion, Pose};
use crate::{ParamError, Vector};

/// Where an obstacle that the host moves is, and where it goes next.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ObstacleState {
    /// Where it is: what is added to the coordinates of its shape, once that is turned; length.
    pub position: [f64; 3],
    /// Sine and cosine of its turn.
    pub turn: [f64; 2],
    /// Its velocity in the last step, length/time.
    pub velocity: [f64; 3],
    /// The pose it was given last: where it goes in the next step. In the plane the third number
    /// is 0.
    pub pose: Pose<[f32; 3]>,
}

impl<V: Vector> ObstacleSet<V> {
    /// What the obstacles remember that the host moves, in their order, into a list that may have
    /// been used before.
    pub fn tell_memory(&self, into: &mut Vec<ObstacleState>) {
        into.clear();
        into.extend(of_host(&self.obstacles.list).map(|i| {
            let (Place { position, sin, cos }, Pose { position: to, angle }) =
                (self.now[i], self.poses[i]);
            let to = core::array::from_fn(|a| if a < V::DIMENSIONS { to.axis(a) } else { 0.0 });
            ObstacleState {
                position,
                turn: [sin, cos],
                velocity: self.velocity[i],
                pose: Pose { position: to, angle },
            }
        }));
    }

    /// The obstacles as they were at time `t`, when those that the host moves had these memories.
    ///
    /// # Errors
    /// When there are not as many as obstacles that the host moves, or a number is out of range;
    /// nothing is changed then.
    pub fn remember(&mut self, memory: &[ObstacleState], t: f64) -> Result<(), ParamError> {
        let count = of_host(&self.obstacles.list).count();
        if memory.len() != count {
            let allowed = format!("{count}, one for each obstacle that the host moves");
            return Err(ParamError::new("memory.obstacles", memory.len(), allowed));
        }
        for (i, memory) in of_host(&self.obstacles.list).zip(memory) {
            let name = format!("obstacle.{}", self.obstacles.list[i].name);
            memory.goes_to::<V>().check(&name)?;
            memory.check(&name)?;
        }
        for (i, memory) in of_host(&self.obstacles.list).zip(memory) {
            self.poses[i] = memory.goes_to();
        }
        self.move_to(t);
        for (i, memory) in of_host(&self.obstacles.list).zip(memory) {
            let [sin, cos] = memory.turn;
            self.now[i] = Place { position: memory.position, sin, cos };
            (self.from[i], self.to[i], self.velocity[i]) =
                (self.now[i], self.now[i], memory.velocity);
        }
        if count > 0 {
            self.find_bounds();
            self.cut_up();
        }
        Ok(())
    }
}

/// The places of those that the host moves.
fn of_host<V>(list: &[Obstacle<V>]) -> impl Iterator<Item = usize> {
    (0..)
        .zip(list)
        .filter(|(_, one)| matches!(one.motion, ObstacleMotion::Host))
        .map(|(place, _)| place)
}

impl ObstacleState {
    fn goes_to<V: Vector>(&self) -> Pose<V> {
        Pose { position: V::from_fn(|a| self.pose.position[a]), angle: self.pose.angle }
    }

    fn check(&self, name: &str) -> Result<(), ParamError> {
        let within = |numbers: &[f64], most: f64| numbers.iter().all(|x| x.abs() <= most);
        let one = |[x, y, z]: Point, most: f64| within(&[x, y, z], most);
        if !one(self.position, f64::from(OBSTACLE_LIMIT)) {
            let allowed = format!("within ±{OBSTACLE_LIMIT:e}");
            return Err(ParamError::new(
                format!("{name}.position"),
                format!("{:?}", self.position),
                allowed,
            ));
        }
        if !(within(&self.turn, 1.0)
            && (self.turn[0] * self.turn[0] + self.turn[1] * self.turn[1] - 1.0).abs() < 1e-9)
        {
            let allowed = "a sine and its cosine";
            return Err(ParamError::new(
                format!("{name}.turn"),
                format!("{:?}", self.turn),
                allowed,
            ));
        }
        if !self.velocity.iter().all(|x| x.is_finite()) {
            return Err(ParamError::new(
                format!("{name}.velocity"),
                format!("{:?}", self.velocity),
                "finite numbers",
            ));
        }
        Ok(())
    }
}
