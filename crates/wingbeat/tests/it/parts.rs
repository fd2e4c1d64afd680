//! A flock in parts, in as many threads: the bits of the flock in one piece, whatever it has and
//! wherever it is cut.

use std::thread;

use super::combinations::{self, Choice, Setup, covering, setup};
use crate::common::*;
use wingbeat::steer::*;
use wingbeat::subdomain::*;
use wingbeat::*;
use wingbeat_test_support::tier;

const STEPS: usize = 12;

/// Steps in one piece after that.
const AFTER: usize = 3;

/// What there is to see of a flock after a step.
#[derive(Clone, Debug, PartialEq)]
struct Seen {
    boids: usize,
    hash: u64,
    events: Vec<Event>,
}

/// Some flocks are refused in parts.
type Trace = Result<Vec<Seen>, String>;

/// Runs a flock in one piece.
fn whole<const D: usize>(mut flock: Flock<D>, dt: TimeStep, steps: usize) -> Vec<Seen> {
    let step = |_| {
        flock.step(dt);
        Seen {
            boids: flock.len(),
            hash: observe::state_hash(&flock.frame()),
            events: flock.events().to_vec(),
        }
    };
    (0..steps).map(step).collect()
}

/// Runs a flock in parts; each is built by `build`.
fn in_parts<const D: usize>(
    build: &(impl Fn(usize) -> Flock<D> + Sync),
    dt: TimeStep,
    (parts, steps): (usize, usize),
) -> Trace {
    let one = |mut peers: ThreadTransport| -> Trace {
        let flock = build(peers.rank());
        let mut part = Subdomain::new(flock, &mut peers).map_err(|refused| refused.to_string())?;
        let step = |_| {
            part.step(dt, &mut peers).map_err(|error| error.to_string())?;
            let (boids, hash) = (part.len(), part.state_hash());
            assert_eq!(
                part.as_flock(|flock| (flock.len(), observe::state_hash(&flock.frame()))),
                (boids, hash)
            );
            Ok(Seen {
                boids,
                hash,
                events: part.events_of_all(&mut peers).map_err(|error| error.to_string())?,
            })
        };
        let mut seen = (0..steps).map(step).collect::<Result<Vec<_>, String>>()?;
        // In one piece again, it goes on.
        let rank = parts / 2;
        if let Some(flock) = part.whole(rank, &mut peers).map_err(|error| error.to_string())? {
            seen.extend(whole(flock, dt, AFTER));
        }
        Ok(seen)
    };
    let traces: Vec<Trace> = thread::scope(|scope| {
        let threads: Vec<_> = ThreadTransport::new(parts)
            .into_iter()
            .map(|peers| scope.spawn(move || one(peers)))
            .collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });
    let traces = traces.into_iter().collect::<Result<Vec<_>, _>>()?;
    let together = |step: usize| {
        let of_step = traces.iter().map(|trace| &trace[step]);
        let events = traces[0][step].events.clone();
        assert!(
            of_step.clone().all(|seen| seen.events == events),
            "parts tell of different events"
        );
        let hash = of_step.clone().fold(0, |sum: u64, seen| sum.wrapping_add(seen.hash));
        Seen { boids: of_step.map(|seen| seen.boids).sum(), hash, events }
    };
    let after = traces[parts / 2][steps..].iter().cloned();
    Ok((0..steps).map(together).chain(after).collect())
}

fn same_in_parts<const D: usize>(setup: &Setup<D>, parts: usize) -> Result<(), String> {
    let build = |_| setup.engine().expect("a flock");
    let dt = TimeStep::new(setup.case.dt).expect("a step");
    let wanted = whole(build(0), dt, STEPS + AFTER);
    let found = in_parts(&build, dt, (parts, STEPS))?;
    match wanted.iter().zip(&found).position(|(wanted, found)| wanted != found) {
        None => Ok(()),
        Some(step) => Err(format!(
            "{parts} parts differ in step {step}: {:?} instead of {:?}",
            found[step], wanted[step]
        )),
    }
}

/// Which case, and what was wrong with it.
fn verdict(seed: u64, choice: Choice, parts: usize) -> Result<(), String> {
    let told = if combinations::is_planar(&choice) {
        same_in_parts(&setup::<2>(seed, choice), parts)
    } else {
        same_in_parts(&setup::<3>(seed, choice), parts)
    };
    told.map_err(|told| {
        format!(
            "WINGBEAT_CASE={} WINGBEAT_PARTS={parts}\n  {}\n  {told}",
            combinations::written(seed, &choice),
            combinations::in_words(&choice)
        )
    })
}

