//! Wingbeat at one level, on the calling thread: goals as a drive, ORCA, the turn of those that are
//! blocked, bodies that cannot overlap.

use wingbeat::drive::Goal;
use wingbeat::steer::anticipation::{GettingThrough, Orca};
use wingbeat::{
    AgentLimits, BoidId, Flock, FlockBuilder, Level, Params, TimeStep,
    steer::{Drive, SolidBody},
};

use super::{
    Crowd, DISTANCE, DT, HASTE, MARGIN, NEIGHBORS, RADIUS, SLOWING, SPEED, Scene, TIME_HORIZON,
};
use crate::steps::Steps;

/// A crowd of Wingbeat's boids.
pub struct Wingbeat(Flock<2>);

impl Wingbeat {
    /// The scene at rest.
    pub fn new(scene: &Scene, level: Level) -> Self {
        let orca = Orca {
            neighbors: NEIGHBORS as f32,
            distance: DISTANCE,
            time_horizon: TIME_HORIZON,
            time_horizon_obstacles: TIME_HORIZON,
        };
        let params = Params {
            agent: AgentLimits { max_speed: SPEED, ..Default::default() },
            body: Some(SolidBody { radius: RADIUS, margin: MARGIN, ..Default::default() }),
            anticipation: Some(orca.into()),
            getting_through: GettingThrough { haste: HASTE, ..Default::default() },
            ..Default::default()
        };
        let goal = Goal { slowing_radius: SLOWING, ..Default::default() };
        let still = vec![[0.0; 2]; scene.positions.len()];
        let builder = FlockBuilder::default()
            .params(params)
            .boids(&scene.positions, &still)
            .level(level)
            .threads(1);
        let mut flock =
            builder.drives(vec![Drive::new("goal", goal)]).build().expect("a valid crowd");
        for (id, &goal) in scene.goals.iter().enumerate() {
            flock.set_goal(BoidId::new(id as u64), Some(goal)).expect("a valid goal");
        }
        Self(flock)
    }
}

impl Steps for Wingbeat {
    fn step(&mut self) {
        self.0.step(TimeStep::new(DT).expect("a valid time step"));
    }
}

impl Crowd for Wingbeat {
    fn people(&mut self) -> Vec<([f32; 2], [f32; 2])> {
        self.0.frame().by_slot().map(|boid| (boid.position, boid.velocity)).collect()
    }
}
