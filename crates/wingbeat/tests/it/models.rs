//! Whole models from the literature: the fast step equals the textbook, bit for bit, in every
//! domain and nasty state; what a model must do whatever its parameters; and what it refuses.

use crate::common::*;
use wingbeat::steer::model::{Circles, Couzin2002, CuckerSmale, Unity, Vicsek1995, models};
use wingbeat::steer::*;
use wingbeat::steer::{Vector, math};
use wingbeat::*;
use wingbeat_test_support::tier;

/// The model of this name with drawn parameters, looking no further than about `radius`.
pub fn drawn(name: &str, radius: f32, random: &mut Random) -> Model {
    match name {
        "vicsek1995" => Vicsek1995 {
            speed: random.one_of(&[0.03, 0.5, 0.0, 20.0]),
            radius,
            noise: random.one_of(&[0.0, 0.3, 2.0, 6.283_185_5]),
        }
        .into(),
        "couzin2002" => {
            let part = random.one_of(&[0.25, 0.5, 1.0]);
            let orientation = radius * random.one_of(&[0.0, 0.2, 0.5]);
            Couzin2002 {
                repulsion_radius: radius * part,
                orientation_width: if part < 0.75 { orientation } else { 0.0 },
                attraction_width: if part < 0.5 { radius * 0.25 } else { 0.0 },
                field_of_perception: random.one_of(&[270.0, 360.0, 180.0, 0.0]),
                turning_rate: random.one_of(&[40.0, 0.0, 700.0, 95.0, 1e9]),
                speed: random.one_of(&[3.0, 0.5, 0.0]),
                noise: random.one_of(&[0.05, 0.0, 10.0]),
            }
            .into()
        }
        "cucker_smale" => CuckerSmale {
            strength: random.one_of(&[1.0, 0.0, 30.0]),
            exponent: random.one_of(&[0.5, 0.0, 1.0, 0.37, 40.0]),
            radius: random.one_of(&[None, Some(radius)]),
        }
        .into(),
        "circles" => Circles { radius, repulse: random.one_of(&[0.05, 1.0, 0.0]) }.into(),
        _ => other_tool(name, radius, random),
    }
}

/// The same of other tools' models: any number may be anything in its range, but distances go by
/// `radius`.
fn other_tool(name: &str, radius: f32, random: &mut Random) -> Model {
    let mut model = Model::named(name).expect("a model's name");
    // Unity's cells are seen from corner to corner.
    let radius = if name.starts_with("unity") { radius / Unity::DIAGONAL } else { radius };
    for parameter in model.parameters() {
        let value = match (parameter.key, parameter.unit) {
            ("vision" | "visual_distance" | "neighborhood" | "cell_radius", _) => radius,
            (_, "length") => radius * random.one_of(&[0.3, 0.0, 0.7, 1.0, 2.0]),
            (_, "degrees") => random.one_of(&[5.0, 0.0, 1.5, 90.0, 120.0, 180.0]),
            (_, "length/time") => random.one_of(&[1.0, 0.03, 0.0, 20.0]),
            _ => parameter.default as f32 * random.one_of(&[1.0, 1.0, 0.0, 10.0]),
        };
        assert!(model.set(parameter.key, value));
    }
    model
}

/// Dimensions, name, domain and state to a case; the rest is drawn.
fn case<const D: usize>(
    seed: u64,
    name: &str,
    kind: &str,
    state: &str,
    random: &mut Random,
) -> Case<D> {
    let radius = random.one_of(&[1.0, 1.0, 0.3, 60.0]);
    let model = drawn(name, radius, random);
    let radius = model.radius().unwrap_or(radius);
    let domain = domain(kind, radius, random);
    let boids = boids(state, &domain, radius, random);
    let expected_neighbors = random.one_of(&[None, Some(5.0), Some(60.0)]);
    let params = Params { model: Some(model), expected_neighbors, ..Default::default() };
    Case {
        seed,
        name: format!("{name} {kind} {state}"),
        params,
        domain,
        boids,
        dt: random.one_of(&[0.02, 0.3, 1.0]),
    }
}

