//! Curves over many moments: states whose curves are known by hand, and randomness whose averages
//! are.

use crate::common::*;
use wingbeat::steer::*;
use wingbeat::*;
use wingbeat_measure::{Curve, CurveSettings, CurveTable, Curves, State};
use wingbeat_test_support::tier;

/// Positions and velocities of every boid with an id.
type Seen<const D: usize> = (Vec<u64>, Vec<[f64; D]>, Vec<[f64; D]>);

fn add<const D: usize>(
    curves: &mut Curves,
    number: i64,
    (ids, positions, velocities): &Seen<D>,
    domain: Domain<[f32; D]>,
) {
    curves.add(number, ids, &State::new(positions, velocities, domain));
}

fn table(curves: &Curves, curve: Curve) -> CurveTable {
    curves.table(curve).expect("was asked for")
}

fn column<'a>(table: &'a CurveTable, name: &str) -> &'a [f64] {
    &table
        .columns
        .iter()
        .find(|column| column.name == name)
        .unwrap_or_else(|| panic!("{name} in {table:?}"))
        .values
}

fn close(got: &[f64], wanted: &[f64], error: f64) {
    assert_eq!(got.len(), wanted.len(), "{got:?}, wanted {wanted:?}");
    for (got, wanted) in got.iter().zip(wanted) {
        assert!((got - wanted).abs() <= error, "{got}, wanted {wanted}");
    }
}

fn thrown<const D: usize>(random: &mut Random, count: usize, sides: [f32; D]) -> Seen<D> {
    let positions =
        (0..count).map(|_| sides.map(|side| f64::from(random.within(0.0, side)))).collect();
    let velocities =
        (0..count).map(|_| std::array::from_fn(|_| f64::from(random.within(-1.0, 1.0)))).collect();
    ((0..count as u64).collect(), positions, velocities)
}

// ---- In space
// -------------------------------------------------------------------------------------------------

/// The pair correlation of individuals thrown at random into a box, bin by bin with what chance
/// leaves of error: 1 throughout.
fn ideal_gas<const D: usize>(
    domain: Domain<[f32; D]>,
    sides: [f32; D],
    count: usize,
    reach: Option<f64>,
    moments: i64,
    seed: u64,
) {
    let mut random = Random::new(seed);
    let settings = CurveSettings { reach, ..CurveSettings::new(1.0) };
    let mut curves = Curves::new(&[Curve::PairCorrelation], settings).expect("good settings");
    for number in 0..moments {
        add(&mut curves, number, &thrown(&mut random, count, sides), domain);
    }
    let found = table(&curves, Curve::PairCorrelation);
    let (distances, g) = (column(&found, "distance"), column(&found, "pair_correlation"));
    assert_eq!(g.len(), 64, "every bin is in the box");
    let volume: f64 = sides.iter().map(|&side| f64::from(side)).product();
    let (mut sum, mut all) = (0.0, 0.0);
    for (r, g) in distances.iter().zip(g) {
        let width = distances[1] - distances[0];
        let ring =
            if D == 2 { std::f64::consts::TAU * r } else { 4.0 * std::f64::consts::PI * r * r }
                * width;
        let pairs = moments as f64 * (count * count) as f64 / 2.0 * ring / volume;
        // Of more than two million that may be near, some of which are not, a part is looked at.
        let ball = if D == 2 { std::f64::consts::PI } else { 4.0 / 3.0 * std::f64::consts::PI }
            * libm::pow(64.0 * width, D as f64);
        let near = (count * count) as f64 * ball / volume;
        let part = if near > 1.5e6 { 1.5e6 / near } else { 1.0 };
        let pairs = pairs * part;
        assert!(
            (g - 1.0).abs() < 6.0 / pairs.sqrt() + 0.02,
            "g({r}) = {g}, of {pairs} pairs, seed {seed}"
        );
        (sum, all) = (sum + g * pairs, all + pairs);
    }
    // Where there are edges, a moment with more in the middle has more pairs of all lengths.
    let error = if domain.is_periodic() { 0.004 } else { 0.01 };
    assert!((sum / all - 1.0).abs() < error, "{} on average, seed {seed}", sum / all);
}

