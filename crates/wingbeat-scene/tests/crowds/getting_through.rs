//! Crowds that meet: all get through, and no body ever overlaps another.

use wingbeat::Event;
use wingbeat_scene::{AnyFlock, Scene};

use super::{PEOPLE, build, scene};
use wingbeat_test_support::tier;

/// The smallest gap between two bodies of this radius.
fn smallest_gap(flock: &AnyFlock, radius: f64) -> f64 {
    let rows = flock.rows();
    let mut least = f64::INFINITY;
    for (i, one) in rows.iter().enumerate() {
        for other in &rows[i + 1..] {
            let way = |a: usize| f64::from(one.position[a]) - f64::from(other.position[a]);
            let distance = (way(0) * way(0) + way(1) * way(1) + way(2) * way(2)).sqrt();
            least = if distance < least { distance } else { least };
        }
    }
    least - 2.0 * radius
}

/// When the last of all had arrived or left, and the smallest gap seen in every `every`-th step.
/// `None`: not by then.
fn all_through(scene: &Scene, radius: f64, until: f64, every: u64) -> (Option<f64>, f64) {
    let mut flock = build(scene);
    let (people, mut done, mut gap) = (flock.len(), 0, f64::INFINITY);
    while done < people && flock.time() < until {
        flock.step(scene.dt());
        done += flock
            .events()
            .iter()
            .filter(|event| matches!(event, Event::Arrived { .. } | Event::Exited { .. }))
            .count();
        if flock.steps().is_multiple_of(every) {
            let now = smallest_gap(&flock, radius);
            gap = if now < gap { now } else { gap };
        }
    }
    ((done == people).then(|| flock.time()), gap)
}

fn parse(text: &str) -> Scene {
    Scene::parse("crowd.toml", text, &[]).unwrap_or_else(|refusal| panic!("{refusal}"))
}

#[track_caller]
fn by(name: &str, (time, gap): (Option<f64>, f64), allowed: f64) -> f64 {
    println!("{name}: all through after {time:.0?} s (by {allowed} s), smallest gap {gap:.1e}");
    let time = time.unwrap_or_else(|| panic!("{name}: not all are through by {allowed} s"));
    assert!(time <= allowed && gap >= 0.0, "{name}");
    time
}

#[test]
fn circle() {
    // RVO2 needs 886.5 s, and its bodies overlap by a fifth of their size.
    by("Circle", all_through(&scene("rvo_circle", &[]), 1.5, 600.0, 20), 600.0);
}

#[test]
fn blocks() {
    for seed in 1..=tier::either(1, 4) {
        let blocks = scene("rvo_blocks", &[&format!("flock.seed={seed}")]);
        by(&format!("Blocks, seed {seed}"), all_through(&blocks, 2.0, 600.0, 20), 600.0);
    }
}

/// Walkers of the prototype's crowds in the open: 1.3 m/s, at most 1.6.
const OPEN: &str = "[agent]\nmax_speed = 1.3\nmax_force = 30.0\n[drive.home]\nkind = \"goal\"\n\
        slowing_radius = 1.0\non_arrival = \"leave\"\n";

/// Groups as dense as these get past each other by a side to keep to; without one `orca` may stand.
#[test]
fn cross() {
    let group = |name: &str, x: f32, center: f32| {
        format!(
            "[species.{name}]\ncount = 100\n[species.{name}.spawn]\nshape = \"lattice\"\n\
             min = [{:?}, -3.5]\nmax = [{:?}, 3.5]\n\
             goal = \"opposite\"\ngoal_center = [{center:?}, 0.0]\n",
            x - 3.5,
            x + 3.5
        )
    };
    let text = format!(
        "{OPEN}arrival_radius = 0.5\n[flock]\nboids = 200\ndimensions = 2\ndt = 0.05\n[spawn]\n\
         speed = 0.0\n[body]\nradius = 0.25\n\
         [anticipation]\nkind = \"orca\"\ndistance = 4.0\ntime_horizon = 2.0\nnoise = 0.05\n\
         handedness = 1\nside_step = 1.0\nside_step_time = 3.0\n{}{}",
        group("east", -9.15, 3.0),
        group("west", 9.15, -3.0)
    );
    by("Cross", all_through(&parse(&text), 0.25, 60.0, 20), 60.0);
}

#[test]
fn disc() {
    let text = format!(
        "{OPEN}arrival_radius = 0.3\n[flock]\nboids = 400\ndimensions = 2\ndt = 0.05\n[spawn]\n\
         speed = 0.0\nmin = [-8.0, -8.0]\nmax = [8.0, 8.0]\n\
         goal = \"random\"\n[body]\nradius = 0.2\n[anticipation]\nkind = \"orca\"\ndistance = 3.0\n\
         time_horizon = 1.0\nnoise = 0.05\n"
    );
    by("Disc", all_through(&parse(&text), 0.2, 60.0, 20), 60.0);
}

/// Two who walk towards each other on one line, exactly.
#[test]
fn two_head_on_pass() {
    for model in ["orca", "collision_free_speed", "social_force", "power_law"] {
        let walker = |name: &str, x: f32| {
            format!(
                "[species.{name}]\ncount = 1\n[species.{name}.spawn]\nshape = \"lattice\"\n\
                    min = [{:?}, -0.1]\nmax = [{:?}, 0.1]\n",
                x - 0.1,
                x + 0.1
            )
        };
        let text = format!(
            "{OPEN}arrival_radius = 0.5\n[flock]\nboids = 2\ndimensions = 2\ndt = 0.02\n[spawn]\n\
             speed = 0.0\ngoal = \"opposite\"\n\
             [body]\nradius = 0.25\n[anticipation]\nkind = \"{model}\"\n{}{}",
            walker("east", -5.0),
            walker("west", 5.0)
        );
        by(&format!("head on, {model}"), all_through(&parse(&text), 0.25, 30.0, 1), 30.0);
    }
}

