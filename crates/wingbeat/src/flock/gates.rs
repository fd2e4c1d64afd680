//! Exits and sources of a flock, between steps and at the end of a step.

use wingbeat_steer::gate::{Entrance, Exits};
use wingbeat_steer::{Exit, Source, Traits};

use super::Flock;
use crate::flock::species_state::drawn;
use crate::simd::with_default_rounding;
use crate::{FlockError, MAX_BOIDS};

impl<const D: usize> Flock<D> {
    /// The exits, in the order in which events count them.
    pub fn exits(&self) -> &[Exit<[f32; D]>] {
        self.gates.exits.list()
    }

    /// Other exits from the next step on: doors open and close. Those of a name go on with what the
    /// one of that name before remembers.
    ///
    /// ```
    /// use wingbeat::{Event, Exit, Flock2, ObstacleShape, TimeStep};
    /// let door = Exit::new("door", ObstacleShape::Sphere { center: [1.0, 0.0], radius: 0.5 });
    /// let closed = Exit { open: false, ..door.clone() };
    /// let mut flock =
    ///     Flock2::builder().exits(vec![closed]).boids(&[[0.8, 0.0]], &[[0.0, 0.0]]).build()?;
    /// let (dt, id) = (TimeStep::new(0.1)?, flock.frame().boid(0).id);
    /// flock.step(dt);
    /// assert!(flock.events().is_empty());
    /// flock.set_exits(vec![door])?;
    /// flock.step(dt);
    /// assert_eq!((flock.events(), flock.len()), (&[Event::Exited { boid: id, exit: 0 }][..], 0));
    /// # Ok::<(), wingbeat::FlockError>(())
    /// ```
    ///
    /// # Errors
    /// As [`FlockBuilder::build`](crate::FlockBuilder::build); nothing is changed then.
    #[inline(never)]
    pub fn set_exits(&mut self, exits: Vec<Exit<[f32; D]>>) -> Result<(), FlockError> {
        let mut exits = Exits::new(exits, &self.params, &self.domain)?;
        exits.go_on_from(&self.gates.exits);
        self.gates.exits = exits;
        self.settings.take();
        Ok(())
    }

    /// The sources, in the order in which events count them.
    pub fn sources(&self) -> &[Source<[f32; D]>] {
        self.gates.sources.list()
    }

    /// Whether any boid is still to come from a source, at whatever time.
    pub fn awaits_others(&self) -> bool {
        self.gates.sources.any_due(f64::INFINITY)
    }

    /// A boid that is in an exit that is open when the step from one time to another has ended
    /// leaves, by a turnstile one after the other.
    pub(super) fn leave_by_exits(&mut self, step: (f64, f64)) {
        if self.gates.exits.any_open_at(step.1) {
            let begun = self.enter_exits(step);
            let exits = &mut self.gates.exits;
            with_default_rounding(|| {
                self.happened.exited(begun, |exit| exits.lets_out(exit, step))
            });
        }
    }

    /// Notes which boids are in an exit, from the returned place of the events on.
    pub(super) fn enter_exits(&mut self, step: (f64, f64)) -> usize {
        let exits = &self.gates.exits;
        let (columns, extra, ids) = (&self.boids.front, &self.boids.extra, self.boids.ids());
        let exit_of = |slot: usize| {
            let position = columns.position(slot);
            // Few are in the box about all exits.
            exits
                .may_hold(position)
                .then(|| exits.of(position, extra.species_of(slot), step.1))
                .flatten()
        };
        let found =
            self.happened.find(self.boids.len(), |slot| exit_of(slot).is_some(), &self.workers);
        let who = found.iter().map(|&slot| slot as usize);
        let inside = who.filter_map(|slot| Some((ids.of(columns.rank[slot]), exit_of(slot)?)));
        let begun = self.happened.inside_exits(inside);
        self.happened.put_back(found);
        begun
    }

    /// A boid that is due by a time, when all that leave have left, enters if there is room.
    pub(super) fn enter(&mut self, time: f64) {
        if !self.gates.sources.any_due(time) {
            return;
        }
        self.find_bodies_near_sources(time);
        let most = (u64::MAX - self.boids.next_id()).min((MAX_BOIDS - self.boids.len()) as u64);
        self.release(time, most);
        let mut newcomers = std::mem::take(&mut self.gates.newcomers);
        for (source, position) in newcomers.drain(..) {
            self.let_in(source, position);
        }
        self.gates.newcomers = newcomers;
    }

    /// A newcomer of a source: one boid more.
    pub(super) fn let_in(&mut self, source: usize, position: [f32; D]) {
        let &Source { species, velocity, .. } = &self.gates.sources.list()[source];
        let Ok(id) = self.welcome(position, velocity) else {
            debug_assert!(false, "there is room");
            return;
        };
        let (slot, slots) = (self.boids.len() - 1, self.boids.len());
        let traits =
            drawn(Traits { species, ..Traits::default() }, &self.params, self.seed, id.get());
        self.boids.extra.set_traits(slot, &traits, slots);
        self.happened.entered(id, source);
    }

    /// Lists the bodies that may be in the way of the boids that are due.
    pub(super) fn find_bodies_near_sources(&mut self, time: f64) {
        let course = self.course.as_ref().map(|course| &course.course);
        let entrance = Entrance {
            params: &self.params,
            domain: &self.domain,
            obstacles: course,
            seed: self.seed,
            time,
        };
        let (gates, boids) = (&mut self.gates, &self.boids);
        gates.near.clear();
        if let Some(bodies) = &self.bodies {
            let (columns, extra, sources) = (&boids.front, &boids.extra, &gates.sources);
            let reach = 2.0 * f64::from(bodies.largest);
            let near = |slot: usize| sources.may_meet(columns.position(slot), reach, &entrance);
            let found = self.happened.find(boids.len(), near, &self.workers);
            let with_radius = |slot: usize| (columns.position(slot), bodies.radius_of(extra, slot));
            gates.near.extend(found.iter().map(|&slot| with_radius(slot as usize)));
            self.happened.put_back(found);
        }
    }

    /// Who is due and has room, at most so many, is to be let in.
    pub(super) fn release(&mut self, time: f64, most: u64) {
        let course = self.course.as_ref().map(|course| &course.course);
        let entrance = Entrance {
            params: &self.params,
            domain: &self.domain,
            obstacles: course,
            seed: self.seed,
            time,
        };
        let gates = &mut self.gates;
        let newcomers = &mut gates.newcomers;
        newcomers.clear();
        gates.sources.release(&entrance, &mut gates.near, most, |source, place| {
            newcomers.push((source, place))
        });
    }
}
