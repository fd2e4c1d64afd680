//! Checkpoints and saved states: what is refused, what is told, and going back again and again.
//! That whatever goes together goes on in the same bits is the business of combinations.rs, which
//! does both between its steps.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::common::*;
use wingbeat::drive;
use wingbeat::snapshot::*;
use wingbeat::steer::obstacle::Pose;
use wingbeat::steer::*;
use wingbeat::*;
use wingbeat_test_support::tier;

fn dt() -> TimeStep {
    TimeStep::new(0.05).unwrap()
}

fn builder() -> FlockBuilder<2> {
    let params = Params {
        rules: Rules {
            separation: Some(Separation::default()),
            alignment: Some(Alignment::default()),
            cohesion: Some(Cohesion::default()),
            ..Default::default()
        },
        ..Default::default()
    };
    let spawn = Spawn { shape: Shape::Box { min: [0.0; 2], max: [12.0; 2] }, ..Spawn::default() };
    let wander = drive::WanderParameters { interval: 0.1, ..Default::default() };
    let drives = vec![Drive::new("stroll", wander)];
    let domain = Domain::periodic([0.0; 2], [12.0; 2]);
    Flock2::builder()
        .params(params)
        .domain(domain)
        .seed(3)
        .drives(drives)
        .steer_every(3)
        .threads(1)
        .spawn(150, spawn)
}

fn hash(flock: &Flock2) -> u64 {
    let mut saved = Snapshot::default();
    flock.save(&mut saved);
    saved.hash()
}

/// What a player does in one step: a boid turns, leaves or comes, or the seed is another.
type Input = (usize, [f32; 2]);

fn play(flock: &mut Flock2, (what, way): Input) {
    let living = flock.frame().living();
    let (id, count) = (living[what % living.len()], living.len());
    match what % 7 {
        0 if count > 40 => flock.remove(&[id]).unwrap(),
        1 if count < 60 => drop(flock.add([6.0 + way[0], 6.0 + way[1]], way).unwrap()),
        2 => flock.reseed(what as u64),
        3 => flock
            .set_params(Params {
                agent: AgentLimits { max_speed: 1.0 + way[0].abs(), ..Default::default() },
                ..flock.params().clone()
            })
            .unwrap(),
        _ => flock.set_velocity(id, way).unwrap(),
    }
    flock.step(dt());
}

/// Two peers of a game: one hears of every input at once, the other some steps late; it plays on
/// without, goes back, and plays again. By the hash of each step both have the same states.
#[test]
fn going_back_equals_never_having_stepped_on() {
    const LATEST: usize = 8;
    let rounds = if tier::full() { 100_000 } else { 1_000 };
    let seed = 20_261_123;
    let mut random = Random::new(seed);
    let (mut prompt, mut late) = (builder().build().unwrap(), builder().build().unwrap());
    let mut history = SnapshotRing::new(LATEST);
    for round in 0..rounds {
        let from = prompt.steps();
        let inputs: Vec<Input> = (0..1 + random.below(LATEST))
            .map(|_| (random.below(1 << 20), [random.within(-1.0, 1.0), random.within(-1.0, 1.0)]))
            .collect();
        let mut hashes = Vec::new();
        for &input in &inputs {
            hashes.push(hash(&prompt));
            play(&mut prompt, input);
            history.save(&late);
            late.step(dt());
        }
        history
            .load(from, &mut late)
            .unwrap_or_else(|refusal| panic!("seed {seed}, round {round}: {refusal}"));
        for (&input, hash) in inputs.iter().zip(hashes) {
            history.save(&late);
            let step = late.steps();
            assert_eq!(
                history.hash(step).unwrap(),
                hash,
                "seed {seed}, round {round}: step {step}"
            );
            play(&mut late, input);
        }
        assert_eq!(
            observe::state_hash(&late.frame()),
            observe::state_hash(&prompt.frame()),
            "seed {seed}, round {round}"
        );
    }
    assert_eq!((hash(&late), late.checkpoint()), (hash(&prompt), prompt.checkpoint()));
}

