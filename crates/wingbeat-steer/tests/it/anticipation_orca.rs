//! ORCA: half-spaces by their definition, the linear programs by brute force, and another program's
//! answers.

use wingbeat_steer::Vector;
use wingbeat_steer::anticipation::orca::{HalfSpace, Program};
use wingbeat_steer::anticipation::{Anticipation, Mover, Nearby, Orca, Wall};

use crate::anticipation::{Draws, mirrored, mover, nearby};
use wingbeat_test_support::tier;

#[track_caller]
fn near<V: Vector>(found: V, wanted: V, by: f32) {
    assert!(found.minus(wanted).norm() < by, "{found:?}, not {wanted:?}");
}

#[test]
fn two_who_meet_head_on_pass_to_their_right() {
    // sin of the cone's half angle ¼: m = (−¼, −√15/4), u = m/2, of which half is taken; so m·w
    // ≥ 0.
    let (walker, other) = (mover([1.0, 0.0], 0.5), nearby([4.0, 0.0], [-1.0, 0.0], 0.5));
    let cosine = 15f32.sqrt() / 4.0;
    let half_space = Orca::default().half_space(&walker, &other);
    near(half_space.normal, [-0.25, -cosine], 1e-6);
    assert!(half_space.offset.abs() < 1e-6);
    let orca = Anticipation::from(Orca::default());
    near(orca.velocity(&walker, &[other], &[]), [1.0 - 0.25 * 0.25, -0.25 * cosine], 1e-6);
    // All of it: m·w ≥ ¼.
    let all = Nearby { share: 1.0, ..other };
    near(orca.velocity(&walker, &[all], &[]), [1.0 - 0.25 * 0.5, -0.5 * cosine], 1e-6);
    // In space too, and straight up: right is as when a vector along z is turned about x.
    let up = mover([0.0, 0.0, 1.0], 0.5);
    let found = orca.velocity(&up, &[nearby([0.0, 0.0, 4.0], [0.0, 0.0, -1.0], 0.5)], &[]);
    near(found, [0.0, 0.25 * cosine, 1.0 - 0.25 * 0.25], 1e-6);
}

#[test]
fn on_parallel_ways_apart_there_is_nothing_to_avoid() {
    let orca = Anticipation::from(Orca::default());
    // Ways 1.1 apart, bodies 1 wide together: they pass. 0.9 apart: each takes half of what lacks,
    // away from the other.
    let found = |apart: f32| {
        orca.velocity(&mover([1.0, 0.0], 0.5), &[nearby([4.0, apart], [-1.0, 0.0], 0.5)], &[])
    };
    near(found(1.1), [1.0, 0.0], 1e-6);
    assert!(found(0.9)[1] < -1e-3 && found(-0.9)[1] > 1e-3);
}

/// Whether a relative velocity leads to a touch within the horizon; of two who overlap, whether
/// they still do at its end.
fn touches(p: [f64; 2], v: [f64; 2], contact: f64, horizon: f64) -> bool {
    let (d_sq, v_sq) = (p[0] * p[0] + p[1] * p[1], v[0] * v[0] + v[1] * v[1]);
    let nearest = ((p[0] * v[0] + p[1] * v[1]) / v_sq.max(1e-300)).clamp(0.0, horizon);
    let t = if d_sq <= contact * contact { horizon } else { nearest };
    libm::hypot(p[0] - v[0] * t, p[1] - v[1] * t) < contact
}

/// The shortest way from a relative velocity to the edge of those that touch, by looking in 3,600
/// directions.
fn shortest_way_out(p: [f64; 2], v: [f64; 2], contact: f64, horizon: f64) -> [f64; 2] {
    let inside = touches(p, v, contact, horizon);
    let (mut best, mut least) = ([0.0; 2], f64::INFINITY);
    for turn in 0..3600 {
        let (sin, cos) = libm::sincos(f64::from(turn) * (std::f64::consts::TAU / 3600.0));
        let flips =
            |far: f64| touches(p, [v[0] + cos * far, v[1] + sin * far], contact, horizon) != inside;
        let Some(beyond) = (1..=400)
            .map(|step| f64::from(step) * 0.02)
            .take_while(|&far| far < least + 0.02)
            .find(|&far| flips(far))
        else {
            continue;
        };
        let (mut low, mut high) = (beyond - 0.02, beyond);
        for _ in 0..40 {
            let middle = 0.5 * (low + high);
            *(if flips(middle) { &mut high } else { &mut low }) = middle;
        }
        if high < least {
            (best, least) = ([cos * high, sin * high], high);
        }
    }
    best
}

