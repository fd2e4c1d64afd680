//! Limits that differ from boid to boid: how they are spread, that a boid has the same whatever the
//! order and wherever it comes from, and what becomes of them when a host changes something. That
//! steps equal the textbook's, in parts too, is combinations.rs and parts.rs.

use wingbeat::steer::*;
use wingbeat::*;

const ALIKE: AgentLimits = AgentLimits {
    max_speed: 1.34,
    max_speed_spread: 0.0,
    min_speed: 0.0,
    max_force: 5.0,
    mass: 1.0,
    population: Population::None,
};
const SPREAD: AgentLimits = AgentLimits { max_speed_spread: 0.26, ..ALIKE };

fn params(agent: AgentLimits) -> Params {
    Params { agent, ..Params::default() }
}

fn boids(ids: impl Iterator<Item = u64>) -> Vec<Boid<2>> {
    ids.map(|id| Boid { id: BoidId::new(id), position: [id as f32, 0.0], velocity: [0.0; 2] })
        .collect()
}

fn builder(agent: AgentLimits) -> FlockBuilder<2> {
    Flock2::builder().params(params(agent)).seed(7).threads(1)
}

/// Ids and maximum speeds by ascending id.
fn speeds(flock: &Flock2) -> Vec<(u64, Option<f32>)> {
    flock
        .frame()
        .by_id()
        .map(|boid| (boid.id.get(), flock.traits(boid.id).unwrap().max_speed))
        .collect()
}

fn drawn(ids: impl Iterator<Item = u64>, agent: AgentLimits) -> Vec<(u64, Option<f32>)> {
    ids.map(|id| (id, agent.max_speed_of(7, id))).collect()
}

#[test]
fn ten_thousand_speeds_have_the_mean_and_the_spread_that_were_asked_for() {
    let flock = builder(SPREAD).boids_with_ids(boids(0..10_000)).build().unwrap();
    let all: Vec<f64> = speeds(&flock).iter().map(|(_, speed)| f64::from(speed.unwrap())).collect();
    let n = all.len() as f64;
    let mean = all.iter().sum::<f64>() / n;
    let deviation = (all.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / n).sqrt();
    // Standard errors: 0.0026 and 0.0018. Cut off at three, the distribution is 0.9866 as wide.
    assert!((mean - 1.34).abs() < 0.008, "{mean}");
    assert!((deviation - 0.26 * 0.9866).abs() < 0.006, "{deviation}");
    assert!(all.iter().all(|x| (x - 1.34).abs() < 3.0 * 0.26 + 1e-6));
    // Weidmann's tenths: 1.34 ∓ 1.2816·0.26.
    let below = |limit: f64| all.iter().filter(|&&x| x < limit).count() as f64 / n;
    assert!((below(1.007) - 0.1).abs() < 0.012 && (below(1.673) - 0.9).abs() < 0.012);
}

#[test]
fn a_boid_has_the_same_speed_whatever_the_order_and_wherever_it_comes_from() {
    let there = builder(SPREAD).boids_with_ids(boids(0..300)).build().unwrap();
    let back = builder(SPREAD).boids_with_ids(boids((0..300).rev())).batch(7).build().unwrap();
    let mut added = builder(SPREAD).build().unwrap();
    added.add_all(boids(0..300).iter().map(|boid| (boid.position, boid.velocity))).unwrap();
    let source = Source {
        name: "door".into(),
        max: [9.0, 9.0],
        rate: 100.0,
        velocity: [1.0, 0.0],
        ..Source::default()
    };
    let mut entered = builder(SPREAD).sources(vec![source]).build().unwrap();
    let dt = TimeStep::new(0.1).unwrap();
    while entered.len() < 300 {
        entered.step(dt);
    }
    let wanted = drawn(0..300, SPREAD);
    assert!(wanted.windows(2).all(|pair| pair[0].1 != pair[1].1));
    for flock in [there, back, added] {
        assert_eq!(speeds(&flock), wanted);
    }
    assert_eq!(speeds(&entered)[..300], wanted);
    // Who comes at 1 and may go faster or slower: the slow are slowed down in their first step, and
    // walk as fast as they may.
    let speed = |boid: Boid<2>| boid.velocity[0];
    let slowed = entered.frame().by_id().take(200).filter(|&boid| speed(boid) < 0.999).count();
    assert!((5..35).contains(&slowed), "{slowed}");
}

