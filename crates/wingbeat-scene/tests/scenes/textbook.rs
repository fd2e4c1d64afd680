//! The textbook of a scene's flock, for the tests and the fuzz targets.

use wingbeat::steer::gate::{Exits, Sources};
use wingbeat::steer::{TextbookBoid, TextbookFlock};
use wingbeat::{Boid, Flock};

/// The naive flock of the same boids in the same world, before its first step.
pub fn textbook_of<const D: usize>(flock: &Flock<D>, seed: u64) -> TextbookFlock<[f32; D]> {
    let frame = flock.frame();
    let boids = || frame.by_id();
    let boid =
        |b: Boid<D>| TextbookBoid { id: b.id.get(), position: b.position, velocity: b.velocity };
    let traits = |b: Boid<D>| (b.id.get(), flock.traits(b.id).expect("a boid of the flock"));
    let goal = |b: Boid<D>| Some((b.id.get(), flock.goal(b.id).expect("a boid of the flock")?));
    TextbookFlock {
        params: flock.params().clone(),
        domain: *flock.domain(),
        seed,
        boids: boids().map(boid).collect(),
        traits: boids().map(traits).collect(),
        drives: flock.drives().to_vec(),
        obstacles: flock.obstacles().cloned().unwrap_or_default(),
        goals: boids().filter_map(goal).collect(),
        exits: Exits::new(flock.exits().to_vec(), flock.params(), flock.domain())
            .expect("exits of a flock"),
        sources: Sources::new(
            flock.sources().to_vec(),
            flock.params(),
            flock.domain(),
            flock.obstacles(),
        )
        .expect("its sources"),
        ..Default::default()
    }
}
