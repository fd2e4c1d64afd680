//! Drives in time by hand: windows, delays, who waits, and how delays are spread.

use wingbeat_steer::behavior::Path as Road;
use wingbeat_steer::drive::*;
use wingbeat_steer::math::{gamma_quantile, normal_quantile};
use wingbeat_steer::{Domain, Drive, Params, TextbookBoid, TextbookFlock, TimeStep, noise};

type Flat = [f32; 2];

const FIVE: Delay = Delay::Uniform { min: 5.0, max: 5.0 };

fn flock(drives: Vec<Drive<Flat>>, boids: &[(Flat, Flat)]) -> TextbookFlock<Flat> {
    let boid =
        |(id, &(position, velocity)): (u64, &(Flat, Flat))| TextbookBoid { id, position, velocity };
    let mut params = Params::default();
    params.agent.max_force = 1e9;
    TextbookFlock {
        params,
        seed: 1,
        drives,
        boids: (0..).zip(boids).map(boid).collect(),
        ..Default::default()
    }
}

fn steering_at(drive: &Drive<Flat>, time: f64) -> Flat {
    let mut flock = flock(vec![drive.clone()], &[([1.0, 0.0], [0.25, -0.5])]);
    flock.time = time;
    flock.steering(&[0])[0]
}

#[test]
fn a_drive_drives_from_the_beginning_of_its_window_until_before_its_end() {
    let wind = Drive::new("wind", Wind { vector: [1.0, 2.0], drag: false });
    assert_eq!((wind.from, wind.until, wind.delay), (0.0, f64::INFINITY, Delay::None));
    let wind = wind.between(1.0, 2.0);
    let at = [0.0, 1f64.next_down(), 1.0, 1.5, 2f64.next_down(), 2.0, 9.0]
        .map(|time| steering_at(&wind, time));
    assert_eq!(at, [[0.0; 2], [0.0; 2], [1.0, 2.0], [1.0, 2.0], [1.0, 2.0], [0.0; 2], [0.0; 2]]);
    // By a flock's own clock: driven in the steps that begin at 1 and 1.5.
    let mut flock = flock(vec![wind], &[([0.0; 2], [0.0; 2])]);
    let mut speeds = Vec::new();
    for _ in 0..6 {
        flock.step_by(0.5);
        speeds.push(flock.boids[0].velocity[0]);
    }
    assert_eq!(speeds[..3], [0.0, 0.0, 0.5]);
    assert!(speeds[3] > 0.5 && speeds[3..] == [speeds[3]; 3], "{speeds:?}");
}

#[test]
fn who_waits_stands_where_it_would_be_given_a_velocity() {
    let field = |value: Flat| FlowField::new([0.0; 2], [9.0; 2], [2, 2], vec![value; 4]).unwrap();
    let road = Road::open([[0.0, 0.0], [9.0, 0.0]], 0.25).unwrap();
    let goal = Goal { target: Some([9.0, 0.0]), ..Default::default() };
    let (still, none) = ([-0.25, 0.5], [0.0; 2]);
    let cases: Vec<(DriveKind<Flat>, Flat)> = vec![
        (goal.into(), still),
        // Nothing to want a velocity for.
        (Goal { range: 1.0, ..goal }.into(), none),
        (Goal { target: None, ..goal }.into(), none),
        (Path::new(road.clone()).into(), still),
        (Path { follow: Follow::Road, ..Path::new(road) }.into(), still),
        (Flow::new(field([1.0, 0.0])).into(), still),
        (Flow::new(field([0.0, 0.0])).into(), none),
        (Flow { raw: true, ..Flow::new(field([1.0, 0.0])) }.into(), none),
        (Leader { distance: Some(1.0), ..Leader::common(7) }.into(), none),
        (Wind { vector: [1.0; 2], drag: true }.into(), none),
        (Tether { anchor: [9.0; 2], ..Default::default() }.into(), none),
        (Noise::default().into(), none),
        (WanderParameters::default().into(), none),
    ];
    for (kind, wanted) in cases {
        let drive = Drive::new("it", kind).delayed(FIVE).between(1.0, f64::INFINITY);
        assert_eq!(steering_at(&drive, 0.5), none, "not on yet: {drive:?}");
        for time in [1.0, 3.0, 6f64.next_down()] {
            assert_eq!(steering_at(&drive, time), wanted, "{drive:?}");
        }
        let undelayed = Drive { delay: Delay::None, ..drive.clone() };
        assert_eq!(steering_at(&drive, 6.0), steering_at(&undelayed, 6.0), "{drive:?}");
    }
    // Slowed down along the way, at the drive's rate.
    let speed = Drive::new("speed", Speed { speed: 3.0, rate: 2.0 }).delayed(FIVE);
    let force = steering_at(&speed, 0.0);
    assert!((force[0] + 0.5).abs() < 1e-6 && (force[1] - 1.0).abs() < 1e-6, "{force:?}");
}

