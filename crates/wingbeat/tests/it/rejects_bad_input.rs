//! Whatever is not accepted is refused where it enters, with field, value and allowed range; what
//! lies exactly on a bound is accepted; and a refusal changes nothing.

use std::collections::BTreeSet;

use wingbeat::steer::parameters::{PARAMETERS, ParameterInfo, limit};
use wingbeat::steer::*;
use wingbeat::*;

const NAN: f32 = f32::NAN;
const INFINITY: f32 = f32::INFINITY;

fn flock(params: Params, domain: Domain<[f32; 2]>) -> Result<Flock2, FlockError> {
    Flock2::builder()
        .params(params)
        .domain(domain)
        .boids(&[[1.0, 2.0], [3.0, 4.0]], &[[0.5, 0.0]; 2])
        .build()
}

fn walled() -> Domain<[f32; 2]> {
    Domain::walled([0.0; 2], [10.0; 2], 1.0, 1.0)
}

fn hash(flock: &Flock2) -> u64 {
    observe::state_hash(&flock.frame())
}

/// Parameters through both doors, build and set_params: both must say the same, and a refusal
/// changes nothing.
fn enter(params: Params, domain: Domain<[f32; 2]>) -> Result<(), String> {
    let built = flock(params.clone(), domain).map(|_| ()).map_err(|refused| refused.to_string());
    let mut living = flock(Params::default(), domain).unwrap();
    let before = hash(&living);
    let set = living.set_params(params.clone()).map_err(|refused| refused.to_string());
    assert_eq!(built, set, "build and set_params disagree about {params:?}");
    let now = if set.is_ok() { params } else { Params::default() };
    assert_eq!((living.params(), hash(&living)), (&now, before), "a refusal changes nothing");
    built
}

/// Parameters of one rule.
fn rule(section: &str, weight: f32, perception: Perception) -> Params {
    let mut params = Params::default();
    match section {
        "separation" => {
            params.rules.separation = Some(Separation { weight, perception, ..Default::default() })
        }
        "alignment" => {
            params.rules.alignment = Some(Alignment { weight, perception, ..Default::default() })
        }
        _ => params.rules.cohesion = Some(Cohesion { weight, perception, ..Default::default() }),
    }
    params
}

// ---- Every parameter, just outside its
// range --------------------------------------------------------------------------------

/// A way in for one parameter's value: the parameter, the field a refusal must name, and the
/// attempt.
struct Door {
    key: &'static str,
    field: String,
    enter: Box<dyn Fn(f32) -> Result<(), String>>,
}

fn door(
    key: &'static str,
    field: impl ToString,
    enter: impl Fn(f32) -> Result<(), String> + 'static,
) -> Door {
    Door { key, field: field.to_string(), enter: Box::new(enter) }
}

fn params_door(
    key: &'static str,
    field: impl ToString,
    params: impl Fn(f32) -> Params + 'static,
) -> Door {
    door(key, field, move |value| enter(params(value), Domain::open()))
}

fn agent_door(key: &'static str, change: impl Fn(&mut AgentLimits, f32) + 'static) -> Door {
    params_door(key, key, move |value| {
        let mut agent = AgentLimits { max_speed: limit::MAGNITUDE, ..Default::default() };
        change(&mut agent, value);
        Params { agent, ..Default::default() }
    })
}

fn cruise_door(key: &'static str, change: impl Fn(&mut Cruise, f32) + 'static) -> Door {
    params_door(key, key, move |value| {
        let mut cruise = Cruise::default();
        change(&mut cruise, value);
        Params { combine: Combine::Direction(cruise), ..Default::default() }
    })
}

fn rule_doors(section: &'static str) -> Vec<Door> {
    let seen = Perception::default();
    let named = |parameter: &str| format!("{section}.{parameter}");
    let perceiving = |key: &'static str, field: &str, perception: fn(f32) -> Perception| {
        params_door(key, named(field), move |value| rule(section, 1.0, perception(value)))
    };
    vec![
        params_door("rule.weight", named("weight"), move |weight| rule(section, weight, seen)),
        perceiving("rule.radius", "radius", |radius| Perception { radius, ..Default::default() }),
        // Only the cosine is kept, so that is what a refusal names.
        perceiving("rule.field_of_view", "cos_half_view", |degrees| Perception {
            view: FieldOfView::degrees(f64::from(degrees)),
            ..Default::default()
        }),
        perceiving("rule.cos_half_view", "cos_half_view", |cos_half| Perception {
            view: FieldOfView::Cone { cos_half },
            ..Default::default()
        }),
        perceiving("rule.near_radius", "near_radius", |near_radius| Perception {
            near_radius,
            ..Default::default()
        }),
    ]
}

