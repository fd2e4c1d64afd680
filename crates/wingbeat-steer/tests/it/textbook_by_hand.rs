//! The textbook flock on small cases of MODEL's table, every number worked out by hand.
//!
//! Numbers are chosen so that f32 holds them exactly: distances from 3-4-5 triangles, powers of two
//! elsewhere.

use wingbeat_steer::{
    AgentLimits, Alignment, AlignmentOf, Cohesion, Combine, Cruise, Domain, Falloff, FieldOfView,
    Formation, Params, Perception, Response, RuleId, Rules, Separation, Term, TextbookBoid,
    TextbookFlock, Vector, heading, noise,
};

type Place = [f32; 2];

/// Boids at rest or moving, ids from 0, in open space; maximum speed 10, force 1000.
fn flock(params: Params, boids: &[(Place, Place)]) -> TextbookFlock<Place> {
    let agent = AgentLimits { max_speed: 10.0, max_force: 1000.0, ..params.agent };
    let boids = boids
        .iter()
        .enumerate()
        .map(|(i, &(position, velocity))| TextbookBoid { id: i as u64, position, velocity })
        .collect();
    TextbookFlock {
        params: Params { agent, ..params },
        domain: Domain::open(),
        seed: 9,
        step: 0,
        boids,
        ..Default::default()
    }
}

/// What boid 0 wants.
fn first(flock: &TextbookFlock<Place>) -> Place {
    flock.steering(&flock.slot_order())[0]
}

fn seen(radius: f32) -> Perception {
    Perception { radius, ..Default::default() }
}

fn separation(
    falloff: Falloff,
    response: Response,
    radius: f32,
    boids: &[(Place, Place)],
) -> Place {
    let rule = Separation { falloff, response, perception: seen(radius), ..Default::default() };
    first(&flock(Params { rules: rule.into(), ..Default::default() }, boids))
}

const STILL: Place = [0.0, 0.0];

#[test]
fn separation_by_falloff() {
    // o = (3, 4), d = 5, r = 10: f = 1 − 5/10 = ½.
    let one = [(STILL, STILL), ([3.0, 4.0], STILL)];
    assert_eq!(separation(Falloff::Soft, Response::Raw, 10.0, &one), [-1.5, -2.0]);
    assert_eq!(separation(Falloff::Soft, Response::Raw, 8.0, &one), [-1.125, -1.5], "f = 3/8");
    for falloff in [Falloff::Soft, Falloff::Linear] {
        assert_eq!(
            separation(falloff, Response::Raw, 5.0, &one),
            [0.0, 0.0],
            "f = 0 at the radius itself"
        );
        assert_eq!(separation(falloff, Response::Raw, 4.9, &one), [0.0, 0.0], "out of range");
    }
    // o = (0, 4): 1/d = ¼, 1/d² = 1/16; r = 8: the push is 1 − 4/8.
    let other = [(STILL, STILL), ([0.0, 4.0], STILL)];
    assert_eq!(separation(Falloff::Linear, Response::Raw, 8.0, &other), [0.0, -0.5]);
    let nearer = [(STILL, STILL), ([0.0, 0.5], STILL)];
    assert_eq!(
        separation(Falloff::Linear, Response::Raw, 8.0, &nearer),
        [0.0, -0.9375],
        "the nearer, the harder"
    );
    assert_eq!(
        separation(Falloff::Inverse, Response::Raw, 8.0, &other),
        [0.0, -1.0],
        "a unit vector"
    );
    assert_eq!(separation(Falloff::InverseSquare, Response::Raw, 8.0, &other), [0.0, -0.25]);
    // A sum, not a mean: two alike push twice; from opposite sides nothing is left.
    let two = [(STILL, STILL), ([0.0, 4.0], STILL), ([0.0, 2.0], STILL)];
    assert_eq!(separation(Falloff::InverseSquare, Response::Raw, 8.0, &two), [0.0, -0.75]);
    let between = [(STILL, STILL), ([0.0, 4.0], STILL), ([0.0, -4.0], STILL)];
    assert_eq!(separation(Falloff::Linear, Response::Raw, 8.0, &between), [0.0, 0.0]);
}

#[test]
fn separation_by_response() {
    let boids = [(STILL, [1.0, 1.0]), ([0.0, 4.0], STILL)];
    assert_eq!(separation(Falloff::Linear, Response::Unit, 8.0, &boids), [0.0, -1.0]);
    assert_eq!(
        separation(Falloff::Linear, Response::Steer, 8.0, &boids),
        [-1.0, -11.0],
        "unit·10 − v"
    );
    // Flee: v − (10/4)·o each; with two neighbors v counts twice.
    assert_eq!(separation(Falloff::Linear, Response::Flee, 8.0, &boids), [1.0, -9.0]);
    let two = [boids[0], boids[1], ([2.0, 0.0], STILL)];
    assert_eq!(separation(Falloff::Inverse, Response::Flee, 8.0, &two), [2.0 - 10.0, 2.0 - 10.0]);
    // A zero sum has a zero response: no braking between two neighbors.
    let between = [boids[0], ([0.0, 4.0], STILL), ([0.0, -4.0], STILL)];
    assert_eq!(separation(Falloff::Linear, Response::Steer, 8.0, &between), [0.0, 0.0]);
}