#[test]
fn the_pair_correlation_of_an_ideal_gas_is_one() {
    for seed in 0..tier::either(1, 3) {
        ideal_gas(Domain::periodic([0.0; 2], [30.0, 20.0]), [30.0, 20.0], 1000, None, 10, seed);
        ideal_gas(
            Domain::periodic([0.0; 2], [30.0, 20.0]),
            [30.0, 20.0],
            300,
            Some(10.0),
            20,
            seed,
        );
        ideal_gas(
            Domain::periodic([0.0; 3], [9.0, 10.0, 8.0]),
            [9.0, 10.0, 8.0],
            600,
            None,
            10,
            seed,
        );
        ideal_gas(
            Domain::reflecting([0.0; 2], [30.0, 20.0]),
            [30.0, 20.0],
            800,
            Some(9.0),
            10,
            seed,
        );
        // Without the wider box the pairs of so few would be 2 and 3 % too few.
        ideal_gas(Domain::open(), [30.0, 20.0], 200, None, 100, seed);
        ideal_gas(Domain::open(), [9.0, 10.0, 8.0], 200, None, 100, seed);
    }
    // So many pairs that a part stands for all.
    ideal_gas(Domain::periodic([0.0; 2], [100.0; 2]), [100.0; 2], 10_000, Some(50.0), 1, 9);
}

#[test]
fn a_lattice_has_its_peaks_where_its_neighbors_are() {
    // A square lattice of distance 1 in a periodic box: 4 neighbors at 1, 4 at √2, 4 at 2.
    let domain = Domain::periodic([0.0; 2], [8.0; 2]);
    let positions: Vec<[f64; 2]> = (0..64).map(|i| [f64::from(i % 8), f64::from(i / 8)]).collect();
    let mut curves = Curves::new(
        &[Curve::PairCorrelation],
        CurveSettings { reach: Some(3.2), ..CurveSettings::new(1.0) },
    )
    .expect("good");
    add(&mut curves, 0, &((0..64).collect(), positions.clone(), vec![[0.0; 2]; 64]), domain);
    let found = table(&curves, Curve::PairCorrelation);
    let (distances, g) = (column(&found, "distance"), column(&found, "pair_correlation"));
    // By how many each has in a ring, of 63 others in 64.
    let ring = |bin: usize| {
        std::f64::consts::PI
            * 0.05
            * 0.05
            * ((bin + 1) as f64 * (bin + 1) as f64 - (bin * bin) as f64)
    };
    let wanted = |bin: usize, neighbors: f64| neighbors / (63.0 / 64.0 * ring(bin));
    for (bin, neighbors) in
        [(20, 4.0), (28, 4.0), (40, 4.0), (44, 8.0), (56, 4.0), (10, 0.0), (30, 0.0)]
    {
        let (got, wanted) = (g[bin], wanted(bin, neighbors));
        assert!((got - wanted).abs() < 1e-9, "g({}) = {got}, wanted {wanted}", distances[bin]);
    }
}

#[test]
fn an_empty_state_and_those_in_a_line_have_no_pair_correlation() {
    for positions in
        [vec![], vec![[1.0, 1.0]], vec![[1.0, 1.0]; 5], vec![[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]]]
    {
        let count = positions.len();
        let mut curves = Curves::new(Curve::ALL, CurveSettings::new(1.0)).expect("good");
        for number in 0..4 {
            add(
                &mut curves,
                number,
                &((0..count as u64).collect(), positions.clone(), vec![[0.0; 2]; count]),
                Domain::open(),
            );
        }
        for &curve in Curve::ALL {
            for column in table(&curves, curve).columns {
                assert!(
                    column.values.iter().all(|value| value.is_finite()),
                    "{column:?} of {positions:?}"
                );
            }
        }
        assert!(column(&table(&curves, Curve::PairCorrelation), "distance").is_empty());
    }
}

