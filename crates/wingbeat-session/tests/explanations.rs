//! Explanations as data: their sentence, names and drives, worked out by hand on a few boids and
//! checked in whole scenes.

use serde_json::{Value, json};
use wingbeat_scene::{Built, Machine, Override, PRESETS, Scene};
use wingbeat_session::explain::SceneExplanation;

fn page(scene: &Scene, built: &mut Built, id: u64) -> Value {
    let page = SceneExplanation::of(&mut built.flock, id, scene.name(), scene.dt(), &built.origin)
        .expect("a boid");
    serde_json::from_str(&page.json().expect("JSON")).expect("JSON")
}

/// Boid 0 of a few that start as told, after some steps.
fn by_hand(dimensions: usize, rows: &str, text: &str, steps: u64) -> Value {
    let folder = tempfile::tempdir().expect("a folder");
    let columns = if dimensions == 2 { "id,x,y,vx,vy" } else { "id,x,y,z,vx,vy,vz" };
    std::fs::write(folder.path().join("start.csv"), format!("{columns}\n{rows}")).expect("a file");
    let head =
        format!("initial.file = \"start.csv\"\nflock.dimensions = {dimensions}\nflock.dt = 0.5\n");
    let scene = Scene::parse("hand.toml", &format!("{head}{text}"), &[])
        .expect("a scene")
        .in_folder(folder.path());
    let mut built = scene.build(&Machine::default()).expect("a flock");
    (0..steps).for_each(|_| built.flock.step(scene.dt()));
    page(&scene, &mut built, 0)
}

fn sentence(dimensions: usize, rows: &str, text: &str) -> String {
    by_hand(dimensions, rows, text, 0)["sentence"].as_str().expect("a sentence").to_string()
}

fn preset(name: &str, boids: &str, id: u64, steps: u64) -> Value {
    let scene =
        Scene::load(name, &[Override::flag("--boids", "flock.boids", boids)]).expect("a preset");
    let mut built = scene.build(&Machine::default()).expect("a flock");
    (0..steps).for_each(|_| built.flock.step(scene.dt()));
    page(&scene, &mut built, id)
}

fn terms(page: &Value) -> &Vec<Value> {
    page["decision"]["terms"].as_array().expect("terms")
}

fn vector(v: &Value) -> Vec<f32> {
    v.as_array().expect("a vector").iter().map(|x| x.as_f64().expect("a number") as f32).collect()
}

fn norm(v: &Value) -> f32 {
    vector(v).iter().map(|x| x * x).sum::<f32>().sqrt()
}

const LIMITS: &str = "[agent]\nmax_speed = 100.0\nmax_force = 100.0\n";

/// One neighbor half a unit to the right: (1 − 0.5/1)·2 = 1 to the left, which makes (1, 0.5) of
/// the velocity (1, 0).
const BESIDE: &str = "0,0,0,1,0\n1,0,-0.5,1,0\n";
const APART: &str = "[separation]\nradius = 1.0\nweight = 2.0\n";

#[test]
fn turns_speeds_and_the_main_term() {
    let alone = sentence(2, BESIDE, &format!("{LIMITS}{APART}"));
    assert_eq!(alone, "turns 27° left and speeds up to 1.12: separation from 1");
    let breeze = |weight| {
        format!("[drive.breeze]\nkind = \"wind\"\nvector = [0.0, 1.0]\nweight = {weight}\n")
    };
    let mostly = sentence(2, BESIDE, &format!("{LIMITS}{APART}{}", breeze("0.5")));
    assert_eq!(mostly, "turns 37° left and speeds up to 1.25: mostly separation from 1");
    let both = sentence(2, BESIDE, &format!("{LIMITS}{APART}{}", breeze("1.0")));
    assert_eq!(
        both,
        "turns 45° left and speeds up to 1.41: separation from 1 and drive breeze (wind)"
    );
    // Against the push, the breeze contributes nothing to where the boid goes.
    let against = sentence(2, BESIDE, &format!("{LIMITS}{APART}{}", breeze("-0.75")));
    assert_eq!(against, "turns 7.1° left: mostly separation from 1");
    let cancelled = sentence(2, BESIDE, &format!("{LIMITS}{APART}{}", breeze("-1.0")));
    assert_eq!(cancelled, "goes straight on: its forces cancel each other");
    let other_side = sentence(2, "0,0,0,1,0\n1,0,0.5,1,0\n", &format!("{LIMITS}{APART}"));
    assert_eq!(other_side, "turns 27° right and speeds up to 1.12: separation from 1");
}

