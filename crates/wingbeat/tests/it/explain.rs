//! An explanation's numbers are the engine's own, bit for bit, and add up; what it says of small
//! flocks is worked out by hand.

use crate::common::*;
use wingbeat::simd::Vectors;
use wingbeat::steer::model::models;
use wingbeat::steer::*;
use wingbeat::steer::{
    Combined, Decision, EdgeEffect, Limit, RuleParts, Seen, TermParts, TermSum, Turn, Vector, noise,
};
use wingbeat::*;
use wingbeat_test_support::tier;

fn bits<const D: usize>(v: [f32; D]) -> [u32; D] {
    v.map(f32::to_bits)
}

/// What the last step did to a boid: its steering, position and velocity.
fn done<const D: usize>(flock: &Flock<D>, id: BoidId) -> [[u32; D]; 3] {
    let frame = flock.frame();
    let slot = frame.ids().position(|other| other == id).unwrap();
    let boid = frame.boid(slot);
    [
        bits(std::array::from_fn(|a| frame.steering(a)[slot])),
        bits(boid.position),
        bits(boid.velocity),
    ]
}

/// The same as an explanation has it.
fn told<const D: usize>(why: &query::Explanation<D>) -> [[u32; D]; 3] {
    [bits(why.steering), bits(why.advance.position), bits(why.advance.velocity)]
}

/// Repeating the sums of an explanation gives the same bits.
pub fn adds_up<const D: usize>(why: &query::Explanation<D>, params: &Params, own: &Traits) {
    let add = |sum: [f32; D], v: [f32; D]| sum.plus(v);
    let combined = match &why.decision {
        Decision::Terms(combined) => combined,
        Decision::Model(followed) => {
            let sum = followed.terms.iter().map(|part| part.taken).fold(followed.wanted, add);
            assert_eq!(bits(sum), bits(followed.sum), "{why:?}");
            let steering = match followed.joined {
                TermSum::Sum => sum,
                TermSum::Direction => sum.unit(),
                TermSum::Velocity(speed) => sum.unit().times(speed),
                TermSum::Alone | TermSum::Kept => followed.wanted,
                other => panic!("{other:?}"),
            };
            assert_eq!(followed.joined == TermSum::Alone, followed.terms.is_empty(), "{why:?}");
            assert_eq!(bits(steering), bits(followed.steering), "{why:?}");
            return;
        }
    };
    for part in &combined.terms {
        let (Some(rule), Some(sees)) = (&part.rule, &part.sees) else { continue };
        let seen = &sees.neighbors;
        let n = seen.len() as f32;
        let sum = seen.iter().filter_map(|seen| seen.adds).fold([0.0; D], add);
        assert_eq!(bits(sum), bits(rule.sum), "{why:?}");
        if let Some(mean) = rule.wanted.mean {
            let again = match rule.wanted.included {
                Some(own) => own.plus(sum).times(1.0 / (n + 1.0)),
                None => sum.times(1.0 / n),
            };
            assert_eq!(bits(mean), bits(again), "{why:?}");
            assert_eq!(
                bits(rule.wanted.x),
                bits(rule.wanted.subtracted.map_or(mean, |own| mean.minus(own))),
                "{why:?}"
            );
        }
        let separation = params.rules_of(own.species).separation;
        if let Some(Separation { response, .. }) =
            separation.filter(|_| part.term == Term::Rule(RuleId::Separation))
        {
            let turned = if response == Response::Flee { sum } else { [0.0; D].minus(sum) };
            assert_eq!(
                bits(rule.wanted.x),
                bits(rule.wanted.parting.map_or(turned, |push| turned.plus(push))),
                "{why:?}"
            );
        }
        assert_eq!(bits(part.weighted), bits(rule.response.times(rule.weight)), "{why:?}");
    }
    assert_eq!(
        bits(combined.terms.iter().map(|part| part.taken).fold([0.0; D], add)),
        bits(combined.sum),
        "{why:?}"
    );
    let last = match combined.combine {
        Combine::Weighted => combined.sum.truncate_to(own.limits(params).max_force),
        Combine::Prioritized => combined.sum,
        Combine::Direction(_) => combined.sum.unit(),
    };
    assert_eq!(bits(combined.steering), bits(last), "{why:?}");
    let changed = matches!(combined.combine, Combine::Weighted) && bits(last) != bits(combined.sum);
    assert!(combined.cut_to.is_some() || !changed, "{why:?}");
}

