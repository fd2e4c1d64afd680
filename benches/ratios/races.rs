//! The races there are.

use wingbeat::drive::{Goal, WanderParameters};
use wingbeat::steer::model::Vicsek1995;
use wingbeat::{
    AgentLimits, Flock, Level, Params, Rules, Separation, Species, SpeciesId, TimeStep,
    steer::{
        Drive, FieldOfView, Interaction, InteractionKind, Obstacle, ObstacleMotion, ObstacleShape,
        SolidBody,
    },
};
use wingbeat_benches::points::{DT, RADIUS, State, one_radius, rules, uniform};
use wingbeat_benches::race::{Contender, Race, Wanted, cpu_seconds};
use wingbeat_benches::scalar_grid::ScalarGrid;
use wingbeat_benches::scalar_vicsek::ScalarVicsek;

use crate::{own_rules, states};

/// A race that is set up when its turn comes.
pub struct Entry {
    pub name: String,
    pub make: Box<dyn Fn() -> Race>,
}

fn entry(name: impl Into<String>, make: impl Fn() -> Race + 'static) -> Entry {
    Entry { name: name.into(), make: Box::new(make) }
}

pub fn all() -> Vec<Entry> {
    let mut entries = Vec::new();
    for n in [10_000, 100_000, 1_000_000] {
        entries.push(entry(format!("step/3d/k20/n{n}"), move || {
            against_scalar::<3>(n, 20.0, wanted_of(3.0, 4.5, 6.0))
        }));
        entries.push(entry(format!("step/2d/k20/n{n}"), move || {
            against_scalar::<2>(n, 20.0, best(8.0))
        }));
    }
    entries.push(entry("step/3d/k60/n100000", || against_scalar::<3>(100_000, 60.0, best(8.0))));
    entries.push(entry("step/3d/k200/n30000", || against_scalar::<3>(30_000, 200.0, best(10.0))));
    entries.push(entry("vicsek1995/2d/k20/n100000", vicsek));
    for level in Level::available() {
        entries.push(entry(format!("clump of 100000, 16 nearest/3d/{level}"), move || {
            clump::<3>(level)
        }));
        entries.push(entry(format!("clump of 100000, 16 nearest/2d/{level}"), move || {
            clump::<2>(level)
        }));
        entries.push(entry(format!("own sights/3d/k20/{level}"), move || own_sights(level, 20.0)));
        entries.push(entry(format!("own sights/3d/k60/{level}"), move || own_sights(level, 60.0)));
        entries.push(entry(format!("four species/3d/k20/{level}"), move || species::<3>(level)));
        entries.push(entry(format!("four species/2d/k20/{level}"), move || species::<2>(level)));
        entries.push(entry(format!("nearest 7/3d/k20/{level}"), move || nearest::<3>(level)));
        entries.push(entry(format!("nearest 7/2d/k20/{level}"), move || nearest::<2>(level)));
        entries
            .push(entry(format!("own rule/3d/k20/{level}"), move || own_rules::race::<3>(level)));
        entries
            .push(entry(format!("own rule/2d/k20/{level}"), move || own_rules::race::<2>(level)));
        entries.push(entry(format!("wander and goal/3d/k20/{level}"), move || {
            drives::<3>(level, rules())
        }));
        entries.push(entry(format!("wander and goal/2d/k20/{level}"), move || {
            drives::<2>(level, rules())
        }));
        entries.push(entry(format!("wander and goal alone/3d/{level}"), move || {
            drives::<3>(level, Params::default())
        }));
        entries.push(entry(format!("wander and goal alone/2d/{level}"), move || {
            drives::<2>(level, Params::default())
        }));
    }
    entries.push(entry("a million boids against ten thousand/3d/k20", sizes::<3>));
    entries.push(entry("a million boids against ten thousand/2d/k20", sizes::<2>));
    entries.push(entry("200 neighbors against 20/3d", neighbors));
    for level in Level::available() {
        entries.push(entry(format!("obstacles/2d/k20/{level}"), move || obstacles::<2>(level)));
        entries.push(entry(format!("obstacles/3d/k20/{level}"), move || obstacles::<3>(level)));
    }
    for level in Level::available() {
        entries.push(entry(format!("bodies/2d/k20/n20000/{level}"), move || bodies::<2>(level)));
        entries.push(entry(format!("bodies/3d/k20/n20000/{level}"), move || bodies::<3>(level)));
    }
    for n in [10_000, 100_000] {
        entries.push(entry(format!("saved states/2d/n{n}"), move || states::kept::<2>(n)));
        entries.push(entry(format!("saved states/3d/n{n}"), move || states::kept::<3>(n)));
    }
    for level in Level::available() {
        entries.push(entry(format!("rollback of 8 frames/2d/k20/n10000/{level}"), move || {
            states::rollback::<2>(level)
        }));
        entries.push(entry(format!("rollback of 8 frames/3d/k20/n10000/{level}"), move || {
            states::rollback::<3>(level)
        }));
    }
    entries.push(entry("sort and integrate/3d/k20/n100000", || rooms::<3>(0.25)));
    entries.push(entry("sort and integrate/2d/k20/n100000", || rooms::<2>(0.40)));
    entries
}

