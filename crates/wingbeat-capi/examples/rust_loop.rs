//! The Rust side of `bench`: steps of a flock, all positions read after each. For every line of its
//! input it makes so many rounds of steps and prints how many nanoseconds a step took; the same as
//! examples/c_loop.c. At the end: the state's hash, a sum, and the five boids nearest to the
//! origin, each with the bits of its distance.
//!
//! ```text
//! rust_loop SCENE BOIDS THREADS STEPS
//! ```

use std::error::Error;
use std::io::{Write, stdin, stdout};
use std::time::Instant;

use wingbeat_scene::{AnyFlock, Machine, NearColumns, Override, Scene};

/// Reads every boid's position, so that nothing of it is left out.
fn read_all(flock: &AnyFlock) -> f32 {
    let axes = match flock {
        AnyFlock::Two(flock) => {
            [Some(flock.frame().positions(0)), Some(flock.frame().positions(1)), None]
        }
        AnyFlock::Three(flock) => [0, 1, 2].map(|axis| Some(flock.frame().positions(axis))),
    };
    let mut sums = [0.0; 4];
    for values in axes.into_iter().flatten() {
        for lanes in values.chunks_exact(4) {
            for (sum, value) in sums.iter_mut().zip(lanes) {
                *sum += value;
            }
        }
    }
    sums[0] + sums[1] + sums[2] + sums[3]
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [scene, boids, threads, steps] = arguments.as_slice() else {
        return Err("allowed is SCENE BOIDS THREADS STEPS".into());
    };
    let (threads, steps): (usize, u32) = (threads.parse()?, steps.parse()?);
    let scene = Scene::load(scene, &[Override::flag("BOIDS", "flock.boids", boids)])?;
    let mut built = scene.build(&Machine { level: None, threads: Some(threads) })?;

    let mut sum = 0.0;
    for line in stdin().lines() {
        line?;
        let began = Instant::now();
        for _ in 0..steps {
            built.step(scene.dt())?;
            sum += read_all(&built.flock);
        }
        println!("{}", began.elapsed().as_nanos() / u128::from(steps));
        stdout().flush()?;
    }
    let mut near = NearColumns::default();
    built.flock.nearest_n(&[0.0; 3][..built.flock.dimensions()], 5, &mut near)?;
    let near: Vec<String> = near
        .id
        .iter()
        .zip(&near.distance)
        .map(|(id, distance)| format!("{id}:{:08x}", distance.to_bits()))
        .collect();
    println!("{:016x} {sum} {}", built.flock.state_hash(), near.join(","));
    Ok(())
}
