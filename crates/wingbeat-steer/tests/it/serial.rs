//! What a user sets comes back from JSON as it was written (feature `serde`).

use serde::Serialize;
use serde::de::DeserializeOwned;
use wingbeat_steer::behavior::Path as Road;
use wingbeat_steer::drive::{
    Delay, Flow, FlowField, Follow, Goal, Leader, Noise, OnArrival, Outside, Path, Speed, Tether,
    Wind,
};
use wingbeat_steer::model::{self, Couzin2002, Vicsek1995};
use wingbeat_steer::obstacle::{AtEnds, Pose, Range};
use wingbeat_steer::{
    AgentLimits, Alignment, AlignmentOf, Avoidance, Boundary, Cohesion, Combine, Cruise, Domain,
    Drive, DriveKind, Exit, Falloff, FieldOfView, HuntParameters, Interaction, InteractionKind,
    Model, Obstacle, ObstacleMotion, ObstacleShape, Obstacles, Params, Perception, Population,
    Response, RuleId, Rules, Separation, Source, Species, SpeciesId, Stamina, Term, TimeStep,
    Traits, WalkerParameters, WanderFrame, WanderParameters, When,
};

#[track_caller]
fn comes_back<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(value: T) -> String {
    let text = serde_json::to_string(&value).expect("written");
    let back: T = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(back, value, "{text}");
    text
}

#[track_caller]
fn refused<T: DeserializeOwned + std::fmt::Debug>(text: &str, why: &str) {
    let error = serde_json::from_str::<T>(text).expect_err(text).to_string();
    assert!(error.contains(why), "{text}: {error}");
}

fn perception(cos_half: f32) -> Perception {
    Perception {
        radius: 0.1,
        view: FieldOfView::Cone { cos_half },
        near_radius: 0.3,
        nearest: Some(7),
    }
}

