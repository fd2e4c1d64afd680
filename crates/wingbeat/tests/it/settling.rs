//! Boids that settle where they arrive: lanes equal the definition bit for bit, and many that are
//! sent to one point come to rest.

use crate::common::*;
use crate::drives::arrival;
use wingbeat::drive::*;
use wingbeat::steer::anticipation::Orca;
use wingbeat::steer::*;
use wingbeat::steer::{SolidBody, TextbookBoid, TextbookFlock, Traits, Vector};
use wingbeat::*;

const RADIUS: f32 = 0.3;

/// Bodies that avoid each other by ORCA and go at most 1.4.
fn params() -> Params {
    Params {
        agent: AgentLimits { max_speed: 1.4, max_force: 30.0, ..Default::default() },
        body: Some(SolidBody { radius: RADIUS, settle: true, ..Default::default() }),
        anticipation: Some(Orca { time_horizon: 2.0, distance: 4.0, ..Default::default() }.into()),
        ..Default::default()
    }
}

fn goal<const D: usize>(target: Option<[f32; D]>) -> Goal<[f32; D]> {
    let settle = OnArrival::Settle;
    Goal {
        target,
        slowing_radius: 2.0,
        arrival_radius: 0.5,
        on_arrival: settle,
        ..Default::default()
    }
}

/// Places on a grid about a corner, as many as it takes, none nearer to another than 0.7, and every
/// third of another radius.
fn places<const D: usize>(count: usize, low: f32, random: &mut Random) -> Vec<[f32; D]> {
    let wide = if D == 2 { 7 } else { 3 };
    (0..count)
        .map(|i| {
            std::array::from_fn(|a| {
                low + 0.8 * ((i / usize::pow(wide, a as u32)) % wide) as f32
                    + random.within(0.0, 0.1)
            })
        })
        .collect()
}

fn check<const D: usize>(seed: u64, domain: Domain<[f32; D]>, own_goals: bool) {
    let mut random = Random::new(seed);
    let places = places::<D>(27, 0.4, &mut random);
    // Across the edge, where there is one.
    let target = <[f32; D]>::from_fn(|a| if domain.is_periodic() && a == 0 { 11.9 } else { 4.0 });
    let drives = vec![
        Drive {
            delay: Delay::Uniform { min: 0.0, max: 2.0 },
            ..Drive::new("go", goal(Some(target)))
        },
        Drive::new("noise", Noise { size: 0.05, interval: 0.1 }),
    ];
    let dt = 0.05;
    let mut textbook = TextbookFlock {
        params: params(),
        domain,
        seed,
        drives: drives.clone(),
        boids: (0..)
            .zip(&places)
            .map(|(id, &position)| TextbookBoid { id, position, velocity: [0.0; D] })
            .collect(),
        ..Default::default()
    };
    let still = vec![[0.0; D]; places.len()];
    let mut flocks: Vec<Flock<D>> = Level::available()
        .into_iter()
        .map(|level| {
            let builder =
                Flock::builder().params(params()).domain(domain).seed(seed).drives(drives.clone());
            builder.boids(&places, &still).level(level).threads(2).batch(8).build().unwrap()
        })
        .collect();
    let other = target.plus([-2.5; D]);
    let mut arrivals = 0;
    for step in 0..320 {
        if own_goals && step % 60 == 20 {
            // Some are sent elsewhere, among them some that have settled; and one grows slower.
            for id in (step / 60..27).step_by(4) {
                let goal = (step != 140).then_some(other);
                textbook.set_goal(id, goal);
                flocks.iter_mut().for_each(|flock| flock.set_goal(BoidId::new(id), goal).unwrap());
            }
            let slow = Traits { max_speed: Some(1.0), ..Default::default() };
            textbook.traits.insert(step / 20, slow);
            flocks
                .iter_mut()
                .for_each(|flock| flock.set_traits(BoidId::new(step / 20), slow).unwrap());
        }
        textbook.step_by(dt);
        let wanted = bits(textbook.boids.iter().map(|b| (b.id, b.position, b.velocity)));
        arrivals += textbook.arrived.len();
        for flock in &mut flocks {
            flock.step(TimeStep::new(dt).unwrap());
            let found = bits(flock.frame().by_slot().map(|b| (b.id.get(), b.position, b.velocity)));
            assert_eq!(found, wanted, "seed {seed} {D}-D step {step} {:?}", flock.level());
            let told: Vec<_> = flock
                .events()
                .iter()
                .map(arrival)
                .map(|(boid, drive)| (boid.get(), drive))
                .collect();
            assert_eq!(told, textbook.arrived, "seed {seed} {D}-D step {step} {:?}", flock.level());
        }
    }
    assert!(arrivals > 20, "{arrivals} in {D}-D");
}