/// Of the neighbors those are named that make half of what the rule wants; of many that are equal,
/// three and a number.
#[test]
fn the_neighbors_that_contribute_most() {
    // Pushes along −y: 8·(1 − d) at d = 0.5 and 0.9: 4 and 0.8; the third pushes the other way.
    let rows = "0,0,0,1,0\n5,0,0.5,1,0\n6,0,0.9,1,0\n7,0,-0.95,1,0\n";
    let apart = sentence(2, rows, &format!("{LIMITS}[separation]\nradius = 1.0\nweight = 8.0\n"));
    assert!(apart.ends_with(": separation from 5"), "{apart}");
    let many: String = (1..=7).map(|id| format!("{id},0.{id},0,1,1\n")).collect();
    let along =
        sentence(2, &format!("0,0,0,1,0\n{many}"), &format!("{LIMITS}[alignment]\nradius = 1.0\n"));
    assert_eq!(along, "turns 27° left and speeds up to 1.12: alignment with 1, 2, 3 and 4 more");
    // Those that fly as the boid does already are not why it speeds up.
    let rows = "0,0,0,1,0\n1,0.1,0,1,0\n2,0.2,0,3,0\n3,0.3,0,1,0\n4,0.4,0,1,0\n5,0.5,0,1,0\n";
    let faster = sentence(2, rows, &format!("{LIMITS}[alignment]\nradius = 1.0\n"));
    assert_eq!(faster, "goes straight on and speeds up to 1.2: alignment with 2");
    let pair = sentence(
        2,
        "0,0,0,1,0\n3,0.5,0.5,1,0\n4,-0.5,0.5,1,0\n",
        &format!("{LIMITS}[cohesion]\nradius = 2.0\n"),
    );
    assert_eq!(pair, "turns 14° left and speeds up to 1.03: cohesion with 3");
}

#[test]
fn at_rest_and_alone() {
    let rules = format!("{LIMITS}{APART}");
    assert_eq!(sentence(2, "0,0,0,0,0\n1,9,0,1,0\n", &rules), "stays at rest: it sees no boid");
    assert_eq!(
        sentence(2, "0,0,0,0,0\n1,0,-0.5,1,0\n", &rules),
        "sets off at 0.5: separation from 1"
    );
    assert_eq!(
        sentence(2, "0,0,0,0,-0.5\n1,0,-0.5,1,0\n", &rules),
        "comes to rest: separation from 1"
    );
    assert_eq!(
        sentence(2, "0,0,0,0,-0.25\n1,0,-0.5,1,0\n", &rules),
        "turns round: separation from 1"
    );
    let flow = "[drive.wind]\nkind = \"wind\"\nvector = [1.0, 0.0]\n";
    let blown = sentence(2, "0,0,0,1,0\n", &format!("{LIMITS}{flow}"));
    assert_eq!(
        blown, "goes straight on and speeds up to 1.5: drive wind",
        "the kind is the name, and no boid is looked at"
    );
    let blown = sentence(2, "0,0,0,1,0\n", &format!("{LIMITS}{APART}{flow}"));
    assert_eq!(blown, "goes straight on and speeds up to 1.5: drive wind; it sees no boid");
}