#[test]
fn followers_wait_and_do_not_look_at_their_leaders() {
    for (distance, wanted) in [(Some(1.0), [-0.5, 0.0]), (None, [0.0; 2])] {
        let leader = Leader { distance, looks: true, ..Leader::common(1) };
        let drive = Drive::new("after", leader).delayed(FIVE);
        let flock = flock(vec![drive], &[([0.0; 2], [0.5, 0.0]), ([0.0, 4.0], [0.0; 2])]);
        assert_eq!(flock.steering(&[0, 1])[0], wanted);
        assert_eq!(flock.steering(&[0, 1])[1], [0.0; 2], "without a leader");
    }
}

#[test]
fn a_boid_that_is_not_driven_neither_arrives_nor_takes_a_waypoint() {
    let goal = Goal {
        target: Some([1.0, 0.0]),
        arrival_radius: 2.0,
        on_arrival: OnArrival::Leave,
        ..Default::default()
    };
    let path = Path::new(Road::open([[0.5, 0.0], [9.0, 0.0]], 1.0).unwrap());
    let told = |drive: Drive<Flat>, steps: usize| {
        let mut flock = flock(vec![drive], &[([0.0; 2], [0.0; 2])]);
        (0..steps).for_each(|_| flock.step_by(0.25));
        (flock.arrived.clone(), flock.boids.len(), flock.memories.get(&(0, 0)).copied())
    };
    let open = f64::INFINITY;
    for (window, delay, first) in
        [((0.0, open), FIVE, 20), ((2.0, open), Delay::None, 8), ((2.0, open), FIVE, 28)]
    {
        // The step that begins when it is over is the first that counts.
        let goal = Drive::new("goal", goal).between(window.0, window.1).delayed(delay);
        assert_eq!(told(goal.clone(), first), (vec![], 1, Some(Memory::Arrived(false))));
        assert_eq!(told(goal, first + 1), (vec![(0, 0)], 0, Some(Memory::Arrived(true))));
        let path = Drive::new("path", path.clone()).between(window.0, window.1).delayed(delay);
        assert_eq!(told(path.clone(), first).2, Some(Memory::Next(0)));
        assert_eq!(told(path, first + 1).2, Some(Memory::Next(1)));
    }
    // A window that is over before the delay is.
    assert_eq!(told(Drive::new("goal", goal).between(0.0, 4.0).delayed(FIVE), 40).1, 1);
}

#[test]
fn a_delay_is_a_boids_own_and_not_a_drives() {
    let delay = Delay::LogNormal { median: 8.0, sigma: 0.7 };
    let drive = |name: &str, from| {
        Drive::<Flat>::new(name, Noise::default()).between(from, f64::INFINITY).delayed(delay)
    };
    for id in 0..200 {
        let of = delay.of(3, id);
        assert_eq!(of, delay.of(3, id));
        assert_ne!(of, delay.of(4, id));
        for drive in [drive("a", 0.0), drive("b", 2.5)] {
            let sets_off = drive.from + of;
            assert!(
                drive.waits(3, id, sets_off.next_down()) && !drive.waits(3, id, sets_off),
                "{id} {sets_off}"
            );
        }
    }
}

/// What the engine compares draws with says exactly which boids wait, at times at which a boid sets
/// off as well.
#[test]
fn the_part_of_draws_that_have_set_off_is_exact() {
    for delay in [
        Delay::Uniform { min: 0.0, max: 4.0 },
        Delay::Uniform { min: 3.0, max: 3.0 },
        Delay::Uniform { min: 1e6, max: 1e6 + 1e-3 },
        Delay::LogNormal { median: 2.0, sigma: 0.5 },
        Delay::LogNormal { median: 1e9, sigma: 1e-3 },
        Delay::LogNormal { median: 2.0, sigma: 5.0 },
        Delay::LogNormal { median: 0.0, sigma: 1.0 },
        Delay::Gamma { shape: 1.291, scale: 103.901 },
        Delay::Gamma { shape: 0.1, scale: 1e9 },
        Delay::Gamma { shape: 100.0, scale: 1e9 },
        Delay::Weibull { shape: 1.195, scale: 139.285 },
        Delay::Weibull { shape: 0.1, scale: 1e9 },
        Delay::Weibull { shape: 100.0, scale: 1e-3 },
    ] {
        let drive =
            Drive::<Flat>::new("it", Noise::default()).between(1.3, f64::INFINITY).delayed(delay);
        assert!(drive.check(&Domain::open()).is_ok());
        let mut last = 0.0;
        for who in 0..40 {
            let sets_off = drive.from + delay.of(9, who);
            for time in [sets_off.next_down(), sets_off, sets_off * 1.0000001, sets_off * 2.0] {
                let part = drive.draws_set_off(time);
                for id in 0..300 {
                    let drawn = noise::uniform(9, id, 0, noise::stream::DELAY);
                    assert_eq!(
                        drive.waits(9, id, time),
                        drawn >= part,
                        "{delay:?} at {time}: {id}, {drawn} and {part}"
                    );
                }
                last = if part > last { part } else { last };
            }
        }
        let longest = drive.from + delay.longest();
        assert_eq!(
            (drive.draws_set_off(longest), drive.draws_set_off(0.0)),
            (1.0, 0.0),
            "{delay:?}"
        );
        assert!(last > 0.9 && drive.draws_set_off(longest.next_down()) < 1.0, "{delay:?}");
    }
}

