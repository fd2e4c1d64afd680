//! Worlds: any choice of what a flock can have, drawn as the engine's tests draw it
//! (crates/wingbeat/tests/it/combinations.rs), with some of its numbers replaced. What is accepted
//! equals the textbook bit for bit, through saving, loading, checkpoints and changes of SIMD level
//! and threads, and nothing in it is ever NaN.
#![no_main]
use libfuzzer_sys::fuzz_target;
use wingbeat::BoidId;
use wingbeat::steer::ObstacleSet;
use wingbeat::steer::gate::{Exits, Sources};
use wingbeat_fuzz::combinations::{
    Choice, Counts, DIMENSIONS, FEATURES, Setup, compare, contradict, options, setup,
};
use wingbeat_fuzz::message_pack::edited;

/// Draws a world, edits it and compares it. A macro, because serde knows arrays of 2 and of 3, and
/// not of D.
macro_rules! try_world {
    ($dimensions:literal, $seed:expr, $choice:expr, $edits:expr) => {{
        let mut setup = setup::<$dimensions>($seed, $choice);
        let boids: Vec<_> =
            setup.case.boids.iter().map(|boid| (boid.position, boid.velocity)).collect();
        let parts = (
            &setup.case.params,
            &setup.case.domain,
            &setup.drives,
            &setup.obstacles,
            &setup.exits,
            &setup.sources,
            boids,
        );
        let message = edited(&rmp_serde::to_vec_named(&parts).expect("a message"), $edits);
        let Ok((params, domain, drives, obstacles, exits, sources, boids)) =
            rmp_serde::from_slice(&message)
        else {
            return;
        };
        (setup.case.params, setup.case.domain) = (params, domain);
        (setup.drives, setup.obstacles, setup.exits, setup.sources) =
            (drives, obstacles, exits, sources);
        let boids: Vec<([f32; $dimensions], [f32; $dimensions])> = boids;
        for (boid, edited) in setup.case.boids.iter_mut().zip(boids) {
            (boid.position, boid.velocity) = edited;
        }
        if let Some(setup) = accepted(setup) {
            compare(&setup, &mut Counts::default())
                .unwrap_or_else(|told| panic!("{told}\n{:#?}\n{setup:#?}", $choice));
        }
    }};
}
fuzz_target!(|bytes: &[u8]| {
    let Some((seed, rest)) = bytes.split_first_chunk::<4>() else { return };
    let Some((wanted, edits)) = rest.split_first_chunk::<FEATURES>() else { return };
    let (seed, choice) = (u64::from(u32::from_le_bytes(*seed)), choice(wanted));
    if choice[DIMENSIONS] == 0 {
        try_world!(2, seed, choice, edits)
    } else {
        try_world!(3, seed, choice, edits)
    }
});

/// A choice of options that go together: of two that do not, the later feature is left out.
fn choice(wanted: &[u8; FEATURES]) -> Choice {
    let options = options();
    let mut choice: Choice = std::array::from_fn(|f| usize::from(wanted[f]) % options[f].len());
    for f in 0..FEATURES {
        if (0..f).any(|g| contradict((f, choice[f]), (g, choice[g]))) {
            choice[f] = 0;
        }
    }
    choice
}

/// A world that the engine takes, and the textbook; its boids where the engine has them, which may
/// have begun outside a periodic box.
fn accepted<const D: usize>(mut setup: Setup<D>) -> Option<Setup<D>> {
    let flock = setup.engine().ok()?;
    let case = &mut setup.case;
    for boid in &mut case.boids {
        let taken = flock.frame().find(BoidId::new(boid.id)).expect("a boid of the flock");
        (boid.position, boid.velocity) = (taken.position, taken.velocity);
    }
    ObstacleSet::new(setup.obstacles.clone(), &case.domain).ok()?;
    Exits::new(setup.exits.clone(), &case.params, &case.domain).ok()?;
    Sources::new(setup.sources.clone(), &case.params, &case.domain, None).ok()?;
    setup.textbook().check().ok()?;
    Some(setup)
}