#[test]
fn whatever_goes_together_is_the_same_in_parts() {
    if let Ok(case) = std::env::var("WINGBEAT_CASE") {
        let (seed, choice) = combinations::read(&case);
        let parts =
            std::env::var("WINGBEAT_PARTS").map_or(2, |parts| parts.parse().expect("a number"));
        return verdict(seed, choice, parts).unwrap_or_else(|told| panic!("{told}"));
    }
    let mut random = Random::new(77);
    let (mut failed, mut refused, mut cases) = (Vec::new(), 0, 0);
    for (seed, choice) in (500..).zip(covering(&mut random)) {
        for (n, parts) in (0..).zip([1, 2, 3, 4, 7]) {
            if !tier::full() && (seed + n) % 5 > 1 {
                continue;
            }
            cases += 1;
            match verdict(seed, choice, parts) {
                Err(told)
                    if told.contains("look at every boid")
                        || told.contains("host_memory")
                        || told.contains("on_arrival") =>
                {
                    refused += 1
                }
                Err(told) => failed.push(told),
                Ok(()) => {}
            }
        }
    }
    println!("{cases} cases, {refused} refused");
    assert!(
        failed.is_empty(),
        "{} of {cases} cases fail ({refused} refused)\n{}",
        failed.len(),
        failed.join("\n")
    );
}

fn murmuration(random: &mut Random, boids: usize) -> Vec<[f32; 2]> {
    (0..boids).map(|_| [random.within(0.0, 40.0), random.within(0.0, 40.0)]).collect()
}

/// A clump that runs through the world again and again: cuts follow it.
#[test]
fn cuts_follow_a_clump() {
    let perception = Perception { radius: 0.5, ..Default::default() };
    let alignment = Some(Alignment { perception, ..Default::default() });
    let params = Params {
        rules: Rules { alignment, ..Default::default() },
        agent: AgentLimits { max_speed: 4.0, ..Default::default() },
        ..Default::default()
    };
    let mut random = Random::new(9);
    let positions: Vec<[f32; 2]> =
        (0..3000).map(|_| [random.within(0.0, 60.0), random.within(0.0, 12.0)]).collect();
    let velocities = vec![[0.5, 4.0]; positions.len()];
    let build = |_| {
        let builder = Flock2::builder()
            .params(params.clone())
            .domain(Domain::periodic([0.0; 2], [60.0; 2]))
            .threads(1);
        builder.boids(&positions, &velocities).build().expect("a flock")
    };
    let (dt, steps) = (TimeStep::new(0.05).expect("a step"), 600);
    let last = *whole(build(0), dt, steps).last().map(|seen| &seen.hash).expect("steps");
    for parts in [2, 4] {
        let one = |mut peers: ThreadTransport| {
            let mut part = Subdomain::new(build(0), &mut peers).expect("a part");
            let (mut worst, mut sum, mut looks) = (0.0f64, 0.0, 0.0);
            for step in 0..steps {
                part.step(dt, &mut peers).expect("a step");
                if step > 100 {
                    worst = worst.max(part.evened());
                    (sum, looks) = (sum + part.imbalance(), looks + 1.0);
                }
            }
            (part.state_hash(), part.moved_cuts(), worst, sum / looks)
        };
        let found: Vec<_> = thread::scope(|scope| {
            let threads: Vec<_> = ThreadTransport::new(parts)
                .into_iter()
                .map(|peers| scope.spawn(move || one(peers)))
                .collect();
            threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
        });
        let (_, moved, worst, mean) = found[0];
        println!(
            "{parts} parts: cuts moved {moved} times, most over mean work {mean:.2} on average, \
                {worst:.2} at worst after they moved"
        );
        assert_eq!(found.iter().fold(0, |sum: u64, one| sum.wrapping_add(one.0)), last);
        assert!(moved > 5, "the clump runs through all of the world: {moved}");
        assert!(mean < 1.35 && worst < 1.2, "{mean} {worst}");
    }
}

