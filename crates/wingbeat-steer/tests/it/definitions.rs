//! The definitions themselves, on numbers worked out by hand from MODEL's tables, and the
//! properties everything relies on.
//!
//! A failing property prints the seed of its case. `WINGBEAT_FULL=1` tries thirty times as many.

use wingbeat_steer::math::{approach, cos_half_view};
use wingbeat_steer::{
    Boundary, CELL_LIMIT, Cells, Cohesion, Domain, FieldOfView, Formation, Perception, Rules,
    Separation, Vector, noise, prioritize,
};
use wingbeat_test_support::tier;

fn cases(ordinary: u64) -> u64 {
    let full = tier::full();
    if full { ordinary * 30 } else { ordinary }
}

/// Uniform in `low..high`, the `k`-th number of a case.
fn drawn(seed: u64, k: u32, low: f32, high: f32) -> f32 {
    low + (high - low) * noise::uniform(seed, 0, 0, k)
}

/// Anywhere a coordinate may be: an exponent, then a mantissa, then a sign.
fn anywhere(seed: u64, k: u32) -> f32 {
    let exponent = f64::from(drawn(seed, k, -20.0, 30.0));
    let sign = if drawn(seed, k + 1, -1.0, 1.0) < 0.0 { -1.0 } else { 1.0 };
    let far = [0.0, 1.0, 1000.3, 1e6][(seed % 4) as usize];
    (sign * libm::pow(10.0, exponent)) as f32 + far
}

// ---- Cells
// -------------------------------------------------------------------------------------------------

#[test]
fn cells_are_monotone_so_that_a_search_misses_no_boid() {
    for seed in 0..cases(20_000) {
        let radius = libm::pow(10.0, f64::from(drawn(seed, 0, -9.0, 12.0))) as f32;
        let min = anywhere(seed, 1);
        let max = min + (radius * drawn(seed, 3, 2.0, 50.0));
        let domain = if seed % 3 > 0 || max - min < radius * 2.0 || max > 1e30 {
            Domain::open()
        } else {
            Domain::periodic([min; 2], [max; 2])
        };
        let expected = [None, Some(5.0), Some(60.0)][(seed % 3) as usize];
        let cells = Cells::new(radius, expected, &domain);
        let x = if domain.is_periodic() { drawn(seed, 4, min, max) } else { anywhere(seed, 5) };
        for y in [x.next_up(), x + radius * drawn(seed, 7, 0.0, 3.0), x.abs() * 2.0, 1e30] {
            for axis in 0..2 {
                let (low, high) = (cells.cell(axis, x), cells.cell(axis, y));
                assert!(
                    y < x || low <= high,
                    "seed {seed}: cell({x:?}) = {low} above cell({y:?}) = {high}"
                );
                assert!((-CELL_LIMIT..=CELL_LIMIT).contains(&low), "seed {seed}: {low}");
                let inside = !domain.is_periodic() || (0..cells.count(axis)).contains(&high);
                assert!(inside, "seed {seed}: cell {high} of {}", cells.count(axis));
            }
        }
    }
}

#[test]
fn slot_order_is_by_z_then_y_then_x_then_id() {
    // Radius 1, 20 neighbors expected: cells 0.25 long in x and 1.25 across in y and z.
    let cells = Cells::new(1.0, None, &Domain::<[f32; 3]>::open());
    assert_eq!(cells.of([0.3, 1.3, -0.1]), [1, 1, -1]);
    assert_eq!(cells.of([-0.01, -1.25, 2.5]), [-1, -1, 2]);
    let boids = [
        ([0.0, 0.0, 2.0], 1),
        ([0.0, 2.0, 0.0], 2),
        ([0.6, 0.0, 0.0], 3),
        ([0.1, 0.0, 0.0], 9),
        ([0.2, 0.0, 0.0], 4),
    ];
    assert_eq!(cells.slot_order(boids.into_iter()), [4, 3, 2, 1, 0]);
    let across = |expected| Cells::new(1.0, expected, &Domain::<[f32; 2]>::open()).cell(1, 3.1);
    assert_eq!(
        [across(Some(9.9)), across(Some(10.0)), across(Some(40.0))],
        [2, 2, 3],
        "rows 1.5, 1.25 and 1 radius across"
    );
    let periodic = Cells::new(1.0, None, &Domain::periodic([-1.0; 2], [2.1; 2]));
    assert_eq!([periodic.count(0), periodic.count(1)], [12, 2], "whole cells fill the box");
    assert_eq!([periodic.cell(0, -1.0), periodic.cell(0, 2.1f32.next_down())], [0, 11]);
}