/// Explains some boids before each of a few steps, and compares with the step.
fn explains<const D: usize>(case: &Case<D>, random: &mut Random) {
    let dt = TimeStep::new(case.dt).unwrap();
    for level in Level::available() {
        let storage = if random.coin() { Storage::Automatic } else { Storage::Sparse };
        let mut flock = engine(case, level, 1, storage);
        for step in 0..4 {
            let ids: Vec<BoidId> =
                flock.frame().ids().filter(|_| random.below(8) == 0).take(6).collect();
            let whys: Vec<_> = ids.iter().map(|&id| flock.explain(id, dt).unwrap()).collect();
            let traits: Vec<_> = ids.iter().map(|&id| flock.traits(id).unwrap()).collect();
            flock.step(dt);
            for ((&id, why), own) in ids.iter().zip(&whys).zip(&traits) {
                let at = || {
                    format!(
                        "boid {id}, seed {} {} {D}-D {level} {storage:?} step {step}\n{case:?}",
                        case.seed, case.name
                    )
                };
                if case.domain.boundary == Boundary::Absorbing && !flock.events().is_empty() {
                    // A boid left: the frame has no steering, and the one that left has no place in
                    // it.
                    let ends = &why.advance;
                    let found = flock
                        .frame()
                        .find(id)
                        .ok()
                        .map(|boid| (bits(boid.position), bits(boid.velocity)));
                    let stays = case.domain.contains(ends.position);
                    assert_eq!(
                        stays.then(|| (bits(ends.position), bits(ends.velocity))),
                        found,
                        "{}",
                        at()
                    );
                } else {
                    assert_eq!(
                        told(why),
                        done(&flock, id),
                        "steering, position, velocity: {}",
                        at()
                    );
                }
                assert_eq!((why.boid.id, why.step), (id.get(), step), "{}", at());
                adds_up(why, flock.params(), own);
            }
        }
    }
}

/// The parameters of a case for these rules; the rest is drawn.
fn case<const D: usize>(
    seed: u64,
    rules: Params,
    kind: &str,
    state: &str,
    random: &mut Random,
) -> Case<D> {
    let mut params = rules;
    let radius = random.one_of(&[1.0, 1.0, 0.3, 60.0]);
    perceive(&mut params, radius, random);
    let combination = random.below(COMBINES);
    (params.combine, params.priority) = combine(combination, random);
    params.max_neighbors = random.one_of(&[None, None, Some(1), Some(5)]);
    let radius = if params.largest_radius() > 0.0 { params.largest_radius() } else { radius };
    let domain = domain(kind, radius, random);
    let boids = boids(state, &domain, radius, random);
    let name = format!("{kind} {state} combination {combination}");
    Case { seed, name, params, domain, boids, dt: random.one_of(&[0.02, 0.3, 1.0]) }
}

#[test]
fn explanations_equal_the_step_in_every_domain_and_nasty_state() {
    let full = tier::full();
    for repeat in 0..if full { 40 } else { 1 } {
        for (k, kind) in KINDS.iter().enumerate() {
            for (n, state) in STATES.iter().enumerate() {
                let seed = 7_000_000 + repeat * 1000 + (k * 100 + n) as u64;
                let mut random = Random::new(seed);
                let some = |random: &mut Random| random.below(5) > 0;
                let rules = Params {
                    rules: Rules {
                        separation: some(&mut random).then(|| random.one_of(&separations())),
                        alignment: some(&mut random).then(|| random.one_of(&alignments())),
                        cohesion: some(&mut random).then(|| random.one_of(&cohesions())),
                        ..Default::default()
                    },
                    ..Default::default()
                };
                explains(&case::<2>(seed, rules.clone(), kind, state, &mut random), &mut random);
                explains(&case::<3>(seed, rules, kind, state, &mut random), &mut random);
            }
        }
    }
}

