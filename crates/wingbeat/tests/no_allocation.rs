//! Once its buffers have grown, a step allocates nothing.

use wingbeat::SpeciesId;
use wingbeat::drive::*;
use wingbeat::memory::*;
use wingbeat::snapshot::*;
use wingbeat::steer::Anticipation;
use wingbeat::steer::anticipation::{Orca, SocialForce};
use wingbeat::steer::*;
use wingbeat::*;
use wingbeat_test_support::tier;

fn allocations_of_a_step<const D: usize>(
    domain: Domain<[f32; D]>,
    combine: Combine,
    of: AlignmentOf,
    storage: Storage,
) -> u64 {
    [1, 4].map(|every| allocations(domain, combine, of, storage, every)).iter().sum()
}

/// Of twenty steps of a flock that steers every `every` steps.
fn allocations<const D: usize>(
    domain: Domain<[f32; D]>,
    combine: Combine,
    of: AlignmentOf,
    storage: Storage,
    every: u32,
) -> u64 {
    let params = Params {
        rules: Rules {
            separation: Some(Separation::default()),
            alignment: Some(Alignment { of, ..Default::default() }),
            cohesion: Some(Cohesion::default()),
            ..Default::default()
        },
        combine,
        ..Default::default()
    };
    let spawn = Spawn { shape: Shape::Box { min: [0.0; D], max: [12.0; D] }, ..Spawn::default() };
    let builder = Flock::<D>::builder()
        .params(params)
        .domain(domain)
        .seed(1)
        .threads(1)
        .storage(storage)
        .steer_every(every);
    let mut flock = builder.spawn(3000, spawn).build().expect("a flock");
    let dt = TimeStep::new(0.02).expect("a time step");
    (0..50).for_each(|_| flock.step(dt));
    let counted = allocation_counter::measure(|| (0..20).for_each(|_| flock.step(dt)));
    counted.count_total
}

#[test]
fn a_step_allocates_nothing() {
    let smooth = Combine::Direction(Cruise { smoothing_rate: 2.0, ..Cruise::default() });
    for combine in [Combine::Weighted, Combine::Prioritized, smooth] {
        for of in [AlignmentOf::Velocity, AlignmentOf::Heading] {
            let periodic = Domain::periodic([0.0; 3], [12.0; 3]);
            assert_eq!(
                allocations_of_a_step(periodic, combine, of, Storage::Automatic),
                0,
                "{combine:?} {of:?}"
            );
            let walled = Domain::walled([0.0; 2], [12.0; 2], 1.0, 3.0);
            assert_eq!(
                allocations_of_a_step(walled, combine, of, Storage::Automatic),
                0,
                "{combine:?} {of:?}"
            );
        }
    }
}

/// A crowd whose cells hold hundreds, and in which a boid changes cell in every step.
#[test]
fn a_crowded_step_allocates_nothing() {
    let spawn = Spawn {
        shape: Shape::Box { min: [3.0; 2], max: [5.0; 2] },
        speed: 1.0,
        ..Spawn::default()
    };
    let params = Params {
        rules: Cohesion { weight: 0.1, ..Default::default() }.into(),
        ..Default::default()
    };
    let domain = Domain::reflecting([3.0; 2], [5.0; 2]);
    let builder = Flock2::builder().params(params).domain(domain).seed(2).threads(1);
    let mut flock = builder.spawn(3000, spawn).build().expect("a flock");
    let dt = TimeStep::new(0.02).expect("a time step");
    (0..100).for_each(|_| flock.step(dt));
    let counted = allocation_counter::measure(|| flock.step(dt));
    assert_eq!(counted.count_total, 0);
}

