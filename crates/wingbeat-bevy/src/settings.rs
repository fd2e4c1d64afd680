//! How entities follow the flock.

use bevy_ecs::prelude::*;

use crate::axes::Axes;

/// How entities follow the flock. None of it changes the flock's results.
#[derive(Resource, Clone, Copy, Debug, PartialEq)]
pub struct FlockSettings {
    /// Whether transforms lie between the states of the last two steps, so that motion is as smooth
    /// as frames are; otherwise they show the last state. Interpolated motion is one step behind.
    /// Default true.
    pub interpolate: bool,
    /// Whether boids face where they move. In space and on the floor forward, the local −z axis,
    /// does, and no boid rolls; in the x-y plane the local x axis does. A boid at rest keeps facing
    /// where it did. Default true.
    pub rotate: bool,
    /// How the scene's axes lie in Bevy's world. Default [`Axes::YUp`].
    pub axes: Axes,
    /// What becomes of the entities of boids that the flock loses by itself. Default
    /// [`Departed::Despawn`].
    pub departed: Departed,
    /// How many units of the scene's time pass in a second of `Time<Virtual>`: the length of a
    /// fixed step of the app is set so. Larger: faster, with more steps a second. `None`, or what
    /// is not above 0, leaves `Time<Fixed>` as it is. One run of `FixedUpdate` is one step either
    /// way. Default 1.
    pub speed: Option<f64>,
}

impl Default for FlockSettings {
    fn default() -> Self {
        Self {
            interpolate: true,
            rotate: true,
            axes: Axes::default(),
            departed: Departed::default(),
            speed: Some(1.0),
        }
    }
}

/// What becomes of the entities of boids that are captured, exit, arrive for good or leave the
/// domain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Departed {
    /// They are despawned. The default.
    #[default]
    Despawn,
    /// They lose their [`Boid`](crate::Boid) and stay where they are, for the app to deal with.
    Keep,
}
