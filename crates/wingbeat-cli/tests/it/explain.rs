//! `wingbeat explain`: its numbers are the run's, it reads well, and what it cannot explain it
//! refuses in one line.

use crate::common::{Lab, text};
use serde_json::Value;
use wingbeat_test_support::tier;

/// Boids 0 and 1 of a file: 0.5 apart along x, drawn together with twice the offset.
const PAIR: &str = "\
[flock]
boids = 2
dimensions = 2
dt = 0.5
[initial]
file = \"pair.csv\"
[cohesion]
radius = 1.0
weight = 2.0
";

fn pair(lab: &Lab) -> String {
    lab.write("pair.csv", "id,x,y,vx,vy\n3,1,2,0,1\n8,1.5,2,0,0\n");
    lab.write("pair.toml", PAIR)
}

fn json(lab: &Lab, args: &[&str]) -> Value {
    let all: Vec<&str> = ["explain"].iter().chain(args).chain(["--json"].iter()).copied().collect();
    let output = lab.wingbeat(&all);
    assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{args:?}: {error}: {}", text(&output.stdout)))
}

fn bits(v: &Value) -> Vec<u32> {
    let numbers = v.as_array().unwrap_or_else(|| panic!("a vector, not {v}"));
    numbers.iter().map(|x| (x.as_f64().expect("a number") as f32).to_bits()).collect()
}

#[test]
fn a_pair_by_hand() {
    let lab = Lab::new();
    let scene = pair(&lab);
    let page = json(&lab, &[&scene, "--boid", "3"]);
    assert_eq!(
        (&page["boid"], &page["step"], &page["at_rest"]),
        (&3.into(), &0.into(), &false.into())
    );
    assert_eq!(page["turn"]["kind"], "every_step");
    let terms = &page["decision"]["terms"];
    assert_eq!(
        (&terms[0]["term"], &terms[1]["term"], terms.as_array().map(Vec::len)),
        (&"cohesion".into(), &"walls".into(), Some(2))
    );
    let neighbor = &terms[0]["sees"]["neighbors"][0];
    assert_eq!(
        (&neighbor["id"], &neighbor["distance"], &neighbor["angle"]),
        (&8.into(), &0.5.into(), &90.0.into())
    );
    let half = [0.5f32, 0.0].map(f32::to_bits).to_vec();
    for key in ["sum", "mean", "response"] {
        assert_eq!(bits(&terms[0]["rule"][key]), half, "{key}");
    }
    assert_eq!(bits(&page["steering"]), [1.0f32, 0.0].map(f32::to_bits));
    assert_eq!(bits(&page["advance"]["velocity"]), [0.5f32, 1.0].map(f32::to_bits));
    assert_eq!(bits(&page["advance"]["position"]), [1.25f32, 2.5].map(f32::to_bits));

    let output = lab.wingbeat(&["explain", &scene, "--boid", "3"]);
    let page = text(&output.stdout);
    assert!(output.status.success() && output.stderr.is_empty());
    assert!(
        page.starts_with("boid 3 turns 27° right and speeds up to 1.12: cohesion with 8\n\n"),
        "{page}"
    );
    assert!(!page.contains("walls"), "an open world has none that push:\n{page}");
    for part in [
        "boid 3 of",
        "its decision in step 1",
        "90.0°",
        "cohesion",
        "times 2",
        "acceleration",
        "0.500000",
    ] {
        assert!(page.contains(part), "\"{part}\" is missing from:\n{page}");
    }
}

/// What is joined to a model is told term by term, and adds up.
#[test]
fn a_model_and_what_is_joined_to_it() {
    let lab = Lab::new();
    let scene = lab
        .write("pond.toml", "[flock]\nboids = 50\n[model]\nname = \"vicsek1995\"\nspeed = 0.5\n");
    let wind = ["--set", "drive.wind={kind=\"wind\", vector=[3, 0], weight=0.5}"];
    let alone = &json(&lab, &[&scene, "--boid", "3"])["decision"];
    assert_eq!(
        (&alone["joined"], alone["terms"].as_array().map(Vec::len)),
        (&"alone".into(), Some(0))
    );
    assert_eq!(bits(&alone["steering"]), bits(&alone["wanted"]));

    let page = json(&lab, &[&[scene.as_str(), "--boid", "3"], &wind[..]].concat());
    let decision = &page["decision"];
    let (terms, wanted, sum) = (&decision["terms"], &decision["wanted"], &decision["sum"]);
    assert_eq!(
        (&decision["joined"], &decision["speed"], &decision["walls"]),
        (&"velocity".into(), &0.5.into(), &Value::Null)
    );
    assert_eq!((&terms[0]["term"], terms.as_array().map(Vec::len)), (&"drive[0]".into(), Some(1)));
    assert_eq!(bits(&terms[0]["weighted"]), [1.5f32, 0.0].map(f32::to_bits));
    let number = |v: &Value, axis: usize| v[axis].as_f64().expect("a number") as f32;
    assert_eq!(bits(sum), [(number(wanted, 0) + 1.5).to_bits(), number(wanted, 1).to_bits()]);
    assert_eq!(bits(&page["steering"]), bits(&decision["steering"]));

    let output = lab.wingbeat(&[&["explain", &scene, "--boid", "3"], &wind[..]].concat());
    let page = text(&output.stdout);
    for part in [
        "model vicsek1995",
        "the model says",
        "  drive wind  ",
        "= sum",
        "its direction, at the speed 0.5",
    ] {
        assert!(page.contains(part), "\"{part}\" is missing from:\n{page}");
    }
}