/// Each thing that a later step depends on is in the hash.
#[test]
fn whatever_differs_shows_in_the_hash() {
    let mut flock = builder().build().unwrap();
    flock.step(dt());
    let id = flock.frame().living()[7];
    let usual = hash(&flock);
    type Change = fn(&mut Flock2, BoidId);
    let changes: [(&str, Change); 6] = [
        ("a velocity", |flock, id| flock.set_velocity(id, [0.25, 0.5]).unwrap()),
        ("a position", |flock, id| flock.set_position(id, [0.25, 0.5]).unwrap()),
        ("the seed", |flock, _| flock.reseed(4)),
        ("a goal", |flock, id| flock.set_goal(id, Some([1.0, 1.0])).unwrap()),
        ("a limit of its own", |flock, id| {
            flock.set_traits(id, Traits { mass: Some(2.0), ..Traits::default() }).unwrap()
        }),
        ("what it remembers of a drive", |flock, _| {
            let mut memory = flock.checkpoint().state;
            memory.columns.iter_mut().find(|column| column.name == "drive").unwrap().bits[7] ^= 1;
            crate::restore(flock, &memory).unwrap();
        }),
    ];
    for (what, change) in changes {
        let mut other = flock.clone();
        assert_eq!(hash(&other), usual);
        change(&mut other, id);
        assert_ne!(hash(&other), usual, "{what}");
    }
}

/// A flock whose boids have all that boids can have beside positions and velocities.
fn flock_with_every_column() -> Flock2 {
    let named = |name: &str| Species {
        name: name.into(),
        stamina: Some(Stamina::default()),
        ..Default::default()
    };
    let params = Params {
        species: vec![named("hare"), named("fox")],
        interactions: vec![Interaction::new(
            SpeciesId::new(1),
            SpeciesId::new(0),
            InteractionKind::Pursue,
            2.0,
        )],
        body: Some(SolidBody { radius: 0.1, ..Default::default() }),
        anticipation: Some(steer::anticipation::PowerLaw::default().into()),
        ..Default::default()
    };
    let goal = drive::Goal { target: Some([1.0; 2]), arrival_radius: 0.5, ..Default::default() };
    let drives =
        vec![Drive::new("stroll", drive::WanderParameters::default()), Drive::new("goal", goal)];
    let places: Vec<_> = (0..5u8).map(|i| [f32::from(i), 0.5]).collect();
    let mut flock = Flock2::builder()
        .params(params)
        .drives(drives)
        .steer_every(3)
        .threads(1)
        .boids(&places, &[[0.25, -0.5]; 5])
        .species([0, 1, 0, 1, 0].map(SpeciesId::new))
        .build()
        .unwrap();
    let [first, second] = [0, 1].map(BoidId::new);
    let own = Traits {
        max_speed: Some(1.5),
        mass: Some(2.0),
        radius: Some(0.125),
        ..flock.traits(second).unwrap()
    };
    flock.set_traits(second, own).unwrap();
    flock.set_goal(first, Some([3.0, 4.0])).unwrap();
    flock
}

/// The order of columns in the hash and in checkpoints: values that no step computed, each another.
#[test]
fn every_column_has_its_place_in_the_hash_and_in_checkpoints() {
    let mut flock = flock_with_every_column();
    let mut memory = flock.checkpoint().state;
    let names: Vec<_> = memory.columns.iter().map(|column| column.name.as_str()).collect();
    assert_eq!(
        names.join(" "),
        "species resting busy blocked phase spent max_speed mass radius goal goal drive drive \
         held held"
    );
    for (place, column) in (0u8..).zip(&mut memory.columns) {
        let values = (1u8..).map(|i| f32::from(i) / 8.0 + f32::from(place) / 64.0);
        for (i, (bits, value)) in column.bits.iter_mut().zip(values).enumerate() {
            match column.name.as_str() {
                "resting" | "busy" => *bits = u32::from(i % 2 == usize::from(place % 2)),
                "blocked" | "spent" | "drive" | "held" => *bits = value.to_bits(),
                _ => {}
            }
        }
    }
    crate::restore(&mut flock, &memory).unwrap();
    assert_eq!(flock.checkpoint().state, memory);
    assert_eq!(hash(&flock), 0xd53e_f5e5_0990_3134);
    for _ in 0..4 {
        flock.step(dt());
    }
    assert_eq!(hash(&flock), 0x5cc2_ae25_5ed6_524f);
}

/// What a host remembers.
struct Tide(AtomicU32);