fn alignment(rule: Alignment, boids: &[(Place, Place)]) -> Place {
    first(&flock(Params { rules: rule.into(), ..Default::default() }, boids))
}

#[test]
fn alignment_is_a_mean_of_velocities_or_headings() {
    let boids = [
        (STILL, [1.0, 0.0]),
        ([0.5, 0.0], [3.0, 4.0]),
        ([0.0, 0.5], [1.0, 2.0]),
        ([9.0, 9.0], [99.0, 99.0]),
    ];
    let rule = Alignment::default();
    assert_eq!(alignment(rule, &boids), [1.0, 3.0], "((3, 4) + (1, 2))/2 − (1, 0)");
    assert_eq!(alignment(Alignment { relative: false, ..rule }, &boids), [2.0, 3.0]);
    // (1, 0) + (3, 4) + (2, 2) over 3.
    let with_self = [boids[0], boids[1], ([0.0, 0.5], [2.0, 2.0])];
    let include_self = Alignment { include_self: true, ..rule };
    assert_eq!(alignment(include_self, &with_self), [1.0, 2.0], "(6, 6)/3 − (1, 0)");
    assert_eq!(alignment(Alignment { relative: false, ..include_self }, &with_self), [2.0, 2.0]);
    let of_heading = Alignment { of: AlignmentOf::Heading, ..rule };
    // Headings (0, 1) and (−1, 0); own (1, 0).
    let turned = [(STILL, [4.0, 0.0]), ([0.5, 0.0], [0.0, 8.0]), ([0.0, 0.5], [-2.0, 0.0])];
    assert_eq!(alignment(of_heading, &turned), [-1.5, 0.5]);
    // A boid that rests counts in the mean, as zero.
    let resting = [turned[0], turned[1], ([0.0, 0.5], STILL)];
    assert_eq!(alignment(Alignment { relative: false, ..of_heading }, &resting), [0.0, 0.5]);
    assert_eq!(alignment(rule, &boids[..1]), [0.0, 0.0], "no boid, nothing");
    let steer = Alignment { relative: false, response: Response::Steer, ..rule };
    assert_eq!(
        alignment(steer, &[boids[0], ([0.5, 0.0], [0.0, 0.5])]),
        [-1.0, 10.0],
        "unit (0, 1)·10 − (1, 0)"
    );
    let unit = Alignment { response: Response::Unit, ..rule };
    assert_eq!(alignment(unit, &[boids[0], ([0.5, 0.0], [1.0, -7.0])]), [0.0, -1.0]);
}

#[test]
fn cohesion_is_the_way_to_the_middle() {
    let cohesion = |response, boids: &[(Place, Place)]| {
        let rule = Cohesion { response, perception: seen(8.0), ..Default::default() };
        first(&flock(Params { rules: rule.into(), ..Default::default() }, boids))
    };
    let boids = [([1.0, 1.0], [0.0, 2.0]), ([5.0, 1.0], STILL), ([3.0, 1.0], STILL)];
    assert_eq!(cohesion(Response::Raw, &boids), [3.0, 0.0], "((4, 0) + (2, 0))/2");
    assert_eq!(cohesion(Response::Unit, &boids), [1.0, 0.0]);
    assert_eq!(cohesion(Response::Steer, &boids), [10.0, -2.0]);
    assert_eq!(cohesion(Response::Steer, &boids[..1]), [0.0, 0.0]);
    // A coincident neighbor counts in n, and adds nothing to the sum.
    let joined = [boids[0], boids[1], ([1.0, 1.0], STILL)];
    assert_eq!(cohesion(Response::Raw, &joined), [2.0, 0.0], "(4, 0)/2");
}

#[test]
fn formation_is_the_way_to_a_place_ahead_and_aside() {
    let formation = |ahead, aside, boids: &[(Place, Place)]| {
        let rule = Formation { ahead, aside, perception: seen(8.0), ..Default::default() };
        first(&flock(Params { rules: rule.into(), ..Default::default() }, boids))
    };
    // Heading along x; a neighbor 3 ahead and 4 to the left, which is to be 2 ahead and 1 aside.
    let boids = [(STILL, [2.0, 0.0]), ([3.0, 4.0], STILL)];
    assert_eq!(formation(2.0, 1.0, &boids), [1.0, 3.0]);
    // To the right it is kept on the right, behind it is called ahead.
    assert_eq!(formation(2.0, 1.0, &[boids[0], ([-3.0, -4.0], STILL)]), [-5.0, -3.0]);
    // Exactly ahead it has no side; the mean of both.
    let both = [boids[0], boids[1], ([4.0, 0.0], STILL)];
    assert_eq!(formation(2.0, 1.0, &both), [1.5, 1.5]);
    assert_eq!(formation(2.0, 1.0, &boids[..1]), STILL);
    assert_eq!(formation(2.0, 1.0, &[(STILL, STILL), boids[1]]), STILL, "at rest");
}

