//! In every preset, at every level, early and later: a boid's explanation equals what the engine
//! then does, bit for bit.

use wingbeat::steer::{Decision, Turn};
use wingbeat::{Boid, BoidId, Flock, Level};
use wingbeat_scene::{AnyFlock, Machine, Override, PRESETS, Scene};
use wingbeat_test_support::tier;

const BOIDS: usize = 1500;

fn bits<const D: usize>(v: [f32; D]) -> [u32; D] {
    v.map(f32::to_bits)
}

/// Some ids of the flock, drawn anew at each step.
fn some_ids<const D: usize>(flock: &Flock<D>, step: u64) -> Vec<BoidId> {
    let uniform = |i| wingbeat::steer::noise::uniform(2026, i, step, 0);
    let living: Vec<BoidId> = flock.frame().by_id().map(|boid| boid.id).collect();
    let mut ids: Vec<BoidId> =
        (0..25).map(|i| living[(uniform(i) * living.len() as f32) as usize]).collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

fn explained<const D: usize>(name: &str, mut flock: Flock<D>, scene: &Scene) -> usize {
    let level = flock.level();
    let mut moved = 0;
    for step in 0..33 {
        if !matches!(step, 0..4 | 30..33) {
            flock.step(scene.dt());
            continue;
        }
        let ids = some_ids(&flock, step);
        let whys: Vec<_> =
            ids.iter().map(|&id| flock.explain(id, scene.dt()).expect("a living boid")).collect();
        flock.step(scene.dt());
        let frame = flock.frame();
        for (&id, why) in ids.iter().zip(&whys) {
            // A boid that was captured in this step has no more to tell.
            let Some(slot) = frame.ids().position(|other| other == id) else { continue };
            let Boid { position, velocity, .. } = frame.boid(slot);
            // Where a boid was captured, steering is not kept in step with the boids that are left.
            let is_kept = !frame.steering(0).is_empty();
            let steering: [f32; D] = if is_kept {
                std::array::from_fn(|a| frame.steering(a)[slot])
            } else {
                why.steering
            };
            let advanced = &why.advance;
            let at = || format!("{name} {level} step {step}: {why:?}");
            assert_eq!(bits(why.steering), bits(steering), "steering: {}", at());
            assert_eq!(bits(advanced.velocity), bits(velocity), "velocity: {}", at());
            assert_eq!(bits(advanced.position), bits(position), "position: {}", at());
            assert_eq!(
                (why.turn, why.step, bits(why.decision.steering())),
                (Turn::EveryStep, step, bits(steering)),
                "{}",
                at()
            );
            let neighbors: usize = match &why.decision {
                Decision::Terms(combined) => combined
                    .terms
                    .iter()
                    .filter_map(|term| term.sees.as_ref())
                    .map(|sees| sees.neighbors.len())
                    .sum(),
                Decision::Model(followed) => followed.sees.neighbors.len(),
            };
            // Bodies see others too: those that they foresee to meet.
            let foreseen =
                advanced.anticipated.as_ref().map_or(0, |foresight| foresight.others.len());
            moved += usize::from(neighbors + foreseen > 0 && steering != [0.0; D]);
        }
    }
    moved
}

#[test]
fn every_preset_explains_itself() {
    for (number, preset) in tier::sample(PRESETS.iter().enumerate(), 2) {
        let boids = Override::flag(
            "--boids",
            "flock.boids",
            &crate::at_most(preset.name, BOIDS).to_string(),
        );
        let mut overrides = vec![boids];
        if preset.name == "building" {
            // Its people set off later than the last step here.
            overrides.push(Override::set("drive.way.delay_median=0.2").expect("an override"));
        }
        let scene = Scene::load(preset.name, &overrides).expect("a preset");
        // In the short form one level, another one for the next preset; every other preset.
        let levels = Level::available();
        let first = tier::either(number / 2 % levels.len(), 0);
        for &level in tier::sample(&levels[first..], levels.len()) {
            let built =
                scene.build(&Machine { level: Some(level), threads: Some(1) }).expect("a flock");
            let moved = match built.flock {
                AnyFlock::Two(flock) => explained(preset.name, flock, &scene),
                AnyFlock::Three(flock) => explained(preset.name, flock, &scene),
            };
            assert!(moved > 10, "{}: only {moved} boids had neighbors and steered", preset.name);
        }
    }
}

/// The same words as the textbook's own, over all boids instead of the grid's candidates:
/// neighbors, sums and all.
#[test]
fn the_engine_explains_as_the_textbook_does() {
    for preset in tier::sample(PRESETS.iter().skip(tier::either(1, 0)), 2) {
        let boids = crate::at_most(preset.name, tier::either(150, 300)).to_string();
        let scene = Scene::load(preset.name, &[Override::flag("--boids", "flock.boids", &boids)])
            .expect("a preset");
        match scene.build(&Machine { level: None, threads: Some(1) }).expect("a flock").flock {
            AnyFlock::Two(flock) => same_words(preset.name, flock, &scene),
            AnyFlock::Three(flock) => same_words(preset.name, flock, &scene),
        }
    }
}

fn same_words<const D: usize>(name: &str, mut flock: Flock<D>, scene: &Scene) {
    let mut textbook = crate::textbook_of(&flock, scene.seed());
    for _ in 0..5 {
        flock.step(scene.dt());
        textbook.step_by(scene.dt().get());
    }
    let order = textbook.slot_order();
    for i in (0..textbook.boids.len()).step_by(7) {
        let id = BoidId::new(textbook.boids[i].id);
        let explained = textbook.explain(i, &order, scene.dt());
        assert_eq!(flock.explain(id, scene.dt()), Ok(explained), "{name}");
    }
}