#[test]
fn the_map_of_neighbors_has_them_where_they_are() {
    // One heads north-east at (0, 0). Of the others one is 2 ahead of it, one 1 to its left; they
    // rest and do not look.
    let h = 0.5f64.sqrt();
    let positions = vec![[0.0, 0.0], [2.0 * h, 2.0 * h], [-h, h]];
    let velocities = vec![[3.0, 3.0], [0.0, 0.0], [f64::NAN, 0.0]];
    let settings = CurveSettings { reach: Some(4.0), ..CurveSettings::new(1.0) };
    let mut curves = Curves::new(&[Curve::NeighborMap], settings).expect("good");
    add(&mut curves, 0, &(vec![1, 2, 3], positions, velocities), Domain::open());
    let found = table(&curves, Curve::NeighborMap);
    let rows = |name: &str| column(&found, name).to_vec();
    let (ahead, left, density, count) =
        (rows("ahead"), rows("left"), rows("density"), rows("count"));
    let seen: Vec<usize> = (0..count.len()).filter(|&cell| count[cell] > 0.0).collect();
    assert_eq!(seen.len(), 2);
    let spot = |cell: usize| [ahead[cell], left[cell]];
    close(&spot(seen[0]), &[0.1, 1.1], 0.11);
    close(&spot(seen[1]), &[2.1, 0.1], 0.21);
    // One individual looked, at cells of 0.2 by 0.2.
    close(&[density[seen[0]]], &[25.0], 1e-9);
    // In space the same two lie 0 and 1 aside.
    let lifted = |v: [f64; 2]| [v[0], v[1], 0.0];
    let mut curves = Curves::new(&[Curve::NeighborMap], settings).expect("good");
    let positions = [[0.0, 0.0], [2.0 * h, 2.0 * h], [-h, h]].map(lifted).to_vec();
    add(
        &mut curves,
        0,
        &(vec![1, 2, 3], positions, vec![[3.0, 3.0, 0.0], [0.0; 3], [0.0; 3]]),
        Domain::open(),
    );
    let found = table(&curves, Curve::NeighborMap);
    let cells = column(&found, "count")
        .iter()
        .enumerate()
        .filter(|(_, count)| **count > 0.0)
        .map(|(cell, _)| cell);
    let spots: Vec<[f64; 2]> =
        cells.map(|cell| [column(&found, "ahead")[cell], column(&found, "aside")[cell]]).collect();
    close(&spots[0], &[0.1, 1.0], 0.21);
    close(&spots[1], &[2.1, 0.1], 0.21);
}

// ---- In time
// -------------------------------------------------------------------------------------------------

#[test]
fn free_walkers_go_as_far_as_their_speed_takes_them() {
    // Round and round a small box, in which no boid goes half a side in a step; the displacement is
    // (v t)² all the same.
    for seed in 0..20 {
        let mut random = Random::new(seed);
        let domain = Domain::periodic([0.0; 3], [5.0, 4.0, 3.0]);
        let (ids, mut positions, velocities) = thrown::<3>(&mut random, 50, [5.0, 4.0, 3.0]);
        let speed_sq = velocities.iter().flatten().map(|c| c * c).sum::<f64>() / 50.0;
        let mut curves = Curves::new(
            &[Curve::MeanSquaredDisplacement, Curve::VelocityAutocorrelation, Curve::TurningRate],
            CurveSettings { lags: 20, stride: 3, ..CurveSettings::new(0.1) },
        )
        .expect("good");
        for number in 0..30 {
            let inside: Vec<[f64; 3]> = positions
                .iter()
                .map(|x: &[f64; 3]| std::array::from_fn(|a| x[a].rem_euclid([5.0, 4.0, 3.0][a])))
                .collect();
            add(&mut curves, 3 * number, &(ids.clone(), inside, velocities.clone()), domain);
            for (x, v) in positions.iter_mut().zip(&velocities) {
                *x = std::array::from_fn(|a| x[a] + 0.3 * v[a]);
            }
        }
        let found = table(&curves, Curve::MeanSquaredDisplacement);
        let times: Vec<f64> = (0..=20).map(|lag| 0.3 * f64::from(lag)).collect();
        close(column(&found, "lag"), &times, 1e-12);
        let wanted: Vec<f64> = times.iter().map(|time| speed_sq * time * time).collect();
        close(column(&found, "mean_squared_displacement"), &wanted, 1e-9);
        assert_eq!(column(&found, "samples")[7], 50.0 * 23.0);
        close(
            column(&table(&curves, Curve::VelocityAutocorrelation), "velocity_autocorrelation"),
            &[1.0; 21],
            1e-12,
        );
        let turning = table(&curves, Curve::TurningRate);
        assert_eq!(column(&turning, "count").iter().sum::<f64>(), 50.0 * 29.0);
        assert!(
            column(&turning, "turning_rate").iter().all(|rate| rate.abs() < 1e-6),
            "no boid turns: {turning:?}"
        );
    }
}