#[test]
fn in_space_the_larger_part_of_the_turn_counts() {
    let beside = |x: &str| {
        sentence(3, &format!("0,0,0,0,1,0,0\n1,{x},1,0,0\n"), &format!("{LIMITS}{APART}"))
    };
    for (x, side) in [
        ("0,0,-0.5", "up"),
        ("0,0,0.5", "down"),
        ("0,-0.5,0", "left"),
        ("0,0.5,0", "right"),
        ("0,0.1,-0.4", "up"),
    ] {
        let sentence = beside(x);
        assert!(sentence.contains(&format!("° {side} and")), "{x}: {sentence}");
    }
    // Steeply up, 14° of the compass are a turn of 3°, and the loss of pitch is 5°.
    let wind = "[drive.wind]\nkind = \"wind\"\nvector = [0.16, 0.14, 0.0]\n";
    let steep = sentence(3, "0,0,0,0,0.2,0,1\n", &format!("{LIMITS}{wind}"));
    assert!(steep.starts_with("turns 5.8° down and"), "{steep}");
    // A vertical flight has no left.
    let rising = sentence(3, "0,0,0,0,0,0,1\n1,0,-0.5,0,0,0,1\n", &format!("{LIMITS}{APART}"));
    assert_eq!(rising, "turns 27° and speeds up to 1.12: separation from 1");
}

#[test]
fn edges_and_turns_to_steer() {
    let domain = |kind| {
        format!(
            "{LIMITS}{APART}[domain]\nkind = \"{kind}\"\nmin = [-5.0, -5.0]\nmax = [5.0, 5.0]\n"
        )
    };
    for (kind, end) in [
        ("periodic", "; it leaves at one edge and enters at the opposite one"),
        ("reflecting", "; it is reflected at the edge"),
        ("walled", "; the edge stops it"),
        ("absorbing", "; it leaves the world"),
        ("open", ""),
    ] {
        let text = if kind == "open" { format!("{LIMITS}{APART}") } else { domain(kind) };
        let sentence = sentence(2, "0,4.9,0,1,0\n", &text);
        assert!(
            sentence.starts_with("goes straight on: it sees no boid") || kind == "walled",
            "{kind}: {sentence}"
        );
        assert!(
            sentence.ends_with(&format!("no boid{end}"))
                || kind == "walled" && sentence.ends_with(end),
            "{kind}: {sentence}"
        );
    }
    let rock = "[avoidance]\nweight = 0.0\n[obstacle.rock]\nkind = \"sphere\"\n\
        center = [0.9, 0.0]\nradius = 0.5\n";
    let met = sentence(2, "0,0,0,1,0\n", &format!("{LIMITS}{APART}{rock}"));
    assert_eq!(met, "goes straight on: it sees no boid; obstacle rock keeps it outside");
    let steering = format!("{LIMITS}{APART}");
    let slow = by_hand(2, BESIDE, &format!("flock.steer_every = 3\n{steering}"), 1);
    let said = slow["sentence"].as_str().expect("a sentence");
    assert_eq!(slow["turn"]["kind"], "holds");
    assert!(said.ends_with(": it goes on with the force of its last turn"), "{said}");
}

const SPECIES: &str = "\
[species.hare]
count = 1
[species.hare.agent]
max_speed = 2.0
max_force = 100.0
[species.wolf]
count = 1
[species.wolf.agent]
max_speed = 4.0
[species.wolf.stamina]
capacity = 10.0
drain = 100.0
[interaction.hare.wolf]
kind = \"flee\"
radius = 3.0
[interaction.wolf.hare]
kind = \"pursue\"
radius = 3.0
";

