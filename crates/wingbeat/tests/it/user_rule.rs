//! A researcher's own interaction, written outside the crate: right, at full speed, with the same
//! bits everywhere.

use crate::common::*;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use wingbeat::simd::Vectors;
use wingbeat::steer::*;
use wingbeat::steer::{Cells, TextbookFlock, Vector};
use wingbeat::*;
use wingbeat_test_support::ThreadTime;

/// A damped spring to every neighbor ahead: attraction beyond the rest length, repulsion within.
struct DampedSpring {
    stiffness: f32,
    length: f32,
    damping: f32,
    perception: Perception,
}

/// Of those a rule sees, by index and with their squared distances, the nearest that count; still
/// in slot order.
fn nearest<const D: usize>(
    flock: &TextbookFlock<[f32; D]>,
    k: Option<u32>,
    seen: &mut Vec<(usize, f32)>,
) {
    let Some(k) = k else { return };
    let rank = |&(j, d_sq): &(usize, f32)| (d_sq.to_bits(), flock.boids[j].id);
    let mut ranks: Vec<_> = seen.iter().map(rank).collect();
    ranks.sort_unstable();
    ranks.truncate(k as usize);
    seen.retain(|other| ranks.contains(&rank(other)));
}

pair_rule! {
    impl<S, D> Rule for DampedSpring {
        type Sum = (Vectors<S, D>, S::F);
        fn perception(&self) -> Perception { self.perception }
        fn term(&self, s, own, pair) {
            let stretch = (pair.distance - s.splat(self.length)) * s.splat(self.stiffness);
            let drag = (pair.velocity - own.velocity) * s.splat(self.damping);
            (pair.direction(s) * stretch + drag, s.splat(1.0))
        }
        fn force(&self, s, own, sum) { sum.0 * (s.splat(1.0) / sum.1.max(s.splat(1.0))) }
    }
}

fn spring() -> DampedSpring {
    let perception = Perception {
        radius: 1.0,
        view: FieldOfView::degrees(240.0),
        near_radius: 0.2,
        nearest: None,
    };
    DampedSpring { stiffness: 1.5, length: 0.6, damping: 0.3, perception }
}

/// The same rule as a scalar double loop.
fn scalar<const D: usize>(
    flock: &TextbookFlock<[f32; D]>,
    rule: &DampedSpring,
    i: usize,
    order: &[usize],
) -> [f32; D] {
    let own = flock.boids[i];
    let heading = steer::heading(own.velocity);
    let radius_sq = rule.perception.radius * rule.perception.radius;
    let FieldOfView::Cone { cos_half } = rule.perception.view else { panic!("a cone") };
    let offset_to = |j: usize| -> [f32; D] {
        let raw = flock.boids[j].position.minus(own.position);
        <[f32; D]>::from_fn(|a| flock.domain.image(a, raw[a]))
    };
    let coincident = |d_sq: f32| d_sq <= radius_sq * steer::COINCIDENT;
    let mut seen = Vec::new();
    for &j in order.iter().filter(|&&j| j != i) {
        let (offset, d_sq) = (offset_to(j), offset_to(j).norm_sq());
        let near = d_sq <= rule.perception.near_radius * rule.perception.near_radius;
        let at_rest = own.velocity.norm_plain() < steer::REST_SPEED;
        let ahead = offset.inner(heading) >= cos_half * d_sq.sqrt();
        if d_sq <= radius_sq && (at_rest || coincident(d_sq) || near || ahead) {
            seen.push((j, d_sq));
        }
    }
    nearest(flock, rule.perception.nearest, &mut seen);
    let (mut sum, mut n) = ([0.0; D], 0.0f32);
    for (j, d_sq) in seen {
        let d = d_sq.sqrt();
        let direction = offset_to(j).times(if coincident(d_sq) { 0.0 } else { 1.0 / d });
        let drag = flock.boids[j].velocity.minus(own.velocity).times(rule.damping);
        let term = direction.times((d - rule.length) * rule.stiffness).plus(drag);
        sum = sum.plus(term);
        n += 1.0;
    }
    if n == 0.0 { [0.0; D] } else { sum.times(1.0 / n) }
}

