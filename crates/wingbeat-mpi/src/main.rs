//! x
use std::time::Instant;
use wingbeat::{Part, Peers, TimeStep};
use wingbeat_mpi::Ranks;
use wingbeat_scene::{AnyFlock, Machine, Scene};

fn go<const D: usize>(flock: wingbeat::Flock<D>, ranks: &mut Ranks, dt: TimeStep, steps: u64) {
    let mut part = Part::new(flock, ranks).unwrap();
    let t = Instant::now();
    for _ in 0..steps {
        part.step(dt, ranks).unwrap();
    }
    let s = t.elapsed().as_secs_f64();
    let h = ranks
        .all(&{
            let h = part.state_hash();
            [h as u32, (h >> 32) as u32]
        })
        .unwrap();
    let h = h.iter().fold(0u64, |s, w| s.wrapping_add(w[0] as u64 | (w[1] as u64) << 32));
    println!(
        "rank {} {} boids {:016x} {:.3} ms/step {:?}",
        ranks.rank(),
        part.len(),
        h,
        s / steps as f64 * 1e3,
        part.take_traffic()
    );
}

fn main() {
    let universe = mpi::initialize().unwrap();
    let mut ranks = Ranks::new(&universe.world());
    let args: Vec<String> = std::env::args().collect();
    let over: Vec<_> = args[4..].iter().map(|o| wingbeat_scene::Override::set(o).unwrap()).collect();
    let scene = Scene::load(&args[1], &over).unwrap();
    let built = scene.build(&Machine { level: None, threads: Some(args[2].parse().unwrap()) }).unwrap();
    let steps = args[3].parse().unwrap();
    match built.flock {
        AnyFlock::Two(f) => go(f, &mut ranks, scene.dt(), steps),
        AnyFlock::Three(f) => go(f, &mut ranks, scene.dt(), steps),
    }
}
