//! Other tools' models on small cases, every number worked out by hand from the tools' own
//! formulas.

use wingbeat_steer::model::{AgentsJl, Mason, Mesa, NetLogo, Unity, UnityFixed};
use wingbeat_steer::{Domain, Model, Params, TextbookBoid, TextbookFlock, Vector, heading, noise};

/// Position and velocity.
type Boid<const D: usize> = ([f32; D], [f32; D]);

const SEED: u64 = 5;

fn flock<const D: usize>(model: impl Into<Model>, boids: &[Boid<D>]) -> TextbookFlock<[f32; D]> {
    let boid = |(id, &(position, velocity))| TextbookBoid { id: id as u64, position, velocity };
    let params = Params { model: Some(model.into()), ..Default::default() };
    params.check().expect("a model that is accepted");
    TextbookFlock {
        params,
        domain: Domain::open(),
        seed: SEED,
        step: 0,
        boids: boids.iter().enumerate().map(boid).collect(),
        ..Default::default()
    }
}

/// What a model makes of boid 0: its steering.
fn steering<const D: usize>(model: impl Into<Model>, boids: &[Boid<D>]) -> [f32; D] {
    let flock = flock(model, boids);
    flock.steering(&flock.slot_order())[0]
}

/// Boid 0 after a step.
fn stepped<const D: usize>(model: impl Into<Model>, boids: &[Boid<D>], dt: f32) -> Boid<D> {
    let mut flock = flock(model, boids);
    flock.step_by(dt);
    (flock.boids[0].position, flock.boids[0].velocity)
}

#[track_caller]
fn near<const D: usize>(found: [f32; D], expected: [f32; D]) {
    for a in 0..D {
        assert!((found[a] - expected[a]).abs() < 2e-6, "{found:?}, but by hand {expected:?}");
    }
}

/// A heading so many degrees left of +x.
fn at(degrees: f32) -> [f32; 2] {
    let radians = f64::from(degrees).to_radians();
    [libm::cos(radians) as f32, libm::sin(radians) as f32]
}

const ORIGIN: [f32; 2] = [0.0, 0.0];

#[test]
fn netlogo_aligns_and_then_coheres_by_limited_turns() {
    let model = NetLogo::default();
    let lone = (ORIGIN, at(0.0));
    near(steering(model, &[lone]), at(0.0));
    // One flockmate two ahead that flies 90° left: 5° to align, then back 3° of those 5 to cohere.
    near(steering(model, &[lone, ([2.0, 0.0], at(90.0))]), at(2.0));
    // Two behind on the left, at 135°: the 5° and 3° more.
    near(steering(model, &[lone, ([-1.0, 1.0], at(90.0))]), at(8.0));
    // On the right, at −90°: to the right from where align led.
    near(steering(model, &[lone, ([0.0, -2.0], at(90.0))]), at(2.0));
    // Within the limits a turn is whole: 4° to align, then 1° to a boid that is at 5°.
    let at_five = [2.0 * at(5.0)[0], 2.0 * at(5.0)[1]];
    near(steering(model, &[lone, (at_five, at(4.0))]), at(5.0));
    // The order matters: with cohesion first, 3° left, and then 5° right to align, −2° would come
    // out.
    near(steering(model, &[lone, ([0.0, 2.0], at(-90.0))]), at(-5.0 + 3.0));
    // Headings are summed, not positions: of +90° and −30° the direction is +30°, further than 5°;
    // no boid coheres here.
    let apart = NetLogo { max_cohere_turn: 0.0, ..model };
    near(steering(apart, &[lone, ([2.0, 0.0], at(90.0)), ([2.0, 1.0], at(-30.0))]), at(5.0));
    near(
        steering(
            NetLogo { max_align_turn: 60.0, ..apart },
            &[lone, ([2.0, 0.0], at(90.0)), ([2.0, 1.0], at(-30.0))],
        ),
        at(30.0),
    );
    // Directions to flockmates are averaged, not offsets: at 90°, three away, and at 0°, one and a
    // half away: 45°.
    let towards = NetLogo { max_align_turn: 0.0, max_cohere_turn: 90.0, ..model };
    near(steering(towards, &[lone, ([0.0, 3.0], at(0.0)), ([1.5, 0.0], at(0.0))]), at(45.0));
    // Opposite ones leave no direction, and no turn; five is in sight, more is not.
    near(steering(towards, &[lone, ([0.0, 3.0], at(0.0)), ([0.0, -3.0], at(0.0))]), at(0.0));
    near(steering(towards, &[lone, ([0.0, 5.0], at(0.0))]), at(90.0));
    near(steering(towards, &[lone, ([0.0, 5.001], at(0.0))]), at(0.0));
}