#[test]
fn walkers_at_random_spread_by_the_square_root_of_time() {
    // Steps of 1 in directions at random: ⟨x²⟩ is the number of steps, and velocities know nothing
    // of each other.
    let mut random = Random::new(5);
    let mut positions = vec![[0.0f64; 2]; 400];
    let mut curves = Curves::new(
        &[Curve::MeanSquaredDisplacement, Curve::VelocityAutocorrelation],
        CurveSettings { lags: 16, ..CurveSettings::new(1.0) },
    )
    .expect("good");
    for number in 0..400 {
        let steps: Vec<[f64; 2]> = (0..400)
            .map(|_| f64::from(random.within(0.0, std::f32::consts::TAU)))
            .map(|angle| [libm::cos(angle), libm::sin(angle)])
            .collect();
        add(
            &mut curves,
            number,
            &((0..400).collect(), positions.clone(), steps.clone()),
            Domain::open(),
        );
        positions.iter_mut().zip(steps).for_each(|(x, step)| *x = [x[0] + step[0], x[1] + step[1]]);
    }
    let found = table(&curves, Curve::MeanSquaredDisplacement);
    for (lag, square) in column(&found, "mean_squared_displacement").iter().enumerate() {
        assert!((square - lag as f64).abs() <= 0.03 * lag as f64, "{square} after {lag}");
    }
    let found = table(&curves, Curve::VelocityAutocorrelation);
    for c in &column(&found, "velocity_autocorrelation")[1..] {
        assert!(c.abs() < 0.02, "{c}");
    }
}

#[test]
fn a_boid_that_flies_in_circles_turns_at_one_rate_and_comes_back() {
    // A turn in 24 moments of 0.5 each; the other way round, to the right. In space turns have no
    // side.
    let omega = std::f64::consts::TAU / 12.0;
    let ring = |number: i64, sign: f64| {
        let angle = sign * omega * 0.5 * number as f64;
        (
            [libm::sin(angle) * sign / omega, -libm::cos(angle) * sign / omega],
            [libm::cos(angle), libm::sin(angle)],
        )
    };
    for (sign, lifted) in [(1.0, false), (-1.0, false), (-1.0, true)] {
        let mut curves =
            Curves::new(Curve::ALL, CurveSettings { lags: 24, ..CurveSettings::new(0.5) })
                .expect("good");
        for number in 0..100 {
            let (x, v) = ring(number, sign);
            if lifted {
                add(
                    &mut curves,
                    number,
                    &(vec![7], vec![[x[0], x[1], 3.0]], vec![[v[0], v[1], 0.0]]),
                    Domain::open(),
                );
            } else {
                add(&mut curves, number, &(vec![7], vec![x], vec![v]), Domain::open());
            }
        }
        let wanted: Vec<f64> =
            (0..=24).map(|lag| libm::cos(omega * 0.5 * f64::from(lag))).collect();
        close(
            column(&table(&curves, Curve::VelocityAutocorrelation), "velocity_autocorrelation"),
            &wanted,
            1e-9,
        );
        let wanted: Vec<f64> =
            wanted.iter().map(|cos| 2.0 * (1.0 - cos) / (omega * omega)).collect();
        close(
            column(&table(&curves, Curve::MeanSquaredDisplacement), "mean_squared_displacement"),
            &wanted,
            1e-9,
        );
        let turning = table(&curves, Curve::TurningRate);
        let (rates, counts) = (column(&turning, "turning_rate"), column(&turning, "count"));
        let rate = if lifted { omega } else { sign * omega };
        let held: f64 = rates
            .iter()
            .zip(counts)
            .filter(|(middle, _)| (*middle - rate).abs() < 0.02)
            .map(|(_, count)| count)
            .sum();
        assert_eq!(held, 99.0, "{rate} in {turning:?}");
        // A speed of 1 all the time, in one bin, whose probability is 1.
        let speed = table(&curves, Curve::Speed);
        let (speeds, densities) = (column(&speed, "speed"), column(&speed, "probability_density"));
        let width = speeds[1] - speeds[0];
        close(&[densities.iter().sum::<f64>() * width], &[1.0], 1e-9);
        let fullest = (0..speeds.len()).find(|&bin| densities[bin] > 0.0).expect("a bin");
        close(&[speeds[fullest]], &[1.0], width);
    }
}