/// On one thread, but divided as for several: small batches make many parts of a flock, which here
/// is crowded, loses boids and follows leaders.
#[test]
fn a_divided_step_allocates_nothing() {
    for storage in [Storage::Automatic, Storage::Sparse] {
        for domain in
            [Domain::absorbing([0.0; 3], [12.0; 3]), Domain::periodic([0.0; 3], [12.0; 3])]
        {
            let spawn = Spawn {
                shape: Shape::Box { min: [0.0; 3], max: [12.0; 3] },
                speed: 1.0,
                ..Spawn::default()
            };
            let params = Params { rules: Separation::default().into(), ..Default::default() };
            let door = Goal {
                target: Some([6.0; 3]),
                arrival_radius: 1.0,
                on_arrival: OnArrival::Leave,
                ..Default::default()
            };
            let drives = vec![
                Drive::new("door", door),
                Drive::new("after", Leader::each([(1, 2), (2, 3)])),
                Drive::new("all", Leader::common(0)),
            ];
            let builder = Flock3::builder()
                .params(params)
                .domain(domain)
                .seed(1)
                .threads(1)
                .batch(7)
                .storage(storage);
            let mut flock = builder
                .drives(drives)
                .spawn(tier::either(8_000, 20_000), spawn)
                .build()
                .expect("a flock");
            flock.start_clock();
            let dt = TimeStep::new(0.02).expect("a time step");
            (0..30).for_each(|_| flock.step(dt));
            let before = flock.len();
            let counted = allocation_counter::measure(|| (0..20).for_each(|_| flock.step(dt)));
            assert!(flock.len() < before, "{before}");
            assert_eq!(counted.count_total, 0, "{storage:?} {domain:?}");
        }
    }
}

/// Bytes a boid that a flock of uniform boids with `k` neighbors holds after some steps, all
/// buffers included.
fn bytes_held<const D: usize>(k: f32) -> f64 {
    let count = 100_000;
    let params = Params {
        rules: Rules {
            separation: Some(Separation::default()),
            alignment: Some(Alignment::default()),
            cohesion: Some(Cohesion::default()),
            ..Default::default()
        },
        ..Default::default()
    };
    let radius = params.largest_radius();
    let pi = std::f32::consts::PI;
    let volume =
        if D == 2 { pi * radius * radius } else { 4.0 / 3.0 * pi * radius * radius * radius };
    // The side, found by trying: a test may not call a root that is not the same on every machine.
    let enough =
        |side: &f32| (0..D).fold(1.0, |product, _| product * side) >= volume * count as f32 / k;
    let side = (1..).map(|i| i as f32 * 0.5).find(enough).expect("a side");
    let (min, max) = ([0.0; D], [side; D]);
    let spawn = Spawn { shape: Shape::Box { min, max }, ..Spawn::default() };
    let mut held = None;
    let counted = allocation_counter::measure(|| {
        let builder = Flock::<D>::builder()
            .params(params)
            .domain(Domain::periodic(min, max))
            .seed(1)
            .threads(1);
        let mut flock = builder.spawn(count, spawn).build().expect("a flock");
        // Divided as for several threads, which takes a little more.
        flock.start_clock();
        (0..5).for_each(|_| flock.step(TimeStep::new(0.02).expect("a time step")));
        held = Some(flock);
    });
    drop(held);
    counted.bytes_current as f64 / count as f64
}

#[test]
fn a_boid_takes_at_most_a_hundred_bytes() {
    for k in [8.0, 20.0, 60.0] {
        let (flat, solid) = (bytes_held::<2>(k), bytes_held::<3>(k));
        println!("k = {k}: {flat:.1} bytes a boid in 2-D, {solid:.1} in 3-D");
        assert!(
            flat <= 100.0 && solid <= 100.0,
            "k = {k}: {flat} bytes a boid in 2-D, {solid} in 3-D"
        );
    }
}

