//! Hunters and prey: who does what, and when. Run it: `cargo run --release --example hunter_and_prey`.
//!
//! Hunters pursue the nearest prey until they are exhausted, then rest. Prey evade a hunter in range, else seek a pointer
//! that circles the yard, else wander. 60 seconds at 30 steps a second, two hunters, six prey.

use wingbeat_examples::{Picture, mood_color};
use wingbeat_steer::behavior::AxisBox;
use wingbeat_steer::glam::Vec2;
use wingbeat_steer::{
    BehaviorError, Body, HuntParameters, Hunter, Jitter, Mood, Prey, Steering, Wander,
    WanderParameters,
};

const DT: f32 = 1.0 / 30.0;
const SECONDS: usize = 60;
const YARD: f32 = 900.0;
const MOODS: [(&str, Mood); 5] = [
    ("wander", Mood::Wander),
    ("seek the pointer", Mood::Seek),
    ("pursue", Mood::Pursue),
    ("evade", Mood::Evade),
    ("rest", Mood::Rest),
];

/// An animal: its body, its manager, its wandering, and what it did where.
struct Animal {
    body: Body<Vec2>,
    steering: Steering<Vec2>,
    wander: Wander<Vec2>,
    track: Vec<(Vec2, &'static str)>,
}

impl Animal {
    fn new(id: u64, max_speed: f32) -> Result<Self, BehaviorError> {
        let mut place = Jitter::owned(7, id);
        let at = Vec2::new(place.uniform(0, 0), place.uniform(1, 0)) * YARD;
        let body = Body::new(at, Vec2::ZERO, max_speed, 1.0)?;
        let style = WanderParameters {
            distance: 60.0,
            radius: 60.0,
            interval: 0.2,
            ..Default::default()
        };
        let wander = Wander::new(style, Jitter::owned(8, id))?;
        Ok(Self {
            body,
            steering: Steering::new(&body, 200.0)?,
            wander,
            track: Vec::new(),
        })
    }

    /// Adds a fence to whatever the mind wanted, and moves.
    fn step(&mut self, fence: &AxisBox<Vec2>, mood: Mood) {
        self.steering.weighted(3.0).contain(fence, 0.5);
        self.body.follow(self.steering.update(DT));
        self.track.push((self.body.position, mood_color(mood)));
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The source's rates are per step: −2 chasing, +1 resting, at 30 steps a second.
    let rules = HuntParameters {
        stamina: 400.0,
        chase_cost: 60.0,
        recovery: 30.0,
        ..Default::default()
    };
    let fence = AxisBox::new(Vec2::ZERO, Vec2::splat(YARD))?;
    let mut hunters: Vec<_> = (0..2)
        .map(|id| Animal::new(id, 90.0))
        .collect::<Result<_, _>>()?;
    let mut prey: Vec<_> = (10..16)
        .map(|id| Animal::new(id, 80.0))
        .collect::<Result<_, _>>()?;
    let mut hunter_minds = vec![Hunter::new(rules)?; hunters.len()];
    let mut prey_minds = vec![Prey::new(rules)?; prey.len()];
    let mut pointer_track = Vec::new();

    for step in 0..SECONDS * 30 {
        let time = step as f32 * DT;
        let pointer = Vec2::splat(YARD / 2.0) + Vec2::from_angle(time * 0.15) * 280.0;
        pointer_track.push(pointer);
        let prey_bodies: Vec<_> = prey.iter().map(|p| p.body).collect();
        for (i, (animal, mind)) in hunters.iter_mut().zip(&mut hunter_minds).enumerate() {
            let before = mind.mood();
            animal.steering.observe(&animal.body);
            mind.steer(&mut animal.steering, &mut animal.wander, &prey_bodies, DT);
            if mind.mood() != before {
                println!(
                    "{time:5.1} s  hunter {i}: {before:?} → {:?}, stamina {:.0}",
                    mind.mood(),
                    mind.stamina()
                );
            }
            animal.step(&fence, mind.mood());
        }
        let hunter_bodies: Vec<_> = hunters.iter().map(|h| h.body).collect();
        for (animal, mind) in prey.iter_mut().zip(&mut prey_minds) {
            animal.steering.observe(&animal.body);
            mind.steer(
                &mut animal.steering,
                &mut animal.wander,
                &hunter_bodies,
                Some(pointer),
                DT,
            );
            animal.step(&fence, mind.mood());
        }
    }

    let mut picture = Picture::new(
        "Hunters and prey",
        "60 seconds; dotted ring: the pointer the prey seek",
        2,
    );
    for (name, animals) in [("the two hunters", &hunters), ("the six prey", &prey)] {
        let panel = picture.panel(name);
        pointer_track
            .iter()
            .step_by(40)
            .for_each(|&at| panel.dot(at, "#c9c3b5", 2.0));
        for animal in animals {
            panel.colored_track(&animal.track, 1.7, 0.85);
            panel.agent(
                animal.body.position,
                animal.body.velocity,
                animal.track[animal.track.len() - 1].1,
            );
        }
    }
    MOODS
        .iter()
        .for_each(|(name, mood)| picture.legend(name, mood_color(*mood)));
    picture.save("hunter_and_prey")?;
    Ok(())
}
