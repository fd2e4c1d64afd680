//! Scenes of floors, periodic boxes, bodies, obstacles that move and grow, exits and long steps,
//! drawn from bytes. Boids are on the floor, outside of what stands still and on their side of each
//! wall, by geometry in f64, and where the textbook has them, bit for bit.
#![no_main]
use libfuzzer_sys::fuzz_target;
use wingbeat_fuzz::random_world::{Random, World, fly};

fuzz_target!(|bytes: &[u8]| {
    let world = World::new(&mut Random::of_bytes(bytes), 1);
    fly(&world).unwrap_or_else(|fault| panic!("{fault}\n{}", world.text));
});