#[test]
fn explanations_of_models_equal_the_step() {
    for (m, model) in models().enumerate() {
        let radius = model.radius().unwrap_or(1.0);
        for (k, kind) in KINDS.iter().enumerate() {
            let seed = 8_000_000 + (m * 10 + k) as u64;
            let mut random = Random::new(seed);
            let domain = domain::<2>(kind, radius, &mut random);
            let boids = boids("uniform", &domain, radius, &mut random);
            let name = format!("{} {kind}", model.name());
            let params = Params { model: Some(model), ..Default::default() };
            explains(&Case { seed, name, params, domain, boids, dt: 0.3 }, &mut random);
        }
    }
}

/// A flock that explains itself at every step, in all its boids, goes the way of one that is never
/// asked.
#[test]
fn asking_changes_nothing() {
    let params = three_rules();
    let min_max = ([0.0; 3], [5.0; 3]);
    let spawn = Spawn { shape: Shape::Box { min: min_max.0, max: min_max.1 }, ..Spawn::default() };
    let build = || {
        let builder = Flock3::builder()
            .params(params.clone())
            .domain(Domain::periodic(min_max.0, min_max.1))
            .seed(3);
        builder.steer_every(3).spawn(200, spawn).build().unwrap()
    };
    let (mut asked, mut left) = (build(), build());
    let dt = TimeStep::new(0.05).unwrap();
    for _ in 0..12 {
        for id in (0..200).map(BoidId::new) {
            asked.explain(id, dt).unwrap();
        }
        asked.step(dt);
        left.step(dt);
        assert_eq!(observe::state_hash(&asked.frame()), observe::state_hash(&left.frame()));
    }
}

fn three_rules() -> Params {
    Params {
        rules: Rules {
            separation: Some(Separation { weight: 2.5, ..Default::default() }),
            alignment: Some(Alignment::default()),
            cohesion: Some(Cohesion::default()),
            ..Default::default()
        },
        ..Default::default()
    }
}

#[test]
fn between_turns_the_held_force_is_told() {
    let spawn = Spawn { shape: Shape::Box { min: [0.0; 2], max: [4.0; 2] }, ..Spawn::default() };
    let mut flock = Flock2::builder()
        .params(three_rules())
        .seed(5)
        .steer_every(4)
        .spawn(60, spawn)
        .build()
        .unwrap();
    let dt = TimeStep::new(0.1).unwrap();
    let mut seen = [0; 2];
    for step in 0..9u64 {
        if step == 5 {
            flock.add([2.0, 2.0], [0.0, 0.0]).unwrap();
            flock.remove(&[BoidId::new(7)]).unwrap();
        }
        let ids: Vec<BoidId> = flock.frame().ids().collect();
        let whys: Vec<_> = ids.iter().map(|&id| flock.explain(id, dt).unwrap()).collect();
        flock.step(dt);
        for (&id, why) in ids.iter().zip(&whys) {
            assert_eq!(told(why), done(&flock, id), "step {step} boid {id}");
            let first = step == 0 || (step == 5 && id.get() == 60);
            let due = first || (id.get() + step).is_multiple_of(4);
            match why.turn {
                Turn::Due { every: 4 } => assert!(due, "step {step} boid {id}"),
                Turn::Holds { every: 4, force, steps_left } => {
                    assert!(!due, "step {step} boid {id}");
                    assert_eq!(bits(force), bits(why.steering));
                    assert!(
                        (id.get() + step + u64::from(steps_left)).is_multiple_of(4)
                            && steps_left < 4
                    );
                    seen[usize::from(why.decision.steering() != force)] += 1;
                }
                other => panic!("{other:?}"),
            }
        }
    }
    assert!(seen[1] > 0, "the decision it would make differs from the force it holds: {seen:?}");
    assert!(matches!(
        Flock2::builder()
            .boids(&[[0.0; 2]], &[[0.0; 2]])
            .build()
            .unwrap()
            .explain(BoidId::new(0), dt)
            .unwrap()
            .turn,
        Turn::EveryStep
    ));
}

/// Everyone drifts the neighbors' mean way, and a rule that counts: neither has a scalar form.
struct Drift(f32);

