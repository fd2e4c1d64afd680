//! A soak: a small world in which everything goes on at once, for as many steps as one likes. Boids
//! are born at sources and by the host, and end in exits, with hunters and by the host; they have
//! bodies, anticipate, wander and follow; obstacles move, one where the host puts it; parameters
//! change; and now and then another flock, at another level, goes on from a checkpoint. The
//! textbook goes along.
//!
//! `WINGBEAT_SOAK=10000000 cargo test -p wingbeat --test it soak:: -- --nocapture` takes about ten
//! minutes, and looks at memory.

use super::side_by_side::side_by_side;
use crate::common::*;
use wingbeat::drive::{Goal, OnArrival, Path, Tether, WanderParameters};
use wingbeat::steer::anticipation::anticipations;
use wingbeat::steer::gate::{Exits, Sources};
use wingbeat::steer::obstacle::{AtEnds, Pose, Range};
use wingbeat::steer::*;
use wingbeat::steer::{HeldForces, ObstacleSet, TextbookBoid, TextbookFlock, behavior};
use wingbeat::*;
use wingbeat_test_support::tier;

const SEED: u64 = 20_261_124;
const SIDE: f32 = 8.0;
const DT: f32 = 0.05;
/// Steps between two looks at everything; what differs once differs from then on.
const LOOK: u64 = 64;
/// The host adds and removes boids to keep to so many.
const FEW: usize = 8;
const MANY: usize = 14;

/// What the host makes of the parameters in one of many ways.
fn params(random: &mut Random) -> Params {
    let species = |name: &str, max_speed: f32, random: &mut Random| Species {
        name: name.into(),
        agent: AgentLimits { max_speed: max_speed * random.within(0.8, 1.2), ..Default::default() },
        rules: Rules {
            separation: Some(Separation { weight: random.within(0.5, 2.0), ..Default::default() }),
            alignment: random.coin().then(Alignment::default),
            cohesion: random
                .coin()
                .then(|| Cohesion { weight: random.within(0.0, 1.0), ..Default::default() }),
            ..Default::default()
        },
        stamina: Some(Stamina { capacity: random.within(1.0, 4.0), drain: 2.0, recover: 1.0 }),
        ..Default::default()
    };
    let [hares, foxes, sheep] = [("hares", 1.5), ("foxes", 1.8), ("sheep", 1.0)]
        .map(|(name, speed)| species(name, speed, random));
    let pursue = Interaction {
        capture_radius: 0.3,
        ..Interaction::new(SpeciesId::new(1), SpeciesId::new(0), InteractionKind::Pursue, 2.5)
    };
    let mut params = Params {
        species: vec![hares, foxes, sheep],
        interactions: vec![
            pursue,
            Interaction::new(SpeciesId::new(0), SpeciesId::new(1), InteractionKind::Evade, 1.5),
            Interaction::new(SpeciesId::new(2), SpeciesId::new(1), InteractionKind::Flee, 1.0),
        ],
        body: Some(SolidBody { radius: random.one_of(&[0.08, 0.1, 0.12]), ..Default::default() }),
        max_neighbors: random.coin().then_some(7),
        ..Default::default()
    };
    params.species[2].body.radius = Some(0.15);
    let mut ahead = anticipations().next().expect("a model");
    ahead.set("distance", random.one_of(&[1.0, 1.5]));
    params.anticipation = Some(ahead);
    params
}

fn obstacles() -> Obstacles<[f32; 2]> {
    let ball = |center: [f32; 2], radius: f32| ObstacleShape::Sphere { center, radius };
    let one = |name: &str, shape, motion| Obstacle { name: name.into(), shape, motion };
    let beam = ObstacleShape::Box { min: [5.5, 5.9], max: [7.5, 6.1], angle: 0.0 };
    let range = Range { min: [2.0, 1.5], max: [6.0, 1.5], ends: AtEnds::TurnBack };
    vec![
        one("pillar", ball([2.0, 4.0], 0.5), ObstacleMotion::Static),
        one(
            "cart",
            ball([4.0, 1.5], 0.3),
            ObstacleMotion::Line { velocity: [0.3, 0.0], range: Some(range) },
        ),
        one(
            "wheel",
            ball([4.0, 5.0], 0.25),
            ObstacleMotion::Circle { center: [4.0, 4.2], period: 11.0 },
        ),
        one("beam", beam, ObstacleMotion::Host),
    ]
    .into()
}

