//! Hunters and prey. Run it: `cargo run --release --example hunter_and_prey`.
//!
//! Hunters pursue the nearest prey until they are exhausted, then rest. Prey evade a hunter in
//! range, else seek a pointer that circles the yard, else wander. 60 seconds at 30 steps a second,
//! two hunters, six prey.

use wingbeat_examples::{Picture, mood_color};
use wingbeat_steer::behavior::AxisBox;
use wingbeat_steer::glam::Vec2;
use wingbeat_steer::{Body, HuntParameters, Hunter, Jitter, Mood, ParamError, Prey, Steering};
use wingbeat_steer::{Wander, WanderParameters};

const DT: f32 = 1.0 / 30.0;
const YARD: f32 = 900.0;

/// An animal: its body, its manager, its wandering, and what it did where.
struct Animal {
    body: Body<Vec2>,
    steering: Steering<Vec2>,
    wander: Wander<Vec2>,
    track: Vec<(Vec2, &'static str)>,
}

fn animal(id: u64, max_speed: f32) -> Result<Animal, ParamError> {
    let mut place = Jitter::owned(7, id);
    let at = Vec2::new(place.uniform(0, 0), place.uniform(1, 0)) * YARD;
    let body = Body::new(at, Vec2::ZERO, max_speed, 1.0)?;
    let mut style = WanderParameters::default();
    (style.distance, style.radius, style.interval) = (60.0, 60.0, 0.2);
    let (steering, wander) = (Steering::new(&body, 200.0)?, Wander::new(style, place)?);
    Ok(Animal { body, steering, wander, track: Vec::new() })
}

impl Animal {
    /// Adds a fence to whatever the mind wanted, and moves.
    fn step(&mut self, fence: &AxisBox<Vec2>, mood: Mood) {
        self.steering.weighted(3.0).contain(fence, 0.5);
        self.body.follow(self.steering.update(DT));
        self.track.push((self.body.position, mood_color(mood)));
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The source's rates are per step: −2 chasing, +1 resting, here at 30 steps a second.
    let mut rules = HuntParameters::default();
    (rules.stamina, rules.chase_cost, rules.recovery) = (400.0, 2.0 * 30.0, 1.0 * 30.0);
    let fence = AxisBox::new(Vec2::ZERO, Vec2::splat(YARD))?;
    let mut hunters = (0..2).map(|id| animal(id, 90.0)).collect::<Result<Vec<_>, _>>()?;
    let mut prey = (10..16).map(|id| animal(id, 80.0)).collect::<Result<Vec<_>, _>>()?;
    let mut hunter_minds = vec![Hunter::new(rules)?; hunters.len()];
    let mut prey_minds = vec![Prey::new(rules)?; prey.len()];
    let mut pointers = Vec::new();

    for step in 0..60 * 30 {
        let time = step as f32 * DT;
        let pointer = Vec2::splat(YARD / 2.0) + Vec2::from_angle(time * 0.15) * 280.0;
        pointers.push(pointer);
        let prey_bodies: Vec<_> = prey.iter().map(|p| p.body).collect();
        for (i, (animal, mind)) in hunters.iter_mut().zip(&mut hunter_minds).enumerate() {
            let before = mind.mood();
            mind.steer(&mut animal.steering, &mut animal.wander, &prey_bodies, DT);
            if mind.mood() != before {
                println!("{time:5.1} s  hunter {i}: {before:?} → {:?}", mind.mood());
            }
            animal.step(&fence, mind.mood());
        }
        let hunter_bodies: Vec<_> = hunters.iter().map(|h| h.body).collect();
        for (animal, mind) in prey.iter_mut().zip(&mut prey_minds) {
            let (steering, wander) = (&mut animal.steering, &mut animal.wander);
            mind.steer(steering, wander, &hunter_bodies, Some(pointer), DT);
            animal.step(&fence, mind.mood());
        }
    }

    let note = "60 seconds; dotted ring: the pointer the prey seek";
    let mut picture = Picture::new("Hunters and prey", note, 2);
    for (name, animals) in [("the two hunters", &hunters), ("the six prey", &prey)] {
        let panel = picture.panel(name);
        for &at in pointers.iter().step_by(40) {
            panel.dot(at, "#c9c3b5", 2.0);
        }
        for animal in animals {
            panel.colored_track(&animal.track, 1.7, 0.85);
            let (_, color) = animal.track[animal.track.len() - 1];
            panel.agent(animal.body.position, animal.body.velocity, color);
        }
    }
    picture.mood_legend();
    picture.save("hunter_and_prey")?;
    Ok(())
}
