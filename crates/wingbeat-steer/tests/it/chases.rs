//! Chases as they go in the world: what evading and pursuing are for.

use wingbeat_steer::behavior::{evade, pursue};
use wingbeat_steer::{
    AgentLimits, Interaction, InteractionKind, Params, Species, SpeciesId, TextbookBoid,
    TextbookFlock, Traits, chase, noise,
};

const PREY: usize = 0;
const HUNTER: usize = 1;
const DT: f32 = 0.05;

/// A prey of maximum speed 1 at rest, 3 from a hunter that is a fifth faster and 0.2 from its meal.
fn pond(escape: InteractionKind) -> TextbookFlock<[f32; 2]> {
    let species = |name: &str, max_speed: f32| Species {
        name: name.into(),
        agent: AgentLimits { max_speed, ..Default::default() },
        ..Default::default()
    };
    let hunt = Interaction {
        capture_radius: 0.2,
        ..Interaction::new(
            SpeciesId::new(HUNTER),
            SpeciesId::new(PREY),
            InteractionKind::Pursue,
            100.0,
        )
    };
    let escape = Interaction::new(SpeciesId::new(PREY), SpeciesId::new(HUNTER), escape, 100.0);
    let boids = [(PREY, [3.0, 0.0]), (HUNTER, [0.0, 0.0])];
    TextbookFlock {
        params: Params {
            species: vec![species("prey", 1.0), species("hunter", 1.2)],
            interactions: vec![escape, hunt],
            ..Default::default()
        },
        boids: (0..2)
            .map(|id| TextbookBoid { id, position: boids[id as usize].1, velocity: [0.0; 2] })
            .collect(),
        traits: (0..2)
            .map(|id| {
                (id, Traits { species: SpeciesId::new(boids[id as usize].0), ..Default::default() })
            })
            .collect(),
        ..Default::default()
    }
}

/// How long the prey lives, and its largest velocity towards the hunter.
fn life(mut flock: TextbookFlock<[f32; 2]>) -> (f32, f32) {
    let mut worst = f32::NEG_INFINITY;
    for step in 0..1200_u16 {
        flock.step_by(DT);
        if flock.boids.len() < 2 {
            return (f32::from(step) * DT, worst);
        }
        let [prey, hunter] = [flock.boids[0], flock.boids[1]];
        let (x, y) = (hunter.position[0] - prey.position[0], hunter.position[1] - prey.position[1]);
        worst = worst
            .max_pinned((prey.velocity[0] * x + prey.velocity[1] * y) / (x * x + y * y).sqrt());
    }
    (60.0, worst)
}

trait Pinned {
    fn max_pinned(self, other: Self) -> Self;
}

impl Pinned for f32 {
    fn max_pinned(self, other: Self) -> Self {
        wingbeat_steer::math::max(self, other)
    }
}

#[test]
fn prey_never_runs_towards_a_faster_hunter_and_lives_as_long_as_by_fleeing() {
    let (fleeing, _) = life(pond(InteractionKind::Flee));
    let (evading, towards) = life(pond(InteractionKind::Evade));
    assert!(towards <= 1e-6, "runs into its hunter at {towards}");
    assert!(evading >= 0.98 * fleeing, "lives for {evading}, and for {fleeing} by fleeing");
    // Both start from rest, and the hunter gains a fifth of 1 on it: 2.8/0.2.
    assert!((13.0..16.0).contains(&fleeing), "{fleeing}");
}

#[test]
fn a_hunter_that_starts_aside_or_in_motion_changes_nothing_about_that() {
    for (place, velocity) in
        [([0.0, 0.5], [0.9, 0.0]), ([0.0, -2.0], [1.2, 0.0]), ([1.0, 0.1], [-1.0, 0.5])]
    {
        let start = |escape| {
            let mut flock = pond(escape);
            (flock.boids[1].position, flock.boids[1].velocity) = (place, velocity);
            flock
        };
        let (fleeing, _) = life(start(InteractionKind::Flee));
        let (evading, towards) = life(start(InteractionKind::Evade));
        assert!(towards <= 1e-6, "from {place:?} it runs into its hunter at {towards}");
        assert!(
            evading >= 0.9 * fleeing,
            "from {place:?} it lives for {evading}, and for {fleeing} by fleeing"
        );
    }
}

#[test]
fn who_evades_never_wants_to_get_nearer_and_who_pursues_never_wants_to_get_farther() {
    let draw =
        |id: u64, stream: u32, size: f32| (2.0 * noise::uniform(7, id, 0, stream) - 1.0) * size;
    for id in 0..10_000 {
        let vector = |stream: u32, size: f32| {
            [draw(id, stream, size), draw(id, stream + 1, size), draw(id, stream + 2, size)]
        };
        let (offset, theirs, own) = (vector(0, 10.0), vector(3, 8.0), vector(6, 2.0));
        let max_speed = 0.1 + 4.0 * noise::uniform(7, id, 0, 9);
        // What is wanted is the force and the velocity; its part towards the other, of max_speed.
        let towards = |force: [f32; 3]| {
            let dot: f32 =
                (0..3).map(|a| (force[a] + own[a]) * offset[a]).fold(0.0, |sum, part| sum + part);
            let length =
                (offset[0] * offset[0] + offset[1] * offset[1] + offset[2] * offset[2]).sqrt();
            dot / length / max_speed
        };
        let origin = [0.0; 3];
        let away = chase(InteractionKind::Evade, offset, theirs, own, max_speed);
        assert!(towards(away) <= 1e-4, "{id}: evades {offset:?} at {theirs:?} by {away:?}");
        assert!(
            towards(evade(origin, own, offset, theirs, max_speed)) <= 1e-4,
            "{id}: evades {offset:?} at {theirs:?}"
        );
        let after = chase(InteractionKind::Pursue, offset, theirs, own, max_speed);
        assert!(towards(after) >= -1e-4, "{id}: pursues {offset:?} at {theirs:?} by {after:?}");
        assert!(
            towards(pursue(origin, own, offset, theirs, max_speed)) >= -1e-4,
            "{id}: pursues {offset:?} at {theirs:?}"
        );
    }
}