impl HostState for Tide {
    fn save(&self, to: &mut Vec<u8>) {
        to.extend(self.0.load(Ordering::Relaxed).to_le_bytes());
    }
    fn load(&self, from: &[u8]) -> Result<(), String> {
        let bytes = from.try_into().map_err(|_| "four bytes".to_string())?;
        self.0.store(u32::from_le_bytes(bytes), Ordering::Relaxed);
        Ok(())
    }
}

fn with_door(tide: &Arc<Tide>) -> Flock2 {
    let shape = ObstacleShape::Box { min: [2.0, 5.9], max: [6.0, 6.1], angle: 0.0 };
    let door = Obstacle { name: "door".into(), shape, motion: ObstacleMotion::Host };
    let obstacles = Obstacles { avoidance: Some(Avoidance::default()), ..vec![door].into() };
    builder().obstacles(obstacles).host_memory(tide.clone()).build().unwrap()
}

fn turn(flock: &mut Flock2, angle: f32) {
    let door = flock.obstacle_named("door").unwrap();
    flock.set_obstacle_pose(door, Pose { position: [0.5, 0.0], angle }).unwrap();
}

/// Peers that moved a door differently, or remember something else, differ at once, and not only
/// when a boid meets the door.
#[test]
fn what_the_host_moves_and_remembers_shows_in_the_hash() {
    let tide = Arc::new(Tide(1.into()));
    let (mut flock, mut other) = (with_door(&tide), with_door(&tide));
    assert_eq!(hash(&flock), hash(&other));
    turn(&mut flock, 20.0);
    turn(&mut other, 21.0);
    assert_ne!(hash(&flock), hash(&other), "the pose to come");
    turn(&mut flock, 21.0);
    assert_eq!(hash(&flock), hash(&other));
    let before = hash(&flock);
    tide.0.store(2, Ordering::Relaxed);
    assert_ne!(hash(&flock), before, "what the host remembers");
}

/// A door that the host turns: where it is and where it goes next is remembered too, and what the
/// host itself remembers.
#[test]
fn what_the_host_moves_and_remembers_goes_along() {
    let tide = Arc::new(Tide(1.into()));
    let build = || with_door(&tide);
    let (mut flock, mut saved) = (build(), Snapshot::default());
    turn(&mut flock, 20.0);
    flock.step(dt());
    // Told, and not gone there yet.
    turn(&mut flock, 35.0);
    let checkpoint = flock.checkpoint();
    flock.save(&mut saved);
    let goes_on = |mut flock: Flock2, tide: u32| {
        assert_eq!(flock.checkpoint().state.host, tide.to_le_bytes());
        let mut all = Vec::new();
        for _ in 0..4 {
            flock.step(dt());
            all.push((
                hash(&flock),
                flock.obstacles().map(|course| {
                    (course.pose(ObstacleId::new(0)), course.distance(0, [4.0, 4.0]))
                }),
            ));
        }
        all
    };
    let straight = goes_on(flock.clone(), 1);
    let mut elsewhere = build();
    tide.0.store(5, Ordering::Relaxed);
    elsewhere.restore(&checkpoint).unwrap();
    assert_eq!(goes_on(elsewhere, 1), straight);
    tide.0.store(5, Ordering::Relaxed);
    (0..3).for_each(|_| flock.step(dt()));
    flock.load(&saved).unwrap();
    assert_eq!(goes_on(flock, 1), straight);
}

/// Nothing is changed by what is refused.
#[test]
fn what_is_no_checkpoint_of_this_flock_is_refused() {
    let mut flock = builder().build().unwrap();
    flock.step(dt());
    let (good, usual) = (flock.checkpoint(), hash(&flock));
    type Change = fn(&mut Checkpoint<2>);
    let cases: [(Change, &str); 7] = [
        (|c| c.boids[3].velocity[0] = f32::NAN, "boid 3: velocity"),
        (|c| c.boids[3].id = BoidId::new(2), "id 2 is given twice"),
        (|c| c.state.columns.clear(), "memory = nothing: allowed is a column"),
        (|c| c.state.time = -1.0, "time = -1"),
        (|c| c.state.host = vec![1], "host memory = 1 bytes: allowed is none"),
        (|c| c.settings.steer_every = 0, "steer_every = 0"),
        (|c| c.settings.params.agent.max_speed = -1.0, "agent.max_speed = -1"),
    ];
    for (change, refusal) in cases {
        let mut bad = good.clone();
        change(&mut bad);
        let said = flock.restore(&bad).expect_err(refusal).to_string();
        assert!(said.contains(refusal), "{said}, not {refusal}");
        assert_eq!(hash(&flock), usual, "{refusal}: something was changed");
    }
    let said = flock.load(&Snapshot::default()).unwrap_err().to_string();
    assert_eq!(said, "saved = nothing: allowed is a state that a flock was saved to");
    assert_eq!(hash(&flock), usual);
}