pair_rule! {
    impl<S, D> Rule for Drift {
        type Sum = Vectors<S, D>;
        fn perception(&self) -> Perception {
            Perception { radius: 1.0, view: FieldOfView::degrees(200.0), ..Default::default() }
        }
        fn term(&self, s, _own, pair) { pair.velocity * s.splat(self.0) }
        fn force(&self, _s, _own, sum) { sum }
    }
}

#[test]
fn forces_of_the_hosts_own_rules_are_told() {
    let orders = [
        vec![],
        vec![Term::HostRule(1), Term::Walls, Term::Rule(RuleId::Separation), Term::HostRule(0)],
    ];
    let combines = [Combine::Weighted, Combine::Prioritized, Combine::Direction(Cruise::default())];
    let (min, max) = ([0.0; 3], [3.0; 3]);
    let spawn = Spawn { shape: Shape::Box { min, max }, ..Spawn::default() };
    for (order, combine) in orders.iter().flat_map(|order| combines.map(|combine| (order, combine)))
    {
        for (domain, nearest) in
            [(Domain::walled(min, max, 0.7, 3.0), None), (Domain::periodic(min, max), Some(3))]
        {
            let params = Params {
                combine,
                priority: order.clone(),
                max_neighbors: nearest,
                ..three_rules()
            };
            for level in Level::available() {
                let builder =
                    Flock3::builder().params(params.clone()).domain(domain).seed(11).level(level);
                let mut flock =
                    builder.rule(Drift(0.5)).rule(Drift(-1.25)).spawn(80, spawn).build().unwrap();
                let dt = TimeStep::new(0.1).unwrap();
                for _ in 0..3 {
                    let whys: Vec<_> =
                        (0..80).map(|id| flock.explain(BoidId::new(id), dt).unwrap()).collect();
                    let own = flock.traits(BoidId::new(0)).unwrap();
                    flock.step(dt);
                    for (id, why) in whys.iter().enumerate() {
                        assert_eq!(
                            told(why),
                            done(&flock, BoidId::new(id as u64)),
                            "{combine:?} {order:?} boid {id}"
                        );
                        adds_up(why, &params, &own);
                        let host = why_terms(why)
                            .terms
                            .iter()
                            .filter(|part| matches!(part.term, Term::HostRule(_)));
                        for part in host {
                            let sees = part.sees.as_ref().expect("what the rule sees");
                            assert!(part.rule.is_none() && part.drive.is_none(), "{part:?}");
                            let factor = if part.term == Term::HostRule(0) { 0.5 } else { -1.25 };
                            let drift =
                                sees.neighbors.iter().map(|seen| seen.velocity.times(factor));
                            assert_eq!(
                                drift.fold([0.0; 3], |sum: [f32; 3], v| sum.plus(v)),
                                part.weighted
                            );
                        }
                    }
                }
            }
        }
    }
}

fn why_terms<const D: usize>(why: &query::Explanation<D>) -> &Combined<[f32; D]> {
    match &why.decision {
        Decision::Terms(combined) => combined,
        Decision::Model(model) => panic!("{model:?}"),
    }
}

/// Why boid 0 of these goes where it goes in a step of `dt`: seed 9, maximum speed 10.
fn why(
    params: Params,
    boids: &[([f32; 2], [f32; 2])],
    domain: Domain<[f32; 2]>,
    dt: f32,
) -> query::Explanation<2> {
    let (positions, velocities): (Vec<_>, Vec<_>) = boids.iter().copied().unzip();
    let agent = AgentLimits { max_speed: 10.0, ..params.agent };
    let builder = Flock2::builder().params(Params { agent, ..params }).domain(domain).seed(9);
    let mut flock = builder.boids(&positions, &velocities).build().unwrap();
    flock.explain(BoidId::new(0), TimeStep::new(dt).unwrap()).unwrap()
}

fn rule(part: &TermParts<[f32; 2]>) -> &RuleParts<[f32; 2]> {
    part.rule.as_ref().unwrap_or_else(|| panic!("{part:?}"))
}

/// The neighbors that a term looks at.
fn seen(part: &TermParts<[f32; 2]>) -> &[Seen<[f32; 2]>] {
    &part.sees.as_ref().unwrap_or_else(|| panic!("{part:?}")).neighbors
}

