//! Obstacles: the fast step equals the textbook's bit for bit, none is inside, none gets
//! through, and what is no solid is refused.

use crate::common::courses::*;
use crate::common::*;
use wingbeat::steer::obstacle::Pose;
use wingbeat::steer::*;
use wingbeat::steer::{HeldForces, ObstacleSet, Vector};
use wingbeat::*;
use wingbeat_test_support::tier;

const STEPS: usize = 12;

/// Poses that the host sets before each step.
type Poses<const D: usize> = Vec<(usize, Pose<[f32; D]>)>;

/// A case, what stands in its way, and what the host does about it.
struct Trial<const D: usize> {
    case: Case<D>,
    obstacles: Obstacles<[f32; D]>,
    poses: Vec<Poses<D>>,
    every: u32,
}

fn trial<const D: usize>(seed: u64, kinds: (Option<usize>, Option<usize>)) -> Trial<D> {
    let mut random = Random::new(seed);
    let mut params = Params::default();
    if random.coin() {
        params.rules.separation = Some(Separation { weight: 2.0, ..Default::default() });
        params.rules.alignment = Some(Alignment::default());
        params.rules.cohesion = Some(Cohesion::default());
    }
    let radius = random.one_of(&[1.0, 1.0, 0.3, 60.0]);
    perceive(&mut params, radius, &mut random);
    let number = random.below(COMBINES);
    (params.combine, params.priority) = combine(number, &mut random);
    if random.coin() {
        params.priority = vec![Term::Obstacles];
    }
    let radius = if params.largest_radius() > 0.0 { params.largest_radius() } else { radius };
    let domain = domain::<D>(random.one_of(&KINDS), radius, &mut random);
    let state = random.one_of(&[
        "uniform",
        "uniform",
        "clump",
        "at_rest",
        "across_the_wrap",
        "one_point",
        "outlier",
        "fast",
    ]);
    let boids = boids(state, &domain, radius, &mut random);
    let open = domain.boundary == Boundary::Open;
    let corners = if open { ([0.0; D], [4.0 * radius; D]) } else { (domain.min, domain.max) };
    let count = 1 + random.below(12);
    let mut list = course(&mut random, corners, count, kinds);
    // No boid may start in what stands still.
    let standing = |obstacle: &Obstacle<[f32; D]>| {
        ObstacleSet::new(vec![obstacle.clone()].into(), &domain).expect("obstacles")
    };
    list.retain(|obstacle| {
        obstacle.motion.moves()
            || boids.iter().all(|b| standing(obstacle).solid_at(b.position).is_none())
    });
    let avoidance = Avoidance {
        weight: random.one_of(&[10.0, 0.5, -0.0, 1e9]),
        horizon: random.one_of(&[1.0, 0.2, 0.0, 30.0]),
        clearance: radius * random.one_of(&[0.25, 0.0, 2.0]),
    };
    let obstacles =
        Obstacles { list, avoidance: random.one_of(&[Some(avoidance), Some(avoidance), None]) };
    let hosts = |o: &(usize, &Obstacle<[f32; D]>)| o.1.motion == ObstacleMotion::Host;
    let mut poses = Vec::new();
    for _ in 0..STEPS {
        let mut some: Poses<D> = Vec::new();
        for (i, _) in obstacles.list.iter().enumerate().filter(hosts) {
            if random.coin() {
                let position = <[f32; D]>::from_fn(|_| radius * random.within(-0.5, 0.5));
                let angle = if D == 2 { random.one_of(&[0.0, 15.0, -90.0, 123.4]) } else { 0.0 };
                some.push((i, Pose { position, angle }));
            }
        }
        poses.push(some);
    }
    let name = format!("{state} {:?} of {count}", domain.boundary);
    let case = Case { seed, name, params, domain, boids, dt: random.one_of(&[0.02, 0.3, 1.0]) };
    Trial { case, obstacles, poses, every: random.one_of(&[1, 1, 3]) }
}

type Row<const D: usize> = (u64, [u32; D], [u32; D]);