/// Wanted of portable, AVX2 and AVX-512.
fn wanted_of(portable: f64, avx2: f64, avx512: f64) -> impl Fn(Level) -> Wanted {
    move |level| {
        Wanted::Faster(match level {
            Level::Portable => portable,
            Level::Avx2 => avx2,
            _ => avx512,
        })
    }
}

/// Wanted of AVX-512 alone.
fn best(avx512: f64) -> impl Fn(Level) -> Wanted {
    move |level| if level == Level::Avx512 { Wanted::Faster(avx512) } else { Wanted::Nothing }
}

pub fn dt() -> TimeStep {
    TimeStep::new(DT).expect("a valid time step")
}

/// The flock after a step, which allocates.
pub fn flock<const D: usize>(state: &State<D>, params: Params, level: Level) -> Flock<D> {
    let mut flock =
        state.flock().params(params).threads(1).level(level).build().expect("a valid flock");
    flock.step(dt());
    flock
}

/// A flock that makes some steps a turn.
pub fn stepping<const D: usize>(
    name: &str,
    wanted: Wanted,
    mut flock: Flock<D>,
    steps: usize,
) -> Contender {
    let boids = flock.len() * steps;
    let turn = move || cpu_seconds(|| (0..steps).for_each(|_| flock.step(dt())));
    Contender::new(name, wanted, boids, turn)
}

/// Small flocks make several steps a turn, so that a turn is long against the clock.
fn steps_a_turn(n: usize) -> usize {
    (100_000 / n).max(1)
}

fn against_scalar<const D: usize>(n: usize, k: f64, wanted: impl Fn(Level) -> Wanted) -> Race {
    let (state, steps) = (uniform::<D>(n, k), steps_a_turn(n));
    let mut grid = ScalarGrid::<D, true>::new(&state, &rules());
    let turn = move || cpu_seconds(|| (0..steps).for_each(|_| grid.step(DT)));
    let scalar = Contender::new("scalar_grid", Wanted::Nothing, n * steps, turn);
    let mut contenders = vec![scalar];
    for level in Level::available() {
        contenders.push(stepping(
            level.name(),
            wanted(level),
            flock(&state, rules(), level),
            steps,
        ));
    }
    Race { contenders }
}

/// A radius and a sight for each rule, as in OpenSteer.
fn own_sights(level: Level, k: f64) -> Race {
    let state = uniform::<3>(100_000, k);
    let mut own = rules();
    if let (Some(alignment), Some(cohesion)) = (&mut own.rules.alignment, &mut own.rules.cohesion) {
        alignment.perception.radius *= 0.9;
        alignment.perception.view = FieldOfView::degrees(200.0);
        cohesion.perception.view = FieldOfView::degrees(300.0);
    }
    let shared = stepping("shared", Wanted::Nothing, flock(&state, rules(), level), 1);
    let own = stepping("own", Wanted::Costs(1.25), flock(&state, own, level), 1);
    Race { contenders: vec![shared, own] }
}