#[test]
fn parameters_of_rules() {
    let params = Params {
        agent: AgentLimits {
            max_speed: 3.3,
            max_speed_spread: 0.7,
            min_speed: 0.1,
            max_force: 1e9,
            mass: 1e-9,
            population: Population::Rimea,
        },
        rules: Rules {
            separation: Some(Separation {
                weight: -2.7,
                perception: perception(-0.123_456_79),
                falloff: Falloff::InverseSquare,
                response: Response::Flee,
            }),
            alignment: Some(Alignment {
                of: AlignmentOf::Heading,
                relative: false,
                include_self: true,
                response: Response::Steer,
                ..Default::default()
            }),
            cohesion: Some(Cohesion { response: Response::Unit, ..Default::default() }),
            ..Default::default()
        },
        combine: Combine::Direction(Cruise {
            cruise_speed: 0.7,
            smoothing_rate: 4.0,
            stop_when_alone: true,
        }),
        priority: vec![
            Term::Walls,
            Term::HostRule(1),
            Term::Drive(2),
            Term::Rule(RuleId::Separation),
        ],
        expected_neighbors: Some(12.5),
        max_neighbors: Some(6),
        ..Default::default()
    };
    let text = comes_back(params);
    assert!(
        text.contains("\"inverse_square\"") && text.contains("\"drive[2]\""),
        "words of scene files: {text}"
    );
    comes_back(Params { combine: Combine::Prioritized, ..Default::default() });
    refused::<Params>(r#"{"priority": ["drive[02]"]}"#, "term = drive[02]");
    // What is left out is as usual, what has no meaning is refused, and ranges are the flock's
    // business.
    let given: Params =
        serde_json::from_str(r#"{"rules": {"cohesion": {"weight": 2.5}}}"#).expect("defaults");
    assert_eq!(given.rules.cohesion, Some(Cohesion { weight: 2.5, ..Default::default() }));
    assert_eq!(
        Params { rules: Rules { cohesion: None, ..given.rules }, ..given.clone() },
        Params::default()
    );
    refused::<Params>(r#"{"rules": {"cohesion": {"wieght": 2.5}}}"#, "wieght");
    let wild: Params =
        serde_json::from_str(r#"{"rules": {"cohesion": {"weight": 2e9}}}"#).expect("read");
    assert_eq!(
        wild.check().unwrap_err().to_string(),
        "cohesion.weight = 2e9: allowed is -1e9 to 1e9"
    );
}

#[test]
fn species_and_what_is_a_boids_own() {
    let hare = Species {
        name: "hare".into(),
        stamina: Some(Stamina { capacity: 3.0, ..Default::default() }),
        ..Default::default()
    };
    let fox =
        Species { name: "fox".into(), rules: Separation::default().into(), ..Default::default() };
    use InteractionKind::{Evade, Flee, Flock, Ignore, Pursue};
    for kind in [Ignore, Flock, Flee, Pursue, Evade] {
        let interaction = Interaction {
            capture_radius: 0.2,
            ..Interaction::new(SpeciesId::new(1), SpeciesId::new(0), kind, 8.0)
        };
        comes_back(Params {
            species: vec![hare.clone(), fox.clone()],
            interactions: vec![interaction],
            ..Default::default()
        });
    }
    comes_back(Traits {
        species: SpeciesId::new(1),
        spent: 0.25,
        resting: true,
        max_speed: Some(1.5),
        mass: None,
        radius: Some(0.3),
    });
    comes_back(HuntParameters { stamina: 17.0, ..Default::default() });
    comes_back(WalkerParameters { max_step: 17.0, ..Default::default() });
}

#[test]
fn every_model_by_its_name_and_its_keys() {
    for model in model::models() {
        let text = comes_back(model);
        assert!(text.contains(&format!("\"name\":\"{}\"", model.name())), "{text}");
    }
    comes_back(Vicsek1995 { noise: 0.1, ..Default::default() });
    comes_back(Couzin2002::default());
    let given: Model =
        serde_json::from_str(r#"{"name": "vicsek1995", "noise": 0.5}"#).expect("a model");
    assert_eq!(given, Vicsek1995 { noise: 0.5, ..Default::default() }.into());
    refused::<Model>(
        r#"{"name": "viczek"}"#,
        "model.name = viczek: allowed is vicsek1995, couzin2002",
    );
    refused::<Model>(
        r#"{"name": "vicsek1995", "nose": 1}"#,
        "model.nose = 1: allowed is left out: keys are",
    );
}

#[test]
fn exits_and_sources() {
    let shape = ObstacleShape::Box { min: [0.0, 0.1], max: [1.0, 2.0], angle: 30.0 };
    assert!(
        !comes_back(Exit {
            species: Some(SpeciesId::new(2)),
            open: false,
            ..Exit::new("door", shape.clone())
        })
        .contains("closes")
    );
    comes_back(Exit { opens: 0.5, closes: 7.25, every: 1.2, ..Exit::new("door", shape) });
    let given: Exit<[f32; 2]> = serde_json::from_str(
        r#"{"name": "a", "shape": {"sphere": {"center": [1, 2], "radius": 3}}}"#,
    )
    .expect("an exit");
    assert_eq!(given, Exit::new("a", ObstacleShape::Sphere { center: [1.0, 2.0], radius: 3.0 }));
    let source = Source {
        name: "s".into(),
        max: [1.0, 2.0],
        count: Some(7),
        rate: 0.3,
        ..Source::default()
    };
    // JSON has no number for never.
    assert!(!comes_back(source.clone()).contains("until"));
    comes_back(Source {
        until: 2.5,
        from: 0.5,
        velocity: [0.1, 0.0],
        species: SpeciesId::new(1),
        ..source
    });
    refused::<Source<[f32; 2]>>(r#"{"name": "s", "speed": 1}"#, "speed");
}

#[test]
fn drives() {
    let kinds: Vec<DriveKind<[f32; 2]>> = vec![
        Goal::default().into(),
        Goal {
            target: Some([0.1, 2.0]),
            range: 3.5,
            on_arrival: OnArrival::Leave,
            ..Default::default()
        }
        .into(),
        WanderParameters { frame: WanderFrame::Heading, interval: 0.3, ..Default::default() }
            .into(),
        Leader { distance: Some(0.5), looks: true, ..Leader::each([(4, 2), (1, 0)]) }.into(),
        Path::new(Road::looped([[0.0, 0.0], [1.0, 0.3], [0.0, 1.0]], 0.25).unwrap()).into(),
        Path {
            follow: Follow::Road,
            ..Path::new(Road::open([[0.0, 0.0], [1.0, 0.3]], 0.25).unwrap())
        }
        .into(),
        Flow { raw: true, ..Flow::new(field()) }.into(),
        Flow { later: vec![(0.5, field()), (7.25, field())], ..Flow::new(field()) }.into(),
        Wind { vector: [0.1, -0.2], drag: true }.into(),
        Speed { speed: 3.0, rate: 0.1 }.into(),
        Tether { anchor: [1.0, 2.0], radius: 0.1, strength: 7.0 }.into(),
        Noise { size: 0.3, interval: 0.2 }.into(),
    ];
    let whens = [When::Always, When::Idle, When::Busy, When::Resting];
    for (i, kind) in kinds.into_iter().enumerate() {
        comes_back(Drive {
            species: (i % 2 == 0).then_some(SpeciesId::new(i)),
            when: whens[i % 4],
            ..Drive::new("x", kind).weighted(0.3)
        });
    }
    let drive = Drive::<[f32; 2]>::new("x", Noise::default());
    assert!(!comes_back(drive.clone()).contains("until"));
    comes_back(drive.clone().between(0.5, 7.25).delayed(Delay::Uniform { min: 10.0, max: 100.0 }));
    comes_back(drive.clone().delayed(Delay::Gamma { shape: 1.291, scale: 103.901 }));
    comes_back(drive.clone().delayed(Delay::Weibull { shape: 1.195, scale: 139.285 }));
    comes_back(drive.delayed(Delay::LogNormal { median: 30.5, sigma: 0.6 }));
    let given = "{\"name\": \"x\", \"weight\": 1, \"when\": \"always\", \"kind\": {\"noise\": {}}, \
                 \"delay\": {\"log_normal\": {\"median\": 2, \"sigma\": 1}}}";
    let given: Drive<[f32; 2]> = serde_json::from_str(given).expect("a drive");
    assert_eq!(
        given,
        Drive::new("x", Noise::default()).delayed(Delay::LogNormal { median: 2.0, sigma: 1.0 })
    );
    refused::<Road<[f32; 2]>>(r#"{"points": [], "radius": 1}"#, "path.points = 0: allowed is 1 to");
    refused::<FlowField<[f32; 2]>>(
        r#"{"min": [0,0], "max": [1,1], "shape": [2,2], "values": [[1,0]]}"#,
        "flow.values = 1 vectors",
    );
}

fn field() -> FlowField<[f32; 2]> {
    FlowField::from_function([-5.0; 2], [5.0, 2.0], [3, 4], |[x, y]: [f32; 2]| [-y, x * 0.1])
        .unwrap()
        .outside(Outside::Zero)
}

#[test]
fn worlds() {
    let (min, max) = ([-0.1, 0.2, 0.3], [7.0, 8.0, 9.0]);
    let walls = Boundary::Walled { margin: 0.1, strength: 0.7 };
    for boundary in
        [Boundary::Open, Boundary::Periodic, walls, Boundary::Reflecting, Boundary::Absorbing]
    {
        comes_back(Domain { boundary, min, max });
    }
    let range = |ends| Some(Range { min: [0.0; 2], max: [1.0; 2], ends });
    let shapes = [
        ObstacleShape::Sphere { center: [0.1, 0.2], radius: 0.3 },
        ObstacleShape::Capsule { from: [0.1, 0.2], to: [1.1, 0.2], radius: 0.3 },
        ObstacleShape::Box { min: [0.1, 0.2], max: [1.1, 0.7], angle: 30.0 },
        ObstacleShape::Wall { from: [0.1, 0.2], to: [1.1, 0.2] },
        ObstacleShape::Polygon { points: vec![[0.0, 0.0], [1.0, 0.0], [0.1, 0.9]] },
    ];
    let motions = [
        ObstacleMotion::Static,
        ObstacleMotion::Line { velocity: [0.1, 0.0], range: range(AtEnds::Wrap) },
        ObstacleMotion::Circle { center: [0.1, 0.0], period: -3.0 },
        ObstacleMotion::Waypoints { points: vec![[0.0, 0.0], [1.0, 0.1]], speed: 0.1 },
        ObstacleMotion::Host,
    ];
    let named = |(i, (shape, motion))| Obstacle { name: format!("it {i}"), shape, motion };
    let list: Vec<_> = shapes.into_iter().zip(motions).enumerate().map(named).collect();
    comes_back(Obstacles {
        list,
        avoidance: Some(Avoidance { weight: 0.1, horizon: 0.2, clearance: 0.3 }),
    });
    comes_back(Pose { position: [0.1, 0.2], angle: 30.0 });
}

#[test]
fn a_time_step_is_checked_when_it_is_read() {
    assert_eq!(comes_back(TimeStep::new(0.02).unwrap()), "0.02");
    refused::<TimeStep>("0.0", "flock.dt = 0: allowed is above 0, at most 1000");
    refused::<TimeStep>("-1", "flock.dt = -1");
}
