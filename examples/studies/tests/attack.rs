//! What docs/LITERATURE.md says of flocks under attack holds for seeds it was not measured with.
#![forbid(unsafe_code)]

use wingbeat_studies::attack::{BOIDS, NEIGHBORS, Neighborhood, Outcome, outcome};

/// Where seven are within reach on average (`matching_radius`).
const METRIC: Neighborhood = Neighborhood::Metric(1.127);

fn outcomes(neighborhood: Neighborhood, attacked: bool) -> Vec<Outcome> {
    (1000..1006)
        .map(|seed| outcome(neighborhood, seed, attacked).expect("valid parameters"))
        .collect()
}

fn in_largest(outcomes: &[Outcome]) -> f64 {
    outcomes.iter().map(|o| o.largest as f64 / BOIDS as f64).sum::<f64>() / outcomes.len() as f64
}

#[test]
fn topological_flocks_hold_together_better_than_metric_ones() {
    let [metric, topological] =
        [METRIC, Neighborhood::Topological].map(|neighborhood| outcomes(neighborhood, true));
    let neighbors = metric.iter().map(|o| o.neighbors).sum::<f64>() / metric.len() as f64;
    assert!(
        (neighbors - f64::from(NEIGHBORS)).abs() < 0.7,
        "a metric boid has {neighbors} neighbors"
    );
    let [m, t] = [&metric, &topological].map(|outcomes| in_largest(outcomes));
    assert!(t > m + 0.1, "in the largest group after an attack: metric {m}, topological {t}");
}

#[test]
fn left_alone_a_topological_flock_stays_whole() {
    for (outcome, seed) in outcomes(Neighborhood::Topological, false).iter().zip(1000..) {
        assert_eq!(
            (outcome.groups_before, outcome.groups, outcome.largest),
            (1, 1, BOIDS),
            "seed {seed}"
        );
    }
}