/// Boids of four species with limits and weights of their own, which flock with all, or each
/// with its own kind, or that and evade each other in a circle; against a flock of one.
fn species<const D: usize>(level: Level) -> Race {
    let state = uniform::<D>(100_000, 20.0);
    let one = rules();
    let kind = |i: usize| Species {
        name: format!("kind {i}"),
        agent: AgentLimits { max_speed: 1.0 + 0.1 * i as f32, ..one.agent },
        rules: Rules {
            separation: one
                .rules
                .separation
                .map(|rule| Separation { weight: rule.weight + 0.1 * i as f32, ..rule }),
            ..one.rules
        },
        stamina: None,
        ..Default::default()
    };
    let of = |interactions: Vec<Interaction>| Params {
        species: (0..4).map(kind).collect(),
        interactions,
        combine: one.combine,
        expected_neighbors: one.expected_neighbors,
        ..Params::default()
    };
    let interaction = |species: usize, other: usize, kind| {
        Interaction::new(SpeciesId::new(species), SpeciesId::new(other), kind, RADIUS)
    };
    let pair = |i: usize, kind| interaction(i / 4, i % 4, kind);
    let together = of((0..16).map(|i| pair(i, InteractionKind::Flock)).collect());
    let evading = of((0..4).map(|i| interaction(i, (i + 1) % 4, InteractionKind::Evade)).collect());
    let contender = |name: &str, wanted: Wanted, params: Params| {
        let species = (0..100_000).map(|i| SpeciesId::new(i % 4));
        let builder = state.flock().params(params).threads(1).level(level).species(species);
        let mut flock = builder.build().expect("a valid flock");
        flock.step(dt());
        stepping(name, wanted, flock, 1)
    };
    let plain = stepping("one", Wanted::Nothing, flock(&state, one.clone(), level), 1);
    Race {
        contenders: vec![
            plain,
            contender("together", Wanted::Costs(1.25), together),
            contender("each alone", Wanted::Costs(1.25), of(Vec::new())),
            contender("evading", Wanted::Nothing, evading),
        ],
    }
}

fn nearest<const D: usize>(level: Level) -> Race {
    let state = uniform::<D>(100_000, 20.0);
    let topological = Params { max_neighbors: Some(7), ..rules() };
    let metric = stepping("metric", Wanted::Nothing, flock(&state, rules(), level), 1);
    let topological =
        stepping("nearest 7", Wanted::Costs(1.6), flock(&state, topological, level), 1);
    Race { contenders: vec![metric, topological] }
}

/// The same flock with and without drives: their weight is 0, so that all go the same ways.
fn drives<const D: usize>(level: Level, params: Params) -> Race {
    let state = uniform::<D>(100_000, 20.0);
    let steps = if params.rules.separation.is_some() { 1 } else { 5 };
    let goal = Goal { target: Some(state.domain.min), ..Default::default() };
    let pair = vec![
        Drive::new("goal", goal).weighted(0.0),
        Drive::new("wander", WanderParameters::default()).weighted(0.0),
    ];
    let mut driven = flock(&state, params.clone(), level);
    driven.set_drives(pair).expect("valid drives");
    let plain = stepping("without", Wanted::Nothing, flock(&state, params, level), steps);
    let driven = stepping(
        "with",
        if level == Level::Portable { Wanted::Nothing } else { Wanted::Adds(10.0) },
        driven,
        steps,
    );
    Race { contenders: vec![plain, driven] }
}

/// 100,000 boids within one radius under a neighbor cap, against the uniform metric flock.
fn clump<const D: usize>(level: Level) -> Race {
    let capped = Params { max_neighbors: Some(16), ..rules() };
    let uniform = stepping(
        "uniform",
        Wanted::Nothing,
        flock(&uniform::<D>(100_000, 20.0), rules(), level),
        1,
    );
    let clump =
        stepping("clump", Wanted::Costs(6.0), flock(&one_radius::<D>(100_000), capped, level), 1);
    Race { contenders: vec![uniform, clump] }
}

