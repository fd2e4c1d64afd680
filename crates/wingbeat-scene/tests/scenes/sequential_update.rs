//! `model.update = "sequential"`: boids of other tools' models that move one after the other.

use wingbeat::Level;
use wingbeat::steer::{TextbookBoid, step_sequentially};
use wingbeat_scene::{AnyFlock, Built, Machine, Override, Scene};
use wingbeat_test_support::tier;

fn built(preset: &str, set: &[&str], machine: Machine) -> (Scene, Built) {
    let overrides: Vec<Override> =
        set.iter().map(|text| Override::set(text).expect("an assignment")).collect();
    let scene =
        Scene::load(preset, &overrides).unwrap_or_else(|error| panic!("{preset} {set:?}: {error}"));
    let built = scene.build(&machine).unwrap_or_else(|error| panic!("{preset} {set:?}: {error}"));
    (scene, built)
}

const IN_TURN: &str = "model.update=sequential";

/// The flock is the definition in wingbeat-steer, at whatever level and on whatever threads.
#[test]
fn a_sequential_flock_is_the_definition_however_it_is_run() {
    for preset in ["netlogo", "mesa", "agents_jl", "mason"] {
        for (level, threads) in
            Level::available().into_iter().map(|level| (Some(level), 1)).chain([(None, 3)])
        {
            let (scene, mut built) = built(
                preset,
                &[IN_TURN, "flock.seed=11"],
                Machine { level, threads: Some(threads) },
            );
            let AnyFlock::Two(flock) = &built.flock else { panic!("{preset} is in the plane") };
            let (model, domain) = (flock.params().model.expect("a model"), *flock.domain());
            let boid = |boid: wingbeat::Boid<2>| TextbookBoid {
                id: boid.id.get(),
                position: boid.position,
                velocity: boid.velocity,
            };
            let mut boids: Vec<_> = flock.frame().by_id().map(boid).collect();
            for step in 0..25 {
                step_sequentially(&model, &domain, (11, step), scene.dt().get(), &mut boids);
                built.step(scene.dt()).expect("a step");
            }
            let AnyFlock::Two(flock) = &built.flock else { panic!("{preset} is in the plane") };
            let found: Vec<_> = flock.frame().by_id().map(boid).collect();
            assert_eq!(found, boids, "{preset}, seed 11, level {level:?}, {threads} threads");
            assert_eq!((flock.steps(), flock.time()), (25, 25.0 * f64::from(scene.dt().get())));
        }
    }
}

#[test]
fn a_sequential_flock_resumes_from_a_checkpoint() {
    let (scene, mut whole) = built("agents_jl", &[IN_TURN], Machine::default());
    (0..40).for_each(|_| whole.step(scene.dt()).expect("a step"));
    let AnyFlock::Two(flock) = &whole.flock else { panic!("in the plane") };
    let checkpoint = flock.checkpoint();
    let (_, mut other) =
        built("agents_jl", &[IN_TURN], Machine { threads: Some(2), level: Some(Level::Portable) });
    let AnyFlock::Two(flock) = &mut other.flock else { panic!("in the plane") };
    flock.restore(&checkpoint).expect("its own");
    for _ in 0..40 {
        whole.step(scene.dt()).expect("a step");
        other.step(scene.dt()).expect("a step");
    }
    assert_eq!(whole.flock.state_hash(), other.flock.state_hash());
}

/// Who moves when changes averages: after 300 steps birds of Agents.jl have 11.1 neighbors if they
/// move one after the other, and 7.9 if they move at once (64 seeds, standard errors 0.4 and 0.3).
#[test]
fn the_order_of_moves_changes_how_many_neighbors_birds_have() {
    let seeds = 500..tier::either(524, 540);
    let neighbors = |update: &str| {
        let of_seed = |seed: u64| {
            let set = [format!("model.update={update}"), format!("flock.seed={seed}")];
            let (scene, mut built) =
                built("agents_jl", &[&set[0], &set[1]], Machine { threads: Some(1), level: None });
            (0..300).for_each(|_| built.step(scene.dt()).expect("a step"));
            built.flock.mean_neighbors()
        };
        let found: Vec<f64> = seeds.clone().map(of_seed).collect();
        let count = found.len() as f64;
        let mean = found.iter().sum::<f64>() / count;
        let variance = found.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / (count - 1.0);
        (mean, variance / count)
    };
    let ((at_once, a), (sequential, b)) = (neighbors("at_once"), neighbors("sequential"));
    assert!(
        sequential - at_once > 3.0 * (a + b).sqrt(),
        "seeds {seeds:?}: at once {at_once}, sequential {sequential}"
    );
    assert!(
        (6.9..8.9).contains(&at_once) && (9.2..12.8).contains(&sequential),
        "seeds {seeds:?}: {at_once}, {sequential}"
    );
}

#[test]
fn what_has_no_turn_is_refused_by_name() {
    for (preset, set, expected) in [
        (
            "couzin2002",
            vec![],
            "at_once with model.name = couzin2002; netlogo, mesa, agents_jl and mason",
        ),
        ("unity", vec![], "at_once with model.name = unity"),
        ("mesa", vec!["drive.a.kind=wander"], "at_once in a scene with [drive.a]"),
        ("mesa", vec!["body.radius=0.1"], "at_once in a scene with [body]"),
        ("mesa", vec!["flock.steer_every=2"], "flock.steer_every above 1"),
        ("mesa", vec!["domain.kind=absorbing"], "at_once with domain.kind = absorbing"),
        ("mesa", vec!["flock.boids=5001"], "at_once with 5001 boids; sequential is for up to 5000"),
    ] {
        let overrides: Vec<Override> = set
            .iter()
            .chain(&[IN_TURN])
            .map(|text| Override::set(text).expect("an assignment"))
            .collect();
        let refused = Scene::load(preset, &overrides).and_then(|scene| scene.check());
        let message = refused.expect_err(expected).to_string();
        assert!(
            message.contains(expected)
                && message.contains("model.update")
                && message.lines().count() == 1,
            "{message}"
        );
    }
}
