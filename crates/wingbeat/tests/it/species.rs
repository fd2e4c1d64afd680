//! Flocks of several species: the fast step equals the textbook bit for bit, captures and stamina
//! included; one that is far away, or of a species that no boid heeds, changes no boid's bits;
//! evasion saves lives and chasing tires.

use super::drives::drives;
use crate::common::courses::course;
use crate::common::*;
use wingbeat::steer::*;
use wingbeat::steer::{ObstacleSet, TextbookFlock, Vector};
use wingbeat::*;
use wingbeat_test_support::tier;

/// A flock of several species, and who is of which.
struct Zoo<const D: usize> {
    case: Case<D>,
    kinds: Vec<usize>,
    drives: Vec<Drive<[f32; D]>>,
    obstacles: Obstacles<[f32; D]>,
}

/// Rules of one species, drawn like those of a flock.
fn kind(place: usize, radius: f32, form: u32, random: &mut Random) -> Species {
    let mut params = Params::default();
    let rules = if form == 0 { 7 } else { random.below(8) };
    if rules & 1 != 0 {
        let any = random.one_of(&separations());
        params.rules.separation = Some(if form < 2 { Separation::default() } else { any });
    }
    // What is averaged is one for all.
    if rules & 2 != 0 {
        params.rules.alignment =
            Some(Alignment { include_self: random.coin(), ..Default::default() });
    }
    if rules & 4 != 0 {
        params.rules.cohesion = Some(random.one_of(&cohesions()));
    }
    perceive(&mut params, radius * random.one_of(&[1.0, 0.6]), random);
    let Params { agent, rules: Rules { separation, alignment, cohesion, .. }, .. } = params;
    let (max_speed, half) = (random.one_of(&[2.0, 1.0, 3.5]), |x: f32| x * 0.5);
    let [min_speed, max_speed_spread] = [agent.min_speed, agent.max_speed_spread].map(half);
    let agent = AgentLimits { max_speed, max_speed_spread, min_speed, ..agent };
    let stamina = random.coin().then(|| Stamina {
        capacity: 3.0 * random.unit() + 0.1,
        drain: 2.0,
        recover: 5.0,
    });
    Species {
        name: format!("kind{place}"),
        agent,
        rules: Rules { separation, alignment, cohesion, ..Default::default() },
        stamina,
        body: SpeciesBody::default(),
    }
}

/// The eyes of the first for all, with weights and limits of their own: what most flocks of several
/// species are like.
fn alike(species: &mut [Species], random: &mut Random) {
    let one = species[0].clone();
    for own in &mut species[1..] {
        let weight = random.one_of(&[1.0, 0.5]);
        own.rules.separation =
            one.rules.separation.map(|rule| Separation { weight: rule.weight * weight, ..rule });
        own.rules.alignment = one.rules.alignment;
        own.rules.cohesion = one
            .rules
            .cohesion
            .map(|rule| Cohesion { weight: rule.weight * random.one_of(&[1.0, 2.0]), ..rule });
        own.agent.max_force = one.agent.max_force * random.one_of(&[1.0, 1.0, 0.5]);
    }
}