#[test]
fn every_model_equals_the_textbook() {
    let repeats = if tier::full() { 20 } else { 1 };
    for (m, name) in models().map(|model| model.name()).enumerate() {
        for repeat in 0..repeats {
            for (k, kind) in KINDS.iter().enumerate() {
                for (n, state) in STATES.iter().enumerate() {
                    if !tier::full() && !(m + k + n).is_multiple_of(3) {
                        continue;
                    }
                    let seed = (((m * 100 + repeat) * 10 + k) * 100 + n) as u64;
                    let mut random = Random::new(seed);
                    agrees(&case::<2>(seed, name, kind, state, &mut random), &mut random);
                    if !Model::named(name).expect("a model's name").is_planar() {
                        agrees(&case::<3>(seed, name, kind, state, &mut random), &mut random);
                    }
                }
            }
        }
    }
}

/// Two on one point part, each its own way, and are found apart ever after; a third on the same
/// point too.
#[test]
fn coincident_boids_part_where_a_model_repels() {
    let repelling: [Model; 2] = [Couzin2002::default().into(), Circles::default().into()];
    for model in repelling {
        let params = Params { model: Some(model), ..Default::default() };
        let mut flock =
            Flock3::builder().params(params).boids(&[[1.0; 3]; 3], &[[0.0; 3]; 3]).build().unwrap();
        for _ in 0..5 {
            flock.step(TimeStep::new(0.1).unwrap());
        }
        let places: Vec<_> = flock.frame().by_id().map(|b| b.position).collect();
        for (i, j) in [(0, 1), (0, 2), (1, 2)] {
            assert!(places[i].minus(places[j]).norm() > 0.01, "{}: {places:?}", model.name());
        }
    }
}

#[test]
fn speeds_are_the_models_own() {
    for noise in [0.0, 1.0] {
        let models: [Model; 2] = [
            Vicsek1995 { speed: 0.5, noise, ..Default::default() }.into(),
            Couzin2002 { noise, ..Default::default() }.into(),
        ];
        for model in models {
            let (min, max) = ([0.0; 2], [40.0; 2]);
            // Faster than the model, and some at rest.
            let spawn = Spawn {
                shape: Shape::Box { min, max },
                speed: 4.0,
                speed_spread: 4.0,
                ..Spawn::default()
            };
            let params = Params { model: Some(model), ..Default::default() };
            let builder = Flock2::builder().params(params).domain(Domain::periodic(min, max));
            let mut flock = builder.spawn(300, spawn).build().unwrap();
            let first = flock.frame().by_id().next().unwrap().id;
            flock.set_velocity(first, [0.0; 2]).unwrap();
            flock.step(TimeStep::new(0.1).unwrap());
            let speed = model.get("speed").unwrap();
            for boid in flock.frame().by_id() {
                let found = boid.velocity.norm();
                assert!((found - speed).abs() < 1e-6 * speed, "{}: {found}", model.name());
            }
        }
    }
}

#[test]
fn no_turn_exceeds_the_turning_rate() {
    let model = Couzin2002 { turning_rate: 40.0, noise: 2.0, ..Default::default() };
    let spawn = Spawn {
        shape: Shape::Ball { center: [0.0; 3], radius: 5.0 },
        speed: 3.0,
        ..Spawn::default()
    };
    let params = Params { model: Some(model.into()), ..Default::default() };
    let mut flock = Flock3::builder().params(params).spawn(200, spawn).build().unwrap();
    let mut largest = 0.0;
    for _ in 0..20 {
        let before: Vec<_> = flock.frame().by_id().map(|b| b.velocity.unit()).collect();
        flock.step(TimeStep::new(0.5).unwrap());
        for (boid, before) in flock.frame().by_id().zip(before) {
            let across = boid.velocity.unit().minus(before).norm() * 0.5;
            largest = math::max(largest, across);
        }
    }
    // Half the chord of 20° is the sine of 10°.
    let allowed = math::sin_cos_turns(10.0 / 360.0).0;
    assert!(largest < allowed + 1e-6 && largest > allowed - 1e-3, "{largest} {allowed}");
}