#[test]
fn a_speed_that_a_boid_was_given_wins_and_stays() {
    let mut flock = builder(SPREAD).boids_with_ids(boids(0..20)).build().unwrap();
    let own = Traits { max_speed: Some(0.5), ..Traits::default() };
    flock.set_traits(BoidId::new(3), own).unwrap();
    let with_own = |agent: AgentLimits| {
        let mut all = drawn(0..20, agent);
        all[3].1 = Some(0.5);
        all
    };
    assert_eq!(speeds(&flock), with_own(SPREAD));
    for agent in [
        AgentLimits { max_speed: 2.0, ..SPREAD },
        ALIKE,
        AgentLimits { max_speed_spread: 0.1, ..ALIKE },
    ] {
        flock.set_params(params(agent)).unwrap();
        assert_eq!(speeds(&flock), with_own(agent));
    }
    // Given none, it has that drawn for it again; and another seed draws all anew.
    flock.set_traits(BoidId::new(3), Traits::default()).unwrap();
    let agent = flock.params().agent;
    assert_eq!(speeds(&flock), drawn(0..20, agent));
    flock.reseed(8);
    assert!((0..20).all(|id| speeds(&flock)[id as usize] == (id, agent.max_speed_of(8, id))));
}

#[test]
fn a_boid_of_another_species_has_another_speed() {
    let species =
        |name: &str, agent: AgentLimits| Species { name: name.into(), agent, ..Species::default() };
    let slow = AgentLimits { max_speed: 0.5, max_speed_spread: 0.1, ..ALIKE };
    let params =
        Params { species: vec![species("all", ALIKE), species("slow", slow)], ..Params::default() };
    let builder = Flock2::builder().params(params).seed(7).boids_with_ids(boids(0..6));
    let mut flock = builder.species([0, 1, 1, 0, 1, 0].map(SpeciesId::new)).build().unwrap();
    let of = |flock: &Flock2, id: u64| flock.traits(BoidId::new(id)).unwrap().max_speed;
    assert_eq!(
        [0, 1, 2].map(|id| of(&flock, id)),
        [None, slow.max_speed_of(7, 1), slow.max_speed_of(7, 2)]
    );
    for (id, species) in [(0, 1), (1, 0)] {
        let id = BoidId::new(id);
        flock
            .set_traits(
                id,
                Traits { species: SpeciesId::new(species), ..flock.traits(id).unwrap() },
            )
            .unwrap();
    }
    assert_eq!(
        [0, 1, 2].map(|id| of(&flock, id)),
        [slow.max_speed_of(7, 0), None, slow.max_speed_of(7, 2)]
    );
}

#[test]
fn a_checkpoint_and_saved_states_keep_them() {
    let mut flock = builder(SPREAD).boids_with_ids(boids(0..50)).build().unwrap();
    let dt = TimeStep::new(0.1).unwrap();
    flock.step(dt);
    flock.set_traits(BoidId::new(3), Traits { max_speed: Some(0.5), ..Traits::default() }).unwrap();
    let mut other = builder(ALIKE).build().unwrap();
    other.restore(&flock.checkpoint()).unwrap();
    assert_eq!(speeds(&other), speeds(&flock));
    other.add([0.0, 5.0], [0.0; 2]).unwrap();
    assert_eq!(speeds(&other)[50], drawn(50..51, SPREAD)[0]);
}

#[test]
fn spreads_that_lead_nowhere_are_refused_by_name() {
    for (agent, said) in [
        (
            AgentLimits { max_speed_spread: 0.41, ..ALIKE },
            "agent.max_speed_spread = 0.41: allowed is 0 to 0.402",
        ),
        (
            AgentLimits { min_speed: 0.7, ..SPREAD },
            "agent.max_speed_spread = 0.26: allowed is 0 to 0.213",
        ),
        (
            AgentLimits { max_speed: 0.0, ..SPREAD },
            "agent.max_speed_spread = 0.26: allowed is 0 to 0,",
        ),
        (
            AgentLimits { max_speed: 9e8, max_speed_spread: 1e8, ..ALIKE },
            "agent.max_speed_spread = 100000000: allowed is 0 to 33333334",
        ),
        (
            AgentLimits { max_speed_spread: f32::NAN, ..ALIKE },
            "agent.max_speed_spread = NaN: allowed is 0 to 1.5e8",
        ),
    ] {
        let refusal = builder(agent).build().unwrap_err().to_string();
        assert!(refusal.starts_with(said), "{refusal}");
    }
    let slow = Species {
        name: "slow".into(),
        agent: AgentLimits { max_speed_spread: 1.0, ..ALIKE },
        ..Species::default()
    };
    let refusal =
        Params { species: vec![slow], ..Params::default() }.check().unwrap_err().to_string();
    assert!(
        refusal.starts_with("species.slow.agent.max_speed_spread = 1: allowed is 0 to 0.4"),
        "{refusal}"
    );
}

#[test]
fn no_spread_is_no_column() {
    let flock = builder(ALIKE).boids_with_ids(boids(0..20)).build().unwrap();
    assert!(flock.checkpoint().state.columns.iter().all(|column| column.name != "max_speed"));
    assert_eq!(ALIKE.max_speed_of(7, 1), None);
}

/// The passengers of IMO MSC.1/Circ.1533, women first: hundredths, slowest, fastest.
const PASSENGERS: [[f64; 3]; 10] = [
    [7.0, 0.93, 1.55],
    [7.0, 0.71, 1.19],
    [16.0, 0.56, 0.94],
    [10.0, 0.43, 0.71],
    [10.0, 0.37, 0.61],
    [7.0, 1.11, 1.85],
    [7.0, 0.97, 1.62],
    [16.0, 0.84, 1.40],
    [10.0, 0.64, 1.06],
    [10.0, 0.55, 0.91],
];

