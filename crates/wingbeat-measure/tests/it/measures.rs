//! The observables on plain states: answers known by hand, or by comparing all with
//! all.

use crate::common::*;
use wingbeat::steer::*;
use wingbeat::*;
use wingbeat_measure::{Observables, State, nearest_neighbor_distance, observables};
use wingbeat_test_support::tier;

fn close(got: Option<f64>, wanted: f64) {
    let got = got.expect("an answer");
    assert!((got - wanted).abs() <= 1e-9 * (1.0 + wanted.abs()), "{got}, wanted {wanted}");
}

fn open<'a, const D: usize>(positions: &'a [[f64; D]], velocities: &'a [[f64; D]]) -> State<'a, D> {
    State::new(positions, velocities, Domain::open())
}

fn still<const D: usize>(positions: &[[f64; D]]) -> Vec<[f64; D]> {
    vec![[0.0; D]; positions.len()]
}

#[test]
fn an_empty_state_has_no_answers_but_a_count() {
    let empty = open::<3>(&[], &[]).observables(Some(1.0));
    assert_eq!(empty, Observables::default());
    assert!(empty.values().iter().all(Option::is_none));
    assert_eq!(
        State::<2>::new(&[], &[], Domain::periodic([0.0; 2], [2.0; 2])).density(),
        Some(0.0)
    );
    assert_eq!(open(&[[1.0, 1.0]], &[[1.0, 0.0]]).nearest_neighbor_distance(), None);
}

#[test]
fn those_without_a_known_velocity_are_left_out() {
    let positions = [[0.0, 2.0], [0.0, -2.0], [4.0, 0.0], [-4.0, 0.0]];
    let unknown = [f64::NAN; 2];
    let state =
        open(&positions, &[[3.0, 4.0], unknown, [5.0, 0.0], [f64::NAN, 1.0]]).observables(None);
    close(state.polarization, (1.6f64 * 1.6 + 0.8 * 0.8).sqrt() / 2.0);
    close(state.mean_speed, 5.0);
    // Arms from the mean of all: (0, 2) × (3, 4) = -6, (4, 0) × (5, 0) = 0.
    close(state.angular_momentum, 3.0);
    close(state.milling, 0.3);
    close(state.nearest_neighbor_distance, (4.0 + 20f64.sqrt()) / 2.0);
    let blind = open(&positions, &[unknown; 4]).observables(Some(4.5));
    assert_eq!(
        (blind.polarization, blind.mean_speed, blind.correlation_length),
        (None, None, None)
    );
    assert_eq!((blind.individuals, blind.groups, blind.largest_group), (4, Some(1), Some(4)));
}

#[test]
fn angular_momentum_weighs_arms_and_speeds_where_milling_does_not() {
    let positions = [[2.0, 0.0, 7.0], [0.0, 2.0, 7.0], [-2.0, 0.0, 7.0], [0.0, -2.0, 7.0]];
    let around = [[0.0, 3.0, 0.0], [-3.0, 0.0, 0.0], [0.0, -3.0, 0.0], [3.0, 0.0, 0.0]];
    let ring = open(&positions, &around);
    close(ring.milling(), 1.0);
    close(ring.angular_momentum(), 2.0 * 3.0);
    // Equal drift of all boids adds nothing to the turning of the whole, but dilutes milling.
    let drifting = around.map(|v| [v[0] + 4.0, v[1], v[2] + 1.0]);
    close(open(&positions, &drifting).angular_momentum(), 6.0);
    assert!(open(&positions, &drifting).milling().is_some_and(|milling| milling < 0.9));
}