fn drives() -> Vec<Drive<[f32; 2]>> {
    let of = |name: &str, species: usize, kind: DriveKind<[f32; 2]>| Drive {
        species: Some(SpeciesId::new(species)),
        ..Drive::new(name, kind)
    };
    let round = behavior::Path::looped(vec![[1.0, 1.0], [7.0, 1.0], [7.0, 7.0], [1.0, 7.0]], 0.4)
        .expect("a path");
    let home = Goal {
        target: None,
        arrival_radius: 0.3,
        on_arrival: OnArrival::Leave,
        ..Default::default()
    };
    vec![
        of("stroll", 0, WanderParameters { interval: 0.3, ..Default::default() }.into()),
        of("rounds", 2, Path::new(round).into()),
        Drive { weight: 2.0, ..Drive::new("home", home) },
        of("den", 1, Tether { anchor: [6.0, 2.5], radius: 3.0, strength: 1.0 }.into()),
    ]
}

fn exits() -> Vec<Exit<[f32; 2]>> {
    let hole = |name: &str, center: [f32; 2], radius: f32| {
        Exit::new(name, ObstacleShape::Sphere { center, radius })
    };
    let gap = Exit { every: 0.5, ..hole("turnstile", [7.6, 7.6], 0.5) };
    vec![gap, Exit { species: Some(SpeciesId::new(0)), ..hole("burrow", [0.5, 6.0], 0.3) }]
}

fn sources() -> Vec<Source<[f32; 2]>> {
    let source = |name: &str, at: [f32; 2], rate: f32, species: usize| Source {
        name: name.into(),
        min: at,
        max: at.map(|x| x + 0.8),
        rate,
        species: SpeciesId::new(species),
        velocity: [0.5, 0.25],
        ..Source::default()
    };
    vec![
        source("field", [0.2; 2], 0.06, 0),
        source("pen", [6.8, 0.2], 0.03, 2),
        source("wood", [0.2, 7.0], 0.015, 1),
    ]
}

struct World {
    flock: Flock2,
    /// Goes on from checkpoints in turns with the other.
    other: Flock2,
    book: TextbookFlock<[f32; 2]>,
    forces: HeldForces<[f32; 2]>,
    random: Random,
    /// Born and gone, parameters changed, resumed elsewhere, things the host did.
    counts: [u64; 5],
}

impl World {
    fn new() -> Self {
        let mut random = Random::new(SEED);
        let (params, domain) = (params(&mut random), Domain::reflecting([0.0; 2], [SIDE; 2]));
        let boids: Vec<TextbookBoid<[f32; 2]>> = (0..)
            .zip([
                [1.0, 2.5],
                [3.0, 2.5],
                [5.0, 3.0],
                [1.0, 5.5],
                [3.0, 6.5],
                [6.0, 4.5],
                [7.2, 3.0],
                [2.2, 7.2],
            ])
            .map(|(id, position)| TextbookBoid { id, position, velocity: [0.5, 0.1] })
            .collect();
        let case = Case { seed: SEED, name: "soak".into(), params, domain, boids, dt: DT };
        let build = |level| {
            let builder = builder(&case, level, 1, Storage::Automatic)
                .drives(drives())
                .obstacles(obstacles())
                .steer_every(2);
            builder
                .exits(exits())
                .sources(sources())
                .species([0, 0, 0, 0, 1, 2, 2, 1].map(SpeciesId::new))
                .build()
                .expect("a world")
        };
        let levels = Level::available();
        let species = |(id, species): (u64, usize)| {
            (id, Traits { species: SpeciesId::new(species), ..Traits::default() })
        };
        let book = TextbookFlock {
            drives: drives(),
            obstacles: ObstacleSet::new(obstacles(), &case.domain).expect("obstacles"),
            traits: (0..).zip([0, 0, 0, 0, 1, 2, 2, 1]).map(species).collect(),
            exits: Exits::new(exits(), &case.params, &case.domain).expect("exits"),
            sources: Sources::new(sources(), &case.params, &case.domain, None).expect("sources"),
            ..textbook(&case)
        };
        book.check().expect("a world");
        let (flock, other) = (build(levels[0]), build(*levels.last().expect("a level")));
        Self {
            flock,
            other,
            book,
            forces: HeldForces::new(2).expect("turns"),
            random,
            counts: [0; 5],
        }
    }

