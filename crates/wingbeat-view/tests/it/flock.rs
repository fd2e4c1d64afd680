//! A running engine behind a socket: frames come, sliders change it, and what is saved is what ran.

use std::time::{Duration, Instant};

use crate::viewer::{Viewer, scene_of, set, shoal, until};
use serde_json::json;
use wingbeat_scene::{Machine, Scene};
use wingbeat_session::explain::SceneExplanation;
use wingbeat_view::{Options, View};

fn paused() -> Options {
    Options { paused: true, ..Options::default() }
}

#[test]
fn frames_arrive_and_advance() {
    let view = shoal(Options { speed: Some(1000.0), ..Options::default() });
    let mut viewer = Viewer::of(&view);
    let first = viewer.frame();
    assert_eq!((first.dimensions, first.run, first.ids), (2, 0, (0..300).collect::<Vec<u32>>()));
    let (start, mut last) = (Instant::now(), first.step);
    for _ in 0..30 {
        let frame = viewer.frame();
        assert!(frame.step > last, "step {} after {last}", frame.step);
        assert!(
            (frame.time - 0.05 * frame.step as f64).abs() < 1e-3 * frame.time,
            "{} at step {}",
            frame.time,
            frame.step
        );
        assert_ne!(frame.positions, first.positions);
        last = frame.step;
    }
    // However fast the engine, no viewer gets more than 60 frames a second, nor more than it asks
    // for.
    assert!(
        start.elapsed() >= Duration::from_millis(29 * 16),
        "30 frames in {:?}",
        start.elapsed()
    );
    assert!(last > 60, "it steps while frames are looked at: only {last}");
}

#[test]
fn it_keeps_the_scenes_own_time() {
    let view = shoal(Options::default());
    let mut viewer = Viewer::of(&view);
    let (start, first) = (Instant::now(), viewer.frame().step);
    let last = viewer.frame_with("two seconds of steps", |frame| frame.step >= first + 40).step;
    let (took, due) = (start.elapsed().as_secs_f64(), 0.05 * (last - first) as f64);
    assert!(took > due - 0.1, "{due} of its time in {took} s");
    let rate = viewer.frame().rate;
    assert!(rate > 0.0 && rate < 40.0, "20 steps a second are wanted: {rate}");
    viewer.grant(json!({ "do": "speed", "factor": 20.0 }));
    let (start, first) = (Instant::now(), viewer.frame().step);
    viewer.frame_with("twenty times that", |frame| frame.step >= first + 400);
    assert!(
        start.elapsed().as_secs_f64() < 15.0,
        "400 steps at twenty times their time took {:?}",
        start.elapsed()
    );
    for factor in [0.0, -1.0, 1e7] {
        let answer = viewer.ask(json!({ "do": "speed", "factor": factor }));
        assert!(
            answer["error"].as_str().is_some_and(|line| line.contains("0.001 to 1000000")),
            "{answer}"
        );
    }
    assert_eq!(viewer.state["speed"], 20.0);
}

#[test]
fn sliders_change_the_running_engine() {
    let view = shoal(Options::default());
    let mut viewer = Viewer::of(&view);
    let before = viewer.frame_with("a few steps", |frame| frame.step >= 5);
    assert!(before.mean_speed > 1.0, "{}", before.mean_speed);
    viewer.grant(json!({ "do": "set", "key": "agent.min_speed", "value": "0" }));
    let answer = viewer.grant(json!({ "do": "set", "key": "agent.max_speed", "value": "0.25" }));
    assert_eq!(answer["effect"], "next_step");
    let after = viewer.frame_with("slow fish", |frame| frame.mean_speed < 0.251);
    assert_eq!(after.run, 0, "no reset");
    assert!(after.step > before.step);
    viewer.state_with("the slider's place", |state| !state["controls"].is_null());
    assert_eq!(viewer.value("agent.max_speed"), 0.25);
}