#[test]
fn the_correlation_length_is_where_fluctuations_stop_agreeing() {
    // Two halves of a line that move against each other, and all of it upwards.
    let positions = [[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [3.0, 0.0]];
    let velocities = [[5.0, 1.0], [5.0, 1.0], [5.0, -1.0], [5.0, -1.0]];
    let state = open(&positions, &velocities);
    let correlation = state.velocity_correlation();
    assert_eq!(correlation.len(), 3);
    for ((distance, c), wanted) in
        correlation.into_iter().zip([(10.5, 1.0 / 3.0), (21.5, -1.0), (31.5, -1.0)])
    {
        // At the middle of its bin, of 32 up to the largest distance.
        close(Some(distance), wanted.0 * 3.0 / 32.0);
        close(Some(c), wanted.1);
    }
    close(state.correlation_length(), (10.5 + 11.0 / 4.0) * 3.0 / 32.0);
    // Neighbors disagree from the first pair on: between C(0) = 1 and -1 in the last bin, where
    // their distance is.
    close(open(&positions[1..3], &velocities[1..3]).correlation_length(), 31.5 / 32.0 / 2.0);
    assert_eq!(open(&positions, &[[5.0, 0.1]; 4]).correlation_length(), None, "no boid deviates");
    // A stripe of each sign, half the periodic box wide: of all pairs a quarter of the box apart,
    // half agree.
    let side = 64;
    let grid: Vec<[f64; 2]> =
        (0..side * side).map(|i| [f64::from(i / side) + 0.5, f64::from(i % side) + 0.5]).collect();
    let stripes: Vec<[f64; 2]> =
        grid.iter().map(|p| [0.0, if p[0] < 32.0 { 1.0 } else { -1.0 }]).collect();
    let tank = State::new(&grid, &stripes, Domain::periodic([0.0; 2], [64.0; 2]));
    // C along x alone is 1 - |dx|/16; over all directions dx = r·cos: 1 - (2/π)·r/16, zero at 8π =
    // 25.1.
    let length = tank.correlation_length().expect("a crossing");
    assert!(
        (length - 8.0 * std::f64::consts::PI).abs() < 0.8,
        "{length}, of a quarter of a million pairs among 8 million"
    );
}

#[test]
fn density_is_of_the_box_or_of_the_convex_hull() {
    let square = [[0.0, 0.0], [4.0, 0.0], [4.0, 2.0], [0.0, 2.0], [1.0, 1.0], [4.0, 1.0]];
    close(open(&square, &still(&square)).density(), 6.0 / 8.0);
    let tank = Domain::walled([0.0; 2], [10.0, 6.0], 1.0, 1.0);
    close(State::new(&square, &still(&square), tank).density(), 6.0 / 60.0);
    let corner = [[1e6, 0.0, 0.0], [1e6 + 2.0, 0.0, 0.0], [1e6, 3.0, 0.0], [1e6, 0.0, 4.0]];
    close(open(&corner, &still(&corner)).density(), 4.0 / (2.0 * 3.0 * 4.0 / 6.0));
    let lattice: Vec<[f64; 3]> =
        (0..1000).map(|i| [i / 100, i / 10 % 10, i % 10].map(f64::from)).collect();
    close(open(&lattice, &still(&lattice)).density(), 1000.0 / 729.0);
    // No area, no volume: no density.
    let line = [[0.0, 0.0], [1.0, 1.0], [3.0, 3.0]];
    assert_eq!(open(&line, &still(&line)).density(), None);
    assert_eq!(open(&line[..2], &still(&line[..2])).density(), None);
    let plane: Vec<[f64; 3]> =
        (0..9).map(|i| [f64::from(i % 3), f64::from(i / 3), f64::from(i % 3 + i / 3)]).collect();
    assert_eq!(open(&plane, &still(&plane)).density(), None);
    let pile = [[1.0, 2.0, 3.0]; 5];
    assert_eq!(open(&pile, &still(&pile)).density(), None);
}

#[test]
fn the_hull_of_many_on_a_sphere_is_nearly_the_ball() {
    let mut random = Random::new(5);
    let points: Vec<[f64; 3]> = (0..3000)
        .map(|_| {
            let v: [f64; 3] = std::array::from_fn(|_| f64::from(random.within(-1.0, 1.0)));
            let length = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
            v.map(|x| x / length * 2.0)
        })
        .collect();
    let volume = 3000.0 / open(&points, &still(&points)).density().expect("a volume");
    let ball = 4.0 / 3.0 * std::f64::consts::PI * 8.0;
    assert!(volume < ball && volume > 0.99 * ball, "{volume} of {ball}");
}

/// Groups by following each boid's neighbors among all.
pub fn brute_groups<const D: usize>(
    positions: &[[f64; D]],
    domain: &Domain<[f32; D]>,
    radius: f64,
) -> Vec<usize> {
    let near = |i: usize, j: usize| {
        let along = |a: usize| {
            let (offset, side) = (positions[j][a] - positions[i][a], f64::from(domain.side(a)));
            if domain.is_periodic() { offset - side * (offset / side).round() } else { offset }
        };
        (0..D).fold(0.0, |sum, a| sum + along(a) * along(a)).sqrt() <= radius
    };
    let mut left: Vec<usize> = (0..positions.len()).collect();
    let mut sizes = Vec::new();
    while let Some(first) = left.pop() {
        let (mut group, mut next) = (vec![first], 0);
        while next < group.len() {
            let here = group[next];
            let (joined, others) = left.iter().partition(|&&j| near(here, j));
            left = others;
            group.extend::<Vec<usize>>(joined);
            next += 1;
        }
        sizes.push(group.len());
    }
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    sizes
}

fn groups_of<const D: usize>(seed: u64) {
    let mut random = Random::new(seed);
    let state = STATES[seed as usize % STATES.len()];
    let kind = random.one_of(&KINDS);
    let radius = random.one_of(&[1.0, 0.01, 300.0]);
    let domain = domain::<D>(kind, radius, &mut random);
    let positions: Vec<[f64; D]> = boids(state, &domain, radius, &mut random)
        .iter()
        .map(|b| b.position.map(f64::from))
        .collect();
    for part in [1.0, 0.2, 0.5, 3.0, 1e-7] {
        let radius = part * f64::from(radius);
        let got = State::new(&positions, &still(&positions), domain).groups(radius);
        assert_eq!(
            got,
            brute_groups(&positions, &domain, radius),
            "seed {seed} {D}-D {kind} {state} radius {radius}"
        );
    }
}

#[test]
fn groups_agree_with_comparing_all() {
    for seed in 0..300 {
        groups_of::<2>(seed);
        groups_of::<3>(seed);
    }
}

#[test]
fn groups_are_chains_of_neighbors() {
    let chain: Vec<[f64; 2]> = [0.0, 1.0, 2.0, 3.5, 4.5, 9.0].map(|x| [x, 0.0]).into();
    let groups = |radius| open(&chain, &still(&chain)).groups(radius);
    assert_eq!(groups(1.0), [3, 2, 1], "exactly the radius apart is within it");
    assert_eq!(groups(1.5), [5, 1]);
    assert_eq!(groups(0.999), [1; 6]);
    assert_eq!(groups(4.5), [6]);
    for nothing in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(groups(nothing), [1; 6]);
    }
    let tank = Domain::periodic([0.0; 2], [10.0; 2]);
    assert_eq!(
        State::new(&chain, &still(&chain), tank).groups(1.0),
        [4, 2],
        "9 and 0 are neighbors across the edge"
    );
    // Neighboring numbers are further apart than the radius there.
    let far = [[1e30, 0.0], [1e30, 0.5], [2e30, 0.0], [-1e30, 0.0], [1e30, 9.0]];
    assert_eq!(open(&far, &still(&far)).groups(1.0), [2, 1, 1, 1]);
}

