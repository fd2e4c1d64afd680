//! Left and right are alike: a turn to the right takes as long as its mirror image, and no longer than people need.

use wingbeat::Event;
use wingbeat_scene::Scene;

use super::{PEOPLE, build};

/// When the last of 10 people for each meter of width is round a corner, from 6 m of a corridor into its other arm of 10 m.
fn round_the_corner(width: f64, right: bool, seed: u64) -> f64 {
    let (people, side) = ((10.0 * width) as usize, 10.0 + width);
    // Upside down where the turn is to the right.
    let y = |low: f64, high: f64| if right { (side - high, side - low) } else { (low, high) };
    let (start, block, end) = (y(0.3, width - 0.3), y(width, side), y(side - 1.0, side));
    let text = format!(
        "{PEOPLE}[flock]\nboids = {people}\ndimensions = 2\ndt = 0.05\nseed = {seed}\n[spawn]\nspeed = 0.0\n\
         min = [0.3, {:?}]\nmax = [6.0, {:?}]\n[domain]\nkind = \"reflecting\"\nmin = [0.0, 0.0]\nmax = [{side:?}, {side:?}]\n\
         [obstacle.inner]\nkind = \"box\"\nmin = [0.0, {:?}]\nmax = [10.0, {:?}]\n\
         [exit.end]\nkind = \"box\"\nmin = [10.0, {:?}]\nmax = [{side:?}, {:?}]\n\
         [drive.way]\nkind = \"flow\"\nto_exits = true\ncell = 0.1\nclearance = 0.2\n",
        start.0, start.1, block.0, block.1, end.0, end.1
    );
    let scene = Scene::parse("corner.toml", &text, &[]).unwrap_or_else(|refusal| panic!("{refusal}"));
    let mut flock = build(&scene);
    let mut last = f64::INFINITY;
    while !flock.is_empty() && flock.time() < 120.0 {
        flock.step(scene.dt());
        if flock.events().iter().any(|event| matches!(event, Event::Exited { .. })) {
            last = flock.time();
        }
    }
    assert!(flock.is_empty(), "{} of {people} are stuck before a corner of {width} m, seed {seed}", flock.len());
    last
}

#[test]
fn a_right_turn_takes_as_long_as_a_left_one() {
    let seeds = if std::env::var_os("WINGBEAT_FULL").is_some() { 120 } else { 48 };
    for (width, allowed) in [(2.0, 24.0), (3.0, 26.0), (5.0, 28.0)] {
        let [left, right] =
            [false, true].map(|right| (1..=seeds).map(|seed| round_the_corner(width, right, seed)).sum::<f64>() / seeds as f64);
        println!("{width} m: left {left:.2} s, right {right:.2} s, {:.3} times", right / left);
        assert!((right / left - 1.0).abs() < 0.03, "{width} m: {left:.2} and {right:.2} s");
        // Along the middle it is some 10 m + width and 7 m more, 13 to 16 s at 1.34 m/s, and slower in a crowd.
        assert!(left < allowed, "{width} m: {left:.2} s");
    }
}

/// RiMEA 4.1.1, test 15: 500 people in a corridor 20 m wide need for a corner a time between those for straight corridors as long as its
/// inner and its outer side.
#[test]
fn a_corner_lies_between_the_straights_of_its_sides() {
    let time = |upside_down: Option<bool>, length: f64| {
        let (start, rest) = match upside_down {
            None => (
                [0.2, 19.8],
                format!(
                    "[domain]\nkind = \"reflecting\"\nmin = [0, 0]\nmax = [{:?}, 20]\n[exit.end]\nkind = \"box\"\nmin = [{:?}, 0]\nmax = [{:?}, 20]\n",
                    length + 12.0,
                    length + 10.0,
                    length + 12.0
                ),
            ),
            Some(right) => {
                let (start, block, end) =
                    if right { ([11.7, 31.3], [0.0, 11.5], [0.0, 1.5]) } else { ([0.2, 19.8], [20.0, 31.5], [30.0, 31.5]) };
                (
                    start,
                    format!(
                        "[domain]\nkind = \"reflecting\"\nmin = [0, 0]\nmax = [64, 31.5]\n[obstacle.inner]\nkind = \"box\"\n\
                     min = [0, {:?}]\nmax = [44, {:?}]\n[exit.end]\nkind = \"box\"\nmin = [44, {:?}]\nmax = [64, {:?}]\n",
                        block[0], block[1], end[0], end[1]
                    ),
                )
            }
        };
        let text = format!(
            "{PEOPLE}[flock]\nboids = 500\ndimensions = 2\ndt = 0.05\nseed = 1\n[spawn]\nspeed = 0.0\nmin = [0.2, {:?}]\n\
             max = [9.8, {:?}]\n{rest}[drive.way]\nkind = \"flow\"\nto_exits = true\ncell = 0.1\nclearance = 0.2\n",
            start[0], start[1]
        );
        let scene = Scene::parse("rimea_15.toml", &text.replace("margin = 0.05\n", "margin = 0.05\nsettle = true\n"), &[]);
        let scene = scene.unwrap_or_else(|refusal| panic!("{refusal}"));
        let mut flock = build(&scene);
        while !flock.is_empty() && flock.time() < 300.0 {
            flock.step(scene.dt());
        }
        flock.time()
    };
    let (inner, left, right, outer) = (time(None, 44.0), time(Some(false), 0.0), time(Some(true), 0.0), time(None, 75.4));
    println!("RiMEA 15: 44 m {inner:.1} s, corner left {left:.1} s, right {right:.1} s, 75.4 m {outer:.1} s");
    assert!([left, right].iter().all(|corner| (inner..outer).contains(corner)), "{inner} {left} {right} {outer}");
}
