//! One golden hash per preset, whatever the SIMD level, the number of threads, the size of a batch,
//! and the build profile (the continuous integration runs this file in three), and the textbook's
//! bits besides.
//!
//! A change of formula, preset or slot order changes hashes: `WINGBEAT_BLESS=1 cargo test -p
//! wingbeat-scene --test scenes same_bits:: -- --nocapture` prints the new table. Say in the commit
//! why they changed.

use wingbeat::steer::Vector;
use wingbeat::{Boid, BoidId, Flock, Level, SpeciesId, TimeStep, observe};
use wingbeat_scene::{AnyFlock, Override, PRESETS, Scene};

use crate::start;
use wingbeat_test_support::tier;

const BOIDS: usize = 1500;
const STEPS: usize = 20;

/// State hashes after [`STEPS`] steps of [`BOIDS`] boids.
const GOLDEN: &[(&str, u64)] = &[
    ("three_rules", 0xad34_f99b_ddc9_db24),
    ("predator_and_prey", 0x742f_8493_77c4_94bd),
    ("order_from_noise", 0xbe4b_9fd5_b5fe_b43c),
    ("murmuration", 0x647c_6bd1_5eb1_d258),
    ("shoal", 0xe089_837f_4a57_a887),
    ("hunter_prey", 0x519f_bd0e_78fa_6283),
    ("obstacle_course", 0x17e0_dd03_d1f2_1fcb),
    ("fish_bodies", 0x28f2_3859_a5ec_1f61),
    ("leader", 0x9281_eb9f_c781_b980),
    ("skein", 0x265c_c401_0b7c_815c),
    ("vision_cone", 0x318a_58ea_ca2a_589e),
    ("vision_cone_follow", 0x5d94_19a9_bbb0_57df),
    ("seek_flee", 0xf11c_bbcf_f08c_c4b5),
    ("tank", 0x19e5_c7b4_8e84_397b),
    ("round_tank", 0xb69c_904b_1a57_c6d6),
    ("evacuation", 0x6aad_bbd5_75d3_ac24),
    ("building", 0x84a3_2660_6aa3_6afa),
    ("bottleneck", 0x2bbf_5edf_ebe7_b519),
    ("fundamental_diagram", 0xde40_3201_9897_ec7e),
    ("counterflow", 0xf851_8928_c7af_2dcd),
    ("crossing", 0x1611_76cf_8c52_e134),
    ("stadium", 0xe86e_06c3_8f83_2287),
    ("vicsek1995", 0x4e3f_034a_fb2d_a5cf),
    ("couzin2002", 0xcff3_1feb_fe34_2a26),
    ("cucker_smale", 0x7a03_305f_55e8_7dd7),
    ("reynolds1987", 0x0ab8_82c7_4964_97ce),
    ("opensteer", 0xdc72_6341_5f7d_3d58),
    ("rvo_circle", 0x8605_0c5d_d04f_e4f8),
    ("rvo_blocks", 0xe834_fcca_a8e3_d228),
    ("circles", 0x7946_4c01_165b_b74f),
    ("netlogo", 0xea86_5807_f400_9f92),
    ("mesa", 0x7e10_4495_56a9_06f2),
    ("agents_jl", 0x7413_888e_6821_a193),
    ("mason", 0x452b_7ef1_ef4c_b145),
    ("unity", 0xbff9_3bee_bf83_3f8b),
    ("unity_fixed", 0xc373_a394_74e3_defc),
];

fn load(name: &str, boids: usize) -> Scene {
    Scene::load(name, &[Override::flag("--boids", "flock.boids", &boids.to_string())])
        .expect("a preset")
}

/// Boids of a preset here: fewer where all, or nearly all, look at all, which costs their square.
fn size(name: &str) -> usize {
    if matches!(name, "cucker_smale" | "couzin2002") { 200 } else { crate::at_most(name, BOIDS) }
}