    /// What a host does between two steps: seldom anything, and the same to the flock and to the
    /// textbook.
    fn host(&mut self) {
        if self.random.below(40) > 0 {
            return;
        }
        let living = self.flock.frame().living();
        let some = living.get(self.random.below(living.len().max(1))).copied();
        let place = [self.random.within(0.3, SIDE - 0.3), self.random.within(0.3, SIDE - 0.3)];
        self.counts[4] += 1;
        match (self.random.below(7), some) {
            (0, _) => {
                let params = params(&mut self.random);
                self.flock.set_params(params.clone()).expect("parameters");
                self.book.set_params(params);
                self.counts[2] += 1;
            }
            (1, Some(id)) => {
                let velocity = [self.random.within(-1.0, 1.0), self.random.within(-1.0, 1.0)];
                self.flock.set_velocity(id, velocity).expect("a velocity");
                self.book
                    .boids
                    .iter_mut()
                    .filter(|boid| boid.id == id.get())
                    .for_each(|boid| boid.velocity = velocity);
            }
            (2, Some(id)) => {
                let goal = self.random.coin().then_some(place);
                self.flock.set_goal(id, goal).expect("a goal");
                self.book.set_goal(id.get(), goal);
            }
            (3, _) if living.len() < FEW => {
                // Where a boid is in the way, no boid is born.
                if let Ok(id) = self.flock.add(place, [0.0; 2]) {
                    self.book.boids.push(TextbookBoid {
                        id: id.get(),
                        position: place,
                        velocity: [0.0; 2],
                    });
                    self.book.next_id = id.get() + 1;
                    self.counts[0] += 1;
                }
            }
            (4, Some(id)) if living.len() > MANY => {
                self.flock.remove(&[id]).expect("a boid");
                self.book.boids.retain(|boid| boid.id != id.get());
                self.counts[1] += 1;
            }
            (5, _) => {
                let pose = Pose {
                    position: [self.random.within(-0.5, 0.2), self.random.within(-0.5, 0.2)],
                    angle: self.random.within(-90.0, 90.0),
                };
                self.flock.set_obstacle_pose(ObstacleId::new(3), pose).expect("a pose");
                self.book.obstacles.set_pose(ObstacleId::new(3), pose).expect("a pose");
            }
            (6, _) => {
                self.other.restore(&self.flock.checkpoint()).expect("a checkpoint");
                std::mem::swap(&mut self.flock, &mut self.other);
                self.counts[3] += 1;
            }
            _ => {}
        }
    }

    fn step(&mut self) {
        self.host();
        let before = self.book.boids.len();
        self.book.step_holding(DT, &mut self.forces);
        self.flock.step(TimeStep::new(DT).expect("a step"));
        let entered = self.book.entered.len();
        self.counts[0] += entered as u64;
        self.counts[1] += (before + entered - self.book.boids.len()) as u64;
    }

    fn look(&mut self) {
        if let Err((told, _)) = side_by_side(&self.flock, &self.book, &self.forces) {
            panic!("seed {SEED}, step {}: {told}", self.book.step);
        }
        // The textbook keeps what is said of those that have gone.
        let living: std::collections::BTreeSet<u64> =
            self.book.boids.iter().map(|boid| boid.id).collect();
        self.book.traits.retain(|id, _| living.contains(id));
        self.book.goals.retain(|id, _| living.contains(id));
        self.book.blocked.retain(|id, _| living.contains(id));
        self.book.memories.retain(|(id, _), _| living.contains(id));
    }
}

/// Memory of this process, KiB; 0 where the system does not tell.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or("0");
    line.trim().trim_end_matches("kB").trim().parse().unwrap_or(0)
}

#[test]
fn a_small_world_goes_on_for_as_long_as_one_likes() {
    let asked = std::env::var("WINGBEAT_SOAK")
        .ok()
        .map(|steps| steps.parse::<u64>().expect("WINGBEAT_SOAK: a number of steps"));
    let full = tier::full();
    let steps = asked.unwrap_or(if full { 200_000 } else { 4_000 });
    let mut world = World::new();
    let mut told = Vec::new();
    for step in 1..=steps {
        world.step();
        if step % LOOK == 0 || step == steps {
            world.look();
        }
        // After a tenth, in the middle, at the end: buffers have grown by then.
        if step == steps / 10 || step == steps / 2 || step == steps {
            told.push(resident());
            println!("step {step}: {} boids, {} KiB", world.flock.len(), resident());
        }
    }
    let [born, gone, params, elsewhere, _] = world.counts;
    println!(
        "{born} born, {gone} gone, {params} changes of parameters, resumed elsewhere \
        {elsewhere} times"
    );
    assert!(
        world.counts.iter().all(|&count| count > steps / 10_000),
        "too little happens: {:?}",
        world.counts
    );
    assert!((FEW / 2..3 * MANY).contains(&world.flock.len()), "{} boids", world.flock.len());
    if let (Some(_), [start, .., end]) = (asked, &told[..]) {
        assert!(end - start.min(end) < 1024, "memory grows: {told:?} KiB");
    }
}
