//! `page`: a page that runs a scene by itself, and the gallery.

use crate::common::{Lab, text};

const POND: &str = "[flock]\nboids = 60\ndimensions = 2\n[cohesion]\nradius = 1.5 # wide\n";

fn read(lab: &Lab, name: &str) -> String {
    text(&std::fs::read(lab.path(name)).unwrap_or_else(|error| panic!("{name}: {error}")))
}

#[test]
fn a_scene_becomes_a_page() {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", POND);
    let output = lab.wingbeat(&["page", &scene, "--seed", "9", "--json"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let page = read(&lab, "pond.html");
    assert_eq!(
        (report["page"]["file"].as_str(), report["page"]["bytes"].as_u64()),
        (Some("pond.html"), Some(page.len() as u64))
    );
    // The scene with what was given, its comments kept, and the engine.
    assert!(
        page.contains("seed = 9")
            && page.contains("# wide")
            && page.contains("const packedEngine = ")
    );
    // Again is fine, but not over a file that is no page of Wingbeat's.
    assert!(lab.wingbeat(&["page", &scene]).status.success());
    lab.write("pond.html", "mine");
    assert_eq!(lab.wingbeat(&["page", &scene]).status.code(), Some(2));
    assert_eq!(read(&lab, "pond.html"), "mine");
}

#[test]
fn bad_input_is_one_line_and_leaves_no_page() {
    let lab = Lab::new();
    let scene = lab.write("pond.toml", POND);
    lab.write(
        "far.toml",
        format!(
            "{POND}[drive.stream]\nkind = \"flow\"\nfile = \"no.npy\"\nmin = [-1.0, -1.0]\n\
            max = [1.0, 1.0]\n"
        ),
    );
    let cases: [(&[&str], &str); 6] = [
        (&["shoall"], "shoall: no preset and no file of this name"),
        (&[&scene, "-o", "p.txt"], "-o = p.txt: allowed is a file that ends in .html"),
        (&[&scene, "-o", "p.html", "--boids", "-3"], "--boids"),
        (
            &[&scene, "-o", "p.html", "--set", "cohesion.raduis=2"],
            "--set: unknown key cohesion.raduis",
        ),
        (&["far.toml", "-o", "p.html"], "no.npy: cannot read the file"),
        (&[&scene, "--gallery", "all"], "the argument"),
    ];
    for (args, message) in cases {
        let all: Vec<&str> = ["page"].iter().chain(args).copied().collect();
        let output = lab.wingbeat(&all);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
        assert!(said.contains(message) && said.lines().count() == 1, "{args:?}: {said}");
        assert!(!lab.path("p.html").exists() && !lab.path("all").exists());
    }
}

/// Every preset has a page and a picture, the index leads to all, and they share the engine.
#[test]
fn a_gallery_has_every_preset() {
    let lab = Lab::new();
    let output = lab.wingbeat(&["page", "--gallery", "all", "--json"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let index = read(&lab, "all/index.html");
    let presets = text(&lab.wingbeat(&["presets"]).stdout);
    let mut names = 0;
    for name in presets.lines().filter_map(|line| line.split_whitespace().next()) {
        let page = read(&lab, &format!("all/{name}.html"));
        assert!(
            page.contains("<script src=\"engine-")
                && !page.contains("packedEngine = \"")
                && page.contains("<a href=\"index.html\">All presets</a>"),
            "{name}"
        );
        assert!(
            index.contains(&format!("href=\"{name}.html\""))
                && lab.path(&format!("all/{name}.png")).exists(),
            "{name}"
        );
        names += 1;
    }
    assert!(index.contains("<h3>Three rules</h3>"), "a lesson has its title there");
    // A card speaks of its scene, so it says where its page has fewer boids.
    let cards: Vec<&str> = index.lines().filter(|line| line.starts_with("<a href=")).collect();
    let fewer = cards.iter().filter(|card| card.contains(" on its page)")).count();
    let whole = presets.lines().filter_map(|line| line.split_whitespace().next()).filter(|name| {
        let scene = wingbeat_scene::Scene::load(name, &[]).expect("a preset");
        let boids = scene.boids().unwrap_or(0);
        let card =
            cards.iter().find(|card| card.contains(&format!("\"{name}.html\""))).expect("a card");
        let fewer = format!("(2000 of {boids} {} on its page)", scene.noun());
        assert_eq!(card.replace(',', "").contains(&fewer), boids > 2000, "{card}");
        boids > 2000
    });
    assert_eq!((whole.count(), cards.len() as u64), (fewer, names));
    assert!(fewer > 2 && names > 20 && read(&lab, "all/engine-plane.js").len() > 100_000);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let sizes = std::fs::read_dir(lab.path("all"))
        .expect("a folder")
        .map(|file| file.expect("a file").metadata().expect("a size").len());
    assert_eq!(
        (report["pages"].as_u64(), report["bytes"].as_u64()),
        (Some(names), Some(sizes.sum()))
    );
}