#[test]
fn a_follower_is_found_with_its_delay() {
    // A boid turns at random; another does the same three moments later, a third does as it
    // likes.
    for seed in 0..20 {
        let mut random = Random::new(seed);
        let mut angles = vec![0.0f64];
        let mut own = vec![0.0f64];
        for _ in 0..200 {
            angles.push(angles[angles.len() - 1] + f64::from(random.within(-0.5, 0.5)));
            own.push(own[own.len() - 1] + f64::from(random.within(-0.5, 0.5)));
        }
        let mut curves =
            Curves::new(&[Curve::Delays], CurveSettings { lags: 10, ..CurveSettings::new(0.25) })
                .expect("good");
        let heading = |angle: f64| [libm::cos(angle) * 2.0, libm::sin(angle) * 2.0];
        for number in 3..200 {
            let velocities =
                [heading(angles[number - 3]), heading(own[number]), heading(angles[number])];
            // The one that leads has the highest id, and comes last.
            let seen = if number < 8 { 2 } else { 3 };
            let ids: Vec<u64> = [10, 20, 30][..seen].to_vec();
            add(
                &mut curves,
                number as i64,
                &(ids, vec![[0.0; 2]; seen], velocities[..seen].to_vec()),
                Domain::open(),
            );
        }
        let found = table(&curves, Curve::Delays);
        let row = |i: usize| -> Vec<f64> {
            found.columns.iter().map(|column| column.values[i]).collect()
        };
        assert_eq!(found.columns[0].values.len(), 3, "every two once, seed {seed}");
        let pair =
            (0..3).map(row).find(|row| row[0] == 30.0 && row[1] == 10.0).expect("30 leads 10");
        close(&pair[2..4], &[0.75, 1.0], 1e-9);
        assert!(pair[4] < 0.99 && pair[5] == 192.0, "{pair:?}, seed {seed}");
    }
}

// ---- Who comes and goes
// ------------------------------------------------------------------------------------------------