fn zoo<const D: usize>(seed: u64) -> Zoo<D> {
    use InteractionKind::{Evade, Flee, Flock, Ignore, Pursue};
    let mut random = Random::new(seed);
    let radius = random.one_of(&[1.0, 1.0, 0.3, 60.0]);
    // Above 16 the engine tells them apart another way.
    let count = random.one_of(&[1, 2, 2, 3, 4, 7, 17]);
    let form = random.below(3) as u32;
    let mut params = Params {
        species: (0..count).map(|i| kind(i, radius, form, &mut random)).collect(),
        ..Default::default()
    };
    if random.below(4) == 0 {
        alike(&mut params.species, &mut random);
    }
    let (mingle, mut chases) = (random.below(5) == 0, vec![0; count]);
    for who in 0..count {
        for other in 0..count {
            let any = random.one_of(&[Ignore, Flock, Flock, Flee, Pursue, Pursue, Evade]);
            let kind = if mingle { Flock } else { any };
            if !mingle && random.coin() || (kind.chases() && chases[who] == 4) {
                continue;
            }
            chases[who] += usize::from(kind.chases());
            let capture = if kind == Pursue && random.coin() { radius * 0.15 } else { 0.0 };
            let (radius, weight) =
                (radius * random.one_of(&[1.0, 0.4]), random.one_of(&[1.0, 3.0, -0.5]));
            params.interactions.push(Interaction {
                species: SpeciesId::new(who),
                other: SpeciesId::new(other),
                kind,
                radius,
                weight,
                capture_radius: capture,
            });
        }
    }
    (params.combine, params.priority) = combine(random.below(COMBINES), &mut random);
    if random.coin() {
        params.priority = vec![Term::Interactions, Term::Walls];
    }
    // Rules of length 0 need a box all the same.
    let (kind, state) = (random.one_of(&KINDS), random.one_of(&STATES));
    let domain = domain(kind, radius, &mut random);
    let boids = boids(state, &domain, radius, &mut random);
    let kinds = boids.iter().map(|_| random.below(count)).collect();
    let dt = random.one_of(&[0.02, 0.3, 1.0]);
    let (mut driven, mut obstacles) = (Vec::new(), Vec::new());
    if random.coin() && !boids.is_empty() {
        let ids: Vec<u64> = boids.iter().map(|boid| boid.id).collect();
        let numbers: Vec<usize> = (0..random.below(5)).map(|_| random.below(12)).collect();
        driven = drives(&numbers, &domain, &ids, count, &mut random);
    }
    if random.below(3) == 0 {
        let open = domain.boundary == Boundary::Open;
        let corners = if open { ([0.0; D], [4.0 * radius; D]) } else { (domain.min, domain.max) };
        obstacles = course(&mut random, corners, 6, (None, None));
        let solid = |one: &Obstacle<[f32; D]>| {
            ObstacleSet::new(vec![one.clone()].into(), &domain).expect("obstacles")
        };
        obstacles.retain(|one| {
            one.motion.moves()
                || boids.iter().all(|boid| solid(one).solid_at(boid.position).is_none())
        });
    }
    let case =
        Case { seed, name: format!("{kind} {state} form {form}"), params, domain, boids, dt };
    Zoo { case, kinds, drives: driven, obstacles: obstacles.into() }
}

impl<const D: usize> Zoo<D> {
    fn textbook(&self, random: &mut Random) -> TextbookFlock<[f32; D]> {
        let obstacles =
            ObstacleSet::new(self.obstacles.clone(), &self.case.domain).expect("obstacles");
        let mut book =
            TextbookFlock { drives: self.drives.clone(), obstacles, ..textbook(&self.case) };
        for (boid, &species) in self.case.boids.iter().zip(&self.kinds) {
            let own = random.below(4) == 0;
            let traits = Traits {
                species: SpeciesId::new(species),
                max_speed: own.then_some(0.7),
                mass: (own && random.coin()).then_some(2.5),
                ..Traits::default()
            };
            book.traits.insert(boid.id, traits);
        }
        book
    }

    fn engine(
        &self,
        book: &TextbookFlock<[f32; D]>,
        level: Level,
        threads: usize,
        storage: Storage,
    ) -> Flock<D> {
        let builder = builder(&self.case, level, threads, storage)
            .drives(self.drives.clone())
            .obstacles(self.obstacles.clone());
        let built =
            builder.species(self.kinds.iter().copied().map(SpeciesId::new)).batch(37).build();
        let mut flock = built.unwrap_or_else(|refused| {
            panic!("seed {} {}: {refused}", self.case.seed, self.case.name)
        });
        for (&id, &traits) in &book.traits {
            if traits.max_speed.is_some() {
                flock.set_traits(BoidId::new(id), traits).unwrap();
            }
        }
        flock
    }
}

type Row<const D: usize> = (u64, [u32; D], [u32; D], u32, bool);

