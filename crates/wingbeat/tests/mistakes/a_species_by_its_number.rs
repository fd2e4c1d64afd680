use wingbeat::prelude::*;

fn born(flock: &mut Flock2) -> Result<BoidId, FlockError> {
    flock.add_as(1, [0.0, 0.0], [1.0, 0.0])
}

fn main() {}
