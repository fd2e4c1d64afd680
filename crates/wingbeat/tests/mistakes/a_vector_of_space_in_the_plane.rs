use wingbeat::prelude::*;
use wingbeat::steer::glam::{Vec2, Vec3};

fn born(flock: &mut Flock2) -> Result<(), FlockError> {
    flock.add(Vec2::ZERO, [0.0, 1.0])?;
    flock.add(Vec3::ZERO, Vec3::X)?;
    Ok(())
}

fn main() {}