fn rows<const D: usize>(flock: &Flock<D>) -> Vec<Row<D>> {
    let row = |boid: Boid<D>| {
        let traits = flock.traits(boid.id).unwrap();
        (
            boid.id.get(),
            boid.position.map(f32::to_bits),
            boid.velocity.map(f32::to_bits),
            traits.spent.to_bits(),
            traits.resting,
        )
    };
    flock.frame().by_id().map(row).collect()
}

fn book_rows<const D: usize>(book: &TextbookFlock<[f32; D]>) -> Vec<Row<D>> {
    let row = |boid: &steer::TextbookBoid<[f32; D]>| {
        let traits = book.traits[&boid.id];
        (
            boid.id,
            boid.position.map(f32::to_bits),
            boid.velocity.map(f32::to_bits),
            traits.spent.to_bits(),
            traits.resting,
        )
    };
    let mut rows: Vec<_> = book.boids.iter().map(row).collect();
    rows.sort_unstable();
    rows
}

/// Events of a step: captures, arrivals, and who left.
type Told = (Vec<(u64, u64)>, Vec<(u64, usize)>, Vec<u64>);

/// What the flock tells of its last step; `at` is where that was.
pub(super) fn told<const D: usize>(flock: &Flock<D>, at: &str) -> Told {
    let (mut captured, mut arrived, mut left) = (Vec::new(), Vec::new(), Vec::new());
    for event in flock.events() {
        match *event {
            Event::Captured { captor, prey } => captured.push((captor.get(), prey.get())),
            Event::Arrived { boid, drive } => arrived.push((boid.get(), drive.get())),
            Event::Left { boid } => left.push(boid.get()),
            Event::Squeezed { .. } | Event::Exited { .. } | Event::Entered { .. } => {}
            other => panic!("{other:?}: {at}"),
        }
    }
    (captured, arrived, left)
}

/// The boids that obstacles squeeze, as the flock reports.
pub(super) fn squeezed<const D: usize>(flock: &Flock<D>) -> Vec<u64> {
    let who =
        |event: &Event| if let Event::Squeezed { boid } = event { Some(boid.get()) } else { None };
    flock.events().iter().filter_map(who).collect()
}

/// Captures, and boids that left, that there were.
fn agrees_with_textbook<const D: usize>(zoo: &Zoo<D>) -> [usize; 2] {
    let seed = zoo.case.seed;
    let mut random = Random::new(seed ^ 0x5eed);
    let mut book = zoo.textbook(&mut random);
    let levels = Level::available().into_iter();
    let storages = [Storage::Automatic, Storage::Sparse];
    let engine =
        |level| zoo.engine(&book, level, random.one_of(&[1, 1, 3]), random.one_of(&storages));
    let mut flocks: Vec<Flock<D>> = levels.map(engine).collect();
    let mut happened = [0; 2];
    for step in 0..12 {
        book.step_by(zoo.case.dt);
        happened[0] += book.captured.len();
        happened[1] += book.left.len();
        let wanted = book_rows(&book);
        for flock in &mut flocks {
            let at = format!(
                "seed {seed} {} {D}-D {} step {step}\n{:?}",
                zoo.case.name,
                flock.level(),
                zoo.case.params
            );
            flock.step(TimeStep::new(zoo.case.dt).unwrap());
            let (captured, arrived, left) = told(flock, &at);
            let wanted_events = (&book.captured, &book.arrived, &book.left);
            assert_eq!(
                (&captured, &arrived, &left),
                wanted_events,
                "captures, arrivals, who left: {at}"
            );
            for (found, wanted) in rows(flock).iter().zip(&wanted) {
                assert_eq!(found, wanted, "id, position, velocity, spent, resting: {at}");
            }
            assert_eq!(flock.len(), wanted.len(), "{at}");
        }
    }
    happened
}

