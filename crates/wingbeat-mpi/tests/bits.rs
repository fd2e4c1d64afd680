//! One scene on any number of ranks, at any level and on any threads: the report of one process,
//! events and observables included.
//!
//! `WINGBEAT_FULL=1` runs all combinations; otherwise every scene meets every number of ranks, and
//! both levels and threads by turns.

mod common;

use common::{report, results};
use wingbeat_scene::{Machine, Override, Scene};
use wingbeat_test_support::tier;

const STEPS: u32 = 300;

/// Scenes of every kind, small enough that seven ranks have little each.
const SCENES: [(&str, &[&str]); 11] = [
    ("plain, periodic, in the plane", &["shoal", "--boids", "1500"]),
    ("plain, walled, in space", &["murmuration", "--boids", "1500"]),
    ("species, captures", &["hunter_prey", "--boids", "400"]),
    ("drives, obstacles that move", &["obstacle_course", "--boids", "800"]),
    ("bodies, exits, a flow field", &["evacuation", "--boids", "300"]),
    ("bodies in space, an obstacle", &["fish_bodies", "--boids", "500"]),
    ("bodies from sources", &["crossing"]),
    ("a model", &["couzin2002"]),
    ("a leader, an open world", &["leader", "--set", "domain.kind=open"]),
    ("an open world that drifts", &["shoal", "--boids", "900", "--set", "domain.kind=open"]),
    (
        "sparse",
        &["shoal", "--boids", "700", "--set", "spawn.spacing=40", "--set", "domain.kind=open"],
    ),
];

const RANKS: [usize; 5] = [1, 2, 3, 4, 7];

#[test]
fn any_number_of_ranks_makes_the_bits_of_one_process() {
    let full = tier::full();
    let mut runs = 0;
    for (what, scene) in SCENES {
        let count = STEPS.to_string();
        let steps = ["--steps", &count];
        let machine =
            |level, threads| [scene, &steps, &["--level", level, "--threads", threads]].concat();
        let (portable, best) =
            (machine("portable", "1"), [scene, &steps, &["--threads", "2"]].concat());
        let one = results(report(1, &portable));
        assert_eq!(one["state_hash"], in_one_piece(scene), "{what}: one rank");
        for (turn, ranks) in RANKS.into_iter().enumerate() {
            let all: [Vec<&str>; 4] = [
                portable.clone(),
                best.clone(),
                [scene, &steps].concat(),
                machine("portable", "2"),
            ];
            let chosen = if full {
                all.to_vec()
            } else {
                vec![all[turn % 2].clone(), all[2 + turn % 2].clone()]
            };
            for options in chosen {
                assert_eq!(
                    results(report(ranks, &options)),
                    one,
                    "{what}: {ranks} ranks, {options:?}"
                );
                runs += 1;
            }
        }
        println!("{what}: {}", one["state_hash"]);
    }
    println!("{runs} runs");
}

/// The fingerprint after as many steps of the flock that is in no parts.
fn in_one_piece(options: &[&str]) -> String {
    let values = options[1..].chunks_exact(2).map(|pair| match pair {
        ["--boids", count] => Override::flag("--boids", "flock.boids", count),
        [_, assignment] => Override::set(assignment).expect("a value"),
        _ => unreachable!("pairs"),
    });
    let scene = Scene::load(options[0], &values.collect::<Vec<_>>()).expect("a scene");
    let mut built = scene.build(&Machine::default()).expect("a flock");
    (0..STEPS).for_each(|_| built.step(scene.dt()).expect("a step"));
    format!("{:016x}", built.flock.state_hash())
}