const STILL: [f32; 2] = [0.0, 0.0];

fn cone(radius: f32, degrees: f64, near_radius: f32) -> Perception {
    Perception { radius, view: FieldOfView::degrees(degrees), near_radius, nearest: None }
}

#[test]
fn two_boids_by_hand() {
    // o = (3, 4), d = 5, r = 10: f = ½. Heading +x: the angle is that of a 3-4-5 triangle, 53.13°.
    let perception = cone(10.0, 180.0, 0.0);
    let params = Params {
        rules: Rules {
            separation: Some(Separation {
                weight: 2.0,
                perception,
                falloff: Falloff::Soft,
                ..Default::default()
            }),
            alignment: Some(Alignment {
                weight: 0.5,
                perception,
                include_self: true,
                ..Default::default()
            }),
            cohesion: Some(Cohesion { weight: 3.0, perception, response: Response::Unit }),
            ..Default::default()
        },
        agent: AgentLimits { max_force: 100.0, mass: 2.0, ..Default::default() },
        ..Default::default()
    };
    let why = why(params, &[(STILL, [2.0, 0.0]), ([3.0, 4.0], [0.0, 8.0])], Domain::open(), 0.5);
    assert_eq!(
        (why.boid.velocity, why.heading, why.at_rest, why.step),
        ([2.0, 0.0], [1.0, 0.0], false, 0)
    );
    let combined = why_terms(&why);
    let terms: Vec<Term> = combined.terms.iter().map(|part| part.term).collect();
    assert_eq!(
        terms,
        [
            Term::Rule(RuleId::Separation),
            Term::Rule(RuleId::Alignment),
            Term::Rule(RuleId::Cohesion),
            Term::Walls
        ]
    );

    let separation = rule(&combined.terms[0]);
    let one = Seen {
        id: 1,
        species: None,
        offset: [3.0, 4.0],
        distance: 5.0,
        distance_sq: 25.0,
        angle: seen(&combined.terms[0])[0].angle,
        velocity: [0.0, 8.0],
        coincident: false,
        only_near: false,
        adds: Some([1.5, 2.0]),
    };
    assert_eq!(one.angle, one.angle_from(why.heading));
    let angle = one.angle.unwrap();
    assert!((angle - 53.130_1).abs() < 1e-4, "{angle}");
    assert_eq!(seen(&combined.terms[0]), [one]);
    assert_eq!(
        (separation.sum, separation.wanted.x, separation.response),
        ([1.5, 2.0], [-1.5, -2.0], [-1.5, -2.0])
    );
    assert_eq!(
        (
            separation.weight,
            combined.terms[0].weighted,
            separation.wanted.mean,
            separation.wanted.parting
        ),
        (2.0, [-3.0, -4.0], None, None)
    );

    let alignment = rule(&combined.terms[1]);
    assert_eq!(seen(&combined.terms[1])[0].adds, Some([0.0, 8.0]));
    assert_eq!(
        (alignment.sum, alignment.wanted.included, alignment.wanted.mean),
        ([0.0, 8.0], Some([2.0, 0.0]), Some([1.0, 4.0]))
    );
    assert_eq!(
        (alignment.wanted.subtracted, alignment.wanted.x, combined.terms[1].weighted),
        (Some([2.0, 0.0]), [-1.0, 4.0], [-0.5, 2.0])
    );

    let cohesion = rule(&combined.terms[2]);
    assert_eq!(seen(&combined.terms[2])[0].adds, Some([3.0, 4.0]));
    assert_eq!(
        (cohesion.sum, cohesion.wanted.mean, cohesion.wanted.subtracted),
        ([3.0, 4.0], Some([3.0, 4.0]), None)
    );
    assert!(
        cohesion.response.minus([0.6, 0.8]).norm() < 1e-6
            && combined.terms[2].weighted == cohesion.response.times(3.0)
    );

    let walls = &combined.terms[3];
    assert_eq!((walls.weighted, &walls.sees, &walls.rule), (STILL, &None, &None));
    let cohesion = combined.terms[2].weighted;
    let sum = STILL.plus([-3.0, -4.0]).plus([-0.5, 2.0]).plus(cohesion).plus(STILL);
    assert_eq!((combined.sum, combined.cut_to, why.steering), (sum, None, sum));
    let advanced = &why.advance;
    assert_eq!(advanced.acceleration, Some(sum.times(0.5)));
    assert_eq!(advanced.wanted, [2.0, 0.0].plus(sum.times(0.5).times(0.5)));
    assert_eq!(
        (advanced.limit, advanced.limited, advanced.velocity),
        (Limit::Untouched, advanced.wanted, advanced.wanted)
    );
    assert_eq!(
        (advanced.position, advanced.met_edge[0], advanced.edge),
        (advanced.wanted.times(0.5), false, None)
    );
}