/// Lines, slanted ones beside each other, lattices whose spacing is the radius, places whole boxes
/// away, clumps about the radius apart, and places as far as floats reach.
fn laid_out<const D: usize>(kind: usize, count: usize, random: &mut Random) -> Vec<[f64; D]> {
    let mut place = |i: usize| -> [f64; D] {
        std::array::from_fn(|a| match kind {
            0 => i as f64 * 1e-4 * f64::from(a == 0),
            1 => (i / 2) as f64 * 0.01 + f64::from(a == 0) * (i % 2) as f64 * 1.4143,
            2 => ((i / 6usize.pow(a as u32)) % 6) as f64 * 0.5,
            3 => f64::from(random.within(-1.0, 1.0)) + 4.0 * random.below(3) as f64,
            4 => f64::from(
                Random::new((i / 20 * D + a) as u64).within(0.0, 5.0) + random.within(0.0, 0.1),
            ),
            _ => f64::from(random.within(-1.0, 1.0)) * random.one_of(&[1.0, 1e9, 1e30]),
        })
    };
    (0..count).map(&mut place).collect()
}

#[test]
fn groups_of_whatever_is_laid_out_agree_with_comparing_all() {
    fn agree<const D: usize>(seed: u64) {
        let mut random = Random::new(seed);
        let positions: Vec<[f64; D]> =
            laid_out(seed as usize % 6, 60 + random.below(300), &mut random);
        let side = random.one_of(&[3.0, 4.0, 2e30]);
        let tank = Domain::periodic([-side; D], [random.one_of(&[side, 0.0]); D]);
        for (domain, radius) in [Domain::open(), tank]
            .iter()
            .flat_map(|domain| [0.5, 1.0, 0.01, 1e9].map(|r| (domain, r)))
        {
            let (got, all) = (
                State::new(&positions, &still(&positions), *domain).groups(radius),
                brute_groups(&positions, domain, radius),
            );
            assert_eq!(got, all, "seed {seed}, {D}-D, radius {radius}, {domain:?}");
        }
    }
    for seed in 0..tier::either(60, 300) {
        agree::<2>(seed);
        agree::<3>(seed);
    }
}

