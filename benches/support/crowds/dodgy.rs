//! dodgy_2d: its own call for every agent, on neighbors from a grid.

use std::borrow::Cow;

use dodgy_2d::{Agent, AvoidanceOptions, Vec2};

use super::{
    Cells, Crowd, DISTANCE, DT, HASTE, MARGIN, NEIGHBORS, RADIUS, SLOWING, SPEED, Scene,
    TIME_HORIZON,
};
use crate::steps::Steps;

/// A crowd of dodgy_2d's agents.
pub struct Dodgy {
    agents: Vec<Agent>,
    goals: Vec<Vec2>,
    positions: Vec<[f32; 2]>,
    velocities: Vec<Vec2>,
    cells: Cells,
}

impl Dodgy {
    /// The scene at rest.
    pub fn new(scene: &Scene) -> Self {
        let agent = |&[x, y]: &[f32; 2]| Agent {
            position: Vec2::new(x, y),
            velocity: Vec2::ZERO,
            radius: RADIUS * (1.0 + MARGIN),
            avoidance_responsibility: 1.0,
        };
        Self {
            agents: scene.positions.iter().map(agent).collect(),
            goals: scene.goals.iter().map(|&[x, y]| Vec2::new(x, y)).collect(),
            positions: scene.positions.clone(),
            velocities: Vec::with_capacity(scene.positions.len()),
            cells: Cells::new(&scene.positions),
        }
    }

    /// Velocities of the next step, and nothing moved.
    fn decide(&mut self) {
        let options = AvoidanceOptions {
            obstacle_margin: RADIUS * (1.0 + MARGIN),
            time_horizon: TIME_HORIZON,
            obstacle_time_horizon: TIME_HORIZON,
        };
        for (position, agent) in self.positions.iter_mut().zip(&self.agents) {
            *position = agent.position.to_array();
        }
        self.cells.sort(&self.positions);
        self.velocities.clear();
        let mut near = Vec::with_capacity(NEIGHBORS);
        let mut neighbors: Vec<Cow<'_, Agent>> = Vec::with_capacity(NEIGHBORS);
        for (i, agent) in self.agents.iter().enumerate() {
            self.cells.nearest(self.positions[i], i, NEIGHBORS, DISTANCE, &mut near);
            neighbors.clear();
            neighbors.extend(near.iter().map(|&(_, j)| Cow::Borrowed(&self.agents[j as usize])));
            let preferred =
                ((self.goals[i] - agent.position) * (SPEED / SLOWING)).clamp_length_max(SPEED);
            let velocity = agent.compute_avoiding_velocity(
                &neighbors,
                &[],
                preferred,
                SPEED * HASTE,
                DT,
                &options,
            );
            self.velocities.push(velocity);
        }
    }
}

impl Steps for Dodgy {
    fn step(&mut self) {
        self.decide();
        for (agent, &velocity) in self.agents.iter_mut().zip(&self.velocities) {
            agent.velocity = velocity;
            agent.position += velocity * DT;
        }
    }
}

impl Crowd for Dodgy {
    fn people(&mut self) -> Vec<([f32; 2], [f32; 2])> {
        self.agents
            .iter()
            .map(|agent| (agent.position.to_array(), agent.velocity.to_array()))
            .collect()
    }
}