fn doors() -> Vec<Door> {
    let wall_door = |key: &'static str, domain: fn(f32) -> Domain<[f32; 2]>| {
        door(key, key, move |value| {
            flock(Params::default(), domain(value))
                .map(|_| ())
                .map_err(|refused| refused.to_string())
        })
    };
    let mut doors = vec![
        door("flock.dt", "flock.dt", |dt| {
            TimeStep::new(dt).map(|_| ()).map_err(|refused| refused.to_string())
        }),
        agent_door("agent.max_speed", |agent, value| agent.max_speed = value),
        agent_door("agent.max_speed_spread", |agent, value| {
            (agent.max_speed, agent.max_speed_spread) = (5.2e8, value)
        }),
        agent_door("agent.min_speed", |agent, value| agent.min_speed = value),
        agent_door("agent.max_force", |agent, value| agent.max_force = value),
        agent_door("agent.mass", |agent, value| agent.mass = value),
        cruise_door("agent.cruise_speed", |cruise, value| cruise.cruise_speed = value),
        cruise_door("agent.smoothing_rate", |cruise, value| cruise.smoothing_rate = value),
        params_door("grid.expected_neighbors", "grid.expected_neighbors", |k| Params {
            expected_neighbors: Some(k),
            ..Default::default()
        }),
        wall_door("domain.margin", |margin| Domain::walled([0.0; 2], [10.0; 2], margin, 1.0)),
        wall_door("domain.strength", |strength| Domain::walled([0.0; 2], [10.0; 2], 1.0, strength)),
    ];
    for section in ["separation", "alignment", "cohesion"] {
        doors.extend(rule_doors(section));
    }
    doors
}

/// MODEL's accepted range, written out once more: the table of parameters must not drift from it.
const ACCEPTED: [(&str, f64, f64); 16] = [
    ("flock.dt", 0.0, 1e3),
    ("agent.max_speed", 0.0, 1e9),
    ("agent.max_speed_spread", 0.0, 1.5e8),
    ("agent.min_speed", 0.0, 1e9),
    ("agent.max_force", 0.0, 1e9),
    ("agent.mass", 1e-9, 1e9),
    ("agent.cruise_speed", 0.0, 1e9),
    ("agent.smoothing_rate", 0.0, 1e9),
    ("rule.weight", -1e9, 1e9),
    ("rule.radius", 1e-9, 1e12),
    ("rule.field_of_view", 0.0, 360.0),
    ("rule.cos_half_view", -1.0, 1.0),
    ("rule.near_radius", 0.0, 1e12),
    ("domain.margin", 0.0, 1e12),
    ("domain.strength", 0.0, 1e9),
    ("grid.expected_neighbors", 1.0, 1e6),
];

#[test]
fn the_parameters_have_the_models_ranges_and_defaults_within_them() {
    let table: Vec<(&str, f64, f64)> =
        PARAMETERS.iter().map(|parameter| (parameter.key, parameter.min, parameter.max)).collect();
    assert_eq!(table, ACCEPTED);
    for parameter in PARAMETERS {
        assert!(
            parameter.default >= parameter.min && parameter.default <= parameter.max,
            "{parameter:?}"
        );
        assert!(
            !parameter.about.is_empty()
                && !parameter.unit.is_empty()
                && !parameter.larger.is_empty(),
            "{parameter:?}"
        );
    }
    assert_eq!([limit::POSITION, limit::VELOCITY, limit::SMALLEST], [1e30, 1e12, 1e-9]);
    assert_eq!([limit::RADIUS, limit::MAGNITUDE, limit::TIME_STEP], [1e12, 1e9, 1e3]);
}

/// The accepted ends of a parameter, as f32.
fn ends(parameter: &ParameterInfo) -> (f32, f32) {
    (parameter.min as f32, parameter.max as f32)
}

#[test]
fn every_parameter_has_a_row_and_every_row_a_parameter() {
    let parameters: BTreeSet<&str> = PARAMETERS.iter().map(|parameter| parameter.key).collect();
    let guarded: BTreeSet<&str> = doors().iter().map(|door| door.key).collect();
    assert_eq!(
        parameters, guarded,
        "a parameter of the table is not tried here: add a door for it"
    );
}