#[test]
fn species_equal_the_textbook() {
    let full = tier::full();
    let seeds = if full { 3000 } else { 80 };
    let (mut captures, mut left) = (0, 0);
    for seed in 0..seeds {
        for happened in
            [agrees_with_textbook(&zoo::<2>(seed)), agrees_with_textbook(&zoo::<3>(seed))]
        {
            captures += happened[0];
            left += happened[1];
        }
    }
    assert!(
        captures > seeds as usize && left > seeds as usize,
        "{captures} captures, {left} left: the cases hold too few"
    );
}

/// Two species of one field of view, of which the first ignores the second: the shared loop, in
/// each of its forms, behind the filter of species.
fn same_view<const D: usize>(
    seed: u64,
    falloffs: [Falloff; 2],
    view: FieldOfView,
    part: f32,
) -> Zoo<D> {
    let mut random = Random::new(seed);
    let seen = |radius| Perception { radius, view, ..Default::default() };
    let species = [0, 1].map(|i| Species {
        name: format!("kind{i}"),
        agent: AgentLimits { max_speed: 2.0, max_force: 5.0, ..Default::default() },
        rules: Rules {
            separation: Some(Separation {
                weight: 1.5,
                perception: seen(part),
                falloff: falloffs[i],
                ..Default::default()
            }),
            alignment: Some(Alignment { perception: seen(1.0), ..Default::default() }),
            cohesion: Some(Cohesion { perception: seen(1.0), ..Default::default() }),
            ..Default::default()
        },
        ..Default::default()
    });
    let ignored = Interaction {
        species: SpeciesId::new(0),
        other: SpeciesId::new(1),
        kind: InteractionKind::Ignore,
        radius: 1.0,
        weight: 1.0,
        capture_radius: 0.0,
    };
    let params =
        Params { species: species.to_vec(), interactions: vec![ignored], ..Default::default() };
    let (kind, state) = (random.one_of(&KINDS), random.one_of(&STATES));
    let domain = domain(kind, 1.0, &mut random);
    let boids = boids(state, &domain, 1.0, &mut random);
    let kinds = boids.iter().map(|_| random.below(2)).collect();
    let name = format!("{kind} {state} {falloffs:?} {view:?} {part}");
    let case = Case { seed, name, params, domain, boids, dt: random.one_of(&[0.02, 0.3]) };
    Zoo { case, kinds, drives: Vec::new(), obstacles: Obstacles::default() }
}

#[test]
fn every_form_of_the_shared_loop_behind_the_filter_of_species() {
    let mut pairs: Vec<[Falloff; 2]> = FALLOFFS.map(|falloff| [falloff; 2]).to_vec();
    // One loop for both of these; two loops for the next.
    pairs.extend([[Falloff::Linear, Falloff::Inverse], [Falloff::Soft, Falloff::Linear]]);
    let mut seed = 9_000_000;
    for falloffs in pairs {
        for view in [FieldOfView::All, FieldOfView::degrees(240.0)] {
            // Deferred, deferred at the limit, not deferred.
            for part in [0.3, 0.6, 1.0] {
                for _ in 0..tier::either(1, 4) {
                    seed += 1;
                    agrees_with_textbook(&same_view::<2>(seed, falloffs, view, part));
                    agrees_with_textbook(&same_view::<3>(seed, falloffs, view, part));
                }
            }
        }
    }
}

/// Hunters and prey in a periodic square.
fn hunt(seed: u64, evading: bool) -> Flock2 {
    let limits = |max_speed| AgentLimits { max_speed, max_force: 40.0, ..Default::default() };
    let prey = Species {
        name: "prey".into(),
        agent: limits(3.0),
        rules: Separation { weight: 2.0, ..Default::default() }.into(),
        ..Default::default()
    };
    let stamina = Some(Stamina { capacity: 4.0, drain: 2.0, recover: 1.0 });
    let hunter =
        Species { name: "hunter".into(), agent: limits(4.0), stamina, ..Default::default() };
    let mut interactions = vec![Interaction {
        capture_radius: 0.3,
        ..Interaction::new(SpeciesId::new(1), SpeciesId::new(0), InteractionKind::Pursue, 8.0)
    }];
    if evading {
        interactions.push(Interaction {
            weight: 3.0,
            ..Interaction::new(SpeciesId::new(0), SpeciesId::new(1), InteractionKind::Evade, 5.0)
        });
    }
    let params = Params { species: vec![prey, hunter], interactions, ..Default::default() };
    let spawn = Spawn {
        shape: Shape::Box { min: [0.0; 2], max: [40.0; 2] },
        speed: 1.0,
        ..Spawn::default()
    };
    let species = (0..220).map(|i| SpeciesId::new(usize::from(i % 11 == 0)));
    let domain = Domain::periodic([0.0; 2], [40.0; 2]);
    Flock2::builder()
        .params(params)
        .domain(domain)
        .seed(seed)
        .spawn(220, spawn)
        .species(species)
        .threads(1)
        .build()
        .unwrap()
}