#[test]
fn netlogo_turns_away_from_the_nearests_heading_and_does_nothing_else_then() {
    let model = NetLogo::default();
    let lone = (ORIGIN, at(0.0));
    // Too near, flying 20° left: 1.5° to the right, wherever it is. A second flockmate has no say.
    near(steering(model, &[lone, ([0.5, 0.0], at(20.0))]), at(-1.5));
    near(steering(model, &[lone, ([-0.5, 0.0], at(20.0)), ([2.0, 0.0], at(-90.0))]), at(-1.5));
    near(steering(model, &[lone, ([0.5, 0.0], at(-20.0))]), at(1.5));
    // One degree to the left of it: that degree once more.
    near(steering(model, &[(ORIGIN, at(31.0)), ([0.5, 0.0], at(30.0))]), at(32.0));
    // The same heading: no turn. Straight opposite: clockwise, as rt in NetLogo.
    near(steering(model, &[lone, ([0.5, 0.0], at(0.0))]), at(0.0));
    near(steering(model, &[lone, ([0.5, 0.0], [-1.0, 0.0])]), at(-1.5));
    // At the minimum separation itself no boid is too near (cohering, here: 3° to the left; aligned
    // already).
    near(steering(model, &[lone, ([0.0, 1.0], at(0.0))]), at(3.0));
    // Not the first but the nearest counts.
    near(steering(model, &[lone, ([0.9, 0.0], at(-20.0)), ([0.0, 0.5], at(20.0))]), at(-1.5));
    near(steering(model, &[lone, ([0.4, 0.0], at(-20.0)), ([0.0, 0.5], at(20.0))]), at(1.5));
}

#[test]
fn netlogo_goes_forward_at_its_speed_and_sets_off_from_rest() {
    let model = NetLogo { speed: 2.0, ..Default::default() };
    let (position, velocity) = stepped(model, &[([1.0, 1.0], [0.0, 0.25])], 1.0);
    assert_eq!((position, velocity), ([1.0, 3.0], [0.0, 2.0]), "the heading at the model's speed");
    let (_, velocity) = stepped(model, &[(ORIGIN, ORIGIN)], 1.0);
    let off: [f32; 2] = noise::direction(SEED, 0, 0);
    near(velocity, off.times(2.0));
    // A turn of up to 180° is no limit.
    let free = NetLogo { max_align_turn: 180.0, max_cohere_turn: 0.0, ..model };
    near(steering(free, &[(ORIGIN, at(0.0)), ([2.0, 0.0], at(170.0))]), at(170.0).times(2.0));
    let wide = NetLogo { max_align_turn: 120.0, ..free };
    near(steering(wide, &[(ORIGIN, at(0.0)), ([2.0, 0.0], at(-170.0))]), at(-120.0).times(2.0));
    near(steering(wide, &[(ORIGIN, at(0.0)), ([2.0, 0.0], at(-110.0))]), at(-110.0).times(2.0));
}