/// People on both sides of a wall with a door of 1.2 m in it, who want to the far end of the other
/// side.
fn door(east: usize, west: usize, seed: u64) -> Scene {
    let side = |name: &str, count: usize, x: f32, exit: f32| {
        format!(
            "[species.{name}]\ncount = {count}\n[species.{name}.spawn]\nmin = [{x:?}, 0.5]\n\
             max = [{:?}, 7.5]\n\
             [exit.{name}]\nkind = \"box\"\nmin = [{exit:?}, 0]\nmax = [{:?}, 8]\n\
             species = \"{name}\"\n\
             [drive.{name}]\nkind = \"flow\"\nto_exits = true\nspecies = \"{name}\"\ncell = 0.2\n\
             clearance = 0.25\n",
            x + 8.5,
            exit + 2.0
        )
    };
    parse(&format!(
        "{PEOPLE}[flock]\nboids = {}\ndimensions = 2\ndt = 0.05\nseed = {seed}\n[spawn]\n\
         speed = 0.0\n\
         [domain]\nkind = \"reflecting\"\nmin = [-12, 0]\nmax = [12, 8]\n\
         [obstacle.south]\nkind = \"box\"\nmin = [-0.1, 0]\nmax = [0.1, 3.4]\n[obstacle.north]\n\
         kind = \"box\"\nmin = [-0.1, 4.6]\nmax = [0.1, 8]\n{}{}",
        east + west,
        side("east", east, -9.5, 10.0),
        side("west", west, 1.0, -12.0)
    ))
}

/// People without a convention get in each other's way for longer than twice what sixty need one
/// way, and all get through.
#[test]
fn sixty_against_sixty_get_through_a_door() {
    let seeds = if tier::full() { 20 } else { 1 };
    let one_way =
        by("sixty one way through a door", all_through(&door(60, 0, 1), 0.16, 100.0, 20), 100.0);
    let times: Vec<f64> = (1..=seeds)
        .map(|seed| {
            by(
                &format!("sixty against sixty, seed {seed}"),
                all_through(&door(60, 60, seed), 0.16, 600.0, 20),
                600.0,
            )
        })
        .collect();
    let most = times.iter().fold(0.0, |most, &time| if time > most { time } else { most });
    println!(
        "sixty against sixty: at most {:.2} times the one-way time, of {seeds} seeds",
        most / one_way
    );
}

/// A group that walks is told to stop: it comes to rest, and lets a person through who walks
/// across.
#[test]
fn a_group_told_to_stop_comes_to_rest_and_lets_a_walker_through() {
    let text = "[agent]\nmax_speed = 1.34\nmax_force = 6.0\n[body]\nradius = 0.2\n[anticipation]\n\
         kind = \"orca\"\ndistance = 4.0\n\
         time_horizon = 2.0\n[flock]\nboids = 61\ndimensions = 2\ndt = 0.05\n[spawn]\nspeed = 0.0\n\
         [species.group]\ncount = 60\n[species.group.spawn]\nmin = [0.0, 0.0]\nmax = [8.0, 8.0]\n\
         [species.walker]\ncount = 1\n[species.walker.spawn]\nmin = [24.0, 3.9]\n\
         max = [24.2, 4.1]\n\
         [drive.walk]\nkind = \"wind\"\nvector = [1.34, 0.0]\ndrag = true\nspecies = \"group\"\n\
         until = 5.0\n\
         [drive.stand]\nkind = \"wind\"\nvector = [0.0, 0.0]\ndrag = true\nspecies = \"group\"\n\
         from = 5.0\n\
         [drive.across]\nkind = \"goal\"\ntarget = [-6.0, 4.0]\nslowing_radius = 0.0\n\
         arrival_radius = 0.5\nspecies = \"walker\"\nfrom = 15.0\n";
    let scene = parse(text);
    let mut flock = build(&scene);
    let group_speed = |flock: &AnyFlock| {
        let speed = |v: [f32; 3]| f64::from(v[0] * v[0] + v[1] * v[1]).sqrt();
        flock.rows().iter().filter(|row| row.id < 60).map(|row| speed(row.velocity)).sum::<f64>()
            / 60.0
    };
    let (mut rest, mut arrived, mut gap) = (None, None, f64::INFINITY);
    while flock.time() < 60.0 && arrived.is_none() {
        flock.step(scene.dt());
        if flock.time() > 5.0 && rest.is_none() && group_speed(&flock) < 0.0134 {
            rest = Some(flock.time() - 5.0);
        }
        let now = smallest_gap(&flock, 0.2);
        gap = if now < gap { now } else { gap };
        arrived = flock
            .events()
            .iter()
            .any(|event| matches!(event, Event::Arrived { .. }))
            .then(|| flock.time() - 15.0);
    }
    println!(
        "a group told to stop rests after {rest:.2?} s; a walker is across 30 m of it and its \
            street after {arrived:.1?} s (22 alone)"
    );
    assert!(
        rest.is_some_and(|time| time < 5.0),
        "mean speed under 1 % of walking within 5 s: {rest:?}"
    );
    assert!(arrived.is_some_and(|time| time < 45.0) && gap >= 0.0, "{arrived:?} {gap}");
}