/// Flocks among moving balls, against the same flock alone.
fn obstacles<const D: usize>(level: Level) -> Race {
    let state = uniform::<D>(100_000, 20.0);
    let mut contenders = vec![stepping("alone", Wanted::Nothing, flock(&state, rules(), level), 1)];
    for (count, wanted) in [(1000, Wanted::Adds(15.0)), (10_000, Wanted::Nothing)] {
        let builder =
            state.flock().params(rules()).threads(1).level(level).obstacles(balls(&state, count));
        let mut flock = builder.build().expect("a valid flock");
        flock.step(dt());
        contenders.push(stepping(&format!("{count}"), wanted, flock, 1));
    }
    Race { contenders }
}

/// The same flock with bodies that few and that most of it touch, against points. Bodies are moved
/// apart before the first step.
fn bodies<const D: usize>(level: Level) -> Race {
    let state = uniform::<D>(20_000, 20.0);
    let mut contenders =
        vec![stepping("points", Wanted::Nothing, flock(&state, rules(), level), 5)];
    for radius in [0.05, 0.15] {
        let body = SolidBody { radius: radius * RADIUS, settle: true, ..Default::default() };
        let wanted = if level == Level::Portable { Wanted::Nothing } else { Wanted::Adds(40.0) };
        let flock = flock(&state, Params { body: Some(body), ..rules() }, level);
        contenders.push(stepping(&format!("radius {radius}"), wanted, flock, 5));
    }
    Race { contenders }
}

/// Balls of half a radius on places of the uniform state, which are as good as any; they drift as
/// the boids there do.
fn balls<const D: usize>(state: &State<D>, count: usize) -> Vec<Obstacle<[f32; D]>> {
    let every = state.boids.len() / count;
    let ball = |i: usize| Obstacle {
        name: i.to_string(),
        shape: ObstacleShape::Sphere {
            center: state.boids[i * every].position,
            radius: 0.5 * RADIUS,
        },
        motion: ObstacleMotion::Line { velocity: state.boids[i * every].velocity, range: None },
    };
    (0..count).map(ball).collect()
}

/// The Vicsek model against an ordinary scalar cell list of the same rule.
fn vicsek() -> Race {
    let (state, n) = (uniform::<2>(100_000, 20.0), 100_000);
    let model = Vicsek1995 { speed: 1.0, radius: RADIUS, noise: 2.0 };
    let mut grid = ScalarVicsek::new(&state, model);
    let turn = move || cpu_seconds(|| grid.step(DT));
    let mut contenders = vec![Contender::new("scalar_grid", Wanted::Nothing, n, turn)];
    for level in Level::available() {
        let params = Params { model: Some(model.into()), ..Params::default() };
        contenders.push(stepping(level.name(), best(10.0)(level), flock(&state, params, level), 1));
    }
    Race { contenders }
}

fn sizes<const D: usize>() -> Race {
    let contender = |name: &str, n: usize, wanted: Wanted| {
        stepping(
            name,
            wanted,
            flock(&uniform::<D>(n, 20.0), rules(), Level::detect()),
            1_000_000 / n,
        )
    };
    let few = contender("10000", 10_000, Wanted::Nothing);
    let many = contender("1000000", 1_000_000, Wanted::Costs(1.3));
    Race { contenders: vec![few, many] }
}

fn neighbors() -> Race {
    let contender = |name: &str, k: f64, wanted: Wanted| {
        stepping(name, wanted, flock(&uniform::<3>(100_000, k), rules(), Level::detect()), 1)
    };
    Race {
        contenders: vec![
            contender("k = 20", 20.0, Wanted::Nothing),
            contender("k = 200", 200.0, Wanted::Costs(5.0)),
        ],
    }
}

/// Two of the three rooms, as a part of the step.
fn rooms<const D: usize>(wanted: f64) -> Race {
    let (state, boids) = (uniform::<D>(100_000, 20.0), 100_000);
    let step = stepping("step", Wanted::Nothing, flock(&state, rules(), Level::detect()), 1);
    let mut flock = flock(&state, rules(), Level::detect());
    let turn = move || {
        let sort = cpu_seconds(|| flock.sort());
        flock.steer();
        sort + cpu_seconds(|| flock.integrate(dt()))
    };
    let two = Contender::new("two rooms", Wanted::Costs(wanted), boids, turn);
    Race { contenders: vec![step, two] }
}