/// A wolf 1 ahead of a hare that runs at its full speed: it wants the opposite velocity.
#[test]
fn species_and_the_ones_they_flee() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("s.csv"), "id,x,y,vx,vy\n0,0,0,2,0\n1,1,0,0,0\n")
        .expect("a file");
    let head = "initial.file = \"s.csv\"\nflock.dimensions = 2\nflock.dt = 0.5\n";
    let scene = Scene::parse("s.toml", &format!("{head}{SPECIES}"), &[])
        .expect("a scene")
        .in_folder(folder.path());
    let mut built = scene.build(&Machine::default()).expect("a flock");
    let hare = page(&scene, &mut built, 0);
    assert_eq!(hare["sentence"], "comes to rest: flight from wolf 1");
    assert_eq!((&hare["species"], &hare["stamina"]), (&"hare".into(), &Value::Null));
    let met = &terms(&hare)[0]["interactions"][0];
    assert_eq!(
        (&met["kind"], &met["species"], &met["radius"]),
        (&"flee".into(), &"wolf".into(), &3.0.into())
    );
    assert_eq!((&met["neighbor"]["id"], &met["neighbor"]["species"]), (&1.into(), &"wolf".into()));
    assert_eq!(vector(&met["force"]), [-4.0, 0.0]);
    let wolf = page(&scene, &mut built, 1);
    assert_eq!(wolf["stamina"]["capacity"], 10.0);
    assert_eq!(wolf["stamina"]["left"], 10.0);
    assert!(
        wolf["sentence"].as_str().expect("a sentence").ends_with("pursuit of hare 0"),
        "{}",
        wolf["sentence"]
    );
    built.flock.step(scene.dt());
    let spent = page(&scene, &mut built, 1);
    assert_eq!(
        (&spent["stamina"]["left"], &spent["stamina"]["resting"]),
        (&0.0.into(), &true.into())
    );
    assert!(
        spent["sentence"]
            .as_str()
            .expect("a sentence")
            .ends_with("; it rests until its stamina is back"),
        "{}",
        spent["sentence"]
    );
}

#[test]
fn models_in_their_own_words() {
    let model = |name: &str| format!("domain.kind = \"open\"\n[model]\nname = \"{name}\"\n");
    let rows = "0,0,0,1,0\n1,0.5,0,0,1\n2,0,0.5,0,1\n";
    let vicsek = sentence(2, rows, &format!("{}noise = 0.0\nspeed = 1.0\n", model("vicsek1995")));
    assert_eq!(vicsek, "turns 63° left: it takes the mean direction of 2 neighbors");
    let couzin = |x: &str| {
        sentence(
            2,
            &format!("0,0,0,1,0\n1,{x},0,1\n"),
            &format!("{}noise = 0.0\nspeed = 1.0\n", model("couzin2002")),
        )
    };
    assert!(couzin("0.5,0").ends_with(": it keeps away from 1"));
    assert!(couzin("2,0").ends_with(": it takes the direction of 1 neighbor"));
    assert!(couzin("9,0").ends_with(": it is drawn to 1 neighbor"));
    assert!(couzin("-9,0").ends_with(": it sees no boid"), "behind");
    let joined = sentence(
        2,
        rows,
        &format!(
            "{}noise = 0.0\nspeed = 1.0\n[drive.north]\nkind = \"wind\"\nvector = [0.0, 9.0]\n",
            model("vicsek1995")
        ),
    );
    assert!(joined.ends_with(": mostly drive north (wind)"), "{joined}");
}

