//! `wingbeat render`, as people and scripts use it.

#[cfg(unix)]
use std::process::Command;

use crate::common::{Lab, text};

const POND: &str = "[flock]\nboids = 60\ndimensions = 2\nseed = 7\n[domain]\nkind = \"periodic\"\n\
    [separation]\nradius = 0.8\n[alignment]\n[cohesion]\nradius = 1.5\n";

fn ok(lab: &Lab, args: &[&str]) -> String {
    let output = lab.wingbeat(&[&["render"], args].concat());
    assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

fn bytes(lab: &Lab, name: &str) -> Vec<u8> {
    std::fs::read(lab.path(name)).expect("a picture")
}

#[test]
fn a_recording_and_its_scene_make_the_same_pictures_on_any_number_of_threads() {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", POND);
    for (scene, size) in [(scene.as_str(), "300x200"), ("murmuration", "320x180")] {
        let start = [scene, "--boids", "500", "--steps", "12"];
        lab.json(&[&start[..], &["--record", "a.wbr"]].concat());
        let style = ["--size", size, "--trails", "4"];
        ok(&lab, &[&["a.wbr", "--png", "a.png"], &style[..]].concat());
        for (name, threads) in [("b.png", "1"), ("c.png", "3")] {
            ok(&lab, &[&start[..], &["--png", name, "--threads", threads], &style[..]].concat());
            assert!(bytes(&lab, name) == bytes(&lab, "a.png"), "{scene} {threads}");
        }
        ok(&lab, &[&["a.wbr", "--png", "d.png", "--frame", "3"], &style[..]].concat());
        assert!(bytes(&lab, "d.png") != bytes(&lab, "a.png"));
    }
}

#[test]
fn sequences_are_numbered_and_films_go_round() {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", POND);
    let size = ["--size", "64x64"];
    let said = ok(
        &lab,
        &[&[&scene, "--steps", "10", "--png", "p.png", "--every", "4"], &size[..]].concat(),
    );
    assert_eq!(lab.files(), ["p_000000.png", "p_000001.png", "p_000002.png", "pond.toml"]);
    assert!(said.contains("3 pictures of 64x64") && said.contains("drawn in"), "{said}");
    ok(
        &lab,
        &[&[&scene, "--steps", "10", "--png", "q.png", "--frame", "4..5"], &size[..]].concat(),
    );
    // The same state, the same picture, whatever it is called.
    assert_eq!(bytes(&lab, "q_000000.png").len(), bytes(&lab, "p_000001.png").len());
    assert!(lab.path("q_000001.png").exists() && !lab.path("q_000002.png").exists());
    assert!(
        ok(&lab, &[&[&scene, "--steps", "6", "--gif", "p.gif", "--quiet"], &size[..]].concat())
            .is_empty()
    );
    let gif = bytes(&lab, "p.gif");
    assert_eq!((&gif[..6], gif.last()), (&b"GIF89a"[..], Some(&b';')));
    assert!(gif.windows(11).any(|part| part == b"NETSCAPE2.0"));
}

/// A program called ffmpeg that keeps what it is given.
#[cfg(unix)]
fn with_ffmpeg(lab: &Lab, script: Option<&str>, args: &[&str]) -> std::process::Output {
    use std::os::unix::fs::PermissionsExt;
    std::fs::create_dir_all(lab.path("bin")).expect("a folder");
    let program = lab.path("bin/ffmpeg");
    let _ = std::fs::remove_file(&program);
    if let Some(script) = script {
        std::fs::write(&program, script).expect("a program");
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755))
            .expect("a program");
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_wingbeat"));
    command
        .arg("render")
        .args(args)
        .current_dir(lab.folder())
        .env("PATH", lab.path("bin"))
        .output()
        .expect("the binary runs")
}