#[test]
fn range_and_sight() {
    let cohesion = |perception, boids: &[(Place, Place)]| {
        first(&flock(
            Params {
                rules: Cohesion { perception, ..Default::default() }.into(),
                ..Default::default()
            },
            boids,
        ))
    };
    let ahead = [1.0, 0.0];
    let at = |place: Place| [(STILL, ahead), (place, STILL)];
    assert_eq!(
        cohesion(seen(5.0), &at([3.0, 4.0])),
        [3.0, 4.0],
        "exactly at the radius is in range"
    );
    assert_eq!(cohesion(seen(5.0f32.next_down()), &at([3.0, 4.0])), STILL);
    let half = Perception { view: FieldOfView::degrees(180.0), ..seen(5.0) };
    assert_eq!(
        cohesion(half, &at([0.0, 4.0])),
        [0.0, 4.0],
        "exactly abeam is in sight of 180 degrees"
    );
    assert_eq!(cohesion(half, &at([-1e-20, 4.0])), STILL);
    let narrow = Perception { view: FieldOfView::Cone { cos_half: 0.6 }, ..seen(8.0) };
    assert_eq!(cohesion(narrow, &at([4.0, 3.0])), [4.0, 3.0], "cosine 0.8");
    assert_eq!(cohesion(narrow, &at([3.0, 5.0])), STILL, "cosine 0.51");
    assert_eq!(
        cohesion(Perception { near_radius: 6.0, ..narrow }, &at([-3.0, 5.0])),
        [-3.0, 5.0],
        "near, so seen behind"
    );
    assert_eq!(
        cohesion(narrow, &[(STILL, STILL), ([-3.0, 4.0], STILL)]),
        [-3.0, 4.0],
        "at rest one sees all round"
    );
    // Across the edge of a periodic box of side 8: 7 to the right is 1 to the left.
    let mut wrapped = flock(
        Params { rules: Cohesion::default().into(), ..Default::default() },
        &[(STILL, STILL), ([7.0, 0.5], STILL)],
    );
    wrapped.params.rules.cohesion = Some(Cohesion { perception: seen(4.0), ..Default::default() });
    wrapped.domain = Domain::periodic([0.0; 2], [8.0; 2]);
    assert_eq!(first(&wrapped), [-1.0, 0.5]);
    wrapped.boids[1].position = [4.0, 0.0];
    assert_eq!(first(&wrapped), [4.0, 0.0], "exactly half the side stays");
}

#[test]
fn coincident_boids_are_pushed_once_along_their_own_direction() {
    let pile = [([2.0, 2.0], [0.5, 0.0]); 4];
    let own: Place = noise::direction(9, 0, 0);
    for (falloff, gain) in [
        (Falloff::Linear, 1.0),
        (Falloff::Soft, 2.0),
        (Falloff::Inverse, 1.0),
        (Falloff::InverseSquare, 0.125),
    ] {
        assert_eq!(
            separation(falloff, Response::Raw, 8.0, &pile),
            own.times(gain),
            "{falloff:?}: 1, r/4, 1, 1/r"
        );
    }
    assert_eq!(
        separation(Falloff::Linear, Response::Flee, 8.0, &pile),
        own.times(10.0),
        "flee: max_speed"
    );
    // 8·2⁻²⁰ is coincident still, the next number is not.
    let near = 8.0 / 1_048_576.0;
    let at = |x: f32| {
        separation(Falloff::Inverse, Response::Raw, 8.0, &[(STILL, STILL), ([x, 0.0], STILL)])
    };
    assert_eq!(at(near), own);
    assert_eq!(at(near * 1.000_001), [-1.0, 0.0]);
}