#[test]
fn refused_values_change_nothing() {
    let view = shoal(Options::default());
    let mut viewer = Viewer::of(&view);
    viewer.frame();
    let text = scene_of(&view);
    for (key, value, part) in [
        ("cohesion.weight", "1e30", "-1e9 to 1e9"),
        ("cohesion.weight", "much", "a number"),
        ("agent.min_speed", "99", "max_speed"),
        ("alignment.radius", "1e6", "box"),
        ("cohesion.wieght", "1", "cohesion.weight"),
        ("flock.boids", "2.5", "a whole number"),
    ] {
        let answer = viewer.ask(json!({ "do": "set", "key": key, "value": value }));
        let error = answer["error"]
            .as_str()
            .unwrap_or_else(|| panic!("{key} = {value} was taken: {answer}"));
        assert!(
            error.contains(part)
                && error.contains(key.split('.').next().unwrap())
                && !error.contains('\n'),
            "{error}"
        );
    }
    assert_eq!(scene_of(&view), text);
    let steps = view.steps();
    until("it goes on", || view.steps() > steps + 5);
    assert_eq!(viewer.frame_with("frames go on", |frame| frame.step > steps).run, 0);
}

#[test]
fn pause_step_play() {
    let view = shoal(paused());
    let mut viewer = Viewer::of(&view);
    assert_eq!(viewer.frame().step, 0);
    for step in 1..4 {
        viewer.grant(json!({ "do": "step" }));
        assert_eq!(viewer.frame().step, step);
    }
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(view.steps(), 3);
    viewer.grant(json!({ "do": "play" }));
    viewer.frame_with("it goes on", |frame| frame.step > 5);
    viewer.grant(json!({ "do": "pause" }));
    let still = view.steps();
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(view.steps(), still);
    viewer.state_with("the pause", |state| state["paused"] == true);
    viewer.grant(json!({ "do": "step" }));
    assert_eq!(
        viewer.frame_with("a step of a paused flock", |frame| frame.step == still + 1).rate,
        0.0
    );
}

#[test]
fn what_needs_a_reset_says_so_and_waits_for_it() {
    let view = shoal(paused());
    let mut viewer = Viewer::of(&view);
    assert_eq!(viewer.frame().ids.len(), 300);
    let answer = viewer.grant(json!({ "do": "set", "key": "flock.boids", "value": "350" }));
    assert_eq!(answer["effect"], "rebuild");
    viewer.grant(json!({ "do": "step" }));
    assert_eq!(viewer.frame().ids.len(), 300);
    viewer.state_with("what waits", |state| state["pending"] == json!(["flock.boids"]));
    viewer.grant(json!({ "do": "reset" }));
    let frame = viewer.frame();
    assert_eq!((frame.ids.len(), frame.step, frame.time, frame.run), (350, 0, 0.0, 1));
    viewer.state_with("nothing waits", |state| {
        state["pending"] == json!([]) && state["boids"] == 350
    });

    viewer.grant(json!({ "do": "set", "key": "flock.seed", "value": "77" }));
    viewer.grant(json!({ "do": "reset" }));
    let other = viewer.frame();
    assert_ne!(other.positions, frame.positions, "another seed");
    let answer = viewer.grant(json!({ "do": "set", "key": "flock.steps", "value": "77" }));
    assert!(answer["effect"].is_null(), "it steps until it is stopped: {answer}");
    viewer.grant(json!({ "do": "remove", "rule": "cohesion" }));
    viewer.state_with("a rule less", |state| state["absent"] == json!(["cohesion", "formation"]));
}

/// A change that takes long to compute holds up neither the flock nor the viewer that asked for it.
#[test]
fn the_flock_flies_on_while_a_change_is_computed() {
    let way = set("drive.way={kind='flow',toward=[[0,0]],cell=2}");
    let options = Options { port: 0, speed: Some(100.0), ..Options::default() };
    let view = View::start("shoal", &[set("flock.boids=300"), way], &options).expect("a view");
    let mut viewer = Viewer::of(&view);
    viewer.frame();
    let from = view.steps();
    // A field of a million nodes.
    let fine = viewer.request(json!({ "do": "set", "key": "drive.way.cell", "value": "0.0156" }));
    // An answer that came before these frames would fail the test.
    for _ in 0..5 {
        viewer.frame();
    }
    let paused = viewer.request(json!({ "do": "pause" }));
    let answer = viewer.answer(paused);
    assert!(
        answer["error"].is_null() && view.steps() > from + 100,
        "{answer} after {} steps",
        view.steps() - from
    );
    let answer = viewer.answer(fine);
    assert_eq!(
        (answer["error"].as_str(), answer["effect"].as_str()),
        (None, Some("next_step")),
        "{answer}"
    );
    assert_eq!(viewer.value("drive.way.cell"), 0.0156);
    assert!(scene_of(&view).contains("0.0156"));
}

