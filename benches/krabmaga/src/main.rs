//! krABMaga's scheduler and `Field2D` under the benchmark rules, by docs/CONTENDERS.md.
//!
//! A step is one of its `Schedule`: every agent in turn asks the field for others, applies the
//! rules that all contenders share, moves, and is put into the field's other half; then the halves
//! change places. Agents see where all were before the step.
//!
//! Its exact search, `get_neighbors_within_distance`, leaves out cells whose corners are all out of
//! range, also where the circle reaches through an edge, so pairs are missing. This contender takes
//! `get_neighbors_within_relax_distance` instead, which returns a list of all agents of the nine
//! cells around; with cells of one reach none in range is missing. The field is made `toroidal`,
//! which in this search keeps from looking through faces.

use std::any::Any;
use std::fmt::{Display, Formatter};
use std::hash::{Hash, Hasher};
use std::process::ExitCode;

use krabmaga::engine::agent::Agent;
use krabmaga::engine::fields::field::Field;
use krabmaga::engine::fields::field_2d::{Field2D, Location2D};
use krabmaga::engine::location::Real2D;
use krabmaga::engine::schedule::Schedule;
use krabmaga::engine::state::State as Model;
use wingbeat::steer::Vector;
use wingbeat_benches::outside::serve;
use wingbeat_benches::points::{DT, RADIUS, REACH, State};
use wingbeat_benches::scalar_rules::{Boid, ScalarRules, Sums, integrate};
use wingbeat_benches::steps::{Stepper, Steps};

#[derive(Clone, Copy)]
struct Bird {
    id: u32,
    boid: Boid<2>,
}

impl PartialEq for Bird {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Bird {}

impl Hash for Bird {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.id.hash(state);
    }
}

impl Display for Bird {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.id)
    }
}

fn place(boid: &Boid<2>) -> Real2D {
    Real2D { x: boid.position[0], y: boid.position[1] }
}

impl Location2D<Real2D> for Bird {
    fn get_location(self) -> Real2D {
        place(&self.boid)
    }

    fn set_location(&mut self, loc: Real2D) {
        self.boid.position = [loc.x, loc.y];
    }
}

impl Agent for Bird {
    fn step(&mut self, state: &mut dyn Model) {
        let world = state.as_any_mut().downcast_mut::<World>().expect("the world of birds");
        let own = self.boid;
        let heading = own.velocity.unit();
        let mut sums = Sums::default();
        for other in world.field.get_neighbors_within_relax_distance(place(&own), REACH) {
            if other.id != self.id {
                sums.look(own.position, heading, &other.boid, &world.rules);
            }
        }
        let force = sums.force(own.velocity, &world.rules);
        integrate::<2, false>(&mut self.boid, force, &world.rules, DT, world.side);
        world.field.set_object_location(*self, place(&self.boid));
    }
}

struct World {
    field: Field2D<Bird>,
    rules: ScalarRules,
    side: f32,
}

impl Model for World {
    fn init(&mut self, _: &mut Schedule) {}

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_state_mut(&mut self) -> &mut dyn Model {
        self
    }

    fn as_state(&self) -> &dyn Model {
        self
    }

    fn reset(&mut self) {}

    fn update(&mut self, _: u64) {
        self.field.lazy_update();
    }
}

struct Flockers {
    world: World,
    schedule: Schedule,
}

impl Flockers {
    fn new(state: &State<2>) -> Self {
        let side = state.domain.side(0);
        let field = Field2D::new(side, side, REACH, true);
        let rules = ScalarRules::new(&state.params);
        let mut flock = Self { world: World { field, rules, side }, schedule: Schedule::new() };
        for (id, &boid) in state.boids.iter().enumerate() {
            let bird = Bird { id: id as u32, boid };
            flock.world.field.set_object_location(bird, place(&boid));
            flock.schedule.schedule_repeating(Box::new(bird), 0.0, 0);
        }
        flock
    }

    /// The birds as the scheduler holds them.
    fn birds(&self) -> Vec<Bird> {
        let events = self.schedule.get_all_events();
        events.iter().filter_map(|agent| agent.downcast_ref::<Bird>().copied()).collect()
    }
}

impl Steps for Flockers {
    fn step(&mut self) {
        self.schedule.step(&mut self.world);
    }
}

impl Stepper<2> for Flockers {
    fn restart(&mut self, state: &State<2>) {
        *self = Self::new(state);
    }

    /// Of a flock that has just begun.
    fn pairs(&mut self) -> u64 {
        self.world.field.lazy_update();
        let mut pairs = 0;
        for own in self.birds() {
            let near =
                self.world.field.get_neighbors_within_relax_distance(place(&own.boid), REACH);
            let in_range = near.iter().filter(|other| {
                let d_sq = other.boid.position.minus(own.boid.position).norm_sq();
                other.id != own.id && d_sq <= RADIUS * RADIUS
            });
            pairs += in_range.count() as u64;
        }
        pairs
    }

    fn boids(&mut self) -> Vec<Boid<2>> {
        self.birds().iter().map(|bird| bird.boid).collect()
    }
}

fn main() -> ExitCode {
    let about = "krABMaga 0.6.2; `Schedule::step`, `Field2D` with cells of one radius, \
        `get_neighbors_within_relax_distance`";
    match serve(about, Flockers::new) {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("wingbeat-krabmaga: {reason}");
            ExitCode::from(2)
        }
    }
}
