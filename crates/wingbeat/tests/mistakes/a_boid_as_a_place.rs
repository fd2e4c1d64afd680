use wingbeat::prelude::*;

fn around(flock: &Flock2, id: BoidId) -> Result<usize, FlockError> {
    Ok(flock.within(flock.boid(id)?, 2.0).count())
}

fn main() {}
