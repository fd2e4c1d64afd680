//! Left and right are alike: a turn to the right takes as long as its mirror image, and no longer than people need.

use super::PEOPLE;
use super::rooms::{TO_EXITS, block, leave, room};

/// A rectangle as it is, or upside down in a plan of this height.
fn turned([x0, y0, x1, y1]: [f32; 4], upside_down: bool, height: f32) -> [f32; 4] {
    if upside_down { [x0, height - y1, x1, height - y0] } else { [x0, y0, x1, y1] }
}

/// When the last of 10 people for each meter of width is round a corner, from 6 m of a corridor into its other arm of 10 m.
fn round_the_corner(width: f32, right: bool, seed: u64) -> f64 {
    let (people, side) = ((10.0 * width) as usize, 10.0 + width);
    let turned = |rectangle| turned(rectangle, right, side);
    let text = room(people, turned([0.3, 0.3, 6.0, width - 0.3]), [0.0, 0.0, side, side])
        + &block("obstacle", "inner", turned([0.0, width, 10.0, side]))
        + &block("exit", "end", turned([10.0, side - 1.0, side, side]))
        + TO_EXITS;
    let times = leave(&text.replacen("[flock]\n", &format!("[flock]\nseed = {seed}\n"), 1), PEOPLE, 120.0);
    assert_eq!(times.len(), people, "the others are stuck before a corner of {width} m, seed {seed}");
    times[people - 1]
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
    let people = PEOPLE.replace("margin = 0.05\n", "margin = 0.05\nsettle = true\n");
    let time = |text: String| {
        let times = leave(&(text + TO_EXITS), &people, 300.0);
        assert_eq!(times.len(), 500, "all are out");
        times[499]
    };
    let start = [0.2, 0.2, 9.8, 19.8];
    let straight = |length: f32| {
        time(room(500, start, [0.0, 0.0, length + 12.0, 20.0]) + &block("exit", "end", [length + 10.0, 0.0, length + 12.0, 20.0]))
    };
    let corner = |right| {
        let turned = |rectangle| turned(rectangle, right, 31.5);
        time(
            room(500, turned(start), [0.0, 0.0, 64.0, 31.5])
                + &block("obstacle", "inner", turned([0.0, 20.0, 44.0, 31.5]))
                + &block("exit", "end", turned([44.0, 30.0, 64.0, 31.5])),
        )
    };
    let (inner, left, right, outer) = (straight(44.0), corner(false), corner(true), straight(75.4));
    println!("RiMEA 15: 44 m {inner:.1} s, corner left {left:.1} s, right {right:.1} s, 75.4 m {outer:.1} s");
    assert!([left, right].iter().all(|corner| (inner..outer).contains(corner)), "{inner} {left} {right} {outer}");
}
