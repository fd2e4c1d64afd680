//! `measure --map`: density with the walls and exits of the place around it.

use wingbeat_render::{Image, png};

use crate::common::{Lab, text};

const TINT: [u8; 3] = [222, 231, 242];
const WALL: [u8; 3] = [34, 38, 43];
const EXIT: [u8; 3] = [0, 120, 85];
const OBSTACLE: [u8; 3] = [168, 171, 176];
/// The floor of the preset building.
const FLOOR: &str = "POLYGON ((0 0, 16 0, 16 4.4, 20 4.4, 20 5.6, 16 5.6, 16 12, 4.2 12, \
    4.2 13.5, 3 13.5, 3 12, 0 12, 0 0), (6 5, 10 5, 10 7, 6 7, 6 5))";

/// The map of a recording.
#[track_caller]
fn map(lab: &Lab, args: &[&str]) -> Image {
    let output = lab.wingbeat(&[&["measure"], args, &["--map", "map.png"]].concat());
    assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    let file = std::fs::File::open(lab.path("map.png")).expect("the file");
    png::read(std::io::BufReader::new(file)).expect("a PNG")
}

/// How many pixels have each color: floor where there never was an individual, walls and letters,
/// exits, obstacles.
fn counts(map: &Image) -> [usize; 4] {
    let pixels = || map.pixels().chunks_exact(4);
    [TINT, WALL, EXIT, OBSTACLE].map(|color| pixels().filter(|pixel| pixel[..3] == color).count())
}

/// Two seconds of the preset building.
fn building(lab: &Lab) {
    let run = ["run", "building", "--steps", "40", "--record", "b.wbr", "--quiet"];
    let output = lab.wingbeat(&run);
    assert!(output.status.success(), "{}", text(&output.stderr));
}

#[track_caller]
fn about_equal(one: usize, other: usize) {
    let [one, other] = [one, other].map(|count| count as f64);
    assert!((one - other).abs() < 0.01 * one, "{one}, {other}");
}

#[test]
fn a_recording_of_a_scene_brings_its_floor_plan() {
    let lab = Lab::new();
    building(&lab);
    let with = map(&lab, &["b.wbr", "--cell", "0.5"]);
    let [tint, dark, exits, obstacles] = counts(&with);
    // Few have set out: most of the floor was not visited. The counter has 8 of 190 m².
    assert!(tint > 250_000 && exits > 500 && obstacles > 10_000, "{tint} {exits} {obstacles}");
    let output = lab.wingbeat(&["convert", "b.wbr", "b.csv"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let without = map(&lab, &["b.csv", "--fps", "20", "--unit", "m", "--cell", "0.5"]);
    let [tint_without, letters, none, no_obstacle] = counts(&without);
    assert_eq!([tint_without, none, no_obstacle], [0; 3], "no scene, no plan");
    // Some 80 m of walls, at 40 CSS pixels a meter.
    assert!(dark > letters + 10_000, "{dark} {letters}");

    // The same floor as an outline.
    let file = lab.write("floor.wkt", FLOOR);
    let of_csv = ["b.csv", "--fps", "20", "--unit", "m", "--cell", "0.5", "--outline", &file];
    let given = map(&lab, &of_csv);
    let [tint_given, dark_given, none, no_obstacle] = counts(&given);
    assert_eq!([none, no_obstacle], [0; 2], "an outline has walls alone");
    assert!(dark_given > letters + 10_000, "{dark_given} {letters}");
    // The exits' lines and names lie partly on it.
    assert!((0.97..1.03).contains(&(tint_given as f64 / tint as f64)), "{tint_given} {tint}");
    // In place of the scene's.
    assert_eq!(counts(&map(&lab, &["b.wbr", "--cell", "0.5", "--outline", &file])), counts(&given));
}

#[test]
fn a_plan_is_scaled_and_turned_round_with_the_positions() {
    let lab = Lab::new();
    building(&lab);
    let plain = counts(&map(&lab, &["b.wbr", "--cell", "0.5"]));
    let turned = counts(&map(&lab, &["b.wbr", "--cell", "1", "--scale", "2", "--y-down"]));
    about_equal(plain[0], turned[0]);
    about_equal(plain[3], turned[3]);
}

#[test]
fn walls_far_away_do_not_shrink_the_crowd() {
    let lab = Lab::new();
    let walk = lab.write("walk.txt", "1 0 0 0\n2 0 4 4\n1 1 1 0\n2 1 4 3\n");
    let near = "rectangle:-1,-1,5,5";
    let alone = counts(&map(&lab, &[&walk, "--cell", "0.5", "--outline", near]))[0];
    let far = ["--outline", "rectangle:5000,0,5001,1"];
    let both = map(&lab, &[&[&walk, "--cell", "0.5", "--outline", near], &far[..]].concat());
    assert!(both.width() > both.height(), "room to the right, for what is near there");
    let [both, ..] = counts(&both);
    assert!(both > alone / 5, "{both} of {alone}");
    // More squares than are drawn: the map is that of the positions alone.
    let fine = ["--cell", "0.005", "--outline", "circle:2,2,60"];
    assert!(counts(&map(&lab, &[&[&walk[..]], &fine[..]].concat()))[0] > 0);
}

#[test]
fn outlines_that_cannot_be_drawn_are_refused() {
    let lab = Lab::new();
    let walk = lab.write("walk.txt", "1 0 0 0\n2 0 4 4\n");
    let space = lab.write("space.csv", "frame,id,x,y,z\n0,1,0,0,0\n0,2,4,4,1\n");
    let circle = ["--outline", "circle:0,0,1"];
    let cases: &[(&[&str], &[&str])] = &[
        (&[&walk, circle[0], circle[1]], &["--outline = circle:0,0,1", "nothing without --map"]),
        (
            &[&space, circle[0], circle[1], "--map", "m.png"],
            &["--outline = circle:0,0,1", "nothing in space"],
        ),
        (
            &[&walk, "--outline", "circle:0,0,-1", "--map", "m.png"],
            &["--outline = circle:0,0,-1", "R above 0"],
        ),
    ];
    for (args, expected) in cases {
        let output = lab.wingbeat(&[&["measure"], *args].concat());
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {stderr}");
        assert_eq!(stderr.lines().count(), 1, "{args:?}: {stderr}");
        assert!(expected.iter().all(|part| stderr.contains(part)), "{args:?}: {stderr}");
    }
    assert!(!lab.path("m.png").exists());
}