/// A goal 5 away at (3, 4) of a boid at the origin: half of the slowing radius, so half of the
/// speed.
#[test]
fn drives_in_numbers() {
    let goal = "[drive.home]\nkind = \"goal\"\ntarget = [3.0, 4.0]\nslowing_radius = 10.0\n\
        arrival_radius = 0.5\nweight = 2.0\n";
    let page = by_hand(2, "0,0,0,0.5,0\n", &format!("[agent]\nmax_speed = 2.0\n{goal}"), 0);
    let term = &terms(&page)[0];
    assert_eq!(
        (&term["term"], &term["name"], &term["kind"]),
        (&"drive[0]".into(), &"home".into(), &"goal".into())
    );
    let drive = &term["drive"];
    assert_eq!(
        (&drive["applies"], &drive["arrived"], &drive["distance"]),
        (&true.into(), &false.into(), &5.0.into())
    );
    assert_eq!(
        (vector(&drive["target"]), vector(&drive["desired"])),
        (vec![3.0, 4.0], vec![0.6, 0.8])
    );
    assert_eq!((vector(&drive["force"]), &drive["weight"]), (vec![0.6 - 0.5, 0.8], &2.0.into()));
    for absent in ["waypoint", "waypoints", "leader"] {
        assert!(drive.get(absent).is_none(), "{drive}");
    }
    let path = "[drive.rounds]\nkind = \"path\"\npoints = [[0.0, 0.0], [0.0, 9.0], [9.0, 9.0]]\n\
        radius = 1.0\n";
    let page = by_hand(2, "0,0,0.5,0,0\n", &format!("[agent]\nmax_speed = 2.0\n{path}"), 1);
    let drive = &terms(&page)[0]["drive"];
    assert_eq!(
        (&drive["waypoint"], &drive["waypoints"]),
        (&2.into(), &3.into()),
        "the first was taken at once: {drive}"
    );
    assert_eq!(vector(&drive["target"]), [0.0, 9.0]);
    assert!(
        page["sentence"]
            .as_str()
            .expect("a sentence")
            .ends_with(": drive rounds (path, waypoint 2 of 3)"),
        "{}",
        page["sentence"]
    );
    let for_none = "[species.a]\ncount = 1\n[species.b]\ncount = 1\n[drive.b]\nspecies = \"b\"\n\
        kind = \"noise\"\n";
    let page = by_hand(2, "0,0,0,1,0\n1,5,5,1,0\n", for_none, 0);
    assert_eq!(terms(&page)[0]["drive"]["applies"], false);
}

/// The whole page: separation pushes by 1 where 0.25 are left for it, and nothing for the walls.
#[test]
fn every_key_by_hand() {
    let limits = "[agent]\nmax_speed = 100.0\nmax_force = 0.25\ncombine = \"prioritized\"\n";
    let neighbor = json!({
        "id": 1, "offset": [0.0, -0.5], "distance": 0.5, "angle": 90.0, "velocity": [1.0, 0.0],
        "coincident": false, "only_near": false, "adds": [0.0, -0.5],
    });
    let separation = json!({
        "term": "separation",
        "sees": {
            "radius": 1.0, "cos_half_view": null, "near_radius": 0.0, "nearest": null,
            "out_of_sight": 0, "beyond_cap": 0, "neighbors": [neighbor],
        },
        "rule": {
            "sum": [0.0, -0.5], "included": null, "mean": null, "subtracted": null,
            "parting": null, "wanted": [0.0, 0.5], "response_kind": "raw", "response": [0.0, 0.5],
            "weight": 2.0,
        },
        "weighted": [0.0, 1.0], "budget": 0.25, "served": 0.25, "taken": [0.0, 0.25],
    });
    let walls = json!({
        "term": "walls", "sees": null, "rule": null, "weighted": [0.0, 0.0], "budget": null,
        "served": 0.0, "taken": [0.0, 0.0],
    });
    let expected = json!({
        "scene": "hand.toml", "sentence": "turns 7.1° left: separation from 1",
        "origin": [0.0, 0.0], "boid": 0, "step": 0, "dt": 0.5, "position": [0.0, 0.0],
        "velocity": [1.0, 0.0],
        "heading": [1.0, 0.0], "at_rest": false, "turn": { "kind": "every_step" },
        "decision": {
            "kind": "terms", "combine": "prioritized", "terms": [separation, walls],
            "sum": [0.0, 0.25], "cut_to": 0.25, "steering": [0.0, 0.25],
        },
        "steering": [0.0, 0.25],
        "advance": {
            "acceleration": [0.0, 0.25], "wanted_velocity": [1.0, 0.125], "limit": "none",
            "limit_value": null, "limited_velocity": [1.0, 0.125], "moved_to": [0.5, 0.0625],
            "met_edge": [false, false], "position": [0.5, 0.0625], "velocity": [1.0, 0.125],
        },
    });
    assert_eq!(by_hand(2, BESIDE, &format!("{limits}{APART}"), 0), expected);
}