// ---- Angles, approach
// -------------------------------------------------------------------------------------------------

#[test]
fn cosines_of_common_fields_of_view_are_exact() {
    for (degrees, cosine) in [(0.0, 1.0), (120.0, 0.5), (180.0, 0.0), (240.0, -0.5), (360.0, -1.0)]
    {
        assert_eq!(cos_half_view(degrees).to_bits(), f32::to_bits(cosine), "{degrees} degrees");
    }
    // cos 45°, cos 30°, cos 135° as correctly rounded decimals.
    assert_eq!([90.0, 60.0, 270.0].map(cos_half_view), [0.707_106_77, 0.866_025_4, -0.707_106_77]);
    let mut last = 1.0;
    for tenths in 0..=3600 {
        let cosine = cos_half_view(f64::from(tenths) / 10.0);
        assert!(
            (-1.0..=1.0).contains(&cosine) && (tenths == 0 || cosine < last),
            "falls all the way: {tenths}"
        );
        last = cosine;
    }
    assert_eq!(FieldOfView::degrees(360.0), FieldOfView::All);
    assert_eq!(FieldOfView::degrees(240.0), FieldOfView::Cone { cos_half: -0.5 });
    for nonsense in [-1.0, 360.000_1, 720.0, f64::NAN, f64::INFINITY] {
        let seen = Perception { view: FieldOfView::degrees(nonsense), ..Default::default() };
        assert!(seen.check("cohesion").is_err(), "{nonsense} degrees");
    }
}

#[test]
fn two_half_steps_approach_as_far_as_one() {
    assert_eq!(approach(0.0, 1.0), 0.0);
    assert_eq!(approach(1.0, 1.0), 0.632_120_55, "1 − 1/e");
    assert_eq!(approach(1e9, 1e3), 1.0);
    assert_eq!(approach(1e-9, 1e-6), 1e-15, "small ways keep their digits");
    for seed in 0..cases(10_000) {
        let rate = libm::pow(10.0, f64::from(drawn(seed, 0, -9.0, 4.0))) as f32;
        let dt = libm::pow(10.0, f64::from(drawn(seed, 1, -6.0, 3.0))) as f32;
        let (half, whole) = (f64::from(approach(rate, dt * 0.5)), f64::from(approach(rate, dt)));
        let twice = half + (1.0 - half) * half;
        assert!(
            (twice - whole).abs() <= 2.0 * whole * f64::from(f32::EPSILON),
            "seed {seed}: {twice} is not {whole}"
        );
    }
}

// ---- Domain
// -------------------------------------------------------------------------------------------------

