//! The host interface: what steering needs to know of an agent, and a ready-made one.

use crate::schema::limit;
use crate::{ParamError, Vector, check_components, check_range};

/// Anything that can be steered: it answers four questions.
///
/// ```
/// use wingbeat_steer::{Agent, glam::Vec2};
/// struct Boat { at: Vec2, drift: Vec2, tons: f32 }
/// impl Agent<Vec2> for Boat {
///     fn position(&self) -> Vec2 { self.at }
///     fn velocity(&self) -> Vec2 { self.drift }
///     fn max_speed(&self) -> f32 { 12.0 }
///     fn mass(&self) -> f32 { self.tons }
/// }
/// ```
/// Source: the host interface of the steering manager, the fourth of the five source systems.
pub trait Agent<V: Vector> {
    /// Where it is, in world units, within ±1e30 on every axis.
    fn position(&self) -> V;

    /// World units per unit of time, within ±1e12 on every axis.
    fn velocity(&self) -> V;

    /// The speed it never exceeds, 0…1e9. Larger also makes most forces larger.
    fn max_speed(&self) -> f32;

    /// What a force is divided by, 1e-9…1e9. Larger answers more sluggishly.
    fn mass(&self) -> f32;
}

/// A ready-made agent for hosts that have none.
///
/// ```
/// use wingbeat_steer::{Agent, Body};
/// let mut bird = Body::new([0.0, 0.0], [1.0, 0.0], 4.0, 1.0)?;
/// bird.position = [5.0, 0.0];
/// assert_eq!(bird.max_speed(), 4.0);
/// # Ok::<(), wingbeat_steer::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Body<V> {
    /// Where it is, in world units, within ±1e30 on every axis.
    pub position: V,
    /// World units per unit of time, within ±1e12 on every axis.
    pub velocity: V,
    max_speed: f32,
    mass: f32,
}

impl<V: Vector> Body<V> {
    /// A body at a place with a velocity, a maximum speed (0…1e9) and a mass (1e-9…1e9).
    ///
    /// # Errors
    /// A value outside its range.
    ///
    /// ```
    /// # use wingbeat_steer::Body;
    /// let error = Body::new([0.0, 0.0], [0.0, 0.0], 4.0, 0.0).unwrap_err();
    /// assert_eq!(error.to_string(), "body.mass = 0: allowed is 1e-9 to 1e9");
    /// ```
    pub fn new(position: V, velocity: V, max_speed: f32, mass: f32) -> Result<Self, ParamError> {
        check_components("body.position", position, limit::POSITION)?;
        check_components("body.velocity", velocity, limit::VELOCITY)?;
        check_range("body.max_speed", max_speed, 0.0, 1e9)?;
        check_range("body.mass", mass, 1e-9, 1e9)?;
        Ok(Self { position, velocity, max_speed, mass })
    }

    /// Takes over the motion a [`Steering::update`](crate::Steering::update) returned.
    ///
    /// ```
    /// # use wingbeat_steer::{Body, Motion};
    /// let mut bird = Body::new([0.0, 0.0], [0.0, 0.0], 4.0, 1.0)?;
    /// bird.follow(Motion { position: [1.0, 0.0], velocity: [1.0, 0.0] });
    /// assert_eq!(bird.position, [1.0, 0.0]);
    /// # Ok::<(), wingbeat_steer::ParamError>(())
    /// ```
    pub fn follow(&mut self, motion: Motion<V>) {
        (self.position, self.velocity) = (motion.position, motion.velocity);
    }
}

impl<V: Vector> Agent<V> for Body<V> {
    fn position(&self) -> V {
        self.position
    }

    fn velocity(&self) -> V {
        self.velocity
    }

    fn max_speed(&self) -> f32 {
        self.max_speed
    }

    fn mass(&self) -> f32 {
        self.mass
    }
}

/// Where an update takes the agent; hand it to the host (or to
/// [`Body::follow`](crate::Body::follow)).
///
/// ```
/// use wingbeat_steer::Motion;
/// let motion = Motion { position: [1.0, 2.0], velocity: [0.5, 0.0] };
/// assert_eq!(motion.position[1], 2.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Motion<V> {
    /// The new position, in world units.
    pub position: V,
    /// The new velocity, in world units per unit of time.
    pub velocity: V,
}