#[test]
#[cfg(unix)]
fn films_as_mp4_are_made_by_ffmpeg_or_not_at_all() {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", POND);
    let args = [&scene, "--steps", "4", "--mp4", "a.mp4", "--size", "64x48"];

    let output = with_ffmpeg(&lab, None, &args);
    let message = text(&output.stderr);
    assert_eq!((output.status.code(), message.lines().count()), (Some(2), 1), "{message}");
    assert!(message.contains("ffmpeg") && message.contains("apt install ffmpeg"), "{message}");

    let keeps = "#!/bin/sh\n[ \"$1\" = -version ] && exit 0\nfor to; do :; done\n\
        exec /bin/cat > \"$to\"\n";
    let output = with_ffmpeg(&lab, Some(keeps), &args);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let film = bytes(&lab, "a.mp4");
    assert_eq!(film.len(), 5 * 64 * 48 * 4);
    assert!(film.chunks_exact(4).all(|pixel| pixel[3] == 255));
    std::fs::remove_file(lab.path("a.mp4")).expect("a film");

    let fails = "#!/bin/sh\n[ \"$1\" = -version ] && exit 0\necho 'first line' >&2\n\
        echo 'Unknown encoder' >&2\nexit 1\n";
    let output = with_ffmpeg(&lab, Some(fails), &args);
    let message = text(&output.stderr);
    assert_eq!((output.status.code(), message.lines().count()), (Some(1), 1), "{message}");
    assert!(message.contains("Unknown encoder"), "{message}");
    std::fs::remove_dir_all(lab.path("bin")).expect("a folder");
    assert_eq!(lab.files(), ["pond.toml"]);
}

#[test]
fn species_have_colors() {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", POND);
    let rows: String = (0..500)
        .map(|id| format!("{id},{}\n", if id % 2 == 0 { "herring" } else { "cod" }))
        .collect();
    lab.write("kinds.csv", format!("id,species\n{rows}"));
    let args = [&scene, "--boids", "500", "--steps", "1", "--size", "64x64", "--png"];
    ok(&lab, &[&args[..], &["a.png", "--color", "species", "--species", "kinds.csv"]].concat());
    ok(&lab, &[&args[..], &["b.png"]].concat());
    assert!(bytes(&lab, "a.png") != bytes(&lab, "b.png"));
    lab.write("few.csv", "id,species\n0,cod\n");
    let output = lab.wingbeat(
        &[&["render"], &args[..], &["c.png", "--color", "species", "--species", "few.csv"]]
            .concat(),
    );
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("boid 1 is missing"), "{}", text(&output.stderr));
}

#[test]
fn flocks_that_have_species_are_colored_by_them() {
    let lab = Lab::new();
    let start = ["hunter_prey", "--boids", "60", "--steps", "9"];
    lab.json(&[&start[..], &["--record", "a.wbr", "--still", "still.svg"]].concat());
    let size = ["--size", "640x640"];
    let draw = |name: &str, args: &[&str]| {
        ok(&lab, &[args, &["--png", name], &size].concat());
        bytes(&lab, name)
    };
    let usual = draw("a.png", &["a.wbr"]);
    assert!(draw("b.png", &["a.wbr", "--color", "species"]) == usual);
    assert!(draw("c.png", &start) == usual);
    lab.json(&[&start[..], &["--record", "a.csv"]].concat());
    let of_table = draw("d.png", &["a.csv"]);
    let (prey, hunter) = ("prey", "hunter");
    // Who is of which species can be told another way: here by the names alone, which the legend
    // shows, and then the other way round.
    let kinds = |of: &dyn Fn(u32) -> &'static str| -> String {
        (0..60).fold("id,species\n".into(), |text, id| text + &format!("{id},{}\n", of(id)))
    };
    let csv = std::fs::read_to_string(lab.path("a.csv")).expect("a table");
    let hunters: Vec<u32> = csv
        .lines()
        .skip(1)
        .take(60)
        .enumerate()
        .filter(|(_, row)| row.contains(",hunter,"))
        .map(|(i, _)| i as u32)
        .collect();
    assert!((1..30).contains(&hunters.len()), "{hunters:?}");
    lab.write("same.csv", kinds(&|id| if hunters.contains(&id) { hunter } else { prey }));
    lab.write("other.csv", kinds(&|id| if hunters.contains(&id) { prey } else { hunter }));
    assert!(draw("e.png", &["a.wbr", "--species", "same.csv"]) == usual);
    let other = draw("f.png", &["a.wbr", "--species", "other.csv"]);
    let heading = draw("g.png", &["a.wbr", "--color", "heading"]);
    assert!(other != usual && heading != usual && of_table != heading);
    // Two colors of darts in the picture of the flock, and a dot for each before its name.
    let svg = std::fs::read_to_string(lab.path("still.svg")).expect("a picture");
    assert!(
        svg.contains(">prey<") && svg.contains(">hunter<") && !svg.contains(">heading<"),
        "{svg:.400}"
    );
}

