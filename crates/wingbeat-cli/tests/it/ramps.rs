//! `[ramp.NAME]`: numbers that change as a flock flies.

use wingbeat_scene::{AnyFlock, Machine, Override, Scene};
use wingbeat_session::{EditableScene, LiveFlock, Request};

use crate::common::{Lab, text};

const POND: &str = "[flock]\nboids = 80\ndimensions = 2\nsteps = 200\n[domain]\n\
    kind = \"periodic\"\n[separation]\nradius = 0.8\n[alignment]\n[cohesion]\nradius = 1.5\n\
    [drive.stroll]\nkind = \"wander\"\nweight = 2.0\n\
    [ramp.order]\nkey = \"alignment.weight\"\nfrom = 0.0\nto = 3.0\nover = 1.5\nstart = 1.0\n\
    [ramp.sight]\nkey = \"cohesion.radius\"\nfrom = 1.5\nto = 0.9\nover = 2.0\n\
    [ramp.calm]\nkey = \"drive.stroll.weight\"\nfrom = 2.0\nto = 0.5\nover = 3.0\n";

fn read(lab: &Lab, name: &str) -> Vec<u8> {
    std::fs::read(lab.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Step by step, what a live view would set by hand gives the same flock.
#[test]
fn a_ramp_is_a_change_by_hand_before_every_step() {
    let scene = Scene::parse("pond", POND, &[]).expect("a scene");
    let machine = Machine { threads: Some(1), level: None };
    let mut ramped = scene.build(&machine).expect("a flock");
    let hands_off: String = POND.split("[ramp.order]").next().expect("the rest").into();
    let set = |time: f64| {
        let value = |from: f64, to: f64, start: f64, over: f64| {
            let part = if time <= start {
                0.0
            } else if time >= start + over {
                1.0
            } else {
                (time - start) / over
            };
            if part == 1.0 { to } else { from + (to - from) * part }
        };
        let changes = [
            format!("alignment.weight={}", value(0.0, 3.0, 1.0, 1.5)),
            format!("cohesion.radius={}", value(1.5, 0.9, 0.0, 2.0)),
            format!("drive.stroll.weight={}", value(2.0, 0.5, 0.0, 3.0)),
        ];
        let overrides = changes.map(|change| Override::set(&change).expect("an assignment"));
        Scene::parse("pond", &hands_off, &overrides).expect("a scene")
    };
    let mut by_hand = set(0.0).build(&machine).expect("a flock").flock;
    for step in 0..200 {
        set(by_hand.time()).apply(&mut by_hand).expect("accepted");
        by_hand.step(scene.dt());
        ramped.step(scene.dt()).expect("accepted");
        assert_eq!(ramped.flock.state_hash(), by_hand.state_hash(), "step {step}");
    }
    assert_eq!(
        ramped.flock.params().rules.alignment.map(|rule| rule.weight),
        Some(3.0),
        "exactly its end"
    );
    let AnyFlock::Two(flock) = &ramped.flock else { panic!("a flock in the plane") };
    assert_eq!(flock.params().rules.cohesion.map(|rule| rule.perception.radius), Some(0.9));
}

#[test]
fn a_run_that_is_broken_off_ends_in_the_same_bytes() {
    let lab = Lab::new();
    lab.write("pond.toml", POND);
    let args = |steps: &'static str, name: &str| -> Vec<String> {
        let named = |ending: &str| format!("{name}.{ending}");
        let all = [
            "--steps",
            steps,
            "--average-from",
            "50",
            "--every",
            "7",
            "--observe",
            &named("csv"),
            "--record",
            &named("wbr"),
        ];
        let all = all.iter().map(|part| part.to_string());
        all.chain(["--checkpoint".to_string(), named("wbc"), "--json".to_string()]).collect()
    };
    let run = |rest: Vec<String>| {
        let rest: Vec<&str> = rest.iter().map(String::as_str).collect();
        let output = lab.wingbeat(&[&["run", "pond.toml"], &rest[..]].concat());
        assert!(output.status.success(), "{rest:?}: {}", text(&output.stderr));
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        (
            report["state_hash"].clone(),
            report["mean_polarization"].clone(),
            report["observed_means"].clone(),
        )
    };
    let whole = run(args("200", "whole"));
    run(args("100", "two"));
    let resumed = [
        args("200", "two"),
        vec!["--resume".into(), "two.wbc".into(), "--level".into(), "portable".into()],
    ]
    .concat();
    assert_eq!(run(resumed), whole);
    assert_eq!(read(&lab, "two.csv"), read(&lab, "whole.csv"));
    let frames = |file: &str| {
        let output = lab.wingbeat(&["convert", file, "frames.csv"]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        read(&lab, "frames.csv")
    };
    assert_eq!(frames("two.wbr"), frames("whole.wbr"));
    // Starting from the frame of a recording is another run: step 0 again, and the ramps from their
    // start.
    let start = [
        "run",
        "pond.toml",
        "--initial",
        "whole.wbr",
        "--set",
        "initial.frame=14",
        "--steps",
        "100",
        "--json",
    ];
    let output = lab.wingbeat(&start);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_ne!(report["state_hash"], whole.0);
}

/// What the live view has behind its server, and a page behind its buttons.
#[test]
fn live_flocks_follow_ramps_and_changes_of_them() {
    let scene = Scene::parse("pond", POND, &[]).expect("a scene");
    let mut built = scene.build(&Machine::default()).expect("a flock");
    let mut live = LiveFlock::new(
        EditableScene::parse("pond", POND, None).expect("a scene"),
        Machine::default(),
        None,
        false,
    )
    .expect("a flock");
    for _ in 0..120 {
        live.step();
        built.step(scene.dt()).expect("a step");
    }
    assert_eq!(live.flock().state_hash(), built.flock.state_hash());
    let answer =
        live.follow(Request::Set { id: 1, key: "ramp.order.to".into(), value: "9".into() });
    assert_eq!((answer.error, answer.effect), (None, Some("next_step")));
    (0..80).for_each(|_| live.step());
    assert_eq!(live.flock().params().rules.alignment.map(|rule| rule.weight), Some(9.0));
}

#[test]
fn sweeps_follow_ramps_as_runs_do() {
    let lab = Lab::new();
    lab.write("pond.toml", POND);
    let output = lab.wingbeat(&[
        "sweep",
        "pond.toml",
        "--set",
        "ramp.order.to=1,3",
        "--columns",
        "polarization",
        "--out",
        "out.csv",
    ]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let journal = text(&read(&lab, "out.csv.runs.csv"));
    let hash = lab.json(&["pond.toml"])["state_hash"].as_str().expect("a text").to_string();
    assert!(
        journal.lines().any(|line| line.starts_with("3,") && line.contains(&hash)),
        "{hash} is missing from {journal}"
    );
}

#[test]
fn a_value_beside_a_ramp_is_warned_of() {
    let lab = Lab::new();
    lab.write("pond.toml", POND);
    let output = lab.wingbeat(&["run", "pond.toml", "--steps", "2", "--set", "alignment.weight=2"]);
    let said = text(&output.stderr);
    assert!(
        output.status.success()
            && said.contains("alignment.weight has no effect: [ramp.order] changes it"),
        "{said}"
    );
}

#[test]
fn what_cannot_change_in_flight_is_refused_by_name() {
    let lab = Lab::new();
    let ramp = |key: &str, rest: &str| {
        format!(
            "[flock]\nboids = 20\ndimensions = 2\n[domain]\nkind = \"periodic\"\n[cohesion]\n\
                [ramp.a]\nkey = \"{key}\"\n{rest}"
        )
    };
    let usual = "from = 1.0\nto = 2.0\nover = 5.0\n";
    for (text_of, expected) in [
        (
            ramp("flock.boids", usual),
            "ramp.a.key = \"flock.boids\": allowed is a key that takes any number",
        ),
        (
            ramp("flock.dt", usual),
            "ramp.a.key = \"flock.dt\": allowed is a number of rules, limits, models",
        ),
        (
            ramp("spawn.spacing", usual),
            "ramp.a.key = \"spawn.spacing\": allowed is a number of rules",
        ),
        (ramp("cohesion.wieght", usual), "nearest known key is cohesion.weight"),
        (ramp("ramp.b.to", usual), "allowed is a number of rules"),
        (ramp("model.noise", usual), "a key that the [model] of this scene has"),
        (
            ramp("cohesion.weight", "from = 1.0\nto = 1e12\nover = 5.0\n"),
            "ramp.a.to = 1e12: allowed is a number, -1e9 to 1e9",
        ),
        (
            ramp("cohesion.weight", "from = \"x\"\nto = 1\nover = 5.0\n"),
            "ramp.a.from = \"x\": allowed is a number",
        ),
        (ramp("cohesion.weight", "from = 1.0\nto = 2.0\n"), "ramp.a.over = nothing"),
        (
            ramp("cohesion.weight", "from = 1.0\nto = 2.0\nover = 0\n"),
            "ramp.a.over = 0: allowed is a number above 0",
        ),
        (ramp("cohesion.radius", "from = 1.0\nto = 500.0\nover = 5.0\n"), "cohesion.radius = 500"),
        (
            ramp(
                "cohesion.weight",
                &format!("{usual}[ramp.b]\nkey = \"cohesion.weight\"\n{usual}"),
            ),
            "no other ramp changes (a does)",
        ),
    ] {
        let scene = lab.write("scene.toml", text_of);
        for command in ["check", "run"] {
            let output = lab.wingbeat(&[command, &scene]);
            let stderr = text(&output.stderr);
            assert_eq!(
                (output.status.code(), stderr.lines().count()),
                (Some(2), 1),
                "{command} {expected}: {stderr}"
            );
            assert!(
                stderr.contains(expected),
                "{command}: \"{expected}\" is missing from: {stderr}"
            );
        }
    }
}
