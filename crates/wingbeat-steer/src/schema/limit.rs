//! Limits of the accepted range of MODEL.md: the largest coordinate, weight, ….

/// |x| of a position.
pub const POSITION: f32 = 1e30;
/// |v| of an initial velocity.
pub const VELOCITY: f32 = 1e12;
/// Smallest radius or mass.
pub const SMALLEST: f32 = 1e-9;
/// Largest radius.
pub const RADIUS: f32 = 1e12;
/// Largest weight, force, speed or mass.
pub const MAGNITUDE: f32 = 1e9;
/// Largest time step.
pub const TIME_STEP: f32 = 1e3;
/// Most steps from one turn of a boid to the next.
pub const STEER_EVERY: u32 = 1000;
/// Most neighbors of a topological neighborhood.
pub const NEAREST: u32 = 32;
