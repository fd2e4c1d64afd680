//! The fast step equals the textbook double loop, bit for bit: steering of every boid, and states over ten steps.
//!
//! The ordinary suite runs a seeded sample of the product rule × falloff × response × combination × domain × dimension ×
//! state; `WINGBEAT_FULL=1` runs all of it. A failure prints the seed that makes the case again.

use crate::common::*;
use wingbeat::*;

/// Builds and checks one case; everything not given is drawn from the seed.
fn run<const D: usize>(seed: u64, rules: &Params, combination: usize, kind: &str, state: &str) {
    let mut random = Random::new(seed);
    let mut params = rules.clone();
    let radius = random.one_of(&[1.0, 1.0, 0.3, 60.0]);
    perceive(&mut params, radius, &mut random);
    (params.combine, params.priority) = combine(combination, &mut random);
    // Boxes and states are sized by the largest radius there is, so that "exactly half the box" is exactly that.
    let radius = if params.largest_radius() > 0.0 { params.largest_radius() } else { radius };
    let domain = domain::<D>(kind, radius, &mut random);
    let boids = boids(state, &domain, radius, &mut random);
    let name = format!("{kind} {state} combination {combination}");
    let case = Case { seed, name, params, domain, boids, dt: random.one_of(&[0.02, 0.3, 1.0]) };
    agrees(&case, &mut random);
}

fn single_rules() -> Vec<Params> {
    let mut all = vec![Params::default()];
    all.extend(separations().into_iter().map(|s| Params { separation: Some(s), ..Default::default() }));
    all.extend(alignments().into_iter().map(|a| Params { alignment: Some(a), ..Default::default() }));
    all.extend(cohesions().into_iter().map(|c| Params { cohesion: Some(c), ..Default::default() }));
    all
}

fn full() -> bool {
    std::env::var_os("WINGBEAT_FULL").is_some_and(|v| v == "1")
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
                    if !full() && random.below(20) != 0 {
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
                        if !full() && random.below(20) != 0 {
                            continue;
                        }
                        let rules = Params { separation: Some(s), alignment: Some(a), cohesion: Some(c), ..Default::default() };
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

/// The commonest flock (linear separation, one sight), in every state and domain: the specialised loop.
#[test]
fn the_shared_sight_loop() {
    let rules = Params {
        separation: Some(Separation::default()),
        alignment: Some(Alignment::default()),
        cohesion: Some(Cohesion::default()),
        ..Default::default()
    };
    let repeats = if full() { 40 } else { 4 };
    for repeat in 0..repeats {
        for (k, kind) in KINDS.iter().enumerate() {
            for (n, state) in STATES.iter().enumerate() {
                let seed = 2_000_000 + repeat * 1000 + (k * 100 + n) as u64;
                run::<2>(seed, &rules, 0, kind, state);
                run::<3>(seed, &rules, 0, kind, state);
            }
        }
    }
}