#[test]
fn groups_cost_little_wherever_they_are() {
    // Pair by pair, 4·10¹⁰ distances each: minutes.
    let mut random = Random::new(2);
    let line = laid_out::<2>(0, 200_000, &mut random);
    assert_eq!(open(&line, &still(&line)).groups(1.0), [200_000]);
    assert_eq!(open(&line, &still(&line)).groups(0.99e-4), vec![1; 200_000]);
    let far: Vec<[f64; 2]> = (0..200_000)
        .map(|_| [1e30, -1e30].map(|most| f64::from(random.within(0.5, 1.0)) * most))
        .collect();
    assert!(open(&far, &still(&far)).groups(1.0).len() > 199_000);
    let tank = Domain::periodic([-1e30; 2], [1e30; 2]);
    assert!(State::new(&far, &still(&far), tank).groups(1.0).len() > 199_000);
}

#[test]
fn a_clump_of_a_hundred_thousand_is_grouped_without_comparing_all() {
    let mut random = Random::new(1);
    let clump: Vec<[f64; 3]> =
        (0..100_000).map(|_| std::array::from_fn(|_| f64::from(random.within(0.0, 1.0)))).collect();
    // Pair by pair, this would be 10^10 distances.
    assert_eq!(open(&clump, &still(&clump)).groups(1.0), [100_000]);
}

#[test]
fn a_flock_is_measured_as_its_state_is() {
    let spawn = Spawn { shape: Shape::Box { min: [0.0; 3], max: [8.0; 3] }, ..Spawn::default() };
    for domain in [Domain::periodic([0.0; 3], [8.0; 3]), Domain::open()] {
        let flock = Flock3::builder().domain(domain).seed(3).spawn(300, spawn).build().unwrap();
        let frame = flock.frame();
        let positions: Vec<[f64; 3]> = frame.by_id().map(|b| b.position.map(f64::from)).collect();
        let velocities: Vec<[f64; 3]> = frame.by_id().map(|b| b.velocity.map(f64::from)).collect();
        let state = State::new(&positions, &velocities, domain);
        let all = observables(&frame, &domain, Some(1.0));
        assert_eq!(all, state.observables(Some(1.0)));
        assert_eq!(all.polarization, Some(observe::polarization(&frame)));
        assert_eq!(all.milling, Some(observe::milling(&frame, &domain)));
        assert_eq!(all.mean_speed, Some(observe::mean_speed(&frame)));
        assert_eq!(all.nearest_neighbor_distance, Some(nearest_neighbor_distance(&frame, &domain)));
        assert!(all.values().iter().all(Option::is_some), "{all:?}");
    }
}