fn agrees<const D: usize>(seed: u64, kind: &str, state: &str) {
    let mut random = Random::new(seed);
    let domain = domain::<D>(kind, 1.0, &mut random);
    let boids = boids(state, &domain, 1.0, &mut random);
    // A built-in rule beside it: each is a pass of its own, and both are terms of one decision.
    let nearest = random.one_of(&[None, Some(3)]);
    let cohesion = Cohesion {
        perception: Perception { radius: 0.75, nearest, ..Default::default() },
        ..Default::default()
    };
    let mut params = Params {
        rules: Rules { cohesion: seed.is_multiple_of(2).then_some(cohesion), ..Default::default() },
        ..Params::default()
    };
    params.agent.max_force = 1e9;
    let textbook = TextbookFlock {
        params: params.clone(),
        domain,
        seed,
        step: 0,
        boids,
        ..Default::default()
    };
    let mut rule = spring();
    rule.perception.nearest = random.one_of(&[None, Some(1), Some(7), Some(32)]);
    let cells = Cells::new(1.0, None, &domain);
    let order = cells.slot_order(textbook.boids.iter().map(|b| (b.position, b.id)));
    for level in Level::available() {
        let boids = textbook.boids.iter().map(|b| Boid {
            id: BoidId::new(b.id),
            position: b.position,
            velocity: b.velocity,
        });
        let builder = Flock::<D>::builder()
            .params(params.clone())
            .domain(domain)
            .seed(seed)
            .level(level)
            .rule(DampedSpring { ..rule });
        let mut flock = builder.boids_with_ids(boids.collect()).build().unwrap();
        flock.sort();
        flock.steer();
        let frame = flock.frame();
        for (slot, id) in frame.ids().enumerate() {
            let i = textbook.boids.iter().position(|b| b.id == id.get()).unwrap();
            let built_in =
                textbook.terms(i, &order).iter().fold([0.0; D], |sum: [f32; D], (term, force)| {
                    if *term == Term::Walls { sum } else { sum.plus(*force) }
                });
            let walls = domain.wall_force(textbook.boids[i].position);
            let wanted =
                built_in.plus(scalar(&textbook, &rule, i, &order)).plus(walls).truncate_to(1e9);
            let found: [f32; D] = std::array::from_fn(|a| frame.steering(a)[slot]);
            assert_eq!(
                found.map(f32::to_bits),
                wanted.map(f32::to_bits),
                "seed {seed} {D}-D {kind} {state} {level} boid {id}"
            );
        }
    }
}

#[test]
fn a_rule_of_ones_own_equals_its_double_loop() {
    let mut seed = 0;
    for kind in KINDS {
        for state in STATES {
            for _ in 0..3 {
                seed += 1;
                agrees::<2>(seed, kind, state);
                agrees::<3>(seed, kind, state);
            }
        }
    }
}

/// Best time of one steering pass in many tries, alternating so that a busy machine treats both
/// alike.
fn best_times<const D: usize>(levels: [Level; 2]) -> [Duration; 2] {
    let side = if D == 2 { 36.0 } else { 12.0 };
    let spawn = Spawn { shape: Shape::Box { min: [0.0; D], max: [side; D] }, ..Spawn::default() };
    let mut flocks = levels.map(|level| {
        let builder = Flock::<D>::builder()
            .level(level)
            .threads(1)
            .seed(1)
            .spawn(8_000, spawn)
            .rule(spring());
        let mut flock = builder.build().unwrap();
        flock.sort();
        flock
    });
    let mut best = [Duration::MAX; 2];
    for _ in 0..25 {
        for (flock, best) in flocks.iter_mut().zip(&mut best) {
            let start = ThreadTime::now();
            flock.steer();
            *best = start.elapsed().min(*best);
        }
    }
    best
}

/// The trap this guards: a method without `#[inline(always)]` keeps its bits and loses AVX2 (33
/// times slower, measured).
#[test]
fn a_rule_of_ones_own_is_faster_at_avx2_than_portable() {
    if can_test(Level::Avx2) {
        faster::<2>();
        faster::<3>();
    }
}

fn faster<const D: usize>() {
    // A busy machine may spoil a measurement, but not four; lost inlining spoils them all.
    let mut ratios = Vec::new();
    for _ in 0..4 {
        let [portable, avx2] = best_times::<D>([Level::Portable, Level::Avx2]);
        ratios.push(portable.as_secs_f64() / avx2.as_secs_f64());
        println!("{D}-D: AVX2 is {ratios:.2?} times as fast as portable");
        if ratios.iter().any(|&ratio| ratio > 1.2) {
            return;
        }
    }
    panic!("{D}-D: AVX2 only {ratios:.2?} times as fast as portable");
}

/// Adds the boid's own heading for each neighbor that it sees.
struct Forward;

pair_rule! {
    impl<S, D> Rule for Forward {
        type Sum = Vectors<S, D>;
        fn perception(&self) -> Perception { Perception { radius: 2.0, ..Default::default() } }
        fn term(&self, s, own, pair) { own.heading }
        fn force(&self, s, own, sum) { sum }
    }
}

