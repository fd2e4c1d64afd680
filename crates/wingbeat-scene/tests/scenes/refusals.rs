//! Every kind of refusal, to the letter (refusals.txt): what is said of a scene is what its author
//! has to go by, so that no word of it is lost unnoticed.

use std::fmt::Write;

use wingbeat_scene::{Override, Scene};

const FLOCK: &str = "[flock]\nboids = 5\ndimensions = 2\n";
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/scenes/refusals.txt");

#[test]
fn every_refusal_is_said_in_the_same_words() {
    let text = std::fs::read_to_string(FILE).expect("the corpus");
    let (head, cases) = text.split_once("=== ").expect("a first case");
    let (mut said, mut count) = (head.to_string(), 0);
    for case in cases.split("\n=== ") {
        let (asked, _) = case.split_once("\n--- ").expect("a scene and what is said");
        let (name, body) = asked.split_once('\n').unwrap_or((asked, ""));
        let refusal = refusal(body).unwrap_or_else(|| panic!("{name}: accepted"));
        assert!(!refusal.contains('\n') && refusal.len() < 700, "{name}: {refusal}");
        writeln!(said, "=== {asked}\n--- {refusal}\n").expect("a text");
        count += 1;
    }
    said.pop();
    if std::env::var_os("WINGBEAT_WRITE_DOCS").is_some() {
        return std::fs::write(FILE, &said).expect("the corpus is written");
    }
    assert!(count > 140, "{count} cases");
    for (said, expected) in said.lines().zip(text.lines()) {
        assert_eq!(said, expected);
    }
    assert_eq!(said, text);
}

fn refusal(body: &str) -> Option<String> {
    let (sets, lines): (Vec<&str>, Vec<&str>) =
        body.lines().partition(|line| line.starts_with("--set "));
    let scene = match lines.split_first() {
        Some((&"#whole", rest)) => rest.join("\n"),
        _ => format!("{FLOCK}{}", lines.join("\n")),
    };
    let sets = sets.iter().map(|set| Override::set(&set[6..]).expect("an assignment"));
    let sets: Vec<Override> = sets.collect();
    let checked = Scene::parse("scene.toml", &scene, &sets).and_then(|scene| scene.check());
    checked.err().map(|refusal| refusal.to_string())
}