#[test]
fn normal_quantiles_are_those_of_the_normal_distribution() {
    let probability = |z: f64| 0.5 * libm::erfc(-z / std::f64::consts::SQRT_2);
    let mut last = f64::NEG_INFINITY;
    for n in (0..1u32 << 24).step_by(4093).chain([(1 << 24) - 1]) {
        let p = (f64::from(n) + 0.5) / 16_777_216.0;
        let z = normal_quantile(p);
        let wrong = (probability(z) / p - 1.0).abs();
        assert!(wrong < 1e-13 && z > last, "{p} {z} {wrong}");
        assert_eq!(normal_quantile(1.0 - p), -z);
        last = z;
    }
    assert!(last > 5.41 && last < 5.42, "{last}");
    // Where one series follows the other.
    for edge in [0.075f64, 0.925] {
        let z = [edge.next_down(), edge, edge.next_up()].map(normal_quantile);
        assert!(z[2] - z[0] < 1e-14, "{z:?}");
    }
}

/// Mean, quantiles and the largest distance between the two distributions (Kolmogorov and Smirnov),
/// of a hundred thousand.
#[test]
fn delays_are_spread_as_they_are_said_to_be() {
    let spread = |delay: Delay, cumulative: &dyn Fn(f64) -> f64| {
        let mut all: Vec<f64> = (0..100_000).map(|id| delay.of(2026, id)).collect();
        all.sort_unstable_by(f64::total_cmp);
        let n = all.len() as f64;
        let gap = |(i, &x): (usize, &f64)| (cumulative(x) - i as f64 / n).abs();
        let largest = all.iter().enumerate().map(gap).fold(0.0, |a, b| if b > a { b } else { a });
        // In one of a thousand samples it is larger than 1.95/√n.
        assert!(largest < 1.95 / n.sqrt(), "{delay:?}: {largest}");
        let quantile = |p: f64| all[(p * n) as usize];
        (all.iter().fold(0.0, |sum, x| sum + x) / n, [0.025, 0.5, 0.975].map(quantile))
    };
    // Of the outer quantiles the standard error is half a per cent.
    let near = |found: f64, wanted: f64| {
        assert!((found / wanted - 1.0).abs() < 0.015, "{found}, not {wanted}")
    };
    let (mean, quantiles) =
        spread(Delay::Uniform { min: 10.0, max: 100.0 }, &|x| (x - 10.0) / 90.0);
    near(mean, 55.0);
    quantiles.into_iter().zip([12.25, 55.0, 97.75]).for_each(|(found, wanted)| near(found, wanted));
    let (median, sigma) = (30.0, 0.6);
    let log_normal =
        |x: f64| 0.5 * libm::erfc(-libm::log(x / median) / (sigma * std::f64::consts::SQRT_2));
    let (mean, quantiles) = spread(Delay::LogNormal { median, sigma }, &log_normal);
    near(mean, 30.0 * libm::exp(0.18));
    let at = [-1.959964, 0.0, 1.959964].map(|z| 30.0 * libm::exp(0.6 * z));
    quantiles.into_iter().zip(at).for_each(|(found, wanted)| near(found, wanted));
    // NIST TN 1822, test 1.1: the log-normal, gamma and Weibull distributions of its table, whose
    // means are 157, 134 and 131.
    let median = libm::exp(4.586);
    let log_normal =
        |x: f64| 0.5 * libm::erfc(-libm::log(x / median) / (0.967 * std::f64::consts::SQRT_2));
    near(
        spread(Delay::LogNormal { median, sigma: 0.967 }, &log_normal).0,
        median * libm::exp(0.5 * 0.967 * 0.967),
    );
    let (shape, scale) = (1.291, 103.901);
    let gamma = gamma_distribution(shape);
    near(spread(Delay::Gamma { shape, scale }, &|x| gamma(x / scale)).0, shape * scale);
    let (shape, scale) = (1.195, 139.285);
    let weibull = |x: f64| 1.0 - libm::exp(-libm::pow(x / scale, shape));
    near(
        spread(Delay::Weibull { shape, scale }, &weibull).0,
        scale * libm::tgamma(1.0 + 1.0 / shape),
    );
}