/// What is said of a boid's bytes beforehand is enough for one that carries much: drives that it
/// remembers, a species, stamina, a body, and looking ahead.
#[test]
fn bytes_are_foreseen() {
    let count = 20_000;
    let (min, max) = ([0.0; 2], [200.0; 2]);
    let species = |name: &str| Species {
        name: name.into(),
        stamina: Some(Stamina::default()),
        ..Default::default()
    };
    let body = SolidBody { radius: 0.2, settle: true, ..Default::default() };
    let with_bodies = Params {
        body: Some(body),
        anticipation: Some(Anticipation::Orca(Orca::default())),
        ..Default::default()
    };
    let chase = Interaction {
        capture_radius: 0.01,
        ..Interaction::new(SpeciesId::new(1), SpeciesId::new(0), InteractionKind::Pursue, 1.0)
    };
    let with_species = Params {
        species: vec![species("hare"), species("fox")],
        interactions: vec![chase],
        ..with_bodies.clone()
    };
    let goal = Goal { target: Some([6.0; 2]), arrival_radius: 1.0, ..Default::default() };
    let many: Vec<_> = (0..8)
        .map(|i| Drive::new(i, WanderParameters::default()))
        .chain([Drive::new("goal", goal)])
        .collect();
    for (params, drives) in
        [(Params::default(), many.clone()), (with_bodies, Vec::new()), (with_species, many)]
    {
        let spawn = Spawn { shape: Shape::Box { min, max }, ..Spawn::default() };
        let foreseen = bytes_a_boid(&params, &drives);
        let mut held = None;
        let counted = allocation_counter::measure(|| {
            let builder = Flock2::builder()
                .params(params.clone())
                .domain(Domain::periodic(min, max))
                .seed(1)
                .threads(1);
            let mut flock = builder.drives(drives).spawn(count, spawn).build().expect("a flock");
            flock.start_clock();
            (0..5).for_each(|_| flock.step(TimeStep::new(0.02).expect("a time step")));
            held = Some(flock);
        });
        drop(held);
        let bytes = counted.bytes_current as f64 / count as f64;
        println!("{bytes:.1} bytes a boid, {foreseen} foreseen");
        // Lists of each thread's are a few thousand boids long, however many there are.
        assert!(bytes <= foreseen as f64 + 16.0, "{bytes} bytes a boid, {foreseen} foreseen");
    }
}

/// Every kind of drive, in every combination, with turns: goals are reached, waypoints taken,
/// wanders go on.
#[test]
fn a_driven_step_allocates_nothing() {
    fn allocations<const D: usize>(combine: Combine, every: u32) -> u64 {
        let (min, max) = ([0.0; D], [12.0; D]);
        let spawn = Spawn { shape: Shape::Box { min, max }, ..Spawn::default() };
        let goal = Goal { target: Some([6.0; D]), arrival_radius: 1.0, ..Default::default() };
        let road = steer::behavior::Path::looped([[1.0; D], [5.0; D]], 0.5).expect("a path");
        let field = FlowField::from_function(min, max, [3; D], |place| place).expect("a field");
        let wander = WanderParameters { interval: 0.05, ..Default::default() };
        let kinds: [DriveKind<[f32; D]>; 11] = [
            goal.into(),
            wander.into(),
            Leader { looks: true, ..Leader::each([(1, 2), (2, 3)]) }.into(),
            Leader::common(0).into(),
            Path::new(road.clone()).into(),
            Path { follow: Follow::Road, ..Path::new(road) }.into(),
            Flow::new(field).into(),
            Wind { vector: [0.1; D], drag: true }.into(),
            Speed::default().into(),
            Tether { anchor: [6.0; D], ..Default::default() }.into(),
            Noise::default().into(),
        ];
        // Of some, boids still wait while it is counted.
        let delay = |i: usize| {
            if i % 3 == 2 { Delay::LogNormal { median: 1.5, sigma: 1.0 } } else { Delay::None }
        };
        let drives = kinds
            .into_iter()
            .enumerate()
            .map(|(i, kind)| Drive::new(i, kind).delayed(delay(i)))
            .collect();
        let params = Params { rules: Separation::default().into(), combine, ..Default::default() };
        let domain = Domain::walled(min, max, 1.0, 3.0);
        let builder = Flock::<D>::builder()
            .params(params)
            .domain(domain)
            .seed(1)
            .threads(1)
            .steer_every(every)
            .drives(drives);
        let mut flock = builder.spawn(3000, spawn).build().expect("a flock");
        let dt = TimeStep::new(0.02).expect("a time step");
        (0..50).for_each(|_| flock.step(dt));
        // They gather, and a cell may come to hold more than any before; what every step allocated
        // would be in all of these.
        let counts = (0..tier::either(3, 5)).map(|_| {
            allocation_counter::measure(|| (0..10).for_each(|_| flock.step(dt))).count_total
        });
        counts.min().expect("five counts")
    }
    for combine in [Combine::Weighted, Combine::Prioritized] {
        for every in [1, 4] {
            assert_eq!(
                (allocations::<2>(combine, every), allocations::<3>(combine, every)),
                (0, 0),
                "{combine:?} {every}"
            );
        }
    }
}