#[test]
fn an_image_is_never_further_than_half_the_box() {
    let tank = Domain::periodic([0.0, 0.0], [10.0, 10.0]);
    for (offset, image) in
        [(5.0, 5.0), (-5.0, -5.0), (5.5, -4.5), (-5.5, 4.5), (0.0, 0.0), (9.5, -0.5), (-9.5, 0.5)]
    {
        assert_eq!(tank.image(0, offset), image);
    }
    assert_eq!(tank.image(1, 5.0f32.next_up()), 5.0f32.next_up() - 10.0);
    assert_eq!(Domain::<[f32; 2]>::open().image(0, 9.5), 9.5);
    for seed in 0..cases(10_000) {
        let min = drawn(seed, 0, -1e4, 1e4);
        let domain = Domain::periodic([min; 2], [min + drawn(seed, 1, 0.1, 1e3); 2]);
        let place = |k| domain.settle(0, drawn(seed, k, min, domain.max[0]), 0.0).0;
        let (there, back) = (place(2) - place(3), place(3) - place(2));
        assert_eq!(
            domain.image(0, there),
            -domain.image(0, back),
            "the way back is the way there: seed {seed}"
        );
        assert!(domain.image(0, there).abs() <= domain.side(0) * 0.5, "seed {seed}");
    }
}

#[test]
fn boids_that_leave_the_box_are_settled_in_it() {
    let (min, max) = ([-2.0, 0.0], [8.0, 10.0]);
    let boxes = [
        Domain::periodic(min, max),
        Domain::walled(min, max, 1.0, 1.0),
        Domain::reflecting(min, max),
    ];
    // Position and velocity after a move to x at speed v, in each of the three.
    for (x, v, settled) in [
        (8.5, 3.0, [(-1.5, 3.0), (8.0, 0.0), (7.5, -3.0)]),
        (-3.0, -1.0, [(7.0, -1.0), (-2.0, 0.0), (-1.0, 1.0)]),
        (-3.0, 1.0, [(7.0, 1.0), (-2.0, 1.0), (-1.0, -1.0)]),
        (8.0, 1.0, [(-2.0, 1.0), (8.0, 1.0), (8.0, 1.0)]),
        (-2.0, -1.0, [(-2.0, -1.0); 3]),
        (39.0, 2.0, [(-1.0, 2.0), (8.0, 0.0), (-2.0, -2.0)]),
    ] {
        for (domain, settled) in boxes.iter().zip(settled) {
            assert_eq!(domain.settle(0, x, v), settled, "{x} at {v} in {:?}", domain.boundary);
        }
    }
    for seed in 0..cases(20_000) {
        let (low, side) =
            (anywhere(seed, 0), libm::pow(10.0, f64::from(drawn(seed, 2, -9.0, 30.0))) as f32);
        let (min, max) = ([low; 2], [low + side; 2]);
        for domain in [
            Domain::periodic(min, max),
            Domain::walled(min, max, 1.0, 1.0),
            Domain::reflecting(min, max),
        ] {
            if domain.check(0.0).is_err() {
                continue;
            }
            for x in [
                anywhere(seed, 3),
                max[0],
                low.next_down(),
                max[0].next_up(),
                max[0] + side * drawn(seed, 5, 0.0, 9.0),
            ] {
                let (settled, v) = domain.settle(0, x, 1.0);
                assert!(
                    domain.contains([settled; 2]),
                    "seed {seed}: {x} settled at {settled} in {domain:?}"
                );
                assert!(v.abs() <= 1.0, "seed {seed}");
                assert_eq!(
                    domain.settle(0, settled, v),
                    (settled, v),
                    "seed {seed}: points inside stay"
                );
            }
        }
    }
}

#[test]
fn walls_push_inwards_and_harder_the_nearer() {
    let tank = Domain::walled([0.0, 0.0], [10.0, 10.0], 2.0, 8.0);
    for (x, push) in
        [(0.0, 8.0), (1.0, 4.0), (1.5, 2.0), (2.0, 0.0), (5.0, 0.0), (8.5, -2.0), (10.0, -8.0)]
    {
        assert_eq!(tank.wall_force([x, 5.0]), [push, 0.0], "at {x}");
    }
    let narrow = Domain::walled([0.0; 2], [2.0; 2], 2.0, 8.0);
    assert_eq!(
        narrow.wall_force([0.5, 1.0]),
        [4.0, 0.0],
        "8·0.75 from one side, 8·0.25 from the other"
    );
    assert_eq!(
        Domain::walled([0.0; 2], [2.0; 2], 0.0, 8.0).wall_force([0.0, 2.0]),
        [0.0; 2],
        "no margin, no push"
    );
    assert_eq!(Domain { boundary: Boundary::Reflecting, ..tank }.wall_force([0.0; 2]), [0.0; 2]);
}