/// The gamma distribution of scale 1, up to x = 40: its density summed by Simpson's rule over w,
/// x = w^(4/shape), where it is smooth.
fn gamma_distribution(shape: f64) -> impl Fn(f64) -> f64 {
    const POINTS: usize = 20_000;
    let step = libm::pow(40.0, shape / 4.0) / POINTS as f64;
    let density = |w: f64| {
        4.0 / shape / libm::tgamma(shape) * w * w * w * libm::exp(-libm::pow(w, 4.0 / shape))
    };
    let mut table = vec![0.0];
    for i in 0..POINTS {
        let w = i as f64 * step;
        let sum = density(w) + 4.0 * density(w + 0.5 * step) + density(w + step);
        table.push(table[i] + sum * step / 6.0);
    }
    move |x| {
        let place = libm::pow(x, shape / 4.0) / step;
        let (i, part) = (place as usize, place - place.floor());
        if i >= POINTS { 1.0 } else { table[i] + (table[i + 1] - table[i]) * part }
    }
}

#[test]
fn gamma_quantiles_are_those_of_the_gamma_distribution() {
    // Of whole shapes the distribution is 1 − e^−x·(1 + x + … + x^(n−1)/(n−1)!).
    for shape in [1u32, 2, 5, 20, 100] {
        for p in [1e-6, 0.01, 0.3, 0.5, 0.5f64.next_up(), 0.7, 0.99, 1.0 - 1e-6] {
            let x = gamma_quantile(f64::from(shape), p);
            let term = |n: u32| (1..=n).fold(libm::exp(-x), |term, i| term * x / f64::from(i));
            // Both sides, each where it is the small one.
            let (above, below): (f64, f64) =
                ((0..shape).map(term).sum(), (shape..shape + 600).map(term).sum());
            let wrong = if p <= 0.5 { below / p - 1.0 } else { above / (1.0 - p) - 1.0 };
            // 1 − p itself is known to 10⁻¹⁰ of it.
            assert!(wrong.abs() < if p > 0.999 { 1e-9 } else { 1e-11 }, "{shape} {p}: {x} {wrong}");
        }
    }
    // Of any: as summed up, and half a normal variable's square is of shape ½.
    for shape in [0.5, 1.291, 7.3] {
        let summed = gamma_distribution(shape);
        assert!((1..100).all(|n| {
            (summed(gamma_quantile(shape, f64::from(n) / 100.0)) - f64::from(n) / 100.0).abs()
                < 1e-5
        }));
    }
    for p in [1e-3, 0.1, 0.6, 0.999] {
        let z = normal_quantile(0.5 + 0.5 * p);
        assert!((gamma_quantile(0.5, p) / (0.5 * z * z) - 1.0).abs() < 1e-9, "{p}");
    }
    // Neighboring draws never change their order, wherever one sum follows another.
    for shape in [0.1, 0.7, 1.291, 9.0, 100.0] {
        for first in [0, 1, 1_000_000, (1 << 23) - 100, 1 << 23, 12_345_678, (1 << 24) - 300] {
            let of = |n: u32| gamma_quantile(shape, (f64::from(n) + 0.5) / 16_777_216.0);
            assert!((first..first + 290).all(|n| of(n) < of(n + 1)), "{shape} from {first}");
        }
    }
}