/// A day of hunting: captures, and the most and fewest hunters that rested at once after the first
/// second.
fn day(seed: u64, evading: bool) -> (usize, usize, usize) {
    let mut flock = hunt(seed, evading);
    let hunters: Vec<BoidId> = (0..220).step_by(11).map(BoidId::new).collect();
    let (mut captures, mut most, mut fewest) = (0, 0, usize::MAX);
    for step in 0..600 {
        let before = flock.len();
        flock.step(TimeStep::new(0.02).unwrap());
        assert_eq!(
            flock.len() + flock.events().len(),
            before,
            "seed {seed}: ids in are ids inside and events"
        );
        captures += flock.events().len();
        let resting = hunters.iter().filter(|&&id| flock.traits(id).unwrap().resting).count();
        if step > 150 {
            (most, fewest) = (most.max(resting), fewest.min(resting));
        }
    }
    (captures, most, fewest)
}

#[test]
fn hunters_tire_and_recover_and_evasion_saves_lives() {
    let (mut evading, mut calm) = (Vec::new(), Vec::new());
    for seed in 0..8 {
        let (captures, most, fewest) = day(seed, true);
        assert!(most >= 10 && fewest <= 10, "seed {seed}: {fewest} to {most} of 20 hunters rested");
        evading.push(captures);
        calm.push(day(seed, false).0);
    }
    let sum = |list: &[usize]| list.iter().sum::<usize>();
    println!("captures of 200 prey in 12 s, by seed: evading {evading:?}, not {calm:?}");
    assert!(sum(&evading) * 10 < sum(&calm) * 9, "evading {evading:?}, not {calm:?}");
    assert!(sum(&calm) > 80, "{calm:?}");
}

#[test]
fn a_boid_of_any_species_out_of_range_changes_no_other_bits() {
    for seed in 0..60 {
        let mut near = zoo::<2>(seed);
        near.case.domain = Domain::open();
        // Goals and leaders hold whatever boids are near.
        near.drives.retain(|drive| {
            matches!(drive.kind, DriveKind::Wander(_) | DriveKind::Wind(_) | DriveKind::Noise(_))
        });
        near.obstacles = Vec::new().into();
        near.case.boids.retain(|boid| boid.position.norm() < 1e5);
        near.kinds.truncate(near.case.boids.len());
        let run = |zoo: &Zoo<2>| {
            let book = zoo.textbook(&mut Random::new(seed));
            let mut flock = zoo.engine(&book, Level::detect(), 1, Storage::Automatic);
            (0..3).for_each(|_| flock.step(TimeStep::new(zoo.case.dt).unwrap()));
            rows(&flock)
        };
        let alone = run(&near);
        near.case.boids.push(steer::TextbookBoid {
            id: 1 << 50,
            position: [3e20, 1.0],
            velocity: [0.5; 2],
        });
        near.kinds.push(0);
        let joined = run(&near);
        assert_eq!(alone, joined[..joined.len() - 1], "seed {seed}");
    }
}

