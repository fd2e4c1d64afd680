//! The building of docs/CROWDS.md, which is the preset `building`.

use std::path::Path;

use wingbeat::Event;
use wingbeat_scene::{Machine, Scene};

use super::{build, scene};
use wingbeat_test_support::tier;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn building(settings: &[&str]) -> Scene {
    scene("building", settings)
}

/// When people left, and by which exit (0 north, 1 east), in five minutes.
fn leave(scene: &Scene) -> Vec<(f64, usize)> {
    let (mut flock, mut out) = (build(scene), Vec::new());
    while !flock.is_empty() && flock.time() < 300.0 {
        flock.step(scene.dt());
        let time = flock.time();
        out.extend(flock.events().iter().filter_map(|event| match *event {
            Event::Exited { exit, .. } => Some((time, exit.get())),
            _ => None,
        }));
    }
    out
}

#[test]
fn all_leave_the_building() {
    for seed in 1..=tier::either(2, 5) {
        let out = leave(&building(&[&format!("flock.seed={seed}")]));
        assert_eq!(out.len(), 120, "seed {seed}");
        // 45 to 54 s in twenty seeds.
        assert!(
            (35.0..60.0).contains(&out[119].0),
            "seed {seed}: the last after {:.1} s",
            out[119].0
        );
        let north = out.iter().filter(|&&(_, exit)| exit == 0).count();
        assert!((75..=105).contains(&north), "seed {seed}: {north} by the north");
    }
}

#[test]
fn when_a_door_closes_all_go_to_the_other() {
    let out = leave(&building(&["exit.north.closes=20"]));
    assert_eq!(out.len(), 120);
    assert!(out.iter().all(|&(time, exit)| exit == 1 || time < 20.0 + 1e-6), "{out:?}");
    assert!(out.iter().any(|&(_, exit)| exit == 0));
    assert!(out[119].0 > 55.0, "the last after {:.1} s", out[119].0);
    let out = leave(&building(&["exit.north.open=false"]));
    assert!(out.len() == 120 && out.iter().all(|&(_, exit)| exit == 1), "{out:?}");
}

/// What the page has to be pasted is the scene of the file.
#[test]
fn the_page_has_the_building() {
    let page =
        std::fs::read_to_string(Path::new(ROOT).join("docs/CROWDS.md")).expect("docs/CROWDS.md");
    let text =
        page.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a scene");
    let pasted =
        Scene::parse("docs/CROWDS.md", text, &[]).unwrap_or_else(|error| panic!("{error}"));
    let hashes = [building(&[]), pasted].map(|scene| {
        let mut flock =
            scene.build(&Machine::default()).unwrap_or_else(|error| panic!("{error}")).flock;
        (0..200).for_each(|_| flock.step(scene.dt()));
        flock.state_hash()
    });
    assert_eq!(hashes[0], hashes[1]);
}