/// The largest distance between what was drawn and a distribution (Kolmogorov and Smirnov).
fn gap(mut drawn: Vec<f64>, below: impl Fn(f64) -> f64) -> f64 {
    drawn.sort_unstable_by(f64::total_cmp);
    let n = drawn.len() as f64;
    drawn.iter().enumerate().map(|(i, &x)| (below(x) - i as f64 / n).abs()).fold(0.0, f64::max)
}

/// In one of a thousand samples the distance is larger than 1.95/√n.
const LARGEST_GAP: f64 = 1.95 / 100.0;

#[test]
fn ten_thousand_passengers_are_those_of_the_circular() {
    let limits = AgentLimits { population: Population::Imo, ..ALIKE };
    let flock = builder(limits).boids_with_ids(boids(0..10_000)).build().unwrap();
    let all: Vec<f64> = speeds(&flock).iter().map(|(_, speed)| f64::from(speed.unwrap())).collect();
    let below = |x: f64| {
        PASSENGERS
            .iter()
            .map(|[share, min, max]| share / 100.0 * ((x - min) / (max - min)).clamp(0.0, 1.0))
            .sum()
    };
    let mean: f64 =
        PASSENGERS.iter().map(|[share, min, max]| share / 100.0 * 0.5 * (min + max)).sum();
    let found = all.iter().sum::<f64>() / 10_000.0;
    assert!((found - mean).abs() < 0.012, "{found}, not {mean}");
    let gap = gap(all, below);
    assert!(gap < LARGEST_GAP, "{gap}");
}

/// Of the visitors of a building the distribution is summed up over the ages, a tenth of a year at
/// a time.
#[test]
fn ten_thousand_visitors_are_those_of_the_figure() {
    let table = [
        (10, 1.17, 0.23),
        (20, 1.60, 0.31),
        (30, 1.53, 0.28),
        (40, 1.48, 0.28),
        (50, 1.41, 0.24),
        (60, 1.26, 0.24),
    ];
    let table = [&table[..], &[(70, 1.06, 0.20), (80, 0.70, 0.10), (90, 0.70, 0.10)]].concat();
    let normal = |z: f64| 0.5 * libm::erfc(-z / std::f64::consts::SQRT_2);
    let ages: Vec<(f64, f64, f64)> = (100..850)
        .map(|tenths| {
            let age = (f64::from(tenths) + 0.5) / 10.0;
            let i = table.iter().rposition(|&(from, _, _)| f64::from(from) <= age).unwrap();
            let part = (age - f64::from(table[i].0)) / 10.0;
            let between = |a: f64, b: f64| a + (b - a) * part;
            let weight = libm::exp(-0.5 * ((age - 50.0) / 20.0) * ((age - 50.0) / 20.0));
            (weight, between(table[i].1, table[i + 1].1), between(table[i].2, table[i + 1].2))
        })
        .collect();
    let whole: f64 = ages.iter().map(|(weight, ..)| weight).sum();
    let limits = AgentLimits { population: Population::Rimea, ..ALIKE };
    let all: Vec<f64> =
        (0..10_000).map(|id| f64::from(limits.max_speed_of(7, id).unwrap())).collect();
    let mean = ages.iter().map(|(weight, mean, _)| weight * mean).sum::<f64>() / whole;
    let found = all.iter().sum::<f64>() / 10_000.0;
    assert!((found - mean).abs() < 0.012 && (1.2..1.4).contains(&mean), "{found}, not {mean}");
    assert!(all.iter().all(|speed| (0.4..2.53).contains(speed)));
    // What lies beyond three standard deviations, 0.3 %, is no part of it, and far below what is
    // asked for here.
    let below = |x: f64| {
        ages.iter()
            .map(|(weight, mean, deviation)| weight * normal((x - mean) / deviation))
            .sum::<f64>()
            / whole
    };
    let gap = gap(all.into_iter().step_by(10).collect(), below);
    assert!(gap < 1.95 / 1000f64.sqrt(), "{gap}");
}

#[test]
fn a_population_goes_with_no_other_spread_and_no_haste() {
    for (agent, said) in [
        (
            AgentLimits { population: Population::Imo, ..SPREAD },
            "agent.max_speed_spread = 0.26: allowed is left out where agent.population",
        ),
        (
            AgentLimits { population: Population::Imo, min_speed: 0.38, ..ALIKE },
            "agent.min_speed = 0.38: allowed is at most 0.37, the",
        ),
        (
            AgentLimits { population: Population::Rimea, min_speed: 0.41, ..ALIKE },
            "agent.min_speed = 0.41: allowed is at most 0.4, the",
        ),
    ] {
        let refusal = builder(agent).build().unwrap_err().to_string();
        assert!(refusal.starts_with(said), "{refusal}");
    }
}
