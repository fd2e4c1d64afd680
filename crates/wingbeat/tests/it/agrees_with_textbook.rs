//! The fast step equals the textbook double loop, bit for bit: steering of every boid, and states
//! over ten steps.
//!
//! The ordinary suite runs a seeded sample of the product rule × falloff × response × combination ×
//! domain × dimension × state; `WINGBEAT_FULL=1` runs all of it. A failure prints the seed that
//! makes the case again.

use crate::common::*;
use wingbeat::steer::*;
use wingbeat_test_support::tier;

/// Builds and checks one case; everything not given is drawn from the seed.
fn run<const D: usize>(seed: u64, rules: &Params, combination: usize, kind: &str, state: &str) {
    let mut random = Random::new(seed);
    let mut params = rules.clone();
    let radius = random.one_of(&[1.0, 1.0, 0.3, 60.0]);
    perceive(&mut params, radius, &mut random);
    (params.combine, params.priority) = combine(combination, &mut random);
    // Boxes and states are sized by the largest radius there is, so that "exactly half the box" is
    // exactly that.
    let radius = if params.largest_radius() > 0.0 { params.largest_radius() } else { radius };
    let domain = domain::<D>(kind, radius, &mut random);
    let boids = boids(state, &domain, radius, &mut random);
    let name = format!("{kind} {state} combination {combination}");
    let case = Case { seed, name, params, domain, boids, dt: random.one_of(&[0.02, 0.3, 1.0]) };
    agrees(&case, &mut random);
}

fn single_rules() -> Vec<Params> {
    let mut all = vec![Params::default()];
    all.extend(separations().into_iter().map(|s| Params { rules: s.into(), ..Default::default() }));
    all.extend(alignments().into_iter().map(|a| Params { rules: a.into(), ..Default::default() }));
    all.extend(cohesions().into_iter().map(|c| Params { rules: c.into(), ..Default::default() }));
    all
}

/// Every rule by itself × combination × domain × state × dimension.
#[test]
fn each_rule_alone() {
    let mut seed = 1;
    let mut random = Random::new(77);
    for rules in single_rules() {
        for combination in 0..COMBINES {
            for kind in KINDS {
                for state in STATES {
                    seed += 1;
                    if !tier::full() && random.below(60) != 0 {
                        continue;
                    }
                    run::<2>(seed, &rules, combination, kind, state);
                    run::<3>(seed, &rules, combination, kind, state);
                }
            }
        }
    }
}

/// Separation × alignment × cohesion together × combination × domain × dimension, states drawn.
#[test]
fn all_three_rules() {
    let mut seed = 1_000_000;
    let mut random = Random::new(78);
    for s in separations() {
        for a in alignments() {
            for c in cohesions() {
                for combination in 0..COMBINES {
                    for kind in KINDS {
                        seed += 1;
                        if !tier::full() && random.below(60) != 0 {
                            continue;
                        }
                        let rules = Params {
                            rules: Rules {
                                separation: Some(s),
                                alignment: Some(a),
                                cohesion: Some(c),
                                ..Default::default()
                            },
                            ..Default::default()
                        };
                        let state = random.one_of(&STATES);
                        if random.coin() {
                            run::<2>(seed, &rules, combination, kind, state);
                        } else {
                            run::<3>(seed, &rules, combination, kind, state);
                        }
                    }
                }
            }
        }
    }
}

/// Rules that share a field of view, in every form of their loop (falloff, cone or all round, near
/// pairs deferred or not) and every state and domain.
#[test]
fn the_shared_sight_loop() {
    let repeats = if tier::full() { 2 } else { 1 };
    for (f, falloff) in FALLOFFS.into_iter().enumerate() {
        for (v, view) in [FieldOfView::All, FieldOfView::degrees(240.0)].into_iter().enumerate() {
            for (p, part) in [0.3, 0.6, 1.0].into_iter().enumerate() {
                for (k, kind) in KINDS.iter().enumerate() {
                    for (n, state) in STATES.iter().enumerate() {
                        for repeat in 0..repeats {
                            let seed = 2_000_000
                                + repeat * 100_000
                                + (((f * 2 + v) * 3 + p) * 1000 + k * 100 + n) as u64;
                            if tier::full() || seed.is_multiple_of(9) {
                                shared_sight::<2>(seed, falloff, view, part, kind, state);
                                shared_sight::<3>(seed, falloff, view, part, kind, state);
                            }
                        }
                    }
                }
            }
        }
    }
}

fn shared_sight<const D: usize>(
    seed: u64,
    falloff: Falloff,
    view: FieldOfView,
    part: f32,
    kind: &str,
    state: &str,
) {
    let mut random = Random::new(seed);
    let radius = random.one_of(&[1.0, 0.3, 60.0]);
    let seen = |radius| Perception { radius, view, ..Default::default() };
    let weight = random.one_of(&[1.0, 2.5, -0.5]);
    let params = Params {
        agent: AgentLimits { max_speed: 2.0, max_force: 5.0, ..Default::default() },
        rules: Rules {
            separation: Some(Separation {
                weight,
                perception: seen(radius * part),
                falloff,
                ..Default::default()
            }),
            alignment: Some(Alignment { perception: seen(radius), ..Default::default() }),
            cohesion: Some(Cohesion { perception: seen(radius), ..Default::default() }),
            ..Default::default()
        },
        ..Default::default()
    };
    let domain = domain::<D>(kind, radius, &mut random);
    let boids = boids(state, &domain, radius, &mut random);
    let name = format!("{kind} {state} {falloff:?} {view:?} {part}");
    agrees(
        &Case { seed, name, params, domain, boids, dt: random.one_of(&[0.02, 0.3]) },
        &mut random,
    );
}