/// Species of boids, in this order; empty in flocks without.
fn kinds<const D: usize>(flock: &Flock<D>, boids: &[Boid<D>]) -> Vec<SpeciesId> {
    let kind = |boid: &Boid<D>| flock.traits(boid.id).expect("a boid of the flock").species;
    if flock.params().species.is_empty() { Vec::new() } else { boids.iter().map(kind).collect() }
}

/// Goals that boids have of their own.
fn goals<const D: usize>(flock: &Flock<D>, boids: &[Boid<D>]) -> Vec<(BoidId, Option<[f32; D]>)> {
    let own = |boid: &Boid<D>| {
        flock.goal(boid.id).expect("a boid of the flock").map(|goal| (boid.id, Some(goal)))
    };
    boids.iter().filter_map(own).collect()
}

/// The same flock again, worked on in another way.
fn again<const D: usize>(
    like: &Flock<D>,
    seed: u64,
    level: Level,
    threads: usize,
    batch: usize,
) -> Flock<D> {
    let boids: Vec<Boid<D>> = like.frame().by_id().collect();
    let builder =
        Flock::<D>::builder().params(like.params().clone()).domain(*like.domain()).seed(seed);
    let obstacles =
        like.obstacles().map(|obstacles| obstacles.obstacles().clone()).unwrap_or_default();
    let builder = builder.drives(like.drives().to_vec()).obstacles(obstacles);
    let builder = builder.exits(like.exits().to_vec()).sources(like.sources().to_vec());
    let (species, goals) = (kinds(like, &boids), goals(like, &boids));
    let mut flock = builder
        .level(level)
        .threads(threads)
        .batch(batch)
        .boids_with_ids(boids)
        .species(species)
        .build()
        .expect("a flock");
    flock.set_goals(&goals).expect("goals of the flock's own");
    flock
}

fn hash_after<const D: usize>(mut flock: Flock<D>, dt: TimeStep) -> u64 {
    (0..STEPS).for_each(|_| flock.step(dt));
    observe::state_hash(&flock.frame())
}

/// The same, with questions of every kind before each step and after the last: about places where a
/// boid is and where none is, near and far.
fn hash_of_the_asked<const D: usize>(mut flock: Flock<D>, dt: TimeStep) -> u64 {
    for step in 0..=STEPS {
        if step > 0 {
            flock.step(dt);
        }
        let Some(boid) = flock.frame().by_id().nth(step % 7) else { continue };
        for point in [boid.position, [step as f32 * 0.37 - 4.0; D]] {
            let near = flock.within(point, 0.1 * (step % 40) as f32).count();
            assert_eq!(flock.nearest_n(point, near).count(), near);
            let hit = flock.first_hit(boid.position, point);
            std::hint::black_box((
                hit,
                flock.is_free(point, 0.3),
                flock.neighbors(boid.id).is_ok(),
            ));
        }
    }
    observe::state_hash(&flock.frame())
}

/// Levels, threads and batches: by `WINGBEAT_FULL` all. Otherwise the best level on one thread and
/// on two, and one of the others, which is another one for the next preset: all are taken in turn.
fn ways(preset: usize) -> Vec<(Level, usize, usize)> {
    let best = [(Level::detect(), 1, 512), (Level::detect(), 2, 512)];
    let mut rest = Vec::new();
    for level in Level::available() {
        for threads in [1, 2, 3, 8] {
            rest.extend([512, 100, 7].map(|batch| (level, threads, batch)));
        }
    }
    rest.retain(|way| !best.contains(way));
    if !tier::full() {
        rest = vec![rest[preset % rest.len()]];
    }
    best.into_iter().chain(rest).collect()
}