/// States are kept and gone back to in the room that is there, whatever boids carry, come and go.
#[test]
fn going_back_allocates_nothing() {
    let (min, max) = ([0.0; 2], [12.0; 2]);
    let spawn = Spawn { shape: Shape::Box { min, max }, ..Spawn::default() };
    let rock = ObstacleShape::Sphere { center: [6.0; 2], radius: 1.0 };
    let motion = ObstacleMotion::Line { velocity: [0.5, 0.0], range: None };
    let rock = Obstacle { name: "rock".into(), shape: rock, motion };
    let obstacles = Obstacles { avoidance: Some(Avoidance::default()), ..vec![rock].into() };
    let drives = vec![
        Drive::new("stroll", WanderParameters::default()),
        Drive::new("all", Leader::common(0)),
    ];
    let params = Params { rules: Separation::default().into(), ..Default::default() };
    let builder = Flock2::builder()
        .params(params)
        .domain(Domain::absorbing(min, max))
        .seed(1)
        .threads(1)
        .steer_every(2);
    let mut flock =
        builder.drives(drives).obstacles(obstacles).spawn(3000, spawn).build().expect("a flock");
    let (mut history, dt) = (SnapshotRing::new(8), TimeStep::new(0.02).expect("a time step"));
    let mut play = |flock: &mut Flock2| {
        let first = flock.steps();
        for _ in 0..2 {
            for _ in 0..8 {
                history.save(flock);
                flock.step(dt);
            }
            history.load(first, flock).expect("it is kept");
        }
        (0..8).for_each(|_| flock.step(dt));
    };
    (0..4).for_each(|_| play(&mut flock));
    let before = flock.len();
    // Others leave each time, and lists of them may grow; what going back itself allocated would be
    // in all of these.
    let counts: Vec<_> =
        (0..5).map(|_| allocation_counter::measure(|| play(&mut flock)).count_total).collect();
    assert!(flock.len() < before, "no boid left");
    assert_eq!(counts.iter().min(), Some(&0), "{counts:?}");
}

/// Boids that leave take nothing with them that has to be allocated: a few dozen steps of a crowd
/// at its door.
#[test]
fn boids_leave_without_allocation() {
    let (min, max) = ([0.0; 2], [12.0; 2]);
    let spawn = Spawn { shape: Shape::Box { min, max }, ..Spawn::default() };
    let door = Goal {
        target: Some([6.0; 2]),
        arrival_radius: 1.0,
        on_arrival: OnArrival::Leave,
        ..Default::default()
    };
    let builder = Flock2::builder()
        .domain(Domain::reflecting(min, max))
        .seed(1)
        .threads(1)
        .drives(vec![Drive::new("door", door)]);
    let mut flock = builder.spawn(3000, spawn).build().expect("a flock");
    let dt = TimeStep::new(0.02).expect("a time step");
    (0..50).for_each(|_| flock.step(dt));
    let before = flock.len();
    let counted = allocation_counter::measure(|| (0..20).for_each(|_| flock.step(dt)));
    assert!(flock.len() < before, "{before}");
    assert_eq!(counted.count_total, 0);
}
/// Obstacles that move, are avoided and run into.
#[test]
fn a_step_among_obstacles_allocates_nothing() {
    let ball = |i: usize| Obstacle {
        name: i.to_string(),
        shape: ObstacleShape::Sphere {
            center: [(i % 8) as f32 + 2.0, (i / 8) as f32 + 2.0],
            radius: 0.2,
        },
        motion: ObstacleMotion::Circle { center: [6.0, 6.0], period: 20.0 },
    };
    let spawn = Spawn {
        shape: Shape::Box { min: [0.0; 2], max: [12.0; 2] },
        speed: 1.0,
        ..Spawn::default()
    };
    let params = Params { rules: Alignment::default().into(), ..Default::default() };
    for domain in [Domain::reflecting([0.0; 2], [12.0; 2]), Domain::periodic([0.0; 2], [12.0; 2])] {
        let builder = Flock2::builder().params(params.clone()).domain(domain).seed(1).threads(1);
        let builder = builder.obstacles((0..64).map(ball).collect::<Vec<_>>()).spawn(3000, spawn);
        let mut flock = builder.build().expect("a flock");
        let dt = TimeStep::new(0.02).expect("a time step");
        (0..300).for_each(|_| flock.step(dt));
        let counted = allocation_counter::measure(|| (0..20).for_each(|_| flock.step(dt)));
        assert_eq!(counted.count_total, 0, "{domain:?}");
    }
}