#[test]
fn limits_by_hand() {
    let params = |max_force, min_speed| Params {
        rules: Cohesion { weight: 10.0, perception: cone(10.0, 360.0, 0.0), ..Default::default() }
            .into(),
        agent: AgentLimits { max_force, min_speed, ..Default::default() },
        ..Default::default()
    };
    let boids = [(STILL, STILL), ([3.0, 4.0], STILL)];
    // Cohesion wants (30, 40), 50 long.
    let cut = why(params(5.0, 0.0), &boids, Domain::open(), 1.0);
    assert_eq!(
        (why_terms(&cut).sum, why_terms(&cut).cut_to, cut.steering),
        ([30.0, 40.0], Some(5.0), [3.0, 4.0])
    );
    assert!(
        cut.at_rest
            && seen(&why_terms(&cut).terms[0])[0].angle.is_none()
            && seen(&why_terms(&cut).terms[0])[0].angle_from(cut.heading).is_none()
    );
    let fast = why(params(100.0, 0.0), &boids, Domain::open(), 1.0).advance;
    assert_eq!(
        (fast.wanted, fast.limit, fast.limited),
        ([30.0, 40.0], Limit::SlowedTo(10.0), [6.0, 8.0])
    );
    let slow = why(params(1.0, 5.0), &boids, Domain::open(), 1.0).advance;
    assert_eq!(slow.limit, Limit::SpedUpTo(5.0));
    assert!(slow.limited.minus([3.0, 4.0]).norm() < 1e-6);
    // Alone: nothing is wanted, at rest or on its way.
    let alone = why(params(5.0, 2.0), &boids[..1], Domain::open(), 1.0);
    let terms = why_terms(&alone);
    assert_eq!(
        (seen(&terms.terms[0]).len(), rule(&terms.terms[0]).wanted.mean, alone.steering),
        (0, None, STILL)
    );
    let set_off = alone.advance;
    let hash: [f32; 2] = noise::direction(9, 0, 0);
    assert_eq!((set_off.limit, set_off.velocity), (Limit::SetOffAt(2.0), hash.times(2.0)));
    // Off the right wall, across the left edge.
    let moving = [([9.5, 5.0], [1.0, 0.0])];
    let none = || Params::default();
    let met = |domain| why(none(), &moving, domain, 1.0).advance;
    let wrapped = met(Domain::periodic([0.0; 2], [10.0; 2]));
    assert_eq!(
        (wrapped.moved, wrapped.position, wrapped.met_edge, wrapped.edge),
        ([10.5, 5.0], [0.5, 5.0], vec![true, false], Some(EdgeEffect::Wraps))
    );
    let stopped = met(Domain::walled([0.0; 2], [10.0; 2], 0.0, 0.0));
    assert_eq!(
        (stopped.limited, stopped.position, stopped.velocity),
        ([1.0, 0.0], [10.0, 5.0], STILL)
    );
    assert_eq!((stopped.met_edge[0], stopped.edge), (true, Some(EdgeEffect::Stops)));
}

#[test]
fn walls_by_hand() {
    // One from the left face with a margin of 4: 8·(1 − ¼) = 6.
    let why = why(
        Params::default(),
        &[([1.0, 5.0], STILL)],
        Domain::walled([0.0; 2], [10.0; 2], 4.0, 8.0),
        1.0,
    );
    let combined = why_terms(&why);
    assert_eq!(combined.terms.len(), 1);
    assert_eq!(
        (combined.terms[0].term, combined.terms[0].weighted, combined.sum),
        (Term::Walls, [6.0, 0.0], [6.0, 0.0])
    );
    assert_eq!((combined.cut_to, why.steering), (Some(5.0), [5.0, 0.0]));
}