/// A number as refusals write it: plain in the middle of the scale, as a power of ten at its ends.
fn written(x: f32) -> String {
    if x == 0.0 || !x.is_finite() || (1e-4..1e7).contains(&x.abs()) {
        x.to_string()
    } else {
        format!("{x:e}")
    }
}

#[test]
fn just_outside_its_range_every_parameter_is_refused() {
    for door in doors() {
        let parameter = steer::parameters::parameter(door.key).unwrap();
        let (min, max) = ends(parameter);
        for bad in [min.next_down(), max.next_up(), NAN, INFINITY, -INFINITY] {
            let refused =
                (door.enter)(bad).expect_err(&format!("{} = {bad} was accepted", door.field));
            let (from, to) = if door.key == "rule.field_of_view" {
                (-1.0, 1.0)
            } else {
                (parameter.min, parameter.max)
            };
            let value = if door.key == "rule.field_of_view" { NAN } else { bad };
            let start = format!("{} = {}: allowed is ", door.field, written(value));
            assert!(refused.starts_with(&start), "field and value: {refused}");
            let allowed = refused.split("allowed is ").last().unwrap();
            assert!(
                allowed.contains(&written(from as f32)) && allowed.contains(&written(to as f32)),
                "range: {refused}"
            );
        }
    }
}

#[test]
fn exactly_on_its_bounds_every_parameter_is_accepted() {
    for door in doors() {
        let (min, max) = ends(steer::parameters::parameter(door.key).unwrap());
        assert_eq!((door.enter)(max), Ok(()), "{} = {max}", door.field);
        if door.key == "flock.dt" {
            // The one bound that is not in its range: a step of no time.
            assert!((door.enter)(min).is_err());
            assert_eq!((door.enter)(min.next_up()), Ok(()));
        } else {
            assert_eq!((door.enter)(min), Ok(()), "{} = {min}", door.field);
        }
    }
}

// ---- Combinations without a
// meaning ------------------------------------------------------------------------------------

#[test]
fn combinations_without_a_meaning_are_refused() {
    let agent = |min_speed, max_speed| Params {
        agent: AgentLimits { min_speed, max_speed, ..Default::default() },
        ..Default::default()
    };
    let alignment = |response, relative| Params {
        rules: Alignment { response, relative, ..Default::default() }.into(),
        ..Default::default()
    };
    let cohesion = |response| Params {
        rules: Cohesion { response, ..Default::default() }.into(),
        ..Default::default()
    };
    let flee = |falloff| Params {
        rules: Separation { response: Response::Flee, falloff, ..Default::default() }.into(),
        ..Default::default()
    };
    let priority = |terms: &[Term]| Params { priority: terms.to_vec(), ..Default::default() };
    let table: Vec<(Params, Option<&str>)> = vec![
        (
            agent(2.0f32.next_up(), 2.0),
            Some("agent.min_speed = 2.0000002: allowed is at most agent.max_speed (2)"),
        ),
        (agent(2.0, 2.0), None),
        (
            alignment(Response::Steer, true),
            Some("alignment.response = steer: allowed is raw or unit unless"),
        ),
        (alignment(Response::Steer, false), None),
        (
            alignment(Response::Flee, true),
            Some("alignment.response = flee: allowed is raw, unit or steer"),
        ),
        (
            alignment(Response::Flee, false),
            Some("alignment.response = flee: allowed is raw, unit or steer"),
        ),
        (cohesion(Response::Flee), Some("cohesion.response = flee: allowed is raw, unit or steer")),
        (cohesion(Response::Steer), None),
        (flee(Falloff::InverseSquare), None),
        (
            priority(&[Term::Walls, Term::Rule(RuleId::Cohesion), Term::Walls]),
            Some("agent.priority = walls twice: allowed is each term once"),
        ),
        (priority(&[Term::HostRule(1), Term::HostRule(1)]), Some("agent.priority = rule[1] twice")),
        (
            priority(&[
                Term::Walls,
                Term::Rule(RuleId::Cohesion),
                Term::Rule(RuleId::Alignment),
                Term::Rule(RuleId::Separation),
            ]),
            None,
        ),
    ];
    for (params, refusal) in table {
        match (enter(params.clone(), walled()), refusal) {
            (Ok(()), None) => {}
            (Err(message), Some(wanted)) if message.starts_with(wanted) => {}
            (got, _) => panic!("{got:?}, wanted {refusal:?} for {params:?}"),
        }
    }
}

type MakeBox = fn([f32; 2], [f32; 2]) -> Domain<[f32; 2]>;

