//! The inputs of a drive: the boid, and the drive's memory of it.

use alloc::format;
use alloc::string::String;

use crate::schema::parameter_info::Parameters;
use crate::terms::behavior::stroll::Stroll;
use crate::{Domain, ParamError, Vector, check_components, check_range, schema::limit};

/// What a boid remembers of one drive.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Memory<V> {
    /// Nothing: most kinds have no memory.
    Nothing,
    /// [`Goal`](crate::drive::Goal): whether it has arrived.
    Arrived(bool),
    /// [`Goal`](crate::drive::Goal) where boids settle: 0 under way, 1 once it has arrived; in
    /// between while settled ones keep it from the goal.
    Settling(f32),
    /// [`Wander`](crate::drive::WanderParameters): where on the circle or sphere the point is.
    Stroll(Stroll<V>),
    /// [`Path`](crate::drive::Path): the waypoint it makes for.
    Next(usize),
    /// [`Path`](crate::drive::Path) along a road: how far along it is, length; below 0 before it
    /// has joined the road.
    Along(f32),
}

/// All that a drive's force depends on.
#[derive(Clone, Copy, Debug)]
pub struct Driven<'a, V> {
    /// The boid.
    pub id: u64,
    /// Key of the flock's randomness.
    pub seed: u64,
    /// Steps made before.
    pub step: u64,
    /// Time passed before, the lengths of all steps added up.
    pub time: f64,
    /// The boid's position.
    pub position: V,
    /// The boid's velocity.
    pub velocity: V,
    /// The boid's maximum speed.
    pub max_speed: f32,
    /// The world's edges.
    pub domain: &'a Domain<V>,
    /// The boid's own goal, if it has one.
    pub goal: Option<V>,
    /// Position and velocity of the boid it follows, if there is one.
    pub parent: Option<(V, V)>,
    /// What it remembers of the drive.
    pub memory: Memory<V>,
}

impl<V: Vector> Driven<'_, V> {
    /// The way to a point, through the nearest image.
    pub fn way_to(&self, point: V) -> V {
        let offset = point.minus(self.position);
        V::from_fn(|a| self.domain.image(a, offset.axis(a)))
    }
}

/// What a step brought a boid that is driven.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress<V> {
    /// What it remembers from now on.
    pub memory: Memory<V>,
    /// Whether it has just arrived at its [`Goal`](crate::drive::Goal).
    pub arrived: bool,
}

/// Whose values are checked.
pub(crate) struct Field<'a> {
    pub name: &'a str,
}

impl Field<'_> {
    pub(crate) fn key(&self, key: &str) -> String {
        format!("drive.{}.{key}", self.name)
    }

    pub(crate) fn within(
        &self,
        key: &str,
        value: f32,
        min: f32,
        max: f32,
    ) -> Result<(), ParamError> {
        check_range(format_args!("drive.{}.{key}", self.name), value, min, max)
    }

    /// All numbers of a kind.
    pub(crate) fn ranges(&self, of: &impl Parameters) -> Result<(), ParamError> {
        of.check_ranges(format_args!("drive.{}", self.name))
    }

    pub(crate) fn vector<V: Vector>(&self, key: &str, vector: V) -> Result<(), ParamError> {
        check_components(format_args!("drive.{}.{key}", self.name), vector, limit::MAGNITUDE)
    }
}

/// Refuses a point outside the domain's box, or outside the accepted range of positions.
///
/// # Errors
/// Names the axis, the value and what is allowed.
pub fn check_place<V: Vector>(field: &str, place: V, domain: &Domain<V>) -> Result<(), ParamError> {
    check_components(field, place, limit::POSITION)?;
    for a in 0..V::DIMENSIONS {
        let x = place.axis(a);
        let (min, max) = (domain.min.axis(a), domain.max.axis(a));
        if domain.boundary != crate::Boundary::Open
            && (x < min || x > max || domain.is_periodic() && x >= max)
        {
            let end = if domain.is_periodic() { "below " } else { "" };
            return Err(ParamError::new(
                format!("{field}[{a}]"),
                x,
                format!("{min} to {end}{max}, the domain"),
            ));
        }
    }
    Ok(())
}