#[test]
fn those_away_for_a_while_count_where_ways_are_known() {
    let times = |gone: &dyn Fn(i64) -> bool, domain: Domain<[f32; 2]>| {
        let mut curves = Curves::new(
            &[Curve::MeanSquaredDisplacement],
            CurveSettings { lags: 9, ..CurveSettings::new(1.0) },
        )
        .expect("good");
        for number in (0..10).filter(|number| *number != 4) {
            let x = (number as f64).rem_euclid(8.0);
            let x = if domain.is_periodic() { x } else { number as f64 };
            let away = gone(number);
            let ids = if away { vec![2] } else { vec![1, 2] };
            let positions = if away { vec![[x, 1.0]] } else { vec![[x, 0.0], [x, 1.0]] };
            let velocities = vec![[1.0, 0.0]; ids.len()];
            add(&mut curves, number, &(ids, positions, velocities), domain);
        }
        let found = table(&curves, Curve::MeanSquaredDisplacement);
        close(
            column(&found, "mean_squared_displacement"),
            &(0..10).map(|lag| f64::from(lag * lag)).collect::<Vec<_>>(),
            1e-9,
        );
        column(&found, "samples").to_vec()
    };
    // Moments 0 to 9 but 4: nine of lag 0, seven of lag 1, and so on, for each of two.
    let all = [9.0, 7.0, 6.0, 5.0, 4.0, 4.0, 4.0, 3.0, 2.0, 1.0];
    assert_eq!(times(&|_| false, Domain::open()), all.map(|count| 2.0 * count));
    let periodic = Domain::periodic([0.0; 2], [8.0; 2]);
    assert_eq!(times(&|_| false, periodic), all.map(|count| 2.0 * count));
    // Away at 5 and 6, one has moments 0 to 3 and 7 to 9: in the open ways across are known, round
    // a box they are not.
    let open = [7.0, 5.0, 3.0, 1.0, 1.0, 2.0, 3.0, 3.0, 2.0, 1.0];
    let pairs = |of: &dyn Fn(i64, i64) -> bool| -> Vec<f64> {
        let there = [0, 1, 2, 3, 7, 8, 9];
        (0..10)
            .map(|lag| {
                there
                    .iter()
                    .flat_map(|a| there.map(|b| (*a, b)))
                    .filter(|(a, b)| b - a == lag && of(*a, *b))
                    .count() as f64
            })
            .collect()
    };
    assert_eq!(pairs(&|_, _| true), open);
    let sum = |one: &[f64]| one.iter().zip(all).map(|(a, b)| a + b).collect::<Vec<_>>();
    assert_eq!(times(&|number| number == 5 || number == 6, Domain::open()), sum(&open));
    assert_eq!(
        times(&|number| number == 5 || number == 6, periodic),
        sum(&pairs(&|a, b| (a < 5) == (b < 5)))
    );
}

#[test]
fn curves_do_not_depend_on_threads_levels_or_where_boids_lie() {
    let mut random = Random::new(3);
    let (_, positions, velocities) = thrown(&mut random, 2000, [30.0; 2]);
    let narrow =
        |v: Vec<[f64; 2]>| -> Vec<[f32; 2]> { v.iter().map(|v| v.map(|c| c as f32)).collect() };
    let (positions, velocities) = (narrow(positions), narrow(velocities));
    let run = |threads: usize, level: Level, radius: f32| {
        let mut flock = Flock::<2>::builder()
            .domain(Domain::periodic([0.0; 2], [30.0; 2]))
            .threads(threads)
            .level(level)
            .boids(&positions, &velocities)
            .build()
            .expect("a flock");
        let mut curves = Curves::new(
            Curve::ALL,
            CurveSettings { lags: 5, reach: Some(f64::from(radius)), ..CurveSettings::new(0.1) },
        )
        .expect("good");
        for number in 0..8 {
            curves.add_frame(number, &flock.frame(), flock.domain());
            flock.step(TimeStep::new(0.1).expect("a time step"));
        }
        Curve::ALL.iter().map(|&curve| table(&curves, curve)).collect::<Vec<_>>()
    };
    let alone = run(1, Level::Portable, 2.0);
    for &level in Level::ALL.iter().filter(|level| can_test(**level)) {
        assert!(run(2, level, 2.0) == alone, "{level:?}");
    }
    assert!(run(3, Level::detect(), 3.0) != alone, "another reach is another curve");
}