/// Half-spaces with a share of 1 go through the nearest velocity on the edge, at right angles to
/// the way there.
#[test]
fn a_half_space_is_the_nearest_edge_of_the_velocities_that_touch() {
    let (mut draws, orca) = (Draws::new(), Orca { time_horizon: 2.0, ..Default::default() });
    let (mut tips, mut sides, mut overlaps) = (0, 0, 0);
    for _ in 0..tier::either(200, 500) {
        let walker = Mover {
            radius: 0.5,
            ..mover([draws.within(2.0), draws.within(2.0), draws.within(2.0)], 0.5)
        };
        let offset = [draws.within(3.0), draws.within(3.0), draws.within(3.0)];
        let other = Nearby {
            share: 1.0,
            ..nearby(offset, [draws.within(1.0), draws.within(1.0), 0.0], 0.6)
        };
        // The plane of p and v, along p and across.
        let relative = walker.velocity.minus(other.velocity);
        let along = offset.unit();
        let across = relative.minus(along.times(relative.inner(along))).unit();
        let flat = |v: [f32; 3]| [f64::from(v.inner(along)), f64::from(v.inner(across))];
        let overlap = other.distance_sq <= 1.1 * 1.1;
        let horizon = if overlap { walker.dt } else { 2.0 };
        let u = shortest_way_out(flat(offset), flat(relative), 1.1, f64::from(horizon));
        let size = libm::hypot(u[0], u[1]);
        if size == 0.0 || size > 7.9 {
            continue;
        }
        let found = orca.half_space(&walker, &other);
        let broken = f64::from(found.broken_by(walker.velocity));
        assert!((broken.abs() - size).abs() < 1e-3, "{broken} {size}: {walker:?} {other:?}");
        let [x, y] = flat(found.normal);
        let turned = (x * u[0] + y * u[1]) / size * broken.signum();
        assert!(
            turned > 1.0 - 1e-4 && (found.normal.norm() - 1.0).abs() < 1e-5,
            "{turned}: {walker:?} {other:?}"
        );
        let in_plane = orca.half_space(
            &in_plane(&walker, flat(walker.velocity)),
            &pressed(&other, flat(offset), flat(other.velocity)),
        );
        assert!(
            (f64::from(in_plane.normal[0]) - x).abs() < 1e-4
                && (f64::from(in_plane.normal[1]) - y).abs() < 1e-4
        );
        *(if overlap {
            &mut overlaps
        } else if (x + 1.1 / f64::from(offset.norm())).abs() < 1e-3 {
            &mut sides
        } else {
            &mut tips
        }) += 1;
    }
    assert!(tips > 10 && sides > 10 && overlaps > 2, "{tips} {sides} {overlaps}");
}

fn in_plane(walker: &Mover<[f32; 3]>, velocity: [f64; 2]) -> Mover<[f32; 2]> {
    Mover { dt: walker.dt, ..mover(velocity.map(|x| x as f32), walker.radius) }
}

fn pressed(other: &Nearby<[f32; 3]>, offset: [f64; 2], velocity: [f64; 2]) -> Nearby<[f32; 2]> {
    Nearby {
        share: other.share,
        ..nearby(offset.map(|x| x as f32), velocity.map(|x| x as f32), other.radius)
    }
}

fn worst<V: Vector>(half_spaces: &[HalfSpace<V>], velocity: V) -> f32 {
    half_spaces
        .iter()
        .map(|one| one.broken_by(velocity))
        .fold(0.0, |a, b| if a > b { a } else { b })
}

/// All points of a grid about `center` within the ball.
fn grid<V: Vector>(center: V, half: f32, radius: f32) -> impl Iterator<Item = V> {
    let count: usize = if V::DIMENSIONS == 2 { 161 } else { 31 };
    (0..count.pow(V::DIMENSIONS as u32)).filter_map(move |number| {
        let mut rest = number;
        let point = V::from_fn(|a| {
            let step = rest % count;
            rest /= count;
            center.axis(a) + half * (2.0 * step as f32 / (count - 1) as f32 - 1.0)
        });
        (point.norm() <= radius).then_some(point)
    })
}