fn every_way<const D: usize>(preset: usize, golden: u64, like: &Flock<D>, scene: &Scene) {
    let name = PRESETS[preset].name;
    for (level, threads, batch) in ways(preset) {
        let hash = hash_after(again(like, scene.seed(), level, threads, batch), scene.dt());
        assert_eq!(
            hash, golden,
            "{name}: {level}, {threads} threads, batches of {batch}: {hash:#018x}"
        );
    }
    for (threads, batch) in tier::sample([(3, 7), (1, 512)], 2) {
        let flock = again(like, scene.seed(), Level::detect(), threads, batch);
        let hash = hash_of_the_asked(flock, scene.dt());
        assert_eq!(hash, golden, "{name}: with questions, {threads} threads: {hash:#018x}");
    }
}

#[test]
fn one_golden_hash_per_preset() {
    let bless = std::env::var_os("WINGBEAT_BLESS").is_some();
    assert_eq!(GOLDEN.len(), PRESETS.len(), "every preset has a golden hash");
    for (preset, &(name, golden)) in GOLDEN.iter().enumerate() {
        assert_eq!(name, PRESETS[preset].name, "in the order of the presets");
        let scene = load(name, size(name));
        if bless {
            let mut flock = start(&scene);
            (0..STEPS).for_each(|_| flock.step(scene.dt()));
            println!("    (\"{name}\", {:#018x}),", flock.state_hash());
            continue;
        }
        match start(&scene) {
            AnyFlock::Two(flock) => every_way(preset, golden, &flock, &scene),
            AnyFlock::Three(flock) => every_way(preset, golden, &flock, &scene),
        }
    }
}

fn equals_textbook<const D: usize>(name: &str, mut flock: Flock<D>, scene: &Scene) {
    let mut textbook = crate::textbook_of(&flock, scene.seed());
    for step in 0..tier::either(STEPS / 2, STEPS) {
        flock.step(scene.dt());
        textbook.step_by(scene.dt().get());
        assert_eq!(flock.len(), textbook.boids.len(), "{name} step {step}");
        for (fast, slow) in flock.frame().by_id().zip(&textbook.boids) {
            let bits = |v: [f32; D]| v.map(f32::to_bits);
            assert_eq!(
                (bits(fast.position), bits(fast.velocity)),
                (bits(slow.position), bits(slow.velocity)),
                "{name} step {step}: {fast:?} {slow:?}"
            );
        }
    }
}

/// The naive flock and the engine agree on every preset from the same state.
#[test]
fn every_preset_equals_the_textbook() {
    for preset in PRESETS {
        let scene = load(preset.name, crate::at_most(preset.name, tier::either(200, 300)));
        match start(&scene) {
            AnyFlock::Two(flock) => equals_textbook(preset.name, flock, &scene),
            AnyFlock::Three(flock) => equals_textbook(preset.name, flock, &scene),
        }
    }
}

/// The batch form of fleeing is the source's −seek, v − desired; Reynolds' flee is another.
#[test]
fn the_engines_flee_is_the_sources_negated_seek() {
    let params = wingbeat::Params {
        rules: wingbeat::Separation {
            response: wingbeat::steer::Response::Flee,
            ..Default::default()
        }
        .into(),
        agent: wingbeat::AgentLimits { max_speed: 2.0, max_force: 100.0, ..Default::default() },
        ..Default::default()
    };
    let (x, t, v) = ([0.0, 0.0], [0.3, 0.4], [1.0, -0.5]);
    let mut flock = Flock::<2>::builder()
        .params(params)
        .boids(&[x, t], &[v, [0.0; 2]])
        .build()
        .expect("a flock");
    flock.sort();
    flock.steer();
    let frame = flock.frame();
    let slot = frame.ids().position(|id| id.get() == 0).expect("boid 0");
    let steering: [f32; 2] = std::array::from_fn(|a| frame.steering(a)[slot]);
    let negated = wingbeat::steer::behavior::flee_negated_seek(x, v, t, 2.0);
    let reynolds = wingbeat::steer::behavior::flee(x, v, t, 2.0);
    assert!(steering.minus(negated).norm() < 1e-6, "{steering:?} {negated:?}");
    assert!(steering.minus(reynolds).norm() > 0.5, "{steering:?} {reynolds:?}");
}
