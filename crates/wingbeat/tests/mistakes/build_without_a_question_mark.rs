use wingbeat::prelude::*;

fn main() -> Result<(), FlockError> {
    let mut flock = Flock2::builder().params(Params::boids(2.0)).build();
    flock.step(TimeStep::new(0.016)?);
    Ok(())
}
