//! Tests 1, 5 and 6 of RiMEA 4.1.1 and 4 and 8 of IMO MSC.1/Circ.1533, with the people of the preset `fundamental_diagram`; a hall and a
//! bottleneck made after RiMEA 9 and 12, which are not the guideline's. Its test 4 is that preset's own, 15 is in mirror.rs.

use std::collections::HashMap;

use wingbeat::Event;
use wingbeat_scene::{Machine, Scene};

use super::PEOPLE;
use super::rooms::{TO_EXITS, block, flock_in, leave, room};

#[test]
fn rimea_1_one_person_walks_forty_meters() {
    let text = room(1, [0.4, 0.9, 0.6, 1.1], [0.0, 0.0, 42.0, 2.0]) + &block("exit", "end", [40.5, 0.0, 42.0, 2.0]) + TO_EXITS;
    let time = leave(&text, &PEOPLE.replace("max_speed = 1.34\nmax_speed_spread = 0.13", "max_speed = 1.33"), 60.0)[0];
    println!("RiMEA 1: 40 m at 1.33 m/s in {time:.1} s (26 to 34)");
    assert!((26.0..=34.0).contains(&time));
}

#[test]
fn rimea_5_people_set_off_when_they_are_to() {
    let text = room(10, [0.5, 0.5, 7.5, 4.5], [0.0, 0.0, 10.0, 5.0])
        + &block("obstacle", "south", [8.0, 0.0, 8.2, 2.0])
        + &block("obstacle", "north", [8.0, 3.0, 8.2, 5.0])
        + &block("exit", "door", [8.2, 1.5, 9.5, 3.5])
        + TO_EXITS
        + "delay_min = 10.0\ndelay_max = 100.0\n";
    let (mut flock, scene) = flock_in(&text, PEOPLE);
    let start: HashMap<u64, [f32; 3]> = flock.rows().iter().map(|row| (row.id, row.position)).collect();
    let mut set_off: HashMap<u64, f64> = HashMap::new();
    while !flock.is_empty() && flock.time() < 150.0 {
        flock.step(scene.dt());
        for row in flock.rows().iter().filter(|row| row.position != start[&row.id]) {
            set_off.entry(row.id).or_insert(flock.time());
        }
    }
    let mut times: Vec<f64> = set_off.values().copied().collect();
    times.sort_by(f64::total_cmp);
    println!("RiMEA 5: they set off at {times:.1?} s (10 to 100), all out after {:.1} s", flock.time());
    assert!(times.len() == 10 && times.iter().all(|time| (10.0..=100.1).contains(time)), "{times:?}");
    assert!(times[9] - times[0] > 30.0 && flock.is_empty(), "each at a time of its own, and all are out");
}

#[test]
fn rimea_6_twenty_people_go_round_a_corner() {
    // A corridor of 2 m: 10 m east, then 10 m north.
    let text = room(20, [0.3, 0.3, 6.0, 1.7], [0.0, 0.0, 12.0, 12.0])
        + &block("obstacle", "inside", [0.0, 2.0, 10.0, 12.0])
        + &block("exit", "end", [10.0, 11.0, 12.0, 12.0])
        + TO_EXITS;
    let (mut flock, scene) = flock_in(&text, PEOPLE);
    while !flock.is_empty() && flock.time() < 60.0 {
        flock.step(scene.dt());
        for row in flock.rows() {
            let beyond = |x: f32| f64::from(if x > 0.0 { x } else { 0.0 });
            let (east, south) = (beyond(row.position[0] - 10.0), beyond(2.0 - row.position[1]));
            let distance = (east * east + south * south).sqrt();
            assert!(distance >= 0.16 - 1e-5, "a body of 0.16 at {:?} is in the wall", row.position);
        }
    }
    println!("RiMEA 6: twenty are round the corner after {:.1} s, none through the wall", flock.time());
    assert!(flock.is_empty());
}

#[test]
fn half_the_exits_take_twice_the_time() {
    let hall = |exits: usize| {
        let people = if std::env::var_os("WINGBEAT_FULL").is_some() { 1000 } else { 300 };
        let mut text = room(people, [1.0, 1.0, 29.0, 19.0], [-4.0, -2.0, 34.0, 22.0]);
        // Doors of 1 m in the west and the east, 5 m from the corners.
        for (side, x) in [("west", -0.2f32), ("east", 30.0)] {
            for (part, y0, y1) in [("low", -2.0f32, 4.5), ("middle", 5.5, 14.5), ("high", 15.5, 22.0)] {
                text += &block("obstacle", &format!("{side}_{part}"), [x, y0, x + 0.2, y1]);
            }
        }
        text += &block("obstacle", "south", [-4.0, -2.0, 34.0, 0.0]);
        text += &block("obstacle", "north", [-4.0, 20.0, 34.0, 22.0]);
        let doors = [("a", -3.7f32, 4.0f32), ("b", 32.2, 14.0), ("c", -3.7, 14.0), ("d", 32.2, 4.0)];
        for (i, (name, x, y)) in doors.iter().enumerate() {
            if i < exits {
                text += &block("exit", name, [*x, *y, x + 1.5, y + 2.0]);
            } else {
                let x = if *x < 0.0 { -0.2 } else { 30.0 };
                text += &block("obstacle", &format!("shut_{name}"), [x, y + 0.5, x + 0.2, y + 1.5]);
            }
        }
        let times = leave(&(text + TO_EXITS), PEOPLE, 1500.0);
        assert_eq!(times.len(), people, "all are out");
        [times[people / 2 - 1], times[people - 1]]
    };
    let (four, two) = (hall(4), hall(2));
    let ratio = |i: usize| two[i] / four[i];
    println!(
        "Four doors: half are out after {:.0} s by four exits and {:.0} s by two, {:.2} times as long (about 2); the last after {:.0} and {:.0} s, {:.2}",
        four[0],
        two[0],
        ratio(0),
        four[1],
        two[1],
        ratio(1)
    );
    assert!((1.7..2.3).contains(&ratio(0)) && ratio(1) > 1.2, "{four:?} {two:?}");
}