#[test]
fn mesa_divides_all_three_sums_by_all_neighbors() {
    // Weights made simple; n = 2, one of them nearer than 2.
    let model =
        Mesa { cohere_factor: 0.5, separate_factor: 2.0, match_factor: 1.0, ..Default::default() };
    let boids = [(ORIGIN, [1.0, 0.0]), ([1.0, 0.0], [0.0, 3.0]), ([3.0, 4.0], [0.0, 1.0])];
    // Σo = (4, 4), Σ′o = (1, 0), Σh = (0, 2): (0.5·(4, 4) − 2·(1, 0) + (0, 2))/2 = (0, 2); (1, 0) +
    // (0, 2) = (1, 2).
    near(steering(model, &boids), [1.0, 2.0].unit());
    near(steering(Mesa { speed: 5.0, ..model }, &boids), [1.0, 2.0].unit().times(5.0));
    // Separation is strict, vision is not.
    let push = Mesa { cohere_factor: 0.0, match_factor: 0.0, separate_factor: 1.0, ..model };
    near(steering(push, &[boids[0], ([0.0, 2.0], ORIGIN)]), [1.0, 0.0]);
    near(steering(push, &[boids[0], ([0.0, 1.0], ORIGIN)]), [1.0, -1.0].unit());
    let pull = Mesa { cohere_factor: 1.0, separate_factor: 0.0, ..push };
    near(steering(pull, &[boids[0], ([0.0, 10.0], ORIGIN)]), [1.0, 10.0].unit());
    near(steering(pull, &[boids[0], ([0.0, 10.001], ORIGIN)]), [1.0, 0.0]);
    // What adds up to nothing keeps the heading: (1, 0) + (−1, 0).
    near(steering(pull, &[boids[0], ([-1.0, 0.0], ORIGIN)]), [1.0, 0.0]);
    // Its own numbers: 0.03·(0, 4) + 0.05·(0, 1).
    near(steering(Mesa::default(), &[boids[0], ([0.0, 4.0], [0.0, 1.0])]), [1.0, 0.17].unit());
    // With them no boid is ever pushed: 0.03 − 0.015 is left of the pull.
    near(steering(Mesa::default(), &[boids[0], ([0.0, 1.0], ORIGIN)]), [1.0, 0.015].unit());
    let (position, _) = stepped(Mesa::default(), &[([7.0, 7.0], [0.0, 9.0])], 1.0);
    assert_eq!(position, [7.0, 8.0], "alone: straight on, at the speed of 1");
}

#[test]
fn agents_jl_is_mesas_formula_with_other_numbers() {
    let boids = [
        (ORIGIN, [1.0, 0.0]),
        ([0.0, 4.0], [0.0, 1.0]),
        ([0.0, 1.0], [1.0, 0.0]),
        ([5.5, 0.0], [0.0, 1.0]),
    ];
    // Two seen: 0.1·(0, 5) − 0.25·(0, 1) + 0.04·(1, 1) = (0.04, 0.29), half of it.
    near(steering(AgentsJl::default(), &boids), [1.02, 0.145].unit());
    let mesa = Mesa {
        vision: 5.0,
        cohere_factor: 0.1,
        separate_factor: 0.25,
        match_factor: 0.04,
        ..Default::default()
    };
    assert_eq!(steering(AgentsJl::default(), &boids), steering(mesa, &boids), "to the bit");
}

#[test]
fn mason_adds_five_vectors_and_steps_a_jump() {
    let none = Mason {
        cohesion: 0.0,
        avoidance: 0.0,
        randomness: 0.0,
        consistency: 0.0,
        momentum: 0.0,
        jump: 1.0,
        ..Default::default()
    };
    let boids = [(ORIGIN, [0.6, 0.0]), ([1.0, 0.0], [0.0, 0.9]), ([0.0, 2.0], [0.0, 0.3])];
    assert_eq!(steering(none, &boids), ORIGIN, "a sum of nothing is rest");
    near(steering(Mason { momentum: 1.0, ..none }, &boids), [1.0, 0.0]);
    // Cohesion alone points along Σo; consistency along the sum of all three last steps.
    near(steering(Mason { cohesion: 1.0, ..none }, &boids), [1.0, 2.0].unit());
    near(steering(Mason { consistency: 1.0, ..none }, &boids), [0.6, 1.2].unit());
    // Avoidance: (1, 0)/(1 + 1) and (0, 2)/(16 + 1), away.
    near(steering(Mason { avoidance: 1.0, ..none }, &boids), [-0.5, -2.0 / 17.0].unit());
    let chance: [f32; 2] = noise::direction(SEED, 0, 0);
    near(steering(Mason { randomness: 3.0, ..none }, &boids), chance);
    // All at once: 0.1·(1, 2)/3 − 400·(1/2, 2/17)/2 + (0.6, 1.2)/3 + 0.05·chance + (0.6, 0).
    let sum = [
        0.1 / 3.0 - 100.0 + 0.2 + 0.05 * chance[0] + 0.6,
        0.2 / 3.0 - 400.0 / 17.0 + 0.4 + 0.05 * chance[1],
    ];
    near(steering(Mason::default(), &boids), sum.unit().times(0.7));
    // Their sizes against each other, away from avoidance: cohesion 0.1·(0, 8)/2, consistency (0.5,
    // 0.25)/2, momentum (0.5, 0).
    let calm = Mason { avoidance: 0.0, randomness: 0.0, ..Default::default() };
    near(
        steering(calm, &[(ORIGIN, [0.5, 0.0]), ([0.0, 8.0], [0.0, 0.25])]),
        [0.75, 0.525].unit().times(0.7),
    );
    // Ten is in sight, more is not; alone, consistency and momentum hold the obstacles.
    near(
        steering(Mason { cohesion: 1.0, ..none }, &[(ORIGIN, ORIGIN), ([0.0, 10.0], ORIGIN)]),
        [0.0, 1.0],
    );
    assert_eq!(
        steering(Mason { cohesion: 1.0, ..none }, &[(ORIGIN, ORIGIN), ([0.0, 10.001], ORIGIN)]),
        ORIGIN
    );
    let (position, _) = stepped(calm, &[([1.0, 1.0], [0.0, 0.1])], 1.0);
    near(position, [1.0, 1.7]);
}