#[test]
fn bad_species_are_refused() {
    let kind = |name: &str| Species { name: name.into(), ..Default::default() };
    let params = |interactions| Params {
        species: vec![kind("a"), kind("b")],
        interactions,
        ..Default::default()
    };
    let chase = |who, other| Interaction::new(who, other, InteractionKind::Pursue, 1.0);
    let counting = |k| {
        let perception = Perception { nearest: Some(k), ..Default::default() };
        Species {
            rules: Rules {
                cohesion: Some(Cohesion { perception, ..Default::default() }),
                ..kind("a").rules
            },
            ..kind("a")
        }
    };
    let refused =
        |params: Params| Flock2::builder().params(params).build().unwrap_err().to_string();
    let cases = [
        (
            params(vec![chase(SpeciesId::new(0), SpeciesId::new(2))]),
            "interaction[0].other = 2: allowed is 0 to 1",
        ),
        (
            params(vec![
                chase(SpeciesId::new(0), SpeciesId::new(1)),
                chase(SpeciesId::new(0), SpeciesId::new(1)),
            ]),
            "interaction.a.b = given twice: allowed is once",
        ),
        (
            params(vec![Interaction {
                capture_radius: 1.0,
                ..Interaction::new(SpeciesId::new(0), SpeciesId::new(1), InteractionKind::Flee, 1.0)
            }]),
            "interaction.a.b.capture_radius = 1: allowed is 0 unless kind is pursue",
        ),
        (
            params(vec![Interaction {
                radius: 0.0,
                ..chase(SpeciesId::new(1), SpeciesId::new(0))
            }]),
            "interaction.b.a.radius = 0: allowed is 1e-9 to 1e12",
        ),
        (
            Params { species: vec![kind("a"), kind("a")], ..Default::default() },
            "species = a: allowed is each name once",
        ),
        (
            Params {
                rules: Rules { cohesion: Some(Cohesion::default()), ..params(Vec::new()).rules },
                ..params(Vec::new())
            },
            "cohesion = given: allowed is left out with species, each of which has its own",
        ),
        (
            Params { agent: AgentLimits { mass: 2.0, ..Default::default() }, ..params(Vec::new()) },
            "agent = given: allowed is left out with species, each of which has its own",
        ),
        (
            Params { species: vec![counting(33)], ..Default::default() },
            "species.a.cohesion.nearest = 33: allowed is 1 to 32, or none",
        ),
        (
            Params {
                species: vec![Species {
                    stamina: Some(Stamina { capacity: 0.0, ..Default::default() }),
                    ..kind("a")
                }],
                ..Default::default()
            },
            "species.a.stamina.capacity = 0: allowed is 1e-9 to 1e9",
        ),
        (
            Params {
                interactions: vec![chase(SpeciesId::new(0), SpeciesId::new(0))],
                ..Default::default()
            },
            "interaction = 1: allowed is none without species",
        ),
        (
            Params {
                species: (0..65).map(|i| kind(&i.to_string())).collect(),
                ..Default::default()
            },
            "species = 65: allowed is at most 64",
        ),
    ];
    for (params, wanted) in cases {
        assert_eq!(refused(params), wanted);
    }
    let two = || Flock2::builder().params(params(Vec::new())).boids(&[[0.0; 2]; 2], &[[0.0; 2]; 2]);
    let refused = |builder: FlockBuilder<2>| builder.build().unwrap_err().to_string();
    assert_eq!(
        refused(two().species([0].map(SpeciesId::new))),
        "species = 1: allowed is one for each of the 2 boids"
    );
    assert_eq!(
        refused(two().species([0, 2].map(SpeciesId::new))),
        "boid 1: species = 2: allowed is 0 to 1"
    );
    assert_eq!(refused(two().steer_every(1001)), "steer_every = 1001: allowed is 1 to 1000");
    let mut flock = two().build().unwrap();
    let traits = |species| Traits { species, ..Default::default() };
    assert_eq!(
        flock.set_traits(BoidId::new(1), traits(SpeciesId::new(5))).unwrap_err().to_string(),
        "boid 1: species = 5: allowed is 0 to 1"
    );
    flock.set_traits(BoidId::new(1), traits(SpeciesId::new(1))).unwrap();
    assert_eq!(flock.traits(BoidId::new(1)).unwrap().species, SpeciesId::new(1));
}