// ---- Combination
// -------------------------------------------------------------------------------------------------

#[test]
fn a_budget_is_spent_in_order_and_never_exceeded() {
    let terms = [[3.0, 0.0], [-2.0, 0.0], [0.0, 4.0], [9.0, 9.0]];
    // 3 and 2 are spent whole, 4 is cut to the 1 that is left of 6.
    assert_eq!(prioritize(terms.into_iter(), 6.0), [1.0, 1.0]);
    assert_eq!(prioritize(terms.into_iter(), 3.0), [3.0, 0.0]);
    assert_eq!(prioritize(terms.into_iter(), 1.5), [1.5, 0.0]);
    assert_eq!(prioritize(terms.into_iter(), 0.0), [0.0, 0.0]);
    assert_eq!(
        prioritize([[0.0f32; 2]; 3].into_iter(), 0.0),
        [0.0, 0.0],
        "nothing wanted, nothing spent"
    );
    for seed in 0..cases(20_000) {
        let budget = libm::pow(10.0, f64::from(drawn(seed, 0, -6.0, 9.0))) as f32;
        let count = 1 + seed as u32 % 8;
        // Every other case along one line, where rounding adds up.
        let line: [f32; 3] = noise::direction(seed, 1, 0);
        let term = |k: u32| {
            let size = budget * drawn(seed, k, 0.0, 0.6);
            let way = if seed % 2 == 0 { line } else { noise::direction(seed, u64::from(k), 1) };
            way.times(size)
        };
        let force = prioritize((1..=count).map(term), budget);
        let size = force.iter().fold(0.0, |sum, &c| sum + f64::from(c) * f64::from(c)).sqrt();
        let ulps = 4.0 * f64::from(budget.next_up() - budget);
        assert!(size <= f64::from(budget) + ulps, "seed {seed}: {size} of {budget}");
    }
}

// ---- Rules beside each other
// -------------------------------------------------------------------------------------------------

#[test]
fn rules_that_look_like_mistakes_beside_each_other_are_told() {
    let apart = |radius, weight| {
        let perception = Perception { radius, ..Perception::default() };
        Some(Separation { perception, weight, ..Separation::default() })
    };
    let near = |radius| Perception { radius, ..Perception::default() };
    let together = |separation| {
        let cohesion = Some(Cohesion { perception: near(2.0), ..Cohesion::default() });
        Rules { separation, cohesion, ..Rules::default() }.advice()
    };
    let to_a_point = "cohesion without separation: the flock falls together to a point";
    let pushed = "separation.radius = 2.5 is above cohesion.radius = 2: boids are pushed apart \
        before they are drawn together";
    assert!(together(apart(2.0, 1.0)).is_empty());
    assert_eq!(together(None), [to_a_point]);
    assert_eq!(together(apart(2.0, 0.0)), [to_a_point]);
    assert_eq!(together(apart(2.5, 1.0)), [pushed]);
    assert_eq!(together(apart(2.5, -1.0)), [pushed, to_a_point]);
    // A place at 3 ahead and 4 aside is 5 away.
    let placed = |ahead, radius| {
        let formation =
            Formation { ahead, aside: 4.0, perception: near(radius), ..Formation::default() };
        Rules::from(formation).advice()
    };
    assert!(placed(3.0, 5.0).is_empty() && placed(-3.0, 5.0).is_empty());
    let unseen = "formation.ahead = -3, formation.aside = 4: that place is not within \
        formation.radius = 4.9: a neighbor that is there is not seen";
    assert_eq!(placed(-3.0, 4.9), [unseen]);
}