#[test]
fn species_that_cannot_be_told_apart_by_color_are_not() {
    let lab = Lab::new();
    let table = |kinds: u32| -> String {
        (0..20).fold("frame,id,species,x,y\n".into(), |text, id| {
            text + &format!("0,{id},s{},{id},{}\n", id % kinds, id * 7 % 5)
        })
    };
    for (kinds, is_usual) in [(1, false), (2, true), (8, true), (9, false)] {
        lab.write("a.csv", table(kinds));
        let draw = |name: &str, color: &[&str]| {
            let output = lab.wingbeat(
                &[&["render", "a.csv", "--size", "400x300", "--png", name], color].concat(),
            );
            (output.status.code(), text(&output.stderr))
        };
        assert_eq!(
            (draw("usual.png", &[]).0, draw("heading.png", &["--color", "heading"]).0),
            (Some(0), Some(0))
        );
        assert_eq!(
            bytes(&lab, "usual.png") != bytes(&lab, "heading.png"),
            is_usual,
            "{kinds} species"
        );
        let (code, message) = draw("species.png", &["--color", "species"]);
        assert_eq!(code, Some(if kinds == 9 { 2 } else { 0 }), "{message}");
        assert!(kinds != 9 || message.contains("at most 8 species, and these are 9"), "{message}");
    }
}

#[test]
fn bad_input_is_refused_in_one_line() {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", POND);
    lab.json(&[&scene, "--boids", "20", "--steps", "2", "--record", "a.wbr"]);
    for (args, expected) in [
        (&["a.wbr"][..], "--png"),
        (&["a.wbr", "--png", "a.png", "--gif", "a.gif"], "cannot be used with"),
        (&["a.wbr", "--png", "a.jpg"], ".png"),
        (&["a.wbr", "--png", "no/a.png"], "a folder that exists"),
        (&["none.wbr", "--png", "a.png"], "no such file"),
        (&["a.vtp", "--png", "a.png"], "a.vtp"),
        (&["a.wbr", "--png", "a.png", "--frame", "3"], "--frame = 3: allowed is 0 to 2"),
        (&["a.wbr", "--png", "a.png", "--frame", "2..1"], "--frame = 2..1"),
        (&["a.wbr", "--png", "a.png", "--every", "0"], "--every = 0"),
        (&["a.wbr", "--png", "a.png", "--steps", "3"], "a recording: allowed with it is none of"),
        (&["a.wbr", "--png", "a.png", "--size", "10x10"], "--size = 10x10: allowed is 16x16 to"),
        (&["a.wbr", "--png", "a.png", "--size", "big"], "--size = big"),
        (
            &["a.wbr", "--png", "a.png", "--color", "blue"],
            "--color = blue: allowed is heading or speed or species",
        ),
        (&["a.wbr", "--png", "a.png", "--color", "species"], "--species FILE.csv"),
        (
            &["a.wbr", "--png", "a.png", "--color", "speed", "--species", "kinds.csv"],
            "nothing with another --color than species",
        ),
        (&["a.wbr", "--png", "a.png", "--trails", "-1"], "--trails = -1: allowed is 0 to 1000"),
        (
            &["a.wbr", "--png", "a.png", "--camera", "1,2"],
            "--camera = 1,2: allowed is nothing in the plane",
        ),
        (&["murmuration", "--png", "a.png", "--camera", "1,2,3"], "AZIMUTH,ELEVATION"),
        (
            &["murmuration", "--png", "a.png", "--camera", "0,100"],
            "--camera = 100: allowed is -90 to 90",
        ),
        (&["a.wbr", "--png", "a.png", "--zoom", "0"], "--zoom = 0: allowed is 0.01 to 1000"),
        (&["a.wbr", "--png", "a.png", "--rate", "5"], "nothing without --gif or --mp4"),
        (&["a.wbr", "--gif", "a.gif", "--rate", "60"], "0.1 to 50"),
        (&["a.wbr", "--png", "a.png", "--background", "red"], "allowed is dark, light, a .png"),
        (&["a.wbr", "--png", "a.png", "--threads", "0"], "--threads = 0"),
    ] {
        let output = lab.wingbeat(&[&["render"], args].concat());
        let message = text(&output.stderr);
        assert_eq!(
            (output.status.code(), message.lines().count()),
            (Some(2), 1),
            "{args:?}: {message}"
        );
        assert!(message.contains(expected), "{args:?}: {message}");
    }
    assert_eq!(lab.files(), ["a.wbr", "pond.toml"]);
}