/// What the textbook makes of it, and how often boids met obstacles or steered.
fn textbook_rows<const D: usize>(trial: &Trial<D>) -> (Vec<Vec<Row<D>>>, usize) {
    let mut flock = textbook(&trial.case);
    flock.obstacles =
        ObstacleSet::new(trial.obstacles.clone(), &trial.case.domain).expect("obstacles");
    let mut forces = HeldForces::new(trial.every).unwrap();
    let (mut rows, mut counted) = (Vec::new(), 0);
    for poses in &trial.poses {
        for &(i, pose) in poses {
            flock.obstacles.set_pose(ObstacleId::new(i), pose).expect("a pose");
        }
        counted += flock
            .boids
            .iter()
            .filter(|b| flock.obstacles.threat(b.position, b.velocity).is_some())
            .count();
        flock.step_holding(trial.case.dt, &mut forces);
        let mut now: Vec<Row<D>> = flock
            .boids
            .iter()
            .map(|b| (b.id, b.position.map(f32::to_bits), b.velocity.map(f32::to_bits)))
            .collect();
        now.sort_unstable();
        rows.push(now);
    }
    (rows, counted)
}

fn agrees_with_obstacles<const D: usize>(
    seed: u64,
    kinds: (Option<usize>, Option<usize>),
) -> usize {
    let trial = trial::<D>(seed, kinds);
    let (wanted, counted) = textbook_rows(&trial);
    let mut random = Random::new(seed + 1);
    for level in Level::available() {
        let storage = random.one_of(&[Storage::Automatic, Storage::Sparse]);
        let (threads, batch) = random.one_of(&[(1, 512), (1, 5), (3, 1), (3, 7)]);
        let built =
            builder(&trial.case, level, threads, storage).batch(batch).steer_every(trial.every);
        let mut flock = built
            .obstacles(trial.obstacles.clone())
            .build()
            .unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        for (step, (poses, wanted)) in trial.poses.iter().zip(&wanted).enumerate() {
            for &(i, pose) in poses {
                flock.set_obstacle_pose(ObstacleId::new(i), pose).expect("a pose");
            }
            flock.step(TimeStep::new(trial.case.dt).unwrap());
            let found = bits(flock.frame().by_slot().map(|b| (b.id.get(), b.position, b.velocity)));
            assert_eq!(
                found.len(),
                wanted.len(),
                "boids: seed {seed} {} {D}-D {level} step {step}",
                trial.case.name
            );
            for (found, wanted) in found.iter().zip(wanted) {
                let about = || {
                    format!(
                        "seed {seed} {} {D}-D {level} step {step} {kinds:?}\n{:?}",
                        trial.case.name, trial.obstacles
                    )
                };
                let floats = |row: &Row<D>| (row.1.map(f32::from_bits), row.2.map(f32::from_bits));
                assert_eq!(
                    found,
                    wanted,
                    "{:?} and {:?}: {}",
                    floats(found),
                    floats(wanted),
                    about()
                );
            }
            let finite = |b: Boid<D>| b.position.all_finite() && b.velocity.all_finite();
            assert!(flock.frame().by_slot().all(finite), "NaN or infinity: seed {seed} {level}");
        }
    }
    counted
}

#[test]
fn every_shape_and_motion_equals_the_textbook() {
    let repeats = if tier::full() { 40 } else { 1 };
    let mut steered = 0;
    for round in 0..repeats {
        for motion in 0..MOTIONS {
            for shape in 0..shapes::<2>() {
                steered += agrees_with_obstacles::<2>(
                    1000 * round + (motion * 10 + shape) as u64,
                    (Some(shape), Some(motion)),
                );
            }
            for shape in 0..shapes::<3>() {
                steered += agrees_with_obstacles::<3>(
                    1000 * round + (motion * 10 + shape) as u64 + 500,
                    (Some(shape), Some(motion)),
                );
            }
        }
    }
    assert!(steered > 1000, "hardly anything was avoided: {steered}");
}

#[test]
fn any_mixture_equals_the_textbook() {
    for seed in 0..if tier::full() { 2000 } else { 40 } {
        agrees_with_obstacles::<2>(50_000 + seed, (None, None));
        agrees_with_obstacles::<3>(60_000 + seed, (None, None));
    }
}
