//! The flock: owns everything, and steps in three rooms.

use wingbeat_steer::{Domain, Params, TextbookBoid, TextbookFlock, TimeStep, Vector};

use crate::boids::Boids;
use crate::builder::{self, FlockBuilder};
use crate::{Boid, BoidId, FlockError, Frame, Level};

/// A flock of boids in `D` = 2 or 3 dimensions.
pub struct Flock<const D: usize> {
    boids: Boids<D>,
    params: Params,
    domain: Domain<[f32; D]>,
    seed: u64,
    step: u64,
    level: Level,
    threads: usize,
}

/// A flock in the plane.
pub type Flock2 = Flock<2>;
/// A flock in space.
pub type Flock3 = Flock<3>;

impl<const D: usize> Flock<D>
where
    [f32; D]: Vector,
{
    /// Starts a flock; see [`FlockBuilder`].
    pub fn builder() -> FlockBuilder<D> {
        FlockBuilder::default()
    }

    pub(crate) fn from_checked(builder: FlockBuilder<D>, level: Level, boids: Vec<Boid<D>>) -> Result<Self, FlockError> {
        Ok(Self {
            boids: Boids::new(boids),
            threads: builder.threads.unwrap_or(1),
            params: builder.params,
            domain: builder.domain,
            seed: builder.seed,
            step: 0,
            level,
        })
    }

    /// One step of length `dt`: sort, steer, integrate. Cannot fail.
    pub fn step(&mut self, dt: TimeStep) {
        let mut textbook = TextbookFlock {
            params: self.params.clone(),
            domain: self.domain,
            seed: self.seed,
            step: self.step,
            boids: self
                .frame()
                .by_slot()
                .map(|b| TextbookBoid { id: b.id.get(), position: b.position, velocity: b.velocity })
                .collect(),
        };
        textbook.step_by(dt.get());
        for (slot, b) in textbook.boids.iter().enumerate() {
            for a in 0..D {
                self.boids.front.position[a][slot] = b.position[a];
                self.boids.front.velocity[a][slot] = b.velocity[a];
            }
        }
        self.step += 1;
    }

    /// A view of the flock as it is now.
    pub fn frame(&self) -> Frame<'_, D> {
        Frame { boids: &self.boids, step: self.step, steering: None }
    }

    /// Number of boids.
    pub fn len(&self) -> usize {
        self.boids.len()
    }

    /// Whether there is nobody.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Mean number of others within the largest perception radius, sight ignored, in the present state; 0 without rules.
    pub fn mean_neighbors(&self) -> f64 {
        let radius = self.params.largest_radius();
        let boids: Vec<_> = self.frame().by_slot().collect();
        let within = |i: usize, j: usize| {
            let raw = boids[j].position.minus(boids[i].position);
            let offset = <[f32; D]>::from_fn(|a| self.domain.image(a, raw[a]));
            i != j && offset.norm_sq() <= radius * radius
        };
        let pairs = (0..boids.len()).map(|i| (0..boids.len()).filter(|&j| within(i, j)).count()).sum::<usize>();
        pairs as f64 / boids.len().max(1) as f64
    }

    /// The SIMD level in use.
    pub fn level(&self) -> Level {
        self.level
    }

    /// Worker threads in use.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// The rules.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// The world's edges.
    pub fn domain(&self) -> &Domain<[f32; D]> {
        &self.domain
    }

    /// Changes the rules from the next step on.
    ///
    /// # Errors
    /// As [`FlockBuilder::build`]; nothing is changed then.
    pub fn set_params(&mut self, params: Params) -> Result<(), FlockError> {
        builder::check_rules(&params, &self.domain)?;
        self.params = params;
        Ok(())
    }

    /// Changes the key of the randomness inside steps.
    pub fn reseed(&mut self, seed: u64) {
        self.seed = seed;
    }

    /// Adds a boid and tells its id, larger than any before.
    ///
    /// # Errors
    /// When its state is not accepted or there is no room.
    pub fn add(&mut self, position: [f32; D], velocity: [f32; D]) -> Result<BoidId, FlockError> {
        let boid = Boid { id: BoidId::new(self.boids.next_id()), position, velocity };
        let boid = builder::admit(&boid, &self.domain)?;
        self.boids.add(boid.position, boid.velocity)
    }

    /// Removes boids, all or none. Their ids are never used again.
    ///
    /// # Errors
    /// When an id is not of a living boid, or is named twice.
    pub fn remove(&mut self, ids: &[BoidId]) -> Result<(), FlockError> {
        self.boids.remove(ids)
    }

    /// Moves a boid.
    ///
    /// # Errors
    /// When the id is unknown or the position not accepted.
    pub fn set_position(&mut self, id: BoidId, position: [f32; D]) -> Result<(), FlockError> {
        let boid = Boid { id, position, velocity: [0.0; D] };
        let boid = builder::admit(&boid, &self.domain)?;
        self.boids.set_position(id, boid.position)
    }

    /// Changes a boid's velocity.
    ///
    /// # Errors
    /// When the id is unknown or the velocity not accepted.
    pub fn set_velocity(&mut self, id: BoidId, velocity: [f32; D]) -> Result<(), FlockError> {
        let position = self.frame().find(id)?.position;
        builder::admit(&Boid { id, position, velocity }, &self.domain)?;
        self.boids.set_velocity(id, velocity)
    }
}