/// A boid that flies to the right and looks up at its leader still has a heading to the right.
#[test]
fn a_rule_of_ones_own_is_shown_headings_wherever_a_drive_turns_the_gaze() {
    let leader = wingbeat::drive::Leader {
        parent: Some(2),
        looks: true,
        ..wingbeat::drive::Leader::each(Vec::new())
    };
    for level in Level::available() {
        let mut flock = Flock2::builder()
            .level(level)
            .drives(vec![Drive { weight: 0.0, ..Drive::new("looks", leader.clone()) }])
            .boids(&[[0.0, 0.0], [0.5, 0.0], [0.0, 1.0]], &[[2.0, 0.0]; 3])
            .rule(Forward)
            .build()
            .unwrap();
        let slot = |flock: &Flock2, id: u64| {
            flock.frame().ids().position(|found| found.get() == id).unwrap()
        };
        flock.sort();
        flock.steer();
        for id in [0, 1] {
            let steering = [0, 1].map(|a| flock.frame().steering(a)[slot(&flock, id)]);
            assert_eq!(steering, [2.0, 0.0], "boid {id} at {level}");
        }
    }
}

#[test]
fn a_rule_of_ones_own_is_checked_when_the_flock_is_built() {
    let built =
        |perception| Flock2::builder().rule(DampedSpring { perception, ..spring() }).build();
    assert!(built(Perception::default()).is_ok());
    let refused = built(Perception { radius: -1.0, ..Perception::default() }).unwrap_err();
    assert!(refused.to_string().starts_with("rule[0].radius = -1: allowed is"), "{refused}");
    let five = Flock2::builder()
        .rule(spring())
        .rule(spring())
        .rule(spring())
        .rule(spring())
        .rule(spring())
        .build();
    assert!(five.unwrap_err().to_string().contains("at most 4"));
}

/// A rule changed as the flock flies is one that it always had from there on.
#[test]
fn a_rule_of_ones_own_can_be_changed_between_steps() {
    fn flock<R: HostRules<2>>(with: impl Fn(FlockBuilder<2>) -> FlockBuilder<2, R>) -> Flock2 {
        let spawn =
            Spawn { shape: Shape::Box { min: [0.0; 2], max: [9.0; 2] }, ..Default::default() };
        let builder = Flock2::builder().domain(Domain::periodic([0.0; 2], [9.0; 2])).seed(5);
        with(builder.spawn(400, spawn)).build().expect("a flock")
    }
    let dt = TimeStep::new(0.05).expect("a time step");
    let hash = |flock: &Flock2| observe::state_hash(&flock.frame());
    let wider = || DampedSpring {
        stiffness: 0.5,
        perception: Perception { radius: 2.0, ..spring().perception },
        ..spring()
    };
    let push = |_: &FocalBoid<2>, near: &[Neighbor<2>]| {
        near.first().map_or([0.0; 2], |other| other.direction().map(|x| -0.5 * x))
    };
    let mut changed = flock(|builder| builder.rule(Forward).rule(spring()).own_rule(1.5, push));
    let mut kept = changed.clone();
    (0..20).for_each(|_| changed.step(dt));
    let checkpoint = changed.checkpoint();
    changed.set_rule(wider()).expect("a rule of this type");
    assert_eq!(changed.rule::<DampedSpring>().map(|rule| rule.stiffness), Some(0.5));
    // A clone has what it had.
    assert_eq!(kept.rule::<DampedSpring>().map(|rule| rule.stiffness), Some(1.5));
    let mut other = flock(|builder| builder.rule(Forward).rule(wider()).own_rule(1.5, push));
    other.restore(&checkpoint).expect("as many dimensions");
    kept.restore(&checkpoint).expect("as many dimensions");
    for _ in 0..20 {
        for flock in [&mut changed, &mut other, &mut kept] {
            flock.step(dt);
        }
        assert_eq!(hash(&changed), hash(&other));
    }
    assert_ne!(hash(&changed), hash(&kept));

    let before = hash(&changed);
    let blind = Perception { radius: -1.0, ..Perception::default() };
    let refused = changed.set_rule(DampedSpring { perception: blind, ..spring() }).unwrap_err();
    assert!(refused.to_string().starts_with("rule[1].radius = -1: allowed is"), "{refused}");
    // Half the box is as far as a boid sees in it.
    let far = Perception { radius: 5.0, ..Perception::default() };
    assert!(changed.set_rule(DampedSpring { perception: far, ..spring() }).is_err());
    assert_eq!((hash(&changed), changed.rule::<DampedSpring>().unwrap().stiffness), (before, 0.5));
    let mut without = flock(|builder| builder);
    let refused = without.set_rule(spring()).unwrap_err().to_string();
    assert!(refused.contains("DampedSpring") && refused.contains("has a rule"), "{refused}");
    assert!(without.rule::<DampedSpring>().is_none() && changed.rule::<Forward>().is_some());
}