/// No point of a coarse grid, nor of a fine one about the answer, does better than the answer.
fn no_point_is_better<V: Vector>(draws: &mut Draws, cases: usize) -> [usize; 3] {
    const SPEED: f32 = 2.0;
    let mut kinds = [0; 3];
    for case in 0..cases {
        let mut program = Program::default();
        let (required, asked) = (draws.below(5), 1 + draws.below(10));
        // Every third time edges are parallel to each other, or nearly so.
        let (common, off): (V, f32) =
            (V::from_fn(|_| draws.within(1.0)), [0.0, 1e-6, 1e-4, 1e-2][draws.below(4)]);
        let half_space = |offset: f32, draws: &mut Draws| {
            let drawn: V = V::from_fn(|_| draws.within(1.0));
            let along = if draws.below(2) == 0 { common } else { common.times(-1.0) };
            let normal = if case % 3 == 0 { along.plus(drawn.times(off)) } else { drawn }.unit();
            HalfSpace { normal, offset }
        };
        for _ in 0..required {
            let offset = draws.within(0.5) - if case % 5 == 0 { -0.4 } else { 0.6 };
            program.require(half_space(offset, draws));
        }
        for _ in 0..asked {
            let offset = draws.within(1.4) - 0.6;
            program.ask(half_space(offset, draws));
        }
        let preferred = V::from_fn(|_| draws.within(2.0));
        let found = program.nearest_to(preferred, SPEED);
        let all = program.half_spaces();
        let points = || grid(V::origin(), SPEED, SPEED).chain(grid(found, 0.02, SPEED));
        assert!(found.norm() < SPEED * 1.00001);
        if worst(all, found) < 2e-4 {
            kinds[0] += 1;
            let far = found.minus(preferred).norm();
            let better =
                points().find(|&w| worst(all, w) <= 0.0 && w.minus(preferred).norm() < far - 2e-4);
            assert!(
                better.is_none(),
                "case {case}: {found:?} for {preferred:?}, better {better:?}\n{all:?}"
            );
            continue;
        }
        // Where the required ones leave something they are kept, else all count alike.
        let strict = &all[..required];
        let possible = points().any(|w| worst(strict, w) <= 0.0);
        let keeps = |w: V| !possible || worst(strict, w) <= 1e-4;
        kinds[if possible { 1 } else { 2 }] += 1;
        assert!(keeps(found), "case {case}: {found:?} breaks the required {strict:?}");
        let least = worst(all, found);
        let better = points()
            .find(|&w| (!possible || worst(strict, w) <= 0.0) && worst(all, w) < least - 2e-4);
        assert!(
            better.is_none(),
            "case {case}: {found:?} breaks by {least}, better {better:?}\n{all:?}"
        );
    }
    kinds
}

#[test]
fn linear_programs_find_what_a_grid_finds_and_no_less() {
    let mut draws = Draws::new();
    let flat = no_point_is_better::<[f32; 2]>(&mut draws, 400);
    let space = no_point_is_better::<[f32; 3]>(&mut draws, 400);
    assert!(
        flat.iter().chain(&space).all(|&count| count >= 2),
        "too few of a kind: {flat:?} {space:?}"
    );
}

#[test]
fn pairs_that_mirror_each_other_answer_so() {
    let (mut draws, orca) = (Draws::new(), Anticipation::from(Orca::default()));
    for case in 0..500 {
        let mut walker = mover([draws.within(2.0), draws.within(2.0), draws.within(2.0)], 0.5);
        walker.preferred = [draws.within(2.0), 0.0, draws.within(2.0)];
        let mut other =
            nearby([draws.within(3.0), draws.within(3.0), draws.within(3.0)], [0.0; 3], 0.7);
        other.velocity = if case % 3 == 0 {
            walker.velocity.minus(other.offset)
        } else {
            [draws.within(2.0), 0.5, -0.5]
        };
        let [one, opposite] =
            mirrored(&walker, &other).map(|(me, you)| orca.velocity(&me, &[you], &[]));
        assert_eq!(one, opposite.times(-1.0), "{walker:?} {other:?}");
        let flat = |v: [f32; 3]| [v[0], v[1]];
        let walker =
            Mover { preferred: flat(walker.preferred), ..mover(flat(walker.velocity), 0.5) };
        let other = nearby(flat(other.offset), flat(other.velocity), 0.7);
        let [one, opposite] =
            mirrored(&walker, &other).map(|(me, you)| orca.velocity(&me, &[you], &[]));
        assert_eq!(one, opposite.times(-1.0), "{walker:?} {other:?}");
    }
}