/// Bodies that press on to one point past obstacles, one of which moves, with a model of
/// anticipation.
#[test]
fn a_step_of_bodies_allocates_nothing() {
    let ball = |name: &str, center, motion| {
        let shape = ObstacleShape::Sphere { center, radius: 0.8 };
        Obstacle { name: name.into(), shape, motion }
    };
    for model in [
        None,
        Some(Anticipation::from(Orca { distance: 2.0, ..Default::default() })),
        Some(SocialForce::default().into()),
    ] {
        let body = SolidBody { radius: 0.1, ..Default::default() };
        let params = Params { body: Some(body), anticipation: model, ..Default::default() };
        let roller = ObstacleMotion::Circle { center: [6.0, 6.0], period: 20.0 };
        let obstacles = vec![
            ball("pillar", [4.0, 4.0], ObstacleMotion::Static),
            ball("roller", [8.0, 6.0], roller),
        ];
        let place = |i: usize| [(i % 40) as f32 * 0.3 + 0.2, (i / 40) as f32 * 0.3 + 0.2];
        let outside =
            |at: &[f32; 2]| (at[0] - 4.0) * (at[0] - 4.0) + (at[1] - 4.0) * (at[1] - 4.0) > 1.0;
        let places: Vec<[f32; 2]> = (0..1_600).map(place).filter(outside).collect();
        let goal = Goal { target: Some([6.0; 2]), ..Default::default() };
        let builder = Flock2::builder()
            .params(params)
            .domain(Domain::reflecting([0.0; 2], [12.5; 2]))
            .seed(1)
            .threads(1);
        let builder = builder.obstacles(obstacles).drives(vec![Drive::new("goal", goal)]);
        let mut flock =
            builder.boids(&places, &vec![[0.0; 2]; places.len()]).build().expect("a flock");
        let dt = TimeStep::new(0.05).expect("a time step");
        (0..tier::either(50, 100)).for_each(|_| flock.step(dt));
        // A crowd grows denser, and a boid may come to look at more than any before: what every
        // step allocated would be in all of these.
        let counts = (0..tier::either(3, 5)).map(|_| {
            allocation_counter::measure(|| (0..10).for_each(|_| flock.step(dt))).count_total
        });
        assert_eq!(counts.min(), Some(0), "{model:?}");
    }
}

/// A spring to every neighbor seen.
struct Spring;

pair_rule! {
    impl<S, D> Rule for Spring {
        type Sum = wingbeat::simd::Vectors<S, D>;
        fn perception(&self) -> Perception {
            Perception { radius: 1.0, nearest: Some(4), ..Default::default() }
        }
        fn term(&self, s, own, pair) { pair.direction(s) * (pair.distance - s.splat(0.7)) }
        fn force(&self, s, own, sum) { sum * s.splat(0.3) }
    }
}

