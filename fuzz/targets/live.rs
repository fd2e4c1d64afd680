//! Requests of the live protocol, one a line, to a small flock that steps between them. The first
//! byte says of which preset; above 127 a scene comes first, which a line `---` ends.
#![no_main]
use libfuzzer_sys::fuzz_target;
use wingbeat_fuzz::{first, scenes::MOST_BOIDS};
use wingbeat_scene::{Machine, Override};
use wingbeat_session::{EditableScene, LiveFlock, Request};

const PRESETS: [&str; 6] =
    ["shoal", "hunter_prey", "leader", "counterflow", "couzin2002", "vision_cone_follow"];
const MOST_REQUESTS: usize = 12;

fuzz_target!(|bytes: &[u8]| {
    let (preset, rest) = first(bytes);
    let Ok(text) = std::str::from_utf8(rest) else { return };
    let (scene, text) = if preset < 128 {
        (None, text)
    } else {
        text.split_once("\n---\n").map_or((None, text), |(a, b)| (Some(a), b))
    };
    let requests: Vec<Request> = text
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .take(MOST_REQUESTS)
        .collect();
    if requests.is_empty() || requests.iter().any(is_large) {
        return;
    }
    let Some(scene) = tuned(scene, preset) else { return };
    let Ok(mut flock) =
        LiveFlock::new(scene, Machine { threads: Some(1), level: None }, None, false)
    else {
        return;
    };
    for request in requests {
        let answer = flock.follow(request);
        assert!(serde_json::to_string(&answer).is_ok_and(|line| !line.contains('\n')));
        flock.step();
    }
    // What can be saved can be opened again, and is the scene as it stands.
    let saved = EditableScene::parse("saved", &flock.toml(), None)
        .unwrap_or_else(|refusal| panic!("{refusal}\n{}", flock.toml()));
    assert_eq!(saved.toml(), flock.toml());
    serde_json::to_string(&flock.state()).expect("JSON");
    let rows = flock.flock().rows();
    assert!(
        rows.iter().all(|row| row.position.iter().chain(&row.velocity).all(|x| x.is_finite())),
        "NaN or infinity"
    );
    flock.frame(0.0, flock.observe());
});

/// The scene of a text, if it is a small one that reads no files, or of a preset.
fn tuned(text: Option<&str>, preset: u8) -> Option<EditableScene> {
    if let Some(text) = text {
        let small = |scene: &EditableScene| {
            scene.scene().boids().is_some_and(|n| n <= MOST_BOIDS)
                && scene.scene().files().is_empty()
        };
        return EditableScene::parse("scene", text, None).ok().filter(small);
    }
    let few = Override::set(&format!("flock.boids={MOST_BOIDS}")).expect("an assignment");
    Some(
        EditableScene::load(PRESETS[usize::from(preset) % PRESETS.len()], &[few])
            .expect("a preset"),
    )
}

/// Whether a request may make a flock of many boids, which costs time and finds nothing else.
fn is_large(request: &Request) -> bool {
    let Request::Set { key, value, .. } = request else { return false };
    (key.contains("boids") || key.contains("count")) && value.trim().len() > 2
}