/// A page that has its answer may draw its switches: they are as the answered request left them.
#[test]
fn how_things_stand_comes_before_the_answer() {
    let view = shoal(paused());
    let mut viewer = Viewer::of(&view);
    viewer.frame();
    for weight in ["0.25", "0.5", "0.75"] {
        viewer.grant(json!({ "do": "remove", "rule": "alignment" }));
        assert_eq!(viewer.state["absent"], json!(["alignment", "formation"]));
        viewer.grant(json!({ "do": "set", "key": "alignment.weight", "value": weight }));
        assert_eq!(viewer.value("alignment.weight").to_string(), weight);
        viewer.grant(json!({ "do": "play" }));
        assert_eq!(viewer.state["paused"], false);
        viewer.grant(json!({ "do": "pause" }));
        assert_eq!(viewer.state["paused"], true);
    }
}

/// A new viewer sees the flock as it is, not the frame that was last published.
#[test]
fn the_first_frame_is_of_now() {
    let view = shoal(Options { speed: Some(100.0), ..Options::default() });
    Viewer::of(&view).frame();
    until("it has flown on", || view.steps() > 200);
    let steps = view.steps();
    assert!(Viewer::of(&view).frame().step >= steps);
}

/// Of rules, of a model, and of a flock whose dimension is exchanged: what `scene.toml` says is
/// what runs after a reset.
#[test]
fn what_is_saved_is_what_ran() {
    let cases: [(&str, &[(&str, &str)]); 3] = [
        (
            "shoal",
            &[
                ("cohesion.weight", "1.75"),
                ("agent.combine", "prioritized"),
                ("flock.seed", "9"),
                ("flock.dt", "0.04"),
            ],
        ),
        ("vicsek1995", &[("model.noise", "0.3"), ("flock.boids", "320")]),
        (
            "murmuration",
            &[
                ("separation.weight", "12.3456789"),
                ("flock.steer_every", "3"),
                ("domain.kind", "reflecting"),
            ],
        ),
    ];
    for (preset, changes) in cases {
        let view = View::start(preset, &[set("flock.boids=300")], &Options { port: 0, ..paused() })
            .expect("a view");
        let mut viewer = Viewer::of(&view);
        viewer.frame();
        for (key, value) in changes {
            viewer.grant(json!({ "do": "step" }));
            viewer.grant(json!({ "do": "set", "key": key, "value": value }));
        }
        viewer.grant(json!({ "do": "reset" }));
        for _ in 0..20 {
            viewer.grant(json!({ "do": "step" }));
        }
        let shown = viewer.frame_with("the last step", |frame| frame.run == 1 && frame.step == 20);

        let scene = Scene::parse("tuned.toml", &scene_of(&view), &[]).expect("a scene");
        let mut flock = scene.build(&Machine::default()).expect("a flock").flock;
        (0..20).for_each(|_| flock.step(scene.dt()));
        let rows = flock.rows();
        let bits =
            |v: [f32; 3]| v[..shown.dimensions].iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(
            shown.positions,
            rows.iter().flat_map(|row| bits(row.position)).collect::<Vec<_>>(),
            "{preset}"
        );
        assert_eq!(
            shown.velocities,
            rows.iter().flat_map(|row| bits(row.velocity)).collect::<Vec<_>>(),
            "{preset}"
        );
        let text = scene_of(&view);
        assert!(
            changes.iter().all(|(_, value)| text.contains(value)) && text.starts_with('#'),
            "{preset}: {text}"
        );
    }
}

#[test]
fn explanations_are_those_of_the_command() {
    let view = shoal(paused());
    let mut viewer = Viewer::of(&view);
    viewer.grant(json!({ "do": "set", "key": "cohesion.weight", "value": "2" }));
    for _ in 0..7 {
        viewer.grant(json!({ "do": "step" }));
    }
    let answer = viewer.grant(json!({ "do": "explain", "boid": 17 }));

    let scene =
        Scene::load("shoal", &[set("flock.boids=300"), set("cohesion.weight=2")]).expect("a scene");
    let mut built = scene.build(&Machine::default()).expect("a flock");
    (0..7).for_each(|_| built.flock.step(scene.dt()));
    let page = SceneExplanation::of(&mut built.flock, 17, scene.name(), scene.dt(), &built.origin)
        .expect("a boid");
    let expected: serde_json::Value =
        serde_json::from_str(&page.json().expect("JSON")).expect("JSON");
    assert_eq!(answer["page"], expected);
    let error = viewer.ask(json!({ "do": "explain", "boid": 300 }));
    assert!(error["error"].as_str().is_some_and(|line| line.contains("300")), "{error}");
}