/// Drives by their names, with what they are made of; those that are not for the boid are left out.
#[test]
fn drives_have_names_and_numbers() {
    let lab = Lab::new();
    let said = |args: &[&str]| text(&lab.wingbeat(&[&["explain"], args].concat()).stdout);
    let follower = said(&["leader", "--boid=17", "--step=60"]);
    for part in [
        "drive rounds (path)\n",
        "waypoint 1 of 4, distance ",
        "drive follow (leader)\n",
        "behind 0, distance ",
        "  times 0.4 ",
    ] {
        assert!(follower.contains(part), "\"{part}\" is missing from:\n{follower}");
    }
    let leader = said(&["leader", "--boid=0", "--step=60"]);
    assert!(
        leader.contains("drive rounds (path)") && !leader.contains("drive follow"),
        "it follows no boid:\n{leader}"
    );
    let hunter = said(&["hunter_prey", "--boid=1003", "--step=60"]);
    for part in [
        "  species ",
        "  stamina ",
        "of 400",
        "prey: interactions",
        "  pursue prey: ",
        "the nearest within 200, at ",
    ] {
        assert!(hunter.contains(part), "\"{part}\" is missing from:\n{hunter}");
    }
    assert!(!hunter.contains("drive rest"), "it does not rest:\n{hunter}");
    let blown = said(&[
        "leader",
        "--boids=1",
        "--boid=0",
        "--set=separation.weight=0",
        "--set=alignment.weight=0",
    ]);
    assert!(blown.contains("neighbors\n  no boid\n"), "rules look at a boid:\n{blown}");
}

/// The state after the step explained is where the page says it leads.
#[test]
fn pages_tell_where_the_run_goes() {
    let lab = Lab::new();
    for (scene, extra) in [
        ("shoal", "--set=agent.max_force=2"),
        ("vicsek1995", "--seed=5"),
        ("murmuration", "--set=flock.steer_every=3"),
    ] {
        let common = [scene, "--boids=400", extra];
        let ran = lab.wingbeat(
            &[&["run"], &common[..], &["--steps=13", "--final=after.csv", "--json"]].concat(),
        );
        assert!(ran.status.success(), "{}", text(&ran.stderr));
        let rows = std::fs::read_to_string(lab.path("after.csv")).expect("a final state");
        for id in [0usize, 17, 399] {
            let page =
                json(&lab, &[&common[..], &["--step=12", "--boid", &id.to_string()]].concat());
            let row: Vec<u32> = rows
                .lines()
                .nth(id + 1)
                .expect("a row")
                .split(',')
                .skip(1)
                .map(|x| x.parse::<f32>().unwrap().to_bits())
                .collect();
            let told =
                [bits(&page["advance"]["position"]), bits(&page["advance"]["velocity"])].concat();
            assert_eq!(told, row, "{scene} boid {id}");
        }
    }
}

#[test]
fn every_preset_has_a_page() {
    let lab = Lab::new();
    for preset in tier::sample(wingbeat_scene::PRESETS, 3) {
        let output = lab.wingbeat(&["explain", preset.name, "--boids=500", "--boid=7", "--step=2"]);
        let page = text(&output.stdout);
        assert!(output.status.success(), "{}: {}", preset.name, text(&output.stderr));
        let (sentence, rest) = page.split_once("\n\n").expect("a sentence and the numbers");
        assert!(
            sentence.starts_with("boid 7 ")
                && sentence.contains(": ")
                && sentence.lines().count() == 1,
            "{page}"
        );
        assert!(
            rest.starts_with(&format!("boid 7 of {}", preset.name)) && rest.contains("\nstep of "),
            "{page}"
        );
        assert!(page.lines().all(|line| line.chars().count() <= 130), "{page}");
    }
}

#[test]
fn what_cannot_be_explained_is_refused() {
    let lab = Lab::new();
    let scene = pair(&lab);
    let refused = |args: &[&str], expected: &[&str]| {
        let output = lab.wingbeat(&[&["explain"], args].concat());
        let stderr = text(&output.stderr);
        assert_eq!(
            (output.status.code(), text(&output.stdout)),
            (Some(2), String::new()),
            "{args:?}: {stderr}"
        );
        assert_eq!(stderr.lines().count(), 1, "{args:?}: {stderr}");
        expected.iter().for_each(|part| {
            assert!(stderr.contains(part), "{args:?}: \"{part}\" is missing from: {stderr}")
        });
    };
    refused(&[&scene, "--boid", "4"], &["--boid", "= 4", "2 boids", "3 to 8"]);
    for bad in ["-1", "1.5", "x", "", "99999999999999999999"] {
        refused(&[&scene, "--boid", bad], &["--boid", bad, "a whole number from 0"]);
        refused(&[&scene, "--boid", "3", "--step", bad], &["--step", bad, "a whole number from 0"]);
    }
    refused(&[&scene], &["--boid"]);
    refused(&["--boid", "3"], &["SCENE"]);
    refused(&["shaol", "--boid", "3"], &["shaol", "shoal"]);
    refused(&[&scene, "--boid", "3", "--steps", "5"], &["--steps"]);
    refused(&[&scene, "--boid", "3", "--dt", "0"], &["--dt", "above 0, at most 1000"]);
    refused(&[&scene, "--boid", "3", "--level", "sse9"], &["--level", "sse9", "portable"]);
    refused(
        &[&scene, "--boid", "3", "--set", "cohesion.raduis=1"],
        &["cohesion.raduis", "cohesion.radius"],
    );
}