#[test]
fn the_jam_is_before_the_bottleneck_only() {
    // A room, a corridor of 1 m, a second room, and an exit as wide as the corridor.
    let text = room(150, [0.5, 0.5, 9.5, 9.5], [0.0, 0.0, 28.0, 10.0])
        + &block("obstacle", "south", [10.0, 0.0, 15.0, 4.5])
        + &block("obstacle", "north", [10.0, 5.5, 15.0, 10.0])
        + &block("obstacle", "end_south", [25.0, 0.0, 25.2, 4.5])
        + &block("obstacle", "end_north", [25.0, 5.5, 25.2, 10.0])
        + &block("exit", "end", [25.2, 3.5, 27.5, 6.5])
        + TO_EXITS;
    let (mut flock, scene) = flock_in(&text, PEOPLE);
    // The most people at once in 2 m by 3 m before each.
    let (mut before, mut after) = (0, 0);
    while !flock.is_empty() && flock.time() < 300.0 {
        flock.step(scene.dt());
        let count = |x0: f32| {
            let inside = |p: [f32; 3]| p[0] > x0 && p[0] < x0 + 2.0 && (p[1] - 5.0).abs() < 1.5;
            flock.rows().iter().filter(|row| inside(row.position)).count()
        };
        before = before.max(count(8.0));
        after = after.max(count(23.0));
    }
    println!(
        "Bottleneck: at most {before} in 6 m² before the bottleneck, {after} before the exit; all out after {:.0} s",
        flock.time()
    );
    assert!(flock.is_empty() && before >= 12 && after * 2 < before, "{before}, {after}");
}

#[test]
fn imo_4_a_door_of_a_meter() {
    let text = room(100, [0.3, 0.3, 7.7, 4.7], [0.0, 0.0, 10.5, 5.0])
        + &block("obstacle", "south", [8.0, 0.0, 8.2, 2.0])
        + &block("obstacle", "north", [8.0, 3.0, 8.2, 5.0])
        + &block("exit", "door", [9.0, 0.0, 10.5, 5.0])
        + TO_EXITS;
    let flow = |text: &str| {
        let times = leave(text, PEOPLE, 300.0);
        assert_eq!(times.len(), 100);
        100.0 / times[99]
    };
    // The circular prescribes a flow at most that is less than what is counted at doors: an exit with that service time has it.
    let (counted, prescribed) = (flow(&text), flow(&text.replace("[exit.door]\n", "[exit.door]\nevery = 0.752\n")));
    println!("IMO 4: {counted:.2} persons a second, by an exit with every = 0.752 s {prescribed:.2} (at most 1.33)");
    assert!(counted < 2.4 && prescribed <= 1.33 && prescribed > 1.2, "{counted} {prescribed}");
}

#[test]
fn imo_8_counterflow_takes_longer_and_nobody_is_stuck() {
    // Two rooms of 10 m by 10 m, a corridor of 10 m by 2 m; a hundred go east, none to a hundred west.
    let after = |others: usize| {
        let mut text = format!(
            "[flock]\nboids = {}\ndimensions = 2\ndt = 0.05\n[spawn]\nspeed = 0.0\n[domain]\nkind = \"reflecting\"\nmin = [0, 0]\nmax = [30, 10]\n",
            100 + others
        );
        for (name, count, x, exit, drive) in [("east", 100, 0.5f32, 25.0f32, "to_east"), ("west", others, 20.5, 0.0, "to_west")] {
            text += &format!(
                "[species.{name}]\ncount = {count}\n[species.{name}.spawn]\nmin = [{x:?}, 0.5]\nmax = [{:?}, 9.5]\n",
                x + 9.0
            );
            text += &block("exit", name, [exit, 0.0, exit + 5.0, 10.0]);
            text += &format!(
                "species = \"{name}\"\n[drive.{drive}]\nspecies = \"{name}\"\nkind = \"flow\"\nto_exits = true\ncell = 0.2\nclearance = 0.2\n"
            );
        }
        text += &block("obstacle", "south", [10.0, 0.0, 20.0, 4.0]);
        text += &block("obstacle", "north", [10.0, 6.0, 20.0, 10.0]);
        let scene = Scene::parse("imo_8.toml", &format!("{PEOPLE}\n{text}"), &[]).unwrap_or_else(|refusal| panic!("{refusal}"));
        let mut flock = scene.build(&Machine::default()).unwrap_or_else(|refusal| panic!("{refusal}")).flock;
        let mut last = 0.0;
        while !flock.is_empty() && flock.time() < 600.0 {
            flock.step(scene.dt());
            if flock.events().iter().any(|event| matches!(event, Event::Exited { exit: 0, .. })) {
                last = flock.time();
            }
        }
        assert!(flock.is_empty(), "{} are stuck with {others} coming the other way", flock.len());
        last
    };
    let times = [0, 10, 50, 100].map(after);
    println!("IMO 8: a hundred are in the other room after {times:.0?} s with 0, 10, 50, 100 against them (it grows)");
    assert!(times.windows(2).all(|pair| pair[0] < pair[1]), "{times:?}");
}