#[test]
fn settling_agrees_with_its_definition() {
    for own_goals in [false, true] {
        check::<2>(1, Domain::open(), own_goals);
        check::<2>(2, Domain::periodic([0.0; 2], [12.0; 2]), own_goals);
        check::<3>(3, Domain::open(), own_goals);
        check::<3>(4, Domain::periodic([0.0; 3], [12.0; 3]), own_goals);
    }
}

/// Steps until no boid has gone faster than a thousandth of the largest speed for 100 steps, as
/// `--until settled`.
fn steps_until_settled(flock: &mut Flock2, most: usize) -> Option<usize> {
    let mut still = 0;
    (0..most).find(|_| {
        flock.step(TimeStep::new(0.05).unwrap());
        let moves = flock.frame().by_id().any(|boid| boid.velocity.norm() > 0.0014);
        still = if moves { 0 } else { still + 1 };
        still == 100
    })
}

fn crowd(seed: u64, count: usize) -> FlockBuilder<2> {
    let spawn = Spawn {
        shape: Shape::Box { min: [-20.0, -5.0], max: [-12.0, 5.0] },
        speed: 0.0,
        ..Default::default()
    };
    Flock2::builder()
        .params(params())
        .seed(seed)
        .spawn(count, spawn)
        .drives(vec![Drive::new("go", goal(Some([0.0, 0.0])))])
}

#[test]
fn sixty_that_are_sent_to_one_point_come_to_rest_about_it() {
    for seed in 1..4 {
        let mut flock = crowd(seed, 60).build().unwrap();
        let steps = steps_until_settled(&mut flock, 6000);
        let distances: Vec<f32> = flock.frame().by_id().map(|boid| boid.position.norm()).collect();
        let farthest = distances.iter().copied().fold(0.0, steer::math::max);
        let mean = distances.iter().sum::<f32>() / 60.0;
        println!("seed {seed}: settled after {steps:?}, {mean} from the goal, {farthest} at most");
        assert!(steps.is_some(), "seed {seed}: never");
        // As densely packed as discs can be they would fill a disc of radius 2.44, and be 1.63 from
        // its middle.
        assert!(
            mean < 2.0 * 1.63 && farthest < 2.0 * 2.44 + 1.0,
            "seed {seed}: {mean}, {farthest}"
        );
    }
}

#[test]
fn those_that_have_settled_leave_for_another_goal() {
    let mut flock = crowd(1, 30).build().unwrap();
    let mut told = 0;
    steps_until_settled(&mut flock, 6000).expect("they come to rest");
    let ids = flock.frame().living().to_vec();
    let goals: Vec<_> = ids.iter().map(|&id| (id, Some([10.0, 4.0]))).collect();
    flock.set_goals(&goals).unwrap();
    for _ in 0..1200 {
        flock.step(TimeStep::new(0.05).unwrap());
        told += flock.events().len();
    }
    assert_eq!(told, 30, "all arrive once more");
    let far =
        flock.frame().by_id().filter(|boid| boid.position.minus([10.0, 4.0]).norm() > 5.0).count();
    assert_eq!(far, 0);
}

#[test]
fn a_goal_to_settle_at_has_an_arrival_radius() {
    let drives = vec![Drive::new("go", Goal { arrival_radius: 0.0, ..goal(Some([0.0, 0.0])) })];
    let refused = Flock2::builder()
        .boids(&[[0.0; 2]], &[[0.0; 2]])
        .drives(drives)
        .build()
        .err()
        .unwrap()
        .to_string();
    assert_eq!(
        refused,
        "drive.go.arrival_radius = 0: allowed is above 0 where on_arrival is settle"
    );
}
