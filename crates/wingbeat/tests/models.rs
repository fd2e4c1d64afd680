//! Whole models from the literature: the fast step equals the textbook, bit for bit, in every domain and nasty state; what a
//! model must do whatever its parameters; and what it refuses.

mod common;
use common::*;
use wingbeat::steer::Vector;
use wingbeat::steer::model::{Circles, Couzin2002, CuckerSmale, Unity, Vicsek1995, models};
use wingbeat::*;

fn full() -> bool {
    std::env::var_os("WINGBEAT_FULL").is_some_and(|v| v == "1")
}

/// The model of this name with drawn parameters, looking no further than about `radius`.
fn drawn(name: &str, radius: f32, random: &mut Random) -> Model {
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
        _ => dialect(name, radius, random),
    }
}

/// The same of other tools' models: any number may be anything in its range, but distances go by `radius`.
fn dialect(name: &str, radius: f32, random: &mut Random) -> Model {
    let mut model = Model::named(name).expect("a model's name");
    // Unity's cells are seen from corner to corner.
    let radius = if name.starts_with("unity") { radius / Unity::DIAGONAL } else { radius };
    for knob in model.knobs() {
        let value = match (knob.key, knob.unit) {
            ("vision" | "visual_distance" | "neighborhood" | "cell_radius", _) => radius,
            (_, "length") => radius * random.one_of(&[0.3, 0.0, 0.7, 1.0, 2.0]),
            (_, "degrees") => random.one_of(&[5.0, 0.0, 1.5, 90.0, 120.0, 180.0]),
            (_, "length/time") => random.one_of(&[1.0, 0.03, 0.0, 20.0]),
            _ => knob.default as f32 * random.one_of(&[1.0, 1.0, 0.0, 10.0]),
        };
        assert!(model.set(knob.key, value));
    }
    model
}

/// Dimensions, name, domain and state to a case; the rest is drawn.
fn case<const D: usize>(seed: u64, name: &str, kind: &str, state: &str, random: &mut Random) -> Case<D>
where
    [f32; D]: Vector,
{
    let radius = random.one_of(&[1.0, 1.0, 0.3, 60.0]);
    let model = drawn(name, radius, random);
    let radius = model.radius().unwrap_or(radius);
    let mut domain = domain(kind, radius, random);
    if let Boundary::Walled { strength, .. } = &mut domain.boundary
        && !model.accelerates()
    {
        *strength = 0.0;
    }
    let boids = boids(state, &domain, radius, random);
    let expected_neighbors = random.one_of(&[None, Some(5.0), Some(60.0)]);
    let params = Params { model: Some(model), expected_neighbors, ..Default::default() };
    Case { seed, name: format!("{name} {kind} {state}"), params, domain, boids, dt: random.one_of(&[0.02, 0.3, 1.0]) }
}

#[test]
fn every_model_equals_the_textbook() {
    let repeats = if full() { 20 } else { 1 };
    for (m, name) in models().map(|model| model.name()).enumerate() {
        for repeat in 0..repeats {
            for (k, kind) in KINDS.iter().enumerate() {
                for (n, state) in STATES.iter().enumerate() {
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