#[test]
#[cfg(unix)]
fn a_film_that_is_interrupted_leaves_nothing() {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", POND);
    let mut command = Command::new(env!("CARGO_BIN_EXE_wingbeat"));
    command
        .args(["render", &scene, "--steps", "100000000", "--gif", "a.gif", "--size", "64x64"])
        .current_dir(lab.folder());
    let child = command.stderr(std::process::Stdio::piped()).spawn().expect("the binary runs");
    let begun = std::time::Instant::now();
    // Before it listens it only tries whether there could be a file.
    let is_begun = |name: &String| {
        name.starts_with(".wingbeat-")
            && std::fs::metadata(lab.path(name)).is_ok_and(|file| file.len() > 0)
    };
    while !lab.files().iter().any(is_begun) && begun.elapsed().as_secs() < 60 {
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    assert!(lab.files().iter().any(is_begun), "a film is being made");
    assert!(
        Command::new("kill")
            .args(["-INT", &child.id().to_string()])
            .status()
            .expect("kill runs")
            .success()
    );
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130), "{}", text(&output.stderr));
    assert!(
        text(&output.stderr).contains("stopped; nothing is written"),
        "{}",
        text(&output.stderr)
    );
    assert_eq!(lab.files(), ["pond.toml"]);
}

/// What a camera saw lies behind who was tracked in it: one picture, one for each frame, or by the
/// frame's number.
#[test]
fn pictures_lie_behind_a_recording() {
    let lab = Lab::new();
    let walk: String = (0..12)
        .map(|frame| {
            format!("{},1,{},40\n{},2,{},60\n", 3 + frame, 10 * frame, 3 + frame, 120 - 10 * frame)
        })
        .collect();
    let walk = lab.write("walk.csv", format!("frame,id,x,y\n{walk}"));
    std::fs::create_dir(lab.path("film")).expect("a folder");
    // Any pictures do: of other walkers, and numbered so that the order of names is another.
    for (k, name) in
        (0..12).map(|k| (k, format!("film/f{}.png", 3 + k))).chain([(2, "one.png".into())])
    {
        ok(
            &lab,
            &[
                &walk,
                "--frame",
                &k.to_string(),
                "--png",
                &name,
                "--size",
                "160x120",
                "--plain",
                "--background",
                "light",
            ],
        );
    }
    let drawn = |name: &str, more: &[&str]| {
        ok(
            &lab,
            &[&[walk.as_str(), "--png", name, "--frame", "7", "--y-down", "--quiet"], more]
                .concat(),
        );
        bytes(&lab, name)
    };
    let plain = drawn("plain.png", &[]);
    let one = drawn("a.png", &["--background", "one.png"]);
    assert!(one != plain && one == drawn("b.png", &["--background", "one.png", "--threads", "1"]));
    // Where it lies by itself: 160 by 120 pixels below 0,0.
    assert!(one == drawn("c.png", &["--background", "one.png", "--background-area=0,-120,160,0"]));
    assert!(one != drawn("d.png", &["--background", "one.png", "--background-area=0,-100,160,0"]));
    // Frame 7 of the recording has the number 10, and the picture f10.png.
    let tenth = drawn("e.png", &["--background", "film/f10.png"]);
    assert!(tenth != one && tenth == drawn("f.png", &["--background", "film"]));
    assert!(tenth == drawn("g.png", &["--background", "film/f%d.png"]));
    ok(&lab, &[&walk, "--y-down", "--gif", "walk.gif", "--background", "film", "--trails", "2"]);

    std::fs::remove_file(lab.path("film/f10.png")).expect("a picture");
    lab.write("torn.png", &bytes(&lab, "one.png")[..90]);
    let scene = lab.write("pond.toml", POND);
    std::fs::write(lab.path("space.csv"), "frame,id,x,y,z\n0,1,0,0,0\n1,1,1,1,1\n")
        .expect("a file");
    let cases: [(&[&str], &str); 8] = [
        (
            &[&walk, "--background", "blue"],
            "--background = blue: allowed is dark, light, a .png, a folder",
        ),
        (
            &[&walk, "--background", "film"],
            "--background = film: allowed is a folder with a .png for each of the 12 frames; it \
                has 11",
        ),
        (
            &[&walk, "--frame", "7", "--background", "film/f%d.png"],
            "--background film/f10.png: cannot be read",
        ),
        (&[&walk, "--background", "torn.png"], "--background torn.png: not a whole PNG"),
        (
            &[&walk, "--background-area", "0,0,1,1"],
            "--background-area = 0,0,1,1: allowed is nothing without a picture",
        ),
        (
            &[&walk, "--background", "one.png", "--background-area", "0,5,1,1"],
            "--background-area = 0,5,1,1: allowed is XMIN",
        ),
        (
            &["space.csv", "--background", "one.png"],
            "--background = one.png: allowed is dark or light in space",
        ),
        (&[&scene, "--steps", "1", "--fill-gaps", "3"], "--fill-gaps = 3: allowed is nothing here"),
    ];
    for (args, refusal) in cases {
        let output = lab.wingbeat(&[&["render"], args, &["--png", "none.png"]].concat());
        let said = text(&output.stderr);
        assert!(output.status.code() == Some(2) && said.contains(refusal), "{args:?}: {said}");
        assert!(!lab.path("none.png").exists(), "{args:?}");
    }
}