#[test]
fn sight_and_number_by_hand() {
    // Heading +x, 180° of sight, near radius 1: just ahead, just behind, far behind, far ahead;
    // no boid beyond 10.
    let boids = [
        (STILL, [1.0, 0.0]),
        ([0.75, 0.0], STILL),
        ([-0.5, 0.0], STILL),
        ([-5.0, 0.0], STILL),
        ([8.0, 0.0], STILL),
        ([11.0, 0.0], STILL),
    ];
    let params = |nearest| Params {
        rules: Cohesion {
            perception: Perception { nearest, ..cone(10.0, 180.0, 1.0) },
            ..Default::default()
        }
        .into(),
        ..Default::default()
    };
    let told = |nearest| {
        let why = why(params(nearest), &boids, Domain::open(), 1.0);
        let sees = why_terms(&why).terms[0].sees.clone().unwrap();
        let row = |seen: &Seen<[f32; 2]>| {
            assert_eq!(seen.angle, seen.angle_from(why.heading));
            (seen.id, seen.angle.unwrap(), seen.only_near)
        };
        (sees.neighbors.iter().map(row).collect::<Vec<_>>(), sees.out_of_sight, sees.beyond_cap)
    };
    // In slot order, which on a line is that of x.
    assert_eq!(told(None), (vec![(2, 180.0, true), (1, 0.0, false), (4, 0.0, false)], 1, 0));
    assert_eq!(told(Some(2)), (vec![(2, 180.0, true), (1, 0.0, false)], 1, 1));
    assert_eq!(told(Some(1)), (vec![(2, 180.0, true)], 1, 2));
}

#[test]
fn coincident_boids_by_hand() {
    let params = Params {
        rules: Separation { perception: cone(8.0, 360.0, 0.0), ..Default::default() }.into(),
        ..Default::default()
    };
    let why = why(
        params,
        &[(STILL, STILL), (STILL, [1.0, 0.0]), ([0.0, 4.0], STILL)],
        Domain::open(),
        1.0,
    );
    let term = &why_terms(&why).terms[0];
    let separation = rule(term);
    let told: Vec<_> =
        seen(term).iter().map(|seen| (seen.id, seen.coincident, seen.adds)).collect();
    assert_eq!(told, [(1, true, None), (2, false, Some([0.0, 0.5]))]);
    // As hard as at contact, where the hash says; d = 4 of r = 8: a push of ½.
    let push = noise::direction::<[f32; 2]>(9, 0, 0);
    assert_eq!((separation.sum, separation.wanted.parting), ([0.0, 0.5], Some(push)));
    assert_eq!(separation.wanted.x, STILL.minus([0.0, 0.5]).plus(push));
}