#[test]
fn walls_hold_all_that_press() {
    let orca = Anticipation::from(Orca {
        time_horizon: 2.0,
        time_horizon_obstacles: 2.0,
        ..Default::default()
    });
    let walker = Mover { max_speed: 4.0, ..mover([1.0, 0.0], 0.5) };
    let wall = Wall { offset: [1.5, 0.0], distance: 1.5, velocity: [0.0, 0.0] };
    near(orca.velocity(&walker, &[], &[wall]), [0.5, 0.0], 1e-6);
    near(orca.velocity(&walker, &[], &[Wall { velocity: [-1.0, 0.3], ..wall }]), [-0.5, 0.0], 1e-6);
    near(
        orca.velocity(&walker, &[], &[Wall { offset: [0.3, 0.0], distance: 0.3, ..wall }]),
        [0.0, 0.0],
        1e-6,
    );
    // Someone runs into it from behind, another holds against: there is no way out, and the wall is
    // kept to all the same.
    let behind = Nearby { share: 1.0, ..nearby([-1.1, 0.0], [4.0, 0.0], 0.5) };
    let crowd = [
        behind,
        Nearby { share: 1.0, ..nearby([0.9, 0.6], [-3.0, -1.0], 0.5) },
        nearby([0.9, -0.9], [-3.0, 2.0], 0.5),
    ];
    let pressed = orca.velocity(&walker, &crowd, &[wall]);
    assert!(pressed[0] <= 0.500_01, "{pressed:?}");
    assert!(orca.velocity(&walker, &crowd, &[])[0] > 1.0);
    // On the wall itself there is no direction.
    near(
        orca.velocity(&walker, &[], &[Wall { offset: [0.0; 2], distance: 0.0, ..wall }]),
        [1.0, 0.0],
        1e-6,
    );
}

#[test]
fn two_at_rest_on_one_point_part() {
    let orca = Anticipation::from(Orca::default());
    let other = nearby([0.0; 3], [0.0; 3], 0.5);
    let still = |id| orca.velocity(&Mover { id, ..mover([0.0; 3], 0.5) }, &[other], &[]);
    assert!(
        still(1).norm() > 0.5 && still(2).norm() > 0.5 && still(1).minus(still(2)).norm() > 0.1
    );
}

/// A scene of its own for each number; the program that gave the answers draws the same.
fn drawn(number: u64) -> (Mover<[f32; 2]>, Vec<Nearby<[f32; 2]>>) {
    let mut state = (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut within = |limit: f32| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        ((state >> 40) % 2049) as f32 / 1024.0 * limit - limit
    };
    let velocity = [within(2.0), within(2.0)];
    let preferred = [within(2.0), within(2.0)];
    let walker = Mover { preferred, max_speed: 2.0, dt: 0.25, ..mover(velocity, 0.5) };
    let on_the_way = number >= 10;
    let mut others = Vec::new();
    for _ in 0..3 + number % 10 {
        let offset = [within(8.0), within(8.0)];
        let drawn = [within(2.0), within(2.0)];
        let other = if on_the_way {
            velocity.minus(offset.times(0.5)).plus(drawn.times(0.125))
        } else {
            drawn
        };
        let radius = 0.5 + 0.125 * (within(2.0) + 2.0);
        others.push(Nearby {
            share: if on_the_way { 0.25 } else { 1.0 },
            ..nearby(offset, other, radius)
        });
    }
    others.sort_by(|one, other| one.distance_sq.total_cmp(&other.distance_sq));
    (walker, others)
}

/// Answers of the crate dodgy_2d 0.5.5 (`Agent::compute_avoiding_velocity`, time horizon 4, time
/// step 0.25), which ports RVO2. Of the first ten scenes the others have no responsibility, so that
/// all is the walker's; of the other ten theirs is 3 to 1, and all are on the way to a touch, since
/// elsewhere that crate takes the whole.
const DODGY: [[f32; 2]; 20] = [
    [0.8477048, -1.2937908],
    [0.5625, -1.8457031],
    [-1.735817, -0.6011162],
    [0.1751771, 0.17695725],
    [-0.5462387, -0.09251702],
    [0.803672, -0.77680373],
    [-1.1265659, -1.652528],
    [0.44951004, 1.6334373],
    [-0.8993327, 0.25610864],
    [0.85116416, 1.6842428],
    [1.1181338, 1.658245],
    [-0.18458265, 1.44046],
    [0.3471198, -0.5148259],
    [-0.8820803, 1.7949755],
    [-1.2380481, 0.79701334],
    [1.1318548, -1.2028837],
    [-1.3838485, -1.4439403],
    [1.0859482, 1.6794989],
    [1.2722174, 1.5431991],
    [0.6987863, 0.6178247],
];

#[test]
fn answers_as_another_program_does() {
    let orca = Anticipation::from(Orca { time_horizon: 4.0, ..Default::default() });
    for (number, wanted) in DODGY.into_iter().enumerate() {
        let (walker, others) = drawn(number as u64);
        let found = orca.velocity(&walker, &others, &[]);
        assert!(found.minus(wanted).norm() < 2e-5, "scene {number}: {found:?}, not {wanted:?}");
    }
}