/// Closures count as rules of the host's own, and are checked like them.
#[test]
fn closures_are_checked_when_the_flock_is_built() {
    let none = |_: &FocalBoid<2>, _: &[Neighbor<2>]| [0.0; 2];
    let refused = Flock2::builder().own_rule(-1.0, none).build().unwrap_err();
    assert!(refused.to_string().starts_with("rule[0].radius = -1: allowed is"), "{refused}");
    let five =
        (0..4).fold(Flock2::builder().rule(spring()), |builder, _| builder.own_rule(1.0, none));
    assert!(five.build().unwrap_err().to_string().contains("at most 4"));
}

/// What a closure gets of each boid, beside the state before the step: of its own kind and of
/// the kind that it flocks with, through the edges, by a double loop.
#[test]
fn closures_see_boids_as_they_are() {
    let (side, radius) = (12.0, 1.5);
    let mut params = Params::default();
    let [one, two, alone] = ["one", "two", "alone"]
        .map(|name| params.add_species(Species::new(name, Rules::default())));
    params.interactions.push(Interaction::new(one, two, InteractionKind::Flock, radius));
    let sees = |own: SpeciesId, other: SpeciesId| own == other || (own, other) == (one, two);
    let species: Vec<SpeciesId> = (0..300).map(|i| [one, two, alone][i % 3]).collect();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let notes = Arc::clone(&seen);
    let (min, max) = ([0.0; 2], [side; 2]);
    let mut flock = Flock2::builder()
        .params(params)
        .domain(Domain::periodic(min, max))
        .seed(8)
        .spawn(300, Shape::Box { min, max })
        .species(species.clone())
        .own_rule(radius, move |boid: &FocalBoid<2>, near: &[Neighbor<2>]| {
            notes.lock().expect("no panic").push((*boid, near.to_vec()));
            [0.0, 0.1]
        })
        .build()
        .expect("a flock");
    let dt = TimeStep::new(0.05).expect("a time step");
    flock.step(dt);
    seen.lock().expect("no panic").clear();
    let before: Vec<_> = flock.frame().by_id().collect();
    flock.step(dt);
    let mut seen = std::mem::take(&mut *seen.lock().expect("no panic"));
    seen.sort_by_key(|(boid, _)| boid.id);
    assert_eq!(seen.len(), 300);
    for (i, own) in before.iter().enumerate() {
        let near = (0..300).filter(|&j| {
            let offset: [f32; 2] = std::array::from_fn(|a| {
                let offset = before[j].position[a] - own.position[a];
                offset - side * (offset / side).round()
            });
            j != i && sees(species[i], species[j]) && offset.norm_sq() <= radius * radius
        });
        let near: Vec<usize> = near.collect();
        let (boid, others) = &seen[i];
        let state = (boid.id, boid.position, boid.velocity, boid.species, boid.step);
        assert_eq!(state, (own.id, own.position, own.velocity, species[i], 1));
        let mut others: Vec<_> = others.iter().collect();
        others.sort_by_key(|other| other.id);
        let known =
            |other: &&Neighbor<2>| (other.id, other.position, other.velocity, other.species);
        let is = |&j: &usize| (before[j].id, before[j].position, before[j].velocity, species[j]);
        assert_eq!(
            others.iter().map(known).collect::<Vec<_>>(),
            near.iter().map(is).collect::<Vec<_>>()
        );
    }
    let lonely = seen.iter().filter(|(_, others)| others.is_empty()).count();
    assert!((1..50).contains(&lonely), "{lonely}");
}

/// What does not come from neighbors is a rule that does not look at them: uniform acceleration, by
/// Galilei's law, with a sign that turns with the step.
#[test]
fn a_closure_acts_on_boids_that_see_no_other() {
    let current = |boid: &FocalBoid<3>, near: &[Neighbor<3>]| {
        assert!(near.is_empty());
        [if boid.step < 10 { 0.5 } else { -0.5 }, 0.0, 0.0]
    };
    let mut flock = Flock3::builder()
        .boids(&[[0.0; 3], [0.5; 3], [7.0, 0.0, 0.0]], &[[0.0; 3]; 3])
        .own_rule(1e-3, current)
        .build()
        .expect("a flock");
    let dt = TimeStep::new(0.125).expect("a time step");
    let velocity = |flock: &Flock3, id| flock.boid(BoidId::new(id)).expect("a boid").velocity;
    for step in 1..=20_u16 {
        flock.step(dt);
        let speed = 0.5 * 0.125 * f32::from(step.min(20 - step));
        for id in 0..3 {
            assert_eq!(velocity(&flock, id), [speed, 0.0, 0.0], "step {step}");
        }
    }
}