/// A part that gets boids from a source, and gives others away in the next step, keeps the marks of
/// boids that an obstacle squeezes in their places.
#[test]
fn boids_from_sources_go_on_to_other_parts_beside_obstacles() {
    let mut random = Random::new(6);
    let positions: Vec<[f32; 2]> =
        (0..60).map(|_| [random.within(0.0, 10.0), random.within(0.0, 20.0)]).collect();
    let pillar = ObstacleShape::Sphere { center: [5.0, 27.0], radius: 1.0 };
    let pillar = Obstacle { name: "pillar".into(), shape: pillar, motion: ObstacleMotion::Static };
    let source = Source {
        name: "stream".into(),
        min: [1.0, 1.0],
        max: [9.0, 8.0],
        rate: 40.0,
        velocity: [0.0, 20.0],
        ..Source::default()
    };
    let build = |_: usize| {
        // Boids leave at once for good: in a step they go further than they see.
        let agent = AgentLimits { max_speed: 25.0, ..Default::default() };
        let perception = Perception { radius: 0.5, ..Default::default() };
        let alignment = Some(Alignment { perception, ..Default::default() });
        Flock2::builder()
            .params(Params {
                agent,
                rules: Rules { alignment, ..Default::default() },
                ..Default::default()
            })
            .domain(Domain::periodic([0.0; 2], [10.0, 30.0]))
            .obstacles(vec![pillar.clone()])
            .sources(vec![source.clone()])
            .threads(1)
            .boids(&positions, &vec![[0.0, 20.0]; positions.len()])
            .build()
            .expect("a flock")
    };
    let (dt, steps) = (TimeStep::new(0.1).expect("a step"), 40);
    let wanted = whole(build(0), dt, steps + AFTER);
    for parts in [2, 3, 5] {
        assert_eq!(in_parts(&build, dt, (parts, steps)), Ok(wanted.clone()), "{parts} parts");
    }
}

/// Boids are added and removed wherever they are, and all parts refuse what one flock refuses.
#[test]
fn parts_add_and_remove_as_one_flock() {
    let mut random = Random::new(4);
    let positions = murmuration(&mut random, 400);
    let velocities = vec![[1.0, 0.5]; positions.len()];
    let body = SolidBody { radius: 0.05, settle: true, ..Default::default() };
    for body in [None, Some(body)] {
        let params = Params { rules: Cohesion::default().into(), body, ..Default::default() };
        let build = |_: usize| {
            let builder = Flock2::builder()
                .params(params.clone())
                .domain(Domain::reflecting([0.0; 2], [40.0; 2]))
                .threads(1);
            builder.boids(&positions, &velocities).build().expect("a flock")
        };
        let dt = TimeStep::new(0.05).expect("a step");
        let mut places: Vec<[f32; 2]> = murmuration(&mut random, 12);
        // On a boid, and nowhere.
        places.extend([positions[7], [f32::NAN, 0.0], [90.0, 0.0]]);
        let gone: Vec<BoidId> = [3, 77, 401, 398].map(BoidId::new).to_vec();
        let refused: Vec<Vec<BoidId>> =
            vec![vec![BoidId::new(5), BoidId::new(5)], vec![BoidId::new(6), BoidId::new(9999)]];
        let mut flock = build(0);
        let added: Vec<Result<u64, ()>> = places
            .iter()
            .map(|&at| flock.add(at, [0.0; 2]).map(BoidId::get).map_err(drop))
            .collect();
        flock.remove(&gone).expect("they live");
        (0..10).for_each(|_| flock.step(dt));
        let (hash, boids) = (observe::state_hash(&flock.frame()), flock.len());
        let neighbors = flock.mean_neighbors();
        for parts in [1, 3, 4] {
            let one = |mut peers: ThreadTransport| {
                let mut part = Subdomain::new(build(0), &mut peers).expect("a part");
                let add = |&at: &[f32; 2]| {
                    part.add(at, [0.0; 2], &mut peers).map(BoidId::get).map_err(drop)
                };
                let ids: Vec<Result<u64, ()>> = places.iter().map(add).collect();
                assert_eq!(ids, added);
                for ids in &refused {
                    assert!(part.remove(ids, &mut peers).is_err());
                }
                part.remove(&gone, &mut peers).expect("they live");
                (0..10).for_each(|_| part.step(dt, &mut peers).expect("a step"));
                assert_eq!(part.mean_neighbors(&mut peers), Ok(neighbors));
                (part.state_hash(), part.len())
            };
            let found: Vec<_> = thread::scope(|scope| {
                let threads: Vec<_> = ThreadTransport::new(parts)
                    .into_iter()
                    .map(|peers| scope.spawn(move || one(peers)))
                    .collect();
                threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
            });
            let together = found
                .iter()
                .fold((0, 0), |(hash, boids), one| (one.0.wrapping_add(hash), boids + one.1));
            assert_eq!(together, (hash, boids), "{parts} parts");
        }
    }
}