#[test]
fn boxes_without_extent_are_refused() {
    let boxes: [MakeBox; 3] =
        [Domain::periodic, |min, max| Domain::walled(min, max, 1.0, 1.0), Domain::reflecting];
    for domain in boxes {
        let refusal =
            |min, max| flock(Params::default(), domain(min, max)).err().map(|e| e.to_string());
        let starts = |message: Option<String>, wanted: &str| {
            assert!(
                message.as_deref().is_some_and(|m| m.starts_with(wanted)),
                "{message:?}, wanted {wanted}"
            );
        };
        starts(
            refusal([0.0, 5.0], [10.0, 5.0]),
            "domain.max[1] = 5: allowed is above domain.min[1] = 5",
        );
        starts(
            refusal([10.0, 0.0], [0.0, 10.0]),
            "domain.max[0] = 0: allowed is above domain.min[0] = 10",
        );
        starts(refusal([NAN, 0.0], [10.0; 2]), "domain.min[0] = NaN: allowed is -1e30 to 1e30");
        starts(
            refusal([0.0; 2], [10.0, INFINITY]),
            "domain.max[1] = inf: allowed is -1e30 to 1e30",
        );
        starts(
            refusal([-1e30f32.next_up(), 0.0], [10.0; 2]),
            "domain.min[0] = -1.0000001e30: allowed is -1e30 to 1e30",
        );
        assert_eq!(refusal([-1e30; 2], [1e30; 2]), None, "the whole world");
    }
    let open = Domain { boundary: Boundary::Open, min: [NAN; 2], max: [-1.0; 2] };
    assert!(flock(Params::default(), open).is_ok(), "an open domain has no box to refuse");
}

#[test]
fn a_radius_may_be_half_a_periodic_side_and_no_more() {
    for section in ["separation", "alignment", "cohesion"] {
        let domain = Domain::periodic([0.0; 2], [10.0, 7.0]);
        let seeing = |radius| rule(section, 1.0, Perception { radius, ..Default::default() });
        assert_eq!(enter(seeing(3.5), domain), Ok(()));
        let refused = enter(seeing(3.5f32.next_up()), domain).unwrap_err();
        assert!(
            refused.starts_with(&format!("{section}.radius = 3.5000002: allowed is at most half")),
            "{refused}"
        );
        assert!(refused.ends_with("3.5"), "names the largest allowed: {refused}");
        assert_eq!(enter(seeing(100.0), walled()), Ok(()), "only a periodic box limits the radius");
    }
}

// ---- Rules of the host's
// own -------------------------------------------------------------------------------------------

struct Own(Perception);

pair_rule! {
    impl<S, D> Rule for Own {
        type Sum = simd::Vectors<S, D>;
        fn perception(&self) -> Perception { self.0 }
        fn term(&self, s, own, pair) { pair.offset }
        fn force(&self, s, own, sum) { sum }
    }
}

#[test]
fn rules_of_the_hosts_own_are_checked_alike() {
    let build = |perception| {
        let builder = Flock2::builder().domain(Domain::periodic([0.0; 2], [4.0; 2]));
        builder
            .rule(Own(Perception::default()))
            .rule(Own(perception))
            .build()
            .err()
            .map(|e| e.to_string())
    };
    let seen = |radius, cos_half, near_radius| Perception {
        radius,
        view: FieldOfView::Cone { cos_half },
        near_radius,
        nearest: None,
    };
    assert_eq!(build(seen(2.0, 0.0, 0.0)), None);
    for (perception, wanted) in [
        (seen(NAN, 0.0, 0.0), "rule[1].radius = NaN: allowed is 1e-9 to 1e12"),
        (seen(2.0f32.next_up(), 0.0, 0.0), "rule[1].radius = 2.0000002: allowed is at most half"),
        (seen(1.0, 1.5, 0.0), "rule[1].cos_half_view = 1.5: allowed is -1 to 1"),
        (seen(1.0, 0.0, -1.0), "rule[1].near_radius = -1: allowed is 0 to"),
    ] {
        let refused = build(perception).unwrap();
        assert!(refused.starts_with(wanted), "{refused}");
    }
    let one = || Own(Perception::default());
    assert!(Flock2::builder().rule(one()).rule(one()).rule(one()).rule(one()).build().is_ok());
    let five =
        Flock2::builder().rule(one()).rule(one()).rule(one()).rule(one()).rule(one()).build();
    assert!(five.unwrap_err().to_string().starts_with("rules = 5: allowed is at most 4"));
}