#[test]
fn priorities_and_directions_by_hand() {
    // Cohesion first: 5 of a budget of 6. Alignment wants 2 and gets 1, half. Walls come last and
    // get nothing.
    let all_round = cone(10.0, 360.0, 0.0);
    let params = |combine| Params {
        rules: Rules {
            alignment: Some(Alignment { perception: all_round, ..Default::default() }),
            cohesion: Some(Cohesion { perception: all_round, ..Default::default() }),
            ..Default::default()
        },
        priority: vec![Term::Rule(RuleId::Cohesion)],
        agent: AgentLimits { max_force: 6.0, ..Default::default() },
        combine,
        ..Default::default()
    };
    let boids = [(STILL, STILL), ([3.0, 4.0], [0.0, 2.0])];
    let world = Domain::walled([-1.0, -50.0], [100.0, 50.0], 2.0, 1.0);
    let budgeted = why(params(Combine::Prioritized), &boids, world, 0.5);
    let combined = why_terms(&budgeted);
    let told: Vec<_> = combined
        .terms
        .iter()
        .map(|part| (part.term, part.weighted, part.budget, part.served, part.taken))
        .collect();
    assert_eq!(
        told,
        [
            (Term::Rule(RuleId::Cohesion), [3.0, 4.0], Some(6.0), 1.0, [3.0, 4.0]),
            (Term::Rule(RuleId::Alignment), [0.0, 2.0], Some(1.0), 0.5, [0.0, 1.0]),
            (Term::Walls, [0.5, 0.0], None, 0.0, STILL),
        ]
    );
    assert_eq!(
        (combined.sum, combined.cut_to, budgeted.steering),
        ([3.0, 5.0], Some(6.0), [3.0, 5.0])
    );
    // The same terms as a direction: all of them, (3.5, 6), made a unit vector; speed 1, at once.
    let cruise = Cruise { cruise_speed: 1.0, smoothing_rate: 0.0, stop_when_alone: false };
    let directed = why(params(Combine::Direction(cruise)), &boids, world, 0.5);
    let combined = why_terms(&directed);
    assert_eq!(
        (combined.sum, combined.cut_to, directed.steering),
        ([3.5, 6.0], None, [3.5, 6.0].unit())
    );
    let advanced = &directed.advance;
    assert_eq!(
        (advanced.acceleration, advanced.limit, advanced.velocity),
        (None, Limit::Untouched, directed.steering)
    );
    let eased = why(
        params(Combine::Direction(Cruise { smoothing_rate: 2.0, ..cruise })),
        &boids,
        world,
        0.5,
    );
    let part = steer::math::approach(2.0, 0.5);
    assert_eq!(eased.advance.limit, Limit::Eased(part));
    let alone =
        why(params(Combine::Direction(cruise)), &[(STILL, [1.0, 0.0])], Domain::open(), 0.5);
    assert_eq!((alone.steering, alone.advance.limit), (STILL, Limit::Kept));
}

#[test]
fn ids_that_do_not_exist_are_refused() {
    let mut flock = Flock2::builder()
        .params(three_rules())
        .boids(&[[0.0; 2], [1.0; 2]], &[[0.0; 2]; 2])
        .build()
        .unwrap();
    let dt = TimeStep::new(0.1).unwrap();
    for id in [2, u64::MAX].map(BoidId::new) {
        assert_eq!(flock.explain(id, dt), Err(FlockError::UnknownBoid(id)));
    }
    flock.remove(&[BoidId::new(1)]).unwrap();
    assert_eq!(flock.explain(BoidId::new(1), dt), Err(FlockError::UnknownBoid(BoidId::new(1))));
    assert_eq!(flock.explain(BoidId::new(0), dt).map(|why| why.steering), Ok([0.0; 2]));
}

/// Each kind of change between steps is seen: the grid asked is that of the flock as it is.
#[test]
fn explanations_follow_live_changes() {
    let spawn = Spawn { shape: Shape::Box { min: [0.0; 2], max: [6.0; 2] }, ..Spawn::default() };
    let mut flock =
        Flock2::builder().params(three_rules()).seed(2).spawn(120, spawn).build().unwrap();
    let dt = TimeStep::new(0.05).unwrap();
    for change in 0..6 {
        let asked: Vec<BoidId> =
            flock.frame().ids().step_by(7).filter(|id| id.get() != 3).collect();
        // Sorted by this, and then changed.
        flock.explain(asked[0], dt).unwrap();
        match change {
            0 => flock.set_position(BoidId::new(0), [5.9, 0.1]).unwrap(),
            1 => flock.set_velocity(BoidId::new(1), [-1.0, 2.0]).unwrap(),
            2 => drop(flock.add([3.0, 3.0], [1.0, 1.0]).unwrap()),
            3 => flock.remove(&[BoidId::new(3)]).unwrap(),
            4 => {
                let mut params = three_rules();
                params.rules.cohesion.as_mut().unwrap().perception.radius = 2.0;
                flock.set_params(params).unwrap();
            }
            _ => flock.reseed(77),
        }
        let asked: Vec<BoidId> = flock.frame().ids().collect();
        let whys: Vec<_> = asked.iter().map(|&id| flock.explain(id, dt).unwrap()).collect();
        flock.step(dt);
        for (&id, why) in asked.iter().zip(&whys) {
            assert_eq!(told(why), done(&flock, id), "change {change}, boid {id}");
        }
    }
}