#[test]
fn terms_are_weighted_added_and_cut() {
    let params = Params {
        rules: Rules {
            separation: Some(Separation {
                weight: 8.0,
                perception: seen(8.0),
                ..Default::default()
            }),
            cohesion: Some(Cohesion { weight: 0.5, perception: seen(8.0), ..Default::default() }),
            ..Default::default()
        },
        ..Default::default()
    };
    // Separation (0, −½)·8, cohesion (0, 4)·½.
    let mut flock = flock(params, &[(STILL, STILL), ([0.0, 4.0], STILL)]);
    let terms = flock.terms(0, &flock.slot_order());
    assert_eq!(
        terms,
        [
            (Term::Rule(RuleId::Separation), [0.0, -4.0]),
            (Term::Rule(RuleId::Cohesion), [0.0, 2.0]),
            (Term::Walls, STILL)
        ]
    );
    assert_eq!(first(&flock), [0.0, -2.0]);
    flock.params.agent.max_force = 0.5;
    assert_eq!(first(&flock), [0.0, -0.5]);
    flock.params.agent.max_force = 5.0;
    flock.params.combine = Combine::Prioritized;
    assert_eq!(first(&flock), [0.0, -3.0], "4 of the 5 for separation, 1 for cohesion");
    flock.params.priority = vec![Term::Rule(RuleId::Cohesion)];
    assert_eq!(first(&flock), [0.0, -1.0], "2 for cohesion, 3 for separation");
    flock.params.combine = Combine::Direction(Cruise::default());
    assert_eq!(first(&flock), [0.0, -1.0]);
}

/// One boid alone, pushed by a wall with `force`·(1 − 0) at the very face, and what one step makes
/// of it.
fn pushed(limits: AgentLimits, velocity: Place, force: f32, dt: f32) -> (Place, Place) {
    let mut flock = flock(Params::default(), &[([0.0, 5.0], velocity)]);
    flock.params.agent = limits;
    flock.domain = Domain::walled([0.0; 2], [100.0; 2], 1.0, force);
    flock.step_by(dt);
    (flock.boids[0].position, flock.boids[0].velocity)
}

#[test]
fn integration_is_force_over_mass_then_limits_then_the_move() {
    let limits = AgentLimits { max_speed: 10.0, max_force: 100.0, mass: 2.0, ..Default::default() };
    assert_eq!(
        pushed(limits, [1.0, 0.0], 8.0, 0.5),
        ([1.5, 5.0], [3.0, 0.0]),
        "v = 1 + 8/2·½, x = 3·½"
    );
    assert_eq!(
        pushed(AgentLimits { max_speed: 2.0, ..limits }, [1.0, 0.0], 8.0, 0.5),
        ([1.0, 5.0], [2.0, 0.0])
    );
    assert_eq!(
        pushed(AgentLimits { max_force: 4.0, ..limits }, [1.0, 0.0], 8.0, 0.5),
        ([1.0, 5.0], [2.0, 0.0])
    );
    let hasty = AgentLimits { min_speed: 5.0, ..limits };
    assert_eq!(pushed(hasty, [0.0, 2.0], 0.0, 1.0), ([0.0, 10.0], [0.0, 5.0]), "scaled up");
    // Brought to rest by the push: on it goes as it went, here into the wall, which stops it.
    assert_eq!(
        pushed(AgentLimits { min_speed: 1.0, ..limits }, [-4.0, 0.0], 8.0, 1.0),
        ([0.0, 5.0], [0.0, 0.0])
    );
    let own: Place = noise::direction(9, 0, 0);
    let (_, v) = pushed(AgentLimits { min_speed: 4.0, ..limits }, STILL, 0.0, 1.0);
    assert_eq!(v[1], own[1] * 4.0, "from rest, where its hash says");
    assert_eq!(heading([3.0, 4.0]), [3.0 * 0.2, 4.0 * 0.2]);
    assert_eq!(
        [heading([9.9e-16, 0.0]), heading([1.1e-15, 0.0])],
        [STILL, [1.0, 0.0]],
        "at rest below 1e-15"
    );
}

#[test]
fn direction_turns_at_once_or_smoothly_and_keeps_going_alone() {
    let rule = Cohesion { perception: seen(8.0), ..Default::default() };
    let after = |cruise: Cruise, boids: &[(Place, Place)]| {
        let params = Params {
            rules: rule.into(),
            combine: Combine::Direction(cruise),
            ..Default::default()
        };
        let mut flock = flock(params, boids);
        flock.step_by(1.0);
        flock.boids[0].velocity
    };
    let boids = [(STILL, [2.0, 0.0]), ([0.0, 4.0], STILL)];
    let cruise = Cruise { cruise_speed: 3.0, ..Default::default() };
    assert_eq!(after(cruise, &boids), [0.0, 3.0]);
    assert_eq!(after(cruise, &boids[..1]), [2.0, 0.0]);
    assert_eq!(after(Cruise { stop_when_alone: true, ..cruise }, &boids[..1]), STILL);
    // t = 1 − e^(−ln 2) = ½, as near as f32 says ln 2.
    let smooth = after(Cruise { smoothing_rate: core::f32::consts::LN_2, ..cruise }, &boids);
    assert!(
        (smooth[0] - 1.0).abs() < 1e-6 && (smooth[1] - 1.5).abs() < 1e-6,
        "halfway: {smooth:?}"
    );
}
