//! Bodies: bounds by hand, and that textbook flocks of them never overlap, as exact arithmetic
//! finds it.

use wingbeat_steer::body::{Bound, SLACK, kept_way};
use wingbeat_steer::drive::Goal;
use wingbeat_steer::{
    AgentLimits, Domain, Drive, Params, SolidBody, TextbookBoid, TextbookFlock, Vector, noise,
};

/// The gap of the nearest two bodies of one radius, in exact enough arithmetic.
fn worst_gap<V: Vector>(flock: &TextbookFlock<V>, radius: f32) -> f64 {
    let mut worst = f64::INFINITY;
    for (i, a) in flock.boids.iter().enumerate() {
        for b in &flock.boids[..i] {
            let mut sum = 0.0;
            for axis in 0..V::DIMENSIONS {
                let mut way = f64::from(a.position.axis(axis)) - f64::from(b.position.axis(axis));
                if flock.domain.is_periodic() {
                    let side = f64::from(flock.domain.side(axis));
                    way -= side * (way / side).round();
                }
                sum += way * way;
            }
            worst = worst.min(sum.sqrt() - 2.0 * f64::from(radius));
        }
    }
    worst
}

#[test]
fn a_bound_is_what_the_page_says() {
    // Two bodies of radius 1, 3 apart along x: a gap of 1, half of it each.
    let bound = Bound::of_body([3.0, 0.0], 2.0, 0.5, 10.0, 1.0).unwrap();
    assert_eq!(bound.normal, [1.0, 0.0]);
    assert_eq!((bound.room, bound.slack), (0.5, 14.0 * SLACK));
    assert_eq!(bound.at_last(), 0.5 - 14.0 * SLACK);
    // Bodies that touch or overlap leave no room, and never make a way longer.
    assert_eq!(Bound::of_body([1.0, 0.0], 2.0, 0.5, 10.0, 1.0).unwrap().room, 0.0);
    assert!(Bound::of_body([0.0, 0.0], 2.0, 0.5, 10.0, 1.0).is_none());
}

#[test]
fn a_way_is_slid_and_then_shortened() {
    let bound = |normal: [f32; 2], room| Bound { normal, room, slack: 0.0 };
    // Between two that leave no gap it cannot go through, whatever the order.
    let (left, right) = (bound([0.8, 0.6], 0.0), bound([0.8, -0.6], 0.0));
    for bounds in [[left, right], [right, left]] {
        let kept = kept_way([1.0, 0.0], &bounds);
        assert!(kept.way.norm() < 0.3, "{kept:?}");
        assert!(bounds.iter().all(|b| kept.way.inner(b.normal) <= 1e-7), "{kept:?}");
    }
    // Who must make room, but can only in part, stays where it is: a part may be rounded to a way
    // nearer.
    let (wall, near) =
        (bound([1.0, 0.0], 0.1), Bound { normal: [-1.0, 0.0], room: 0.0, slack: 0.25 });
    assert_eq!(kept_way([0.3, 0.0], &[wall, near]).way, [0.0, 0.0]);
    assert_eq!(kept_way([0.3, 0.0], &[bound([1.0, 0.0], 0.3), near]).way, [0.3, 0.0]);
    // What none is in the way of stays as it is, bit for bit.
    let free = kept_way([0.3, 0.4], &[bound([1.0, 0.0], 0.3)]);
    assert_eq!((free.way, free.slides, free.part), ([0.3, 0.4], 0, 1.0));
}

/// A crowd drawn to one point.
fn crowd<V: Vector>(
    seed: u64,
    count: u64,
    spacing: f32,
    domain: Domain<V>,
    at: V,
) -> TextbookFlock<V> {
    let per_side = (1..).find(|n: &u64| n.pow(V::DIMENSIONS as u32) >= count).unwrap();
    let boid = |id: u64| {
        let place = |a: usize| (id / per_side.pow(a as u32) % per_side) as f32 * spacing;
        TextbookBoid {
            id,
            position: at.plus(V::from_fn(place)),
            velocity: noise::direction::<V>(seed, id, 7),
        }
    };
    let goal = Goal { target: Some(at.plus(V::uniform(3.0))), ..Default::default() };
    TextbookFlock {
        params: Params {
            agent: AgentLimits { max_speed: 4.0, max_force: 50.0, ..Default::default() },
            body: Some(SolidBody { radius: 0.25, ..Default::default() }),
            ..Default::default()
        },
        domain,
        seed,
        boids: (0..count).map(boid).collect(),
        drives: vec![Drive::new("goal", goal).weighted(5.0)],
        ..Default::default()
    }
}

#[test]
fn crowds_drawn_to_one_point_never_overlap() {
    let mut worst = f64::INFINITY;
    for (seed, dt) in [(1, 0.001), (2, 0.05), (3, 1.0)] {
        let mut flat = crowd(seed, 40, 0.5, Domain::open(), [-3.0, 2.0]);
        let mut wrapped =
            crowd(seed, 40, 0.5, Domain::periodic([0.0, 0.0], [6.0, 6.0]), [1.0, 1.0]);
        let mut walled = crowd(seed, 60, 0.5, Domain::reflecting([0.0; 3], [4.0; 3]), [0.5; 3]);
        for step in 0..400 {
            flat.step_by(dt);
            wrapped.step_by(dt);
            walled.step_by(dt);
            for gap in [worst_gap(&flat, 0.25), worst_gap(&wrapped, 0.25), worst_gap(&walled, 0.25)]
            {
                worst = worst.min(gap);
                assert!(gap >= 0.0, "seed {seed}, dt {dt}, step {step}: {gap}");
            }
            let inside = |boid: &TextbookBoid<[f32; 3]>| {
                boid.position.iter().all(|x| (0.25..=3.75).contains(x))
            };
            assert!(walled.boids.iter().all(inside), "seed {seed}, dt {dt}, step {step}");
        }
    }
    println!("worst gap {worst:e}");
}