/// Parameters at the ends of their ranges and boids at the ends of theirs: no step makes a NaN or
/// an infinity.
#[test]
fn extremes_stay_finite() {
    for usual in models() {
        for (k, parameter) in usual.parameters().iter().enumerate() {
            for extreme in [parameter.min, parameter.max] {
                let mut model = usual;
                model.set(parameter.key, extreme as f32);
                let mut random = Random::new(k as u64);
                let boids: Vec<Boid<2>> = (0..60)
                    .map(|i| Boid {
                        id: BoidId::new(i * i),
                        position: <[f32; 2]>::from_fn(|_| {
                            random.one_of(&[0.0, 1e-30, 0.5, 1.0, -3.0, 1e18, 1e30, -1e30])
                        }),
                        velocity: <[f32; 2]>::from_fn(|_| {
                            random.one_of(&[0.0, 1e-20, 1.0, -2.0, 1e12, -1e12])
                        }),
                    })
                    .collect();
                for dt in [1e3, 1e-9] {
                    let params = Params { model: Some(model), ..Default::default() };
                    let builder = Flock2::builder().params(params).boids_with_ids(boids.clone());
                    let mut flock = builder.build().unwrap();
                    for _ in 0..20 {
                        flock.step(TimeStep::new(dt).unwrap());
                        let finite =
                            |b: Boid<2>| b.position.all_finite() && b.velocity.all_finite();
                        assert!(
                            flock.frame().by_id().all(finite),
                            "{} {} = {extreme} at dt {dt}",
                            model.name(),
                            parameter.key
                        );
                    }
                }
            }
        }
    }
}

/// A boid out of everyone's range changes no boid's bits, except where all look at all, or count
/// all.
#[test]
fn a_boid_out_of_range_changes_no_other_bits() {
    for name in ["vicsek1995", "couzin2002", "circles"] {
        for (seed, far) in [(1, 20.0), (2, -1e6), (3, 1e30)] {
            let mut random = Random::new(seed);
            let mut case = case::<2>(seed, name, "open", "uniform", &mut random);
            let after = |case: &Case<2>| {
                let mut flock = engine(case, Level::detect(), 1, Storage::Automatic);
                (0..3).for_each(|_| flock.step(TimeStep::new(0.02).unwrap()));
                bits(flock.frame().by_id().map(|b| (b.id.get(), b.position, b.velocity)))
            };
            let alone = after(&case);
            let radius = case.params.largest_radius();
            let position = [far * radius, 0.0];
            case.boids.push(steer::TextbookBoid { id: 1 << 50, position, velocity: [0.1; 2] });
            let joined = after(&case);
            assert_eq!(alone, joined[..alone.len()], "{name} at {far}");
        }
    }
}

#[test]
fn levels_threads_and_batches_agree() {
    for model in models() {
        let (min, max) = ([0.0; 2], [60.0; 2]);
        let spawn = Spawn { shape: Shape::Box { min, max }, ..Spawn::default() };
        let run = |level: Level, threads: usize, batch: usize, storage: Storage| {
            let params = Params { model: Some(model), ..Default::default() };
            let builder =
                Flock2::builder().params(params).domain(Domain::periodic(min, max)).seed(9);
            let builder = builder.level(level).threads(threads).batch(batch).storage(storage);
            let mut flock = builder.spawn(tier::either(1200, 2500), spawn).build().unwrap();
            (0..3).for_each(|_| flock.step(TimeStep::new(0.1).unwrap()));
            observe::state_hash(&flock.frame())
        };
        let wanted = run(Level::Portable, 1, 512, Storage::Automatic);
        for level in Level::available() {
            for (threads, batch, storage) in [
                (1, 512, Storage::Automatic),
                (3, 64, Storage::Sparse),
                (8, 37, Storage::Automatic),
                (2, 1, Storage::Sparse),
            ] {
                assert_eq!(
                    run(level, threads, batch, storage),
                    wanted,
                    "{} {level} {threads} {batch}",
                    model.name()
                );
            }
        }
    }
}

/// A live change from rules to a model and back is the same as having begun so.
#[test]
fn models_and_rules_change_places_between_steps() {
    let rules = Params { rules: Cohesion::default().into(), ..Default::default() };
    let model = Params { model: Some(Vicsek1995::default().into()), ..Default::default() };
    let boids = [[0.0, 0.0], [0.5, 0.2]];
    let begin = |params: &Params| {
        Flock2::builder().params(params.clone()).boids(&boids, &[[0.1, 0.3]; 2]).build().unwrap()
    };
    let after = |mut flock: Flock2| {
        flock.step(TimeStep::new(0.1).unwrap());
        observe::state_hash(&flock.frame())
    };
    let (mut to_model, mut to_rules) = (begin(&rules), begin(&model));
    to_model.set_params(model.clone()).unwrap();
    to_rules.set_params(rules.clone()).unwrap();
    assert_eq!(after(to_model), after(begin(&model)));
    assert_eq!(after(to_rules), after(begin(&rules)));
    assert_ne!(after(begin(&model)), after(begin(&rules)));
}