#[test]
fn worlds() {
    let leader = preset("leader", "100", 41, 0);
    assert_eq!(
        leader["sentence"],
        "turns 2.3° right and slows to 1.4: mostly drive follow (leader 0)"
    );
    let drive = terms(&leader).iter().find(|term| term["name"] == "follow").expect("its drive");
    assert_eq!((&drive["kind"], &drive["drive"]["leader"]), (&"leader".into(), &0.into()));
    let leads = preset("leader", "100", 0, 60);
    assert_eq!(
        leads["sentence"],
        "turns 5.2° left and slows to 0.561: mostly drive rounds (path, waypoint 2 of 4)"
    );
    let follows_none =
        terms(&leads).iter().find(|term| term["name"] == "follow").expect("its drive");
    assert!(
        follows_none["drive"].get("leader").is_none()
            && follows_none["drive"].get("target").is_none()
    );

    let walks = preset("evacuation", "1000", 17, 60);
    let said = "turns 143° right and speeds up to 1.24: drive way (flow); it avoids others \
        (collision_free_speed)";
    assert_eq!(walks["sentence"], said);
    let ahead = &walks["advance"]["anticipation"];
    assert_eq!(ahead["model"], "collision_free_speed");
    assert!(!ahead["others"].as_array().expect("those it looks at").is_empty(), "{ahead}");
    assert!(norm(&ahead["velocity"]) < norm(&ahead["preferred"]), "others slow it: {ahead}");
    let hunter = preset("hunter_prey", "1020", 1003, 60);
    assert_eq!(hunter["species"], "hunter");
    let prey = terms(&hunter)
        .iter()
        .find_map(|term| term["interactions"][0]["neighbor"]["id"].as_u64())
        .expect("a prey");
    let said = hunter["sentence"].as_str().expect("a sentence");
    assert!(said.ends_with(&format!("pursuit of prey {prey}")), "{said}");
    let steered = preset("obstacle_course", "3000", 17, 60);
    assert_eq!(steered["sentence"], "turns 1.8° up: mostly obstacle spheres-9 ahead");
    let obstacle =
        terms(&steered).iter().find(|term| term["term"] == "obstacles").expect("the term");
    assert_eq!(obstacle["obstacle"]["name"], "spheres-9");
}

/// In every preset: one short line, and a drive's numbers belong together.
#[test]
fn every_preset_has_a_sentence() {
    let mut driven = 0;
    for scene in PRESETS {
        for id in [0, 7, 99] {
            let page = preset(scene.name, "500", id, 20);
            let said = page["sentence"].as_str().expect("a sentence");
            assert!(
                (20..=140).contains(&said.chars().count()) && !said.contains('\n'),
                "{}: {said}",
                scene.name
            );
            for term in terms(&page) {
                let drive = &term["drive"];
                let (Some(_), Some(_)) = (drive["desired"].as_array(), term["name"].as_str())
                else {
                    continue;
                };
                let (desired, velocity) = (vector(&drive["desired"]), vector(&page["velocity"]));
                for ((desired, velocity), force) in
                    desired.iter().zip(&velocity).zip(vector(&drive["force"]))
                {
                    // A wanted speed's velocity is the sum of the other two, rounded.
                    let rounding = if term["kind"] == "speed" { f32::EPSILON } else { 0.0 };
                    let off = (desired - velocity - force).abs();
                    assert!(off <= rounding * desired.abs(), "{}: {term}", scene.name);
                }
                driven += 1;
            }
        }
    }
    assert!(driven > 10, "{driven}");
}