#[test]
fn settings_out_of_range_are_refused_by_name() {
    let good = CurveSettings::new(1.0);
    let refused = |settings: CurveSettings| {
        Curves::new(&[Curve::Speed], settings).expect_err("out of range").to_string()
    };
    assert_eq!(
        refused(CurveSettings { interval: 0.0, ..good }),
        "interval = 0: allowed is a finite number above 0"
    );
    assert_eq!(
        refused(CurveSettings { lags: 10_001, ..good }),
        "lags = 10001: allowed is a whole number, 1 to 10000"
    );
    assert!(refused(CurveSettings { lags: 0, ..good }).starts_with("lags = 0"));
    assert!(refused(CurveSettings { stride: 0, ..good }).starts_with("stride = 0"));
    assert!(refused(CurveSettings { reach: Some(f64::NAN), ..good }).starts_with("reach = NaN"));
    let refusal = "g".parse::<Curve>().expect_err("no curve").to_string();
    assert!(refusal.starts_with("curve = g: allowed is pair_correlation, "), "{refusal}");
}

/// Whatever speeds there are, and in whatever order they come, bins hold what they say.
#[test]
fn histograms_hold_everything_in_any_order() {
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let scale = libm::pow(10.0, f64::from(random.within(-30.0, 30.0)));
        let count = 1 + random.below(400);
        let mut speeds: Vec<f64> = (0..count)
            .map(|_| {
                let tail = if random.below(50) == 0 { 1000.0 } else { 1.0 };
                if random.below(20) == 0 { 0.0 } else { scale * tail * f64::from(random.unit()) }
            })
            .collect();
        let of = |speeds: &[f64]| {
            let mut curves = Curves::new(&[Curve::Speed], CurveSettings::new(1.0)).expect("good");
            for (number, speed) in (0..).zip(speeds) {
                add(
                    &mut curves,
                    number,
                    &(vec![1], vec![[0.0; 2]], vec![[*speed, 0.0]]),
                    Domain::open(),
                );
            }
            table(&curves, Curve::Speed)
        };
        let found = of(&speeds);
        let (middles, counts, densities) = (
            column(&found, "speed"),
            column(&found, "count"),
            column(&found, "probability_density"),
        );
        assert_eq!(counts.iter().sum::<f64>(), count as f64, "seed {seed}");
        let apart = middles.windows(2).map(|pair| pair[1] - pair[0]).fold(f64::INFINITY, f64::min);
        let width = if apart.is_finite() { apart } else { 1.0 / densities[0] };
        if middles == [0.0] {
            assert!(speeds.iter().all(|speed| *speed == 0.0), "seed {seed}");
            continue;
        }
        for ((middle, held), density) in middles.iter().zip(counts).zip(densities) {
            let (low, high) = (middle - width / 2.0, middle + width / 2.0);
            let there = speeds.iter().filter(|speed| (low..high).contains(*speed)).count() as f64;
            assert_eq!(*held, there, "{low} to {high}, seed {seed}");
            let wanted = held / (width * count as f64);
            assert!((density - wanted).abs() <= 1e-9 * wanted, "{density} {wanted}, seed {seed}");
        }
        assert!(
            middles.len() <= 64 + count,
            "not more than can be looked at: {} of {count}, seed {seed}",
            middles.len()
        );
        speeds.reverse();
        assert_eq!(of(&speeds), found, "seed {seed}");
    }
}

#[test]
fn curves_that_are_written_and_read_go_on() {
    let mut random = Random::new(1);
    let domain = Domain::periodic([0.0; 2], [9.0; 2]);
    let settings = CurveSettings { lags: 4, ..CurveSettings::new(0.5) };
    let mut unbroken = Curves::new(Curve::ALL, settings).expect("good");
    let mut broken = unbroken.clone();
    for number in 0..12 {
        let seen = thrown(&mut random, 60, [9.0; 2]);
        add(&mut unbroken, number, &seen, domain);
        add(&mut broken, number, &seen, domain);
        let text = serde_json::to_string(&broken).expect("can be written");
        broken = serde_json::from_str(&text).expect("can be read");
    }
    assert_eq!(broken.moments(), 12);
    for &curve in Curve::ALL {
        // The text has the digits of every number, but its reader may round the last.
        for (one, other) in
            table(&broken, curve).columns.iter().zip(table(&unbroken, curve).columns)
        {
            close(&one.values, &other.values, 1e-9);
        }
    }
}