/// Species that chase and tire, the nearest alone, a cap, turns, a model, drives, obstacles that
/// move, and a rule of the host's own.
#[test]
fn whatever_is_combined_a_step_allocates_nothing() {
    let (min, max) = ([0.0; 2], [14.0; 2]);
    let near = Perception { nearest: Some(6), ..Default::default() };
    for model in [None, Some(Model::from(wingbeat::steer::model::Vicsek1995::default()))] {
        for every in [1, 3] {
            for domain in [Domain::periodic(min, max), Domain::walled(min, max, 1.0, 3.0)] {
                let ruled = model.is_none();
                // In the short form each model in each domain, at one of the turns.
                if !tier::full() && (domain.is_periodic() == ruled) != (every == 1) {
                    continue;
                }
                let named = |name: &str| Species {
                    name: name.into(),
                    rules: Rules {
                        separation: ruled
                            .then(|| Separation { perception: near, ..Default::default() }),
                        alignment: ruled.then(Alignment::default),
                        ..Default::default()
                    },
                    stamina: Some(Stamina { capacity: 0.3, ..Default::default() }),
                    ..Default::default()
                };
                let interactions = vec![
                    Interaction::new(
                        SpeciesId::new(0),
                        SpeciesId::new(1),
                        InteractionKind::Flee,
                        2.0,
                    ),
                    Interaction::new(
                        SpeciesId::new(1),
                        SpeciesId::new(0),
                        InteractionKind::Pursue,
                        3.0,
                    ),
                    Interaction::new(
                        SpeciesId::new(2),
                        SpeciesId::new(0),
                        InteractionKind::Flock,
                        1.0,
                    ),
                ];
                let species = vec![named("hare"), named("fox"), named("sheep")];
                let params = Params {
                    species,
                    interactions,
                    model,
                    max_neighbors: Some(9),
                    ..Default::default()
                };
                let looks = Leader { looks: true, ..Leader::common(5) };
                let drives = vec![
                    Drive::new("wander", WanderParameters::default()),
                    Drive::new(
                        "goal",
                        Goal { target: Some([7.0; 2]), arrival_radius: 0.5, ..Default::default() },
                    ),
                    Drive::new("after", looks),
                ];
                let motion = ObstacleMotion::Line { velocity: [0.3, 0.1], range: None };
                let shape = ObstacleShape::Sphere { center: [7.0, 7.0], radius: 0.8 };
                let ball = Obstacle { name: "ball".into(), shape, motion };
                let obstacles =
                    Obstacles { list: vec![ball], avoidance: Some(Avoidance::default()) };
                let spawn =
                    Spawn { shape: Shape::Box { min, max }, speed: 1.0, ..Spawn::default() };
                let builder = Flock2::builder()
                    .rule(Spring)
                    .params(params)
                    .domain(domain)
                    .obstacles(obstacles)
                    .drives(drives);
                let builder = builder
                    .steer_every(every)
                    .species((0..2_500).map(|i| SpeciesId::new(i % 3)))
                    .seed(3)
                    .threads(1);
                let mut flock = builder.spawn(2_500, spawn).build().expect("a flock");
                let dt = TimeStep::new(0.02).expect("a time step");
                // Until boids have come together at the goal: a worker's list of runs grows with
                // them, once.
                (0..100).for_each(|_| flock.step(dt));
                let counted = allocation_counter::measure(|| (0..20).for_each(|_| flock.step(dt)));
                assert_eq!(counted.count_total, 0, "{model:?}, every {every}, {domain:?}");
            }
        }
    }
}

/// Questions about places, between steps that move bodies among obstacles.
#[test]
fn questions_about_places_allocate_nothing() {
    let body = SolidBody { radius: 0.1, ..SolidBody::default() };
    let params =
        Params { rules: Separation::default().into(), body: Some(body), ..Params::default() };
    let shape = ObstacleShape::Sphere { center: [14.0, 6.0], radius: 0.8 };
    let ball = Obstacle { name: "ball".into(), shape, motion: ObstacleMotion::Static };
    let (min, max) = ([0.0; 2], [12.0; 2]);
    let spawn = Spawn { shape: Shape::Lattice { min, max }, speed: 1.0, ..Spawn::default() };
    for storage in [Storage::Automatic, Storage::Sparse] {
        let builder = Flock2::builder().params(params.clone()).obstacles(vec![ball.clone()]);
        let builder = builder.domain(Domain::reflecting([0.0; 2], [15.0; 2])).storage(storage);
        let builder = builder.threads(1).seed(1).spawn(1000, spawn);
        let mut flock = builder.build().expect("a flock");
        let dt = TimeStep::new(0.02).expect("a time step");
        let (mut near, mut found) = (Vec::with_capacity(2000), [0; 2]);
        let mut ask = |flock: &mut Flock2| {
            for x in 0..14 {
                let at = [x as f32, 6.5];
                near.clear();
                near.extend(flock.within(at, 3.0));
                near.extend(flock.nearest_n_where(at, 30, |boid| boid.id.get() % 2 == 0));
                near.extend(flock.nearest(at));
                assert!(near.len() > 30, "{}", near.len());
                found[usize::from(flock.is_free(at, 0.2))] += 1;
                found[usize::from(flock.first_hit([-3.0, 6.5], at).is_some())] += 1;
            }
            flock.step(dt);
        };
        (0..100).for_each(|_| ask(&mut flock));
        // All that can be found at once, so that no list grows later.
        assert_eq!(flock.within([6.0, 6.0], 100.0).len(), 1000);
        let counted = allocation_counter::measure(|| (0..10).for_each(|_| ask(&mut flock)));
        assert_eq!(counted.count_total, 0, "{storage:?}");
        assert!(found.iter().all(|&found| found > 100), "{found:?}");
    }
}