/// Weights of nothing but the two terms of the cell.
fn cell_only() -> UnityFixed {
    UnityFixed {
        alignment_weight: 0.0,
        separation_weight: 0.0,
        target_weight: 0.0,
        ..Default::default()
    }
}

#[test]
fn unity_fixed_leans_to_its_cells_mean() {
    let (right, up) = ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
    let own = ([1.0, 1.0, 1.0], right);
    let mate = ([3.0, 1.0, 1.0], up);
    // The mean heading is (½, ½, 0): away from (1, 0, 0) along (−½, ½, 0).
    near(
        steering(UnityFixed { alignment_weight: 1.0, ..cell_only() }, &[own, mate]),
        [-1.0, 1.0, 0.0].unit(),
    );
    near(
        steering(UnityFixed { separation_weight: 1.0, ..cell_only() }, &[own, mate]),
        [-1.0, 0.0, 0.0],
    );
    near(
        steering(
            UnityFixed { separation_weight: -1.0, ..cell_only() },
            &[own, mate, ([1.0, 3.0, 1.0], up)],
        ),
        [1.0, 1.0, 0.0].unit(),
    );
    // The cell ends at 8: beyond it even the nearest is a stranger, within it the furthest is not.
    assert_eq!(
        steering(
            UnityFixed { separation_weight: 1.0, ..cell_only() },
            &[([7.9, 1.0, 1.0], right), ([8.1, 1.0, 1.0], up)]
        ),
        [0.0; 3]
    );
    near(
        steering(
            UnityFixed { separation_weight: 1.0, ..cell_only() },
            &[([0.0; 3], right), ([7.9; 3], up)],
        ),
        [-1.0; 3].unit(),
    );
    // Below zero cells go on: −0.1 is not in the cell of 0.1.
    assert_eq!(
        steering(
            UnityFixed { separation_weight: 1.0, ..cell_only() },
            &[([0.1; 3], right), ([-0.1, 0.1, 0.1], up)]
        ),
        [0.0; 3]
    );
    // The target, and all three: unit((−1, 1, 0)/√2 + (−1, 0, 0) + 2·(0, 0, 1)).
    let targeted = UnityFixed { target_x: 1.0, target_y: 1.0, target_z: 9.0, ..Default::default() };
    let h = 0.5_f32.sqrt();
    near(steering(targeted, &[own, mate]), [-h - 1.0, h, 2.0].unit());
    // dt times of the way there, at 25: (1, 0, 0)·0.9 + (0, 0, 1)·0.1.
    let alone = UnityFixed { target_weight: 2.0, ..targeted };
    let (position, velocity) = stepped(alone, &[own], 0.1);
    near(velocity, [0.9, 0.0, 0.1].unit().times(25.0));
    near(position, [1.0, 1.0, 1.0].plus(velocity.times(0.1)));
}