fn refusal<const D: usize>(params: Params, domain: Domain<[f32; D]>, steer_every: u32) -> String {
    let built =
        Flock::<D>::builder().params(params).domain(domain).steer_every(steer_every).build();
    built.err().map_or_else(|| "accepted".to_string(), |refused| refused.to_string())
}

#[test]
fn what_does_not_go_together_is_refused_by_name() {
    let of = |model: Model| Params { model: Some(model), ..Default::default() };
    let vicsek = of(Vicsek1995::default().into());
    let open = Domain::<[f32; 2]>::open();
    assert_eq!(refusal(vicsek.clone(), open, 1), "accepted");
    let (hare, heavy) = (
        || Species { name: "hare".into(), ..Default::default() },
        AgentLimits { mass: 2.0, ..Default::default() },
    );
    for (params, told) in [
        (
            Params {
                rules: Rules { cohesion: Some(Cohesion::default()), ..vicsek.rules },
                ..vicsek.clone()
            },
            "cohesion = given: allowed is left out with model.name = vicsek1995",
        ),
        (Params { agent: heavy, ..vicsek.clone() }, "agent = given"),
        (Params { combine: Combine::Prioritized, ..vicsek.clone() }, "agent.combine = given"),
        (Params { priority: vec![Term::Walls], ..vicsek.clone() }, "agent.priority = given"),
        (
            Params {
                species: vec![Species {
                    rules: Rules { cohesion: Some(Cohesion::default()), ..hare().rules },
                    ..hare()
                }],
                ..vicsek.clone()
            },
            "species.hare.cohesion = given: allowed is left out with model.name = vicsek1995, \
                which takes the place of rules and limits",
        ),
        (
            Params { species: vec![Species { agent: heavy, ..hare() }], ..vicsek.clone() },
            "species.hare.agent = given",
        ),
        (
            Params { max_neighbors: Some(33), ..vicsek.clone() },
            "max_neighbors = 33: allowed is 1 to 32, or none",
        ),
        (
            of(Vicsek1995 { noise: f32::NAN, ..Default::default() }.into()),
            "model.noise = NaN: allowed is 0 to 6.2831855",
        ),
        (
            of(Circles { radius: 0.0, ..Default::default() }.into()),
            "model.radius = 0: allowed is 1e-9 to 1e12",
        ),
        (of(CuckerSmale { radius: Some(-1.0), ..Default::default() }.into()), "model.radius = -1"),
        (
            of(Couzin2002 { field_of_perception: 361.0, ..Default::default() }.into()),
            "model.field_of_perception = 361: allowed is 0 to 360",
        ),
    ] {
        let refused = refusal(params, open, 1);
        assert!(refused.starts_with(told), "{told}: {refused}");
    }
    let space = Domain::<[f32; 3]>::open();
    assert!(
        refusal(vicsek.clone(), space, 1)
            .starts_with("flock.dimensions = 3: allowed is 2 with model.name = vicsek1995")
    );
    let walled = Domain::walled([0.0; 2], [9.0; 2], 1.0, 3.0);
    let stamina = Some(Stamina::default());
    let species = vec![hare(), Species { name: "fox".into(), stamina, ..hare() }];
    let interactions =
        vec![Interaction::new(SpeciesId::new(1), SpeciesId::new(0), InteractionKind::Pursue, 2.0)];
    for params in [
        Params { max_neighbors: Some(3), ..vicsek.clone() },
        Params { species, interactions, ..vicsek.clone() },
        of(CuckerSmale::default().into()),
    ] {
        assert_eq!(refusal(params.clone(), walled, 1), "accepted");
        assert_eq!(refusal(params, open, 3), "accepted");
    }
    let small = Domain::periodic([0.0; 2], [1.5; 2]);
    assert!(
        refusal(vicsek, small, 1)
            .starts_with("model.radius = 1: allowed is at most half the periodic side")
    );
    let couzin = of(Couzin2002::default().into());
    assert!(refusal(couzin, Domain::periodic([0.0; 2], [20.0; 2]), 1).starts_with(
        "model.name = couzin2002: allowed is one whose radius, 17 in all, is at most half"
    ));
}