/// Boids on every boundary there can be, and as far from them as boids see, to the last bit; and
/// one that runs through all of them. In seven parts boundaries are closer than the radius.
fn on_boundaries<const D: usize>(domain: Domain<[f32; D]>) {
    let perception = Perception { radius: 1.0, ..Default::default() };
    let params = Params {
        rules: Rules {
            alignment: Some(Alignment { perception, ..Default::default() }),
            cohesion: Some(Cohesion { perception, weight: 0.2, ..Default::default() }),
            ..Default::default()
        },
        agent: AgentLimits {
            max_speed: 12.0,
            min_speed: 0.0,
            max_force: 1.0,
            ..Default::default()
        },
        ..Default::default()
    };
    let (mut positions, mut velocities) = (Vec::new(), Vec::new());
    // Rows are 1.25 across: of the radius in open space, and of the box where it is periodic.
    for row in 0..8 {
        for (i, off) in
            [0.0, 1.0, -1.0, 0.25, 0.0f32.next_down(), 0.0f32.next_up()].into_iter().enumerate()
        {
            let along =
                wingbeat::steer::math::clamp(row as f32 * 1.25 + off, 0.0, 10.0f32.next_down());
            // The first three in one line: each on a boundary has a boid at the radius itself on
            // both sides.
            let mut at = [0.4 + 3.0 * (i / 3) as f32; D];
            at[1] = along;
            positions.push(at);
            velocities.push([0.0; D]);
            if D == 3 {
                at[1] = 0.7 + 3.0 * (i / 3) as f32;
                at[D - 1] = along;
                positions.push(at);
                velocities.push([0.0; D]);
            }
        }
    }
    let mut runner = [0.1; D];
    runner[1] = 9.0;
    positions.push([5.0; D]);
    velocities.push(runner);
    if D == 3 {
        runner.swap(1, D - 1);
        positions.push([6.0; D]);
        velocities.push(runner);
    }
    let build = |_| {
        let builder = Flock::<D>::builder().params(params.clone()).domain(domain).threads(1);
        builder.boids(&positions, &velocities).build().expect("a flock")
    };
    let dt = TimeStep::new(0.1).expect("a step");
    let wanted = whole(build(0), dt, 40 + AFTER);
    for parts in [2, 3, 4, 7, 16] {
        let found = in_parts(&build, dt, (parts, 40)).expect("parts");
        let wrong = wanted.iter().zip(&found).position(|(wanted, found)| wanted != found);
        assert_eq!(wrong, None, "{parts} parts, {D}-D, {:?}", domain.boundary);
    }
}

#[test]
fn boundaries_are_nowhere_to_be_seen() {
    on_boundaries(Domain::periodic([0.0; 2], [10.0; 2]));
    on_boundaries(Domain::periodic([0.0; 3], [10.0; 3]));
    on_boundaries(Domain::reflecting([0.0; 2], [10.0; 2]));
    on_boundaries(Domain::reflecting([0.0; 3], [10.0; 3]));
    on_boundaries(Domain::<[f32; 2]>::open());
    on_boundaries(Domain::<[f32; 3]>::open());
}

/// How far bodies look ahead depends on the largest of all. Here that leaves in the last step in
/// parts, and two others, which its size let see each other, see each other no more.
#[test]
fn the_largest_body_is_forgotten_when_it_has_left() {
    let anticipation = steer::anticipation::SocialForce { distance: 0.5, ..Default::default() };
    let params = Params {
        body: Some(SolidBody { radius: 0.1, ..SolidBody::default() }),
        anticipation: Some(anticipation.into()),
        ..Params::default()
    };
    let door = ObstacleShape::Sphere { center: [8.0, 8.0], radius: 1.0 };
    let build = |_| {
        let exit = Exit { opens: 0.25, ..Exit::new("door", door.clone()) };
        let builder = Flock2::builder()
            .params(params.clone())
            .domain(Domain::reflecting([0.0; 2], [10.0; 2]))
            .threads(1);
        let places = [[2.0, 2.0], [2.8, 2.0], [8.0, 8.0]];
        let mut flock =
            builder.exits(vec![exit]).boids(&places, &[[0.0; 2]; 3]).build().expect("a flock");
        flock
            .set_traits(BoidId::new(2), Traits { radius: Some(0.5), ..Traits::default() })
            .expect("room");
        flock
    };
    let dt = TimeStep::new(0.1).expect("a step");
    let wanted = whole(build(0), dt, 3 + AFTER);
    assert_eq!((wanted[1].boids, wanted[2].boids), (3, 2));
    for parts in [1, 2, 3] {
        assert_eq!(in_parts(&build, dt, (parts, 3)).expect("parts"), wanted, "{parts} parts");
    }
}
