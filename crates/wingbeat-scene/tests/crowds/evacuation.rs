//! The flow through the door of the preset `evacuation`: that of a door, whatever the crowd.

use super::{passages, scene};
use wingbeat_test_support::tier;

/// Persons a second through the line at the end of the door, while a queue stands before it: from
/// the 20th to come through until only 40 are left, or until `until` seconds.
fn persons_a_second(people: usize, seed: u64, until: f64) -> f64 {
    let (boids, seed) = (format!("flock.boids={people}"), format!("flock.seed={seed}"));
    let times = passages(&scene("evacuation", &[&boids, &seed]), -0.5, until);
    let last = times.len().min(people - 40);
    (last - 20) as f64 / (times[last - 1] - times[19])
}

/// The width of the door, m.
const DOOR: f64 = 1.2;

#[test]
fn a_door_lets_through_what_doors_do_whatever_the_crowd() {
    // Of a hundred only 40 count: several starts.
    let seeds = tier::either(4, 8);
    let hundred = (1..=seeds).map(|seed| persons_a_second(100, seed, 100.0)).sum::<f64>();
    let many = if tier::full() {
        &[(300, 200.0), (1000, 250.0), (2000, 150.0)][..]
    } else {
        &[(1000, 60.0)]
    };
    let mut flows = vec![hundred / seeds as f64 / DOOR];
    flows.extend(many.iter().map(|&(people, until)| persons_a_second(people, 1, until) / DOOR));
    println!("persons per meter and second with 100 people, and {many:?} until: {flows:.2?}");
    assert!(flows.iter().all(|flow| (1.6..2.4).contains(flow)), "{flows:?}");
    let (low, high) = flows.iter().fold((f64::MAX, 0.0), |(low, high), &flow| {
        (if flow < low { flow } else { low }, if flow > high { flow } else { high })
    });
    assert!(high / low < 1.1, "{flows:?}");
}

/// No person is left behind in a corner, and none waits for good in the door.
#[test]
fn three_hundred_are_all_out() {
    for seed in 1..=tier::either(1, 3) {
        let times = passages(
            &scene("evacuation", &["flock.boids=300", &format!("flock.seed={seed}")]),
            -0.5,
            300.0,
        );
        assert_eq!(times.len(), 300, "seed {seed}");
        assert!(
            (110.0..170.0).contains(&times[299]),
            "seed {seed}: the last after {:.1} s",
            times[299]
        );
    }
}