/// The same tank told in four ways; and what is no outline.
#[test]
fn outlines_are_drawn_around_a_recording() {
    let lab = Lab::new();
    let walk = lab.write("walk.csv", "frame,id,x,y\n0,1,1,1\n0,2,3,3\n1,1,2,1\n1,2,3,2\n");
    lab.write("tank.csv", "x,y\n0,0\n8,0 # the door\n\n8,6\n0,6\n");
    lab.write("tank.txt", "0 0\n8 0\n8 6\n0 6\n");
    lab.write("tank.wkt", "POLYGON ((0 0, 8 0, 8 6, 0 6, 0 0))\n");
    let drawn = |outline: &[&str]| {
        ok(
            &lab,
            &[&[walk.as_str(), "--png", "a.png", "--quiet", "--size", "200x150"], outline].concat(),
        );
        bytes(&lab, "a.png")
    };
    let wanted = drawn(&["--outline", "rectangle:0,0,8,6"]);
    assert!(wanted != drawn(&[]) && wanted != drawn(&["--outline", "circle:4,3,3"]));
    for same in ["tank.csv", "tank.txt", "tank.wkt"] {
        assert!(wanted == drawn(&["--outline", same]), "{same}");
    }
    assert!(wanted != drawn(&["--outline", "tank.csv", "--outline", "circle:4,3,2"]));
    lab.write("bad.csv", "0,0\n1,x\n1,1\n");
    lab.write("few.csv", "0,0\n1,1\n");
    for (outline, refusal) in [
        ("circle:1,2,0", "--outline = circle:1,2,0: allowed is circle:X,Y,R"),
        ("circle:1,2", "--outline = circle:1,2: allowed is"),
        ("rectangle:0,0,0,5", "--outline = rectangle:0,0,0,5: allowed is"),
        ("rectangle:0,0,inf,5", "--outline = rectangle:0,0,inf,5: allowed is"),
        ("none.csv", "--outline = none.csv: allowed is"),
        ("bad.csv", "bad.csv:2: \"1,x\": allowed is two finite numbers"),
        ("few.csv", "--outline = few.csv: allowed is"),
    ] {
        for command in
            [&["render", &walk, "--png", "no.png"][..], &["replay", &walk, "-o", "no.html"]]
        {
            let output = lab.wingbeat(&[command, &["--outline", outline]].concat());
            let said = text(&output.stderr);
            assert!(
                output.status.code() == Some(2)
                    && said.contains(refusal)
                    && said.lines().count() == 1,
                "{outline}: {said}"
            );
        }
    }
    assert!(!lab.path("no.png").exists() && !lab.path("no.html").exists());
}