#[test]
fn unity_fixed_avoids_its_obstacle_a_cell_at_a_time() {
    let model = UnityFixed {
        obstacle_aversion_distance: 3.0,
        obstacle_x: 1.0,
        target_x: 50.0,
        ..Default::default()
    };
    let right = [1.0, 0.0, 0.0];
    // Two from the obstacle: out to three, that is one more.
    near(steering(model, &[([3.0, 0.0, 0.0], right)]), right);
    near(steering(model, &[([1.0, 2.5, 0.0], right)]), [0.0, 0.5, 0.0]);
    near(steering(model, &[([1.0, 4.0, 0.0], right)]), [49.0, -4.0, 0.0].unit());
    // The cell's first boid decides: of lower x cell (a quarter of the reach each), near or not.
    let (close, far) = (([0.5, 0.5, 0.5], right), ([7.5, 0.5, 0.5], right));
    let way = [6.5, 0.5, 0.5];
    near(steering(model, &[far, close]), way.unit().times(3.0).minus(way));
}

#[test]
fn unity_as_shipped_doubles_its_first_boid() {
    let weights = |alignment, separation| Unity {
        alignment_weight: alignment,
        separation_weight: separation,
        target_weight: 0.0,
        ..Default::default()
    };
    let (right, up) = ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
    // All in one slot cell, so that slot order is by id: boid 0 is first.
    let boids = |n: usize| -> Vec<Boid<3>> {
        (0..n)
            .map(|i| ([1.0 + i as f32 * 0.001, 2.0, 2.0], if i == 0 { right } else { up }))
            .collect()
    };
    let of = |model: Unity, i: usize, boids: &[Boid<3>]| {
        let flock = flock(model, boids);
        flock.steering(&flock.slot_order())[i]
    };
    // Two: p/n = 1, so the first agrees with itself, the other leans to the first's heading, and
    // separation is right.
    assert_eq!(of(weights(1.0, 0.0), 0, &boids(2)), [0.0; 3]);
    near(of(weights(1.0, 0.0), 1, &boids(2)), [1.0, -1.0, 0.0].unit());
    assert_eq!(of(weights(0.0, 1.0), 0, &boids(2)), [0.0; 3]);
    near(of(weights(0.0, 1.0), 1, &boids(2)), right);
    // Three: p/n = 4/3, and 3·x − 4·x_f: to the origin. The sum that was meant leads apart.
    near(of(weights(1.0, 0.0), 1, &boids(3)), [4.0 / 3.0, -1.0, 0.0].unit());
    near(of(weights(0.0, 1.0), 0, &boids(3)), [-1.0, -2.0, -2.0].unit());
    near(of(weights(0.0, 1.0), 2, &boids(3)), [3.0 * 1.002 - 4.0, -2.0, -2.0].unit());
    let meant = UnityFixed { separation_weight: 1.0, ..cell_only() };
    near(steering(meant, &boids(3)), [-1.0, 0.0, 0.0]);
    // 72: 2⁷¹/72 is above 2⁶⁴, whose square the source calls infinite, and 71: 2⁷⁰/71 below it.
    near(of(weights(1.0, 0.0), 1, &boids(71)), right);
    assert_eq!(of(weights(1.0, 0.0), 1, &boids(72)), [0.0; 3]);
    // x_f = (1, 2, 2) is three long: 3·2⁶¹·… 2⁶²·3 < 2⁶⁴ < 2⁶³·3.
    near(of(weights(0.0, 1.0), 1, &boids(63)), [-1.0, -2.0, -2.0].unit());
    assert_eq!(of(weights(0.0, 1.0), 1, &boids(64)), [0.0; 3]);
    // 2·2¹²⁷ is infinite: from 128 on not even the target counts, and everyone flies straight on.
    let to_target = Unity { target_x: 50.0, target_y: 2.0, target_z: 2.0, ..Unity::default() };
    assert!(of(to_target, 1, &boids(127))[0] > 0.9, "the target alone is left");
    assert_eq!(of(to_target, 1, &boids(128)), [0.0; 3]);
    let crowd = boids(128);
    let (_, velocity) = stepped(to_target, &crowd, 0.02);
    near(heading(velocity), right);
}