#[test]
fn explanations_tell_who_waits() {
    let goal = Goal { target: Some([9.0, 0.0]), ..Default::default() };
    let drives = vec![
        Drive::new("goal", goal).delayed(FIVE),
        Drive::new("wind", Wind { vector: [1.0; 2], drag: true }).delayed(FIVE),
        Drive::new("stroll", WanderParameters::default()).delayed(FIVE),
        Drive::new("later", goal).between(7.0, 8.0),
    ];
    let mut flock = flock(drives, &[([0.0; 2], [0.5, 0.0])]);
    let told = |flock: &TextbookFlock<Flat>| {
        let why = flock.explain(0, &[0], TimeStep::new(0.1).expect("a step"));
        let wingbeat_steer::Decision::Terms(combined) = why.decision else { unreachable!() };
        combined
            .terms
            .into_iter()
            .filter_map(|term| term.drive)
            .map(|drive| {
                let parts = drive.parts;
                drive.applies.then_some((parts.waits, parts.target, parts.desired))
            })
            .collect::<Vec<_>>()
    };
    let waiting = told(&flock);
    assert_eq!(
        waiting[..2],
        [Some((true, Some([9.0, 0.0]), Some([0.0; 2]))), Some((true, None, None))]
    );
    assert_eq!(waiting[2..], [Some((true, None, None)), None]);
    flock.time = 5.0;
    assert_eq!(told(&flock)[0], Some((false, Some([9.0, 0.0]), Some([2.0, 0.0]))));
}

#[test]
fn times_that_are_none_are_refused() {
    let drive = Drive::<Flat>::new("it", Noise::default());
    let refused = |drive: Drive<Flat>| drive.check(&Domain::open()).unwrap_err().to_string();
    let of = |delay| refused(drive.clone().delayed(delay));
    assert_eq!(
        refused(drive.clone().between(-1.0, 2.0)),
        "drive.it.from = -1: allowed is 0 to 1e12"
    );
    assert_eq!(
        refused(drive.clone().between(f64::NAN, 2.0)),
        "drive.it.from = NaN: allowed is 0 to 1e12"
    );
    assert_eq!(
        refused(drive.clone().between(3.0, 2.0)),
        "drive.it.until = 2: allowed is at least drive.it.from = 3"
    );
    assert!(refused(drive.clone().between(3.0, f64::NAN)).starts_with("drive.it.until = NaN"));
    assert!(drive.clone().between(3.0, 3.0).check(&Domain::open()).is_ok());
    assert_eq!(
        of(Delay::Uniform { min: -1.0, max: 2.0 }),
        "drive.it.delay_min = -1: allowed is 0 to 1e12"
    );
    assert_eq!(
        of(Delay::Uniform { min: 3.0, max: 2.0 }),
        "drive.it.delay_max = 2: allowed is 3 to 1e12"
    );
    assert_eq!(
        of(Delay::LogNormal { median: f64::NAN, sigma: 1.0 }),
        "drive.it.delay_median = NaN: allowed is 0 to 1e9"
    );
    assert_eq!(
        of(Delay::LogNormal { median: 1.0, sigma: 0.0 }),
        "drive.it.delay_sigma = 0: allowed is 0.001 to 5"
    );
}

#[test]
fn a_flow_follows_the_last_field_whose_time_has_come() {
    let field = |x: f32| FlowField::new([0.0; 2], [9.0; 2], [2, 2], vec![[x, 0.0]; 4]).unwrap();
    let flow = Flow {
        raw: true,
        later: vec![(1.0, field(2.0)), (2.5, field(3.0))],
        ..Flow::new(field(1.0))
    };
    let at = |flow: &Flow<Flat>, time| steering_at(&Drive::new("way", flow.clone()), time)[0];
    let times = [0.0, 1f64.next_down(), 1.0, 2.0, 2.5, 1e9];
    assert_eq!(times.map(|time| at(&flow, time)), [1.0, 1.0, 2.0, 2.0, 3.0, 3.0]);
    assert_eq!(flow.field_at(1.5), &field(2.0));
    // Of the wanted velocity, too, and where a boid that waits is to stand.
    let wanted =
        Flow { raw: false, later: vec![(1.0, field(0.0)), (2.0, field(-0.5))], ..flow.clone() };
    assert_eq!([0.5, 1.5, 2.5].map(|time| at(&wanted, time)), [2.0 - 0.25, 0.0, -1.0 - 0.25]);
    let waits = Drive::new("way", wanted).delayed(FIVE);
    assert_eq!([0.5, 1.5, 2.5].map(|time| steering_at(&waits, time)[0]), [-0.25, 0.0, -0.25]);
    let refused = |times: &[f64]| {
        let later = times.iter().map(|&time| (time, field(1.0))).collect();
        Drive::new("way", Flow { later, ..flow.clone() })
            .check(&Domain::open())
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        refused(&[1.0, 1.0]),
        "drive.way.later[1] = 1: allowed is above 1, the time before it"
    );
    assert_eq!(
        refused(&[1.0, 3.0, 2.0]),
        "drive.way.later[2] = 2: allowed is above 3, the time before it"
    );
    assert_eq!(refused(&[-1.0]), "drive.way.later[0] = -1: allowed is 0 to 1e12");
    assert!(refused(&[f64::NAN]).starts_with("drive.way.later[0] = NaN"));
}
