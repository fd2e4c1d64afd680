//! The inputs of an anticipation model, and the trait that defines one.

use crate::terms::anticipation::program::Program;
use alloc::vec::Vec;

use crate::schema::parameter_info::Parameters;
use crate::{Domain, ParamError, Vector};

/// The one that moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mover<V> {
    /// Its id, which its randomness is keyed by, with `seed` and `step`.
    pub id: u64,
    /// Key of the flock's randomness.
    pub seed: u64,
    /// Steps made before this one.
    pub step: u64,
    /// Velocity.
    pub velocity: V,
    /// The velocity it would choose if it were alone; 0 of one that wants to stay.
    pub preferred: V,
    /// Radius of its body, with the margin it keeps.
    pub radius: f32,
    /// Largest speed.
    pub max_speed: f32,
    /// Time the step covers.
    pub dt: f32,
}

/// A boid near the mover.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearby<V> {
    /// The way to it, centre to centre, through the nearest image.
    pub offset: V,
    /// d², the offset's squared length.
    pub distance_sq: f32,
    /// Its velocity.
    pub velocity: V,
    /// Radius of its body, with the margin it keeps.
    pub radius: f32,
    /// The part of the avoidance that falls to the one that moves: ½ among equals, 1 if the other
    /// does not give way. [`Orca`](crate::anticipation::Orca) alone goes by it.
    pub share: f32,
}

/// The nearest point of one convex piece of an obstacle near the one that moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wall<V> {
    /// The way to it. Where it is 0 the direction of the wall is unknown, and every model
    /// leaves it out.
    pub offset: V,
    /// The offset's length.
    pub distance: f32,
    /// The obstacle's velocity.
    pub velocity: V,
}

/// What a model of anticipation is, besides its parameters.
pub(crate) trait AnticipationDefinition: Parameters + Copy + Default {
    /// Its name, as a scene file has it.
    const NAME: &'static str;
    /// One sentence.
    const ABOUT: &'static str;
    /// Whether it answers with a velocity; otherwise with a force.
    const IS_VELOCITY: bool;
    /// How far it looks, centre to centre.
    fn distance(&self) -> f32;
    /// How many of those it looks at; `None`: all.
    fn nearest(&self) -> Option<usize> {
        None
    }
    /// Refuses parameters whose ranges do not say everything.
    ///
    /// # Errors
    /// Names the parameter, its value and what is allowed.
    fn check(&self) -> Result<(), ParamError> {
        Ok(())
    }
    /// The velocity or force; `program` is room to work in.
    fn answer<V: Vector>(
        &self,
        program: &mut Program<V>,
        mover: &Mover<V>,
        others: &[Nearby<V>],
        walls: &[Wall<V>],
    ) -> V;
}

/// The faces of a box that bodies do not pass, as walls, those within `reach`: the lower and the
/// upper one of each axis.
pub fn faces_near<V: Vector>(
    position: V,
    reach: f32,
    domain: &Domain<V>,
    walls: &mut Vec<Wall<V>>,
) {
    if !domain.boundary.has_faces() {
        return;
    }
    for axis in 0..V::DIMENSIONS {
        let x = position.axis(axis);
        for (sign, distance) in
            [(-1.0, x - domain.min.axis(axis)), (1.0, domain.max.axis(axis) - x)]
        {
            if distance <= reach {
                let offset = V::from_fn(|a| if a == axis { sign * distance } else { 0.0 });
                walls.push(Wall { offset, distance, velocity: V::origin() });
            }
        }
    }
}
