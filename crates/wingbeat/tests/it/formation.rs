//! What formation does in the world: columns, wedges and lines abreast, measured by where each boid
//! has the one that it keeps to. Balch and Arkin 1998 name the three; the places are the rule's own
//! numbers, and whether boids come to them is not.

use crate::common::Random;
use wingbeat::steer::*;
use wingbeat::*;

const AHEAD: f32 = 0.6;
const ASIDE: f32 = 0.4;

/// Boids that fly about along x at first, each of which keeps to the nearest it sees.
fn flock(rule: Formation, view: f64, places: &[[f32; 2]]) -> Flock2 {
    let perception = Perception {
        radius: 8.0,
        view: FieldOfView::degrees(view),
        nearest: Some(1),
        ..Default::default()
    };
    let params = Params {
        agent: AgentLimits { max_speed: 2.0, min_speed: 0.5, max_force: 4.0, ..Default::default() },
        rules: Rules {
            // Nearer than any place of a formation: boids that make for one place do not share it.
            separation: Some(Separation {
                weight: 4.0,
                perception: Perception { radius: 0.3, ..Default::default() },
                ..Default::default()
            }),
            // Critically damped.
            alignment: Some(Alignment { weight: 2.0, perception, ..Default::default() }),
            formation: Some(Formation { perception, ..rule }),
            ..Default::default()
        },
        ..Default::default()
    };
    let velocities = vec![[1.0, 0.0]; places.len()];
    Flock2::builder().params(params).boids(places, &velocities).build().expect("a flock")
}

fn fly(flock: &mut Flock2) {
    let dt = TimeStep::new(0.02).expect("a step");
    (0..6000).for_each(|_| flock.step(dt));
}

/// Where each boid has the neighbor that it keeps to, along its heading and across it (positive to
/// the left); of those that see one.
fn places(flock: &mut Flock2) -> Vec<[f32; 2]> {
    let ids: Vec<BoidId> = (0..flock.len()).map(|i| flock.frame().boid(i).id).collect();
    let mut found = Vec::new();
    for id in ids {
        let why = flock.explain(id, TimeStep::new(0.02).expect("a step")).expect("a boid");
        let heading = why.heading;
        let steer::Decision::Terms(combined) = &why.decision else { unreachable!() };
        let part = combined.terms.iter().find(|part| part.term == Term::Rule(RuleId::Formation));
        let sees = part.and_then(|part| part.sees.as_ref()).expect("what formation sees");
        found.extend(sees.neighbors.iter().map(|seen| {
            let [x, y] = seen.offset;
            [x * heading[0] + y * heading[1], y * heading[0] - x * heading[1]]
        }));
    }
    found
}

fn scattered(seed: u64) -> Vec<[f32; 2]> {
    let mut random = Random::new(seed);
    // One after the other, so that no two begin beside each other.
    let place = |i: usize| [0.8 * i as f32 + random.within(0.0, 0.3), random.within(-0.6, 0.6)];
    (0..7).map(place).collect()
}

#[test]
fn boids_that_see_ahead_form_columns_and_wedges() {
    for seed in 0..8 {
        for aside in [0.0, ASIDE] {
            let rule = Formation { ahead: AHEAD, aside, ..Default::default() };
            let mut flock = flock(rule, 180.0, &scattered(seed));
            fly(&mut flock);
            let found = places(&mut flock);
            assert!(!found.is_empty(), "seed {seed}: the last see the first");
            for [ahead, across] in found {
                let off = steer::math::max((ahead - AHEAD).abs(), (across.abs() - aside).abs());
                assert!(off < 0.01, "seed {seed}, aside {aside}: kept at {ahead}, {across}");
            }
        }
    }
}

#[test]
fn pairs_that_see_all_round_fly_abreast() {
    for place in [[1.0, 0.7], [-0.9, 0.4], [0.3, -1.2]] {
        let rule = Formation { ahead: 0.0, aside: ASIDE, ..Default::default() };
        let mut flock = flock(rule, 360.0, &[[0.0; 2], place]);
        fly(&mut flock);
        for [ahead, across] in places(&mut flock) {
            let off = steer::math::max(ahead.abs(), (across.abs() - ASIDE).abs());
            assert!(off < 0.01, "from {place:?}: kept at {ahead}, {across}");
        }
    }
}

/// Left and right are the same to it: a flock reflected about the x axis flies the reflected way,
/// bit for bit.
#[test]
fn formations_have_no_hand() {
    let rule = Formation { ahead: AHEAD, aside: ASIDE, ..Default::default() };
    let start = scattered(3);
    let reflected: Vec<[f32; 2]> = start.iter().map(|&[x, y]| [x, -y]).collect();
    let (mut flock, mut mirror) = (flock(rule, 180.0, &start), flock(rule, 180.0, &reflected));
    let dt = TimeStep::new(0.02).expect("a step");
    for step in 0..2000 {
        flock.step(dt);
        mirror.step(dt);
        let (frame, other) = (flock.frame(), mirror.frame());
        for boid in (0..7).map(|i| frame.boid(i)) {
            let twin = (0..7).map(|i| other.boid(i)).find(|twin| twin.id == boid.id);
            let [x, y] = twin.expect("the same ids").position;
            assert_eq!(boid.position, [x, -y], "step {step}, boid {:?}", boid.id);
        }
    }
}