/// A rule and a drive of the host's own that panic after so many calls.
struct Fragile(Arc<AtomicU32>);

impl Fragile {
    fn wear(&self) {
        let left = self.0.load(Ordering::Relaxed);
        if left == 0 {
            // As a panic, but nothing is printed.
            std::panic::resume_unwind(Box::new("it was told to"));
        }
        self.0.store(left - 1, Ordering::Relaxed);
    }
}

pair_rule! {
    impl<S, D> Rule for Fragile {
        type Sum = (simd::Vectors<S, D>, S::F);
        fn perception(&self) -> Perception { Perception::default() }
        fn term(&self, s, own, pair) { (pair.direction(s), s.splat(1.0)) }
        fn force(&self, s, own, sum) {
            self.wear();
            sum.0
        }
    }
}

own_drive! {
    impl<S, D> OwnDrive for Fragile {
        fn force(&self, s, own, now) {
            self.wear();
            own.velocity
        }
    }
}

/// Whatever of a host's own panics, in whichever batch and on whichever thread: the flock is as it
/// was before that step, and goes on.
#[test]
fn a_panic_of_the_hosts_own_leaves_the_flock_as_it_was() {
    let chase = Interaction {
        capture_radius: 0.1,
        ..Interaction::new(SpeciesId::new(1), SpeciesId::new(0), InteractionKind::Pursue, 2.0)
    };
    let named = |name: &str| Species {
        name: name.into(),
        stamina: Some(Stamina::default()),
        ..Default::default()
    };
    let params = Params {
        species: vec![named("hare"), named("fox")],
        interactions: vec![chase],
        ..Default::default()
    };
    let species: Vec<usize> = (0..600).map(|i| usize::from(i % 10 == 0)).collect();
    let spawn = Spawn { shape: Shape::Box { min: [0.0; 2], max: [12.0; 2] }, ..Spawn::default() };
    for threads in [1, 4] {
        for is_drive in [false, true] {
            let (patience, never) =
                (Arc::new(AtomicU32::new(u32::MAX)), Arc::new(AtomicU32::new(u32::MAX)));
            let build = |patience: &Arc<AtomicU32>| {
                let builder = Flock2::builder()
                    .params(params.clone())
                    .domain(Domain::periodic([0.0; 2], [12.0; 2]))
                    .seed(3);
                let builder = builder
                    .steer_every(2)
                    .threads(threads)
                    .batch(16)
                    .spawn(600, spawn)
                    .species(species.iter().copied().map(SpeciesId::new));
                let fragile = Fragile(patience.clone());
                if is_drive {
                    builder.own_drive("fragile", fragile).build()
                } else {
                    builder.rule(fragile).build()
                }
                .unwrap()
            };
            let (mut flock, mut other) = (build(&patience), build(&never));
            for step in 0..12u32 {
                let state = |flock: &Flock2| (observe::state_hash(&flock.frame()), flock.steps());
                let before = state(&flock);
                // At the first call, or in the midst of them.
                patience.store(step % 3 * 7, Ordering::Relaxed);
                let panicked =
                    std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| flock.step(dt())))
                        .is_err();
                assert!(
                    panicked,
                    "step {step}, {threads} threads: nothing of the host's own was called"
                );
                assert_eq!(state(&flock), before, "step {step}, {threads} threads");
                patience.store(u32::MAX, Ordering::Relaxed);
                flock.step(dt());
                other.step(dt());
                assert_eq!(hash(&flock), hash(&other), "step {step}, {threads} threads");
                assert_eq!(flock.events(), other.events());
            }
        }
    }
}
